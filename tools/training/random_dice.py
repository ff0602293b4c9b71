"""Random dice of every kind that the reader must know, and of kinds that it must reject, with labels of the faces."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.training import paints, substances, wear
from tools.training.labels import UNLABELLED
from tools.training.lettering import Lettering, fonts, jittered, lettered_face, random_lettering
from tools.training.random_faces import empty_face, engraved, pips_face, polygon_face, random_pip_style
from vision.classification import classes
from vision.drawing import faces
from vision.drawing.design import DieModel, mark
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import BODIES, Colour, Shape

_SIX = tuple[int, int, int, int, int, int]
_NONE: _SIX = (UNLABELLED,) * 6

_STICKERS = 0.3
"""Share of dice with stickers."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of a die, drawn independently of each other, so that none predicts another.

    - `marks`: pips, plain, numbers, symbols, unreadable.
    - `substance`, `contrast`: of substances.SUBSTANCES and CONTRASTS.
    - `worn`: of wear.WEARS.
    - `typeface`: of lettering.TYPEFACES, for figures only.
    """

    marks: str
    substance: str
    contrast: str
    worn: str
    sticker: bool
    typeface: str = ""


@dataclass(frozen=True, slots=True)
class RandomDie:
    """A die with its labels. `shows`, `paint` and `ink`: class, ground and mark (see labels.py) of faces 1..6."""

    model: DieModel
    shows: _SIX
    paint: _SIX = _NONE
    ink: _SIX = _NONE
    made: Attributes | None = None


def _six(value: int) -> _SIX:
    return (value,) * 6


def random_attributes(marks: str, rng: np.random.Generator) -> Attributes:
    """Return random attributes of a die with such marks."""
    return Attributes(
        marks,
        paints.weighted_choice(substances.SUBSTANCES, rng),
        paints.weighted_choice(substances.CONTRASTS, rng),
        paints.weighted_choice(wear.WEARS, rng),
        bool(rng.random() < _STICKERS),
    )


def random_shape(rng: np.random.Generator) -> Shape:
    """Return the shape of a sharp casino die, a rounded die, or a die with corners cut by a sphere."""
    corner = float(rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.14), rng.uniform(0.12, 0.24)]))
    return Shape(corner, float(rng.uniform(0.66, 0.86)) if rng.random() < 0.55 else 0.9)


_Ink = tuple[Colour, int]

_ONE_INK, _UNNAMED_INK = 0.7, 0.15
"""Shares of dice with one named ink on all faces, and with one ink of any colour. The others have six inks."""


def _inks(ground: Colour, contrast: str, rng: np.random.Generator) -> tuple[_Ink, ...]:
    """Return the inks of the six faces, and the numbers of their colour names (UNLABELLED if they have none)."""
    weak = {"faint": paints.faint_ink, "shade": paints.darker_ink, "hollow": paints.hollow_ink}.get(contrast)
    if weak is not None:
        return ((weak(ground, rng), UNLABELLED),) * 6
    way = rng.random()
    if way < _UNNAMED_INK:
        return ((paints.any_ink(ground, rng), UNLABELLED),) * 6
    if way < _UNNAMED_INK + _ONE_INK:
        return (paints.named_ink(ground, rng),) * 6
    return tuple(paints.named_ink(ground, rng) for _ in range(6))


def _with_red(inks: tuple[_Ink, ...], ground: Colour, rng: np.random.Generator) -> tuple[_Ink, ...]:
    """Return the inks of Asian dice: a red one, and often a red four."""
    if rng.random() > (0.2 if paints.luminance(ground) > 0.6 else 0.03):
        return inks
    red, four = (paints.vary_colour((0.12, 0.1, 0.8), rng, 0.05), UNLABELLED), rng.random() < 0.4
    return (red, *inks[1:3], red if four else inks[3], *inks[4:])


def _die(made: Attributes, art: list[FloatImage], shows: _SIX, rng: np.random.Generator) -> RandomDie:
    """Return a die with these attributes and marks in or on its body, or on stickers."""
    body = substances.random_body(made.substance, rng)
    ground, paint = substances.random_colour(rng) if made.sticker else (body.colour, body.paint)
    inks = _inks(ground, made.contrast, rng)
    if made.marks == "pips":
        inks = _with_red(inks, ground, rng)
    colours = tuple(ink for ink, _ in inks)
    if made.contrast == "hollow":
        depth = float(rng.uniform(0.7, 1.4))
        art = [engraved(face, depth) for face in art]
    material = substances.finished(body.colour, colours[0], rng)
    if made.sticker:
        if made.substance == "solid":
            body = replace(body, colour=ground if rng.random() < 0.4 else paints.random_base(rng))
        material = substances.made_of(material, body, (), rng)
        textures = wear.on_stickers(np.stack(art), rng, embossed=made.contrast != "strong")
        fills = wear.papers(ground, rng)
        material = replace(material, gloss=material.gloss * float(rng.uniform(0.2, 1.0)))
    else:
        material = substances.made_of(material, body, colours, rng)
        textures, fills = np.stack(art), (paints.speck(body.colour, rng),) * 6
    textures = wear.aged(textures, made.worn, rng, filled=made.sticker)
    ink_labels = tuple(
        UNLABELLED if face_class in (classes.PLAIN, classes.UNKNOWN) or made.marks == "pips" else number
        for (_, number), face_class in zip(inks, shows, strict=True)
    )
    model = DieModel(
        textures,
        substances.shaped(random_shape(rng), body, rng),
        replace(material, fills=fills, inks=colours),
    )
    return RandomDie(model, shows, _six(paint), ink_labels, made)  # type: ignore[arg-type]


_SQUARE = 0.07
"""Share of square pips."""


def random_pips(rng: np.random.Generator) -> RandomDie:
    """Return any classic die."""
    style, square = random_pip_style(rng), bool(rng.random() < _SQUARE)
    art = [pips_face(value, style, square) for value in range(1, 7)]
    return _die(random_attributes("pips", rng), art, (1, 2, 3, 4, 5, 6), rng)


def random_ball(rng: np.random.Generator) -> RandomDie:
    """Return a die with six plain coloured faces in varied paints, with or without a border in the body's colour."""
    made = random_attributes("plain", rng)
    border = 0.0 if rng.random() < 0.35 else float(rng.uniform(0.02, 0.14))
    fills = tuple(paints.ball_paint(index, rng) for index in range(6))
    names = ("red", "orange", "yellow", "green", "blue", "violet")
    body = substances.random_body(made.substance, rng)
    if made.substance == "solid" and rng.random() < 0.7:
        body = replace(body, colour=BODIES["white" if rng.random() < 0.5 else "black"])
    textures = np.stack([wear.painted(border)] * 6)
    if made.sticker:
        textures = wear.on_stickers(textures, rng)
    textures = wear.aged(textures, made.worn, rng, filled=True)
    speck = paints.speck(body.colour, rng)
    material = substances.made_of(substances.finished(body.colour, speck, rng), body, (), rng)
    paint = tuple(paints.colour_index(name) for name in names)
    model = DieModel(textures, substances.shaped(random_shape(rng), body, rng), replace(material, fills=fills))
    return RandomDie(model, _six(classes.PLAIN), paint, _NONE, made)  # type: ignore[arg-type]


def random_blank(rng: np.random.Generator) -> RandomDie:
    """Return a die without any mark."""
    made = replace(random_attributes("plain", rng), contrast="strong")
    return _die(made, [empty_face()] * 6, _six(classes.PLAIN), rng)


@functools.lru_cache(maxsize=64)
def _own(name: str) -> FloatImage:
    return faces.as_texture(mark(name))


def _own_face(name: str, depth: float, rng: np.random.Generator) -> FloatImage:
    """Return a face of the project's own artwork as printed and cut by hand: scaled, shifted, rotated."""
    face = _own(name)
    size = face.shape[0]
    rotation = float(np.clip(rng.normal(0, 5), -15, 15)) + 90 * int(rng.integers(4))
    scale = float(rng.uniform(0.55, 0.8)) if rng.random() < 0.15 else float(rng.uniform(0.8, 1.12))
    matrix = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), rotation, scale)
    matrix[:, 2] += np.clip(rng.normal(0, 0.03, 2), -0.08, 0.08) * size
    return engraved(np.asarray(cv2.warpAffine(face, matrix, (size, size)), np.float32), depth)


def _number_face(value: int, style: Lettering, rng: np.random.Generator) -> FloatImage:
    """Return a face with a figure."""
    if style.typeface == "own":
        return _own_face(f"digit_{value}", style.depth, rng)
    return lettered_face(str(value), replace(jittered(style, rng), mark=style.mark if value in (6, 9) else ""))


_FIGURES = (0.1, 0.07, 0.07, 0.07, 0.07, 0.07, 0.15, 0.1, 0.1, 0.2)
"""Probabilities of 0 to 9 on a die that is not numbered from 1 to 6.

The nine is most frequent, because only its mark distinguishes it from the six.
"""


def random_numbers(rng: np.random.Generator, odds: tuple[float, ...] = _FIGURES, ordinarily: float = 0.3) -> RandomDie:
    """Return a die with figures.

    It has one to six with probability `ordinarily`, else any figures, 0 to 9 with probabilities `odds`, and blank faces
    as on coloured dice.
    """
    style = random_lettering(rng)
    six_nine_marked = style.typeface == "own" or style.mark != ""
    ordinary = rng.random() < ordinarily
    values = list(range(1, 7)) if ordinary else [int(v) for v in rng.choice(10, 6, p=odds)]
    empty = [not ordinary and (rng.random() < (0.8 if value == 0 else 0.12)) for value in values]
    art, shows = [], []
    for value, nothing in zip(values, empty, strict=True):
        art.append(empty_face() if nothing else _number_face(value, style, rng))
        unmarked = value in (6, 9) and not six_nine_marked
        shows.append(classes.PLAIN if nothing else classes.SIX_OR_NINE if unmarked else classes.of_digit(value))
    made = replace(random_attributes("numbers", rng), typeface=style.typeface)
    return _die(made, art, tuple(shows), rng)  # type: ignore[arg-type]


def random_symbols(rng: np.random.Generator) -> RandomDie:
    """Return a die with symbols of the project's own artwork."""
    names = [str(rng.choice(classes.SYMBOLS)) for _ in range(6)]
    depth = float(rng.uniform(-0.1, 0.9))
    art = [_own_face(f"symbol_{name}", depth, rng) for name in names]
    shows = tuple(classes.of_symbol(name) for name in names)
    return _die(random_attributes("symbols", rng), art, shows, rng)  # type: ignore[arg-type]


_LETTERS = tuple("ACEFHJKMNPQRTUVWXY&?!#+=")
"""Letters that do not resemble a figure in any rotation."""


def random_unreadable(rng: np.random.Generator) -> RandomDie:
    """Return a die without known faces: letters, two-digit numbers, shapes; or a solid that is not a cube."""
    solid = rng.random() < 0.4
    typeface, art = _texts(rng, solid=solid) if solid or rng.random() < 0.55 else ("", _forms(rng))
    made = replace(random_attributes("unreadable", rng), typeface=typeface)
    die = _die(replace(made, sticker=made.sticker and not solid), art, _six(classes.UNKNOWN), rng)
    shape = _solid(rng) if solid else die.model.shape
    return replace(die, model=replace(die.model, shape=shape), paint=_NONE)


def _texts(rng: np.random.Generator, *, solid: bool) -> tuple[str, list[FloatImage]]:
    """Return the typeface and the six faces: with a letter or two-digit number, or any number up to 20 on a solid."""
    style = replace(random_lettering(rng), height=float(rng.uniform(0.3, 0.62)))
    if style.typeface == "own":
        style = replace(style, typeface="sans", font=str(rng.choice(fonts())))
    texts = [str(rng.choice(_LETTERS)) if rng.random() < 0.5 else str(rng.integers(10, 100)) for _ in range(6)]
    if solid:
        texts = [str(rng.integers(0, 21)) for _ in range(6)]
    marks = [(style.mark or "line") if text in ("6", "9") else "" for text in texts]
    art = [
        lettered_face(text, replace(jittered(style, rng), mark=text_mark))
        for text, text_mark in zip(texts, marks, strict=True)
    ]
    return style.typeface, art


def _forms(rng: np.random.Generator) -> list[FloatImage]:
    """Return six faces with a polygon or a star."""
    return [
        polygon_face(
            int(rng.integers(3, 9)),
            float(rng.uniform(0.18, 0.44)),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0.3, 0.8)) if rng.random() < 0.4 else 0.0,
            float(rng.uniform(0.35, 1.0)),
        )
        for _ in range(6)
    ]


def _solid(rng: np.random.Generator) -> Shape:
    """Return a role-playing die with four, eight, ten, twelve or twenty faces, cut out of a cube."""
    directions, reach = _solids()[int(rng.integers(5))]
    units = np.asarray(directions, float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    return Shape(0.05, 0.9, tuple((float(x), float(y), float(z), reach) for x, y, z in units))


_SIGNS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _solids() -> tuple[tuple[list[tuple[float, float, float]], float], ...]:
    """Return for each solid the directions of its faces and the distance of the cuts from the centre."""
    golden = (1 + 5**0.5) / 2
    corners: list[tuple[float, float, float]] = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    twelve: list[tuple[float, float, float]] = [(0, a, b * golden) for a, b in _SIGNS]
    twelve += [(a, b * golden, 0) for a, b in _SIGNS] + [(b * golden, 0, a) for a, b in _SIGNS]
    twenty = corners + [(0, a / golden, b * golden) for a, b in _SIGNS]
    twenty += [(a / golden, b * golden, 0) for a, b in _SIGNS]
    twenty += [(b * golden, 0, a / golden) for a, b in _SIGNS]
    four: list[tuple[float, float, float]] = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return ((corners, 0.40), (twelve, 0.46), (twenty, 0.46), (four, 0.26), (twenty, 0.46))
