"""Looks after a camera that was set up: takes up what was kept, judges the tray at the start, notices what changes.

Each corner of the tray is looked for near where it was: one that is covered is not found and says nothing. The light is
compared cell by cell, and what most cells say counts. Limits are in seconds, so that any frame rate will do.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.corners import find_corners
from vision.calibration.picture_quality import Turnable, floor_levels, light_map
from vision.calibration.record import Calibration, Unreadable, fit_of, load
from vision.calibration.rectification import Floats, Gains, Rectification, corner_distance, significant_gains
from vision.calibration_words import Aspect, CalibrationNews, Finding, Fit, TrayHealth, health_of
from vision.cameras.picamera import Light
from vision.cameras.protocol import Camera, Frame, Paced
from vision.pictures import Picture, shrunk

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

_SETTLED = 12
"""Frames after the start before the tray is judged: exposure has settled."""

_CLEARLY_MOVED = 1.5
"""So many times what counts as moved in play: two findings of the same corners differ a little."""

_POOR = 0.3
"""The score of what has changed for the worse."""


@runtime_checkable
class Lockable(Protocol):
    """A camera whose light can be held (`PiCamera`)."""

    @property
    def held(self) -> Light | None: ...

    def lock(self, light: Light) -> None: ...


class CalibrationMonitor:
    """What is known of one camera's tray. `straight` and `gains` are those in use, None where nothing is known."""

    def __init__(self, source: Camera, file: Path | None) -> None:
        self.file = file
        self.news: list[CalibrationNews] = []
        self.straight: Rectification | None = None
        self.gains: Gains | None = None
        self.busy: Callable[[], AbstractContextManager[None]] = nullcontext
        """Entered around what may take a second."""
        self._source = source
        self._device = device_of(source)
        self._kept: Calibration | None = None
        self._fit: Fit | None = None
        self._drift: DriftDetector | None = None
        self._dimmed = 1.0
        self._moved = False
        self._seen = 0

    @property
    def identity(self) -> str:
        """Which camera it is, so that another one is noticed."""
        return str(getattr(self._device, "identity", "") or self._source.describe())

    def start_anew(self) -> None:
        """The camera was opened again: what was kept is read again with its first picture."""
        self._fit, self._drift, self._seen = None, None, 0

    def take_up(self, raw: Frame) -> None:
        """Read what was kept, once there is a picture: is it of this camera?"""
        if self._fit is not None:
            return
        size = (raw.picture.shape[1], raw.picture.shape[0])
        try:
            kept = None if self.file is None else load(self.file)
            self._fit = Fit.NONE if kept is None else fit_of(kept, self.identity, size)
        except Unreadable:
            kept, self._fit = None, Fit.DAMAGED
        if self._fit is not Fit.GOOD:
            self.news.append(TrayHealth(self._fit))
        self._kept = kept if self._fit is Fit.GOOD else None
        self.use()

    def keep(self, made: Calibration) -> None:
        """This one is in use from now on."""
        self._kept, self._fit = made, Fit.GOOD
        self.use()

    @property
    def kept(self) -> Calibration | None:
        """What is in use."""
        return self._kept

    def note(self, made: Calibration) -> None:
        """The same calibration, with more that was learnt."""
        self._kept = made

    def use(self) -> None:
        """From now on as it was kept."""
        kept = self._kept
        self._drift, self._seen = None, 0
        focal = focal_of(self._device)
        self.straight = None if kept is None else Rectification.of(kept.corners, kept.size, focal)
        self.gains = None if kept is None else significant_gains(kept.gains)
        if kept is None:
            return
        if kept.dioptres is not None and isinstance(self._device, Turnable) and self._device.reach is not None:
            self._device.focus(kept.dioptres)
        if kept.held is not None and isinstance(self._device, Lockable):
            self._device.lock(Light(kept.held.exposure_us, kept.held.gain, kept.held.colours))

    def look_after(self, raw: Frame) -> None:
        """Judge the tray once when all has settled, and from then on notice what changes; look anew where the camera
        lets in another share of the light, as it may have been moved just then."""
        self._seen += 1
        kept = self._kept
        if kept is None or self._seen < _SETTLED or raw.dimming:
            return
        before = self._drift
        if before is not None and raw.dimmed == self._dimmed:
            other = before.see(raw.picture if raw.small is None else raw.small, raw.t, raw.dimmed)
            if other is not None:
                self._tell(raw, other)
            return
        with self.busy():
            found = find_corners(raw.picture)
        points = None if found is None else found.points
        moved = points is not None and _far(points, kept)
        if before is None:
            self._drift = self._compared(raw, kept, points)
            self._tell(raw, Aspect.SEEN if moved else None)
        else:
            self._drift = before.anew(raw.picture, points, raw.dimmed)
            if moved and not self._moved and before.told is not Aspect.SEEN:
                self._tell(raw, Aspect.SEEN)
        self._dimmed, self._moved = raw.dimmed, moved

    def _compared(self, raw: Frame, kept: Calibration, corners: Floats | None) -> DriftDetector:
        """What comes is compared with this picture where its corners are known, else (a hand is in it, dice lie on the
        rim) with the empty tray of the day of the calibration."""
        focal, ground = focal_of(self._device), kept.ground()
        if corners is None and ground is not None:
            share = ground.shape[1] / kept.size[0]
            day = np.asarray(kept.corners) * share
            return DriftDetector(ground, day, Rectification.of(day, (ground.shape[1], ground.shape[0]), focal))
        places = np.asarray(kept.corners) if corners is None else corners
        return DriftDetector(raw.picture, places, Rectification.of(places, kept.size, focal), raw.dimmed)

    def _tell(self, raw: Frame, other: Aspect | None) -> None:
        """How the tray is now: what was found on the day, the light of this moment, and what has changed."""
        if self._kept is None or self.straight is None:
            return
        now = {one.aspect: one for one in self._kept.found()}
        now |= {one.aspect: one for one in light_map(self.straight.picture(raw.picture), raw.dimmed).findings()}
        if other is not None:
            now[other] = Finding(other, _POOR)
        figure, mend = health_of(tuple(now.values()))
        self.news.append(TrayHealth(Fit.GOOD, figure, other or mend, self._kept.made, other is not None))


class DriftDetector:
    """Compares what comes with one picture of the tray as it should be."""

    def __init__(self, anchor: Picture, corners: npt.ArrayLike, straight: Rectification, dimmed: float = 1.0) -> None:
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

    def anew(self, picture: Picture, corners: npt.ArrayLike | None, dimmed: float) -> DriftDetector:
        """One that compares with this picture, taken a moment later in another share of the light, as what is burnt
        out looks otherwise in less of it. `corners`: where the tray's are now, None if that is not known. A light that
        has changed meanwhile is another one to it too."""
        given, straight = self._given
        made = DriftDetector(picture, given if corners is None else corners, straight, dimmed)
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


def device_of(source: Camera) -> Camera:
    """The camera itself, whatever paces it."""
    return source.source if isinstance(source, Paced) else source


def focal_of(device: Camera) -> float | None:
    """Focal length in widths of the picture; None for a camera that does not know it."""
    focal = getattr(device, "focal", None)
    return None if focal is None else float(focal)


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


def _far(corners: Floats, kept: Calibration) -> bool:
    """Whether corners that were found now are elsewhere than those that were kept."""
    return corner_distance(corners, kept.corners) > _CLEARLY_MOVED * MOVED * max(kept.size)
