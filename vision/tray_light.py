"""The light over a tray that a camera was set up for: what something white looks like in it now.

A card told it on the day; how the tray's ground looks now, beside what it looked like empty then, tells what has
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.roll import Box
from vision.white_balance.light import decode

Floats = npt.NDArray[np.float64]
White = tuple[float, float, float]
"""Linear blue, green and red of something white; over 1 where it would be burnt out."""

_WIDE, _TALL = 48, 36
"""Cells in which the tray is compared."""

_ABOUT = 0.3
"""Share of a die's width about its box that its shadow may take."""

_DARKEST, _BRIGHTEST = 0.004, 0.85
"""Linear values between which a cell tells something."""

_ENOUGH = 0.25
"""Share of the cells that must tell something."""

_ALIKE = 0.12
"""How far (natural logarithm) half of the cells' change of colour may be from the middle one: else it is another tray,
or several lights have changed."""

_MOST = 2.5
"""Logarithm of a change that is too great to be one of light."""


@dataclass(frozen=True, slots=True, eq=False)
class TrayLight:
    """`empty`: the empty tray in a calibrated light, as the camera's pictures of it are read; `white`: how bright
    (linear luminance) something white was in it, in neutral light."""

    empty: Picture
    white: float

    def now(self, picture: Picture, boxes: Sequence[Box]) -> White | None:
        """What something white looks like in `picture`, of the same tray, None where too little of it is to be seen or
        its ground is another one. `boxes` (left, top, right, bottom) are of the dice in it."""
        change = change_of_light(self.empty, picture, boxes)
        return None if change is None else (self.white * change[0], self.white * change[1], self.white * change[2])


def change_of_light(before: Picture, now: Picture, boxes: Sequence[Box]) -> White | None:
    """By how much blue, green and red light grew between two pictures of one ground, None if it cannot be told."""
    old, new = _cells(before), _cells(now)
    fair = (np.minimum(old, new) > _DARKEST).all(2) & (np.maximum(old, new) < _BRIGHTEST).all(2)
    fair &= ~_covered(boxes, now)
    if fair.mean() < _ENOUGH:
        return None
    step = np.log(new[fair] / old[fair])
    change = np.median(step, 0)
    colour = step - step.mean(1, keepdims=True)
    apart = np.median(np.abs(colour - np.median(colour, 0)), 0)
    if apart.max() > _ALIKE or np.abs(change).max() > _MOST:
        return None
    blue, green, red = np.exp(change)
    return (float(blue), float(green), float(red))


def _cells(picture: Picture) -> Floats:
    """Linear values of the cells (36, 48, 3)."""
    return decode(cv2.resize(picture, (_WIDE, _TALL), interpolation=cv2.INTER_AREA) / 255)


def _covered(boxes: Sequence[Box], picture: Picture) -> npt.NDArray[np.bool_]:
    """The cells (36, 48) that dice lie on, or their shadows may."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:_TALL, :_WIDE]
    x, y = (x + 0.5) * width / _WIDE, (y + 0.5) * height / _TALL
    covered = np.zeros((_TALL, _WIDE), bool)
    for left, top, right, bottom in boxes:
        rim = _ABOUT * (right - left) + width / _WIDE / 2
        covered |= (x > left - rim) & (x < right + rim) & (y > top - rim) & (y < bottom + rim)
    return covered
