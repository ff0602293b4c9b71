"""What the panel's lamps and its buzzer do, moment by moment, for what is to be shown. Pure: seconds come in.

The tray's ring has its own picture of the same scenes, in the firmware.
"""

from __future__ import annotations

from math import cos, pi

from hardware.ports import MOMENT_SECONDS, Lamp, Lamps, Moment, Role, Scene, Show

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
