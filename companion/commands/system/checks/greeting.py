"""Greets the tray on a port for a moment: whether it answers, and as which version."""

from __future__ import annotations

import time

from hardware.ports import Link, Trouble
from hardware.tray import GREETING_SECONDS, SerialTray

LOOK = 0.02
"""Seconds between two looks at whether it has answered."""


def greet(port: str, patience: float = GREETING_SECONDS + 1.0) -> Link:
    """How the tray on a port is, after `patience` seconds at most. Its lights go out again."""
    tray = SerialTray(port)
    tray.start()
    try:
        end = time.monotonic() + patience
        while time.monotonic() < end and not tray.link.online and tray.link.trouble in (None, Trouble.ABSENT):
            time.sleep(LOOK)
        return tray.link
    finally:
        tray.close()
