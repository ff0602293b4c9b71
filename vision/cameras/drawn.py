"""The simulated tray: a camera over drawn dice that are thrown, tumble, come to rest, are nudged and taken away.

A full source like the others, for demos, tests and tables without a camera. Its time is virtual: every frame is 1/30 s
after the one before, however fast frames are asked for. The same seed and the same commands give the same frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import pi

import cv2
import numpy as np

from vision.cameras.interference import Arm, Lamp, Thing, arm_over, grain
from vision.cameras.protocol import Camera, CameraLost, EndOfSource, Frame, Picture
from vision.cameras.sprites import Sprites, as_drawn
from vision.cameras.tumble import Body, Felt, advance, throw_in
from vision.drawing.material import Light
from vision.drawing.tray import draw_tray, make_ground

RATE = 30.0
"""Usual frames a second of the tray's virtual time."""

EDGE = 44.0
"""Edge of a die in pixels of the 640 x 480 picture."""

Die = tuple[str, int, str]
"""Kind, face on top counted from 1, body colour: a die to be thrown."""

Action = Callable[["Drawn"], object]
"""One thing that somebody does at the tray."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die as it truly is: its middle in pixels, whether it leans on the rim, and whether it is not at rest yet."""

    kind: str
    face: int
    body: str
    x: float
    y: float
    cocked: bool = False
    turning: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, and when: `dice` are all that lie in the tray once it is over, in the order they were thrown."""

    what: str
    t: float
    dice: tuple[Lying, ...]


class Drawn(Camera):
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
        noise: float = 2.0,
        rate: float = RATE,
    ) -> None:
        """`edge` of the dice in pixels, `noise` of the sensor in grey levels, `rate` in frames a second."""
        self._seed = seed
        self._pause = pause
        self._rate = rate
        self._edge = edge
        self._felt = Felt()
        self._light = Light()
        self.history: list[Deed] = []
        streams = np.random.default_rng(seed).spawn(3)
        self._chance, looks, self._sensor = streams
        self._ground = make_ground(looks)
        self._grain = grain(self._sensor, noise)
        self._lamp = Lamp()
        self._sprites = Sprites(self._light)
        self._dice: list[Body] = []
        self._rolled: list[float] = []
        self._things: list[Thing] = []
        self._still: tuple[frozenset[int], Picture] | None = None
        self._arm: Arm | None = None
        self._pending: str | None = None
        self._count = -1
        self._quiet_since = 0.0
        self._covered_until = self._lost_until = -1.0
        self._programme: Iterator[Action] | None = None if programme is None else iter(programme)

    def open(self) -> None:
        """Ready at once; an opened tray goes on where it was."""

    def frame(self, timeout: float) -> Frame:
        """The next frame, 1/30 s on. Raises CameraLost while the camera is away, EndOfSource after the programme."""
        self._follow_programme()
        self._count += 1
        advance(self._dice, self._felt, 1 / self._rate)
        self._rolled = [way + die.speed / self._rate for way, die in zip(self._rolled, self._dice, strict=True)]
        self._note_rest()
        self._move_arm()
        if self.t < self._lost_until:
            raise CameraLost("the drawn tray gives no picture")
        return Frame(self._picture(), self.t, self._count)

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
        return self._arm is None and not hidden and all(die.resting for die in self._dice)

    @property
    def lying(self) -> tuple[Lying, ...]:
        """The truth about the dice in the tray."""
        return tuple(
            Lying(die.kind, die.face, die.body, die.x, die.y, die.lean != 0.0, not die.resting) for die in self._dice
        )

    def throw(self, dice: Sequence[Die], *, cocked: bool = False, spins: float = 0.0) -> None:
        """Throw dice in beside those that lie there. `cocked`: the first will lean on the rim; `spins`: the first will
        stand turning on a corner for so many seconds. Raises ValueError for a face that is not 1 to 6."""
        for kind, face, body in dice:
            if not 1 <= face <= 6:
                raise ValueError(f"a die has no face {face}")
            die = Body(kind, face, body, self._edge, 0.0, 0.0)
            throw_in(die, self._felt, self._chance)
            self._dice.append(die)
            self._rolled.append(0.0)
        first = self._dice[-len(dice)]
        if spins:
            first.x, first.y = self._chance.uniform((200, 150), (440, 330))
            first.vx = first.vy = 0.0
            first.spins, first.turn, first.inside = spins, 19.0, True
        if cocked:
            self._lean_on_rim(first)
        self._pending = "throw"

    def nudge(self, index: int, dx: float, dy: float, *, turn: float = 0.4, face: int | None = None) -> None:
        """Push one die by about (dx, dy) pixels, turning it and, if a face is given, onto that face."""
        die = self._dice[index]
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
            self._arm = Arm.reaching(self.t, self._chance, takes=True)
        else:
            self._take_all()

    def hand(self) -> None:
        """A hand passes over the tray and touches nothing."""
        self._arm = Arm.reaching(self.t, self._chance, takes=False)

    def cover(self, seconds: float) -> None:
        """Something lies on the lens: dark frames for so long."""
        self._covered_until = self.t + seconds

    def lose(self, seconds: float) -> None:
        """The camera gives no frames for so long."""
        self._lost_until = self.t + seconds

    def add_thing(self, x: float, y: float, radius: float = 14.0) -> None:
        """Lay down something that is no die: a small round token."""
        self._things.append(Thing(x, y, radius))
        self._still = None

    def _follow_programme(self) -> None:
        if not self.at_rest:
            self._quiet_since = self.t
        if self._programme is None or self.t - self._quiet_since < self._pause:
            return
        action = next(self._programme, None)
        if action is None:
            raise EndOfSource
        self._quiet_since = self.t
        action(self)

    def _note_rest(self) -> None:
        if self._pending is not None and all(die.resting for die in self._dice):
            self.history.append(Deed(self._pending, self.t, self.lying))
            self._pending = None

    def _move_arm(self) -> None:
        if self._arm is None:
            return
        if self._arm.takes and self._arm.deep(self.t):
            self._take_all()
            self._arm = self._arm.done()
        elif self._arm.gone(self.t):
            self._arm = None

    def _take_all(self) -> None:
        self._dice, self._rolled, self._things, self._still = [], [], [], None
        self.history.append(Deed("clear", self.t, ()))

    def _lean_on_rim(self, die: Body) -> None:
        """Put a die against the rim, thrown straight at it, so that it ends leaning there."""
        left, top, _, bottom = self._felt.room(die)
        die.x, die.y = left, float(self._chance.uniform(top, bottom))
        die.vx, die.vy, die.turn, die.inside = 0.0, 120.0, 0.0, True
        die.yaw, die.lean, die.lean_towards = 0.0, 0.5, pi

    def _picture(self) -> Picture:
        if self.t < self._covered_until:
            picture = np.full((int(self._felt.height), int(self._felt.width), 3), 3, np.uint8)
        else:
            lying, picture = self._lying_picture()
            for die, rolled in zip(self._dice, self._rolled, strict=True):
                if id(die) not in lying:
                    self._sprites.lay(picture, die, rolled)
            if self._arm is not None:
                arm_over(picture, self._arm, self.t)
            picture = self._lamp.shine(picture, self.t)
        x, y = (int(place) for place in self._sensor.integers(0, 64, 2))
        height, width = picture.shape[:2]
        return np.asarray(cv2.add(picture, self._grain[y : y + height, x : x + width], dtype=cv2.CV_8U), np.uint8)

    def _lying_picture(self) -> tuple[frozenset[int], Picture]:
        """A copy of the tray with its things and those dice that lie there for good, and which dice these are.

        It is drawn anew when one of them moves, and once when all dice have come to rest; until then dice that rest
        already are laid over it like the moving ones, which is far cheaper.
        """
        resting = frozenset(id(die) for die in self._dice if die.resting)
        all_rest = len(resting) == len(self._dice)
        if self._still is None or not self._still[0] <= resting or (all_rest and self._still[0] != resting):
            kept = resting if all_rest or self._still is None else self._still[0] & resting
            dice = [as_drawn(die) for die in self._dice if id(die) in kept]
            picture = draw_tray(dice, self._sensor, ground=self._ground, light=self._light, noise=0.0)
            for thing in self._things:
                thing.lie_on(picture)
            self._still = (kept, picture)
        return self._still[0], self._still[1].copy()
