"""Whether dice roll in the tray, told from the piezo under its floor.

The piezo's peaks are held by a capacitor (README.md) and fall off within some 50 ms, so that a look every few
milliseconds misses no knock. Levels are readings of the converter, 0 to 4095; times are milliseconds.
"""


class Stillness:
    """Moving as soon as a level rises by `on`; still once levels have stayed within `off` for `still_ms`.

    Where levels rest drifts with temperature and with what lies in the tray; it is followed while the tray is still.
    """

    def __init__(self, on: int, off: int, still_ms: int) -> None:
        self._on = on
        self._off = off
        self._still_ms = still_ms
        self._rest = -1  # in 1/256 of a level; none yet
        self._low = self._high = self._since = 0
        self.moving = False

    def feed(self, level: int, now: int) -> bool:
        """Takes a level; whether the dice are moving now."""
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
