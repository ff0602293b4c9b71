"""Draws coverage masks by distance: strokes, filled forms, rounded frames, dashes, chalk. Arrays of numbers, no screen.

A mask is a float array (height, width), 1 where there is ink, row 0 on top. Distances make smooth edges at any size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.app.paths import Polyline

Mask = NDArray[np.float32]
_GRAIN = 0.2
"""How far, in pixels, the edge of a chalk line wavers: more looks torn on the small screen."""


def strokes(lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], width: float) -> Mask:
    """Lines with round ends, `width` in units of the `view` (its size in the units of the points)."""
    x, y, scale = _grid(size, view)
    distance = _distance(lines, x, y, width / 2 + 1 / scale)
    return _cover(distance - width / 2, scale)


def chalk(
    lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], width: float, seed: int = 4
) -> Mask:
    """The same line drawn with chalk: its edge and its density waver."""
    x, y, scale = _grid(size, view)
    random = np.random.default_rng(seed)
    grain = random.normal(0.0, 1.0, x.shape)
    grain = (grain + np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1) + np.roll(grain, (1, 1), axis=(0, 1))) / 2
    grain *= _GRAIN / scale
    distance = _distance(lines, x, y, width / 2 + 1 / scale - float(grain.min())) + grain
    return _cover(distance - width / 2, scale) * (0.9 + 0.1 * random.random(x.shape, dtype=np.float32))


def filled(lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], grow: float = 0.0) -> Mask:
    """The inside of closed lines, `grow` units wider all around."""
    x, y, scale = _grid(size, view)
    inside = np.zeros(x.shape, dtype=bool)
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, [*line[1:], line[0]], strict=True):
            if ay != by:
                crosses = (ay > y) != (by > y)
                inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    distance = _distance([[*line, line[0]] for line in lines], x, y, abs(grow) + 1 / scale)
    return _cover(np.where(inside, -distance, distance) - grow, scale)


def rounded(size: tuple[int, int], radius: float) -> Mask:
    """A filled rectangle with round corners; pixels."""
    return _cover(_box(size, radius), 1.0)


def frame(size: tuple[int, int], radius: float, width: float, dash: float = 0.0) -> Mask:
    """The outline of such a rectangle, inside its box; with `dash` the length of dashes, gaps 0.7 of it. Pixels."""
    distance = np.abs(_box(size, radius) + width / 2) - width / 2
    mask = _cover(distance, 1.0)
    if dash <= 0:
        return mask
    along, length = _perimeter(size, radius)
    pieces = max(4, round(length / (dash * 1.7)))
    phase = (along / length * pieces) % 1.0
    # Half a pixel of softness at both ends of a dash.
    soft = pieces / length
    edge = np.minimum(phase, 1 - phase) - (1 - 1 / 1.7) / 2
    return mask * np.clip(edge / soft + 0.5, 0, 1).astype(np.float32)


def hatch(size: tuple[int, int], step: float) -> Mask:
    """Upright stripes, as wide as their gaps."""
    x = (np.arange(size[0]) + 0.5) % (2 * step)
    return np.tile(np.clip(step - x + 0.5, 0, 1).astype(np.float32), (size[1], 1))


def regular(corners: int, centre: tuple[float, float], radius: float, turn: float) -> Polyline:
    """The corners of a regular polygon, the first at `turn` degrees."""
    angles = [math.radians(turn + 360 * k / corners) for k in range(corners)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def circle(centre: tuple[float, float], radius: float) -> Polyline:
    """A circle as a fine polygon, closed."""
    line = regular(48, centre, radius, 0)
    return [*line, line[0]]


def _grid(size: tuple[int, int], view: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    x = (np.arange(size[0]) + 0.5) * view[0] / size[0]
    y = (np.arange(size[1]) + 0.5) * view[1] / size[1]
    gx, gy = np.meshgrid(x, y)
    return gx, gy, size[0] / view[0]


def _distance(
    lines: Sequence[Polyline], x: NDArray[np.float64], y: NDArray[np.float64], reach: float
) -> NDArray[np.float64]:
    """How far each point is from the lines, where it is nearer than `reach`; more than that elsewhere."""
    nearest = np.full(x.shape, np.inf)
    across, down = x[0], y[:, 0]
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            left, right = np.searchsorted(across, (min(ax, bx) - reach, max(ax, bx) + reach))
            top, bottom = np.searchsorted(down, (min(ay, by) - reach, max(ay, by) + reach))
            near = (slice(top, bottom), slice(left, right))
            px, py = x[near] - ax, y[near] - ay
            dx, dy = bx - ax, by - ay
            length = dx * dx + dy * dy
            if length:
                t = np.clip((px * dx + py * dy) / length, 0, 1)
                px, py = px - t * dx, py - t * dy
            np.minimum(nearest[near], px**2 + py**2, out=nearest[near])
    return np.sqrt(nearest)


def _cover(distance: NDArray[np.float64], scale: float) -> Mask:
    return np.clip(0.5 - distance * scale, 0, 1).astype(np.float32)


def _box(size: tuple[int, int], radius: float) -> NDArray[np.float64]:
    """Signed distance to a rounded rectangle that fills `size`."""
    width, height = size
    radius = min(radius, width / 2, height / 2)
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    qx, qy = np.abs(x) - width / 2 + radius, np.abs(y) - height / 2 + radius
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return outside + np.minimum(np.maximum(qx, qy), 0) - radius


def _perimeter(size: tuple[int, int], radius: float) -> tuple[NDArray[np.float64], float]:
    """How far along the outline the nearest point of each pixel lies, and the outline's length."""
    width, height = size
    radius = min(radius, width / 2, height / 2)
    a, b = width / 2 - radius, height / 2 - radius
    quarter = a + b + radius * math.pi / 2
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    ax, ay = np.abs(x), np.abs(y)
    # Within one quarter: from the middle of the right edge up, round the corner, to the middle of the top.
    corner = b + radius * np.arctan2(np.maximum(ay - b, 0), np.maximum(ax - a, 1e-6))
    top_nearer = (b + radius - ay) < (a + radius - ax)
    flat = np.where(top_nearer, b + radius * math.pi / 2 + a - np.minimum(ax, a), np.minimum(ay, b))
    along = np.where((ax > a) & (ay > b), corner, flat)
    total = 4 * quarter
    result = np.select(
        [(x >= 0) & (y >= 0), (x < 0) & (y >= 0), (x < 0) & (y < 0)],
        [along, 2 * quarter - along, 2 * quarter + along],
        total - along,
    )
    return result, total
