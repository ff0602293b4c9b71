"""The simulated tray: a camera above drawn dice that are thrown, tumble, settle, are nudged and taken away.

A complete source for demos, tests and tables without a camera. It has virtual time: each frame is 1/30 s after the one
before, at any call rate. The same seed and the same commands give the same frames.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from vision.cameras.protocol import MIN_LIGHT_SHARE, Camera, CameraLost, EndOfSource, Frame, SourceError
from vision.cameras.simulated_dice import RADIUS, Felt, SimulatedBody, Sprites, advance, throw_in, to_drawn_die
from vision.cameras.simulated_effects import (
    Arm,
    Disturbance,
    Lens,
    Mount,
    Points,
    SimulatedLamp,
    SimulatedToken,
    draw_arm,
    grain,
    lit,
    project_points,
    with_fault,
)
from vision.dice_sets import DiceSet, Kind
from vision.drawing.card import HEIGHT, WIDTH, drawn_card
from vision.drawing.design import die_model
from vision.drawing.rendering import Light
from vision.drawing.tray import FOCAL, SIZE, draw_tray, make_ground
from vision.pictures import Picture
from vision.roll import CameraTrouble
from vision.white_balance import linear_to_srgb


class TrayObject(Protocol):
    """An object on the tray floor that is not a die."""

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw it with its shadow into `picture`, in place, in that light."""
        ...


class _StillPicture(NamedTuple):
    """The tray image without what moves: as rendered, and with the sprites of dice that came to rest since.

    `rendered` and `drawn` are the ids of the dice in `base` and in `picture`.
    """

    rendered: frozenset[int]
    base: Picture
    drawn: frozenset[int]
    picture: Picture


class TrayScene:
    """The tray itself, without camera time and programme."""

    def __init__(
        self,
        chance: np.random.Generator,
        ground_rng: np.random.Generator,
        sensor: np.random.Generator,
        noise: float,
        disturbances: Sequence[Disturbance] = (),
    ) -> None:
        """Create a tray. The generators: `chance` for dice and hands, `ground_rng` for the ground, `sensor` for the
        grain.

        `noise` is the grain in grey levels.
        """
        self.felt = Felt()
        self.dice: list[SimulatedBody] = []
        self.arm: Arm | None = None
        self._grasp: Callable[[], None] | None = None
        self._disturbances = tuple(disturbances)
        self._chance = chance
        self._sensor = sensor
        self._room_light = self.light = Light()
        self._light_scale = 1.0
        self._ground = make_ground(ground_rng)
        self._grain = grain(sensor, noise)
        self._lamp = SimulatedLamp()
        self._sprites = Sprites(self.light)
        self._rolled: list[float] = []
        self._things: list[TrayObject] = []
        self._still: _StillPicture | None = None

    @property
    def at_rest(self) -> bool:
        """True if every die has come to rest."""
        return all(die.at_rest for die in self.dice)

    def throw(self, die: SimulatedBody) -> None:
        """Throw in one more die."""
        throw_in(die, self.felt, self._chance)
        self.add(die)

    def add(self, die: SimulatedBody) -> None:
        """Add a die that lies in the tray."""
        self.dice.append(die)
        self._rolled.append(0.0)

    def spin(self, die: SimulatedBody, seconds: float) -> None:
        """Make a die spin on a corner for this many seconds, at a random place near the middle."""
        die.x, die.y = self._chance.uniform((200, 150), (440, 330))
        die.vx = die.vy = 0.0
        die.spin_seconds, die.yaw_rate, die.inside = seconds, 19.0, True

    def lean_on_rim(self, die: SimulatedBody) -> None:
        """Throw a die straight at the rim so that it ends leaning there."""
        left, top, _, bottom = self.felt.bounds(die)
        die.x, die.y = left, float(self._chance.uniform(top, bottom))
        die.vx, die.vy, die.yaw_rate, die.inside = 0.0, 120.0, 0.0, True
        die.yaw, die.lean, die.lean_towards = 0.0, 0.5, pi

    def reach_in(
        self, t: float, grasp: Callable[[], None] | None = None, *, stays: float = 0.0, to: SimulatedBody | None = None
    ) -> None:
        """Start a hand at second `t`, towards the die `to` if given.

        It calls `grasp` at its deepest point and stays there for `stays` seconds.
        """
        self.arm = Arm.reaching(t, self._chance, stays)
        if to is not None:
            self.arm = replace(self.arm, x=to.x, deepest=to.y)
        self._grasp = grasp

    def free_place(self, edge: float) -> tuple[float, float]:
        """Return a place in the tray where a new die touches no other; the last place tried if the tray is too full."""
        x = y = 0.0
        for _ in range(200):
            x, y = (float(place) for place in self._chance.uniform((80, 100), (560, 400)))
            if all(hypot(die.x - x, die.y - y) > RADIUS * (die.edge + edge) for die in self.dice):
                break
        return x, y

    def remove(self, die: SimulatedBody) -> None:
        """Remove one die."""
        index = next(number for number, other in enumerate(self.dice) if other is die)
        del self.dice[index], self._rolled[index]
        self._still = None

    def relight(self, light: Light | None = None, *, dimmed: float | None = None) -> None:
        """Change the lamp, or the share of the light that the camera lets in. Less light reveals overexposed areas."""
        self._room_light = light or self._room_light
        self._light_scale = self._light_scale if dimmed is None else float(linear_to_srgb(dimmed))
        blue, green, red = (part * self._light_scale for part in self._room_light.tint)
        self.light = replace(self._room_light, tint=(blue, green, red))
        self._sprites, self._still = Sprites(self.light), None

    def add_thing(self, thing: TrayObject) -> None:
        """Add an object that is not a die."""
        self._things.append(thing)
        self._still = None

    def remove_all(self) -> None:
        """Remove everything."""
        self.dice, self._rolled, self._things, self._still = [], [], [], None

    def advance(self, seconds: float) -> None:
        """Move the dice by this time step."""
        advance(self.dice, self.felt, seconds)
        self._rolled = [way + die.speed * seconds for way, die in zip(self._rolled, self.dice, strict=True)]

    def move_arm(self, t: float) -> bool:
        """Move the hand to second `t`. Return True if it has just performed its action."""
        if self.arm is None:
            return False
        if self._grasp is not None and self.arm.deep(t):
            self._grasp()
            self._grasp = None
            return True
        if self.arm.gone(t):
            self.arm = None
        return False

    def picture(self, t: float, fault: CameraTrouble | None = None) -> Picture:
        """Return the camera image at second `t`, with a fault of the camera if given."""
        if fault is CameraTrouble.BLACK:
            picture = np.full((int(self.felt.height), int(self.felt.width), 3), 3, np.uint8)
        else:
            picture = self._resting_picture()
            for die, rolled in zip(self.dice, self._rolled, strict=True):
                if not die.at_rest:
                    self._sprites.draw(picture, die, rolled)
            if self.arm is not None:
                draw_arm(picture, self.arm, t, self.light)
            picture = self._lamp.shine(picture, t)
            for disturbance in self._disturbances:
                picture = disturbance.over(picture, t)
            if fault is not None:
                picture = with_fault(picture, fault, self._sensor)
        x, y = (int(place) for place in self._sensor.integers(0, 64, 2))
        height, width = picture.shape[:2]
        return np.asarray(cv2.add(picture, self._grain[y : y + height, x : x + width], dtype=cv2.CV_8U), np.uint8)

    def _resting_picture(self) -> Picture:
        """Return a copy of the tray image with its objects and resting dice.

        The image is rendered anew when one of its rendered dice moves, and once when all dice have come to rest. Until
        then, the sprites of newly resting dice are drawn over it, which is far cheaper.
        """
        resting = frozenset(id(die) for die in self.dice if die.at_rest)
        all_rest = len(resting) == len(self.dice)
        still = self._still
        if still is None or not still.rendered <= resting or (all_rest and still.rendered != resting):
            still = self._render(resting if all_rest or still is None else still.rendered & resting)
        if still.drawn != resting:
            drawn, picture = (still.drawn, still.picture) if still.drawn <= resting else still[:2]
            picture = picture.copy()
            for die, rolled in zip(self.dice, self._rolled, strict=True):
                if id(die) in resting - drawn:
                    self._sprites.draw(picture, die, rolled)
            still = still._replace(drawn=resting, picture=picture)
        self._still = still
        return still.picture.copy()

    def _render(self, resting: frozenset[int]) -> _StillPicture:
        """Render the tray with its objects and the dice with these ids."""
        dice = [to_drawn_die(die) for die in self.dice if id(die) in resting]
        picture = draw_tray(dice, self._sensor, ground=self._ground, light=self.light, noise=0.0)
        for thing in self._things:
            thing.lie_on(picture, self.light)
        return _StillPicture(resting, picture, resting, picture)


RATE = 30.0
"""Default frames per second of the tray's virtual time."""

EDGE = 44.0
"""Edge of a die in pixels of the 640 x 480 image."""

Die = tuple[str | Kind, int, str]
"""A die to throw: kind (or its name in a built-in set), top face counted from 1, body colour."""

_TAKES_UP = 3
"""Frames until the camera applies a new exposure, as with libcamera."""

TrayAction = Callable[["SimulatedTray"], object]
"""An action at the tray."""


@dataclass(frozen=True, slots=True)
class SimulatedDie:
    """The true state of a die: centre and edge in pixels, whether it leans on the rim, whether it still turns."""

    kind: str
    face: int
    body: str
    x: float
    y: float
    cocked: bool = False
    turning: bool = False
    edge: float = EDGE


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """An action and its time. `dice` are all dice in the tray afterwards, in the order they were thrown."""

    action: str
    t: float
    dice: tuple[SimulatedDie, ...]


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sensor of the simulated camera: `noise` in grey levels, `rate` in frames per second."""

    noise: float = 2.0
    rate: float = RATE


class SimulatedTray(Camera):
    """The simulated tray. Commands take effect on later frames.

    `programme` gives actions. One runs each time everything has been still for `pause` seconds, and the source ends
    after the last one. Without a programme the tray waits for commands and never ends.
    """

    def __init__(
        self,
        seed: int,
        *,
        programme: Iterable[TrayAction] | None = None,
        pause: float = 1.0,
        edge: float = EDGE,
        sensor: Sensor | None = None,
        disturbances: Sequence[Disturbance] = (),
    ) -> None:
        """Create a tray. `edge` is the die size in pixels; `disturbances` are applied to every image in order."""
        self._seed = seed
        sensor = sensor or Sensor()
        self._rate = sensor.rate
        self._edge = edge
        self.history: list[ActionRecord] = []
        chance, ground_rng, grain = (np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(3))
        self._scene = TrayScene(chance, ground_rng, grain, sensor.noise, disturbances)
        self._pending: str | None = None
        self._arm_action = "clear"
        self._count = -1
        self._lost_until = self._fault_until = -1.0
        self._fault = CameraTrouble.BLACK
        self._last_picture: Picture | None = None
        self._dimmed, self._dims_at = 1.0, -1
        self._programme = None if programme is None else _ScriptedActions(iter(programme), pause)

    def open(self) -> None:
        """Do nothing: the tray is always ready, and a reopened one continues."""

    def frame(self, timeout: float) -> Frame:
        """Return the next frame, 1/30 s later.

        Raises: CameraLost while the camera is away, EndOfSource after the programme.
        """
        if self._programme is not None:
            self._programme.follow(self)
        self._count += 1
        self._scene.advance(1 / self._rate)
        if self._pending is not None and self._scene.at_rest:
            self.history.append(ActionRecord(self._pending, self.t, self.dice))
            self._pending = None
        if self._scene.move_arm(self.t):
            self.history.append(ActionRecord(self._arm_action, self.t, self.dice))
        if self.t < self._lost_until:
            raise CameraLost("vision.drawn.lost")
        if self._count == self._dims_at:
            self._scene.relight(dimmed=self._dimmed)
        fault = self._fault if self.t < self._fault_until else None
        picture = self._last_picture if fault is CameraTrouble.FROZEN else None
        if picture is None:
            picture = self._last_picture = self._scene.picture(self.t, fault)
        return Frame(picture, self.t, self._count, None, self._dimmed, self._count < self._dims_at)

    def limit_light(self, share: float) -> bool:
        if share < MIN_LIGHT_SHARE:
            return False
        if share == self._dimmed:
            return True
        self._dimmed, self._dims_at = share, self._count + _TAKES_UP
        return True

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def describe(self) -> str:
        return f"simulated tray drawn:{self._seed}"

    @property
    def t(self) -> float:
        """Virtual time of the latest frame in seconds."""
        return max(0, self._count) / self._rate

    @property
    def at_rest(self) -> bool:
        """True if no die and no arm moves and the camera sees the tray."""
        hidden = self.t < max(self._lost_until, self._fault_until)
        return self._scene.arm is None and not hidden and self._scene.at_rest

    @property
    def dice(self) -> tuple[SimulatedDie, ...]:
        """The true state of the dice in the tray."""
        return tuple(
            SimulatedDie(_name(die.kind), die.face, die.body, die.x, die.y, die.lean != 0.0, not die.at_rest, die.edge)
            for die in self._scene.dice
        )

    def throw(self, dice: Sequence[Die], *, cocked: bool = False, spins: float = 0.0) -> None:
        """Throw dice in beside those that are there.

        - `cocked`: the first die ends leaning on the rim.
        - `spins`: the first die spins on a corner for this many seconds.

        Raises: ValueError for a face outside 1 to 6.
        """
        for kind, face, body in dice:
            if not 1 <= face <= 6:
                raise ValueError(f"a die has no face {face}")
            self._scene.throw(SimulatedBody(kind, face, body, self._edge, 0.0, 0.0))
        first = self._scene.dice[-len(dice)]
        if spins:
            self._scene.spin(first, spins)
        if cocked:
            self._scene.lean_on_rim(first)
        self._pending = "throw"

    def nudge(self, index: int, dx: float, dy: float, *, rotation: float = 0.4, face: int | None = None) -> None:
        """Push one die by about (dx, dy) pixels and turn it, onto `face` if given."""
        die = self._scene.dice[index]
        way = float(np.hypot(dx, dy))
        speed = float(np.sqrt(2 * 1100.0 * way))
        die.vx, die.vy = (speed * dx / way, speed * dy / way) if way else (0.0, 0.0)
        die.yaw_rate = 3.0 if rotation >= 0 else -3.0
        die.yaw += rotation
        die.face, die.lean = face or die.face, 0.0
        self._pending = "nudge"

    def clear(self, *, by_hand: bool = True) -> None:
        """Remove everything, with a hand or between two frames."""
        if by_hand:
            self._arm_action = "clear"
            self._scene.reach_in(self.t, self._scene.remove_all)
        else:
            self._scene.remove_all()
            self.history.append(ActionRecord("clear", self.t, ()))

    def remove_die(self, index: int) -> None:
        """Take one die out between two frames."""
        self._scene.remove(self._scene.dice[index])
        self.history.append(ActionRecord("take", self.t, self.dice))

    def take_out(self, kind: str, faces: Collection[int]) -> None:
        """Take out one die of a kind that shows one of these faces, between two frames. Does nothing without one."""
        for index, die in enumerate(self.dice):
            if die.kind == kind and die.face in faces:
                self.remove_die(index)
                return

    def take_out_last(self, count: int) -> None:
        """Take out the dice thrown last, between two frames."""
        for _ in range(min(count, len(self.dice))):
            self.remove_die(len(self.dice) - 1)

    def pick_up(self, index: int, *, stays: float = 0.0) -> None:
        """Take one die out with a hand that stays over it for `stays` seconds."""
        die = self._scene.dice[index]
        self._arm_action = "take"
        self._scene.reach_in(self.t, lambda: self._scene.remove(die), stays=stays, to=die)

    def put(self, die: Die, *, stays: float = 0.0) -> None:
        """Lay one die down with a hand, at a free place."""
        laid = self._at_free_place(die)
        self._arm_action = "put"
        self._scene.reach_in(self.t, lambda: self._scene.add(laid), stays=stays, to=laid)

    def lay_down(self, die: Die) -> None:
        """Lay one die down between two frames, at a free place."""
        self._scene.add(self._at_free_place(die))
        self.history.append(ActionRecord("put", self.t, self.dice))

    def _at_free_place(self, die: Die) -> SimulatedBody:
        x, y = self._scene.free_place(self._edge)
        kind, face, body = die
        return SimulatedBody(kind, face, body, self._edge, x, y)

    def relight(self, light: Light) -> None:
        """Change the room light between two frames. The camera returns to its usual share of light."""
        self._scene.relight(light)
        self.limit_light(1.0)

    def hand(self, *, stays: float = 0.0) -> None:
        """Move a hand over the tray without touching anything. It stays for `stays` seconds."""
        self._scene.reach_in(self.t, stays=stays)

    def cover(self, seconds: float) -> None:
        """Cover the lens: dark frames for this many seconds."""
        self.fail_picture(CameraTrouble.BLACK, seconds)

    def fail_picture(self, fault: CameraTrouble, seconds: float) -> None:
        """Deliver black, white, noisy or frozen frames for this many seconds. It ends an earlier fault."""
        self._fault, self._fault_until = fault, self.t + seconds

    def lose(self, seconds: float) -> None:
        """Lose the camera: no frames for this many seconds."""
        self._lost_until = self.t + seconds

    def add_thing(self, x: float, y: float, radius: float = 14.0) -> None:
        """Add a small round token, which is not a die."""
        self._scene.add_thing(SimulatedToken(x, y, radius))


class _ScriptedActions:
    """A sequence of actions, each run after everything has been still for `pause` seconds."""

    def __init__(self, actions: Iterator[TrayAction], pause: float) -> None:
        self._actions = actions
        self._pause = pause
        self._quiet_since = 0.0

    def follow(self, tray: SimulatedTray) -> None:
        """Run the next action if it is due. Raises: EndOfSource after the last one."""
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
"""Body colours of dice whose set does not specify them."""

MAX_THROWN_DICE = 5
"""Maximum dice of one throw if no number is given."""


def drawable_kinds(dice_set: DiceSet) -> list[tuple[Kind, tuple[str, ...]]]:
    """Return the kinds of a set with their bodies. Raises: SourceError if the tray cannot draw one of them."""
    kinds = []
    for kind in dice_set.kinds:
        bodies = kind.bodies or BODIES
        try:
            die_model(kind, bodies[0])
        except ValueError as error:
            raise SourceError("vision.drawn.no_art", name=dice_set.name, reason=error) from error
        kinds.append((kind, bodies))
    return kinds


def random_throws(seed: int, dice_set: DiceSet, count: int | None = None) -> Iterator[TrayAction]:
    """Yield endless throws of `count` dice of the set (1 to MAX_THROWN_DICE if None), each followed by a clearing hand.

    The same seed gives the same throws. Raises: SourceError, before the first throw, if the set cannot be drawn or
    `count` is 0.
    """
    if count == 0:
        raise SourceError("vision.drawn.no_dice")
    return _throws(np.random.default_rng((seed, 1)), drawable_kinds(dice_set), count)


def _throws(
    chance: np.random.Generator, kinds: Sequence[tuple[Kind, tuple[str, ...]]], count: int | None
) -> Iterator[TrayAction]:
    while True:
        number = count or int(chance.integers(1, MAX_THROWN_DICE + 1))
        dice: list[Die] = []
        for _ in range(number):
            kind, bodies = kinds[int(chance.integers(len(kinds)))]
            dice.append((kind, int(chance.integers(1, 7)), bodies[int(chance.integers(len(bodies)))]))
        yield partial(SimulatedTray.throw, dice=dice)
        yield SimulatedTray.clear


# A simulated tray whose camera needs setup: a tilted mount, a lens, lamps and the calibration card.


MILLIMETRE = EDGE / 16
"""Pixels per millimetre. Drawn dice are 16 mm wide."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A lamp that lights one place more than the rest.

    - `middle`: its place, as shares of the image.
    - `wide`: its radius, as a share of the image width.
    - `strength`: 0 is none; glare clips above about 1.5.
    - `level`: the light everywhere else.
    """

    middle: tuple[float, float] = (0.5, 0.5)
    wide: float = 0.3
    strength: float = 0.0
    level: float = 1.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image in this light."""
        if self == Spot():
            return picture
        y, x = np.mgrid[0:60, 0:80].astype(np.float32)
        far = ((x / 80 - self.middle[0]) ** 2 + 0.56 * (y / 60 - self.middle[1]) ** 2) / max(1e-4, self.wide**2)
        return lit(picture, np.asarray(self.level + self.strength * np.exp(-far), np.float32))


@dataclass(frozen=True, slots=True)
class CardOnTray:
    """The calibration card on the tray floor: its centre in pixels and its rotation in radians."""

    x: float
    y: float
    turned: float

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw the card with its shadow into `picture`, in place, in that light."""
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
        """Return the corners of the card in the tray image, in print order from the upper left."""
        paper = np.array([[0, 0, 1], [WIDTH, 0, 1], [WIDTH, HEIGHT, 1], [0, HEIGHT, 1.0]])
        return np.asarray(paper @ self._matrix(1.0).T, np.float64)

    def _matrix(self, scale: float) -> Any:
        unit = MILLIMETRE / scale
        c, s = cos(self.turned) * unit, sin(self.turned) * unit
        across, down = WIDTH * scale / 2, HEIGHT * scale / 2
        return np.array([[c, -s, self.x - c * across + s * down], [s, c, self.y - s * across - c * down]])


class AdjustableTray(SimulatedTray):
    """A simulated tray whose camera can be moved, focused and badly lit. Further disturbances follow these."""

    def __init__(self, seed: int, *, mount: Mount | None = None, lens: Lens | None = None, **options: Any) -> None:
        self.mount = mount or Mount()
        self.lens = lens or Lens()
        self.spot = Spot()
        more: Sequence[Disturbance] = options.pop("disturbances", ())
        rig = (
            _CurrentDisturbance(lambda: self.spot),
            _CurrentDisturbance(lambda: self.mount),
            _CurrentDisturbance(lambda: self.lens),
        )
        super().__init__(seed, disturbances=(*rig, *more), **options)

    @property
    def identity(self) -> str:
        """Camera identity, the same for all simulated trays."""
        return "simulated tray"

    @property
    def focal(self) -> float:
        """Focal length in image widths."""
        return FOCAL / SIZE[1] * self.mount.zoom

    @property
    def focus_range(self) -> tuple[float, float] | None:
        """Minimum and maximum dioptres of the lens."""
        return (0.0, self.lens.nearest)

    def focus(self, dioptres: float) -> None:
        """Set the lens position."""
        self.lens = replace(self.lens, at=dioptres)

    def hang(self, **how: Any) -> None:
        """Move the camera: change the given fields of `Mount`."""
        self.mount = replace(self.mount, **how)

    def shine(self, **how: Any) -> None:
        """Change the lamp: change the given fields of `Spot`."""
        self.spot = replace(self.spot, **how)

    def lay_card(self, x: float = 320.0, y: float = 240.0, turned: float = 0.1) -> CardOnTray:
        """Lay the calibration card down. Clearing the tray removes it."""
        card = CardOnTray(x, y, turned)
        self._scene.add_thing(card)
        return card

    def to_camera_pixels(self, points: Points) -> Points:
        """Map tray coordinates to the camera image."""
        return project_points(self.mount.matrix(), points)


@dataclass(frozen=True, slots=True)
class _CurrentDisturbance:
    """A disturbance that is looked up for each frame."""

    present: Callable[[], Disturbance]

    def over(self, picture: Picture, t: float) -> Picture:
        return self.present().over(picture, t)
