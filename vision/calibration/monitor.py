"""Calibration monitor: loads the stored calibration, judges the tray at the start, and detects later changes.

Each tray corner is searched for near its stored place. A covered corner is not found and does not count. The light is
compared cell by cell, and the majority decides. All limits are in seconds, so any frame rate works.
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
from vision.calibration.record import Calibration, DamagedCalibration, UnreadableCalibration, load, status_for_camera
from vision.calibration.rectification import Floats, Gains, Rectification, corner_distance, significant_or_none
from vision.calibration_messages import Aspect, CalibrationNews, CalibrationStatus, Finding, TrayHealth, overall_health
from vision.cameras.picamera import LightSettings
from vision.cameras.protocol import Camera, Frame, Paced
from vision.files import set_aside
from vision.pictures import Picture, downscaled

Grey = npt.NDArray[np.uint8]

WIDE = 320
"""Longest side in pixels of the compared images."""

CORNER_INTERVAL_S, LIGHT_INTERVAL_S = 0.25, 1.0
"""Seconds between two checks of the corners, and of the light."""

MOVED_SHARE = 0.009
"""Minimum shift, as a share of the image's longest side, of a moved camera. Less than a die's pip."""

_SINCE, _LOST_SINCE, _LIGHT_SINCE = 0.8, 6.0, 4.0
"""Seconds that a shift, missing corners, and a light change must last."""

_HALF, _REACH = 18, 16
"""Half the side of a corner template, and its search distance, in pixels of the small image."""

_SURE = 0.62
"""Minimum correlation of a found corner."""

_DOUBLINGS = 0.8
"""Minimum light change, in doublings, in most of the cells."""

_DARKER = -2.0
"""The same for the darkest tenth of the cells relative to the others: a lasting shadow, a lamp that went out."""

_BURNT_OUT = -0.15
"""Level (doublings, 0 is the maximum value) above which a cell is clipped and its light unknown."""

_WARM_UP_FRAMES = 12
"""Frames before the tray is judged, so that the exposure has settled."""

_CLEARLY_MOVED = 1.5
"""Factor on the shift limit at the start, because two detections of the same corners differ slightly."""

_POOR = 0.3
"""Score of an aspect that got worse."""


@runtime_checkable
class Lockable(Protocol):
    """A camera whose light can be held (`PiCamera`)."""

    @property
    def locked_light(self) -> LightSettings | None: ...

    def lock(self, light: LightSettings) -> None: ...


class CalibrationMonitor:
    """The calibration state of one camera. `rectification` and `gains` are in use, None if unknown."""

    def __init__(self, source: Camera, file: Path | None) -> None:
        self.file = file
        self.news: list[CalibrationNews] = []
        self.rectification: Rectification | None = None
        self.gains: Gains | None = None
        self.busy: Callable[[], AbstractContextManager[None]] = nullcontext
        """Context entered around work that may take a second."""
        self._source = source
        self._device = unwrap_camera(source)
        self._calibration: Calibration | None = None
        self._status: CalibrationStatus | None = None
        self._drift: DriftDetector | None = None
        self._dimmed = 1.0
        self._moved = False
        self._seen = 0

    @property
    def identity(self) -> str:
        """Camera identity, used to detect another camera."""
        return str(getattr(self._device, "identity", "") or self._source.describe())

    def reset(self) -> None:
        """Reset after the camera was reopened: the stored calibration is loaded again with its first image."""
        self._status, self._drift, self._seen = None, None, 0

    def load_saved(self, raw: Frame) -> None:
        """Load the stored calibration with the first image, and check that it belongs to this camera."""
        if self._status is not None:
            return
        size = (raw.picture.shape[1], raw.picture.shape[0])
        try:
            kept = None if self.file is None else load(self.file)
            self._status = CalibrationStatus.NONE if kept is None else status_for_camera(kept, self.identity, size)
        except UnreadableCalibration as fault:
            kept, self._status = None, CalibrationStatus.DAMAGED
            self._set_damaged_file_aside(fault)
        self._calibration = kept if self._status is CalibrationStatus.GOOD else None
        try:
            self.apply()
        except (ArithmeticError, ValueError, np.linalg.LinAlgError, cv2.error) as fault:
            self._status, self._calibration = CalibrationStatus.DAMAGED, None
            self._set_damaged_file_aside(DamagedCalibration("vision.calibration.corners", path=self.file, reason=fault))
            self.apply()
        if self._status is not CalibrationStatus.GOOD:
            self.news.append(TrayHealth(self._status))

    def _set_damaged_file_aside(self, fault: UnreadableCalibration) -> None:
        """Move a damaged file aside. That of another version or without permission stays."""
        if isinstance(fault, DamagedCalibration) and self.file is not None:
            set_aside(self.file)

    def adopt(self, made: Calibration) -> None:
        """Use this calibration from now on."""
        self._calibration, self._status = made, CalibrationStatus.GOOD
        self.apply()

    @property
    def calibration(self) -> Calibration | None:
        """The calibration in use."""
        return self._calibration

    def update(self, made: Calibration) -> None:
        """Replace the calibration by one with additional learnt data."""
        self._calibration = made

    def apply(self) -> None:
        """Apply the stored calibration."""
        kept = self._calibration
        self._drift, self._seen = None, 0
        focal = focal_length(self._device)
        self.rectification = None if kept is None else Rectification.from_corners(kept.corners, kept.size, focal)
        self.gains = None if kept is None else significant_or_none(kept.gains)
        if kept is None:
            return
        if kept.dioptres is not None and isinstance(self._device, Turnable) and self._device.focus_range is not None:
            self._device.focus(kept.dioptres)
        if kept.held is not None and isinstance(self._device, Lockable):
            self._device.lock(LightSettings(kept.held.exposure_us, kept.held.gain, kept.held.colours))

    def check(self, raw: Frame) -> None:
        """Judge the tray once the image has settled, and detect changes from then on.

        Detects corners again after the camera changed its light share, because the camera may have moved at that
        moment.
        """
        self._seen += 1
        kept = self._calibration
        if kept is None or self._seen < _WARM_UP_FRAMES or raw.dimming:
            return
        before = self._drift
        if before is not None and raw.dimmed == self._dimmed:
            other = before.check(raw.picture if raw.small is None else raw.small, raw.t, raw.dimmed)
            if other is not None:
                self._report_health(raw, other)
            return
        with self.busy():
            found = find_corners(raw.picture)
        points = None if found is None else found.points
        moved = points is not None and _are_moved(points, kept)
        if before is None:
            self._drift = self._compared(raw, kept, points)
            self._report_health(raw, Aspect.SEEN if moved else None)
        else:
            self._drift = before.rebased(raw.picture, points, raw.dimmed)
            if moved and not self._moved and before.reported is not Aspect.SEEN:
                self._report_health(raw, Aspect.SEEN)
        self._dimmed, self._moved = raw.dimmed, moved

    def _compared(self, raw: Frame, kept: Calibration, corners: Floats | None) -> DriftDetector:
        """Create the drift detector, with this image as reference if its corners are known.

        Otherwise (a hand is in the image, dice lie on the rim) the reference is the empty tray from the calibration.
        """
        focal, ground = focal_length(self._device), kept.ground()
        if corners is None and ground is not None:
            share = ground.shape[1] / kept.size[0]
            day = np.asarray(kept.corners) * share
            return DriftDetector(
                ground, day, Rectification.from_corners(day, (ground.shape[1], ground.shape[0]), focal)
            )
        places = np.asarray(kept.corners) if corners is None else corners
        return DriftDetector(raw.picture, places, Rectification.from_corners(places, kept.size, focal), raw.dimmed)

    def _report_health(self, raw: Frame, other: Aspect | None) -> None:
        """Report the tray's health: the calibration's findings, the current light, and what changed."""
        if self._calibration is None or self.rectification is None:
            return
        now = {one.aspect: one for one in self._calibration.saved_findings()}
        now |= {one.aspect: one for one in light_map(self.rectification.picture(raw.picture), raw.dimmed).findings()}
        if other is not None:
            now[other] = Finding(other, _POOR)
        figure, mend = overall_health(tuple(now.values()))
        self.news.append(
            TrayHealth(CalibrationStatus.GOOD, figure, other or mend, self._calibration.made, other is not None)
        )


class DriftDetector:
    """Compares images with one reference image of the tray."""

    def __init__(
        self, anchor: Picture, corners: npt.ArrayLike, rectification: Rectification, dimmed: float = 1.0
    ) -> None:
        """Create a detector. `anchor` is a camera image with the tray's `corners`, taken with light share `dimmed`."""
        small, self._factor = downscaled(anchor, WIDE)
        self._size = small.shape
        self._given = np.asarray(corners, np.float64), rectification
        self._rectification = rectification.scaled(self._factor, min(1.0, WIDE / max(rectification.size)))
        self._levels = self._light_on(small, dimmed)
        self._corners = np.asarray(corners, np.float64) * self._factor
        self._corner_patches = [_patch_around(_grey(small), corner, _HALF) for corner in self._corners]
        self._next = self._light_next = float("-inf")
        self._light: dict[Aspect, bool] = {}
        self._since: dict[Aspect, float] = {}
        self._lost_since: float | None = None
        self._reported: Aspect | None = None

    def check(self, picture: Picture, t: float, dimmed: float = 1.0) -> Aspect | None:
        """Return what has changed once it is certain, each time it becomes something else.

        SEEN means that the camera moved, BRIGHT or EVEN that the light changed. `picture` is the full camera image or a
        small copy. It is checked at most once every CORNER_INTERVAL_S seconds. `dimmed` is the current share of the
        camera's usual light.
        """
        if t < self._next:
            return None
        self._next = t + CORNER_INTERVAL_S
        small, _ = downscaled(picture, WIDE)
        if small.shape != self._size:
            return None
        if float(small.mean()) < 14.0:  # covered, or the light is off: nothing is visible
            self._since.clear()
            self._lost_since = None
            return None
        if t >= self._light_next:
            self._light, self._light_next = self._light_changes(small, dimmed), t + LIGHT_INTERVAL_S
        now = {Aspect.SEEN: self._moved(_grey(small), t)} | self._light
        for aspect, so in now.items():
            if so:
                self._since.setdefault(aspect, t)
            else:
                self._since.pop(aspect, None)
        return self._report(t)

    def rebased(self, picture: Picture, corners: npt.ArrayLike | None, dimmed: float) -> DriftDetector:
        """Return a detector with a new reference image, taken a moment later with another share of light.

        Overexposed areas look different in less light. `corners` are the tray's current corners, None if unknown. A
        light change in the meantime is still detected.
        """
        given, straight = self._given
        made = DriftDetector(picture, given if corners is None else corners, straight, dimmed)
        made._levels = np.where(self._levels < _BURNT_OUT, self._levels, made._levels)
        made._reported = self._reported
        return made

    @property
    def reported(self) -> Aspect | None:
        """The last reported change that still holds."""
        return self._reported

    def _report(self, t: float) -> Aspect | None:
        found = None
        for aspect, lasts in ((Aspect.SEEN, _SINCE), (Aspect.BRIGHT, _LIGHT_SINCE), (Aspect.EVEN, _LIGHT_SINCE)):
            if aspect in self._since and t - self._since[aspect] >= lasts:
                found = aspect
                break
        if found is None or found is self._reported:
            self._reported = self._reported if self._since else None
            return None
        self._reported = found
        return found

    def _moved(self, grey: Grey, t: float) -> bool:
        """Return True if most visible corners moved, or none was visible for long."""
        shifts = [
            shift
            for patch, corner in zip(self._corner_patches, self._corners, strict=True)
            if (shift := _corner_shift(grey, patch, corner))
        ]
        limit = MOVED_SHARE * WIDE
        gone = [shift for shift in shifts if np.hypot(*shift) > limit]
        if len(shifts) > 1:
            self._lost_since = None
            return len(gone) > 1 and len(gone) > len(shifts) - len(gone)
        if self._lost_since is None:
            self._lost_since = t
        return t - self._lost_since > _LOST_SINCE

    def _light_on(self, small: Picture, dimmed: float) -> Floats:
        """Return the light on each cell of the floor in doublings, corrected for the camera's light share."""
        return np.asarray(np.log2(floor_levels(self._rectification.picture(small)) / dimmed + 1e-3))

    def _light_changes(self, small: Picture, dimmed: float) -> dict[Aspect, bool]:
        step = self._light_on(small, dimmed) - self._levels
        middle = float(np.median(step))
        beside = float(np.percentile(step, 12)) - middle
        return {Aspect.BRIGHT: abs(middle) > _DOUBLINGS, Aspect.EVEN: beside < _DARKER}


def unwrap_camera(source: Camera) -> Camera:
    """Return the camera itself, without its pacing wrapper."""
    return source.source if isinstance(source, Paced) else source


def focal_length(device: Camera) -> float | None:
    """Return the focal length in image widths; None if the camera does not know it."""
    focal = getattr(device, "focal", None)
    return None if focal is None else float(focal)


def _grey(small: Picture) -> Grey:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.uint8)


def _patch_around(grey: Grey, middle: Floats, half: int) -> Grey:
    """Return the square around a point, moved into the image if needed."""
    height, width = grey.shape
    left, top = _corner_of(middle, half, (width, height))
    return grey[top : top + 2 * half + 1, left : left + 2 * half + 1]


def _corner_of(middle: Floats, half: int, size: tuple[int, int]) -> tuple[int, int]:
    left = int(np.clip(round(float(middle[0])) - half, 0, max(0, size[0] - 2 * half - 1)))
    top = int(np.clip(round(float(middle[1])) - half, 0, max(0, size[1] - 2 * half - 1)))
    return left, top


def _corner_shift(grey: Grey, patch: Grey, corner: Floats) -> tuple[float, float] | None:
    """Return the shift of a corner in pixels; None if it is not visible near its stored place."""
    height, width = grey.shape
    left, top = _corner_of(corner, _HALF, (width, height))
    if float(patch.std()) < 3.0 or patch.shape != (2 * _HALF + 1, 2 * _HALF + 1):
        return None
    wide = cv2.copyMakeBorder(grey, _REACH, _REACH, _REACH, _REACH, cv2.BORDER_REPLICATE)
    around = wide[top : top + patch.shape[0] + 2 * _REACH, left : left + patch.shape[1] + 2 * _REACH]
    alike = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, place = cv2.minMaxLoc(alike)
    if best < _SURE:
        return None
    return float(place[0] - _REACH), float(place[1] - _REACH)


def _are_moved(corners: Floats, kept: Calibration) -> bool:
    """Return True if the detected corners differ from the stored ones."""
    return corner_distance(corners, kept.corners) > _CLEARLY_MOVED * MOVED_SHARE * max(kept.size)
