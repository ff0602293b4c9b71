"""Detection of rolling dice with the piezo under the tray floor.

A capacitor holds the piezo's peaks (README.md), which decay within some 50 ms. So polling every few milliseconds misses
no knock. Levels are ADC readings, 0 to 4095; times are in milliseconds.
"""


class MotionSensor:
    """Motion state: moving once a level rises by `on`, still once levels stayed within `off` for `still_ms`.

    The resting level drifts with temperature and with the objects in the tray. It is tracked while the tray is still.
    """

    def __init__(self, on: int, off: int, still_ms: int) -> None:
        self._on = on
        self._off = off
        self._still_ms = still_ms
        self._rest = -1  # in 1/256 of a level; -1 if unknown
        self._low = self._high = self._since = 0
        self.moving = False

    def feed(self, level: int, now: int) -> bool:
        """Process a level. Return True if the dice are moving."""
        if self._rest < 0:
            self._rest = level << 8
        if not self.moving:
            if level - (self._rest >> 8) >= self._on:
                self.moving = True
                self._low = self._high = level
                self._since = now
            else:
                self._rest += level - (self._rest >> 8)
            return self.moving
        self._low, self._high = min(self._low, level), max(self._high, level)
        if self._high - self._low > self._off:
            self._low = self._high = level
            self._since = now
        elif now - self._since >= self._still_ms:
            self.moving = False
            self._rest = level << 8
        return self.moving
