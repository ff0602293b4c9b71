"""Limits the hub's log: a flood of the same warning is a few lines and a count."""

from __future__ import annotations

import logging
from collections.abc import Callable

INTERVAL_S = 60.0
MAX_REPEATS = 5
"""Maximum number of records of one place in the program per interval."""

Place = tuple[str, str, int]


class RepeatFilter(logging.Filter):
    """Drops further records of the same place in the program. The next one that passes tells how many were dropped."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._places: dict[Place, tuple[float, int]] = {}
        """The start of each place's interval, and the number of its records since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        place, now = (record.name, record.pathname, record.lineno), self._monotonic()
        began, count = self._places.get(place, (now, 0))
        if now - began >= INTERVAL_S:
            dropped, began, count = count - MAX_REPEATS, now, 0
            if dropped > 0:
                record.msg, record.args = f"{record.getMessage()} (and {dropped} times more before)", ()
        self._places[place] = (began, count + 1)
        return count < MAX_REPEATS
