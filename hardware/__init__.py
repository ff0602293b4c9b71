"""Hardware besides the camera (button panel, lit tray), real and simulated; independent of any game."""
