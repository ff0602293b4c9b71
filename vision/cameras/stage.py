"""What lies in the simulated tray and how it looks: dice, things and a hand, moved on and drawn for `drawn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot, pi
from typing import Protocol

import cv2
import numpy as np

from vision.cameras.interference import Arm, Lamp, arm_over, grain
from vision.cameras.light import Disturbance
from vision.cameras.protocol import Picture
from vision.cameras.sprites import Sprites, as_drawn
from vision.cameras.tumble import RADIUS, Body, Felt, advance, throw_in
from vision.drawing.material import Light
from vision.drawing.tray import draw_tray, make_ground
from vision.white_balance.light import encode


class Lies(Protocol):
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
        self._things: list[Lies] = []
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

    def add_thing(self, thing: Lies) -> None:
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
