"""What stands on the table besides the camera (button panel, lit tray), with simulated twins; knows no game."""
