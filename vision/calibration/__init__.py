"""Camera calibration for a tray: corners, light, focus, white balance and a trial, and detection of later changes."""
