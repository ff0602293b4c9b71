"""How well a tray is seen: how the light lies on it, cell by cell, and how sharp the picture is."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.corners import sampled
from vision.calibration_words import Aspect, Finding
from vision.pictures import Picture
from vision.white_balance import decode

COLUMNS, ROWS = 8, 6
"""Cells that the tray is looked at in."""

_RIM = 0.10
"""Of the tray's picture so much on each side is rim, or in its shadow."""

_BURNT = 250
_LEAST_WHITE = 0.22
"""A white die on this tray has at least this share of the brightest value; under it noise eats the pips."""


@dataclass(frozen=True, slots=True)
class LightMap:
    """The light on the tray. `level`: how bright (linear, 0..1) something white would be; `cells`: shares of the usual
    light, row by row; `even`: light of the darker tenth by that of the brighter; `burnt`: share of the tray's pixels
    that are burnt out; `patch`: the greatest share of one cell that is."""

    level: float
    cells: tuple[float, ...]
    even: float
    burnt: float
    patch: float

    def findings(self) -> tuple[Finding, ...]:
        """Brightness, evenness and glare."""
        dark = self.level / _LEAST_WHITE
        glare = min(1.0 - 4 * self.burnt, 1.0 - 0.9 * self.patch)
        return (
            Finding(Aspect.BRIGHT, _unit(dark - 0.2), self.level),
            Finding(Aspect.EVEN, _unit((self.even - 0.15) / 0.5), self.even),
            Finding(Aspect.GLARE, _unit(glare), self.burnt),
        )


def light_map(tray: Picture, dimmed: float = 1.0) -> LightMap:
    """The light on a tray's picture (see `Straight`), whatever lies in it; `dimmed`: the share of its usual light that
    the camera lets in."""
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
    """Linear brightness of every cell of the floor, row by row, for comparing one time with another."""
    return np.array([_level(cell) for cell in _cells(_floor(tray))])


def _floor(tray: Picture) -> Picture:
    height, width = tray.shape[:2]
    top, left = round(_RIM * height), round(_RIM * width)
    return tray[top : height - top, left : width - left]


def _cells(floor: Picture) -> list[Picture]:
    """The pixels (N x 3) of every cell, row by row."""
    rows = np.array_split(floor, ROWS, axis=0)
    return [cell.reshape(-1, 3) for row in rows for cell in np.array_split(row, COLUMNS, axis=1)]


def _level(cell: Picture) -> float:
    """Linear brightness of most of a cell, by its brightest colour."""
    return float(decode(np.median(cell.max(1)) / 255))


def _reflected(floor: Picture) -> float:
    """How much of the light the floor gives back, as its colour lets guess: a strong colour one channel only.

    Nothing in a picture says whether a floor is dark or badly lit; felts give back a fifth to a half.
    """
    middle = decode(np.median(floor.reshape(-1, 3), 0) / 255)
    spread = 1 - float(middle.min()) / max(1e-6, float(middle.max()))
    return 0.28 - 0.12 * spread


def _unit(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 3)


Floats = npt.NDArray[np.float64]

COARSE, FINE = 9, 5
"""Places of the lens that are tried over its whole reach, and then about the best."""

SETTLING, LOOKS = 3, 2
"""Frames that pass after the lens was turned, and frames that are looked at."""

_PEAK = 1.15
"""A focus is found if it is so many times as sharp as the middle of all places tried."""


@runtime_checkable
class Turnable(Protocol):
    """A camera whose lens can be turned (`PiCamera`, the simulated tray's)."""

    @property
    def reach(self) -> tuple[float, float] | None:
        """Least and greatest dioptres; None for a lens that is fixed."""
        ...

    def focus(self, dioptres: float) -> None:
        """Turn the lens and hold it there."""
        ...


@dataclass(frozen=True, slots=True)
class Peak:
    """Where a picture is sharpest. `dioptres`: of the lens; `plain`: how much sharper than elsewhere; `found`: whether
    that is enough to be believed."""

    dioptres: float
    plain: float
    found: bool


Looking = Generator[None, Picture, Peak]
"""Is sent one picture after the other and returns what it found."""


def detail(picture: Picture) -> float:
    """The energy of the detail that focus changes, by the light there is; grain counts little."""
    green = np.asarray(cv2.resize(picture[:, :, 1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    edges = cv2.Laplacian(green, cv2.CV_32F)
    return float(edges.var()) / max(1.0, float(green.mean())) ** 2


def sweep(camera: Turnable) -> Looking:
    """Turns the lens through its reach, then about the best place, and leaves it where the picture is sharpest."""
    least, most = camera.reach or (0.0, 0.0)
    places = np.linspace(least, most, COARSE)
    heights = yield from _tried(camera, places)
    top = int(np.argmax(heights))
    step = (most - least) / (COARSE - 1)
    near = np.clip(np.linspace(places[top] - step, places[top] + step, FINE), least, most)
    fine = yield from _tried(camera, near)
    best = _vertex(near, fine)
    camera.focus(best)
    plain = float(max(fine.max(), heights.max()) / max(1e-9, float(np.median(heights))))
    return Peak(best, plain, plain >= _PEAK)


def _tried(camera: Turnable, places: Floats) -> Generator[None, Picture, Floats]:
    heights = []
    for place in places:
        camera.focus(float(place))
        for _ in range(SETTLING):
            yield
        seen = []
        for _ in range(LOOKS):
            picture = yield
            seen.append(detail(picture))
        heights.append(float(np.mean(seen)))
    return np.asarray(heights)


def _vertex(places: Floats, heights: Floats) -> float:
    """The top of the parabola through the highest place and its neighbours."""
    top = int(np.clip(np.argmax(heights), 1, len(places) - 2))
    x, y = places[top - 1 : top + 2], np.sqrt(heights[top - 1 : top + 2])
    if x[0] == x[1] or x[1] == x[2]:
        return float(places[int(np.argmax(heights))])
    curve = np.polyfit(x - x[1], y, 2)
    if curve[0] >= 0:
        return float(places[int(np.argmax(heights))])
    return float(np.clip(x[1] - curve[1] / (2 * curve[0]), x[0], x[2]))


def edge_width(picture: Picture, corners: npt.ArrayLike) -> float:
    """Width (a tenth to nine tenths of the step) of the plainest of the tray's four edges, as a share of its longest
    side: small where the picture is sharp."""
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
    """Full width of a hump at half its height; a blurred step's slope is a bell, whose full width at half its height
    is 2.355 spreads, its rise from a tenth to nine tenths 2.563 (1.09 times as much)."""
    half = heights[top] / 2
    left = right = top
    while left > 0 and heights[left] > half:
        left -= 1
    while right < len(heights) - 1 and heights[right] > half:
        right += 1
    return float(right - left)
