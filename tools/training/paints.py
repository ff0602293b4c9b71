"""Colours of random dice: bodies, inks and papers, by name where the reader is to name them."""

from __future__ import annotations

import numpy as np

from tools.training.labels import NOT_SAID
from vision.dice_sets import BODIES as NAMES
from vision.drawing.rendering import BODIES, Colour

DARK: Colour = (0.06, 0.06, 0.06)
LIGHT: Colour = (0.94, 0.95, 0.95)

_BALL = ("red", "orange", "yellow", "green", "blue", "violet")
_ELSEWHERE = {"beige": "ivory"}
_INKS: dict[str, Colour] = {
    "black": DARK,
    "white": LIGHT,
    "red": (0.10, 0.08, 0.78),
    "blue": (0.75, 0.30, 0.08),
    "yellow": (0.10, 0.80, 0.95),
    "green": (0.20, 0.55, 0.10),
    "orange": (0.05, 0.45, 0.95),
    "violet": (0.50, 0.12, 0.40),
}


def number_of(name: str) -> int:
    """The index of a colour's name among dice_sets.BODIES."""
    return NAMES.index(_ELSEWHERE.get(name, name))


def luminance(colour: Colour) -> float:
    """Relative brightness of a colour, 0..1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def near(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    """Another maker's version of a colour."""
    blue, green, red = np.clip(np.asarray(colour) * rng.uniform(0.82, 1.12) + rng.normal(0, spread, 3), 0.02, 0.98)
    return (float(blue), float(green), float(red))


def any_colour(rng: np.random.Generator) -> Colour:
    """Any colour at all, loud ones as often as muddy ones."""
    if rng.random() < 0.5:
        return hsv_colour(float(rng.uniform(0, 180)), float(rng.uniform(0.6, 1.0)), float(rng.uniform(0.35, 0.95)))
    blue, green, red = rng.uniform(0.03, 0.97, 3)
    return (float(blue), float(green), float(red))


def named(name: str, rng: np.random.Generator) -> tuple[Colour, int]:
    """A maker's version of a body colour, and its number."""
    if name in _BALL:
        return ball_paint(_BALL.index(name), rng), number_of(name)
    return near(BODIES[name], rng, 0.03), number_of(name)


def any_named(rng: np.random.Generator) -> tuple[Colour, int]:
    """A maker's version of any body colour that has a name, and its number."""
    return named(str(rng.choice(list(BODIES))), rng)


def refined(ink: Colour, body: Colour, least: float = 0.28) -> bool:
    """Whether a person can tell the ink from the body: by brightness, or by a strong difference of hue."""
    gap = np.abs(np.asarray(ink) - np.asarray(body))
    return bool(abs(luminance(ink) - luminance(body)) > least or gap.max() > 1.6 * least)


def any_ink(body: Colour, rng: np.random.Generator) -> Colour:
    """An ink for pips: dark or light by the body's brightness, or (one die in three) coloured."""
    if rng.random() < 0.66:
        return near(DARK if luminance(body) > 0.45 + rng.normal(0, 0.1) else LIGHT, rng, 0.03)
    least = 0.18 if rng.random() < 0.4 else 0.28
    for _ in range(20):
        ink = any_colour(rng)
        if refined(ink, body, least):
            return ink
    return LIGHT if luminance(body) < 0.5 else DARK


def named_ink(body: Colour, rng: np.random.Generator) -> tuple[Colour, int]:
    """An ink for figures whose colour is to be named, and its number; NOT_SAID when none can be told from the body."""
    names = list(_INKS)
    weights = np.array([0.22, 0.22, 0.16, 0.14, 0.12, 0.06, 0.04, 0.04])
    for _ in range(12):
        name = str(rng.choice(names, p=weights))
        ink = near(_INKS[name], rng, 0.03)
        if refined(ink, body):
            return ink, number_of(name)
    return (LIGHT if luminance(body) < 0.5 else DARK), NOT_SAID


def random_base(rng: np.random.Generator) -> Colour:
    """The cube under stickers: white, black, wood, or any old die."""
    pick = rng.random()
    if pick < 0.3:
        return near(LIGHT, rng, 0.03)
    if pick < 0.55:
        return near(DARK, rng, 0.02)
    return near((0.45, 0.66, 0.82), rng, 0.05) if pick < 0.8 else any_colour(rng)


def ball_paint(index: int, rng: np.random.Generator) -> Colour:
    """A maker's version of colour `index` of the ribbon: its own hue band, any usual strength of paint."""
    centre, spread = ((178.5, 4.0), (10.5, 2.6), (26.0, 2.8), (67.0, 12.0), (108.0, 6.0), (138.0, 6.5))[index]
    hue = (centre + np.clip(rng.normal(0, 0.5), -1, 1) * spread) % 180
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
