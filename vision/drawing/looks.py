"""Whole dice: artwork, shape and material together, for the kinds that the game uses and at random for training."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

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


def random_shape(rng: np.random.Generator) -> Shape:
    """Sharp casino dice, rounded dice, and dice cut by a sphere."""
    corner = float(rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.14), rng.uniform(0.12, 0.24)]))
    return Shape(corner, float(rng.uniform(0.66, 0.86)) if rng.random() < 0.55 else 0.9)


def _near(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    blue, green, red = np.clip(np.asarray(colour) * rng.uniform(0.8, 1.15) + rng.normal(0, spread, 3), 0.02, 0.98)
    return (float(blue), float(green), float(red))


def _any_colour(rng: np.random.Generator) -> Colour:
    blue, green, red = rng.uniform(0.03, 0.97, 3)
    return (float(blue), float(green), float(red))


def random_inks(body: Colour, rng: np.random.Generator) -> Colour:
    """An ink that a person can tell from the body: by brightness, or (one die in six) by hue alone."""
    if rng.random() < 0.72:
        return _near(_DARK_INK if luminance(body) > 0.45 + rng.normal(0, 0.1) else _LIGHT_INK, rng, 0.03)
    for _ in range(20):
        ink = _any_colour(rng)
        gap = np.abs(np.asarray(ink) - np.asarray(body))
        if abs(luminance(ink) - luminance(body)) > 0.28 or gap.max() > 0.45:
            return ink
    return _LIGHT_INK if luminance(body) < 0.5 else _DARK_INK


def random_material(rng: np.random.Generator) -> Material:
    """Bodies of all usual colours, marbled, clear, glossy and matt ones."""
    pick = rng.random()
    if pick < 0.38:
        body = _near(BODIES["white" if rng.random() < 0.7 else "ivory"], rng, 0.03)
    elif pick < 0.85:
        body = _near(list(BODIES.values())[int(rng.integers(len(BODIES)))], rng, 0.05)
    else:
        body = _any_colour(rng)
    ink = random_inks(body, rng)
    red_one = rng.random() < (0.2 if luminance(body) > 0.6 else 0.03)
    return Material(
        body=body,
        ink=ink,
        ink_one=_near((0.12, 0.1, 0.8), rng, 0.05) if red_one else None,
        gloss=float(rng.uniform(0, 0.9)) if rng.random() < 0.7 else 0.0,
        clear=float(rng.uniform(0.15, 0.6)) if rng.random() < 0.10 else 0.0,
        marble=_near(_any_colour(rng), rng, 0.1) if rng.random() < 0.10 else None,
        marble_seed=int(rng.integers(1 << 30)),
        window=float(rng.uniform(0.1, 0.7)) if rng.random() < 0.15 else 0.0,
    )


def random_pips(rng: np.random.Generator) -> Look:
    """Any classic die."""
    style = PipStyle.random(rng)
    artwork = np.stack([faces.pip_face(value, style) for value in range(1, 7)])
    return Look(artwork, random_shape(rng), random_material(rng))


def random_ball(rng: np.random.Generator) -> Look:
    """A die with six plain coloured faces, as makers' paints vary, with or without a border in the body's colour."""
    border = 0.0 if rng.random() < 0.35 else float(rng.uniform(0.02, 0.14))
    fills = tuple(ball_paint(index, rng) for index in range(6))
    body = BODIES["white" if rng.random() < 0.5 else "black"] if rng.random() < 0.7 else _any_colour(rng)
    mark = None
    if rng.random() < 0.15:
        mark = faces.polygon_face(int(rng.integers(2, 8)), float(rng.uniform(0.1, 0.3)), float(rng.uniform(0, 90)))
    artwork = np.stack([faces.coloured_face(border, mark) for _ in range(6)])
    material = replace(random_material(rng), body=body, fills=fills, clear=0.0, marble=None, ink_one=None)
    return Look(artwork, random_shape(rng), material)


def ball_paint(index: int, rng: np.random.Generator) -> Colour:
    """A maker's version of colour `index` of the ribbon: its own hue band, any usual strength of paint."""
    centre, spread = ((176.0, 4.0), (10.5, 2.6), (26.0, 2.8), (67.0, 12.0), (108.0, 6.0), (138.0, 6.5))[index]
    hue = (centre + np.clip(rng.normal(0, 0.5), -1, 1) * spread) % 180
    if index == 0:
        hue = (178.5 + rng.uniform(-4, 4)) % 180
    low, high = ((0.45, 0.92), (0.75, 1.0), (0.8, 1.0), (0.3, 0.85), (0.4, 0.97), (0.28, 0.72))[index]
    value = rng.uniform(low, high)
    saturation = rng.uniform(0.62 if index != 2 else 0.5, 0.98)
    return hsv_colour(float(hue), float(saturation), float(value))


def hsv_colour(hue: float, saturation: float, value: float) -> Colour:
    """Hue 0..180 as OpenCV counts it, the rest 0..1."""
    sector = hue / 30.0
    chroma = value * saturation
    second = chroma * (1 - abs(sector % 2 - 1))
    low = value - chroma
    red, green, blue = (
        (chroma, second, 0.0),
        (second, chroma, 0.0),
        (0.0, chroma, second),
        (0.0, second, chroma),
        (second, 0.0, chroma),
        (chroma, 0.0, second),
    )[int(sector) % 6]
    return (blue + low, green + low, red + low)


def _solid(rng: np.random.Generator) -> Shape:
    """A role-player's die: four, eight, ten, twelve or twenty faces, cut out of a cube."""
    golden = (1 + 5**0.5) / 2
    corners: list[tuple[float, float, float]] = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    twelve: list[tuple[float, float, float]] = [(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    twelve += [(a, b * golden, 0) for a in (-1, 1) for b in (-1, 1)] + [
        (b * golden, 0, a) for a in (-1, 1) for b in (-1, 1)
    ]
    twenty = corners + [(0, a / golden, b * golden) for a in (-1, 1) for b in (-1, 1)]
    twenty += [(a / golden, b * golden, 0) for a in (-1, 1) for b in (-1, 1)]
    twenty += [(b * golden, 0, a / golden) for a in (-1, 1) for b in (-1, 1)]
    four: list[tuple[float, float, float]] = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    solids = ((corners, 0.40), (twelve, 0.46), (twenty, 0.46), (four, 0.26), (twenty, 0.46))
    directions, reach = solids[int(rng.integers(5))]
    units = np.asarray(directions, float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    return Shape(0.05, 0.9, tuple((float(x), float(y), float(z), reach) for x, y, z in units))


def random_unreadable(rng: np.random.Generator) -> Look:
    """A die whose faces are none of ours: digits, letters or forms."""
    pick = rng.random()
    material = random_material(rng)
    if pick < 0.67:
        font, thick = int(rng.integers(5)), float(rng.uniform(0.02, 0.1))
        height, turn = float(rng.uniform(0.3, 0.62)), float(rng.integers(4) * 90)
        texts = [str(v) for v in range(1, 7)]
        if rng.random() < 0.25:
            texts = [
                str(rng.choice(list("ABCDEFGHKLMPRSTXZ0789"))) + ("" if rng.random() < 0.6 else "0") for _ in range(6)
            ]
        art = [faces.text_face(t, font, height, thick, turn, t in "69" and rng.random() < 0.4) for t in texts]
    else:
        art = [
            faces.polygon_face(
                int(rng.integers(3, 9)),
                float(rng.uniform(0.18, 0.44)),
                float(rng.uniform(0, 360)),
                float(rng.uniform(0.3, 0.8)) if rng.random() < 0.4 else 0.0,
                float(rng.uniform(0.35, 1.0)),
            )
            for _ in range(6)
        ]
    shape = _solid(rng) if rng.random() < 0.2 else random_shape(rng)
    return Look(np.stack(art), shape, material)
