"""Firmware release. Increment it with each change of behaviour."""

RELEASE = "1.0"
