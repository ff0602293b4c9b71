"""Unsteady light on the simulated tray: flickering lamps, passing shadows, patches of sun."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, pi, sin

import cv2
import numpy as np

from vision.cameras.simulated_effects import lit
from vision.pictures import Picture

_SCALE = 4
"""Factor by which light is drawn smaller than the image."""

READOUT = 0.025
"""Readout time in seconds from the first to the last row of an image (rolling shutter)."""


@dataclass(frozen=True, slots=True)
class MainsFlicker:
    """Flicker of a lamp on alternating current of `frequency_hz` hertz with a rolling shutter: bands that rest, drift
    or jump.

    The light swings twice a period, by `depth` of its strength, slightly more in blue, as fluorescent tubes do.
    """

    frequency_hz: float
    depth: float
    phase: float = 0.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image with the bands at second `t`."""
        rows = np.arange(picture.shape[0], dtype=np.float32)[:, None] / picture.shape[0]
        swing = np.sin(
            2 * pi * (2 * self.frequency_hz * t % 1.0) + 4 * pi * self.frequency_hz * READOUT * rows + self.phase
        )
        colours = np.array([1.2, 1.0, 0.9], np.float32)
        gain = 1 + np.float32(self.depth) * swing[:, :, None] * colours
        return lit(picture, np.asarray(np.repeat(gain, 2, axis=1), np.float32))


@dataclass(frozen=True, slots=True)
class PassingShadow:
    """The soft shadow of a person who passes the table: an ellipse that enters, may pause, and leaves.

    - `dark`: share of the light that it blocks.
    - `soft`: width of its edge in pixels.
    - `start_position`, `speed`: position at second `start_s`, and pixels per second (x, y).
    - `travels`, `stays`: seconds until the pause halfway, and its duration in seconds.
    """

    start_s: float
    start_position: tuple[float, float]
    speed: tuple[float, float]
    size: tuple[float, float]
    turned: float
    dark: float
    soft: float
    travels: float
    stays: float = 0.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image with the shadow at its position at second `t`."""
        gone = max(0.0, t - self.start_s)
        moved = min(gone, self.travels) + max(0.0, gone - self.travels - self.stays)
        middle = (self.start_position[0] + self.speed[0] * moved, self.start_position[1] + self.speed[1] * moved)
        shade = np.ones((picture.shape[0] // _SCALE, picture.shape[1] // _SCALE), np.float32)
        box = (tuple(m / _SCALE for m in middle), tuple(2 * s / _SCALE for s in self.size), degrees(self.turned))
        cv2.ellipse(shade, box, 1 - self.dark, -1, cv2.LINE_AA)
        return lit(picture, np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.5, self.soft / _SCALE)), np.float32))


@dataclass(frozen=True, slots=True)
class SunPatch:
    """A patch of sun from a window: appears at second `start_s` within `rise` seconds, drifts, and ends at `end`."""

    start_s: float
    end: float
    rise: float
    middle: tuple[float, float]
    size: tuple[float, float]
    turned: float
    strength: float
    creep: float = 2.0
    soft: float = 4.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image with the patch at its brightness at second `t`."""
        share = min(1.0, max(0.0, (t - self.start_s) / self.rise), max(0.0, 1 - (t - self.end) / self.rise))
        if share <= 0.0:
            return picture
        patch = np.ones((picture.shape[0] // _SCALE, picture.shape[1] // _SCALE), np.float32)
        way = self.creep * (t - self.start_s)
        middle = ((self.middle[0] + way * cos(0.4)) / _SCALE, (self.middle[1] + way * sin(0.4)) / _SCALE)
        box = (middle, (self.size[0] / _SCALE, self.size[1] / _SCALE), degrees(self.turned))
        cv2.fillConvexPoly(patch, cv2.boxPoints(box).astype(np.int32), 1 + self.strength * share, cv2.LINE_AA)
        soft = cv2.GaussianBlur(patch, (0, 0), max(0.5, self.soft / _SCALE))
        warm = cv2.merge([1 + (soft - 1) * 0.85, soft, soft])
        return lit(picture, np.asarray(warm, np.float32))
