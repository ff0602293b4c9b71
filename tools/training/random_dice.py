"""Random dice of every kind that the reader must know, and of kinds that it must refuse, with what each face shows."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.training import paints
from tools.training.labels import NOT_SAID
from tools.training.lettering import fonts, lettered_face, worn
from tools.training.random_faces import polygon_face, random_pip_style
from vision.classification import classes
from vision.drawing import faces
from vision.drawing.design import DieModel, mark
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import BODIES, Colour, Material, Shape

_SIX = tuple[int, int, int, int, int, int]
_NONE: _SIX = (NOT_SAID,) * 6


@dataclass(frozen=True, slots=True)
class RandomDie:
    """A die as an object; `shows`, `paint` and `ink` are class, ground and mark (see labels.py) of faces 1..6."""

    look: DieModel
    shows: _SIX
    paint: _SIX = _NONE
    ink: _SIX = _NONE


def _six(value: int) -> _SIX:
    return (value,) * 6


def random_shape(rng: np.random.Generator) -> Shape:
    """Sharp casino dice, rounded dice, and dice cut by a sphere."""
    corner = float(rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.14), rng.uniform(0.12, 0.24)]))
    return Shape(corner, float(rng.uniform(0.66, 0.86)) if rng.random() < 0.55 else 0.9)


def random_body(rng: np.random.Generator) -> tuple[Colour, int]:
    """Bodies of all usual colours, white ones oftenest, and the number of the colour's name."""
    pick = rng.random()
    if pick < 0.33:
        name = "white" if rng.random() < 0.7 else "ivory"
        return paints.near(BODIES[name], rng, 0.03), paints.number_of(name)
    return paints.any_named(rng) if pick < 0.8 else (paints.any_colour(rng), NOT_SAID)


def finished(body: Colour, ink: Colour, rng: np.random.Generator) -> Material:
    """How the surface takes the light: matt to glossy, with mirrored windows and tubes on bulging faces."""
    window = rng.random() < 0.3
    tube = rng.random() < 0.5
    size = (rng.uniform(0.015, 0.05), rng.uniform(0.2, 0.9)) if tube else rng.uniform(0.05, 0.22, 2)
    return Material(
        body=body,
        ink=ink,
        gloss=float(rng.uniform(0, 0.9)) if rng.random() < 0.7 else 0.0,
        window=float(rng.uniform(0.15, 1.0)) if window else 0.0,
        window_size=(float(size[0]), float(size[1])),
        window_at=(float(rng.normal(0, 0.25)), float(rng.normal(0, 0.25))),
        window_turn=float(rng.uniform(0, np.pi)),
        convex=float(rng.uniform(0.1, 0.6)) if window else float(rng.uniform(0, 0.15)),
    )


def random_pips(rng: np.random.Generator) -> RandomDie:
    """Any classic die."""
    style = random_pip_style(rng)
    artwork = np.stack([faces.pip_face(value, style) for value in range(1, 7)])
    body, paint = random_body(rng)
    red_one = rng.random() < (0.2 if paints.luminance(body) > 0.6 else 0.03)
    marbled = rng.random() < 0.24
    red_four = red_one and rng.random() < 0.4
    clear = 0.0 if marbled or rng.random() < 0.86 else float(rng.uniform(0.15, 0.6))
    ink, red = paints.any_ink(body, rng), paints.near((0.12, 0.1, 0.8), rng, 0.05)
    material = replace(
        finished(body, ink, rng),
        ink_one=red if red_one else None,
        inks=(red, ink, ink, red, ink, ink) if red_four else (),
        clear=clear,
        marble=_veins(body, rng) if marbled else None,
        marble_seed=int(rng.integers(1 << 30)),
    )
    named = NOT_SAID if marbled or clear else paint
    return RandomDie(DieModel(artwork, random_shape(rng), material), (1, 2, 3, 4, 5, 6), _six(named))


def _veins(body: Colour, rng: np.random.Generator) -> Colour:
    """A second colour of about the same brightness, so that the pips still show on it."""
    for _ in range(8):
        other = paints.any_colour(rng)
        if abs(paints.luminance(other) - paints.luminance(body)) < 0.3:
            return other
    return paints.near(body, rng, 0.15)


def random_ball(rng: np.random.Generator) -> RandomDie:
    """A die with six plain coloured faces, as makers' paints vary, with or without a border in the body's colour."""
    border = 0.0 if rng.random() < 0.35 else float(rng.uniform(0.02, 0.14))
    fills = tuple(paints.ball_paint(index, rng) for index in range(6))
    names = ("red", "orange", "yellow", "green", "blue", "violet")
    body = BODIES["white" if rng.random() < 0.5 else "black"] if rng.random() < 0.7 else paints.any_colour(rng)
    coloured = faces.coloured_face(border)
    artwork = np.stack([worn(coloured, rng) if rng.random() < 0.2 else coloured for _ in range(6)])
    material = replace(finished(body, paints.DARK, rng), fills=fills)
    paint = tuple(paints.number_of(name) for name in names)
    return RandomDie(DieModel(artwork, random_shape(rng), material), _six(classes.PLAIN), paint)  # type: ignore[arg-type]


def random_blank(rng: np.random.Generator) -> RandomDie:
    """A die without any mark."""
    body, paint = random_body(rng)
    artwork = np.stack([faces.coloured_face(0.0)] * 6)
    return RandomDie(
        DieModel(artwork, random_shape(rng), replace(finished(body, body, rng), fills=(body,) * 6)),
        _six(classes.PLAIN),
        _six(paint),
    )


@functools.lru_cache(maxsize=64)
def _own(name: str) -> FloatImage:
    return faces.as_texture(mark(name))


def _own_face(name: str, rng: np.random.Generator) -> FloatImage:
    """A face of our own artwork as a printer and a pair of scissors leave it: larger, smaller, aside, turned."""
    face = _own(name)
    size = face.shape[0]
    turn = float(rng.normal(0, 3)) + 90 * int(rng.integers(4))
    matrix = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), turn, float(rng.uniform(0.8, 1.12)))
    matrix[:, 2] += rng.normal(0, 0.025, 2) * size
    return np.asarray(cv2.warpAffine(face, matrix, (size, size)), np.float32)


def _number_face(value: int, style: tuple[str, float, str, float, float], rng: np.random.Generator) -> FloatImage:
    """A face with a figure: in our own artwork when the style names no font."""
    font, height, told, bolder, depth = style
    if not font:
        return _own_face(f"digit_{value}", rng)
    return lettered_face(str(value), font, height, told if value in (6, 9) else "", bolder, depth)


_FIGURES = (0.1, 0.07, 0.07, 0.07, 0.07, 0.07, 0.15, 0.1, 0.1, 0.2)
"""How often a face shows 0 to 9 on a die that is not numbered from 1 to 6: the nine, which only its mark tells from the
six, most often."""


def random_numbers(rng: np.random.Generator, odds: tuple[float, ...] = _FIGURES, ordinarily: float = 0.3) -> RandomDie:
    """A die with figures: one to six (`ordinarily` so often), or any figures, 0 to 9 by their `odds`, and empty faces
    as on coloured dice."""
    own = rng.random() < 0.4
    font = "" if own else str(rng.choice(fonts()))
    told = "line" if own else str(rng.choice(["line", "dot", ""], p=[0.5, 0.2, 0.3]))
    bolder = float(rng.uniform(0.004, 0.02)) if rng.random() < 0.3 else 0.0
    style = (font, float(rng.uniform(0.4, 0.72)), told, bolder, float(rng.uniform(-0.1, 0.6)))
    ordinary = rng.random() < ordinarily
    values = list(range(1, 7)) if ordinary else [int(v) for v in rng.choice(10, 6, p=odds)]
    empty = [not ordinary and (rng.random() < (0.8 if value == 0 else 0.12)) for value in values]
    art, shows = [], []
    for value, nothing in zip(values, empty, strict=True):
        art.append(faces.coloured_face(0.0) * 0 if nothing else _number_face(value, style, rng))
        unmarked = value in (6, 9) and not told
        shows.append(classes.PLAIN if nothing else classes.SIX_OR_NINE if unmarked else classes.of_digit(value))
    return _printed(art, shows, rng, sticker=own or rng.random() < 0.2)


def random_symbols(rng: np.random.Generator) -> RandomDie:
    """A die with symbols, in our own artwork."""
    names = [str(rng.choice(classes.SYMBOLS)) for _ in range(6)]
    art = [_own_face(f"symbol_{name}", rng) for name in names]
    return _printed(art, [classes.of_symbol(name) for name in names], rng, sticker=True)


def _printed(art: list[FloatImage], shows: list[int], rng: np.random.Generator, *, sticker: bool) -> RandomDie:
    """The faces on a die of one colour, engraved, or as stickers on a die of another one."""
    names = ("blue", "yellow", "red", "ivory", "grey", "brown", "orange", "white")
    body, paint = paints.named(str(rng.choice(names)), rng) if rng.random() < 0.65 else random_body(rng)
    inks = [paints.named_ink(body, rng)] * 6
    if rng.random() < 0.4:
        inks = [paints.named_ink(body, rng) for _ in range(6)]
    material = finished(body, inks[0][0], rng)
    if sticker:
        border = float(rng.uniform(0.0, 0.09))
        paper = faces.coloured_face(border)
        art = [np.dstack([face[..., 0] * paper[..., 1], paper[..., 1], face[..., 2:] * 0]) for face in art]
        base = body if rng.random() < 0.4 else paints.random_base(rng)
        material = replace(material, body=base, fills=(body,) * 6)
        material = replace(material, gloss=material.gloss * float(rng.uniform(0.2, 1.0)))
        if rng.random() < 0.5:
            art = [worn(np.asarray(face, np.float32), rng) for face in art]
    material = replace(material, inks=tuple(ink for ink, _ in inks))
    shape = random_shape(rng)
    told = tuple(number if shown != classes.PLAIN else NOT_SAID for (_, number), shown in zip(inks, shows, strict=True))
    look = DieModel(np.stack(art).astype(np.float32), shape, material)
    return RandomDie(look, tuple(shows), _six(paint), told)  # type: ignore[arg-type]


_LETTERS = tuple("ACEFHJKMNPQRTUVWXY&?!#+=")
"""Letters that are not taken for a figure, however turned."""


def random_unreadable(rng: np.random.Generator) -> RandomDie:
    """A die whose faces are none of ours: letters, numbers of two figures, forms; or a solid that is no cube."""
    body, _ = random_body(rng)
    solid = rng.random() < 0.4
    if solid or rng.random() < 0.55:
        font, height = str(rng.choice(fonts())), float(rng.uniform(0.3, 0.62))
        texts = [str(rng.choice(_LETTERS)) if rng.random() < 0.5 else str(rng.integers(10, 100)) for _ in range(6)]
        if solid:
            texts = [str(rng.integers(0, 21)) for _ in range(6)]
        art = [lettered_face(t, font, height, "line" if t in ("6", "9") else "") for t in texts]
    else:
        art = [
            polygon_face(
                int(rng.integers(3, 9)),
                float(rng.uniform(0.18, 0.44)),
                float(rng.uniform(0, 360)),
                float(rng.uniform(0.3, 0.8)) if rng.random() < 0.4 else 0.0,
                float(rng.uniform(0.35, 1.0)),
            )
            for _ in range(6)
        ]
    material = finished(body, paints.any_ink(body, rng), rng)
    return RandomDie(
        DieModel(np.stack(art), _solid(rng) if solid else random_shape(rng), material), _six(classes.UNKNOWN)
    )


def _solid(rng: np.random.Generator) -> Shape:
    """A role-player's die: four, eight, ten, twelve or twenty faces, cut out of a cube."""
    directions, reach = _solids()[int(rng.integers(5))]
    units = np.asarray(directions, float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    return Shape(0.05, 0.9, tuple((float(x), float(y), float(z), reach) for x, y, z in units))


_SIGNS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _solids() -> tuple[tuple[list[tuple[float, float, float]], float], ...]:
    """Each solid: the directions of its faces and how far from the middle they cut."""
    golden = (1 + 5**0.5) / 2
    corners: list[tuple[float, float, float]] = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    twelve: list[tuple[float, float, float]] = [(0, a, b * golden) for a, b in _SIGNS]
    twelve += [(a, b * golden, 0) for a, b in _SIGNS] + [(b * golden, 0, a) for a, b in _SIGNS]
    twenty = corners + [(0, a / golden, b * golden) for a, b in _SIGNS]
    twenty += [(a / golden, b * golden, 0) for a, b in _SIGNS]
    twenty += [(b * golden, 0, a / golden) for a, b in _SIGNS]
    four: list[tuple[float, float, float]] = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return ((corners, 0.40), (twelve, 0.46), (twenty, 0.46), (four, 0.26), (twenty, 0.46))
