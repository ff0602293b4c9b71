"""Button debouncing: reports presses with their time and whether they were held.

It takes levels recorded by interrupts, each with its time, and is polled now and then. A press and release while the
program was busy is still reported. Times are milliseconds of any monotonic clock.
"""

SETTLE_MS = 20
"""Milliseconds that a level must be stable. Common buttons bounce for less than 10 ms."""
HOLD_MS = 800
"""Milliseconds after which a pressed button counts as held, as on the screen."""


class Button:
    """One button, or any contact whose debounced level (`down`) is needed."""

    def __init__(self, settle: int = SETTLE_MS, hold: int = HOLD_MS) -> None:
        self._settle = settle
        self._hold = hold
        self._level = False
        self._since = 0
        self._pressed = 0
        self._reported = True
        self.down = False
        """The debounced level."""

    def feed(self, level: bool, at: int) -> list[tuple[bool, int]]:
        """Record the level from time `at` on. Return the presses that are certain by then, as `poll` does."""
        presses = self.poll(at)
        if level != self._level:
            self._level = level
            self._since = at
        return presses

    def poll(self, now: int) -> list[tuple[bool, int]]:
        """Return the presses that are certain now: (held?, time when the finger came down)."""
        presses = []
        if self._level != self.down and now - self._since >= self._settle:
            self.down = self._level
            if self.down:
                self._pressed, self._reported = self._since, False
            elif not self._reported:
                self._reported = True
                presses.append((self._since - self._pressed >= self._hold, self._pressed))
        if self.down and self._level and not self._reported and now - self._pressed >= self._hold:
            self._reported = True
            presses.append((True, self._pressed))
        return presses
