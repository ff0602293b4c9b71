"""Tests of the tray firmware: its parts in this Python, the whole in MicroPython and on an emulated board."""
