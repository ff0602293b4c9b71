"""Long work done a few milliseconds a frame, so that the screen never waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from kivy.clock import Clock

BUDGET = 0.012
"""Seconds of a frame that the work may take."""

Step = TypeVar("Step")


class Slices(Generic[Step]):
    """Takes step after step of `work`; `told` gets the last one of each frame, `done` is called at the end."""

    def __init__(
        self, work: Iterator[Step], done: Callable[[], None], told: Callable[[Step], None] | None = None
    ) -> None:
        self._work, self._done, self._told = work, done, told
        self._event = Clock.schedule_interval(self._slice, 0)

    def stop(self) -> None:
        """Leaves the rest undone."""
        self._event.cancel()

    def _slice(self, *_: object) -> None:
        end = time.perf_counter() + BUDGET
        newest: Step | None = None
        while time.perf_counter() < end:
            try:
                newest = next(self._work)
            except StopIteration:
                self.stop()
                self._done()
                return
        if self._told is not None and newest is not None:
            self._told(newest)
