"""Cached Kivy textures of drawn masks: icons, shapes, frames, felt, chalk.

Textures are white with the mask as alpha: a Color instruction before the rectangle tints them.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from kivy.core.image import Image as CoreImage
from kivy.graphics.texture import Texture
from numpy.typing import NDArray

from companion.app.theme import RGBA
from companion.table.catalogues.card_store import MAX_PICTURE_BYTES
from companion.theme import icons
from vision.files import read_limited
from vision.picture_headers import PictureRefused, check_picture

MAX_PHOTO_PIXELS = 16_000_000
"""Maximum number of pixels of a photo on the screen. Decoding them takes up to 200 MB (measured)."""

_FILE_TYPES = {b"\xff\xd8\xff": "jpg", b"\x89PNG\r\n\x1a\n": "png"}
"""The start of a file, and the type by which Kivy chooses the decoder."""


def decode_photo(content: bytes) -> Texture:
    """Decode a JPEG or PNG file. Raises: PictureRefused, and whatever the decoder raises for a damaged file."""
    file_type = next((name for start, name in _FILE_TYPES.items() if content.startswith(start)), None)
    if file_type is None:
        raise PictureRefused("format")
    checked = check_picture(content, MAX_PHOTO_PIXELS)
    return CoreImage(io.BytesIO(checked), ext=file_type, nocache=True).texture


Point = tuple[float, float]
Polyline = list[Point]

_TOKEN = re.compile(r"([MmLlHhVvCcSsAaZz])|(-?(?:\d+\.\d*|\.\d+|\d+))")
_ARGUMENT_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
_STEPS = 14


def polylines(path: str) -> list[Polyline]:
    """Convert an SVG path to polylines. Curves become short segments; a closed stroke ends at its first point."""
    pen = _Pen()
    for command, numbers in _commands(path):
        pen.draw(command, numbers)
    return [line for line in pen.lines if len(line) > 1]


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    command = ""
    numbers: list[float] = []
    for letter, number in _TOKEN.findall(path):
        if letter:
            command, numbers = letter, []
            if _ARGUMENT_COUNTS[letter.upper()] == 0:
                yield command, []
        else:
            numbers.append(float(number))
            if len(numbers) == _ARGUMENT_COUNTS[command.upper()]:
                yield command, numbers
                numbers = []
                command = {"M": "L", "m": "l"}.get(command, command)


class _Pen:
    def __init__(self) -> None:
        self.lines: list[Polyline] = []
        self.at: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.handle: Point = (0.0, 0.0)

    def draw(self, command: str, numbers: list[float]) -> None:
        x, y = self.at
        base = (x, y) if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "M":
            self.at = self.start = (base[0] + numbers[0], base[1] + numbers[1])
            self.lines.append([self.at])
        elif kind == "Z":
            self._to(self.start)
        elif kind == "H":
            self._to((base[0] + numbers[0], y))
        elif kind == "V":
            self._to((x, base[1] + numbers[0]))
        elif kind == "L":
            self._to((base[0] + numbers[0], base[1] + numbers[1]))
        elif kind == "A":
            radius, sweep, end = numbers[0], bool(numbers[4]), (base[0] + numbers[5], base[1] + numbers[6])
            for point in _arc(self.at, end, radius, bool(numbers[3]), sweep):
                self._to(point)
        else:
            self._curve(kind, base, numbers)
            return
        self.handle = self.at

    def _curve(self, kind: str, base: Point, numbers: list[float]) -> None:
        points = [(base[0] + a, base[1] + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        first = points[0] if kind == "C" else (2 * self.at[0] - self.handle[0], 2 * self.at[1] - self.handle[1])
        start, second, end = self.at, points[-2], points[-1]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            self._to(
                (
                    a * start[0] + b * first[0] + c * second[0] + d * end[0],
                    a * start[1] + b * first[1] + c * second[1] + d * end[1],
                )
            )
        self.handle = second

    def _to(self, point: Point) -> None:
        if not self.lines:
            self.lines.append([self.at])
        self.lines[-1].append(point)
        self.at = point


def _arc(start: Point, end: Point, radius: float, large: bool, sweep: bool) -> Iterator[Point]:
    """Yield the points of a circular arc between two end points (SVG 1.1, F.6.5, for equal radii)."""
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    half = math.hypot(dx, dy)
    radius = max(radius, half)
    offset = math.sqrt(max(0.0, radius**2 - half**2)) / half if half else 0.0
    signed_offset = -offset if large == sweep else offset
    centre = ((start[0] + end[0]) / 2 + signed_offset * dy, (start[1] + end[1]) / 2 - signed_offset * dx)
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    angle = math.atan2(end[1] - centre[1], end[0] - centre[0]) - first
    if sweep and angle < 0:
        angle += 2 * math.pi
    elif not sweep and angle > 0:
        angle -= 2 * math.pi
    steps = max(4, int(abs(angle) * 6))
    for step in range(1, steps + 1):
        a = first + angle * step / steps
        yield (centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a))


Mask = NDArray[np.float32]
_GRAIN = 0.2
"""Amplitude of the edge noise of a chalk line, in pixels. Larger values look ragged on the small screen."""


def strokes(lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], width: float) -> Mask:
    """Return a mask of lines with round ends. `width` and the size `view` are in the units of the points."""
    x, y, scale = _grid(size, view)
    distance = _distance(lines, x, y, width / 2 + 1 / scale)
    return _cover(distance - width / 2, scale)


def chalk(
    lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], width: float, seed: int = 4
) -> Mask:
    """Return a mask of lines drawn with chalk, with noise in edge and density."""
    x, y, scale = _grid(size, view)
    random = np.random.default_rng(seed)
    grain = random.normal(0.0, 1.0, x.shape)
    grain = (grain + np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1) + np.roll(grain, (1, 1), axis=(0, 1))) / 2
    grain *= _GRAIN / scale
    distance = _distance(lines, x, y, width / 2 + 1 / scale - float(grain.min())) + grain
    return _cover(distance - width / 2, scale) * (0.9 + 0.1 * random.random(x.shape, dtype=np.float32))


def filled(lines: Sequence[Polyline], size: tuple[int, int], view: tuple[float, float], grow: float = 0.0) -> Mask:
    """Return a mask of the inside of closed lines, expanded by `grow` units."""
    x, y, scale = _grid(size, view)
    inside = np.zeros(x.shape, dtype=bool)
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, [*line[1:], line[0]], strict=True):
            if ay != by:
                crosses = (ay > y) != (by > y)
                inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    distance = _distance([[*line, line[0]] for line in lines], x, y, abs(grow) + 1 / scale)
    return _cover(np.where(inside, -distance, distance) - grow, scale)


def rounded_mask(size: tuple[int, int], radius: float) -> Mask:
    """Return a mask of a filled rectangle with round corners, in pixels."""
    return _cover(_box(size, radius), 1.0)


def frame(size: tuple[int, int], radius: float, width: float, dash: float = 0.0) -> Mask:
    """Return a mask of the outline of a rounded rectangle, drawn inside its box, in pixels.

    `dash` is the length of a dash; gaps are 0.7 of it. With 0 the line is solid.
    """
    distance = np.abs(_box(size, radius) + width / 2) - width / 2
    mask = _cover(distance, 1.0)
    if dash <= 0:
        return mask
    along, length = _perimeter(size, radius)
    pieces = max(4, round(length / (dash * 1.7)))
    phase = (along / length * pieces) % 1.0
    # Half a pixel of antialiasing at both ends of a dash.
    soft = pieces / length
    edge = np.minimum(phase, 1 - phase) - (1 - 1 / 1.7) / 2
    return mask * np.clip(edge / soft + 0.5, 0, 1).astype(np.float32)


def hatch_mask(size: tuple[int, int], step: float) -> Mask:
    """Return a mask of vertical stripes with gaps of the same width."""
    x = (np.arange(size[0]) + 0.5) % (2 * step)
    return np.tile(np.clip(step - x + 0.5, 0, 1).astype(np.float32), (size[1], 1))


def regular_polygon(corners: int, centre: tuple[float, float], radius: float, start_angle: float) -> Polyline:
    """Return the corners of a regular polygon, the first at `start_angle` degrees."""
    angles = [math.radians(start_angle + 360 * k / corners) for k in range(corners)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def circle(centre: tuple[float, float], radius: float) -> Polyline:
    """Return a circle as a closed fine polygon."""
    line = regular_polygon(48, centre, radius, 0)
    return [*line, line[0]]


def _grid(size: tuple[int, int], view: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    x = (np.arange(size[0]) + 0.5) * view[0] / size[0]
    y = (np.arange(size[1]) + 0.5) * view[1] / size[1]
    gx, gy = np.meshgrid(x, y)
    return gx, gy, size[0] / view[0]


def _distance(
    lines: Sequence[Polyline], x: NDArray[np.float64], y: NDArray[np.float64], reach: float
) -> NDArray[np.float64]:
    """Return the distance of each point from the lines if it is less than `reach`, else a larger value."""
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
    """Return the signed distance to a rounded rectangle that fills `size`."""
    width, height = size
    radius = min(radius, width / 2, height / 2)
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    qx, qy = np.abs(x) - width / 2 + radius, np.abs(y) - height / 2 + radius
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return outside + np.minimum(np.maximum(qx, qy), 0) - radius


def _perimeter(size: tuple[int, int], radius: float) -> tuple[NDArray[np.float64], float]:
    """Return for each pixel the position of its nearest outline point along the outline, and the outline's length."""
    width, height = size
    radius = min(radius, width / 2, height / 2)
    a, b = width / 2 - radius, height / 2 - radius
    quarter = a + b + radius * math.pi / 2
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    ax, ay = np.abs(x), np.abs(y)
    # Within one quadrant: from the middle of the right edge up, around the corner, to the middle of the top edge.
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


_FIELD = (24.0, 24.0)
_STROKE = 2.2
_BADGE = (32.0, 32.0)
_SHIELD = "M3 3h26v14c0 7-6 11-13 13C9 28 3 24 3 17z"
_LENS = "M16 1C30 8 30 24 16 31 2 24 2 8 16 1z"
_CHALK_STROKE = "M2 5C44 2.4 94 4 140 3.4S206 2.2 238 3.8"
_RING = "M52 4C25 3 4 24 4 50s22 47 47 46 45-22 45-47S76 6 44 5"
_TILE = 64


def texture_of_mask(mask: Mask) -> Texture:
    """Return a white texture with the mask as alpha."""
    height, width = mask.shape
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    pixels[..., 3] = np.round(mask[::-1] * 255)
    return _texture(pixels)


@lru_cache(maxsize=16)
def badge_photo(path: Path, _changed_ns: int) -> Texture:
    """Return the middle square of a photo, 96 pixels wide. `_changed_ns`: when its file was changed.

    Raises: what `decode_photo` raises, OSError.
    """
    photo = decode_photo(read_limited(path, MAX_PICTURE_BYTES))
    pixels = np.frombuffer(photo.pixels, np.uint8).reshape(photo.height, photo.width, 4)
    side = min(photo.size)
    top, left = (photo.height - side) // 2, (photo.width - side) // 2
    steps = np.linspace(0, side, _PHOTO_SIDE, endpoint=False).astype(int)
    square = pixels[top : top + side, left : left + side].astype(np.uint32)
    mean = np.add.reduceat(np.add.reduceat(square, steps, axis=0), steps, axis=1)
    counts = np.diff([*steps, side])
    mean //= (counts[:, None] * counts)[..., None].astype(np.uint32)
    return _texture(mean.astype(np.uint8))


_PHOTO_SIDE = 96


def _texture(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> Texture:
    texture = Texture.create(size=(pixels.shape[1], pixels.shape[0]), colorfmt="rgba")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


@cache
def icon(name: str, size: int, weight: float = 1.0) -> Texture:
    """Return a shared icon as a square texture of `size` pixels. Raises: KeyError for an unknown name."""
    mask = np.zeros((size, size), dtype=np.float32)
    for part in icons()[name]:
        lines = polylines(part.d or "") if part.c is None else [circle(part.c[:2], part.c[2])]
        if part.fill:
            drawn = filled(lines, (size, size), _FIELD, 0.4)
        else:
            drawn = strokes(lines, (size, size), _FIELD, (_STROKE if part.w is None else part.w) * weight)
        np.maximum(mask, drawn, out=mask)
    return texture_of_mask(mask)


@cache
def form(name: str, size: int, grow: float = 0.0) -> Texture:
    """Return a filled shape on a 32 x 32 grid: `shield`, `roundel`, or a ball shape (`corners1` to `corners6`)."""
    return texture_of_mask(filled(form_lines(name), (size, size), _BADGE, grow))


@cache
def form_edge(name: str, size: int, width: float) -> Texture:
    """Return the outline of such a shape; `width` is in units of the grid."""
    lines = [[*line, line[0]] for line in form_lines(name)]
    return texture_of_mask(strokes(lines, (size, size), _BADGE, width))


def form_lines(name: str) -> list[list[tuple[float, float]]]:
    """Return the closed outline of a shape, inside the 32 x 32 grid with a margin for its edge."""
    if name == "shield":
        return polylines(_SHIELD)
    if name == "roundel":
        return [circle((16, 16), 13.5)]
    corners = int(name.removeprefix("corners"))
    if corners == 1:
        return [circle((16, 16), 13)]
    if corners == 2:
        return polylines(_LENS)
    start_angle, radius, middle = {3: (-90, 15.6, 18.6), 4: (-135, 16.0, 16), 5: (-90, 14.5, 17), 6: (-90, 14.5, 16)}[
        corners
    ]
    return [regular_polygon(corners, (16, middle), radius, start_angle)]


@lru_cache(maxsize=512)
def rounded(radius: int) -> Texture:
    """Return a filled rounded texture for a BorderImage with border `radius`."""
    return texture_of_mask(rounded_mask((2 * radius + 4, 2 * radius + 4), radius))


@lru_cache(maxsize=512)
def edge(radius: int, width: float) -> Texture:
    """Return an outlined rounded texture for a BorderImage with border `radius`."""
    return texture_of_mask(frame((2 * radius + 4, 2 * radius + 4), radius, width))


@lru_cache(maxsize=256)
def dashed(width: int, height: int, radius: int, line: float, dash: float) -> Texture:
    """Return a dashed frame of exactly this size in pixels."""
    return texture_of_mask(frame((width, height), radius, line, dash))


@cache
def rounded_square(size: int, radius: float) -> Texture:
    """Return a filled square with round corners: the body of a die."""
    return texture_of_mask(rounded_mask((size, size), radius))


@cache
def rounded_edge(size: int, radius: float, width: float) -> Texture:
    """Return the outline of a square with round corners."""
    return texture_of_mask(frame((size, size), radius, width))


@cache
def spot(size: int) -> Texture:
    """Return a filled disc."""
    return texture_of_mask(rounded_mask((size, size), size / 2))


@lru_cache(maxsize=64)
def hatch(width: int, height: int, step: float) -> Texture:
    """Return stripes, for the undecided part of an odds bar."""
    return texture_of_mask(hatch_mask((width, height), step))


@lru_cache(maxsize=64)
def chalk_stroke(width: int, height: int) -> Texture:
    """Return the stroke that underlines the name of the side to act and the product name."""
    return texture_of_mask(strokes(polylines(_CHALK_STROKE), (width, height), (240.0, 7.0), 3.0))


@lru_cache(maxsize=16)
def chalk_ring(size: int) -> Texture:
    """Return the ring around a running number."""
    return texture_of_mask(chalk(polylines(_RING), (size, size), (100.0, 100.0), 3.4))


@lru_cache(maxsize=16)
def chalk_lines(path: str, width: int, height: int, view: tuple[float, float], line: float) -> Texture:
    """Return the lines of a pitch or court, stretched to this size. `path` is in units of `view`."""
    return texture_of_mask(chalk(polylines(path), (width, height), view, line))


@cache
def felt(base: RGBA) -> Texture:
    """Return the felt background: one small repeating tile in three tones around `base`."""
    random = np.random.default_rng(7)
    grain = random.normal(0.0, 1.0, (_TILE, _TILE))
    threads = grain + np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1) + np.roll(grain, (1, 1), axis=(0, 1))
    tone = np.digitize(threads, (-1.6, 1.6)) - 1
    pixels = np.empty((_TILE, _TILE, 4), dtype=np.uint8)
    for channel in range(3):
        pixels[..., channel] = np.clip(base[channel] * 255 + tone * 4, 0, 255)
    pixels[..., 3] = 255
    texture = _texture(pixels)
    texture.wrap = "repeat"
    return texture
