"""Pictures of single dice in motion for the simulated tray, drawn once and laid over the ground frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, cos, degrees, hypot, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Picture
from vision.cameras.tumble import Body
from vision.drawing.material import Light
from vision.drawing.tray import DrawnDie, draw_tray

SHUTTER = 1 / 90
"""Seconds that the shutter is open: what a die covers in that time is its blur."""

TUMBLES = 3
_LEAN = 0.75
_SPIN = 0.9

Layer = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A die from straight above with its shadow: what lies below is multiplied by `through`, then `own` is added."""

    own: Layer
    through: Layer


def as_drawn(die: Body) -> DrawnDie:
    """The resting die in the renderer's words."""
    return DrawnDie(die.kind, die.body, die.face, die.x, die.y, die.yaw, die.edge, die.lean, die.lean_towards)


class Sprites:
    """Draws sprites and keeps them: a die thrown a hundred times is drawn once."""

    def __init__(self, light: Light) -> None:
        self._light = light
        self._kept: dict[tuple[object, ...], Sprite] = {}

    def lay(self, picture: Picture, die: Body, rolled: float) -> None:
        """Draw a moving die on `picture` in place. `rolled` is the way it has covered, which turns its tumbling."""
        sprite = self._tumbling(die, int(rolled / die.edge)) if die.tumbling else self._sliding(die)
        own, through = _turned(sprite.own, die.yaw, 0.0), _turned(sprite.through, die.yaw, 1.0)
        kernel = _smear(die.vx * SHUTTER, die.vy * SHUTTER)
        if kernel is not None:
            own = np.asarray(cv2.filter2D(own, -1, kernel), np.float32)
            through = np.asarray(cv2.filter2D(through, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)
        _blend(picture, own, through, die.x, die.y)

    def _sliding(self, die: Body) -> Sprite:
        key = (die.kind, die.body, die.edge, die.face)
        return self._drawn(key, DrawnDie(die.kind, die.body, die.face, edge=die.edge))

    def _tumbling(self, die: Body, rolls: int) -> Sprite:
        number = rolls % TUMBLES
        key = (die.kind, die.body, die.edge, "tumbling", number)
        about = (cos(number * 2.1), sin(number * 2.1), 0.3)
        look = DrawnDie(die.kind, die.body, 2 * number + 1, edge=die.edge)
        shown = replace(look, lean=_LEAN, lean_towards=2.1 * number, spin=_SPIN, spin_axis=about)
        return self._drawn(key, shown)

    def _drawn(self, key: tuple[object, ...], die: DrawnDie) -> Sprite:
        if key not in self._kept:
            self._kept[key] = self._draw(die)
        return self._kept[key]

    def _draw(self, die: DrawnDie) -> Sprite:
        """Drawn on black and on white: the difference is what shows through, shadow included."""
        size = 2 * ceil(die.edge * 1.6)
        centred = replace(die, x=size / 2, y=size / 2)
        on = [
            draw_tray([centred], np.random.default_rng(0), ground=_flat(size, grey), light=self._light, noise=0.0)
            for grey in (0.0, 0.5)
        ]
        empty = draw_tray([], np.random.default_rng(0), ground=_flat(size, 0.5), light=self._light, noise=0.0)
        black, grey = (np.asarray(picture, np.float32) for picture in on)
        through = np.clip((grey - black) / np.maximum(np.asarray(empty, np.float32), 1.0), 0.0, 1.0)
        return Sprite(black, np.asarray(through, np.float32))


def _flat(size: int, grey: float) -> Layer:
    return np.full((size, size, 3), grey, np.float32)


def _turned(layer: Layer, yaw: float, outside: float) -> Layer:
    size = layer.shape[0]
    matrix = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), -degrees(yaw), 1.0)
    turned = cv2.warpAffine(
        layer, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(outside,) * 3
    )
    return np.asarray(turned, np.float32)


def _smear(dx: float, dy: float) -> Layer | None:
    """The kernel of a straight movement by (dx, dy) pixels, None if it stays within a pixel."""
    way = hypot(dx, dy)
    if way < 1.5:
        return None
    half = ceil(way / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    across, down = dx / 2, dy / 2
    cv2.line(kernel, (round(half - across), round(half - down)), (round(half + across), round(half + down)), 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _blend(picture: Picture, own: Layer, through: Layer, x: float, y: float) -> None:
    size = own.shape[0]
    left, top = round(x - size / 2), round(y - size / 2)
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + size), min(height, top + size)
    if x1 <= x0 or y1 <= y0:
        return
    part = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
    under = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = np.clip(under * through[part] + own[part], 0, 255).astype(np.uint8)
