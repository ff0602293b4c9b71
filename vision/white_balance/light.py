"""The colour of a light as three channel gains, and the lights that occur: near the black body's, a little greener or
pinker.

Colours are blue, green, red. "Encoded" values 0..1 are those of a picture (sRGB, IEC 61966-2-1), "linear" ones are
proportional to light. A light's colour is given in linear light with a luminance of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Colour = tuple[float, float, float]
"""Blue, green, red, encoded, 0..1."""

Floats = npt.NDArray[np.float64]

SURE = 0.95
"""A balance is taken for known from this certainty on."""

TOLERANCE = 0.25
"""How far (natural logarithm, linear light) each gain of a right balance may be off: an eighth in a pixel's value."""

LUMINANCE = np.array([0.0722, 0.7152, 0.2126])
"""Share of blue, green and red in the luminance of linear sRGB (IEC 61966-2-1)."""

_TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
"""CIE XYZ to linear red, green, blue (IEC 61966-2-1)."""


@dataclass(frozen=True, slots=True)
class Balance:
    """`gains`: what the linear blue, green and red are to be multiplied by so that a neutral grey becomes neutral and
    stays as bright. `certainty`: the chance 0..1 that no gain is off by more than `TOLERANCE`. `source`: what the
    balance was learnt from; gains of one when it is `nothing`."""

    gains: tuple[float, float, float]
    certainty: float
    source: Literal["patches", "dice", "nothing"]

    @property
    def known(self) -> bool:
        return self.source != "nothing" and self.certainty >= SURE


def unbalanced(certainty: float = 0.0) -> Balance:
    """The balance where nothing is known: the picture stays as it is.

    The mean of the picture is no help: on a coloured felt it is the felt's colour, not the light's.
    """
    return Balance((1.0, 1.0, 1.0), certainty, "nothing")


def decode(encoded: npt.ArrayLike) -> Floats:
    """Encoded values to linear ones (IEC 61966-2-1)."""
    value = np.asarray(encoded, np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4)


def encode(linear: npt.ArrayLike) -> Floats:
    """Linear values to encoded ones, cut to 0..1 (IEC 61966-2-1)."""
    value = np.clip(np.asarray(linear, np.float64), 0, 1)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


def black_body(mired: float, greener: float = 0.0) -> Floats:
    """Linear colour of a black body's light of 1e6 / `mired` kelvin (1667 to 25000), its green times exp(`greener`).

    Locus after Kim et al., "Design of advanced color temperature control system for HDTV applications", 2002.
    Raises ValueError outside that range.
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
    return of_one_luminance(np.array([blue, green * np.exp(greener), red]))


def of_one_luminance(light: npt.ArrayLike) -> Floats:
    """The same linear colour, as bright as white."""
    colour = np.asarray(light, np.float64)
    return np.asarray(colour / (colour @ LUMINANCE))


def to_gains(light: Floats) -> tuple[float, float, float]:
    """What frees a picture of a light of this linear colour."""
    blue, green, red = 1 / of_one_luminance(light)
    return (float(blue), float(green), float(red))
