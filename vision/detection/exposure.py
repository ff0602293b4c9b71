"""Pictures that are too dark, too flat or burnt out.

A tray in a dim room fills a few of the 256 levels only. What lies there can still be told: the levels are spread
again. Where noise is spread with them, or most of the picture is burnt out, dice may be lost without a trace, and
whoever reads must ask. A flat picture (mist, a dirty pane) is spread only if dice show then: an empty tray of one
colour is as flat, and there the noise alone is spread.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.roll import Box, DieReading

_DARK = 110.0
"""A picture whose brightest part lies under this level is made brighter."""

_FLAT = 70.0
"""A picture whose levels are no further apart is flat."""

_WANTED = 200.0
"""The level that the brightest part is brought to."""

_GRAINY = 25.0
"""Noise (one standard deviation, levels) of a picture that was spread from which dice are lost in it."""

_MOST = 40.0
"""More than so many times nothing is spread: a cap on the lens."""

_ROUNDED = 25.0
"""From so many times on too few levels are left to show every die."""

_WHITE, _BURNT_SHARE = 250, 0.5
"""White from this level on in all three colours; from this share of the picture dice are lost in it."""

_SPOT, _FINE = 20, 640
"""Pixels of a spot that is no error of the sensor, in a picture whose longer side has so many."""

_TOP, _CUT_OFF = 0.3, 0.5
"""Edges of a die about its middle that are surely its top face, and from which share of it cut off its colour is."""

_SAMPLE = 160
"""The levels are those of the picture at this size, square."""

_FEW = 50
"""Pixels of it, the brightest, that do not count: glints."""

_IMMERKAER = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class Normalised:
    """`picture` as it is to be read; `poor`: dice may lie there that it does not show; `spread`: a flat one as it is to
    be read if dice show in it."""

    picture: Picture
    poor: bool = False
    spread: Picture | None = None


def normalised(picture: Picture) -> Normalised:
    """The picture with its levels spread if it is very dark, else the same one."""
    step = max(1, min(picture.shape[:2]) // _SAMPLE)
    small = cv2.resize(picture[::step, ::step], (_SAMPLE, _SAMPLE), interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small)
    burnt = np.count_nonzero(cv2.min(cv2.min(blue, green), red) >= _WHITE)
    if burnt > _BURNT_SHARE * _SAMPLE**2:
        return Normalised(picture, poor=True)
    brightest = float(np.partition(cv2.max(cv2.max(blue, green), red).ravel(), -_FEW)[-_FEW])
    if brightest >= _DARK:
        darkest = float(np.partition(cv2.min(cv2.min(blue, green), red).ravel(), _FEW)[_FEW])
        flat = brightest - darkest < _FLAT
        return Normalised(picture, spread=_spread(picture, darkest, brightest) if flat else None)
    if _glint(picture) >= _DARK:
        return Normalised(picture)
    times = _WANTED / max(brightest, 1.0)
    if times > _MOST:
        return Normalised(picture, poor=True)
    return Normalised(_spread(picture, 0.0, brightest), poor=times > _ROUNDED or times * _noise(picture) > _GRAINY)


def clips(spread: Picture, x: float, y: float, edge: float) -> bool:
    """Whether a die at (x, y), `edge` in pixels, has most of its top face darker or lighter than a picture's levels
    `spread` leave it: the picture is not flat there, and has lost the die's colour."""
    reach = _TOP * edge
    part = spread[max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1]
    return part.size > 0 and float(((part == 0) | (part == 255)).any(2).mean()) > _CUT_OFF


def _glint(picture: Picture) -> float:
    """The level of the smallest bright spots. What is dark but lit well has some: a shine on a die, an edge, a pip. To
    make it brighter would make other colours of it."""
    step = max(1, max(picture.shape[:2]) // _FINE)
    levels = picture[::step, ::step].max(2).ravel()
    return float(np.partition(levels, -_SPOT)[-_SPOT]) if len(levels) > _SPOT else 0.0


def _spread(picture: Picture, darkest: float, brightest: float) -> Picture:
    """The picture with these two levels at 0 and at the wanted one."""
    table = (np.arange(256) - darkest) * (_WANTED / max(brightest - darkest, 1.0))
    return np.asarray(cv2.LUT(picture, np.clip(table, 0, 255).astype(np.uint8)), np.uint8)


def _noise(picture: Picture) -> float:
    """Standard deviation of the noise in levels, from the picture's middle (Immerkaer 1996, "Fast noise variance
    estimation")."""
    height, width = picture.shape[:2]
    top, left = max(0, height // 2 - 320), max(0, width // 2 - 320)
    part: npt.NDArray[np.float32] = picture[top : top + 640, left : left + 640, 1].astype(np.float32)
    if min(part.shape) < 3:
        return 0.0
    answer = cv2.filter2D(part, -1, _IMMERKAER)[1:-1, 1:-1]
    return float(np.abs(answer).mean() * np.sqrt(np.pi / 2) / 6)


DIMMING_STEP = 0.7
"""Share of its light that a camera is to let in where a die is burnt out, and again while one still is."""

_BURNT = 250
"""From this value on, of 255, a channel tells no more how much light there was: of the other two alone a colour is made
that is not the die's."""

_LOOKED_AT = 0.22
"""Half of the middle of a die's box that is looked at, as a share of its shorter side: all of it is the die's top."""

_TOO_MUCH = 0.3


def is_overexposed(picture: Picture, dice: Iterable[DieReading]) -> bool:
    """Whether one of `dice` whose reading may suffer from it, as it is in doubt or told by a colour, is burnt out in a
    picture (height, width, 3; BGR): of more than _TOO_MUCH of its middle a channel is."""
    open_to_it = (die for die in dice if not die.certain or die.face.colour is not None)
    return any(overexposed_share(picture, die.box) > _TOO_MUCH for die in open_to_it)


def overexposed_share(picture: Picture, box: Box) -> float:
    """Share of the pixels in the middle of a box of which a channel is burnt out; 0 outside the picture."""
    left, top, width, height = box
    x, y, reach = left + width / 2, top + height / 2, _LOOKED_AT * min(width, height)
    rows = slice(max(0, int(y - reach)), max(0, int(y + reach) + 1))
    part = picture[rows, max(0, int(x - reach)) : max(0, int(x + reach) + 1)]
    return float((part.max(2) >= _BURNT).mean()) if part.size else 0.0
