"""White balance: the colour of a light as three channel gains, learnt from colour patches, and its correction.

Colours are blue, green, red. "Encoded" values 0..1 are image values (sRGB, IEC 61966-2-1); "linear" values are
proportional to light. The colour of a light is given in linear light with a luminance of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.roll import Box

Colour = tuple[float, float, float]
"""Blue, green, red, encoded, 0..1."""

Floats = npt.NDArray[np.float64]

SURE = 0.95
"""Minimum certainty of a known balance."""

TOLERANCE = 0.25
"""Tolerance of each gain (natural logarithm, linear light): an eighth in a pixel's value."""

LUMINANCE = np.array([0.0722, 0.7152, 0.2126])
"""Weights of blue, green and red in the luminance of linear sRGB (IEC 61966-2-1)."""

_TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
"""CIE XYZ to linear red, green, blue (IEC 61966-2-1)."""


@dataclass(frozen=True, slots=True)
class Balance:
    """A white balance.

    - `gains`: factors for linear blue, green and red that make a neutral grey neutral at the same brightness.
    - `certainty`: probability 0..1 that no gain is off by more than `TOLERANCE`.
    - `source`: how the balance was learnt; `nothing` has gains of one.
    """

    gains: tuple[float, float, float]
    certainty: float
    source: Literal["patches", "nothing"]

    @property
    def known(self) -> bool:
        return self.source != "nothing" and self.certainty >= SURE


def unbalanced(certainty: float = 0.0) -> Balance:
    """Return the balance that leaves the image unchanged, for an unknown light.

    The mean of the image does not help: on a coloured felt it is the felt's colour, not the light's.
    """
    return Balance((1.0, 1.0, 1.0), certainty, "nothing")


def srgb_to_linear(encoded: npt.ArrayLike) -> Floats:
    """Convert encoded values to linear ones (IEC 61966-2-1)."""
    value = np.asarray(encoded, np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(linear: npt.ArrayLike) -> Floats:
    """Convert linear values to encoded ones, clipped to 0..1 (IEC 61966-2-1)."""
    value = np.clip(np.asarray(linear, np.float64), 0, 1)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


def black_body(mired: float, greener: float = 0.0) -> Floats:
    """Return the linear colour of a black body at 1e6 / `mired` kelvin (1667 to 25000), its green times exp(`greener`).

    Locus after Kim et al., "Design of advanced color temperature control system for HDTV applications", 2002.

    Raises: ValueError outside that range.
    """
    if not 40 <= mired <= 600:
        raise ValueError(f"{mired} mired: the lights between 40 and 600 mired (25000 and 1667 kelvin) are known")
    t = mired / 1000  # 1000 / kelvin
    if t > 0.25:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
        below_2222 = (-1.1063814, -1.34811020, 2.18555832, -0.20219683)
        above_2222 = (-0.9549476, -1.37418593, 2.09137015, -0.16748867)
        y = float(np.polyval(below_2222 if t > 1 / 2.222 else above_2222, x))
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
        y = float(np.polyval((3.0817580, -5.87338670, 3.75112997, -0.37001483), x))
    red, green, blue = _TO_RGB @ np.array([x / y, 1.0, (1 - x - y) / y])
    return with_unit_luminance(np.array([blue, green * np.exp(greener), red]))


def with_unit_luminance(light: npt.ArrayLike) -> Floats:
    """Normalise a linear colour to the luminance of white."""
    colour = np.asarray(light, np.float64)
    return np.asarray(colour / (colour @ LUMINANCE))


def to_gains(light: Floats) -> tuple[float, float, float]:
    """Return the gains that correct a light of this linear colour."""
    blue, green, red = 1 / with_unit_luminance(light)
    return (float(blue), float(green), float(red))


_KNEE = 0.92
"""Pixel value above which the curve of a darkened channel rises to the maximum, so that clipped areas stay white."""


def apply_gains(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    """Multiply the linear blue, green and red of `picture` (height, width, 3, BGR) by `gains`. Returns a new image.

    Values above the maximum are clipped. A clipped channel has no colour information. It stays clipped even if its gain
    is below one, so that the reflection of a lamp on a die gets no colour.
    """
    levels = np.arange(256) / 255
    table = np.empty((1, 256, 3), np.uint8)
    for channel, gain in enumerate(gains):
        curve = linear_to_srgb(srgb_to_linear(levels) * gain)
        if gain < 1:
            start = float(np.interp(_KNEE, levels, curve))
            bent = start + (levels - _KNEE) / (1 - _KNEE) * (1 - start)
            curve = np.where(levels > _KNEE, bent, curve)
        table[0, :, channel] = np.round(curve * 255)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


_BURNT = 250 / 255
_DARK = 0.02
_USUAL_ERROR = 0.06
"""Typical relative error (linear light) of one patch channel due to print and camera. Counts as much as two patches."""
_ALIEN = 0.3
"""Relative misfit above which a patch is covered: a die on it, a reflection."""


def patch_colour(picture: Picture, box: Box) -> Colour | None:
    """Return the mean colour of the inner half of `box`; None if it is outside or clipped.

    The mean is taken in linear light and encoded again.
    """
    x, y, width, height = box
    rows = slice(max(0, round(y + height / 4)), max(0, round(y + 3 * height / 4)))
    columns = slice(max(0, round(x + width / 4)), max(0, round(x + 3 * width / 4)))
    pixels = picture[rows, columns].reshape(-1, 3) / 255
    fair = pixels[(pixels < _BURNT).all(1)]
    if len(fair) < max(1, 0.8 * len(pixels)):
        return None
    blue, green, red = linear_to_srgb(srgb_to_linear(fair).mean(0))
    return (float(blue), float(green), float(red))


def balance_from_patches(measured: Sequence[Colour | None], known: Sequence[Colour]) -> Balance:
    """Return the balance that best maps the `measured` colours to the `known` ones, both encoded.

    Least squares of the relative error in linear light, for each channel. None stands for a patch that could not be
    measured. Patches that do not fit the others are removed one by one, as long as most remain. The certainty follows
    from the misfit and number of the remaining ones.

    Raises: ValueError if the two lists differ in length.
    """
    pairs = [(m, k) for m, k in zip(measured, known, strict=True) if m is not None and max(m) < _BURNT]
    if not pairs:
        return unbalanced()
    seen, true = (srgb_to_linear([pair[side] for pair in pairs]) for side in (0, 1))
    least = len(pairs) // 2 + 1
    gains, misfit = _fitted(seen, true)
    while len(seen) > least and len(seen) > 2 and np.abs(misfit).max() > _ALIEN:
        worst = _worst(seen, true)
        seen, true = np.delete(seen, worst, 0), np.delete(true, worst, 0)
        gains, misfit = _fitted(seen, true)
    used = (true > _DARK).sum(0)
    if not used.all():
        return unbalanced()
    misfit = misfit - misfit.mean(1, keepdims=True)  # a shadow on a patch affects all channels equally
    error = np.sqrt((2 * _USUAL_ERROR**2 + (misfit**2).sum(0)) / (2 + np.maximum(used - 1, 0))) / np.sqrt(used)
    certainty = float(np.prod([erf(TOLERANCE / (sqrt(2) * one)) for one in error]))
    return Balance(to_gains(1 / gains), certainty, "patches")


def _fitted(seen: Floats, true: Floats) -> tuple[Floats, Floats]:
    """Return the gains of the three channels, and their relative misfit (N, 3)."""
    weight = 1 / (true + _DARK) ** 2
    gains = (weight * seen * true).sum(0) / np.maximum((weight * seen * seen).sum(0), 1e-9)
    return gains, np.asarray((gains * seen - true) / (true + _DARK))


def _worst(seen: Floats, true: Floats) -> int:
    """Return the patch without which the others agree best."""
    left = [
        float((_fitted(np.delete(seen, one, 0), np.delete(true, one, 0))[1] ** 2).sum()) for one in range(len(seen))
    ]
    return int(np.argmin(left))
