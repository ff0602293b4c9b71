"""Milliseconds since the start that never begin anew, made of a counter that does (every 12 days on the RP2040)."""

import time

ticks_ms = time.ticks_ms  # type: ignore[attr-defined]  # MicroPython's own
ticks_diff = time.ticks_diff  # type: ignore[attr-defined]


class Uptime:
    """Asked more often than the counter begins anew, it counts on."""

    def __init__(self) -> None:
        self._ticks: int = ticks_ms()
        self._passed = 0

    def now(self) -> int:
        """Milliseconds since the start."""
        ticks = ticks_ms()
        self._passed += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._passed

    def of(self, ticks: int) -> int:
        """The same for a reading of the counter, as an interrupt took it."""
        return self._passed + int(ticks_diff(ticks, self._ticks))
