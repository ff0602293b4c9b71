"""Whole dice: artwork, shape and material together, for the kinds that the games use."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from vision.dice_sets import Kind
from vision.drawing import faces
from vision.drawing.artwork import coverage
from vision.drawing.cube import Shape
from vision.drawing.design import BALL_COLOURS, DARK_INK, design, plain_ink, shipped
from vision.drawing.faces import FloatImage, PipStyle
from vision.drawing.material import BODIES, Colour, Material, from_hex


@dataclass(frozen=True)
class Look:
    """One die as an object: `artwork` (6, TEXTURE, TEXTURE, 4) for faces 1..6, its shape and what it is made of."""

    artwork: FloatImage
    shape: Shape
    material: Material


@functools.lru_cache(maxsize=64)
def _pip_artwork(style: PipStyle, values: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> FloatImage:
    return np.stack([faces.pip_face(value, style) for value in values])


def classic(body: str = "white", style: PipStyle | None = None) -> Look:
    """A classic pip die of a named body colour (see BODIES); its pips are dark on light bodies, white on dark ones.

    Raises KeyError for a body that is not in BODIES.
    """
    return _with_pips(_pip_artwork(style or PipStyle()), body)


def _with_pips(artwork: FloatImage, body: str) -> Look:
    colour = BODIES[body]
    return Look(artwork, Shape(0.09, 0.80), Material(colour, plain_ink(colour), gloss=0.25, window=0.1))


@functools.lru_cache(maxsize=8)
def _painted_artwork(border: float) -> FloatImage:
    return np.stack([faces.coloured_face(border) for _ in range(6)])


def ball(body: str = "white", border: float = 0.05) -> Look:
    """The ball die: six plain coloured faces, red 1 to violet 6, on a body seen at the rims."""
    return _painted(tuple(from_hex(text) for text in BALL_COLOURS.values()), body, border)


def _painted(fills: tuple[Colour, ...], body: str, border: float = 0.05) -> Look:
    return Look(_painted_artwork(border), Shape(0.08, 0.9), Material(BODIES[body], DARK_INK, fills=fills, gloss=0.2))


@functools.lru_cache(maxsize=64)
def of_kind(kind: str | Kind, body: str) -> Look:
    """The look of a die of a kind, given itself or (one of the product's own sets) by name, on a named body colour.

    Face n is the n-th of the kind's list. Raises ValueError for a kind that there is no drawing for, KeyError for an
    unknown body.
    """
    known = shipped()
    made = known.get(kind) if isinstance(kind, str) else kind
    if made is None:
        raise ValueError(f"no drawing for dice of kind {kind!r}: known are {', '.join(sorted(known))}")
    designs = design(made, body)
    if made.marks == "pips":
        return _with_pips(_pip_artwork(PipStyle(), tuple(face.value or 0 for face in made.faces)), body)
    if made.marks == "plain":
        return _painted(tuple(face.ground for face in designs), body)
    artwork = np.stack([faces.as_texture(coverage(face.shapes)) for face in designs])
    inks = tuple(face.ink for face in designs)
    return Look(artwork, Shape(0.09, 0.80), Material(BODIES[body], inks[0], inks=inks, gloss=0.15))
