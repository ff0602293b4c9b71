"""What stands on the faces of a kind of dice, in what ink on what ground: one answer for drawn and printed dice."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from vision import dice_sets
from vision.dice_sets import Kind
from vision.drawing.artwork import NAMES, SYMBOLS, Shapes, outlines
from vision.drawing.faces import PipStyle, pip_centres
from vision.drawing.material import BODIES, Colour, from_hex
from vision.roll import Face

BALL_COLOURS: dict[str, str] = {
    "red": "#B51C22",
    "orange": "#EE6C0C",
    "yellow": "#FEE85E",
    "green": "#2FBD88",
    "blue": "#1F6CEE",
    "violet": "#4B1A84",
}
"""The six faces of the ball die in the order of the ribbon (screens: dice colours)."""

DARK_INK: Colour = (0.06, 0.06, 0.06)
LIGHT_INK: Colour = (0.94, 0.95, 0.95)

_NUMBERS: dict[str, tuple[str, ...]] = {
    "red": ("#B0121C", "#FF6A5C"),
    "orange": ("#C25400", "#FF9A3C"),
    "yellow": ("#B88600", "#FFE44D"),
    "green": ("#0F7A4A", "#4FE0A0"),
    "blue": ("#1247B8", "#6FB6FF"),
    "violet": ("#4B1A84", "#C79BFF"),
    "black": ("#0F0F0F",),
    "white": ("#F2F2F2",),
}
"""Inks of coloured numbers, a dark and a light one: that is taken which differs more in brightness from its ground."""

_DARK_BELOW = 0.42
"""Bodies darker than this bear light ink."""


@dataclass(frozen=True, slots=True)
class FaceDesign:
    """One face: `shapes` in `ink` (none: a blank face) on `ground`, the paint of the whole face."""

    shapes: Shapes
    ink: Colour
    ground: Colour


def luminance(colour: Colour) -> float:
    """Relative brightness of a colour, 0..1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def plain_ink(ground: Colour) -> Colour:
    """Black or white, whichever stands out from the ground."""
    return DARK_INK if luminance(ground) > _DARK_BELOW else LIGHT_INK


def bodies_of(kind: Kind) -> tuple[str, ...]:
    """The bodies that a kind is made in; white where its set leaves them open."""
    return kind.bodies or ("white",)


@functools.cache
def shipped() -> dict[str, Kind]:
    """The kinds of the product's own sets by name; a name means the same kind in each of them."""
    return {kind.name: kind for name in dice_sets.names() for kind in dice_sets.load(name).kinds}


def design(kind: Kind, body: str) -> tuple[FaceDesign, ...]:
    """The six faces of a kind on a body colour of `material.BODIES`.

    A face with digits that is worth 0 stays blank (NBA-2.1). Raises ValueError for a face that there is no artwork
    for, KeyError for an unknown body.
    """
    ground = BODIES[body]
    return tuple(_face(kind, number, face, ground) for number, face in enumerate(kind.faces, 1))


def _face(kind: Kind, number: int, face: Face, ground: Colour) -> FaceDesign:
    if kind.marks == "plain":
        paint = from_hex(BALL_COLOURS[face.colour or ""])
        return FaceDesign((), plain_ink(paint), paint)
    if kind.marks == "pips":
        return FaceDesign(pip_shapes(face.value or 0), plain_ink(ground), ground)
    name = f"digit_{face.value}" if kind.marks == "digits" else f"symbol_{face.symbol}"
    if name not in NAMES:
        known = "0 to 9" if kind.marks == "digits" else ", ".join(symbol.removeprefix("symbol_") for symbol in SYMBOLS)
        raise ValueError(f"no artwork for face {number} of {kind.name}, {face}: there is {known}")
    blank = kind.marks == "digits" and face.value == 0
    return FaceDesign(() if blank else outlines(name), _ink(kind, number, face, ground), ground)


def _ink(kind: Kind, number: int, face: Face, ground: Colour) -> Colour:
    """The ink of a digit or symbol; a number whose colour the set leaves open is black or white."""
    if face.colour is None:
        return plain_ink(ground)
    if face.colour not in _NUMBERS:
        raise ValueError(f"no ink for face {number} of {kind.name}, {face}: there is {', '.join(_NUMBERS)}")
    inks = [from_hex(text) for text in _NUMBERS[face.colour]]
    return max(inks, key=lambda ink: abs(luminance(ink) - luminance(ground)))


@functools.cache
def pip_shapes(value: int) -> Shapes:
    """The pips of a classic face as outlines."""
    style = PipStyle()
    around = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    disc = style.radius * np.stack([np.cos(around), np.sin(around)], 1) + 0.5
    return tuple((disc + centre,) for centre in pip_centres(value, style))
