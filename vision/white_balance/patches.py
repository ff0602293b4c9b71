"""The light's colour from patches of known colours: a calibrated card, or the tray's own marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from vision.pictures import Picture
from vision.roll import Box
from vision.white_balance.light import TOLERANCE, Balance, Colour, Floats, decode, encode, to_gains, unbalanced

_BURNT = 250 / 255
_DARK = 0.02
_USUAL_ERROR = 0.06
"""Relative error (linear light) of one channel of a patch as print and camera go; counts as much as two patches."""
_ALIEN = 0.3
"""Relative misfit from which a patch is something else: a die on it, a reflection."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Where known colours lie in a camera's pictures (`boxes`, in pixels), and which (`colours`, encoded)."""

    boxes: tuple[Box, ...]
    colours: tuple[Colour, ...]

    def balance(self, picture: Picture) -> Balance:
        """The light's balance as these patches show it in `picture`."""
        return from_patches([patch_colour(picture, box) for box in self.boxes], self.colours)


def patch_colour(picture: Picture, box: Box) -> Colour | None:
    """Mean colour, in linear light and encoded again, of the inner half of `box`; None if it is outside or burnt
    out."""
    x, y, width, height = box
    rows = slice(max(0, round(y + height / 4)), max(0, round(y + 3 * height / 4)))
    columns = slice(max(0, round(x + width / 4)), max(0, round(x + 3 * width / 4)))
    pixels = picture[rows, columns].reshape(-1, 3) / 255
    fair = pixels[(pixels < _BURNT).all(1)]
    if len(fair) < max(1, 0.8 * len(pixels)):
        return None
    blue, green, red = encode(decode(fair).mean(0))
    return (float(blue), float(green), float(red))


def from_patches(measured: Sequence[Colour | None], known: Sequence[Colour]) -> Balance:
    """The balance by which the `measured` colours come nearest to the `known` ones, both encoded.

    Least squares of the relative error in linear light, each channel apart. A patch that could not be measured is
    None; one that does not fit the others is left out, one at a time, as long as most of them fit. The certainty
    follows from how well those left fit and how many they are. Raises ValueError if the two lists differ in length.
    """
    pairs = [(m, k) for m, k in zip(measured, known, strict=True) if m is not None and max(m) < _BURNT]
    if not pairs:
        return unbalanced()
    seen, true = (decode([pair[side] for pair in pairs]) for side in (0, 1))
    least = len(pairs) // 2 + 1
    gains, misfit = _fitted(seen, true)
    while len(seen) > least and len(seen) > 2 and np.abs(misfit).max() > _ALIEN:
        worst = _worst(seen, true)
        seen, true = np.delete(seen, worst, 0), np.delete(true, worst, 0)
        gains, misfit = _fitted(seen, true)
    used = (true > _DARK).sum(0)
    if not used.all():
        return unbalanced()
    misfit = misfit - misfit.mean(1, keepdims=True)  # a shadow on a patch takes all channels alike
    error = np.sqrt((2 * _USUAL_ERROR**2 + (misfit**2).sum(0)) / (2 + np.maximum(used - 1, 0))) / np.sqrt(used)
    certainty = float(np.prod([erf(TOLERANCE / (sqrt(2) * one)) for one in error]))
    return Balance(to_gains(1 / gains), certainty, "patches")


def _fitted(seen: Floats, true: Floats) -> tuple[Floats, Floats]:
    """Gains of the three channels, and the relative misfit (N, 3) that they leave."""
    weight = 1 / (true + _DARK) ** 2
    gains = (weight * seen * true).sum(0) / np.maximum((weight * seen * seen).sum(0), 1e-9)
    return gains, np.asarray((gains * seen - true) / (true + _DARK))


def _worst(seen: Floats, true: Floats) -> int:
    """The patch without which the others agree best."""
    left = [
        float((_fitted(np.delete(seen, one, 0), np.delete(true, one, 0))[1] ** 2).sum()) for one in range(len(seen))
    ]
    return int(np.argmin(left))
