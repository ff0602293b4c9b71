"""Physics and sprites of the simulated dice: throwing, tumbling, bouncing, settling, and motion blur.

Lengths are in pixels of the tray image, times in seconds, angles in radians. Collision bodies are circles that reach
the corners of a square, so dice never overlap in any orientation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, degrees, hypot, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_sets import Kind
from vision.drawing.rendering import Light
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture

FRICTION = 1100.0
"""Deceleration on the felt, pixels per second squared."""

TURN_FRICTION = 9.0
"""Deceleration of the rotation about the vertical axis, radians per second squared."""

TUMBLING = 260.0
"""Speed in pixels per second above which a die tumbles; below it the die slides on its face."""

RADIUS = 0.73
"""Radius of a die's collision circle as a share of its edge: half the diagonal of the face plus a small margin."""

STEP = 1 / 120
_BOUNCE = 0.55
_ROUNDS = 4


@dataclass(slots=True)
class SimulatedBody:
    """One die of the simulated tray.

    - `face`: the final top face, counted from 1.
    - `spin_seconds`: seconds that it continues to spin on a corner.
    - `lean`, `lean_towards`: 0 for a flat die.
    """

    kind: str | Kind
    face: int
    body: str
    edge: float
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    yaw: float = 0.0
    yaw_rate: float = 0.0
    spin_seconds: float = 0.0
    lean: float = 0.0
    lean_towards: float = 0.0
    inside: bool = True

    @property
    def speed(self) -> float:
        return hypot(self.vx, self.vy)

    @property
    def at_rest(self) -> bool:
        return self.vx == 0.0 and self.vy == 0.0 and self.yaw_rate == 0.0 and self.spin_seconds <= 0.0

    @property
    def tumbling(self) -> bool:
        return self.speed > TUMBLING or self.spin_seconds > 0.0


@dataclass(frozen=True, slots=True)
class Felt:
    """The tray floor: its size, and the width of its rim."""

    width: float = 640.0
    height: float = 480.0
    rim: float = 20.0

    def bounds(self, die: SimulatedBody) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom limits of the die's centre."""
        reach = self.rim + RADIUS * die.edge
        return reach, reach, self.width - reach, self.height - reach


def throw_in(die: SimulatedBody, felt: Felt, rng: np.random.Generator) -> None:
    """Place `die` outside the image and throw it in over one side, towards a place near the centre."""
    side = int(rng.integers(4))
    along = float(rng.uniform(0.25, 0.75))
    out = die.edge * float(rng.uniform(1.2, 2.5))
    starts = (
        (-out, along * felt.height),
        (felt.width + out, along * felt.height),
        (along * felt.width, -out),
        (along * felt.width, felt.height + out),
    )
    die.x, die.y = starts[side]
    goal_x, goal_y = felt.width * float(rng.uniform(0.3, 0.7)), felt.height * float(rng.uniform(0.3, 0.7))
    way = hypot(goal_x - die.x, goal_y - die.y)
    speed = float(rng.uniform(800, 1400))
    die.vx, die.vy = speed * (goal_x - die.x) / way, speed * (goal_y - die.y) / way
    die.yaw, die.yaw_rate = float(rng.uniform(0, 2 * pi)), float(rng.uniform(-14, 14))
    die.inside = False


def advance(dice: Sequence[SimulatedBody], felt: Felt, seconds: float) -> None:
    """Move all dice by `seconds`, in steps of STEP."""
    for _ in range(max(1, round(seconds / STEP))):
        for die in dice:
            _roll(die, STEP)
        if any(not die.at_rest for die in dice):
            for _ in range(_ROUNDS):
                _separate(dice)
                for die in dice:
                    _bounce_off_rim(die, felt)


def _roll(die: SimulatedBody, step: float) -> None:
    die.x += die.vx * step
    die.y += die.vy * step
    die.yaw += die.yaw_rate * step
    speed = die.speed
    if speed:
        left = max(0.0, speed - FRICTION * step) / speed
        die.vx, die.vy = die.vx * left, die.vy * left
    if die.spin_seconds > 0.0:
        die.spin_seconds = max(0.0, die.spin_seconds - step) if die.speed == 0.0 else die.spin_seconds
    else:
        slower = max(0.0, abs(die.yaw_rate) - TURN_FRICTION * step)
        die.yaw_rate = slower if die.yaw_rate > 0 else -slower


def _separate(dice: Sequence[SimulatedBody]) -> None:
    """Separate touching dice, and exchange their speed along the line between them."""
    for i, one in enumerate(dice):
        for other in dice[i + 1 :]:
            dx, dy = other.x - one.x, other.y - one.y
            apart = hypot(dx, dy)
            reach = RADIUS * (one.edge + other.edge)
            if apart >= reach:
                continue
            nx, ny = (dx / apart, dy / apart) if apart > 1e-6 else (cos(one.yaw), sin(one.yaw))
            deep = (reach - apart) / 2
            one.x, one.y = one.x - nx * deep, one.y - ny * deep
            other.x, other.y = other.x + nx * deep, other.y + ny * deep
            closing = (one.vx - other.vx) * nx + (one.vy - other.vy) * ny
            if closing > 0:
                push = closing * (1 + _BOUNCE) / 2
                one.vx, one.vy = one.vx - push * nx, one.vy - push * ny
                other.vx, other.vy = other.vx + push * nx, other.vy + push * ny


def _bounce_off_rim(die: SimulatedBody, felt: Felt) -> None:
    left, top, right, bottom = felt.bounds(die)
    if not die.inside:
        die.inside = left <= die.x <= right and top <= die.y <= bottom
        if not die.inside and die.speed > TUMBLING:
            return
        die.inside = True
    if not left <= die.x <= right:
        die.x = min(max(die.x, left), right)
        die.vx, die.yaw_rate = -die.vx * _BOUNCE, -die.yaw_rate * _BOUNCE
    if not top <= die.y <= bottom:
        die.y = min(max(die.y, top), bottom)
        die.vy, die.yaw_rate = -die.vy * _BOUNCE, -die.yaw_rate * _BOUNCE


SHUTTER = 1 / 90
"""Shutter time in seconds. Motion in this time is a die's blur."""

TUMBLES = 3
_LEAN = 0.75
_SPIN = 0.9

Layer = NDArray[np.float32]


Sprite = Layer
"""A die from straight above with its shadow, size x size x 4: blue, green, red and transparency.

The background is multiplied by the transparency, then the colours are added.
"""


def to_drawn_die(die: SimulatedBody) -> DrawnDie:
    """Convert a resting die for the renderer."""
    return DrawnDie(die.kind, die.body, die.face, die.x, die.y, die.yaw, die.edge, die.lean, die.lean_towards)


class Sprites:
    """Draws and caches sprites. A die thrown a hundred times is rendered once."""

    def __init__(self, light: Light) -> None:
        self._light = light
        self._kept: dict[tuple[object, ...], Sprite] = {}

    def draw(self, picture: Picture, die: SimulatedBody, rolled: float) -> None:
        """Draw a moving die into `picture`, in place.

        `rolled` is the distance it has covered, which selects its tumbling pose.
        """
        sprite = self._tumbling(die, int(rolled / die.edge)) if die.tumbling else self._sliding(die)
        turned = _turned(sprite, die.yaw)
        kernel = _smear(die.vx * SHUTTER, die.vy * SHUTTER)
        if kernel is not None:
            turned = np.asarray(cv2.filter2D(turned, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)
        _blend(picture, turned, die.x, die.y)

    def _sliding(self, die: SimulatedBody) -> Sprite:
        key = (die.kind, die.body, die.edge, die.face)
        return self._drawn(key, DrawnDie(die.kind, die.body, die.face, edge=die.edge))

    def _tumbling(self, die: SimulatedBody, rolls: int) -> Sprite:
        number = rolls % TUMBLES
        key = (die.kind, die.body, die.edge, "tumbling", number)
        about = (cos(number * 2.1), sin(number * 2.1), 0.3)
        upright = DrawnDie(die.kind, die.body, 2 * number + 1, edge=die.edge)
        tumbling = replace(upright, lean=_LEAN, lean_towards=2.1 * number, spin=_SPIN, spin_axis=about)
        return self._drawn(key, tumbling)

    def _drawn(self, key: tuple[object, ...], die: DrawnDie) -> Sprite:
        if key not in self._kept:
            self._kept[key] = self._draw(die)
        return self._kept[key]

    def _draw(self, die: DrawnDie) -> Sprite:
        """Render on black and on white. The difference gives the transparency, including the shadow."""
        size = 2 * ceil(die.edge * 1.6)
        centred = replace(die, x=size / 2, y=size / 2)
        on = [
            draw_tray([centred], np.random.default_rng(0), ground=_flat(size, grey), light=self._light, noise=0.0)
            for grey in (0.0, 0.5)
        ]
        empty = draw_tray([], np.random.default_rng(0), ground=_flat(size, 0.5), light=self._light, noise=0.0)
        black, grey = (np.asarray(picture, np.float32) for picture in on)
        through = np.clip((grey - black) / np.maximum(np.asarray(empty, np.float32), 1.0), 0.0, 1.0)
        return np.dstack((black, through.mean(axis=2))).astype(np.float32)


def _flat(size: int, grey: float) -> Layer:
    return np.full((size, size, 3), grey, np.float32)


def _turned(sprite: Sprite, yaw: float) -> Sprite:
    """Rotate a sprite about its centre; what comes in from outside is transparent."""
    size = sprite.shape[0]
    matrix = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), -degrees(yaw), 1.0)
    turned = cv2.warpAffine(
        sprite, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0, 1)
    )
    return np.asarray(turned, np.float32)


def _smear(dx: float, dy: float) -> Layer | None:
    """Return the blur kernel of a straight movement by (dx, dy) pixels, None if it stays within a pixel."""
    way = hypot(dx, dy)
    if way < 1.5:
        return None
    half = ceil(way / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    across, down = dx / 2, dy / 2
    cv2.line(kernel, (round(half - across), round(half - down)), (round(half + across), round(half + down)), 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _blend(picture: Picture, sprite: Sprite, x: float, y: float) -> None:
    size = sprite.shape[0]
    left, top = round(x - size / 2), round(y - size / 2)
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + size), min(height, top + size)
    if x1 <= x0 or y1 <= y0:
        return
    part = sprite[y0 - top : y1 - top, x0 - left : x1 - left]
    transparency = cv2.cvtColor(cv2.extractChannel(part, 3), cv2.COLOR_GRAY2BGR)
    behind = cv2.multiply(picture[y0:y1, x0:x1], transparency, dtype=cv2.CV_32F)
    picture[y0:y1, x0:x1] = cv2.add(behind, cv2.cvtColor(part, cv2.COLOR_BGRA2BGR), dtype=cv2.CV_8U)
