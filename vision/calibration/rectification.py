"""Rectification: derives tray images from camera images by cropping, and by a homography if the camera is tilted.

A camera rotated about its lens sees the tray's plane through a homography. Its inverse gives the image of a camera that
looks straight down from the same position, so objects on the plane keep their true perspective (R. Hartley, A.
Zisserman, Multiple View Geometry, 2nd ed., 8.6).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import acos, degrees, hypot

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.protocol import Frame
from vision.detection.table_plane import Overhead
from vision.pictures import Picture, downscaled
from vision.white_balance import apply_gains

Floats = npt.NDArray[np.float64]

USUAL_FOCAL = 0.85
"""Default focal length in image widths: between a phone camera and a webcam."""

MARGIN = 0.05
"""Margin around the floor that stays in the image, as a share of the tray's longer side. Dice lean on the rim."""

_STRAIGHT = 2.0
"""Tilt in degrees up to which an image is only cropped. Rectifying it would cost sharpness without benefit."""

Gains = tuple[float, float, float]

WATCHED = 400
"""Longest side in pixels of the copies for settle detection, which works at 320."""

_NEUTRAL = 0.04
"""Gains closer to one than this have no relevant effect."""


@dataclass(frozen=True, slots=True, eq=False)
class Rectification:
    """Mapping from the camera image to the tray image.

    - `matrix`: from camera pixels to tray pixels.
    - `size`: width and height of the tray image.
    - `box`: crop rectangle (x, y, width, height), None if a homography is needed.
    - `tilt`: tilt of the camera in degrees.
    - `view`: camera position relative to the tray image.
    """

    matrix: Floats
    size: tuple[int, int]
    box: tuple[int, int, int, int] | None
    tilt: float
    view: Overhead

    @classmethod
    def from_corners(cls, corners: npt.ArrayLike, size: tuple[int, int], focal: float | None = None) -> Rectification:
        """Create the rectification for corners (upper left, upper right, lower right, lower left) in images of `size`.

        `focal` is the focal length in image widths; None uses the default.
        """
        quad = np.asarray(corners, np.float64)
        lens = (focal or USUAL_FOCAL) * size[0]
        rotation, tilt, turned = _plane_rotation(quad, size, lens)
        if max(tilt, abs(turned)) <= _STRAIGHT:
            return cls._cut(quad, size, lens, tilt)
        flat = cv2.perspectiveTransform(quad[None], rotation)[0]
        low, high = flat.min(0), flat.max(0)
        sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
        scale = float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2 / max(high - low))
        for margin in (MARGIN, 0.75 * MARGIN, 0.5 * MARGIN, 0.25 * MARGIN, 0.0):
            start = low - margin * max(high - low)
            place = np.array([[scale, 0, -scale * start[0]], [0, scale, -scale * start[1]], [0, 0, 1.0]])
            matrix = place @ rotation
            wide, tall = (int(np.ceil(scale * (high[axis] + low[axis] - 2 * start[axis]))) for axis in (0, 1))
            if _within(matrix, (wide, tall), size):
                break
        foot = -scale * start
        view = Overhead((float(foot[0]) / wide, float(foot[1]) / tall), scale / wide)
        return cls(np.asarray(matrix), (wide, tall), None, tilt, view)

    @classmethod
    def _cut(cls, quad: Floats, size: tuple[int, int], lens: float, tilt: float) -> Rectification:
        low, high = quad.min(0), quad.max(0)
        reach = MARGIN * float(max(high - low))
        left, top = (max(0, int(value - reach)) for value in low)
        right, bottom = (min(most, int(np.ceil(value + reach)) + 1) for value, most in zip(high, size, strict=True))
        wide, tall = right - left, bottom - top
        view = Overhead(((size[0] / 2 - left) / wide, (size[1] / 2 - top) / tall), lens / wide)
        matrix = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        return cls(matrix, (wide, tall), (left, top, wide, tall), tilt, view)

    def picture(self, picture: Picture) -> Picture:
        """Return the tray image from the camera image."""
        if self.box is not None:
            left, top, wide, tall = self.box
            return picture[top : top + tall, left : left + wide]
        made = cv2.warpPerspective(
            picture, self.matrix, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(made, np.uint8)

    def scaled(self, before: float, after: float) -> Rectification:
        """Return the rectification for camera images scaled by `before` and tray images scaled by `after`."""
        wide, tall = (max(1, round(after * side)) for side in self.size)
        matrix = np.diag([after, after, 1.0]) @ self.matrix @ np.diag([1 / before, 1 / before, 1.0])
        return Rectification(np.asarray(matrix), (wide, tall), None, self.tilt, self.view)


def tray_frame(raw: Frame, rectification: Rectification, gains: Gains | None) -> Frame:
    """Return the frame of the tray. If more than a crop is needed, the full image is computed on first access."""
    whole, given = raw.picture, raw.small
    if rectification.box is not None:
        small = None if given is None else _crop_small(given, rectification.box, given.shape[1] / whole.shape[1])
        if gains is None:
            return replace(raw, picture=rectification.picture(whole), small=small)
        small = rectification.picture(whole) if small is None else small
    else:
        watched, _ = downscaled(whole if given is None else given, 2 * WATCHED)
        share = watched.shape[1] / whole.shape[1]
        small = rectification.scaled(share, min(1.0, WATCHED / max(rectification.size))).picture(watched)
    return _LazyFrame(lambda: _rectified(whole, rectification, gains), raw, small)


def share_of_picture(corners: npt.ArrayLike, size: tuple[int, int]) -> float:
    """Return the larger of the tray's shares of the image width and height."""
    quad = np.asarray(corners, np.float64)
    reach = quad.max(0) - quad.min(0)
    return float(max(reach[0] / size[0], reach[1] / size[1]))


def corner_distance(one: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Return the largest distance in pixels between corresponding corners."""
    off = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    return max(hypot(float(x), float(y)) for x, y in off)


def significant_or_none(gains: Gains | None) -> Gains | None:
    """Return the gains if they have an effect, None otherwise."""
    return None if gains is None or max(abs(gain - 1) for gain in gains) < _NEUTRAL else gains


def _plane_rotation(quad: Floats, size: tuple[int, int], lens: float) -> tuple[Floats, float, float]:
    """Return the homography that rectifies the plane of a rectangle, the camera's tilt, and its roll, in degrees.

    The rectangle's sides meet at vanishing points, whose directions are perpendicular in the plane.
    """
    shift = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, lens]])
    rays = np.column_stack([quad, np.ones(4)]) @ shift.T / lens
    across = _unit(np.cross(np.cross(rays[0], rays[1]), np.cross(rays[3], rays[2])))
    down = _unit(np.cross(np.cross(rays[0], rays[3]), np.cross(rays[1], rays[2])))
    across, down = (axis * np.sign(axis[place] or 1.0) for place, axis in ((0, across), (1, down)))
    normal = _unit(np.cross(across, down))
    across = _unit(across - normal * (across @ normal))
    axes = np.stack([across, np.cross(normal, across), normal])
    return axes @ (shift / lens), degrees(acos(min(1.0, abs(float(normal[2]))))), degrees(float(across[1]))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(1e-12, float(np.linalg.norm(vector))))


def _within(matrix: Floats, size: tuple[int, int], whole: tuple[int, int]) -> bool:
    """Return True if the whole tray image was inside the camera image."""
    wide, tall = size
    rim = np.array([[[0, 0], [wide, 0], [wide, tall], [0, tall]]], np.float64)
    seen = cv2.perspectiveTransform(rim, np.linalg.inv(matrix))[0]
    return bool((seen > -1).all() and (seen < np.array(whole) + 1).all())


class _LazyFrame(Frame):
    """A frame whose image is computed on first access. Of thirty per second few are read."""

    __slots__ = ("_made",)

    _made: Callable[[], Picture] | Picture

    def __init__(self, make: Callable[[], Picture], raw: Frame, small: Picture | None) -> None:
        object.__setattr__(self, "_made", make)
        object.__setattr__(self, "small", small)
        for name in ("t", "sequence", "dimmed", "dimming"):
            object.__setattr__(self, name, getattr(raw, name))

    @property
    def picture(self) -> Picture:
        made = self._made
        if callable(made):
            made = made()
            object.__setattr__(self, "_made", made)
        return np.asarray(made, np.uint8)


def _crop_small(small: Picture, box: tuple[int, int, int, int], share: float) -> Picture:
    """Crop the small copy; the box is given in pixels of the full image."""
    left, top, wide, tall = (round(side * share) for side in box)
    return small[top : top + tall, left : left + wide]


def _rectified(whole: Picture, straight: Rectification, gains: Gains | None) -> Picture:
    tray = straight.picture(whole)
    return tray if gains is None else apply_gains(tray, gains)
