"""The panel's own light, and whether a keyboard is plugged in, as Linux tells them."""

from __future__ import annotations

import logging
from pathlib import Path

LETTERS = sum(1 << code for code in (*range(16, 26), *range(30, 39), *range(44, 51)))
"""The keys of a to z in the bits of a device (linux/input-event-codes.h)."""

log = logging.getLogger(__name__)


class PanelLight:
    """The first backlight of a folder whose brightness may be written; a panel without one does not obey."""

    def __init__(self, folder: Path = Path("/sys/class/backlight")) -> None:
        self._folder = folder

    def shine(self, percent: int) -> bool:
        """Sets the brightness, never quite dark; False when no panel obeyed."""
        for light in sorted(self._folder.glob("*")):
            try:
                most = int((light / "max_brightness").read_text())
                (light / "brightness").write_text(str(max(1, round(most * percent / 100))))
            except (OSError, ValueError) as fault:
                log.info("%s does not obey: %s", light.name, fault)
            else:
                return True
        return False


def keyboard_plugged(devices: Path = Path("/proc/bus/input/devices")) -> bool:
    """Whether a device has all letters: buttons and remote controls call themselves keyboards, too."""
    try:
        found = devices.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(_letters(line) for line in found.splitlines() if line.startswith("B: KEY="))


def _letters(line: str) -> bool:
    try:
        lowest = int(line.rpartition("=")[2].split()[-1], 16)
    except (IndexError, ValueError):
        return False
    return lowest & LETTERS == LETTERS
