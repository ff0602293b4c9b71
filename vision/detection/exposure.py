"""Exposure correction for images that are too dark, have low contrast or are overexposed.

A tray in a dim room uses only a few of the 256 levels. Stretching the levels makes its dice readable. If noise is
stretched too, or most of the image is overexposed, dice may be lost without a trace, and the status must be `ask`. A
low-contrast image (mist, a dirty pane) is stretched only if this reveals dice: an empty tray of one colour has low
contrast too, and stretching it only amplifies the noise.
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
"""An image whose brightest part is below this level is brightened."""

_FLAT = 70.0
"""Maximum range of levels of a low-contrast image."""

_WANTED = 200.0
"""Target level of the brightest part."""

_GRAINY = 25.0
"""Noise (standard deviation in levels) of a stretched image above which dice may be lost."""

_MOST = 40.0
"""Maximum gain. Above it nothing is stretched: the lens cap is on."""

_ROUNDED = 25.0
"""Gain above which too few levels remain to show every die."""

_WHITE, _BURNT_SHARE = 250, 0.5
"""White level in all three channels, and the share of white pixels above which dice may be lost."""

_SPOT, _FINE = 20, 640
"""Pixels of a spot that is not a sensor defect, for an image of this size (longer side)."""

_TOP, _CUT_OFF = 0.3, 0.5
"""Half width, in edges, of the area that is certainly top face, and the clipped share that loses its colour."""

_SAMPLE = 160
"""Edge of the square sample in which levels are measured."""

_FEW = 50
"""Number of brightest sample pixels that are ignored: glints."""

_IMMERKAER = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class NormalisedPicture:
    """An image prepared for reading.

    - `picture`: the image to read.
    - `is_poor`: it may contain invisible dice.
    - `spread`: a stretched version of a low-contrast image, to use if dice show in it.
    """

    picture: Picture
    is_poor: bool = False
    spread: Picture | None = None


def normalise_levels(picture: Picture) -> NormalisedPicture:
    """Return the image, with its levels stretched if it is very dark."""
    step = max(1, min(picture.shape[:2]) // _SAMPLE)
    small = cv2.resize(picture[::step, ::step], (_SAMPLE, _SAMPLE), interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small)
    burnt = np.count_nonzero(cv2.min(cv2.min(blue, green), red) >= _WHITE)
    if burnt > _BURNT_SHARE * _SAMPLE**2:
        return NormalisedPicture(picture, is_poor=True)
    brightest = float(np.partition(cv2.max(cv2.max(blue, green), red).ravel(), -_FEW)[-_FEW])
    if brightest >= _DARK:
        darkest = float(np.partition(cv2.min(cv2.min(blue, green), red).ravel(), _FEW)[_FEW])
        flat = brightest - darkest < _FLAT
        return NormalisedPicture(picture, spread=_spread(picture, darkest, brightest) if flat else None)
    if _glint(picture) >= _DARK:
        return NormalisedPicture(picture)
    times = _WANTED / max(brightest, 1.0)
    if times > _MOST:
        return NormalisedPicture(picture, is_poor=True)
    return NormalisedPicture(
        _spread(picture, 0.0, brightest), is_poor=times > _ROUNDED or times * _noise(picture) > _GRAINY
    )


def is_clipped(spread: Picture, x: float, y: float, edge: float) -> bool:
    """Return True if most of the top face of a die at (x, y), `edge` in pixels, is clipped in the image `spread`.

    The original has normal contrast there, and stretching has lost the die's colour.
    """
    reach = _TOP * edge
    part = spread[max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1]
    return part.size > 0 and float(((part == 0) | (part == 255)).any(2).mean()) > _CUT_OFF


def _glint(picture: Picture) -> float:
    """Return the level of the smallest bright spots.

    A dark but well-lit scene has some: a reflection on a die, an edge, a pip. Brightening it would change its colours.
    """
    step = max(1, max(picture.shape[:2]) // _FINE)
    levels = picture[::step, ::step].max(2).ravel()
    return float(np.partition(levels, -_SPOT)[-_SPOT]) if len(levels) > _SPOT else 0.0


def _spread(picture: Picture, darkest: float, brightest: float) -> Picture:
    """Map the level range linearly from 0 to the target level."""
    table = (np.arange(256) - darkest) * (_WANTED / max(brightest - darkest, 1.0))
    return np.asarray(cv2.LUT(picture, np.clip(table, 0, 255).astype(np.uint8)), np.uint8)


def _noise(picture: Picture) -> float:
    """Return the noise (standard deviation in levels) in the image centre."""
    height, width = picture.shape[:2]
    top, left = max(0, height // 2 - 320), max(0, width // 2 - 320)
    return noise_level(picture[top : top + 640, left : left + 640, 1].astype(np.float32))


def noise_level(part: npt.NDArray[np.float32]) -> float:
    """Return the noise (standard deviation in levels) of one channel: what differs from pixel to pixel.

    Source: Immerkaer 1996, "Fast noise variance estimation".
    """
    if min(part.shape) < 3:
        return 0.0
    answer = cv2.filter2D(part, -1, _IMMERKAER)[1:-1, 1:-1]
    return float(np.abs(answer).mean() * np.sqrt(np.pi / 2) / 6)


DIMMING_STEP = 0.7
"""Light reduction factor for overexposed dice, applied again while a die is still overexposed."""

_BURNT = 250
"""Clipped level of a channel, of 255. The other two channels alone give a wrong colour."""

_LOOKED_AT = 0.22
"""Half of the examined centre of a box, as a share of its shorter side. It lies within the die's top."""

_TOO_MUCH = 0.3


def is_overexposed(picture: Picture, dice: Iterable[DieReading]) -> bool:
    """Return True if overexposure may affect one of `dice` in the image (height, width, 3; BGR).

    Counts dice that are in doubt or identified by colour, with a channel clipped in more than _TOO_MUCH of their
    centre.
    """
    open_to_it = (die for die in dice if not die.certain or die.face.colour is not None)
    return any(overexposed_share(picture, die.box) > _TOO_MUCH for die in open_to_it)


def overexposed_share(picture: Picture, box: Box) -> float:
    """Return the share of pixels in the centre of a box with a clipped channel; 0 outside the image."""
    left, top, width, height = box
    x, y, reach = left + width / 2, top + height / 2, _LOOKED_AT * min(width, height)
    rows = slice(max(0, int(y - reach)), max(0, int(y + reach) + 1))
    part = picture[rows, max(0, int(x - reach)) : max(0, int(x + reach) + 1)]
    return float((part.max(2) >= _BURNT).mean()) if part.size else 0.0
