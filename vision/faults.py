"""Faults of the installation that no player made, told in one sentence. Light: imported by every command."""

from __future__ import annotations


class NetError(RuntimeError):
    """A net that the reader needs is missing or damaged; the message names its file."""
