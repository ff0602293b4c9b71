"""Reads dice in pictures and moving sources; knows no game."""

from __future__ import annotations


class NetError(RuntimeError):
    """A net that the reader needs is missing or damaged; the message names its file."""
