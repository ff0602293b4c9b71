"""A camera that is not at peace, and what is smaller than a die: hunting exposure and focus, jolts, insects, dust."""

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
class Pumping:
    """Exposure and focus that hunt now and then: at each of the seconds `begins`, for `lasts` seconds.

    `swing` is by how much the brightness overshoots, `blur` the greatest blur in pixels, `hz` how fast it hunts.
    """

    begins: Sequence[float]
    lasts: float
    swing: float
    blur: float
    hz: float = 1.5

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture as exposed and focused at second `t`."""
        into = next((t - begin for begin in self.begins if 0 <= t - begin < self.lasts), None)
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
    """A camera on the table that is knocked at each of the seconds `knocks` and trembles all the time.

    A knock swings by `way` pixels towards `towards` (radians), `hz` times a second, and dies away within half a second;
    each leaves the camera displaced by `stays` pixels for good. `tremor` is in pixels.
    """

    knocks: Sequence[float]
    way: float
    towards: float
    stays: float = 0.0
    tremor: float = 0.3
    hz: float = 9.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture as the camera stands at second `t`."""
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
    """A fly that walks from place to place of `path` from second `begin` on, pausing `rests` seconds at each."""

    begin: float
    path: Sequence[Place]
    speed: float
    rests: float
    size: float = 7.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture with the fly, if it is there at second `t`."""
        found = self._at(t - self.begin)
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
        before, now = self._at(t - self.begin - 0.01), self._at(t - self.begin)
        return before is not None and now is not None and before[0] != now[0]

    def _at(self, gone: float) -> tuple[Place, float] | None:
        """Where it is and whither it looks, `gone` seconds after it came; None while it is not there."""
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
    """Specks in the air near the lens: they float by out of focus, each (x, y, radius, how much lighter it is)."""

    specks: Sequence[tuple[float, float, float, float]]
    drift: Place

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture with the specks where they float at second `t`."""
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
