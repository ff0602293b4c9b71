"""Whole dice: artwork, shape and material together, for the kinds that the games use."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from vision.drawing import faces
from vision.drawing.cube import Shape
from vision.drawing.faces import FloatImage, PipStyle
from vision.drawing.material import BODIES, Colour, Material, from_hex

BALL_COLOURS: dict[str, str] = {
    "red": "#B51C22",
    "orange": "#EE6C0C",
    "yellow": "#FEE85E",
    "green": "#2FBD88",
    "blue": "#1F6CEE",
    "violet": "#4B1A84",
}
"""The six faces of the ball die in the order of the ribbon (screens: dice colours)."""

_DARK_INK: Colour = (0.06, 0.06, 0.06)
_LIGHT_INK: Colour = (0.94, 0.95, 0.95)


@dataclass(frozen=True)
class Look:
    """One die as an object: `artwork` (6, TEXTURE, TEXTURE, 4) for faces 1..6, its shape and what it is made of."""

    artwork: FloatImage
    shape: Shape
    material: Material


def luminance(colour: Colour) -> float:
    """Relative brightness of a colour, 0..1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


@functools.lru_cache(maxsize=64)
def _pip_artwork(style: PipStyle) -> FloatImage:
    return np.stack([faces.pip_face(value, style) for value in range(1, 7)])


def classic(body: str = "white", style: PipStyle | None = None) -> Look:
    """A classic pip die of a named body colour (see BODIES); its pips are dark on light bodies, white on dark ones.

    Raises KeyError for a body that is not in BODIES.
    """
    colour = BODIES[body]
    ink = _DARK_INK if luminance(colour) > 0.42 else _LIGHT_INK
    return Look(_pip_artwork(style or PipStyle()), Shape(0.09, 0.80), Material(colour, ink, gloss=0.25, window=0.1))


@functools.lru_cache(maxsize=8)
def _ball_artwork(border: float) -> FloatImage:
    return np.stack([faces.coloured_face(border) for _ in range(6)])


def ball(body: str = "white", border: float = 0.05) -> Look:
    """The ball die: six plain coloured faces, red 1 to violet 6, on a body seen at the rims."""
    fills = tuple(from_hex(text) for text in BALL_COLOURS.values())
    material = Material(BODIES[body], _DARK_INK, fills=fills, gloss=0.2)
    return Look(_ball_artwork(border), Shape(0.08, 0.9), material)


def of_kind(kind: str, body: str) -> Look:
    """The look of a kind that the tray can draw: `pips` or `ball`. Raises ValueError for another kind."""
    if kind == "pips":
        return classic(body)
    if kind == "ball":
        return ball(body)
    raise ValueError(f"no drawing for dice of kind {kind!r}: only pips and ball can be drawn")
