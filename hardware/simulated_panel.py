"""The simulated panel: pressed by program, with every change of its lamps and its buzzer written down."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hardware.front import Front
from hardware.ports import DeviceNews, Link, Role, Show, Source, Trouble

NAME = "simulated"
KEPT = 20_000
"""Entries of the histories, about two minutes of five breathing lamps; a table may be on for days."""


@dataclass(frozen=True, slots=True)
class Change:
    """At a time (seconds of the steady clock) a lamp had another brightness (0 to 1), or the buzzer another note.

    `role` is None for the buzzer, whose `value` is the note in hertz, 0 when it falls silent.
    """

    at: float
    role: Role | None
    value: float


class SimulatedPanel:
    """A `hardware.ports.Device` with all five buttons and lamps. `touch`, `let_go` and `unplug` are its outer world."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, roles: Sequence[Role] = tuple(Role)) -> None:
        self._monotonic = monotonic
        self._roles = tuple(roles)
        self._front = Front(self._roles)
        self._plugged = True
        self._link = Link(Source.PANEL, False, NAME, Trouble.ABSENT, simulated=True)
        self._started = False
        self.shown: deque[Show] = deque(maxlen=KEPT)
        """What was to be shown, oldest first."""
        self.history: deque[Change] = deque(maxlen=KEPT)
        """What lamps and buzzer did, oldest first."""
        self._lamps: dict[Role, float] = {}
        self._tone: float | None = None

    # The panel as the house knows it

    @property
    def link(self) -> Link:
        return self._link

    def start(self) -> None:
        self._started = True
        self._turn()

    def show(self, show: Show) -> None:
        self.shown.append(show)
        self._front.show(show, self._monotonic())

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        self._turn()
        if self._link.online:
            self._light(self._front.lamps(now), self._front.tone(now))
        return self._front.presses(now)

    def close(self) -> None:
        self._started = False
        self._dark()
        self._front.forget()
        self._link = replace(self._link, online=False, trouble=Trouble.ABSENT)

    # The panel as the players know it

    def touch(self, role: Role) -> None:
        """A finger comes down on a button."""
        if role in self._roles and self._link.online:
            self._front.edge(role, True, self._monotonic())

    def let_go(self, role: Role) -> None:
        """The finger leaves."""
        if role in self._roles and self._link.online:
            self._front.edge(role, False, self._monotonic())

    def unplug(self) -> None:
        """The panel's cable is drawn; fingers on buttons mean nothing then."""
        self._plugged = False
        self._turn()

    def plug(self) -> None:
        """The cable is back."""
        self._plugged = True
        self._turn()

    @property
    def lamps(self) -> dict[Role, float]:
        """Each lamp's brightness now, 0 to 1."""
        return {role: self._lamps.get(role, 0.0) for role in Role}

    @property
    def tone(self) -> float | None:
        """The buzzer's note now, in hertz."""
        return self._tone

    def _turn(self) -> None:
        online = self._started and self._plugged
        if online == self._link.online:
            return
        if not online:
            self._dark()
            self._front.forget()
        trouble = None if online else Trouble.GONE
        self._link = replace(self._link, online=online, trouble=trouble)
        self._front.tell(self._link)

    def _dark(self) -> None:
        self._light(dict.fromkeys(Role, 0.0), None)

    def _light(self, shares: dict[Role, float], hertz: float | None) -> None:
        now = self._monotonic()
        for role, share in shares.items():
            if share != self._lamps.get(role, 0.0):
                self.history.append(Change(now, role, share))
                self._lamps[role] = share
        if hertz != self._tone:
            self.history.append(Change(now, None, hertz or 0.0))
            self._tone = hertz
