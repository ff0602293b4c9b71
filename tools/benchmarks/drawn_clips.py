"""Drawn clips for the benchmark of the watcher: scripts of player actions and disturbances of the view, from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, pi, sin

import numpy as np

from tools.benchmarks.camera_disturbances import Dust, ExposureHunting, Insect, Shake
from tools.benchmarks.light_disturbances import MainsFlicker, PassingShadow, SunPatch
from vision.cameras.protocol import Frame
from vision.cameras.simulated_dice import Felt, SimulatedBody
from vision.cameras.simulated_effects import Arm, Disturbance, draw_arm
from vision.cameras.simulated_tray import RATE, Die, Sensor, SimulatedTray, drawable_kinds
from vision.dice_sets import DiceSet, Kind
from vision.drawing.rendering import Light

TrayAction = Callable[[SimulatedTray], object]

Step = tuple[float, TrayAction]
"""Seconds at rest before an action, and the action."""

Chance = np.random.Generator

MAX_DICE = 6
"""Maximum number of dice in a throw."""

LONG = 9.0
"""Seconds within which disturbances begin. Most clips are about as long."""

_BEAT = 1 / 120
_AT_ONCE = 0.25
_MORE = 0.7


class VisibleMotionTray(SimulatedTray):
    """A simulated tray in which every movement is visible. Objects outside the image disturb nothing."""

    def frame(self, timeout: float) -> Frame:
        """Return the next frame.

        A hand or die that starts to move is visible in it; a hand outside the image is removed.
        """
        stage, soon = self._scene, self.t + 1 / self._rate
        arm = stage.arm
        if arm is not None and arm.start == self.t:
            while not _in_sight(arm, soon):
                arm = replace(arm, start=arm.start - _BEAT)
            stage.arm = arm
        elif arm is not None and arm.deep(soon) and not _in_sight(arm, soon):
            stage.arm = None
        moving = [die for die in stage.dice if not die.at_rest]
        while moving and not any(_reaches_in(die, stage.felt) for die in moving):
            stage.advance(_BEAT)
        return super().frame(timeout)


def _in_sight(arm: Arm, t: float) -> bool:
    picture = np.zeros((480, 640, 3), np.uint8)
    draw_arm(picture, arm, t, Light())
    return bool(picture.any())


def _reaches_in(die: SimulatedBody, felt: Felt) -> bool:
    half = die.edge / 2
    return -half < die.x < felt.width + half and -half < die.y < felt.height + half


@dataclass(frozen=True, slots=True)
class DrawnClip:
    """A clip: tray, script, seconds to watch after the script, and names of its disturbances.

    `starts_with_dice`: the camera starts when the dice of the first step are already in the tray.
    """

    seed: int
    names: tuple[str, ...]
    tray: SimulatedTray
    steps: tuple[Step, ...]
    watch_after_s: float
    starts_with_dice: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    """The player of a clip: the random generator and the dice."""

    chance: Chance
    kinds: Sequence[tuple[Kind, tuple[str, ...]]]

    def die(self) -> Die:
        kind, bodies = self.kinds[int(self.chance.integers(len(self.kinds)))]
        return kind, int(self.chance.integers(1, 7)), bodies[int(self.chance.integers(len(bodies)))]

    def dice(self, most: int = MAX_DICE) -> list[Die]:
        return [self.die() for _ in range(int(self.chance.integers(1, most + 1)))]

    def seconds(self, least: float, most: float) -> float:
        return float(self.chance.uniform(least, most))


def _throw(table: _Table, spins: float = 0.0) -> TrayAction:
    dice = table.dice()
    return lambda tray: tray.throw(dice, spins=spins)


def _throws(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.3, 1.0), _throw(table)
    yield table.seconds(1.0, 1.6), lambda tray: tray.clear()
    yield table.seconds(0.3, 0.8), _throw(table)


def _hands(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.3, 1.0), _throw(table)
    for _ in range(2):
        yield table.seconds(0.0, 1.4), partial(SimulatedTray.hand, stays=table.seconds(0.0, 2.0))


def _takes(table: _Table) -> Iterator[Step]:
    dice = [table.die() for _ in range(int(table.chance.integers(2, 5)))]
    yield table.seconds(0.3, 1.0), lambda tray: tray.throw(dice)
    for left in range(len(dice), max(1, len(dice) - 2), -1):
        yield table.seconds(1.0, 1.4), partial(SimulatedTray.pick_up, index=left - 1, stays=table.seconds(0.0, 1.0))


def _puts(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.3, 1.0), partial(SimulatedTray.put, die=table.die(), stays=table.seconds(0.0, 1.0))
    for _ in range(2):
        yield table.seconds(1.0, 1.4), partial(SimulatedTray.put, die=table.die(), stays=table.seconds(0.0, 0.5))


def _spinners(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.3, 1.0), _throw(table, table.seconds(1.0, 3.0))


def _nudges(table: _Table) -> Iterator[Step]:
    def push(tray: SimulatedTray) -> None:
        index = int(table.chance.integers(len(tray.dice)))
        way, angle = table.seconds(14, 60), table.seconds(0, 2 * pi)
        face = int(table.chance.integers(1, 7)) if table.chance.random() < 0.3 else None
        if table.chance.random() < 0.25:
            way = 0.0
        tray.nudge(index, way * cos(angle), way * sin(angle), rotation=table.seconds(0.1, 0.8), face=face)

    yield table.seconds(0.3, 1.0), _throw(table)
    for _ in range(int(table.chance.integers(1, 4))):
        yield table.seconds(1.0, 1.6), push


def _one_by_one(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.3, 1.0), partial(SimulatedTray.throw, dice=[table.die()])
    for _ in range(int(table.chance.integers(2, 5))):
        waits = table.seconds(1.0, 1.3) if table.chance.random() < 0.5 else table.seconds(0.0, 0.2)
        yield waits, partial(SimulatedTray.throw, dice=[table.die()])


def _nobody(table: _Table) -> Iterator[Step]:
    if table.chance.random() < 0.5:
        yield table.seconds(1.0, 3.0), partial(SimulatedTray.hand, stays=table.seconds(0.0, 2.0))


def _switches(table: _Table) -> Iterator[Step]:
    yield table.seconds(0.5, 1.0), _throw(table)
    for number in range(int(table.chance.integers(2, 5))):
        angle, low = table.seconds(0, 2 * pi), table.seconds(0.45, 1.1)
        light = Light(
            (cos(angle) * cos(low), sin(angle) * cos(low), sin(low)),
            table.seconds(0.2, 0.6),
            table.seconds(0.15, 0.5),
            (table.seconds(0.8, 1.1), 1.0, table.seconds(0.9, 1.2)),
        )
        new = Light() if number % 2 else light
        yield table.seconds(0.2, 1.5), partial(SimulatedTray.relight, light=new)


SCRIPTS: Mapping[str, Callable[[_Table], Iterator[Step]]] = {
    "throws": _throws,
    "hands": _hands,
    "takes": _takes,
    "puts": _puts,
    "spinners": _spinners,
    "nudges": _nudges,
    "one by one": _one_by_one,
    "nobody": _nobody,
    "switched lamps": _switches,
}
"""Scripts of player actions."""


def _mains(chance: Chance) -> Disturbance:
    return MainsFlicker(
        float(chance.choice([50.0, 50.02, 60.0, 60.03])), chance.uniform(0.02, 0.15), chance.uniform(0, 6.28)
    )


def _shadow(chance: Chance) -> Disturbance:
    angle, speed, travels = chance.uniform(0, 2 * pi), chance.uniform(60, 300), chance.uniform(1.0, 3.0)
    heading = float(cos(angle)), float(sin(angle))
    size = float(chance.uniform(60, 200)), float(chance.uniform(150, 400))
    start = 320 - heading[0] * speed * travels, 240 - heading[1] * speed * travels
    return PassingShadow(
        float(chance.uniform(0, LONG / 2)),
        start,
        (heading[0] * speed, heading[1] * speed),
        size,
        float(angle),
        float(chance.uniform(0.15, 0.5)),
        float(chance.uniform(10, 40)),
        float(travels),
        float(chance.uniform(0, 2)),
    )


def _sun(chance: Chance) -> Disturbance:
    start_s = float(chance.uniform(0, LONG / 2))
    return SunPatch(
        start_s,
        start_s + float(chance.uniform(1, 6)),
        float(chance.uniform(0.05, 1.5)),
        (float(chance.uniform(100, 540)), float(chance.uniform(80, 400))),
        (float(chance.uniform(80, 300)), float(chance.uniform(80, 300))),
        float(chance.uniform(0, pi)),
        float(chance.uniform(0.2, 0.8)),
    )


def _pumping(chance: Chance) -> Disturbance:
    start_times = [float(start) for start in np.sort(chance.uniform(0, LONG, int(chance.integers(2, 5))))]
    return ExposureHunting(
        start_times, float(chance.uniform(0.6, 2.0)), chance.uniform(0.05, 0.3), chance.uniform(0.0, 3.0)
    )


def _shake(chance: Chance) -> Disturbance:
    knocks = [float(knock) for knock in np.sort(chance.uniform(0, LONG, int(chance.integers(1, 4))))]
    way, stays = float(chance.uniform(2, 8)), float(chance.choice([0.0, 1.0, 2.0, 3.0]))
    return Shake(knocks, way, float(chance.uniform(0, 2 * pi)), stays, float(chance.uniform(0, 0.6)))


def _insect(chance: Chance) -> Disturbance:
    inside = [(float(x), float(y)) for x, y in chance.uniform((60, 60), (580, 420), (int(chance.integers(2, 5)), 2))]
    path = [(-15.0, float(chance.uniform(0, 480))), *inside, (float(chance.uniform(0, 640)), 500.0)]
    rests = float(chance.choice([0.0, 0.3, 1.2]))
    return Insect(float(chance.uniform(0, 4)), path, float(chance.uniform(120, 400)), rests, chance.uniform(4, 9))


def _dust(chance: Chance) -> Disturbance:
    count = int(chance.integers(4, 20))
    specks = zip(*(chance.uniform(*ends, count) for ends in ((0, 640), (0, 480), (1, 4), (10, 60))), strict=True)
    return Dust([(float(x), float(y), float(r), float(g)) for x, y, r, g in specks], tuple(chance.uniform(-25, 25, 2)))


DISTURBANCES: Mapping[str, Callable[[Chance], Disturbance]] = {
    "insects": _insect,
    "dust": _dust,
    "mains flicker": _mains,
    "shadows": _shadow,
    "sun": _sun,
    "pumping": _pumping,
    "shaking": _shake,
}
"""Disturbances of the view, in the order in which they are applied to the image."""


def make_clip(seed: int, dice_set: DiceSet, names: Sequence[str] | None = None, *, rate: float = RATE) -> DrawnClip:
    """Return the clip of a seed with its usual disturbances, or with `names` (of SCRIPTS and VIEWS).

    The seeds cycle: each script and each view is the main element of every sixteenth clip, others are added at random.

    Raises KeyError for an unknown name.
    """
    chance = np.random.default_rng((seed, 33))
    if names is None:
        names = _usual(seed, chance)
    script = next((name for name in names if name in SCRIPTS), "throws")
    views = [DISTURBANCES[name] for name in DISTURBANCES if name in names]
    unknown = set(names) - set(SCRIPTS) - set(DISTURBANCES)
    if unknown:
        raise KeyError(f"no such disturbance: {', '.join(sorted(unknown))}")
    tray = VisibleMotionTray(
        seed,
        edge=float(chance.uniform(32, 54)),
        sensor=Sensor(float(chance.uniform(0.5, 4.0)), rate),
        disturbances=[view(chance) for view in views],
    )
    steps = tuple(_slower(step, views) for step in SCRIPTS[script](_Table(chance, drawable_kinds(dice_set))))
    after = float(chance.uniform(4.0, 7.0) if script == "nobody" else chance.uniform(1.5, 2.5))
    after += _MORE if views else 0.0
    return DrawnClip(
        seed, tuple(names), tray, steps, after, script not in ("throws", "nobody") and chance.random() < 0.1
    )


def _slower(step: Step, views: Sequence[object]) -> Step:
    """Return the step with a longer wait if the view is poor, unless the player throws without waiting."""
    return (step[0] + _MORE if views and step[0] > _AT_ONCE else step[0], step[1])


def _usual(seed: int, chance: Chance) -> tuple[str, ...]:
    scripts, views = list(SCRIPTS), list(DISTURBANCES)
    index = seed % (len(scripts) + len(views))
    if index < len(scripts):
        return (scripts[index], *([str(chance.choice(views))] if chance.random() < 0.3 else []))
    also = str(chance.choice(scripts)) if chance.random() < 0.5 else "throws"
    return (also, views[index - len(scripts)], *([str(chance.choice(views))] if chance.random() < 0.2 else []))
