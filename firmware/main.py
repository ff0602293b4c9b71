"""What MicroPython runs when the board starts (copied to its root): the tray, or nothing where the prompt is wanted."""

from firmware.start import run

run()
