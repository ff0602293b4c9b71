"""The simulated tray: a camera over drawn dice that are thrown, tumble, come to rest, are nudged and taken away.

A full source like the others, for demos, tests and tables without a camera. Its time is virtual: every frame is 1/30 s
after the one before, however fast frames are asked for. The same seed and the same commands give the same frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, hypot, pi, sin
from typing import Any, Protocol

import cv2
import numpy as np

from vision.cameras.protocol import LEAST_LIGHT, Camera, CameraLost, EndOfSource, Frame, SourceError
from vision.cameras.simulated_dice import RADIUS, Body, Felt, Sprites, advance, as_drawn, throw_in
from vision.cameras.simulated_effects import (
    Arm,
    Disturbance,
    Lamp,
    Lens,
    Mount,
    Points,
    Thing,
    arm_over,
    grain,
    lit,
    seen_at,
)
from vision.dice_sets import DiceSet, Kind
from vision.drawing.card import HEIGHT, WIDTH, drawn_card
from vision.drawing.design import die_model
from vision.drawing.rendering import Light
from vision.drawing.tray import FOCAL, SIZE, draw_tray, make_ground
from vision.pictures import Picture
from vision.white_balance import encode


class TrayObject(Protocol):
    """Something on the tray's floor that is no die."""

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw it with its shadow, in place, in that light."""
        ...


class Stage:
    """The tray itself, without a camera's time and programme."""

    def __init__(
        self,
        chance: np.random.Generator,
        looks: np.random.Generator,
        sensor: np.random.Generator,
        noise: float,
        disturbances: Sequence[Disturbance] = (),
    ) -> None:
        """`chance` moves dice and hands, `looks` makes the ground, `sensor` the grain, of `noise` grey levels."""
        self.felt = Felt()
        self.dice: list[Body] = []
        self.arm: Arm | None = None
        self._grasp: Callable[[], None] | None = None
        self._disturbances = tuple(disturbances)
        self._chance = chance
        self._sensor = sensor
        self._room = self.light = Light()
        self._shown = 1.0
        self._ground = make_ground(looks)
        self._grain = grain(sensor, noise)
        self._lamp = Lamp()
        self._sprites = Sprites(self.light)
        self._rolled: list[float] = []
        self._things: list[TrayObject] = []
        self._still: tuple[frozenset[int], Picture] | None = None

    @property
    def resting(self) -> bool:
        """Whether every die has come to rest."""
        return all(die.resting for die in self.dice)

    def throw(self, die: Body) -> None:
        """Throw one more die in."""
        throw_in(die, self.felt, self._chance)
        self.lay(die)

    def lay(self, die: Body) -> None:
        """One more die lies there."""
        self.dice.append(die)
        self._rolled.append(0.0)

    def spin(self, die: Body, seconds: float) -> None:
        """Let a die stand turning on a corner for so long, anywhere in the middle."""
        die.x, die.y = self._chance.uniform((200, 150), (440, 330))
        die.vx = die.vy = 0.0
        die.spins, die.turn, die.inside = seconds, 19.0, True

    def lean_on_rim(self, die: Body) -> None:
        """Put a die against the rim, thrown straight at it, so that it ends leaning there."""
        left, top, _, bottom = self.felt.room(die)
        die.x, die.y = left, float(self._chance.uniform(top, bottom))
        die.vx, die.vy, die.turn, die.inside = 0.0, 120.0, 0.0, True
        die.yaw, die.lean, die.lean_towards = 0.0, 0.5, pi

    def reach_in(
        self, t: float, grasp: Callable[[], None] | None = None, *, stays: float = 0.0, to: Body | None = None
    ) -> None:
        """A hand comes in at second `t`, over the die `to` if there is one, and does `grasp` where it is deepest."""
        self.arm = Arm.reaching(t, self._chance, stays)
        if to is not None:
            self.arm = replace(self.arm, x=to.x, deepest=to.y)
        self._grasp = grasp

    def free_place(self, edge: float) -> tuple[float, float]:
        """Somewhere in the tray where a die lies on none of the others; the last place tried if it is too full."""
        x = y = 0.0
        for _ in range(200):
            x, y = (float(place) for place in self._chance.uniform((80, 100), (560, 400)))
            if all(hypot(die.x - x, die.y - y) > RADIUS * (die.edge + edge) for die in self.dice):
                break
        return x, y

    def take(self, die: Body) -> None:
        """One die lies there no more."""
        index = next(number for number, other in enumerate(self.dice) if other is die)
        del self.dice[index], self._rolled[index]
        self._still = None

    def relight(self, light: Light | None = None, *, dimmed: float | None = None) -> None:
        """From now on another lamp shines, or the camera lets in this share of the light: what was burnt out shows."""
        self._room = light or self._room
        self._shown = self._shown if dimmed is None else float(encode(dimmed))
        blue, green, red = (part * self._shown for part in self._room.tint)
        self.light = replace(self._room, tint=(blue, green, red))
        self._sprites, self._still = Sprites(self.light), None

    def add_thing(self, thing: TrayObject) -> None:
        """Lay down something that is no die."""
        self._things.append(thing)
        self._still = None

    def take_all(self) -> None:
        """Nothing lies there any more."""
        self.dice, self._rolled, self._things, self._still = [], [], [], None

    def advance(self, seconds: float) -> None:
        """Move the dice on."""
        advance(self.dice, self.felt, seconds)
        self._rolled = [way + die.speed * seconds for way, die in zip(self._rolled, self.dice, strict=True)]

    def move_arm(self, t: float) -> bool:
        """Move the hand on to second `t`; whether it has just done what it came for."""
        if self.arm is None:
            return False
        if self._grasp is not None and self.arm.deep(t):
            self._grasp()
            self._grasp = None
            return True
        if self.arm.gone(t):
            self.arm = None
        return False

    def picture(self, t: float, *, covered: bool) -> Picture:
        """The camera's picture at second `t`, dark if the lens is covered."""
        if covered:
            picture = np.full((int(self.felt.height), int(self.felt.width), 3), 3, np.uint8)
        else:
            lying, picture = self._lying_picture()
            for die, rolled in zip(self.dice, self._rolled, strict=True):
                if id(die) not in lying:
                    self._sprites.lay(picture, die, rolled)
            if self.arm is not None:
                arm_over(picture, self.arm, t, self.light)
            picture = self._lamp.shine(picture, t)
            for disturbance in self._disturbances:
                picture = disturbance.over(picture, t)
        x, y = (int(place) for place in self._sensor.integers(0, 64, 2))
        height, width = picture.shape[:2]
        return np.asarray(cv2.add(picture, self._grain[y : y + height, x : x + width], dtype=cv2.CV_8U), np.uint8)

    def _lying_picture(self) -> tuple[frozenset[int], Picture]:
        """A copy of the tray with its things and those dice that lie there for good, and which dice these are.

        It is drawn anew when one of them moves, and once when all dice have come to rest; until then dice that rest
        already are laid over it like the moving ones, which is far cheaper.
        """
        resting = frozenset(id(die) for die in self.dice if die.resting)
        all_rest = len(resting) == len(self.dice)
        if self._still is None or not self._still[0] <= resting or (all_rest and self._still[0] != resting):
            kept = resting if all_rest or self._still is None else self._still[0] & resting
            dice = [as_drawn(die) for die in self.dice if id(die) in kept]
            picture = draw_tray(dice, self._sensor, ground=self._ground, light=self.light, noise=0.0)
            for thing in self._things:
                thing.lie_on(picture, self.light)
            self._still = (kept, picture)
        return self._still[0], self._still[1].copy()


RATE = 30.0
"""Usual frames a second of the tray's virtual time."""

EDGE = 44.0
"""Edge of a die in pixels of the 640 x 480 picture."""

Die = tuple[str | Kind, int, str]
"""Kind (or the name of a kind of the product's own sets), face on top counted from 1, body colour: a die to throw."""

_TAKES_UP = 3
"""Frames after which the camera has taken up another exposure, as libcamera's do."""

Action = Callable[["SimulatedTray"], object]
"""One thing that somebody does at the tray."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die as it truly is: its middle and edge in pixels, whether it leans on the rim, whether it still turns."""

    kind: str
    face: int
    body: str
    x: float
    y: float
    cocked: bool = False
    turning: bool = False
    edge: float = EDGE


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, and when: `dice` are all that lie in the tray once it is over, in the order they were thrown."""

    what: str
    t: float
    dice: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Sensor:
    """The simulated camera's: its `noise` in grey levels, its `rate` in frames a second."""

    noise: float = 2.0
    rate: float = RATE


class SimulatedTray(Camera):
    """The simulated tray. Commands take effect on the frames asked for after them.

    `programme` gives what somebody does, one deed each time that everything has lain still for `pause` seconds; the
    source ends when it is over. Without one the tray waits for commands and never ends.
    """

    def __init__(
        self,
        seed: int,
        *,
        programme: Iterable[Action] | None = None,
        pause: float = 1.0,
        edge: float = EDGE,
        sensor: Sensor | None = None,
        disturbances: Sequence[Disturbance] = (),
    ) -> None:
        """`edge` of the dice in pixels; `disturbances` come over every picture, one after the other."""
        self._seed = seed
        sensor = sensor or Sensor()
        self._rate = sensor.rate
        self._edge = edge
        self.history: list[Deed] = []
        chance, looks, grain = (np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(3))
        self._stage = Stage(chance, looks, grain, sensor.noise, disturbances)
        self._pending: str | None = None
        self._grasping = "clear"
        self._count = -1
        self._covered_until = self._lost_until = -1.0
        self._dimmed, self._dims_at = 1.0, -1
        self._programme = None if programme is None else _Programme(iter(programme), pause)

    def open(self) -> None:
        """Ready at once; an opened tray goes on where it was."""

    def frame(self, timeout: float) -> Frame:
        """The next frame, 1/30 s on. Raises CameraLost while the camera is away, EndOfSource after the programme."""
        if self._programme is not None:
            self._programme.follow(self)
        self._count += 1
        self._stage.advance(1 / self._rate)
        if self._pending is not None and self._stage.resting:
            self.history.append(Deed(self._pending, self.t, self.lying))
            self._pending = None
        if self._stage.move_arm(self.t):
            self.history.append(Deed(self._grasping, self.t, self.lying))
        if self.t < self._lost_until:
            raise CameraLost("vision.drawn.lost")
        if self._count == self._dims_at:
            self._stage.relight(dimmed=self._dimmed)
        picture = self._stage.picture(self.t, covered=self.t < self._covered_until)
        return Frame(picture, self.t, self._count, None, self._dimmed, self._count < self._dims_at)

    def limit_light(self, share: float) -> bool:
        if share < LEAST_LIGHT:
            return False
        if share == self._dimmed:
            return True
        self._dimmed, self._dims_at = share, self._count + _TAKES_UP
        return True

    def close(self) -> None:
        """Nothing to let go of."""

    def describe(self) -> str:
        return f"simulated tray drawn:{self._seed}"

    @property
    def t(self) -> float:
        """Seconds of the tray's own time, that of the latest frame."""
        return max(0, self._count) / self._rate

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves: no die and no arm, and the camera sees it."""
        hidden = self.t < max(self._lost_until, self._covered_until)
        return self._stage.arm is None and not hidden and self._stage.resting

    @property
    def lying(self) -> tuple[Lying, ...]:
        """The truth about the dice in the tray."""
        return tuple(
            Lying(_name(die.kind), die.face, die.body, die.x, die.y, die.lean != 0.0, not die.resting, die.edge)
            for die in self._stage.dice
        )

    def throw(self, dice: Sequence[Die], *, cocked: bool = False, spins: float = 0.0) -> None:
        """Throw dice in beside those that lie there. `cocked`: the first will lean on the rim; `spins`: the first will
        stand turning on a corner for so many seconds. Raises ValueError for a face that is not 1 to 6."""
        for kind, face, body in dice:
            if not 1 <= face <= 6:
                raise ValueError(f"a die has no face {face}")
            self._stage.throw(Body(kind, face, body, self._edge, 0.0, 0.0))
        first = self._stage.dice[-len(dice)]
        if spins:
            self._stage.spin(first, spins)
        if cocked:
            self._stage.lean_on_rim(first)
        self._pending = "throw"

    def nudge(self, index: int, dx: float, dy: float, *, turn: float = 0.4, face: int | None = None) -> None:
        """Push one die by about (dx, dy) pixels, turning it and, if a face is given, onto that face."""
        die = self._stage.dice[index]
        way = float(np.hypot(dx, dy))
        speed = float(np.sqrt(2 * 1100.0 * way))
        die.vx, die.vy = (speed * dx / way, speed * dy / way) if way else (0.0, 0.0)
        die.turn = 3.0 if turn >= 0 else -3.0
        die.yaw += turn
        die.face, die.lean = face or die.face, 0.0
        self._pending = "nudge"

    def clear(self, *, by_hand: bool = True) -> None:
        """Take everything out, with a hand or from one frame to the next."""
        if by_hand:
            self._grasping = "clear"
            self._stage.reach_in(self.t, self._stage.take_all)
        else:
            self._stage.take_all()
            self.history.append(Deed("clear", self.t, ()))

    def take(self, index: int, *, stays: float = 0.0) -> None:
        """A hand takes one die out, holding still over it for `stays` seconds."""
        die = self._stage.dice[index]
        self._grasping = "take"
        self._stage.reach_in(self.t, lambda: self._stage.take(die), stays=stays, to=die)

    def put(self, die: Die, *, stays: float = 0.0) -> None:
        """A hand lays one die down where there is room."""
        x, y = self._stage.free_place(self._edge)
        kind, face, body = die
        laid = Body(kind, face, body, self._edge, x, y)
        self._grasping = "put"
        self._stage.reach_in(self.t, lambda: self._stage.lay(laid), stays=stays, to=laid)

    def relight(self, light: Light) -> None:
        """The room's light changes from one frame to the next; the camera lets in its usual share of it again."""
        self._stage.relight(light)
        self.limit_light(1.0)

    def hand(self, *, stays: float = 0.0) -> None:
        """A hand passes over the tray, holding still for `stays` seconds, and touches nothing."""
        self._stage.reach_in(self.t, stays=stays)

    def cover(self, seconds: float) -> None:
        """Something lies on the lens: dark frames for so long."""
        self._covered_until = self.t + seconds

    def lose(self, seconds: float) -> None:
        """The camera gives no frames for so long."""
        self._lost_until = self.t + seconds

    def add_thing(self, x: float, y: float, radius: float = 14.0) -> None:
        """Lay down something that is no die: a small round token."""
        self._stage.add_thing(Thing(x, y, radius))


class _Programme:
    """What somebody does at a tray, a deed each time that all has lain still for `pause` seconds."""

    def __init__(self, actions: Iterator[Action], pause: float) -> None:
        self._actions = actions
        self._pause = pause
        self._quiet_since = 0.0

    def follow(self, tray: SimulatedTray) -> None:
        """Do what is next, if it is time for it. Raises EndOfSource when all is done."""
        if not tray.at_rest:
            self._quiet_since = tray.t
        if tray.t - self._quiet_since < self._pause:
            return
        action = next(self._actions, None)
        if action is None:
            raise EndOfSource
        self._quiet_since = tray.t
        action(tray)


def _name(kind: str | Kind) -> str:
    return kind if isinstance(kind, str) else kind.name


BODIES = ("white", "ivory", "red", "blue", "green", "black")
"""Body colours of dice whose set leaves them open."""

MOST = 5
"""Dice of one throw, if no number is asked for."""


def drawable(dice_set: DiceSet) -> list[tuple[Kind, tuple[str, ...]]]:
    """The kinds of a set with their bodies. Raises SourceError if the tray has no drawing of one of them."""
    kinds = []
    for kind in dice_set.kinds:
        bodies = kind.bodies or BODIES
        try:
            die_model(kind, bodies[0])
        except ValueError as error:
            raise SourceError("vision.drawn.no_art", name=dice_set.name, reason=error) from error
        kinds.append((kind, bodies))
    return kinds


def random_throws(seed: int, dice_set: DiceSet, count: int | None = None) -> Iterator[Action]:
    """Throws of `count` dice of the set (1 to MOST if None) with a clearing hand after each, for ever.

    The same seed gives the same throws. Raises SourceError, before the first throw, if the set cannot be drawn or
    nothing would be thrown.
    """
    if count == 0:
        raise SourceError("vision.drawn.no_dice")
    return _throws(np.random.default_rng((seed, 1)), drawable(dice_set), count)


def _throws(
    chance: np.random.Generator, kinds: Sequence[tuple[Kind, tuple[str, ...]]], count: int | None
) -> Iterator[Action]:
    while True:
        number = count or int(chance.integers(1, MOST + 1))
        dice: list[Die] = []
        for _ in range(number):
            kind, bodies = kinds[int(chance.integers(len(kinds)))]
            dice.append((kind, int(chance.integers(1, 7)), bodies[int(chance.integers(len(bodies)))]))
        yield partial(SimulatedTray.throw, dice=dice)
        yield SimulatedTray.clear


# The simulated tray with a camera that has to be set up: it hangs askew, has a lens, sees lamps and the card.


MILLIMETRE = EDGE / 16
"""Pixels of a millimetre: drawn dice are 16 mm wide."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A lamp that lights one place more than the others: `strength` 0 is none; glare burns out above about 1.5.

    `middle` as shares of the picture, `wide` as a share of its width; `level` is the light everywhere else.
    """

    middle: tuple[float, float] = (0.5, 0.5)
    wide: float = 0.3
    strength: float = 0.0
    level: float = 1.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture in this light."""
        if self == Spot():
            return picture
        y, x = np.mgrid[0:60, 0:80].astype(np.float32)
        far = ((x / 80 - self.middle[0]) ** 2 + 0.56 * (y / 60 - self.middle[1]) ** 2) / max(1e-4, self.wide**2)
        return lit(picture, np.asarray(self.level + self.strength * np.exp(-far), np.float32))


@dataclass(frozen=True, slots=True)
class LyingCard:
    """The calibration card on the tray's floor: its middle in pixels, turned by radians."""

    x: float
    y: float
    turned: float

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw it with its shadow, in place, in that light."""
        height, width = picture.shape[:2]
        card = drawn_card(MILLIMETRE) * np.asarray(light.tint, np.float32)
        strength = light.ambient + 0.8 * light.diffuse
        place = self._matrix(card.shape[1] / WIDTH)
        seen = cv2.warpAffine(np.clip(card * strength * 255, 0, 255), place, (width, height), flags=cv2.INTER_LINEAR)
        cover = cv2.warpAffine(np.ones(card.shape[:2], np.float32), place, (width, height), flags=cv2.INTER_LINEAR)
        shade = cv2.GaussianBlur(np.roll(cover, (2, 2), (0, 1)), (0, 0), 2)
        under = picture * (1 - 0.35 * shade[..., None])
        picture[:] = np.clip(under * (1 - cover[..., None]) + seen * cover[..., None], 0, 255).astype(np.uint8)

    def corners(self) -> Points:
        """Where its corners are in the tray's picture, as they are printed: upper left first."""
        paper = np.array([[0, 0, 1], [WIDTH, 0, 1], [WIDTH, HEIGHT, 1], [0, HEIGHT, 1.0]])
        return np.asarray(paper @ self._matrix(1.0).T, np.float64)

    def _matrix(self, scale: float) -> Any:
        unit = MILLIMETRE / scale
        c, s = cos(self.turned) * unit, sin(self.turned) * unit
        across, down = WIDTH * scale / 2, HEIGHT * scale / 2
        return np.array([[c, -s, self.x - c * across + s * down], [s, c, self.y - s * across - c * down]])


class RiggedTray(SimulatedTray):
    """A drawn tray whose camera can be moved, focused and lit badly. The disturbances handed in come after these."""

    def __init__(self, seed: int, *, mount: Mount | None = None, lens: Lens | None = None, **options: Any) -> None:
        self.mount = mount or Mount()
        self.lens = lens or Lens()
        self.spot = Spot()
        more: Sequence[Disturbance] = options.pop("disturbances", ())
        rig = (_Now(lambda: self.spot), _Now(lambda: self.mount), _Now(lambda: self.lens))
        super().__init__(seed, disturbances=(*rig, *more), **options)

    @property
    def identity(self) -> str:
        """Which camera it is: all simulated trays hang alike."""
        return "simulated tray"

    @property
    def focal(self) -> float:
        """Focal length in widths of the picture."""
        return FOCAL / SIZE[1] * self.mount.zoom

    @property
    def reach(self) -> tuple[float, float] | None:
        """Least and greatest dioptres of its lens."""
        return (0.0, self.lens.nearest)

    def focus(self, dioptres: float) -> None:
        """Turn the lens."""
        self.lens = replace(self.lens, at=dioptres)

    def hang(self, **how: Any) -> None:
        """Move the camera: what is given of `Mount`; the rest stays."""
        self.mount = replace(self.mount, **how)

    def shine(self, **how: Any) -> None:
        """Turn a lamp: what is given of `Spot`; the rest stays."""
        self.spot = replace(self.spot, **how)

    def lay_card(self, x: float = 320.0, y: float = 240.0, turned: float = 0.1) -> LyingCard:
        """Lay the calibration card down; whoever clears the tray takes it out again."""
        card = LyingCard(x, y, turned)
        self._stage.add_thing(card)
        return card

    def where(self, points: Points) -> Points:
        """Where places of the tray are in the camera's picture."""
        return seen_at(self.mount.matrix(), points)


@dataclass(frozen=True, slots=True)
class _Now:
    """A disturbance that may be another one for each frame."""

    present: Callable[[], Disturbance]

    def over(self, picture: Picture, t: float) -> Picture:
        return self.present().over(picture, t)
