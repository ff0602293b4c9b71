"""From the edges of switches to presses: a level counts once it has stood still, a hold is told as soon as it is one.

Pure: time comes with every call, in seconds of one steady clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hardware.ports import HOLD_SECONDS, Press, Role, Source

BOUNCE_SECONDS = 0.015
"""Contacts of push buttons chatter for 1 to 10 ms; a level that stands for less is chatter or a spark, no finger."""


@dataclass
class _Switch:
    """One switch: its level as it is (`raw`, since `since`) and as it counts (`down`).

    `left`: when the level first left the one that counts. `pressed`: when the finger came down. `told`: nothing is to
    be told of this touch any more.
    """

    raw: bool = False
    since: float = 0.0
    left: float = 0.0
    down: bool = False
    pressed: float = 0.0
    told: bool = False

    def edge(self, down: bool, at: float) -> None:
        if down == self.raw:
            return
        if self.raw == self.down:
            self.left = at
        self.raw, self.since = down, at

    def step(self, now: float) -> bool | None:
        """What is to be told by now: True for a hold, False for a touch, None for nothing."""
        if self.raw == self.down:
            return self._hold(now)
        if now - self.since < BOUNCE_SECONDS:
            return None
        self.down = self.raw
        if self.down:
            self.pressed, self.told = self.left, False
            return self._hold(now)
        if self.told:
            return None
        self.told = True
        return self.left - self.pressed >= HOLD_SECONDS

    def _hold(self, now: float) -> bool | None:
        if not self.down or self.told or now - self.pressed < HOLD_SECONDS:
            return None
        self.told = True
        return True


class Buttons:
    """The switches of one device, by role."""

    def __init__(self, source: Source, roles: Iterable[Role]) -> None:
        self._source = source
        self._switches = {role: _Switch() for role in roles}
        self._presses: list[Press] = []

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self._switches)

    def is_down(self, role: Role) -> bool:
        """The level of a switch as it was told last, settled or not."""
        return self._switches[role].raw

    def begin(self, role: Role, down: bool) -> None:
        """The level in which a switch is found. One that is down then was pressed by nobody."""
        self._switches[role] = _Switch(raw=down, down=down, told=True)

    def edge(self, role: Role, down: bool, at: float) -> None:
        """The level of a switch is another since `at`. Edges come in the order of their times."""
        self._step(at)
        self._switches[role].edge(down, at)

    def due(self, now: float) -> list[Press]:
        """The presses that can be told by now, in the order in which they became certain."""
        self._step(now)
        presses, self._presses = self._presses, []
        return presses

    def _step(self, now: float) -> None:
        for role, switch in self._switches.items():
            held = switch.step(now)
            if held is not None:
                self._presses.append(Press(role, held, self._source, switch.pressed))
