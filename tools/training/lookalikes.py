"""Things that look much like dice and are none: buttons, dominoes, spotted paper, tags with stripes, keys.

They are for training only: what measures the reader scatters other clutter (tools/training/clutter.py).
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.training.grounds import random_colour
from tools.training.paints import DARK, LIGHT, luminance, near
from tools.training.random_faces import random_pip_style
from vision.drawing.faces import FloatImage, pip_centres
from vision.drawing.rendering import Colour

Points = np.ndarray
"""(N, 2) places in pixels."""

_FINE = 4
"""Bits of a pixel's fraction in what OpenCV is told."""


def lay_lookalikes(canvas: FloatImage, size: float, count: int, rng: np.random.Generator) -> None:
    """Lays `count` of them, of about `size` pixels, on `canvas` (BGR 0..1) in place."""
    height, width = canvas.shape[:2]
    for _ in range(count):
        place = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        maker = _MAKERS[int(rng.choice(len(_MAKERS), p=[0.24, 0.24, 0.13, 0.08, 0.13, 0.18]))]
        maker(canvas, place, size * float(np.exp(rng.normal(0, 0.45))), rng)


def _pair(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """A ground and an ink that stands out from it, as often as not those of dice."""
    ground = near(LIGHT if rng.random() < 0.6 else DARK, rng, 0.04) if rng.random() < 0.5 else random_colour(rng)
    return ground, near(DARK if luminance(ground) > 0.45 else LIGHT, rng, 0.05)


def _frame(size: float, rng: np.random.Generator, squeeze: float) -> Points:
    """A turned frame (2, 2) of that size in which things are drawn; a slanting view squeezes it downwards."""
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
    """A round thing with two to four holes, and the rim that buttons have."""
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
    """A flat piece with pips on two halves and a line between them, or a printed square with pips."""
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
    """Paper or cloth with spots in rows, or anywhere."""
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
    """A label with stripes of unequal width."""
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
    """A body with rounded ends and a lit ridge: a ferrite on a cable, a plug, a cap seen from the side."""
    frame = _frame(size, rng, 1.0)
    colour = near(DARK, rng, 0.04) if rng.random() < 0.5 else random_colour(rng)
    long = float(rng.uniform(0.9, 1.8))
    soft = canvas.copy()
    _fill(soft, _square(place, frame, long), colour)
    for end in (-long / 2, long / 2):
        _round(soft, place + frame @ np.array([end, 0.0]), frame, 0.5, colour)
    lit = tuple(min(1.0, part * 1.3 + 0.15) for part in colour)
    _fill(soft, _square(place + frame @ np.array([0.0, -0.15]), frame @ np.diag([1.0, 0.12]), long), lit)  # type: ignore[arg-type]
    canvas[:] = soft


def _legend(canvas: FloatImage, middle: Points, frame: Points, ink: Colour, rng: np.random.Generator) -> None:
    """Up to five marks like letters, each of one to three strokes, in a row or two rows."""
    high = float(rng.uniform(0.12, 0.4))
    for row in range(int(rng.choice([1, 1, 2]))):
        letters = int(rng.integers(1, 6)) if high < 0.2 else 1
        for letter in range(letters):
            at = np.array([letter - (letters - 1) / 2, row * 1.3]) * high * 0.8 + rng.normal(0, 0.02, 2)
            for _ in range(int(rng.integers(1, 4))):
                turn = int(rng.integers(4)) * np.pi / 4
                c, s = np.cos(turn), np.sin(turn)
                stroke = frame @ np.array([[c, -s], [s, c]]) @ np.diag([high * rng.uniform(0.5, 1.0), high * 0.2])
                spot = middle + frame @ (at + rng.uniform(-0.3, 0.3, 2) * high)
                _fill(canvas, _square(spot, stroke), ink)


def _keys(canvas: FloatImage, place: Points, size: float, rng: np.random.Generator) -> None:
    """Rows of keys, as a keyboard or a calculator has them: caps with a smaller top that bears a letter or a word."""
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


_MAKERS = (_button, _domino, _spotted, _tag, _block, _keys)
