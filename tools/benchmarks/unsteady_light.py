"""Unsteady light over the simulated tray: lamps that beat, shadows that pass, sun that falls in."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, pi, sin

import cv2
import numpy as np

from vision.cameras.simulated_effects import lit
from vision.pictures import Picture

_SCALE = 4
"""Light is drawn this much smaller than the picture."""

READOUT = 0.025
"""Seconds between the first and the last row of a picture: a rolling shutter."""


@dataclass(frozen=True, slots=True)
class Beat:
    """A lamp on alternating current of `mains` hertz under a rolling shutter: bands that stand, creep or jump.

    Light swings twice a period, by `depth` of its strength. A little more in blue, as tubes do.
    """

    mains: float
    depth: float
    phase: float = 0.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture with the bands of second `t`."""
        rows = np.arange(picture.shape[0], dtype=np.float32)[:, None] / picture.shape[0]
        swing = np.sin(2 * pi * (2 * self.mains * t % 1.0) + 4 * pi * self.mains * READOUT * rows + self.phase)
        colours = np.array([1.2, 1.0, 0.9], np.float32)
        gain = 1 + np.float32(self.depth) * swing[:, :, None] * colours
        return lit(picture, np.asarray(np.repeat(gain, 2, axis=1), np.float32))


@dataclass(frozen=True, slots=True)
class Shadow:
    """The soft shadow of somebody who moves beside the table: an ellipse that comes, may stay, and goes on.

    It takes `dark` of the light, is `soft` pixels wide at its edge, moves from `start` by `speed` pixels a second
    (x, y) from second `begin`, and stands still in the middle of its way for `stays` seconds after `travels`.
    """

    begin: float
    start: tuple[float, float]
    speed: tuple[float, float]
    size: tuple[float, float]
    turned: float
    dark: float
    soft: float
    travels: float
    stays: float = 0.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture with the shadow where it is at second `t`."""
        gone = max(0.0, t - self.begin)
        moved = min(gone, self.travels) + max(0.0, gone - self.travels - self.stays)
        middle = (self.start[0] + self.speed[0] * moved, self.start[1] + self.speed[1] * moved)
        shade = np.ones((picture.shape[0] // _SCALE, picture.shape[1] // _SCALE), np.float32)
        box = (tuple(m / _SCALE for m in middle), tuple(2 * s / _SCALE for s in self.size), degrees(self.turned))
        cv2.ellipse(shade, box, 1 - self.dark, -1, cv2.LINE_AA)
        return lit(picture, np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.5, self.soft / _SCALE)), np.float32))


@dataclass(frozen=True, slots=True)
class Sun:
    """A window's patch of sun: comes at second `begin` within `rise` seconds, creeps, and goes at second `end`."""

    begin: float
    end: float
    rise: float
    middle: tuple[float, float]
    size: tuple[float, float]
    turned: float
    strength: float
    creep: float = 2.0
    soft: float = 4.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture with as much of the patch as shines at second `t`."""
        share = min(1.0, max(0.0, (t - self.begin) / self.rise), max(0.0, 1 - (t - self.end) / self.rise))
        if share <= 0.0:
            return picture
        patch = np.ones((picture.shape[0] // _SCALE, picture.shape[1] // _SCALE), np.float32)
        way = self.creep * (t - self.begin)
        middle = ((self.middle[0] + way * cos(0.4)) / _SCALE, (self.middle[1] + way * sin(0.4)) / _SCALE)
        box = (middle, (self.size[0] / _SCALE, self.size[1] / _SCALE), degrees(self.turned))
        cv2.fillConvexPoly(patch, cv2.boxPoints(box).astype(np.int32), 1 + self.strength * share, cv2.LINE_AA)
        soft = cv2.GaussianBlur(patch, (0, 0), max(0.5, self.soft / _SCALE))
        warm = cv2.merge([1 + (soft - 1) * 0.85, soft, soft])
        return lit(picture, np.asarray(warm, np.float32))
