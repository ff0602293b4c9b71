"""Simulated panel and tray: complete devices whose buttons, lid and dice are controlled by code."""

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
    PanelPress,
    PressSource,
    Role,
    Show,
    Trouble,
)

NAME = "simulated"
KEPT = 20_000
"""Maximum entries of a history: about two minutes of five breathing lamps. A table may run for days."""


@dataclass(frozen=True, slots=True)
class PinChange:
    """A change of a lamp's brightness (0 to 1) or of the buzzer's note, at a time in seconds of the monotonic clock.

    `role` is None for the buzzer. Its `value` is the note in hertz, 0 for silence.
    """

    at: float
    role: Role | None
    value: float


class _SimulatedDevice(ABC):
    """Common part of both devices: a cable that can be plugged and unplugged, and the resulting link."""

    def __init__(self, source: PressSource, monotonic: Callable[[], float]) -> None:
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
        """Unplug the cable. Current touches are dropped."""
        self._plugged = False
        self._update_link()

    def plug(self) -> None:
        """Plug the cable in again."""
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
        """End everything that depends on the link, before it changes."""

    @abstractmethod
    def _tell_link(self) -> None:
        """Report the new link as news."""


class SimulatedPanel(_SimulatedDevice):
    """A `hardware.ports.Device` with all five buttons and lamps. Controlled by `touch`, `let_go` and `unplug`."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(PressSource.PANEL, monotonic)
        self._logic = PanelLogic(Role)
        self.shows: deque[Show] = deque(maxlen=KEPT)
        """The shows received, oldest first."""
        self.history: deque[PinChange] = deque(maxlen=KEPT)
        """The changes of lamps and buzzer, oldest first."""
        self._lamps: dict[Role, float] = {}
        self._tone: float | None = None

    # Device interface

    def show(self, show: Show) -> None:
        self.shows.append(show)
        self._logic.show(show, self._monotonic())

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        self._update_link()
        if self._link.online:
            self._light(self._logic.lamps(now), self._logic.tone(now))
        return self._logic.poll(now)

    def close(self) -> None:
        self._started = False
        self._dark()
        self._logic.reset()
        self._link = replace(self._link, online=False, trouble=Trouble.ABSENT)

    # Simulated players

    def touch(self, role: Role) -> None:
        """Put a finger on a button."""
        if self._link.online:
            self._logic.edge(role, True, self._monotonic())

    def let_go(self, role: Role) -> None:
        """Lift the finger."""
        if self._link.online:
            self._logic.edge(role, False, self._monotonic())

    @property
    def lamps(self) -> dict[Role, float]:
        """Current brightness of each lamp, 0 to 1."""
        return {role: self._lamps.get(role, 0.0) for role in Role}

    @property
    def tone(self) -> float | None:
        """Current note of the buzzer in hertz."""
        return self._tone

    def _go_offline(self) -> None:
        self._dark()
        self._logic.reset()

    def _tell_link(self) -> None:
        self._logic.report_link(self._link)

    def _dark(self) -> None:
        self._light(dict.fromkeys(Role, 0.0), None)

    def _light(self, shares: dict[Role, float], hertz: float | None) -> None:
        now = self._monotonic()
        for role, share in shares.items():
            if share != self._lamps.get(role, 0.0):
                self.history.append(PinChange(now, role, share))
                self._lamps[role] = share
        if hertz != self._tone:
            self.history.append(PinChange(now, None, hertz or 0.0))
            self._tone = hertz


# The simulated tray: controlled by code, and records every show.


TRAY_ROLES = (Role.CONFIRM, Role.UNDO)
"""Buttons of the tray."""


class SimulatedTrayDevice(_SimulatedDevice):
    """A `hardware.ports.Device`. Controlled by `touch`, `let_go`, `stir`, `open_lid`, `unplug` and `plug`.

    Behaves like the real tray: after a reconnection it gets its last show again without its moment, and a lost tray
    neither moves nor is open.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(PressSource.TRAY, monotonic)
        self._news: deque[DeviceNews] = deque()
        self._wanted = Show()
        self._down: dict[Role, float] = {}
        self._moving = False
        self._open = False
        self.shows: deque[Show] = deque(maxlen=KEPT)
        """The shows sent to the tray, oldest first. Lamps and sound, which it lacks, have their defaults."""

    # Device interface

    def show(self, show: Show) -> None:
        if show == self._wanted and show.moment is None:
            return
        self._wanted = show
        if self._link.online:
            self._tell_tray(show)

    def poll(self) -> Sequence[DeviceNews]:
        now = self._monotonic()
        for role in [role for role, at in self._down.items() if now - at >= HOLD_SECONDS]:
            self._news.append(PanelPress(role, True, PressSource.TRAY, self._down.pop(role)))
        news = tuple(self._news)
        self._news.clear()
        return news

    def close(self) -> None:
        if self._started and self._link.online:
            self._tell_tray(Show())
        self._started = False
        self._link = replace(self._link, online=False, trouble=Trouble.ABSENT)
        self._news.clear()

    # Simulated players

    def touch(self, role: Role) -> None:
        """Put a finger on a button."""
        if role in TRAY_ROLES and self._link.online:
            self._down[role] = self._monotonic()

    def let_go(self, role: Role) -> None:
        """Lift the finger."""
        at = self._down.pop(role, None)
        if at is not None:
            self._news.append(PanelPress(role, self._monotonic() - at >= HOLD_SECONDS, PressSource.TRAY, at))

    def stir(self, moving: bool) -> None:
        """Make dice roll in the tray, or lie still again."""
        if self._link.online and moving != self._moving:
            self._moving = moving
            self._news.append(Moving(moving, self._monotonic()))

    def open_lid(self, is_open: bool) -> None:
        """Open the lid or reach in, or end this."""
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
        self.shows.append(replace(show, lamps=Lamps(), sound=True))
