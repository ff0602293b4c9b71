"""Simulated panel and tray: full devices whose buttons, lid and dice are moved by program."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hardware.panel_logic import PanelLogic
from hardware.ports import (
    HOLD_SECONDS,
    DeviceNews,
    Lamps,
    Lid,
    Link,
    Moving,
    Press,
    Role,
    Show,
    Source,
    Trouble,
)

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


class _SimulatedDevice(ABC):
    """What both devices share: a cable that is plugged and drawn, and the link that follows from it."""

    def __init__(self, source: Source, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._plugged = True
        self._started = False
        self._link = Link(source, False, NAME, Trouble.ABSENT, simulated=True)

    @property
    def link(self) -> Link:
        return self._link

    def start(self) -> None:
        self._started = True
        self._update_link()

    def unplug(self) -> None:
        """The cable is drawn; fingers on buttons mean nothing then."""
        self._plugged = False
        self._update_link()

    def plug(self) -> None:
        """The cable is back."""
        self._plugged = True
        self._update_link()

    def _update_link(self) -> None:
        online = self._started and self._plugged
        if online == self._link.online:
            return
        if not online:
            self._go_offline()
        self._link = replace(self._link, online=online, trouble=None if online else Trouble.GONE)
        self._tell_link()

    @abstractmethod
    def _go_offline(self) -> None:
        """What ends with the link, which still stands."""

    @abstractmethod
    def _tell_link(self) -> None:
        """Tells the new link as news."""


class SimulatedPanel(_SimulatedDevice):
    """A `hardware.ports.Device` with all five buttons and lamps. `touch`, `let_go` and `unplug` are its outer world."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(Source.PANEL, monotonic)
        self._front = PanelLogic(Role)
        self.shown: deque[Show] = deque(maxlen=KEPT)
        """What was to be shown, oldest first."""
        self.history: deque[Change] = deque(maxlen=KEPT)
        """What lamps and buzzer did, oldest first."""
        self._lamps: dict[Role, float] = {}
        self._tone: float | None = None

    # The panel as the house knows it

    def show(self, show: Show) -> None:
        self.shown.append(show)
        self._front.show(show, self._monotonic())

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        self._update_link()
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
        if self._link.online:
            self._front.edge(role, True, self._monotonic())

    def let_go(self, role: Role) -> None:
        """The finger leaves."""
        if self._link.online:
            self._front.edge(role, False, self._monotonic())

    @property
    def lamps(self) -> dict[Role, float]:
        """Each lamp's brightness now, 0 to 1."""
        return {role: self._lamps.get(role, 0.0) for role in Role}

    @property
    def tone(self) -> float | None:
        """The buzzer's note now, in hertz."""
        return self._tone

    def _go_offline(self) -> None:
        self._dark()
        self._front.forget()

    def _tell_link(self) -> None:
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


# The simulated tray: touched, stirred and opened by program, with everything that it was shown written down.


ROLES = (Role.CONFIRM, Role.UNDO)
"""Entries of the history; a table may be on for days."""


class SimulatedTray(_SimulatedDevice):
    """A `hardware.ports.Device`. `touch`, `let_go`, `stir`, `open_lid`, `unplug` and `plug` are its outer world.

    It speaks as the real one does: to a tray that is back its last show is shown again without its moment, and one that
    is lost neither moves nor is open.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(Source.TRAY, monotonic)
        self._news: deque[DeviceNews] = deque()
        self._wanted = Show()
        self._down: dict[Role, float] = {}
        self._moving = False
        self._open = False
        self.shown: deque[Show] = deque(maxlen=KEPT)
        """What the tray was told to show, oldest first; lamps and sound, which it lacks, at their defaults."""

    # The tray as the house knows it

    def show(self, show: Show) -> None:
        if show == self._wanted and show.moment is None:
            return
        self._wanted = show
        if self._link.online:
            self._tell_tray(show)

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        for role in [role for role, at in self._down.items() if now - at >= HOLD_SECONDS]:
            self._news.append(Press(role, True, Source.TRAY, self._down.pop(role)))
        news = tuple(self._news)
        self._news.clear()
        return news

    def close(self) -> None:
        if self._started and self._link.online:
            self._tell_tray(Show())
        self._started = False
        self._link = replace(self._link, online=False, trouble=Trouble.ABSENT)
        self._news.clear()

    # The tray as the players know it

    def touch(self, role: Role) -> None:
        """A finger comes down on a button."""
        if role in ROLES and self._link.online:
            self._down[role] = self._monotonic()

    def let_go(self, role: Role) -> None:
        """The finger leaves."""
        at = self._down.pop(role, None)
        if at is not None:
            self._news.append(Press(role, self._monotonic() - at >= HOLD_SECONDS, Source.TRAY, at))

    def stir(self, moving: bool) -> None:
        """Dice roll in the tray, or lie still again."""
        if self._link.online and moving != self._moving:
            self._moving = moving
            self._news.append(Moving(moving, self._monotonic()))

    def open_lid(self, is_open: bool) -> None:
        """The lid is opened or a hand reaches in, or neither any more."""
        if self._link.online and is_open != self._open:
            self._open = is_open
            self._news.append(Lid(is_open, self._monotonic()))

    def _go_offline(self) -> None:
        self._down.clear()
        self.stir(False)
        self.open_lid(False)

    def _tell_link(self) -> None:
        self._news.append(self._link)
        if self._link.online:
            self._tell_tray(replace(self._wanted, moment=None))

    def _tell_tray(self, show: Show) -> None:
        self.shown.append(replace(show, lamps=Lamps(), sound=True))
