"""Looks after a camera that was set up: takes up what was kept, judges the tray at the start, notices what changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from vision.calibration.corners import find_corners
from vision.calibration.drift import MOVED, Drift
from vision.calibration.focus import Turnable
from vision.calibration.light import light_map
from vision.calibration.record import Calibration, Unreadable, fit_of, load
from vision.calibration.straight import Floats, Straight, furthest
from vision.calibration.tray_frames import Gains, worth
from vision.calibration_words import Aspect, CalibrationNews, Finding, Fit, TrayHealth, health_of
from vision.cameras.hold import Light
from vision.cameras.paced import Paced
from vision.cameras.protocol import Camera, Frame

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


def device_of(source: Camera) -> Camera:
    """The camera itself, whatever paces it."""
    return source.source if isinstance(source, Paced) else source


def focal_of(device: Camera) -> float | None:
    """Focal length in widths of the picture; None for a camera that does not know it."""
    focal = getattr(device, "focal", None)
    return None if focal is None else float(focal)


class Care:
    """What is known of one camera's tray. `straight` and `gains` are those in use, None where nothing is known."""

    def __init__(self, source: Camera, file: Path | None) -> None:
        self.file = file
        self.news: list[CalibrationNews] = []
        self.straight: Straight | None = None
        self.gains: Gains | None = None
        self.busy: Callable[[], AbstractContextManager[None]] = nullcontext
        """Entered around what may take a second."""
        self._source = source
        self._device = device_of(source)
        self._kept: Calibration | None = None
        self._fit: Fit | None = None
        self._drift: Drift | None = None
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

    def use(self) -> None:
        """From now on as it was kept."""
        kept = self._kept
        self._drift, self._seen = None, 0
        focal = focal_of(self._device)
        self.straight = None if kept is None else Straight.of(kept.corners, kept.size, focal)
        self.gains = None if kept is None else worth(kept.gains)
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

    def _compared(self, raw: Frame, kept: Calibration, corners: Floats | None) -> Drift:
        """What comes is compared with this picture where its corners are known, else (a hand is in it, dice lie on the
        rim) with the empty tray of the day of the calibration."""
        focal, ground = focal_of(self._device), kept.ground()
        if corners is None and ground is not None:
            share = ground.shape[1] / kept.size[0]
            day = np.asarray(kept.corners) * share
            return Drift(ground, day, Straight.of(day, (ground.shape[1], ground.shape[0]), focal))
        places = np.asarray(kept.corners) if corners is None else corners
        return Drift(raw.picture, places, Straight.of(places, kept.size, focal), raw.dimmed)

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


def _far(corners: Floats, kept: Calibration) -> bool:
    """Whether corners that were found now are elsewhere than those that were kept."""
    return furthest(corners, kept.corners) > _CLEARLY_MOVED * MOVED * max(kept.size)
