"""Notices in play that the camera was moved or the light has changed, whatever hands and dice do meanwhile.

Each corner of the tray is looked for near where it was: one that is covered is not found and says nothing. The light is
compared cell by cell, and what most cells say counts. Limits are in seconds, so that any frame rate will do.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.light import floor_levels
from vision.calibration.straight import Straight
from vision.calibration_words import Aspect
from vision.pictures import Picture, shrunk

Floats = npt.NDArray[np.float64]
Grey = npt.NDArray[np.uint8]

WIDE = 320
"""Longest side in pixels of the pictures that are compared."""

EVERY, LIGHT_EVERY = 0.25, 1.0
"""Seconds between two looks at the corners, and at the light."""

MOVED = 0.009
"""Of the picture's longest side so much is a move; less than a die's pip."""

_SINCE, _LOST_SINCE, _LIGHT_SINCE = 0.8, 6.0, 4.0
"""Seconds that a move, corners not to be found, and another light must last."""

_HALF, _REACH = 18, 16
"""Half the side of what is looked for at a corner, and how far around, in pixels of the small picture."""

_SURE = 0.62
"""A corner is found where it looks this much alike (correlation)."""

_DOUBLINGS = 0.8
"""Another light: so many doublings more or less in most of the cells."""

_DARKER = -2.0
"""The same in the darkest tenth of the cells, beside the others: a shadow that stays, a lamp that went out."""

_BURNT_OUT = -0.15
"""From here on (doublings, 0 is the brightest value) a cell does not tell how much light there was."""


class Drift:
    """Compares what comes with one picture of the tray as it should be."""

    def __init__(self, anchor: Picture, corners: npt.ArrayLike, straight: Straight, dimmed: float = 1.0) -> None:
        """`anchor` is the camera's picture, with the tray's `corners` in it, and `dimmed` the share of its usual light
        that made it."""
        small, self._factor = shrunk(anchor, WIDE)
        self._size = small.shape
        self._given = np.asarray(corners, np.float64), straight
        self._straight = straight.scaled(self._factor, min(1.0, WIDE / max(straight.size)))
        self._levels = self._light_on(small, dimmed)
        self._corners = np.asarray(corners, np.float64) * self._factor
        self._looks = [_part(_grey(small), corner, _HALF) for corner in self._corners]
        self._next = self._light_next = float("-inf")
        self._light: dict[Aspect, bool] = {}
        self._since: dict[Aspect, float] = {}
        self._lost_since: float | None = None
        self._told: Aspect | None = None

    def see(self, picture: Picture, t: float, dimmed: float = 1.0) -> Aspect | None:
        """What is otherwise than it was when this is certain, each time it becomes another thing: SEEN for a camera
        that was moved, BRIGHT or EVEN for the light. The camera's whole picture is looked at, or a small copy of it,
        EVERY seconds at most. `dimmed` is the share of its usual light that the camera lets in."""
        if t < self._next:
            return None
        self._next = t + EVERY
        small, _ = shrunk(picture, WIDE)
        if small.shape != self._size:
            return None
        if float(small.mean()) < 14.0:  # covered, or the light is off: nothing is to be seen
            self._since.clear()
            self._lost_since = None
            return None
        if t >= self._light_next:
            self._light, self._light_next = self._other_light(small, dimmed), t + LIGHT_EVERY
        now = {Aspect.SEEN: self._moved(_grey(small), t)} | self._light
        for aspect, so in now.items():
            if so:
                self._since.setdefault(aspect, t)
            else:
                self._since.pop(aspect, None)
        return self._tell(t)

    def anew(self, picture: Picture, corners: npt.ArrayLike | None, dimmed: float) -> Drift:
        """One that compares with this picture, taken a moment later in another share of the light, as what is burnt
        out looks otherwise in less of it. `corners`: where the tray's are now, None if that is not known. A light that
        has changed meanwhile is another one to it too."""
        given, straight = self._given
        made = Drift(picture, given if corners is None else corners, straight, dimmed)
        made._levels = np.where(self._levels < _BURNT_OUT, self._levels, made._levels)
        made._told = self._told
        return made

    @property
    def told(self) -> Aspect | None:
        """What was told last and is still so."""
        return self._told

    def _tell(self, t: float) -> Aspect | None:
        found = None
        for aspect, lasts in ((Aspect.SEEN, _SINCE), (Aspect.BRIGHT, _LIGHT_SINCE), (Aspect.EVEN, _LIGHT_SINCE)):
            if aspect in self._since and t - self._since[aspect] >= lasts:
                found = aspect
                break
        if found is None or found is self._told:
            self._told = self._told if self._since else None
            return None
        self._told = found
        return found

    def _moved(self, grey: Grey, t: float) -> bool:
        """Whether the corners that are to be seen are elsewhere, or none has been seen for long."""
        ways = [
            way for look, corner in zip(self._looks, self._corners, strict=True) if (way := _way(grey, look, corner))
        ]
        limit = MOVED * WIDE
        gone = [way for way in ways if np.hypot(*way) > limit]
        if len(ways) > 1:
            self._lost_since = None
            return len(gone) > 1 and len(gone) > len(ways) - len(gone)
        if self._lost_since is None:
            self._lost_since = t
        return t - self._lost_since > _LOST_SINCE

    def _light_on(self, small: Picture, dimmed: float) -> Floats:
        """Doublings of light on each of the floor's cells, whatever share of it the camera lets in."""
        return np.asarray(np.log2(floor_levels(self._straight.picture(small)) / dimmed + 1e-3))

    def _other_light(self, small: Picture, dimmed: float) -> dict[Aspect, bool]:
        step = self._light_on(small, dimmed) - self._levels
        middle = float(np.median(step))
        beside = float(np.percentile(step, 12)) - middle
        return {Aspect.BRIGHT: abs(middle) > _DOUBLINGS, Aspect.EVEN: beside < _DARKER}


def _grey(small: Picture) -> Grey:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.uint8)


def _part(grey: Grey, middle: Floats, half: int) -> Grey:
    """The square about a place, moved into the picture if need be."""
    height, width = grey.shape
    left, top = _corner_of(middle, half, (width, height))
    return grey[top : top + 2 * half + 1, left : left + 2 * half + 1]


def _corner_of(middle: Floats, half: int, size: tuple[int, int]) -> tuple[int, int]:
    left = int(np.clip(round(float(middle[0])) - half, 0, max(0, size[0] - 2 * half - 1)))
    top = int(np.clip(round(float(middle[1])) - half, 0, max(0, size[1] - 2 * half - 1)))
    return left, top


def _way(grey: Grey, look: Grey, corner: Floats) -> tuple[float, float] | None:
    """How far a corner has gone, in pixels; None if it is not to be seen near where it was."""
    height, width = grey.shape
    left, top = _corner_of(corner, _HALF, (width, height))
    if float(look.std()) < 3.0 or look.shape != (2 * _HALF + 1, 2 * _HALF + 1):
        return None
    wide = cv2.copyMakeBorder(grey, _REACH, _REACH, _REACH, _REACH, cv2.BORDER_REPLICATE)
    around = wide[top : top + look.shape[0] + 2 * _REACH, left : left + look.shape[1] + 2 * _REACH]
    alike = cv2.matchTemplate(around, look, cv2.TM_CCOEFF_NORMED)
    _, best, _, place = cv2.minMaxLoc(alike)
    if best < _SURE:
        return None
    return float(place[0] - _REACH), float(place[1] - _REACH)
