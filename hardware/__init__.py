"""What stands on the table besides the camera (button panel, lit tray) and the simulated twins; knows no game and no reader."""
