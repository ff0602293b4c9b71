"""Tray corner detection: roughly by the floor's colour, then precisely by its edges.

The floor is the uniform area around the image centre, with any objects on it and in any light. Its rim starts at a
straight line of another colour. Uncertain corners are not reported: players then drag them by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, downscaled


def sampled(picture: npt.NDArray[np.float32], spots: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Sample the image at `spots` (N x M x 2, x and y in pixels) bilinearly, replicating the border."""
    places = np.ascontiguousarray(spots, np.float32)
    across, down = np.ascontiguousarray(places[..., 0]), np.ascontiguousarray(places[..., 1])
    found = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

ROUGH, FINE = 320, 1280
"""Longest sides in pixels of the images for the rough and the precise search."""

LEAST_AREA, MOST_AREA = 0.12, 0.985
"""Range of the floor's share of the image."""

_STEPS = (1.6, 2.2, 3.0, 4.2, 6.0, 8.5, 12.0)
"""Differences (Lab) between neighbours on the same floor, smallest first."""

_FILLED = 0.88
"""Minimum share of floor in the quadrilateral around it."""

_OTHER, _TRIED = 5.0, 4
"""Pixels of the small image by which two areas differ, and the number of areas examined closely."""

_BAND = 0.035
"""Search distance around a rough side, as a share of the longest side of the image."""

_NIGHT, _STOP = 8.0, 20.0
"""Edges are measured in doublings of light, so that they are equally high in dark and bright images.

`_STOP` units are one doubling. `_NIGHT` is the noise floor in grey levels.
"""

_SAME_COLOUR, _SAME_LIGHT = 8.0, 16.0
"""Maximum differences in colour and in light between the area just inside a side and the area further inside."""

_SAMPLES, _BLOCKS = 160, 16
_STRONG = 0.3
"""Minimum height of the floor's edge, as a share of the strongest edge of a band."""
_CLEAR = 2.4
"""Minimum height (Lab) of a side's edge. It must also be a multiple of the usual height beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Corners of a tray.

    - `points`: (4 x 2) upper left, upper right, lower right, lower left, in pixels of the image.
    - `clear`: contrast of the weakest of the four sides, 0..1.
    """

    points: Floats
    clear: float


def find_corners(picture: Picture) -> Corners | None:
    """Return the corners of the tray's floor, None if no area is certain."""
    small, factor = downscaled(picture, ROUGH)
    fine, fine_factor = downscaled(picture, FINE)
    sides = _EdgeFitter(fine)
    best: Corners | None = None
    for rough in _coarse_quads(small):
        found = sides.refine(rough * (fine_factor / factor))
        if found is not None and (best is None or found.clear > best.clear):
            best = found
    return None if best is None else Corners(best.points / fine_factor, best.clear)


def plausible(points: npt.ArrayLike, size: tuple[int, int]) -> bool:
    """Return True if four ordered corners can be a tray in an image of that (width, height)."""
    quad = np.asarray(points, np.float32)
    if quad.shape != (4, 2) or not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.int32)):
        return False
    area = float(cv2.contourArea(quad, oriented=True)) / (size[0] * size[1])
    slack = 0.02 * max(size)
    inside = (quad > -slack).all() and (quad < np.array(size) + slack).all()
    return bool(inside) and LEAST_AREA <= area <= MOST_AREA


def order_corners(points: npt.ArrayLike) -> Floats:
    """Sort four points as upper left, upper right, lower right, lower left of their quadrilateral."""
    quad = np.asarray(points, np.float64)
    around = quad - quad.mean(0)
    quad = quad[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    first = int(np.argmin(quad.sum(1)))
    return np.roll(quad, -first, 0)


def _coarse_quads(small: Picture) -> list[Floats]:
    """Return corners of floor-like areas around the centre, each different from the others."""
    kept: list[tuple[float, Floats]] = []
    for mask in _areas(small):
        quad = _quad(mask)
        if quad is None or not plausible(quad, (small.shape[1], small.shape[0])):
            continue
        drawn = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(drawn, np.round(quad).astype(np.int32), 1)
        alike = float((drawn & mask).sum()) / max(1.0, float((drawn | mask).sum()))
        if alike > _FILLED and all(float(np.abs(quad - other).max()) > _OTHER for _, other in kept):
            kept.append((alike, quad))
    return [quad for _, quad in sorted(kept, key=lambda one: -one[0])[:_TRIED]]


def _areas(small: Picture) -> Iterator[Mask]:
    """Yield uniform areas around the centre, one per tolerance. Holes (dice) are filled."""
    smooth = cv2.bilateralFilter(cv2.medianBlur(small, 5), 7, 30, 5)
    lab = cv2.cvtColor(np.asarray(smooth, np.float32) / 255, cv2.COLOR_BGR2LAB)
    lab = np.asarray(cv2.GaussianBlur(lab * np.array([0.6, 1, 1], np.float32), (0, 0), 0.8), np.float32)
    height, width = lab.shape[:2]
    places = [(width * (0.3 + 0.1 * x), height * (0.3 + 0.1 * y)) for x in range(5) for y in range(5)]
    for step in _STEPS:
        together = np.zeros((height, width), np.uint8)
        for x, y in places:
            seed = (round(x), round(y))
            if together[seed[1], seed[0]]:
                continue
            mask = np.zeros((height + 2, width + 2), np.uint8)
            flags = 4 | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
            cv2.floodFill(lab, mask, seed, (0, 0, 0), (step / 4,) * 3, (step / 4,) * 3, flags)
            part = mask[1:-1, 1:-1]
            if part.sum() > 0.03 * part.size:
                together |= part
        if together.sum() < LEAST_AREA / 2 * together.size:
            continue
        closed = cv2.morphologyEx(together, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
        yield _largest_filled(np.asarray(opened, np.uint8))


def _largest_filled(mask: Mask) -> Mask:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    if outlines:
        cv2.drawContours(filled, [max(outlines, key=cv2.contourArea)], -1, 1, -1)
    return filled


def _quad(mask: Mask) -> Floats | None:
    """Return the four straight sides around an area."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    around = cv2.arcLength(hull, True)
    for share in np.arange(0.02, 0.12, 0.01):
        few = cv2.approxPolyDP(hull, float(share) * around, True)
        if len(few) == 4:
            return order_corners(few[:, 0])
        if len(few) < 4:
            break
    return order_corners(cv2.boxPoints(cv2.minAreaRect(hull)))


class _EdgeFitter:
    """Finds precise sides in one image."""

    def __init__(self, fine: Picture) -> None:
        self._logs = np.log2(np.asarray(fine, np.float32) + _NIGHT) * _STOP
        self._size = (fine.shape[1], fine.shape[0])
        self._unit = max(fine.shape[:2]) / 640

    def refine(self, quad: Floats) -> Corners | None:
        """Return the precise corners near rough ones, None if a side has no clear edge."""
        reach = _BAND * 640 * self._unit
        for part in (1.0, 1.0, 0.35):
            found = [self.exact(quad[side], quad[(side + 1) % 4], quad.mean(0), reach * part) for side in range(4)]
            lines = [line for line, _ in found]
            quad = _intersections(lines)
            if not plausible(quad, self._size):
                return None
            outside = [side for side in range(4) if not self._floor_within(quad, side)]
            if outside and part < 1.0:
                return None
            inward = quad.mean(0) - np.array([(quad[side] + quad[(side + 1) % 4]) / 2 for side in range(4)])
            for side in outside:
                lines[side] = lines[side] + inward[side] * (0.8 * reach / max(1.0, float(np.hypot(*inward[side]))))
            quad = _intersections(lines)
        clear = min(step for _, step in found)
        return Corners(quad, clear) if clear > 0.0 else None

    def _floor_within(self, quad: Floats, side: int) -> bool:
        """Return True if the area just inside a side looks like the area further inside: floor, not rim."""
        start, end = quad[side], quad[(side + 1) % 4]
        along, inward = end - start, quad.mean(0) - (start + end) / 2
        normal = np.array([along[1], -along[0]]) / max(1.0, float(np.hypot(*along)))
        normal = normal if normal @ inward > 0 else -normal
        shares = np.linspace(0.1, 0.9, 120)
        feet = start + shares[:, None] * along
        near, far = (self._colour(feet, normal, *ways) for ways in ((2, 6), (25, 40)))
        step = near - far
        return float(np.linalg.norm(step - step.mean())) < _SAME_COLOUR and abs(float(step.mean())) < _SAME_LIGHT

    def _colour(self, feet: Floats, normal: Floats, nearest: float, furthest: float) -> Floats:
        ways = np.arange(nearest, furthest) * self._unit
        colours = sampled(self._logs, feet[:, None] + ways[None, :, None] * normal)
        return np.asarray(np.median(colours.reshape(-1, 3), 0), np.float64)

    def exact(self, start: Floats, end: Floats, middle: Floats, reach: float) -> tuple[Floats, float]:
        """Return the straight edge near a rough side from `start` to `end`: two points, and its contrast.

        Takes the innermost of the strong edges, because the rim's top and outer side follow outside its foot.
        """
        along = end - start
        outward = np.array([along[1], -along[0]]) / max(1.0, float(np.hypot(*along)))
        if outward @ (middle - start) > 0:
            outward = -outward
        shares = np.linspace(0.07, 0.93, _SAMPLES)
        half = round(reach / self._unit * 2)
        offsets = np.arange(-half, half + 1) * (self._unit / 2)
        spots = (start + shares[:, None] * along)[:, None, :] + offsets[None, :, None] * outward
        bands = sampled(self._logs, spots)
        return self._line(np.asarray(bands, np.float64), start + shares[:, None] * along, offsets, outward)

    def _line(self, bands: Floats, feet: Floats, offsets: Floats, outward: Floats) -> tuple[Floats, float]:
        window = 4
        sums = np.cumsum(np.pad(np.asarray(bands, np.float64), ((0, 0), (1, 0), (0, 0))), 1)
        means = (sums[:, window:] - sums[:, :-window]) / window
        steps = means[:, window:] - means[:, :-window]
        places = offsets[window - 1 : window - 1 + steps.shape[1]] + self._unit / 4
        best = self._slanted(steps)
        if best is None:
            return np.stack([feet[0], feet[-1]]), 0.0
        first, last, clear = best
        line = first + (last - first) * np.linspace(0, 1, len(feet))
        near = self._fitted(steps, line, places)
        points = feet + near[:, None] * outward
        return np.stack([points[0], points[-1]]), clear

    def _slanted(self, steps: Floats) -> tuple[float, float, float] | None:
        """Return the innermost clear straight line: its positions at the first and last sample, and its contrast."""
        blocks = np.array([part.mean(0) for part in np.array_split(steps, _BLOCKS)])
        count = blocks.shape[1]
        firsts = np.arange(0, count, 2)
        slants = np.arange(-(count // 3), count // 3 + 1, 2)
        ways = np.linspace(0, 1, _BLOCKS)
        at = np.round(firsts[:, None, None] + slants[None, :, None] * ways).astype(int)
        inside = (at >= 0).all(2) & (at < count).all(2)
        found = blocks[np.arange(_BLOCKS), np.clip(at, 0, count - 1)]
        heights = np.where(inside, np.linalg.norm(np.median(found, 2), axis=2), 0.0)
        most, usual = float(heights.max()), float(np.median(heights[inside]))
        if most < max(_CLEAR, 2 * usual):
            return None
        middles = 2 * firsts[:, None] + slants[None, :]
        strong = heights > max(_STRONG * most, _CLEAR, 1.5 * usual)
        near = strong & (middles <= middles[strong].min() + 14)
        row, column = np.unravel_index(int(np.argmax(np.where(near, heights, 0.0))), heights.shape)
        first = float(firsts[row])
        return first, first + float(slants[column]), min(1.0, float(heights[row, column]) / 60)

    def _fitted(self, steps: Floats, line: Floats, places: Floats) -> Floats:
        """Fit the line robustly to the highest edge near it at each sample."""
        rows = np.arange(len(steps))
        at = np.clip(np.round(line).astype(int), 4, steps.shape[1] - 5)
        direction = np.median(steps[rows, at], 0)
        direction = direction / max(1e-6, float(np.linalg.norm(direction)))
        heights = steps @ direction
        around = at[:, None] + np.arange(-4, 5)
        near = np.clip(heights[rows[:, None], around], 0, None) ** 2
        weight = near.sum(1)
        centre = (near * places[around]).sum(1) / np.maximum(weight, 1e-9)
        ways = np.linspace(0, 1, len(steps))
        keep = weight > 0.2 * np.median(weight)
        slope = np.array([0.0, float(np.median(centre))])
        for _ in range(6):
            if keep.sum() < 20:
                break
            slope = np.polyfit(ways[keep], centre[keep], 1)
            off = np.abs(np.polyval(slope, ways) - centre)
            keep = (off <= max(0.4 * self._unit, 2 * float(np.median(off[keep])))) & (weight > 0.2 * np.median(weight))
        return np.asarray(np.polyval(slope, ways))


def _intersections(lines: list[Floats]) -> Floats:
    """Return the corners between four sides."""
    return np.array([_intersection(lines[side - 1], lines[side]) for side in range(4)])


def _intersection(one: Floats, other: Floats) -> Floats:
    """Return the intersection of two lines, each given by two points; a far point if they are parallel."""
    first, second = (np.cross([*line[0], 1.0], [*line[1], 1.0]) for line in (one, other))
    x, y, w = np.cross(first, second)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else np.array([1e9, 1e9])
