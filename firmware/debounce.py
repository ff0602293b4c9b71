"""Buttons without their bounce: told are presses, each with when the finger came down, and whether it was held.

Fed with levels as interrupts saw them, each with its time, and asked now and then: a press that came and went while the
program was busy is told all the same. Times are milliseconds of any steady clock.
"""

SETTLE_MS = 20
"""A level counts once it has stood so long. Contacts of common buttons bounce for less than 10 ms."""
HOLD_MS = 800
"""A button down for so long is held: the same time as on the screen."""


class Button:
    """One button, or any contact whose settled level is of interest (`down`)."""

    def __init__(self, settle: int = SETTLE_MS, hold: int = HOLD_MS) -> None:
        self._settle = settle
        self._hold = hold
        self._level = False
        self._since = 0
        self._pressed = 0
        self._told = True
        self.down = False
        """The settled level."""

    def feed(self, level: bool, at: int) -> list[tuple[bool, int]]:
        """Takes the level that stands from `at` on; what is certain by then, as `settled` tells it."""
        told = self.settled(at)
        if level != self._level:
            self._level = level
            self._since = at
        return told

    def settled(self, now: int) -> list[tuple[bool, int]]:
        """Presses that are certain now: (held?, when the finger came down)."""
        told = []
        if self._level != self.down and now - self._since >= self._settle:
            self.down = self._level
            if self.down:
                self._pressed, self._told = self._since, False
            elif not self._told:
                self._told = True
                told.append((self._since - self._pressed >= self._hold, self._pressed))
        if self.down and self._level and not self._told and now - self._pressed >= self._hold:
            self._told = True
            told.append((True, self._pressed))
        return told
