"""Objects that resemble dice: buttons, dominoes, tokens, coins, plugs, keys, tiles, print.

They are used for training only. The benchmarks use other clutter (tools/training/clutter.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from tools.training.grounds import random_colour
from tools.training.paints import DARK, LIGHT, any_colour, luminance, vary_colour
from tools.training.printed import NO_FIGURES, lay_page, random_letters, text_mask
from tools.training.random_faces import random_pip_style
from vision.drawing.faces import FloatImage, pip_centres
from vision.drawing.rendering import Colour

Points = np.ndarray
"""Positions (N, 2) in pixels."""

_FINE = 4
"""Fractional bits of the coordinates passed to OpenCV."""


def lay_lookalikes(canvas: FloatImage, size: float, count: int, rng: np.random.Generator) -> None:
    """Draw `count` objects of about `size` pixels on `canvas` (BGR 0..1), in place."""
    height, width = canvas.shape[:2]
    for _ in range(count):
        place = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        maker = _MAKERS[int(rng.choice(len(_MAKERS), p=_SHARES))][1]
        maker(canvas, place, size * float(np.exp(rng.normal(0, 0.45))), rng)


def _pair(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Return a ground and a contrasting ink, half of the time those of dice."""
    ground = vary_colour(LIGHT if rng.random() < 0.6 else DARK, rng, 0.04) if rng.random() < 0.5 else random_colour(rng)
    return ground, vary_colour(DARK if luminance(ground) > 0.45 else LIGHT, rng, 0.05)


def _frame(size: float, rng: np.random.Generator, squeeze: float) -> Points:
    """Return a rotated drawing frame (2, 2) of that size. An oblique view compresses it vertically."""
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(np.array([[1.0, 0.0], [0.0, squeeze]]) @ np.array([[c, -s], [s, c]]) * size)


def _fill(canvas: FloatImage, corners: Points, colour: Colour) -> None:
    cv2.fillPoly(canvas, [np.round(corners * 2**_FINE).astype(np.int32)], colour, cv2.LINE_AA, _FINE)


def _round(canvas: FloatImage, middle: Points, frame: Points, radius: float, colour: Colour) -> None:
    angles = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    _fill(canvas, middle + radius * np.column_stack([np.cos(angles), np.sin(angles)]) @ frame.T, colour)


def _square(middle: Points, frame: Points, wide: float = 1.0) -> Points:
    corners = np.array([[-wide, -1], [wide, -1], [wide, 1], [-wide, 1]]) / 2
    return np.asarray(middle + corners @ frame.T)


def _button(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a round object with two to four holes and a rim, like a button."""
    frame = _frame(size, rng, float(rng.uniform(0.6, 1.0)))
    ground, ink = _pair(rng)
    _round(canvas, place + 0.05 * size, frame, 0.5, tuple(0.5 * part for part in ground))  # type: ignore[arg-type]
    _round(canvas, place, frame, 0.5, ground)
    if rng.random() < 0.6:
        _round(canvas, place, frame, 0.4, tuple(0.8 * part for part in ground))  # type: ignore[arg-type]
        _round(canvas, place, frame, 0.36, ground)
    holes, reach, radius = int(rng.integers(2, 5)), rng.uniform(0.1, 0.2), float(rng.uniform(0.04, 0.09))
    for angle in np.arange(holes) * 2 * np.pi / holes:
        spot = place + frame @ (reach * np.array([np.cos(angle), np.sin(angle)]))
        _round(canvas, spot, frame, radius, ink)


def _domino(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a flat piece with pips on two halves and a line between them, or a printed square with pips."""
    frame = _frame(size, rng, float(rng.uniform(0.6, 1.0)))
    ground, ink = _pair(rng)
    halves = 2 if rng.random() < 0.75 else 1
    if rng.random() < 0.6:
        _fill(canvas, _square(place + 0.06 * size, frame, halves), tuple(0.4 * c for c in ground))  # type: ignore[arg-type]
    _fill(canvas, _square(place, frame, halves), ground)
    style = random_pip_style(rng)
    for half in range(halves):
        off = (half - (halves - 1) / 2) * 1.0
        for x, y in pip_centres(int(rng.integers(1, 7)), style):
            _round(canvas, place + frame @ np.array([off + x * 0.9, y * 0.9]), frame, style.radius * 0.9, ink)
    if halves == 2 and rng.random() < 0.8:
        ends = place + np.array([[0.0, -0.42], [0.0, 0.42]]) @ frame.T
        thick = max(1, round(0.03 * size))
        first, last = (tuple(int(v) for v in end) for end in np.round(ends))
        cv2.line(canvas, first, last, ink, thick, cv2.LINE_AA)


def _spotted(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw paper or cloth with spots in rows, or anywhere."""
    frame = _frame(size, rng, float(rng.uniform(0.6, 1.0)))
    ground, ink = _pair(rng)
    wide, tall = int(rng.integers(2, 8)), int(rng.integers(2, 8))
    if rng.random() < 0.7:
        _fill(canvas, _square(place, frame @ np.diag([wide / 2, tall / 2])), ground)
    gap, radius = 0.5, float(rng.uniform(0.05, 0.2))
    offset = rng.random() < 0.5
    for row in range(tall):
        for column in range(wide):
            at = np.array([column - (wide - 1) / 2 + (0.25 if offset and row % 2 else 0), row - (tall - 1) / 2]) * gap
            at = at + rng.normal(0, rng.choice([0.0, 0.12]), 2)
            _round(canvas, place + frame @ at, frame, radius, ink)


def _tag(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a label with stripes of unequal width."""
    frame = _frame(size, rng, float(rng.uniform(0.6, 1.0)))
    ground, ink = _pair(rng)
    long = float(rng.uniform(0.6, 1.6))
    _fill(canvas, _square(place, frame, long * 1.15), ground)
    at = -long / 2
    while at < long / 2:
        bar = float(rng.uniform(0.02, 0.09))
        middle = place + frame @ np.array([at + bar / 2, 0.0])
        _fill(canvas, _square(middle, frame @ np.diag([bar, 0.7])), ink)
        at += bar + float(rng.uniform(0.02, 0.1))


def _block(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a body with rounded ends and a bright ridge: a ferrite on a cable, a plug, a cap seen from aside."""
    frame = _frame(size, rng, 1.0)
    colour = vary_colour(DARK, rng, 0.04) if rng.random() < 0.5 else random_colour(rng)
    long = float(rng.uniform(0.9, 1.8))
    soft = canvas.copy()
    _fill(soft, _square(place, frame, long), colour)
    for end in (-long / 2, long / 2):
        _round(soft, place + frame @ np.array([end, 0.0]), frame, 0.5, colour)
    lit = tuple(min(1.0, part * 1.3 + 0.15) for part in colour)
    _fill(soft, _square(place + frame @ np.array([0.0, -0.15]), frame @ np.diag([1.0, 0.12]), long), lit)  # type: ignore[arg-type]
    canvas[:] = soft


def _legend(canvas: FloatImage, middle: Points, frame: Points, ink: Colour, rng: np.random.Generator) -> None:
    """Draw up to five marks like letters, each of one to three strokes, in one or two rows."""
    high = float(rng.uniform(0.12, 0.4))
    for row in range(int(rng.choice([1, 1, 2]))):
        letters = int(rng.integers(1, 6)) if high < 0.2 else 1
        for letter in range(letters):
            at = np.array([letter - (letters - 1) / 2, row * 1.3]) * high * 0.8 + rng.normal(0, 0.02, 2)
            for _ in range(int(rng.integers(1, 4))):
                angle = int(rng.integers(4)) * np.pi / 4
                c, s = np.cos(angle), np.sin(angle)
                stroke = frame @ np.array([[c, -s], [s, c]]) @ np.diag([high * rng.uniform(0.5, 1.0), high * 0.2])
                spot = middle + frame @ (at + rng.uniform(-0.3, 0.3, 2) * high)
                _fill(canvas, _square(spot, stroke), ink)


def _keys(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw rows of keys of a keyboard or calculator: caps with a smaller top and a letter or word."""
    turned = _frame(size, rng, float(rng.uniform(0.6, 1.0)))
    ground, ink = _pair(rng)
    wide, tall, gap = int(rng.integers(1, 6)), int(rng.integers(1, 4)), float(rng.uniform(1.02, 1.2))
    well = tuple(0.3 * part for part in ground)
    _fill(canvas, _square(place, turned @ np.diag([1.0, tall * gap]), wide * gap), well)  # type: ignore[arg-type]
    top, off = float(rng.uniform(0.65, 0.9)), float(rng.uniform(-0.08, 0.02))
    side: Colour = tuple(float(rng.uniform(0.6, 0.9)) * part for part in ground)  # type: ignore[assignment]
    for row in range(tall):
        at = -wide * gap / 2 + rng.choice([0.0, 0.25, 0.5])
        while at < wide * gap / 2 - 0.5:
            long = float(rng.choice([1.0, 1.0, 1.0, 1.5, 2.0]))
            middle = place + turned @ np.array([at + long * gap / 2, (row - (tall - 1) / 2) * gap])
            _fill(canvas, _square(middle, turned, long), side)
            cap = middle + turned @ np.array([0.0, off])
            _fill(canvas, _square(cap, turned * top, long * gap / top - (gap - top) / top), ground)
            if rng.random() < 0.95:
                _legend(canvas, cap + turned @ rng.normal(0, 0.1, 2), turned, ink, rng)
            at += long * gap


_METALS: tuple[Colour, ...] = ((0.72, 0.72, 0.7), (0.55, 0.56, 0.57), (0.35, 0.62, 0.78), (0.3, 0.42, 0.68))
"""Steel, nickel, brass and copper, BGR."""

_CIRCLE = np.column_stack([np.cos(np.arange(32) * np.pi / 16), np.sin(np.arange(32) * np.pi / 16)])


@dataclass(frozen=True, slots=True)
class DisplayStand:
    """The placement of an object in the image.

    - `place` (2): centre of its foot in pixels.
    - `frame` (2, 2): from its own units to pixels.
    - `rise`: pixels up the image for one unit of height.
    - `light` (2): unit vector in the image along which shadows fall.
    """

    place: Points
    frame: Points
    rise: float
    light: Points

    @classmethod
    def random(cls, place: Points, size: float, rng: np.random.Generator) -> DisplayStand:
        """Return a random rotation and view, from straight above to steeply from the side.

        One unit is `size` pixels.
        """
        squeeze = float(rng.uniform(0.5, 1.0))
        angle = rng.uniform(0, 2 * np.pi)
        rise = size * float(np.sqrt(1 - squeeze**2))
        return cls(place, _frame(size, rng, squeeze), rise, np.array([np.cos(angle), np.sin(angle)]))

    def at(self, points: Points, height: float = 0.0) -> Points:
        """Return the pixels (N, 2) of `points` (N, 2) in the object's units, `height` units over the table."""
        return np.asarray(self.place + points @ self.frame.T - [0.0, self.rise * height])


def _lighter(colour: Colour, factor: float) -> Colour:
    blue, green, red = (min(1.0, part * factor) for part in colour)
    return (blue, green, red)


def _rectangle(wide: float, tall: float, x: float = 0.0, y: float = 0.0) -> Points:
    return np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2 + [x, y]


def _rounded(side: float, corner: float) -> Points:
    """Return the outline (32, 2) of a square with rounded corners."""
    inner = side / 2 - corner
    quarter = np.sign(np.round(np.roll(_CIRCLE, -1, 0) + _CIRCLE, 6))
    return np.asarray(_CIRCLE * corner + quarter * inner)


def _shadow(canvas: FloatImage, corners: Points, strength: float, soft: float) -> None:
    """Darken `canvas` in the hull of `corners` (N, 2), with an edge of `soft` pixels."""
    reach = int(3 * soft) + 2
    left, top = np.maximum(0, np.floor(corners.min(0)).astype(int) - reach)
    right, bottom = np.ceil(corners.max(0)).astype(int) + reach
    part = canvas[top : max(top, bottom), left : max(left, right)]
    if not part.size:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    hull = cv2.convexHull((corners - [left, top]).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 2**_FINE).astype(np.int32), 1.0, cv2.LINE_AA, _FINE)
    part *= (1 - np.float32(strength) * cv2.GaussianBlur(mask, (0, 0), max(0.5, soft)))[..., None]


def _solid(
    canvas: FloatImage, stand: DisplayStand, outline: Points, heights: tuple[float, float], colour: Colour
) -> None:
    """Draw a shaded prism over a convex `outline` (N, 2) between two heights, with its shadow."""
    low, high = heights
    foot, top = stand.at(outline, low), stand.at(outline, high)
    size = float(np.linalg.norm(stand.frame[:, 0]))
    thrown = stand.at(outline) + stand.light * size * high * 0.7
    _shadow(canvas, np.vstack([stand.at(outline), thrown]), 0.45, 0.06 * size)
    middle = top.mean(0)
    for a in range(len(outline)):
        b = (a + 1) % len(outline)
        normal = np.array([top[b, 1] - top[a, 1], top[a, 0] - top[b, 0]])
        normal *= np.sign((top[a] + top[b]) / 2 @ normal - middle @ normal) / max(float(np.linalg.norm(normal)), 1e-6)
        if normal[1] > 0 and stand.rise > 0:
            lit = 0.62 - 0.25 * float(normal @ stand.light)
            _fill(canvas, np.array([foot[a], foot[b], top[b], top[a]]), _lighter(colour, lit))
    _sheen(canvas, top, colour, stand.light)


def _sheen(canvas: FloatImage, corners: Points, colour: Colour, light: Points, slope: float = 0.12) -> None:
    """Draw a polygon whose `colour` darkens along `light`, by the share `slope` at its ends."""
    left, top = np.maximum(0, np.floor(corners.min(0)).astype(int) - 1)
    right, bottom = np.ceil(corners.max(0)).astype(int) + 2
    part = canvas[top : max(top, bottom), left : max(left, right)]
    if not part.size:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round((corners - [left, top]) * 2**_FINE).astype(np.int32)], 1.0, cv2.LINE_AA, _FINE)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float32)
    middle, half = corners.mean(0) - [left, top], max(1.0, float(np.ptp(corners, axis=0).max()) / 2)
    right, down = np.asarray(light / half, np.float32)
    along = (x - np.float32(middle[0])) * right + (y - np.float32(middle[1])) * down
    shaded = np.clip((1 - np.float32(slope) * along)[..., None] * np.asarray(colour, np.float32), 0, 1)
    part += (shaded - part) * mask[..., None]


def _stamp(
    canvas: FloatImage, stand: DisplayStand, text: str, box: tuple[float, float, float, float], ink: Colour
) -> None:
    """Draw `text` in ink. `box`: x and y of its centre, its height, and its height over the table, in units."""
    x, y, tall, height = box
    mask = _written(text)
    scale = tall / mask.shape[0]
    wide = mask.shape[1] * scale
    corners = stand.at(np.array([[-wide, -tall], [wide, -tall], [-wide, tall]]) / 2 + [x, y], height)
    left, top = np.maximum(0, np.floor(corners.min(0) - wide * abs(stand.frame).max()).astype(int))
    right, bottom = np.ceil(corners.max(0) + wide * abs(stand.frame).max()).astype(int) + 1
    part = canvas[top : max(top, bottom), left : max(left, right)]
    if not part.size:
        return
    source = np.array([[0, 0], [mask.shape[1], 0], [0, mask.shape[0]]], np.float32)
    matrix = cv2.getAffineTransform(source, (corners - [left, top]).astype(np.float32))
    cover = cv2.warpAffine(mask, matrix, (part.shape[1], part.shape[0]), flags=cv2.INTER_AREA)
    part += (np.asarray(ink, np.float32) - part) * cover[..., None]


def _written(text: str) -> FloatImage:
    """Return the coverage of a text, 24 pixels high. The font depends on the text."""
    return text_mask(text, 24, np.random.default_rng([ord(letter) for letter in text]))


def _plug(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a USB plug: a housing, and a metal sleeve with two square holes."""
    stand = DisplayStand.random(place, size, rng)
    housing = (DARK, LIGHT, any_colour(rng))[int(rng.integers(3))]
    metal = vary_colour(_METALS[int(rng.integers(2))], rng, 0.04)
    long, thick = float(rng.uniform(0.7, 1.6)), float(rng.uniform(0.25, 0.4))

    def sleeve() -> None:
        _solid(canvas, stand, _rectangle(0.75, 0.6, -0.37), (0.08, thick - 0.05), metal)
        for y in (-0.14, 0.14):
            _fill(
                canvas,
                stand.at(_rectangle(0.15, 0.13, -0.42, y), thick - 0.05),
                vary_colour((0.1, 0.1, 0.1), rng, 0.03),
            )
        _fill(canvas, stand.at(_rectangle(0.62, 0.015, -0.37), thick - 0.05), _lighter(metal, 0.6))

    def body() -> None:
        _solid(canvas, stand, _rectangle(long, 0.8, long / 2), (0.0, thick), vary_colour(housing, rng, 0.03))
        if rng.random() < 0.5:
            ink = LIGHT if luminance(housing) < 0.5 else DARK
            _stamp(canvas, stand, random_letters(rng), (long / 2, 0.0, 0.3, thick), ink)

    parts = (sleeve, body) if stand.frame[1, 0] > 0 else (body, sleeve)
    for part in parts:
        part()


def _door_key(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a metal key: a bow with a hole, a shaft and teeth."""
    stand = DisplayStand.random(place, size, rng)
    metal, flat = vary_colour(_METALS[int(rng.integers(len(_METALS)))], rng, 0.05), (0.0, 0.09)
    _solid(canvas, stand, _rectangle(1.6, 0.2, 0.9), flat, metal)
    for x in np.arange(0.9, 1.7, 0.16):
        if rng.random() < 0.6:
            _fill(canvas, stand.at(_rectangle(0.12, float(rng.uniform(0.06, 0.2)), float(x), 0.15), 0.09), metal)
    bow = _CIRCLE * 0.5 if rng.random() < 0.6 else _rounded(0.95, 0.2)
    _solid(canvas, stand, bow, flat, metal)
    _fill(canvas, stand.at(_CIRCLE * rng.uniform(0.08, 0.2) - [0.2, 0.0], 0.09), _lighter(metal, 0.25))
    _fill(canvas, stand.at(_rectangle(1.5, 0.04, 0.9), 0.09), _lighter(metal, 0.7))


def _lit_keys(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw dark keyboard caps with backlit letters."""
    stand = DisplayStand.random(place, size, rng)
    cap, glow = vary_colour(DARK, rng, 0.03), any_colour(rng) if rng.random() < 0.6 else LIGHT
    glow = _lighter(glow, 1.0 / max(*glow, 0.2))
    columns, rows = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    gap = float(rng.uniform(1.05, 1.25))
    spots = [np.array([i - (columns - 1) / 2, j - (rows - 1) / 2]) * gap for j in range(rows) for i in range(columns)]
    _fill(canvas, stand.at(_rectangle(columns * gap, rows * gap)), _lighter(glow, float(rng.uniform(0.05, 0.4))))
    for spot in spots:
        _solid(canvas, stand, _rounded(0.95, 0.12) + spot, (0.0, 0.25), cap)
    before = canvas.copy()
    for x, y in spots:
        at = rng.normal(0, 0.12, 2)
        _stamp(canvas, stand, random_letters(rng, 1), (x + at[0], y + at[1], float(rng.uniform(0.25, 0.5)), 0.25), glow)
    light = cv2.GaussianBlur(np.maximum(canvas - before, 0), (0, 0), max(1.0, 0.08 * size))
    np.clip(canvas + 0.9 * light, 0, 1, out=canvas)


def _emblem(canvas: FloatImage, stand: DisplayStand, height: float, ink: Colour, rng: np.random.Generator) -> None:
    """Draw a simple sign: letters, a ring, bars, a triangle, or a few dots."""
    pick = rng.random()
    if pick < 0.45:
        tall = float(rng.uniform(0.3, 0.6))
        _stamp(canvas, stand, random_letters(rng, 2, NO_FIGURES), (0.0, 0.0, tall, height), ink)
    elif pick < 0.6:
        _fill(canvas, stand.at(_CIRCLE * 0.3, height), ink)
        _fill(canvas, stand.at(_CIRCLE * rng.uniform(0.1, 0.22), height), _pair(rng)[0])
    elif pick < 0.72:
        for x in np.linspace(-0.25, 0.25, int(rng.integers(2, 5))):
            _fill(canvas, stand.at(_rectangle(0.09, float(rng.uniform(0.2, 0.6)), float(x)), height), ink)
    elif pick < 0.84:
        _fill(canvas, stand.at(np.array([[-0.3, 0.25], [0.3, 0.25], [0.0, -0.3]]), height), ink)
    else:
        for x, y in rng.uniform(-0.28, 0.28, (int(rng.integers(1, 5)), 2)):
            _fill(canvas, stand.at(_CIRCLE * rng.uniform(0.04, 0.12) + [x, y], height), ink)


def _chip(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a token or poker chip: stripes along its edge, a ring and a sign in the centre; sometimes a pile of them."""
    stand = DisplayStand.random(place, size, rng)
    ground, ink = _pair(rng)
    thick, many = float(rng.uniform(0.06, 0.2)), int(rng.choice([1, 1, 1, 2, 4]))
    for level in range(many):
        _solid(canvas, stand, _CIRCLE * 0.5, (level * thick, (level + 0.9) * thick), ground)
    height = (many - 0.1) * thick
    stripes = int(rng.integers(4, 9)) if rng.random() < 0.8 else 0
    for angle in np.arange(stripes) * 2 * np.pi / max(1, stripes):
        along = angle + np.linspace(-0.16, 0.16, 5)
        arc = np.column_stack([np.cos(along), np.sin(along)])
        _fill(canvas, stand.at(np.vstack([arc * 0.5, arc[::-1] * 0.37]), height), ink)
    if rng.random() < 0.7:
        _fill(canvas, stand.at(_CIRCLE * 0.34, height), ink)
        _fill(canvas, stand.at(_CIRCLE * 0.31, height), ground)
    _emblem(canvas, stand, height, ink, rng)


def _cap(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a bottle cap with a crimped rim, or a smooth lid."""
    stand = DisplayStand.random(place, size, rng)
    ground, ink = _pair(rng)
    angles, depth = np.linspace(0, 2 * np.pi, 84, endpoint=False), 0.03 if rng.random() < 0.7 else 0.0
    reach = 0.5 + depth * np.cos(21 * angles)
    wavy = np.column_stack([reach * np.cos(angles), reach * np.sin(angles)])
    height = float(rng.uniform(0.12, 0.3))
    _shadow(canvas, stand.at(wavy) + stand.light * 0.15 * size, 0.5, 0.06 * size)
    _fill(canvas, stand.at(wavy), _lighter(ground, 0.55))
    _solid(canvas, stand, _CIRCLE * 0.42, (0.0, height), ground)
    _emblem(canvas, stand, height, ink, rng)


def _coin(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a coin with a raised figure and rim, lit from one side."""
    stand = DisplayStand.random(place, size, rng)
    metal = vary_colour(_METALS[int(rng.integers(len(_METALS)))], rng, 0.05)
    _solid(canvas, stand, _CIRCLE * 0.5, (0.0, 0.06), metal)
    if rng.random() < 0.35:
        _sheen(canvas, stand.at(_CIRCLE * 0.36, 0.06), vary_colour(_METALS[2], rng, 0.05), stand.light)
    step = stand.light * max(0.6, 0.02 * size)
    figure = random_letters(rng, 2)
    tall = float(rng.uniform(0.3, 0.6))
    for off, tone in ((step, 0.55), (-step, 1.35), (0 * step, 1.0)):
        moved = DisplayStand(stand.place + off, stand.frame, stand.rise, stand.light)
        ring = moved.at(_CIRCLE * 0.45, 0.06)
        cv2.polylines(
            canvas, [np.round(ring * 16).astype(np.int32)], True, _lighter(metal, tone), 1, cv2.LINE_AA, _FINE
        )
        _stamp(canvas, moved, figure, (0.0, 0.0, tall, 0.06), _lighter(metal, tone))


def _logo(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a rounded square with a sign: printed, a sticker, or a badge with a body."""
    stand = DisplayStand.random(place, size, rng)
    ground, ink = _pair(rng)
    outline = _rounded(1.0, float(rng.uniform(0.04, 0.35)))
    height = float(rng.choice([0.0, rng.uniform(0.02, 0.2)]))
    if height:
        _solid(canvas, stand, outline, (0.0, height), ground)
    else:
        _fill(canvas, stand.at(outline), ground)
    _emblem(canvas, stand, height, ink, rng)


def _screw(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw the head of a screw with a cross, a slot or a hexagon."""
    stand = DisplayStand.random(place, size * 0.6, rng)
    metal = (
        vary_colour(_METALS[int(rng.integers(len(_METALS)))], rng, 0.05)
        if rng.random() < 0.8
        else vary_colour(DARK, rng, 0.03)
    )
    height = float(rng.uniform(0.05, 0.3))
    _solid(canvas, stand, _CIRCLE * 0.5, (0.0, height), metal)
    _sheen(canvas, stand.at(_CIRCLE * 0.4, height), _lighter(metal, 1.1), stand.light, 0.3)
    hole, pick = _lighter(metal, 0.25), rng.random()
    if pick < 0.75:
        _fill(canvas, stand.at(_rectangle(0.62, 0.12), height), hole)
    if pick < 0.5:
        _fill(canvas, stand.at(_rectangle(0.12, 0.62), height), hole)
    if pick >= 0.75:
        _fill(canvas, stand.at(_CIRCLE[::5] * 0.22, height), hole)


def _tile(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a blank tile, an eraser or a lump of sugar: lower or longer than a die, which may be blank too."""
    stand = DisplayStand.random(place, size, rng)
    pale = vary_colour(LIGHT, rng, 0.03)
    colour = pale if rng.random() < 0.6 else _pair(rng)[0]
    long = float(rng.uniform(1.4, 2.6))
    flat = rng.random() < 0.5
    height = float(rng.uniform(0.05, 0.3) if flat else rng.uniform(0.3, 0.7))
    outline = _rectangle(1.0 if flat and rng.random() < 0.6 else long, 1.0)
    _solid(canvas, stand, outline, (0.0, height), colour)
    if not flat and rng.random() < 0.4:
        _fill(canvas, stand.at(_rectangle(long * 0.55, 1.0, long * 0.22), height), any_colour(rng))
    if rng.random() < 0.25:
        _stamp(canvas, stand, random_letters(rng, 4), (0.0, 0.0, 0.3, height), _pair(rng)[1])


def _rule(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a ruler or a measuring tape: ticks of three lengths, and figures."""
    stand = DisplayStand.random(place, size, rng)
    ground = ((0.15, 0.75, 0.92), LIGHT, (0.5, 0.72, 0.85), _METALS[0])[int(rng.integers(4))]
    ground = vary_colour(ground, rng, 0.04)
    long, wide, unit = float(rng.uniform(4, 10)), float(rng.uniform(0.5, 1.1)), float(rng.uniform(0.35, 0.9))
    _solid(canvas, stand, _rectangle(long, wide), (0.0, 0.05), ground)
    ticks = np.arange(0.1, long - 0.1, unit / 10)
    for number, x in enumerate(ticks):
        tall = wide * (0.4 if number % 10 == 0 else 0.3 if number % 5 == 0 else 0.18)
        tick = _rectangle(unit * 0.025, tall, float(x) - long / 2, -wide / 2 + tall / 2)
        _fill(canvas, stand.at(tick, 0.05), vary_colour(DARK, rng, 0.03))
        if number % 10 == 0:
            red = number % 50 == 0 and rng.random() < 0.5
            at = (float(x) - long / 2, wide * 0.15, wide * 0.35, 0.05)
            _stamp(canvas, stand, str(number // 10), at, (0.1, 0.1, 0.8) if red else DARK)


def _paper(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a printed card, a leaflet, or a thick book."""
    stand = DisplayStand.random(place, size, rng)
    tall, ratio = float(rng.uniform(1.2, 7)), float(rng.uniform(0.55, 1.0))
    outline = _rectangle(tall * ratio, tall)
    book = rng.random() < 0.4
    height = float(rng.uniform(0.1, 0.5)) if book else 0.0
    if book:
        _solid(canvas, stand, outline, (0.0, height), vary_colour(LIGHT, rng, 0.05))
    lay_page(canvas, stand.at(outline, height), rng, cover=book)


def _plate(canvas: FloatImage, stand: DisplayStand, rng: np.random.Generator) -> tuple[float, Colour]:
    """Draw a large, mostly pale plate of four units. Return its height and the colour of holes in it."""
    pale = vary_colour(LIGHT, rng, 0.04) if rng.random() < 0.75 else random_colour(rng)
    height = float(rng.choice([0.0, rng.uniform(0.05, 0.6)]))
    outline = _CIRCLE * 2 if rng.random() < 0.35 else _rounded(4.0, float(rng.uniform(0.1, 1.2)))
    _solid(canvas, stand, outline, (0.0, height), pale)
    return height, vary_colour(DARK if luminance(pale) > 0.4 else LIGHT, rng, 0.04)


def _socket(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a pale plate with a pair of holes, as in a socket, or with one to three anywhere."""
    stand = DisplayStand.random(place, size * float(rng.uniform(0.4, 1.2)), rng)
    height, hole = _plate(canvas, stand, rng)
    if rng.random() < 0.5:
        _sheen(canvas, stand.at(_CIRCLE * 1.3, height), vary_colour((0.75, 0.76, 0.77), rng, 0.03), stand.light, 0.25)
    apart, radius = float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.08, 0.3))
    paired = rng.random() < 0.65
    # Never in the centre: a single hole there would look like a die's pip.
    anywhere = rng.uniform(0.5, 1.4, (int(rng.integers(1, 4)), 2)) * rng.choice([-1.0, 1.0], 2)
    spots = np.array([[-apart, 0.0], [apart, 0.0]]) if paired else anywhere
    slot = _rectangle(radius, radius * 4) if paired and rng.random() < 0.3 else _CIRCLE * radius
    for spot in spots:
        _fill(canvas, stand.at(slot + spot, height), hole)


def _grille(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a plate with rows or rings of many holes: a loudspeaker, a sieve, a dotted cloth."""
    stand = DisplayStand.random(place, size * float(rng.uniform(0.4, 1.2)), rng)
    height, hole = _plate(canvas, stand, rng)
    step = float(rng.uniform(0.25, 0.7))
    ticks = np.arange(-1.5, 1.51, step)
    spots = np.stack(np.meshgrid(ticks, ticks), -1).reshape(-1, 2)
    if rng.random() < 0.4:
        spots = spots[np.hypot(*spots.T) < 1.55]
    outline = _CIRCLE[::3] * step * rng.uniform(0.12, 0.38)
    for spot in spots:
        _fill(canvas, stand.at(outline + spot, height), hole)


def _ladybird(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Draw a red or yellow dome with black spots and a black head."""
    stand = DisplayStand.random(place, size, rng)
    shell = vary_colour(((0.1, 0.1, 0.8), (0.1, 0.65, 0.9))[int(rng.integers(2))], rng, 0.05)
    _solid(canvas, stand, _CIRCLE * 0.22 + [0.45, 0.0], (0.0, 0.2), vary_colour(DARK, rng, 0.02))
    _solid(canvas, stand, _CIRCLE * [0.55, 0.45], (0.0, 0.2), shell)
    for part in (0.8, 0.6, 0.4):
        _sheen(canvas, stand.at(_CIRCLE * [0.55 * part, 0.45 * part], 0.2 + 0.2 * (1 - part)), shell, stand.light)
    _fill(canvas, stand.at(_rectangle(1.0, 0.025), 0.25), DARK)
    for x, y in rng.uniform(0.08, 0.32, (int(rng.integers(1, 4)), 2)) * [1.2, 1.0]:
        for side in (-1, 1):
            _fill(canvas, stand.at(_CIRCLE * rng.uniform(0.05, 0.1) + [x - 0.2, side * y], 0.25), DARK)


Maker = Callable[[FloatImage, Points, float, np.random.Generator], None]
_MAKERS: tuple[tuple[float, Maker], ...] = (
    (0.1, _button),
    (0.1, _domino),
    (0.06, _spotted),
    (0.04, _tag),
    (0.06, _block),
    (0.07, _keys),
    (0.06, _plug),
    (0.04, _door_key),
    (0.05, _lit_keys),
    (0.06, _chip),
    (0.04, _cap),
    (0.04, _coin),
    (0.06, _logo),
    (0.03, _screw),
    (0.06, _tile),
    (0.03, _rule),
    (0.05, _paper),
    (0.03, _socket),
    (0.01, _grille),
    (0.01, _ladybird),
)
"""The share of each drawing function. A function draws one object of `size` pixels at `place`."""

_SHARES = np.array([share for share, _ in _MAKERS]) / sum(share for share, _ in _MAKERS)
