"""Firmware of the tray's microcontroller, and the protocol that it shares with the host."""
