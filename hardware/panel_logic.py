"""Panel logic shared by real and simulated panels: turns switches into presses, and a show into light and sound."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import cos, pi

from hardware.ports import (
    HOLD_SECONDS,
    MOMENT_SECONDS,
    Lamp,
    Lamps,
    LightScene,
    Link,
    Moment,
    PanelPress,
    PressSource,
    Role,
    Show,
)

BREATH_SECONDS = 1.6
"""Period of the breathing lamps, equal to that of awaited slots on the screen."""
DIMMEST, STEADY = 0.15, 0.6
"""Brightness shares: minimum of a breathing lamp, and a steady lamp, which shows that its button works."""
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
"""Lamps that blink during a moment, whatever they showed before."""


def brightness(show: Show, since_moment: float | None, now: float) -> dict[Role, float]:
    """Return each lamp's brightness, 0 to 1. `since_moment`: seconds since the moment began, None if there is none."""
    if show.scene is LightScene.OFF:
        return dict.fromkeys(Role, 0.0)
    shares = {role: _share(lamp_of(show.lamps, role), now) for role in Role}
    if show.moment is not None and since_moment is not None and since_moment < MOMENT_SECONDS:
        lit = 1.0 if int(since_moment / BLINK_SECONDS) % 2 == 0 else 0.0
        shares.update(dict.fromkeys(BLINKING[show.moment], lit))
    return shares


def tone(show: Show, since_moment: float | None) -> float | None:
    """Return the current note of the buzzer in hertz; None for silence."""
    if show.moment is None or since_moment is None or not show.sound or show.scene is LightScene.OFF:
        return None
    for hertz, seconds in MELODIES[show.moment]:
        if since_moment < seconds:
            return hertz or None
        since_moment -= seconds
    return None


def lamp_of(lamps: Lamps, role: Role) -> Lamp:
    """Return the state of a button's lamp."""
    lamp: Lamp = getattr(lamps, role.value)
    return lamp


def _share(lamp: Lamp, now: float) -> float:
    if lamp is Lamp.OFF:
        return 0.0
    if lamp is Lamp.ON:
        return STEADY
    return DIMMEST + (1 - DIMMEST) * (1 - cos(2 * pi * now / BREATH_SECONDS)) / 2


# Debouncing: a level counts once it is stable. A hold is reported as soon as it is reached.


BOUNCE_SECONDS = 0.015
"""Seconds that a level must be stable. Push buttons bounce for 1 to 10 ms."""


@dataclass
class _Switch:
    """One switch: its actual level (`raw`, since `since`) and its debounced level (`down`).

    - `left_at`: when the level first differed from the debounced one.
    - `pressed_at`: when the finger came down.
    - `reported`: this touch was already reported.
    """

    raw: bool = False
    since: float = 0.0
    left_at: float = 0.0
    down: bool = False
    pressed_at: float = 0.0
    reported: bool = False

    def edge(self, down: bool, at: float) -> None:
        if down == self.raw:
            return
        if self.raw == self.down:
            self.left_at = at
        self.raw, self.since = down, at

    def step(self, now: float) -> bool | None:
        """Return what to report at `now`: True for a hold, False for a touch, None for nothing."""
        if self.raw == self.down:
            return self._hold(now)
        if now - self.since < BOUNCE_SECONDS:
            return None
        self.down = self.raw
        if self.down:
            self.pressed_at, self.reported = self.left_at, False
            return self._hold(now)
        if self.reported:
            return None
        self.reported = True
        return self.left_at - self.pressed_at >= HOLD_SECONDS

    def _hold(self, now: float) -> bool | None:
        if not self.down or self.reported or now - self.pressed_at < HOLD_SECONDS:
            return None
        self.reported = True
        return True


class Buttons:
    """The switches of one device, by role."""

    def __init__(self, source: PressSource, roles: Iterable[Role]) -> None:
        self._source = source
        self._switches = {role: _Switch() for role in roles}
        self._presses: list[PanelPress] = []

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self._switches)

    def is_down(self, role: Role) -> bool:
        """Return the last known level of a switch, before debouncing."""
        return self._switches[role].raw

    def set_initial(self, role: Role, down: bool) -> None:
        """Set the initial level of a switch. A switch that is down at the start is not a press."""
        self._switches[role] = _Switch(raw=down, down=down, reported=True)

    def edge(self, role: Role, down: bool, at: float) -> None:
        """Record a level change at time `at`. Edges arrive in order of time."""
        self._step(at)
        self._switches[role].edge(down, at)

    def poll(self, now: float) -> list[PanelPress]:
        """Return the presses that are certain at `now`, in the order in which they became certain."""
        self._step(now)
        presses, self._presses = self._presses, []
        return presses

    def _step(self, now: float) -> None:
        for role, switch in self._switches.items():
            is_long = switch.step(now)
            if is_long is not None:
                self._presses.append(PanelPress(role, is_long, self._source, switch.pressed_at))


# Panel logic, independent of the hardware: turns switches into presses, and a show into light and sound.


class PanelLogic:
    """Panel logic, driven by polling. `edge` is thread-safe; all other methods belong to the polling thread."""

    def __init__(self, roles: Iterable[Role]) -> None:
        self._buttons = Buttons(PressSource.PANEL, roles)
        self._edges: deque[tuple[Role, bool, float]] = deque()
        self._show = Show()
        self._moment_at: float | None = None
        self._links: list[Link] = []

    def set_initial(self, role: Role, down: bool) -> None:
        """Set the initial level of a switch."""
        self._buttons.set_initial(role, down)

    def reset(self) -> None:
        """Reset all switches after the hardware was lost. Current touches are dropped."""
        self._edges.clear()
        for role in self._buttons.roles:
            self._buttons.set_initial(role, False)

    def edge(self, role: Role, down: bool, at: float) -> None:
        """Record that a switch closes (`down`) or opens at a time."""
        self._edges.append((role, down, at))

    def sync_level(self, role: Role, down: bool, at: float) -> None:
        """Compare with the level read now, and add an edge that was missed."""
        if not self._edges and self._buttons.is_down(role) != down:
            self.edge(role, down, at)

    def report_link(self, link: Link) -> None:
        """Queue a change of the device's link."""
        self._links.append(link)

    def show(self, show: Show, now: float) -> None:
        """Set the current show. A running moment is finished unless a new one replaces it."""
        if show.moment is not None:
            self._moment_at = now
        elif self._playing(now):
            show = replace(show, moment=self._show.moment)
        self._show = show

    def poll(self, now: float) -> list[Link | PanelPress]:
        """Return the news at `now`."""
        while self._edges:
            self._buttons.edge(*self._edges.popleft())
        links, self._links = self._links, []
        return [*links, *self._buttons.poll(now)]

    def lamps(self, now: float) -> dict[Role, float]:
        """Return each lamp's brightness, 0 to 1."""
        return brightness(self._show, self._since(now), now)

    def tone(self, now: float) -> float | None:
        """Return the note of the buzzer in hertz; None for silence."""
        return tone(self._show, self._since(now))

    def _since(self, now: float) -> float | None:
        return None if self._moment_at is None else now - self._moment_at

    def _playing(self, now: float) -> bool:
        since = self._since(now)
        return self._show.moment is not None and since is not None and since < MOMENT_SECONDS
