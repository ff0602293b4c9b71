"""How much light falls on each die beside the others, told by the ground about it.

An ivory die in a shadow is as dark as a grey one in the light, but so is the table round it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.find import Candidate
from vision.pictures import Picture
from vision.roll import Box

_REACH = 1.45
"""Edges of a die about its middle in which its ground is looked at."""

_GRID = 24
"""Edge in pixels to which that surrounding is shrunk first."""

_MARGIN = 0.08
"""Share of a die's width that is left out about its box: its own shadow, and what the box lacks."""

_ENOUGH = 25
"""Pixels of ground from which it tells something."""

_ALIKE = 0.1
"""How far the shares of blue, green and red may be from those of the other dice's ground: else it is another ground,
which may be darker by itself."""

_DARKEST = 0.03
"""Mean value (0..1) under which a ground is too dark to tell."""

_TRUST = 0.6
"""The power in which the grounds' ratio counts, as they are never quite alike: chosen on drawn dice of seeds that
measure nothing."""

_LEAST, _MOST = 0.6, 1.8


def brightening(picture: Picture, dice: Sequence[Candidate]) -> list[float]:
    """For each die what its colour (encoded) is to be multiplied by to be lit as most of the others are; 1.0 where
    nothing tells."""
    boxes = [one.box for one in dice]
    grounds = [_ground(picture, one, boxes) for one in dice]
    known = [ground for ground in grounds if ground is not None]
    if len(known) < 2:
        return [1.0] * len(dice)
    usual = np.asarray(np.median(known, axis=0))
    return [1.0 if ground is None else _factor(ground, usual) for ground in grounds]


def _factor(ground: npt.NDArray[np.float32], usual: npt.NDArray[np.float32]) -> float:
    mean, wanted = float(ground.mean()), float(usual.mean())
    if min(mean, wanted) < _DARKEST or np.abs(ground / ground.sum() - usual / usual.sum()).max() > _ALIKE:
        return 1.0
    return float(np.clip((wanted / mean) ** _TRUST, _LEAST, _MOST))


def _ground(picture: Picture, one: Candidate, boxes: Sequence[Box]) -> npt.NDArray[np.float32] | None:
    """The median colour (3,), 0..1, of what is seen about a die and is no die (`boxes`: left, top, right, bottom)."""
    reach = _REACH * one.edge
    left, top = int(max(0, one.x - reach)), int(max(0, one.y - reach))
    part = picture[top : max(0, int(one.y + reach) + 1), left : max(0, int(one.x + reach) + 1)]
    if part.size == 0:
        return None
    scale = min(1.0, _GRID / max(part.shape[:2]))
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.float32)
    y, x = np.mgrid[: size[1], : size[0]]
    x = (x + 0.5) * part.shape[1] / size[0] + left
    y = (y + 0.5) * part.shape[0] / size[1] + top
    free = np.ones(small.shape[:2], bool)
    for before, above, after, below in boxes:
        rim = _MARGIN * (after - before)
        free &= ~((x > before - rim) & (x < after + rim) & (y > above - rim) & (y < below + rim))
    pixels = small[free]
    return np.asarray(np.median(pixels, axis=0) / 255, np.float32) if len(pixels) >= _ENOUGH else None
