"""Monotonic milliseconds since the start, from a counter that wraps (every 12 days on the RP2040)."""

import time

ticks_ms = time.ticks_ms  # type: ignore[attr-defined]  # MicroPython's own
ticks_diff = time.ticks_diff  # type: ignore[attr-defined]


class Uptime:
    """Uptime counter. It must be polled more often than the hardware counter wraps."""

    def __init__(self) -> None:
        self._ticks: int = ticks_ms()
        self._passed = 0

    def now(self) -> int:
        """Return the milliseconds since the start."""
        ticks = ticks_ms()
        self._passed += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._passed

    def of(self, ticks: int) -> int:
        """Convert a counter value recorded by an interrupt."""
        return self._passed + int(ticks_diff(ticks, self._ticks))
