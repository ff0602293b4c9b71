"""Face designs of all kinds of dice: marks, inks and grounds, shared by drawn and printed dice.

The artwork (`vision/dice_sets/art/`) uses a small subset of SVG: a square view box, which is one face of the die, and
overlapping filled paths (even-odd; lines, arcs and Bézier curves).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt
from svg.path import Close, Line, Move, Path, parse_path

from vision import dice_sets
from vision.dice_sets import Kind
from vision.drawing import faces
from vision.drawing.faces import TEXTURE, FloatImage, PipStyle, pip_centres
from vision.drawing.rendering import BODIES, Colour, Material, Shape, from_hex
from vision.messages import VisionError
from vision.roll import Face

DIGITS = tuple(f"digit_{value}" for value in range(10))
"""The digits. 6 and 9 have a line below."""

SYMBOLS = ("symbol_ball", "symbol_pass", "symbol_steal", "symbol_free_throw")
"""The symbols of dice."""

NAMES = DIGITS + SYMBOLS

SIZE = TEXTURE * 4
"""Edge in pixels of an ink image: four times that of a face texture."""

Outline = npt.NDArray[np.float64]
"""A closed polygon (n, 2): x right and y down in edges of the face, 0..1."""

Shapes = tuple[tuple[Outline, ...], ...]
"""The inked areas: overlapping shapes, each filled even-odd over its outlines."""

_PATH = "{http://www.w3.org/2000/svg}path"
_POINTS_A_CURVE = 48
_BITS = 6


@functools.cache
def outlines(name: str) -> Shapes:
    """Return the shapes of a mark. Raises: KeyError for a name that is not in NAMES."""
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
    """Return the ink coverage 0..1 of a face (SIZE, SIZE), read-only. Raises: KeyError for a name not in NAMES."""
    ink = coverage(outlines(name))
    ink.setflags(write=False)
    return ink


def coverage(shapes: Shapes) -> FloatImage:
    """Return the ink coverage 0..1 of a face (SIZE, SIZE)."""
    ink = np.zeros((SIZE, SIZE), np.uint8)
    for shape in shapes:
        # OpenCV's coordinates start at the centre of the first pixel, in units of 2^-_BITS.
        points = [np.round((outline * SIZE - 0.5) * 2**_BITS).astype(np.int32) for outline in shape]
        layer = np.zeros_like(ink)
        cv2.fillPoly(layer, points, 255, cv2.LINE_AA, _BITS)
        np.maximum(ink, layer, out=ink)
    return np.asarray(ink, np.float32) / np.float32(255)


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
"""Inks of coloured numbers, a dark and a light one. The one with more contrast to the ground is used."""

INK_NAMES = tuple(_NUMBERS)
"""The colours in which a mark can be drawn."""

_DARK_BELOW = 0.42
"""Luminance below which a body gets light ink."""


class ArtworkError(VisionError, ValueError):
    """A die or a face that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class FaceDesign:
    """One face: `shapes` (none: a blank face) in `ink` on `ground`, the paint of the whole face."""

    shapes: Shapes
    ink: Colour
    ground: Colour


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, 0..1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def plain_ink(ground: Colour) -> Colour:
    """Return black or white, whichever contrasts with the ground."""
    return DARK_INK if luminance(ground) > _DARK_BELOW else LIGHT_INK


def bodies_of(kind: Kind) -> tuple[str, ...]:
    """Return the bodies in which a kind is made; white if its set does not specify them."""
    return kind.bodies or ("white",)


@functools.cache
def shipped() -> dict[str, Kind]:
    """Return the kinds of the built-in sets by name. A name means the same kind in every set."""
    return {kind.name: kind for name in dice_sets.names() for kind in dice_sets.load(name).kinds}


def face_designs(kind: Kind, body: str) -> tuple[FaceDesign, ...]:
    """Return the six face designs of a kind on a body colour of `rendering.BODIES`.

    A digit face with value 0 stays blank.

    Raises: ValueError for a face without artwork, KeyError for an unknown body.
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
        fault = "vision.art.digits" if kind.marks == "digits" else "vision.art.face"
        known = ", ".join(symbol.removeprefix("symbol_") for symbol in SYMBOLS)
        raise ArtworkError(fault, n=number, kind=kind.name, face=str(face), known=known)
    blank = kind.marks == "digits" and face.value == 0
    return FaceDesign(() if blank else outlines(name), _ink(kind, number, face, ground), ground)


def _ink(kind: Kind, number: int, face: Face, ground: Colour) -> Colour:
    """Return the ink of a digit or symbol. A number of unspecified colour is black or white."""
    if face.colour is None:
        return plain_ink(ground)
    if face.colour not in _NUMBERS:
        args = {"kind": kind.name, "face": str(face), "known": ", ".join(_NUMBERS)}
        raise ArtworkError("vision.art.ink", n=number, **args)
    inks = [from_hex(text) for text in _NUMBERS[face.colour]]
    return max(inks, key=lambda ink: abs(luminance(ink) - luminance(ground)))


@functools.cache
def pip_shapes(value: int) -> Shapes:
    """Return the outlines of the pips of a classic face."""
    style = PipStyle()
    around = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    disc = style.radius * np.stack([np.cos(around), np.sin(around)], 1) + 0.5
    return tuple((disc + centre,) for centre in pip_centres(value, style))


@dataclass(frozen=True)
class DieModel:
    """A die as an object: `artwork` (6, TEXTURE, TEXTURE, 4) for faces 1..6, its shape and its material."""

    artwork: FloatImage
    shape: Shape
    material: Material


@functools.lru_cache(maxsize=64)
def die_model(kind: str | Kind, body: str) -> DieModel:
    """Return the model of a die: a kind, or the name of one in a built-in set, on a named body colour.

    Face n is the n-th of the kind's list.

    Raises: ValueError for a kind that cannot be drawn, KeyError for an unknown body.
    """
    known = shipped()
    made = known.get(kind) if isinstance(kind, str) else kind
    if made is None:
        raise ArtworkError("vision.art.kind", kind=kind, known=", ".join(sorted(known)))
    designs, colour = face_designs(made, body), BODIES[body]
    if made.marks == "pips":
        artwork = np.stack([faces.pip_face(face.value or 0, PipStyle()) for face in made.faces])
        return DieModel(artwork, Shape(0.09, 0.80), Material(colour, plain_ink(colour), gloss=0.25, window=0.1))
    if made.marks == "plain":
        artwork = np.stack([faces.coloured_face(0.05)] * len(designs))
        fills = tuple(face.ground for face in designs)
        return DieModel(artwork, Shape(0.08, 0.9), Material(colour, DARK_INK, fills=fills, gloss=0.2))
    artwork = np.stack([faces.as_texture(coverage(face.shapes)) for face in designs])
    inks = tuple(face.ink for face in designs)
    return DieModel(artwork, Shape(0.09, 0.80), Material(colour, inks[0], inks=inks, gloss=0.15))
