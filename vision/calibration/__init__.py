"""Sets a camera up over its tray: corners, light, focus, white balance, a trial; notices when that holds no more."""
