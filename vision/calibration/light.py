"""How the light lies on the tray: level, evenness, glare, cell by cell; dice and hands on it do not count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.calibration_words import Aspect, Finding
from vision.pictures import Picture
from vision.white_balance.light import decode

COLUMNS, ROWS = 8, 6
"""Cells that the tray is looked at in."""

_RIM = 0.10
"""Of the tray's picture so much on each side is rim, or in its shadow."""

_BURNT = 250
_LEAST_WHITE = 0.22
"""A white die on this tray has at least this share of the brightest value; under it noise eats the pips."""


@dataclass(frozen=True, slots=True)
class LightMap:
    """The light on the tray. `level`: how bright (linear, 0..1) something white would be; `cells`: shares of the usual
    light, row by row; `even`: light of the darker tenth by that of the brighter; `burnt`: share of the tray's pixels
    that are burnt out; `patch`: the greatest share of one cell that is."""

    level: float
    cells: tuple[float, ...]
    even: float
    burnt: float
    patch: float

    def findings(self) -> tuple[Finding, ...]:
        """Brightness, evenness and glare."""
        dark = self.level / _LEAST_WHITE
        glare = min(1.0 - 4 * self.burnt, 1.0 - 0.9 * self.patch)
        return (
            Finding(Aspect.BRIGHT, _unit(dark - 0.2), self.level),
            Finding(Aspect.EVEN, _unit((self.even - 0.15) / 0.5), self.even),
            Finding(Aspect.GLARE, _unit(glare), self.burnt),
        )


def light_map(tray: Picture, dimmed: float = 1.0) -> LightMap:
    """The light on a tray's picture (see `Straight`), whatever lies in it; `dimmed`: the share of its usual light that
    the camera lets in."""
    floor = _floor(tray)
    cells = _cells(floor)
    grid = np.array([_level(cell) for cell in cells])
    burnt = [float((cell.min(1) >= _BURNT).mean()) for cell in cells]
    usual = max(1e-4, float(np.median(grid)))
    shares = grid / usual
    dark, bright = np.percentile(shares, 10), np.percentile(shares, 90)
    return LightMap(
        level=min(1.0, usual / dimmed / _reflected(floor)),
        cells=tuple(round(float(share), 3) for share in shares),
        even=float(dark / max(1e-6, bright)),
        burnt=float(np.mean(burnt)),
        patch=max(burnt),
    )


def floor_levels(tray: Picture) -> npt.NDArray[np.float64]:
    """Linear brightness of every cell of the floor, row by row, for comparing one time with another."""
    return np.array([_level(cell) for cell in _cells(_floor(tray))])


def _floor(tray: Picture) -> Picture:
    height, width = tray.shape[:2]
    top, left = round(_RIM * height), round(_RIM * width)
    return tray[top : height - top, left : width - left]


def _cells(floor: Picture) -> list[Picture]:
    """The pixels (N x 3) of every cell, row by row."""
    rows = np.array_split(floor, ROWS, axis=0)
    return [cell.reshape(-1, 3) for row in rows for cell in np.array_split(row, COLUMNS, axis=1)]


def _level(cell: Picture) -> float:
    """Linear brightness of most of a cell, by its brightest colour."""
    return float(decode(np.median(cell.max(1)) / 255))


def _reflected(floor: Picture) -> float:
    """How much of the light the floor gives back, as its colour lets guess: a strong colour one channel only.

    Nothing in a picture says whether a floor is dark or badly lit; felts give back a fifth to a half.
    """
    middle = decode(np.median(floor.reshape(-1, 3), 0) / 255)
    spread = 1 - float(middle.min()) / max(1e-6, float(middle.max()))
    return 0.28 - 0.12 * spread


def _unit(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 3)
