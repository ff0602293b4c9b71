"""Time as it is handed in: the wall clock and the steady clock, real or turned by hand."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What the house asks of time. `now` may jump (the network sets it), `monotonic` never does."""

    def monotonic(self) -> float:
        """Seconds from an unknown start, never running backwards; for intervals."""
        ...

    def now(self) -> datetime:
        """The date and time, always with its zone; for what people read."""
        ...


class SystemClock:
    """The machine's own time, in its own zone."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now().astimezone()


class ManualClock:
    """A clock that moves only when it is told to."""

    def __init__(self, now: datetime = datetime(2026, 1, 1, 20, 0, tzinfo=UTC), monotonic: float = 0.0) -> None:
        if now.tzinfo is None:
            raise ValueError("a clock's time needs its zone")
        self._now = now
        self._monotonic = monotonic

    def monotonic(self) -> float:
        return self._monotonic

    def now(self) -> datetime:
        return self._now

    def advance(self, seconds: float) -> None:
        """Lets time pass: both clocks move on. Raises ValueError for a step back."""
        if seconds < 0:
            raise ValueError("time does not run backwards; `set` moves the wall clock alone")
        self._monotonic += seconds
        self._now += timedelta(seconds=seconds)

    def set(self, now: datetime) -> None:
        """Puts the wall clock elsewhere, as the network does; the steady clock does not notice."""
        if now.tzinfo is None:
            raise ValueError("a clock's time needs its zone")
        self._now = now
