"""The artwork of the custom dice (`vision/dice_sets/art/`): the same outlines for drawn dice and for printed stickers.

A picture is a small part of SVG: a square view box, which is one face of the die, and filled paths (even-odd; lines,
arcs and Bézier curves) that lie over each other.
"""

from __future__ import annotations

import functools
from importlib import resources
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt
from svg.path import Close, Line, Move, Path, parse_path

from vision.drawing.faces import TEXTURE, FloatImage

DIGITS = tuple(f"digit_{value}" for value in range(10))
"""The digits; 6 and 9 bear a line below."""

SYMBOLS = ("symbol_ball", "symbol_pass", "symbol_steal", "symbol_free_throw")
"""The symbols of hoops21 (HB-2)."""

NAMES = DIGITS + SYMBOLS

SIZE = TEXTURE * 4
"""Edge of a picture of ink in pixels: four times that of a face texture."""

Outline = npt.NDArray[np.float64]
"""A closed polygon (n, 2): x right and y down in edges of the face, 0..1."""

Shapes = tuple[tuple[Outline, ...], ...]
"""What is inked: shapes that lie over each other, each filled even-odd over its outlines."""

_PATH = "{http://www.w3.org/2000/svg}path"
_POINTS_A_CURVE = 48
_BITS = 6


@functools.cache
def outlines(name: str) -> Shapes:
    """The shapes of a mark. Raises KeyError for a name that is not in NAMES."""
    if name not in NAMES:
        raise KeyError(name)
    picture = resources.files("vision") / "dice_sets" / "art" / f"{name}.svg"
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    edge = float(root.attrib["viewBox"].split()[2])
    return tuple(_flattened(parse_path(path.attrib["d"]), edge) for path in root.iter(_PATH))


def _flattened(path: Path, edge: float) -> tuple[Outline, ...]:
    parts: list[list[complex]] = []
    for segment in path:
        if isinstance(segment, Move):
            parts.append([segment.end])
        elif isinstance(segment, Line):
            parts[-1].append(segment.end)
        elif not isinstance(segment, Close):
            parts[-1].extend(segment.point(way) for way in np.linspace(0, 1, _POINTS_A_CURVE + 1)[1:])
    return tuple(np.array([(point.real, point.imag) for point in part]) / edge for part in parts)


@functools.cache
def mark(name: str) -> FloatImage:
    """Ink coverage 0..1 of a face (SIZE, SIZE), read-only. Raises KeyError for a name that is not in NAMES."""
    ink = coverage(outlines(name))
    ink.setflags(write=False)
    return ink


def coverage(shapes: Shapes) -> FloatImage:
    """Ink coverage 0..1 of a face (SIZE, SIZE)."""
    ink = np.zeros((SIZE, SIZE), np.uint8)
    for shape in shapes:
        # OpenCV counts from the middle of the first pixel, in fractions of 2^-_BITS.
        points = [np.round((outline * SIZE - 0.5) * 2**_BITS).astype(np.int32) for outline in shape]
        layer = np.zeros_like(ink)
        cv2.fillPoly(layer, points, 255, cv2.LINE_AA, _BITS)
        np.maximum(ink, layer, out=ink)
    return np.asarray(ink, np.float32) / np.float32(255)
