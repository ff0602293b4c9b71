"""Simulated camera faults and small moving objects: hunting exposure and focus, jolts, insects, dust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, exp, hypot, pi, sin

import cv2
import numpy as np

from vision.pictures import Picture

Place = tuple[float, float]
"""x and y in pixels of the tray."""


@dataclass(frozen=True, slots=True)
class ExposureHunting:
    """Hunting of exposure and focus, starting at each of the seconds in `start_times`, for `lasts` seconds.

    - `swing`: overshoot of the brightness.
    - `blur`: maximum blur in pixels.
    - `hz`: frequency.
    """

    start_times: Sequence[float]
    lasts: float
    swing: float
    blur: float
    hz: float = 1.5

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image as exposed and focused at second `t`."""
        into = next((t - start for start in self.start_times if 0 <= t - start < self.lasts), None)
        if into is None:
            return picture
        dying = 1 - into / self.lasts
        gain = 1 + self.swing * dying * sin(2 * pi * self.hz * into)
        blur = self.blur * dying * sin(pi * self.hz * into) ** 2
        if blur > 0.3:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


@dataclass(frozen=True, slots=True)
class Shake:
    """A camera on the table that is knocked at each of the seconds in `knocks` and vibrates constantly.

    - `way`: amplitude of a knock in pixels, in direction `towards` (radians), with frequency `hz`. It decays within
      half a second.
    - `stays`: permanent displacement of the camera after each knock, in pixels.
    - `tremor`: amplitude of the vibration in pixels.
    """

    knocks: Sequence[float]
    way: float
    towards: float
    stays: float = 0.0
    tremor: float = 0.3
    hz: float = 9.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image as seen by the camera at second `t`."""
        since = [t - knock for knock in self.knocks if t >= knock]
        swings = sum(self.way * exp(-age / 0.12) * sin(2 * pi * self.hz * age) for age in since)
        along = swings + self.stays * len(since)
        dx = along * cos(self.towards) + self.tremor * sin(2 * pi * 3.7 * t)
        dy = along * sin(self.towards) + self.tremor * sin(2 * pi * 5.3 * t + 1)
        height, width = picture.shape[:2]
        matrix = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
        moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(moved, np.uint8)


@dataclass(frozen=True, slots=True)
class Insect:
    """A fly that walks along `path` from second `start_s` on, pausing `rests` seconds at each point."""

    start_s: float
    path: Sequence[Place]
    speed: float
    rests: float
    size: float = 7.0

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image with the fly, if it is present at second `t`."""
        found = self._at(t - self.start_s)
        if found is None:
            return picture
        (x, y), heading = found
        middle = (round(x), round(y))
        for side in (-1.0, 1.0):
            for spread in (0.9, 1.6, 2.3):
                angle = heading + side * (spread + (0.25 * sin(40 * t) if self._walks(t) else 0.0))
                foot = (round(x + self.size * cos(angle)), round(y + self.size * sin(angle)))
                cv2.line(picture, middle, foot, (38, 40, 44), 1, cv2.LINE_AA)
        axes = (max(1, round(self.size * 0.75)), max(1, round(self.size * 0.4)))
        cv2.ellipse(picture, middle, axes, degrees(heading), 0, 360, (26, 24, 28), -1, cv2.LINE_AA)
        return picture

    def _walks(self, t: float) -> bool:
        before, now = self._at(t - self.start_s - 0.01), self._at(t - self.start_s)
        return before is not None and now is not None and before[0] != now[0]

    def _at(self, gone: float) -> tuple[Place, float] | None:
        """Return position and heading `gone` seconds after the fly's arrival, or None while it is absent."""
        if gone < 0:
            return None
        for start, goal in zip(self.path, self.path[1:], strict=False):
            heading = atan2(goal[1] - start[1], goal[0] - start[0])
            lasts = hypot(goal[0] - start[0], goal[1] - start[1]) / self.speed
            if gone < lasts:
                way = gone / lasts
                return (start[0] + (goal[0] - start[0]) * way, start[1] + (goal[1] - start[1]) * way), heading
            gone -= lasts
            if gone < self.rests:
                return goal, heading
            gone -= self.rests
        return None


@dataclass(frozen=True, slots=True)
class Dust:
    """Out-of-focus dust that floats near the lens. Each speck is (x, y, radius, brightness gain)."""

    specks: Sequence[tuple[float, float, float, float]]
    drift: Place

    def over(self, picture: Picture, t: float) -> Picture:
        """Return the image with the specks at their positions at second `t`."""
        height, width = picture.shape[:2]
        for number, (x, y, radius, light) in enumerate(self.specks):
            sway = 3 * sin(1.7 * t + number)
            middle = (round((x + self.drift[0] * t + sway) % width), round((y + self.drift[1] * t) % height))
            reach = round(radius)
            left, top = max(0, middle[0] - reach), max(0, middle[1] - reach)
            part = picture[top : middle[1] + reach + 1, left : middle[0] + reach + 1]
            veil = np.zeros(part.shape[:2], np.uint8)
            cv2.circle(veil, (middle[0] - left, middle[1] - top), reach, round(light), -1, cv2.LINE_AA)
            part[:] = cv2.add(part, cv2.merge([veil, veil, veil]))
        return picture
