"""Injected time: the wall clock and the monotonic clock, real or manual."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Clock interface of the product. `now` may jump (network time), `monotonic` never does."""

    def monotonic(self) -> float:
        """Return seconds since an unspecified start. Never decreases; for intervals."""
        ...

    def now(self) -> datetime:
        """Return the date and time with its time zone; for people."""
        ...


FIRST_PLAUSIBLE = datetime(2025, 1, 1, tzinfo=UTC)
"""Times before this one are from a clock that was not set: a Raspberry Pi has no battery. Nothing expires by them."""


class SystemClock:
    """The system clock in the system's time zone."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now().astimezone()


class ManualClock:
    """A clock that moves only when `advance` or `set` is called."""

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
        """Advance both clocks. Raises: ValueError for negative seconds."""
        if seconds < 0:
            raise ValueError("time does not run backwards; `set` moves the wall clock alone")
        self._monotonic += seconds
        self._now += timedelta(seconds=seconds)

    def set(self, now: datetime) -> None:
        """Set the wall clock only, as a network time update does. The monotonic clock is unchanged."""
        if now.tzinfo is None:
            raise ValueError("a clock's time needs its zone")
        self._now = now
