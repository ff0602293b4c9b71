"""Draws dice: the pictures that train the reader, and the simulated tray that stands in for a camera."""
