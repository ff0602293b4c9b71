"""Frees what is no longer used while nobody waits for it: right after a tap was shown, or when the table is quiet.

When the table is quiet, the C library gives back to the system what it keeps of it (malloc_trim(3)): without that an
evening's memory only grows, since what is freed lies scattered between what is not.

A second tap within 0.3 s is not taken anyway (SCREENS 4.7): in that time nobody can notice a pause.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable

from kivy.base import EventLoop
from kivy.clock import Clock

_LOOK_EVERY = 0.05
"""Seconds between two looks at whether it is time."""
_AFTER_TAP = 0.25
"""Seconds after a tap until which the next one cannot come, a round's time taken off."""
_QUIET = 1.0
"""Seconds without a tap after which the table is quiet."""
_WORTH_IT = 4_000
"""Things made since the last round from which on another one is worth its time: about half a page."""
_ROUND = 0.04
"""Seconds that such a round may take; one that takes longer must be worth more."""
_MOST = 200_000
"""Things made at most before Python looks for itself, whoever is waiting."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""GNU's C library has it; others do without."""


class Tidying:
    """Python's own rounds, which may come in the middle of a page, are left to moments of its choice.

    `last_tap` tells when the last tap was taken, in seconds of Kivy's clock. Whoever starts it keeps it: Kivy's clock
    holds no object for the sake of its methods.
    """

    def __init__(self, last_tap: Callable[[], float]) -> None:
        self._last_tap = last_tap
        self._seen = float("-inf")
        self._worth = float(_WORTH_IT)

    def start(self) -> None:
        """What is loaded by now never goes away and is taken out of the rounds altogether."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(_MOST, 10, 10)
        Clock.schedule_interval(self._look, _LOOK_EVERY)

    def _look(self, *_: object) -> None:
        tap = self._last_tap()
        shown, self._seen = tap == self._seen, tap  # between two looks a frame is drawn
        if not shown or gc.get_count()[0] < self._worth or EventLoop.touches:
            return
        still = Clock.get_time() - tap
        if still > _QUIET or still <= _AFTER_TAP:
            start = time.perf_counter()
            gc.collect()
            if still > _QUIET and _TRIM is not None:
                _TRIM(0)
            self._worth = _WORTH_IT * max(1.0, (time.perf_counter() - start) / _ROUND)
