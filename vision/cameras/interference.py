"""What else a camera over a tray sees: hands, things that are no dice, an unsteady lamp and the sensor's grain."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Picture
from vision.drawing.material import Colour, Light

MARGIN = 64
"""How much larger than a frame the sheet of grain is: each frame takes another part of it."""

_SKIN = (118, 150, 208)
_SLEEVE = (92, 60, 48)
_FINGERS = ((-34, -50), (-12, -70), (12, -68), (34, -46))


@dataclass(frozen=True, slots=True)
class Thing:
    """A round token lying in the tray."""

    x: float
    y: float
    radius: float

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw it with its shadow, in place, in light of that tint."""
        centre = (round(self.x), round(self.y))
        rings = ((1.0, -1, (60, 140, 170)), (0.7, 2, (80, 170, 200)))
        shadow = _tinted((30, 34, 30), light)
        cv2.circle(picture, (centre[0] + 2, centre[1] + 3), round(self.radius), shadow, -1, cv2.LINE_AA)
        for share, thick, colour in rings:
            cv2.circle(picture, centre, round(self.radius * share), _tinted(colour, light), thick, cv2.LINE_AA)


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand that reaches in from the lower edge and goes again. Times are seconds of the tray.

    Its palm gets to (`x`, `deepest`) and stays there for `stays` of the `lasts` seconds.
    """

    start: float
    x: float
    deepest: float = 150.0
    stays: float = 0.0
    lasts: float = 1.4

    @classmethod
    def reaching(cls, t: float, chance: np.random.Generator, stays: float = 0.0) -> Arm:
        """A hand that starts now, somewhere along the lower edge."""
        return cls(t, float(chance.uniform(200, 440)), float(chance.uniform(120, 220)), stays, 1.4 + stays)

    def deep(self, t: float) -> bool:
        """Whether it has reached as far as it will."""
        return t - self.start >= self.lasts / 2

    def gone(self, t: float) -> bool:
        """Whether it is out of the picture again."""
        return t - self.start >= self.lasts

    def tip(self, t: float, height: int) -> float:
        """How far down the picture its palm is."""
        gone = t - self.start
        moved = min(gone, (self.lasts - self.stays) / 2) + max(0.0, gone - (self.lasts + self.stays) / 2)
        reach = sin(pi * min(1.0, max(0.0, moved / (self.lasts - self.stays))))
        return height + 130 - reach * (height + 130 - self.deepest)


def arm_over(picture: Picture, arm: Arm, t: float, light: Light) -> None:
    """Draw the arm on the picture, in place, in light of that tint."""
    skin, sleeve = _tinted(_SKIN, light), _tinted(_SLEEVE, light)
    x, y = round(arm.x), round(arm.tip(t, picture.shape[0]))
    foot = (x + 40, picture.shape[0] + 400)
    cv2.line(picture, (x, y), foot, skin, 84, cv2.LINE_AA)
    cv2.line(picture, (x + 12, y + 130), foot, sleeve, 120, cv2.LINE_AA)
    for dx, dy in _FINGERS:
        cv2.line(picture, (x + dx, y), (x + dx * 5 // 4, y + dy), skin, 22, cv2.LINE_AA)
    cv2.line(picture, (x - 34, y + 20), (x - 86, y - 18), skin, 24, cv2.LINE_AA)


def _tinted(colour: Colour, light: Light) -> Colour:
    blue, green, red = (value * part for value, part in zip(colour, light.tint, strict=True))
    return blue, green, red


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light that drifts slowly and flickers a little, both as shares of its strength."""

    drift: float = 0.04
    every: float = 40.0
    flicker: float = 0.01

    def shine(self, picture: Picture, t: float) -> Picture:
        """The picture in the light of second `t`."""
        strength = 1 + self.drift * sin(2 * pi * t / self.every) + self.flicker * sin(2 * pi * 7.3 * t)
        return np.asarray(cv2.convertScaleAbs(picture, alpha=strength), np.uint8)


def grain(sensor: np.random.Generator, noise: float, shape: tuple[int, int] = (480, 640)) -> NDArray[np.int8]:
    """A sheet of sensor noise of spread `noise` grey levels, MARGIN larger than a frame each way."""
    sheet = sensor.standard_normal((shape[0] + MARGIN, shape[1] + MARGIN, 3), dtype=np.float32) * np.float32(noise)
    return np.clip(np.round(sheet), -127, 127).astype(np.int8)
