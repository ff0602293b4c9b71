"""What every panel does, whatever it is made of: switches become presses, what is shown becomes light and sound."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import cos, pi

from hardware.ports import HOLD_SECONDS, MOMENT_SECONDS, Lamp, Lamps, Link, Moment, Press, Role, Scene, Show, Source

BREATH_SECONDS = 1.6
"""As an awaited slot breathes on the screen."""
DIMMEST, STEADY = 0.15, 0.6
"""Shares of full brightness: a breathing lamp at its least, and a lamp that only says that its button works."""
BLINK_SECONDS = 0.25

Note = tuple[float, float]
"""Hertz and seconds; 0 hertz is silence."""

MELODIES: dict[Moment, tuple[Note, ...]] = {
    Moment.GOAL_LEFT: ((523.25, 0.12), (659.26, 0.12), (783.99, 0.12), (1046.5, 0.3)),
    Moment.GOAL_RIGHT: ((523.25, 0.12), (659.26, 0.12), (783.99, 0.12), (1046.5, 0.3)),
    Moment.FOUL: ((1046.5, 0.12), (0.0, 0.06), (1046.5, 0.35)),
    Moment.WON: ((523.25, 0.15), (523.25, 0.15), (659.26, 0.15), (783.99, 0.3), (659.26, 0.15), (783.99, 0.6)),
    Moment.REFUSED: ((220.0, 0.12),),
    Moment.REFEREE: ((783.99, 0.15), (0.0, 0.1), (783.99, 0.15)),
}

BLINKING: dict[Moment, tuple[Role, ...]] = {
    Moment.GOAL_LEFT: (Role.LEFT,),
    Moment.GOAL_RIGHT: (Role.RIGHT,),
    Moment.FOUL: (Role.REFEREE,),
    Moment.WON: tuple(Role),
    Moment.REFUSED: (),
    Moment.REFEREE: (Role.REFEREE,),
}
"""Lamps that blink in a moment, whatever they showed."""


def brightness(show: Show, since_moment: float | None, now: float) -> dict[Role, float]:
    """Each lamp's share of full brightness, 0 to 1. `since_moment`: seconds since the moment began, None for none."""
    if show.scene is Scene.OFF:
        return dict.fromkeys(Role, 0.0)
    shares = {role: _share(lamp_of(show.lamps, role), now) for role in Role}
    if show.moment is not None and since_moment is not None and since_moment < MOMENT_SECONDS:
        lit = 1.0 if int(since_moment / BLINK_SECONDS) % 2 == 0 else 0.0
        shares.update(dict.fromkeys(BLINKING[show.moment], lit))
    return shares


def tone(show: Show, since_moment: float | None) -> float | None:
    """The note in hertz that the buzzer plays now; None for silence."""
    if show.moment is None or since_moment is None or not show.sound or show.scene is Scene.OFF:
        return None
    for hertz, seconds in MELODIES[show.moment]:
        if since_moment < seconds:
            return hertz or None
        since_moment -= seconds
    return None


def lamp_of(lamps: Lamps, role: Role) -> Lamp:
    """How the lamp of a button is."""
    lamp: Lamp = getattr(lamps, role.value)
    return lamp


def _share(lamp: Lamp, now: float) -> float:
    if lamp is Lamp.OFF:
        return 0.0
    if lamp is Lamp.ON:
        return STEADY
    return DIMMEST + (1 - DIMMEST) * (1 - cos(2 * pi * now / BREATH_SECONDS)) / 2


# From the edges of switches to presses: a level counts once it has stood still, a hold is told as soon as it is one.


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


# What every panel does, whatever it is made of: switches become presses, what is shown becomes light and sound.


class PanelLogic:
    """Turned by hand: `edge` may be called from any thread, everything else from the one that turns it."""

    def __init__(self, roles: Iterable[Role]) -> None:
        self._buttons = Buttons(Source.PANEL, roles)
        self._edges: deque[tuple[Role, bool, float]] = deque()
        self._show = Show()
        self._moment_at: float | None = None
        self._links: list[Link] = []

    def begin(self, role: Role, down: bool) -> None:
        """The level in which a switch is found."""
        self._buttons.begin(role, down)

    def forget(self) -> None:
        """The switches are out of reach: whatever a finger was doing is over."""
        self._edges.clear()
        for role in self._buttons.roles:
            self._buttons.begin(role, False)

    def edge(self, role: Role, down: bool, at: float) -> None:
        """A switch closes (`down`) or opens at a time."""
        self._edges.append((role, down, at))

    def found(self, role: Role, down: bool, at: float) -> None:
        """The level of a switch as it is read now: an edge that nobody told is made good."""
        if not self._edges and self._buttons.is_down(role) != down:
            self.edge(role, down, at)

    def tell(self, link: Link) -> None:
        """The device is otherwise than before."""
        self._links.append(link)

    def show(self, show: Show, now: float) -> None:
        """What is to be seen from now on; a moment is played out before one that is none takes its place."""
        if show.moment is not None:
            self._moment_at = now
        elif self._playing(now):
            show = replace(show, moment=self._show.moment)
        self._show = show

    def presses(self, now: float) -> list[Link | Press]:
        """What is to be told by now."""
        while self._edges:
            self._buttons.edge(*self._edges.popleft())
        links, self._links = self._links, []
        return [*links, *self._buttons.due(now)]

    def lamps(self, now: float) -> dict[Role, float]:
        """Each lamp's share of full brightness, 0 to 1."""
        return brightness(self._show, self._since(now), now)

    def tone(self, now: float) -> float | None:
        """The note of the buzzer in hertz."""
        return tone(self._show, self._since(now))

    def _since(self, now: float) -> float | None:
        return None if self._moment_at is None else now - self._moment_at

    def _playing(self, now: float) -> bool:
        since = self._since(now)
        return self._show.moment is not None and since is not None and since < MOMENT_SECONDS
