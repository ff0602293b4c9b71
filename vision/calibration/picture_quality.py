"""Image quality of a tray: light distribution by cell, focus and sharpness."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.corners import sampled
from vision.calibration_messages import Aspect, Finding
from vision.pictures import Picture
from vision.white_balance import srgb_to_linear

COLUMNS, ROWS = 8, 6
"""Grid of cells over the tray."""

_RIM = 0.10
"""Share of the tray image on each side that is rim, or in its shadow."""

_BURNT = 250
_LEAST_WHITE = 0.22
"""Minimum level of a white die, as a share of the maximum. Below it noise hides the pips."""


@dataclass(frozen=True, slots=True)
class LightMap:
    """The light on the tray.

    - `level`: linear brightness (0..1) that something white would have.
    - `cells`: shares of the usual light, row by row.
    - `even`: light of the darker tenth divided by that of the brighter tenth.
    - `burnt`: share of clipped pixels in the tray.
    - `patch`: largest share of clipped pixels in one cell.
    """

    level: float
    cells: tuple[float, ...]
    even: float
    burnt: float
    patch: float

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings for brightness, evenness and glare."""
        dark = self.level / _LEAST_WHITE
        glare = min(1.0 - 4 * self.burnt, 1.0 - 0.9 * self.patch)
        return (
            Finding(Aspect.BRIGHT, _unit(dark - 0.2), self.level),
            Finding(Aspect.EVEN, _unit((self.even - 0.15) / 0.5), self.even),
            Finding(Aspect.GLARE, _unit(glare), self.burnt),
        )


def light_map(tray: Picture, dimmed: float = 1.0) -> LightMap:
    """Measure the light in a tray image (see `Rectification`), with any objects in it.

    `dimmed` is the camera's share of its usual light.
    """
    floor = _floor(tray)
    cells = _cells(floor)
    grid = np.array([_level(cell) for cell in cells])
    burnt = [float((cell.min(1) >= _BURNT).mean()) for cell in cells]
    usual = max(1e-4, float(np.median(grid)))
    shares = grid / usual
    dark, bright = np.percentile(shares, 10), np.percentile(shares, 90)
    return LightMap(
        level=min(1.0, usual / dimmed / _reflected(floor)),
        cells=tuple(round(float(share), 3) for share in shares),
        even=float(dark / max(1e-6, bright)),
        burnt=float(np.mean(burnt)),
        patch=max(burnt),
    )


def floor_levels(tray: Picture) -> npt.NDArray[np.float64]:
    """Return the linear brightness of every floor cell, row by row, for comparison over time."""
    return np.array([_level(cell) for cell in _cells(_floor(tray))])


def _floor(tray: Picture) -> Picture:
    height, width = tray.shape[:2]
    top, left = round(_RIM * height), round(_RIM * width)
    return tray[top : height - top, left : width - left]


def _cells(floor: Picture) -> list[Picture]:
    """Return the pixels (N x 3) of every cell, row by row."""
    rows = np.array_split(floor, ROWS, axis=0)
    return [cell.reshape(-1, 3) for row in rows for cell in np.array_split(row, COLUMNS, axis=1)]


def _level(cell: Picture) -> float:
    """Return the median linear brightness of a cell, by its brightest channel."""
    return float(srgb_to_linear(np.median(cell.max(1)) / 255))


def _reflected(floor: Picture) -> float:
    """Estimate the floor's reflectance from its colour: a saturated colour reflects in one channel only.

    An image cannot tell a dark floor from a badly lit one. Felts reflect a fifth to a half.
    """
    middle = srgb_to_linear(np.median(floor.reshape(-1, 3), 0) / 255)
    spread = 1 - float(middle.min()) / max(1e-6, float(middle.max()))
    return 0.28 - 0.12 * spread


def _unit(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 3)


Floats = npt.NDArray[np.float64]

COARSE, FINE = 9, 5
"""Number of lens positions tried over the whole range, and then around the best."""

FOCUS_SETTLE_FRAMES, FRAMES_PER_POSITION = 3, 2
"""Frames skipped after a lens movement, and frames measured."""

_PEAK = 1.15
"""Minimum sharpness of a valid focus, as a multiple of the median of all positions."""


@runtime_checkable
class Turnable(Protocol):
    """A camera with a movable lens (`PiCamera`, the simulated tray's)."""

    @property
    def focus_range(self) -> tuple[float, float] | None:
        """Minimum and maximum dioptres; None for a fixed lens."""
        ...

    def focus(self, dioptres: float) -> None:
        """Move the lens and hold it there."""
        ...


@dataclass(frozen=True, slots=True)
class FocusPeak:
    """The sharpest focus position.

    - `dioptres`: lens position.
    - `peak_ratio`: its sharpness relative to other positions.
    - `found`: whether this is reliable.
    """

    dioptres: float
    peak_ratio: float
    found: bool


FocusSweep = Generator[None, Picture, FocusPeak]
"""Generator that receives images and returns its result."""


def detail(picture: Picture) -> float:
    """Return the energy of focus-dependent detail, normalised by brightness. Grain has little influence."""
    green = np.asarray(cv2.resize(picture[:, :, 1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    edges = cv2.Laplacian(green, cv2.CV_32F)
    return float(edges.var()) / max(1.0, float(green.mean())) ** 2


def sweep_focus(camera: Turnable) -> FocusSweep:
    """Move the lens through its range, then around the best position, and leave it at the sharpest one."""
    least, most = camera.focus_range or (0.0, 0.0)
    places = np.linspace(least, most, COARSE)
    heights = yield from _tried(camera, places)
    top = int(np.argmax(heights))
    step = (most - least) / (COARSE - 1)
    near = np.clip(np.linspace(places[top] - step, places[top] + step, FINE), least, most)
    fine = yield from _tried(camera, near)
    best = _vertex(near, fine)
    camera.focus(best)
    plain = float(max(fine.max(), heights.max()) / max(1e-9, float(np.median(heights))))
    return FocusPeak(best, plain, plain >= _PEAK)


def _tried(camera: Turnable, places: Floats) -> Generator[None, Picture, Floats]:
    heights = []
    for place in places:
        camera.focus(float(place))
        for _ in range(FOCUS_SETTLE_FRAMES):
            yield
        seen = []
        for _ in range(FRAMES_PER_POSITION):
            picture = yield
            seen.append(detail(picture))
        heights.append(float(np.mean(seen)))
    return np.asarray(heights)


def _vertex(places: Floats, heights: Floats) -> float:
    """Return the vertex of the parabola through the highest point and its neighbours."""
    top = int(np.clip(np.argmax(heights), 1, len(places) - 2))
    x, y = places[top - 1 : top + 2], np.sqrt(heights[top - 1 : top + 2])
    if x[0] == x[1] or x[1] == x[2]:
        return float(places[int(np.argmax(heights))])
    curve = np.polyfit(x - x[1], y, 2)
    if curve[0] >= 0:
        return float(places[int(np.argmax(heights))])
    return float(np.clip(x[1] - curve[1] / (2 * curve[0]), x[0], x[2]))


def edge_width(picture: Picture, corners: npt.ArrayLike) -> float:
    """Return the width (10 to 90 percent) of the sharpest of the tray's four edges, as a share of its longest side."""
    quad = np.asarray(corners, np.float64)
    seen = np.asarray(picture, np.float32)
    longest = max(float(np.hypot(*(quad[(side + 1) % 4] - quad[side]))) for side in range(4))
    return min(_edge(seen, quad, side) for side in range(4)) / max(1.0, longest)


def _edge(seen: npt.NDArray[np.float32], quad: Floats, side: int) -> float:
    start, end = quad[side], quad[(side + 1) % 4]
    along = end - start
    length = max(1.0, float(np.hypot(*along)))
    normal = np.array([along[1], -along[0]]) / length
    reach = 0.022 * length
    offsets = np.arange(-reach, reach, 0.25)
    spots = (start + np.linspace(0.12, 0.88, 200)[:, None] * along)[:, None] + offsets[None, :, None] * normal
    bands = sampled(seen, spots)
    profile = np.asarray(np.median(bands, 0), np.float64)
    slopes = np.gradient(cv2.GaussianBlur(profile, (1, 5), 0), axis=0)
    heights = np.linalg.norm(slopes, axis=1)
    middle = len(offsets) // 2
    slack = len(offsets) // 4
    top = middle - slack + int(np.argmax(heights[middle - slack : middle + slack]))
    if heights[top] < 0.4:
        return reach
    return _half_width(heights, top) * 0.25 * 1.09


def _half_width(heights: Floats, top: int) -> float:
    """Return the full width at half maximum of a peak.

    The slope of a blurred edge is a Gaussian. Its full width at half maximum is 2.355 standard deviations, its 10 to 90
    percent rise 2.563 (1.09 times as much).
    """
    half = heights[top] / 2
    left = right = top
    while left > 0 and heights[left] > half:
        left -= 1
    while right < len(heights) - 1 and heights[right] > half:
        right += 1
    return float(right - left)
