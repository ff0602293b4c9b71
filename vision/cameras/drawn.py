"""The simulated tray: a camera over drawn dice that are thrown, tumble, come to rest, are nudged and taken away.

A full source like the others, for demos, tests and tables without a camera. Its time is virtual: every frame is 1/30 s
after the one before, however fast frames are asked for. The same seed and the same commands give the same frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.cameras.interference import Thing
from vision.cameras.light import Disturbance
from vision.cameras.protocol import LEAST_LIGHT, Camera, CameraLost, EndOfSource, Frame
from vision.cameras.stage import Stage
from vision.cameras.tumble import Body
from vision.dice_sets import Kind

RATE = 30.0
"""Usual frames a second of the tray's virtual time."""

EDGE = 44.0
"""Edge of a die in pixels of the 640 x 480 picture."""

Die = tuple[str | Kind, int, str]
"""Kind (or the name of a kind of the product's own sets), face on top counted from 1, body colour: a die to throw."""

_TAKES_UP = 3
"""Frames after which the camera has taken up another exposure, as libcamera's do."""

Action = Callable[["Drawn"], object]
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
        disturbances: Sequence[Disturbance] = (),
    ) -> None:
        """`edge` of the dice in pixels, `noise` of the sensor in grey levels, `rate` in frames a second. `disturbances`
        come over every picture, one after the other."""
        self._seed = seed
        self._rate = rate
        self._edge = edge
        self.history: list[Deed] = []
        chance, looks, sensor = (np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(3))
        self._stage = Stage(chance, looks, sensor, noise, disturbances)
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
            raise CameraLost("the drawn tray gives no picture")
        if self._count == self._dims_at:
            self._stage.relight(dimmed=self._dimmed)
        picture = self._stage.picture(self.t, covered=self.t < self._covered_until)
        return Frame(picture, self.t, self._count, None, self._dimmed, self._count < self._dims_at)

    def let_in(self, share: float) -> bool:
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

    def follow(self, tray: Drawn) -> None:
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
