"""Effects on the simulated tray's image: hands, objects, lamps, shadows, grain, and the camera mount."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi, sin
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from vision.drawing.rendering import Colour, Light
from vision.drawing.tray import FOCAL, SIZE, tray_rim, wood
from vision.pictures import Picture
from vision.roll import CameraTrouble
from vision.white_balance import linear_to_srgb, srgb_to_linear

MARGIN = 64
"""Extra size of the grain image beyond a frame. Each frame uses another part of it."""

_SKIN = (118, 150, 208)
_SLEEVE = (92, 60, 48)
_FINGERS = ((-34, -50), (-12, -70), (12, -68), (34, -46))


@dataclass(frozen=True, slots=True)
class SimulatedToken:
    """A round token in the tray."""

    x: float
    y: float
    radius: float

    def lie_on(self, picture: Picture, light: Light) -> None:
        """Draw the token with its shadow into `picture`, in place, in light of that tint."""
        centre = (round(self.x), round(self.y))
        rings = ((1.0, -1, (60, 140, 170)), (0.7, 2, (80, 170, 200)))
        shadow = _tinted((30, 34, 30), light)
        cv2.circle(picture, (centre[0] + 2, centre[1] + 3), round(self.radius), shadow, -1, cv2.LINE_AA)
        for share, thick, colour in rings:
            cv2.circle(picture, centre, round(self.radius * share), _tinted(colour, light), thick, cv2.LINE_AA)


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand that reaches in from the lower edge and leaves again. Times are in seconds of the tray.

    Its palm moves to (`x`, `deepest`) and stays there for `stays` of the `lasts` seconds.
    """

    start: float
    x: float
    deepest: float = 150.0
    stays: float = 0.0
    lasts: float = 1.4

    @classmethod
    def reaching(cls, t: float, chance: np.random.Generator, stays: float = 0.0) -> Arm:
        """Create a hand that starts now, at a random place along the lower edge."""
        return cls(t, float(chance.uniform(200, 440)), float(chance.uniform(120, 220)), stays, 1.4 + stays)

    def deep(self, t: float) -> bool:
        """Return True if it has reached its deepest point."""
        return t - self.start >= self.lasts / 2

    def gone(self, t: float) -> bool:
        """Return True if it has left the image."""
        return t - self.start >= self.lasts

    def tip(self, t: float, height: int) -> float:
        """Return the vertical position of its palm in the image."""
        gone = t - self.start
        moved = min(gone, (self.lasts - self.stays) / 2) + max(0.0, gone - (self.lasts + self.stays) / 2)
        reach = sin(pi * min(1.0, max(0.0, moved / (self.lasts - self.stays))))
        return height + 130 - reach * (height + 130 - self.deepest)


def draw_arm(picture: Picture, arm: Arm, t: float, light: Light) -> None:
    """Draw the arm into `picture`, in place, in light of that tint."""
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
class SimulatedLamp:
    """A light that drifts slowly and flickers a little, both as shares of its strength."""

    drift: float = 0.04
    every: float = 40.0
    flicker: float = 0.01

    def shine(self, picture: Picture, t: float) -> Picture:
        """Return the image in the light of second `t`."""
        strength = 1 + self.drift * sin(2 * pi * t / self.every) + self.flicker * sin(2 * pi * 7.3 * t)
        return np.asarray(cv2.convertScaleAbs(picture, alpha=strength), np.uint8)


def grain(sensor: np.random.Generator, noise: float, shape: tuple[int, int] = (480, 640)) -> NDArray[np.int8]:
    """Return sensor noise (standard deviation `noise` in grey levels), MARGIN larger than a frame in each direction."""
    sheet = sensor.standard_normal((shape[0] + MARGIN, shape[1] + MARGIN, 3), dtype=np.float32) * np.float32(noise)
    return np.clip(np.round(sheet), -127, 127).astype(np.int8)


_OVEREXPOSURE = 200.0
"""Light of an overexposed picture, as a multiple of the usual light."""

_SNOW = 90.0
"""Noise of a noisy picture (standard deviation in grey levels)."""


def with_fault(picture: Picture, fault: CameraTrouble, sensor: np.random.Generator) -> Picture:
    """Return the picture as a faulty camera delivers it: overexposed (white) or noisy. Others are unchanged."""
    if fault is CameraTrouble.WHITE:
        linear = srgb_to_linear(np.arange(256) / 255) * _OVEREXPOSURE
        table = linear_to_srgb(np.minimum(linear, 1.0)) * 255
        return np.asarray(cv2.LUT(picture, np.round(table).astype(np.uint8)), np.uint8)
    if fault is CameraTrouble.NOISY:
        return np.asarray(cv2.add(picture, grain(sensor, _SNOW, picture.shape[:2])[MARGIN:, MARGIN:], dtype=cv2.CV_8U))
    return picture


_ONE = 128


class Disturbance(Protocol):
    """An effect that changes the tray's image although nothing in it has moved."""

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image of second `t` with the effect. The input may be modified."""
        ...


def lit(picture: Picture, gain: NDArray[np.float32]) -> Picture:
    """Return the image multiplied by `gain` (any size, one or three colours), 0 to just under 2."""
    steps = np.clip(gain * _ONE + 0.5, 0, 255).astype(np.uint8)
    if steps.ndim == 2:
        steps = np.asarray(cv2.merge([steps, steps, steps]), np.uint8)
    height, width = picture.shape[:2]
    full = cv2.resize(steps, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, full, scale=1 / _ONE), np.uint8)


Matrix = npt.NDArray[np.float64]
"""3 x 3 homography, from pixels to pixels."""

Points = npt.NDArray[np.float64]
"""N x 2 in pixels. The centre of the upper left pixel is (0, 0)."""

TABLE = (0.22, 0.30, 0.36)
"""Colour of the table under the tray."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Camera mount, relative to a camera straight above the centre with the tray filling the image.

    - `across`, `down`: tilt about the image axes in radians.
    - `turned`: rotation about the optical axis in radians.
    - `zoom`: below one shows more of the table.
    - `shift`: displacement in pixels, as of a camera that was pushed aside.
    """

    across: float = 0.0
    down: float = 0.0
    turned: float = 0.0
    zoom: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    def matrix(self, size: tuple[int, int] = SIZE) -> Matrix:
        """Return the homography from the tray seen from above to this camera's image. `size` is (height, width)."""
        height, width = size
        lens = np.array([[FOCAL, 0, width / 2], [0, FOCAL, height / 2], [0, 0, 1.0]])
        turns = [np.asarray(cv2.Rodrigues(np.array(axis, float))[0]) for axis in self._axes()]
        scale = np.array([[self.zoom, 0, self.shift[0]], [0, self.zoom, self.shift[1]], [0, 0, 1.0]])
        centred = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1.0]])
        zoomed = centred @ scale @ np.linalg.inv(centred)
        return np.asarray(zoomed @ lens @ turns[2] @ turns[1] @ turns[0] @ np.linalg.inv(lens), np.float64)

    def corners(self, size: tuple[int, int] = SIZE) -> Points:
        """Return the visible corners of the felt: upper left, upper right, lower right, lower left."""
        height, width = size
        rim = tray_rim(height) - 0.5
        felt = np.array(
            [[rim, rim], [width - 1 - rim, rim], [width - 1 - rim, height - 1 - rim], [rim, height - 1 - rim]]
        )
        return project_points(self.matrix(size), felt)

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image as this camera sees it (`Disturbance`)."""
        if self == Mount():
            return picture
        height, width = picture.shape[:2]
        table = _table((height, width)).copy()
        seen = cv2.warpPerspective(
            picture,
            self.matrix((height, width)),
            (width, height),
            dst=table,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        return np.asarray(seen, np.uint8)

    def _axes(self) -> tuple[tuple[float, float, float], ...]:
        return ((self.down, 0.0, 0.0), (0.0, -self.across, 0.0), (0.0, 0.0, self.turned))


@dataclass(frozen=True, slots=True)
class Lens:
    """A movable lens: sharp at `best` dioptres, blurred by `blur` pixels per dioptre of deviation."""

    best: float = 4.2
    at: float = 4.2
    blur: float = 1.6
    nearest: float = 10.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image through the lens at its current position."""
        spread = abs(self.at - self.best) * self.blur
        if spread < 0.25:
            return picture
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread), np.uint8)


def project_points(matrix: Matrix, points: Points) -> Points:
    """Apply a homography to points (N x 2)."""
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], matrix)[0], np.float64)


@lru_cache(maxsize=4)
def _table(size: tuple[int, int]) -> Picture:
    """Return the image of the table under the tray. It is always the same."""
    ground = wood(size, TABLE, np.random.default_rng(11))
    return np.asarray(np.clip(ground * 255, 0, 255), np.uint8)
