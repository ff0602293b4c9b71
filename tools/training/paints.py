"""Colours of random dice: bodies, inks and papers, with names where the reader must name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from tools.training.labels import UNLABELLED
from vision.dice_sets import BODIES as NAMES
from vision.drawing.rendering import BODIES, Colour

DARK: Colour = (0.06, 0.06, 0.06)
LIGHT: Colour = (0.94, 0.95, 0.95)
BLACK: Colour = (0.02, 0.02, 0.02)
LIGHTEST: Colour = (0.99, 0.99, 0.99)

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


def colour_index(name: str) -> int:
    """Return the index of a colour name in dice_sets.BODIES."""
    return NAMES.index(_ELSEWHERE.get(name, name))


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, 0..1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def lightness(colour: Colour) -> float:
    """Return the lightness L* of a colour, 0..100."""
    return float(_lab(colour)[0])


def _lab(colour: Colour) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return L*, a*, b* of a colour."""
    return np.asarray(cv2.cvtColor(np.asarray([[colour]], np.float32), cv2.COLOR_BGR2Lab)[0, 0], np.float32)


def difference(one: Colour, other: Colour) -> float:
    """Return the distance of two colours in Lab. Hue and saturation count half, as small marks show them less."""
    return float(np.linalg.norm((_lab(one) - _lab(other)) * np.array([1.0, 0.5, 0.5], np.float32)))


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours. `share`: part of the second one, 0..1."""
    blue, green, red = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return (float(blue), float(green), float(red))


def weighted_choice(shares: Mapping[str, float], rng: np.random.Generator) -> str:
    """Return a random name with the given probabilities, which add up to 1."""
    reached = np.cumsum(list(shares.values()))
    return list(shares)[min(int(np.searchsorted(reached, rng.random(), "right")), len(shares) - 1)]


def vary_colour(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    """Return a variation of a colour, as between manufacturers."""
    blue, green, red = np.clip(np.asarray(colour) * rng.uniform(0.82, 1.12) + rng.normal(0, spread, 3), 0.02, 0.98)
    return (float(blue), float(green), float(red))


def any_colour(rng: np.random.Generator) -> Colour:
    """Return any colour, with any saturation."""
    if rng.random() < 0.5:
        return hsv_colour(float(rng.uniform(0, 180)), float(rng.uniform(0.6, 1.0)), float(rng.uniform(0.35, 0.95)))
    blue, green, red = rng.uniform(0.03, 0.97, 3)
    return (float(blue), float(green), float(red))


def named(name: str, rng: np.random.Generator) -> tuple[Colour, int]:
    """Return a variation of a body colour, and its number."""
    if name in _BALL:
        return ball_paint(_BALL.index(name), rng), colour_index(name)
    return vary_colour(BODIES[name], rng, 0.03), colour_index(name)


def any_named(rng: np.random.Generator) -> tuple[Colour, int]:
    """Return a variation of a random named body colour, and its number."""
    return named(str(rng.choice(list(BODIES))), rng)


def refined(ink: Colour, body: Colour, least: float = 0.28) -> bool:
    """Return True if a person can distinguish the ink from the body: by luminance, or by a strong difference of hue."""
    gap = np.abs(np.asarray(ink) - np.asarray(body))
    return bool(abs(luminance(ink) - luminance(body)) > least or gap.max() > 1.6 * least)


def any_ink(body: Colour, rng: np.random.Generator) -> Colour:
    """Return an ink for pips: dark or light depending on the body, or (one die in three) coloured."""
    if rng.random() < 0.66:
        return vary_colour(DARK if luminance(body) > 0.45 + rng.normal(0, 0.1) else LIGHT, rng, 0.03)
    least = 0.18 if rng.random() < 0.4 else 0.28
    for _ in range(20):
        ink = any_colour(rng)
        if refined(ink, body, least):
            return ink
    return LIGHT if luminance(body) < 0.5 else DARK


def named_ink(body: Colour, rng: np.random.Generator) -> tuple[Colour, int]:
    """Return a figure ink with a colour label, and its number; UNLABELLED if none is readable on the body."""
    names = list(_INKS)
    weights = np.array([0.22, 0.22, 0.16, 0.14, 0.12, 0.06, 0.04, 0.04])
    for _ in range(12):
        name = str(rng.choice(names, p=weights))
        ink = vary_colour(_INKS[name], rng, 0.03)
        if refined(ink, body):
            return ink, colour_index(name)
    return (LIGHT if luminance(body) < 0.5 else DARK), UNLABELLED


FAINT = (7.0, 20.0)
"""Range of the lightness difference (L*) between a faint ink and its body."""


def _with_lightness(colour: Colour, wanted: float) -> Colour:
    """Return a shade or tint of a colour with the lightness `wanted`, 0..100."""
    end = LIGHTEST if wanted > lightness(colour) else BLACK
    low, high = 0.0, 1.0
    for _ in range(12):
        share = (low + high) / 2
        reached = lightness(mixed(colour, end, share))
        if (reached < wanted) == (end is LIGHTEST):
            low = share
        else:
            high = share
    return mixed(colour, end, (low + high) / 2)


def _lighter_or_darker(body: Colour, rng: np.random.Generator, least: float, most: float) -> float:
    """Return a lightness that differs by `least` to `most` from the body's, on the side with enough room."""
    step, light = float(rng.uniform(least, most)), lightness(body)
    up = rng.random() < 0.5
    if light + step > 92:
        up = False
    elif light - step < 3:
        up = True
    return light + step if up else light - step


def faint_ink(body: Colour, rng: np.random.Generator) -> Colour:
    """Return an ink with little lightness contrast to the body: yellow on orange, grey on black, white on pale."""
    start = body if rng.random() < 0.5 else mixed(body, any_colour(rng), float(rng.uniform(0.2, 0.7)))
    return _with_lightness(start, _lighter_or_darker(body, rng, *FAINT))


def darker_ink(body: Colour, rng: np.random.Generator) -> Colour:
    """Return a darker shade of the body's colour, or a lighter one if the body is too dark."""
    step = float(rng.uniform(14, 34))
    light = lightness(body)
    return _with_lightness(body, light - step if light - step > 5 else light + step)


def hollow_ink(body: Colour, rng: np.random.Generator) -> Colour:
    """Return the colour of an unpainted hollow: the body's, slightly shaded."""
    return mixed(body, BLACK, float(rng.uniform(0.04, 0.16)))


def vein(body: Colour, inks: Sequence[Colour], rng: np.random.Generator) -> Colour:
    """Return a second colour for a marbled body.

    It is up to nearly as far from the body as the inks are, but far enough from the inks to keep the marks readable.
    """
    other = any_colour(rng) if rng.random() < 0.5 else mixed(body, LIGHT if rng.random() < 0.6 else DARK, 0.8)
    return between(other, body, inks)


def between(other: Colour, body: Colour, inks: Sequence[Colour]) -> Colour:
    """Return `other`, mixed with the body until marks in the inks are readable on it."""
    apart = [difference(body, ink) for ink in inks]
    most = 0.75 * min(apart, default=70.0)
    for _ in range(12):
        clear = all(difference(other, ink) > 0.5 * gap for ink, gap in zip(inks, apart, strict=True))
        if clear and difference(other, body) < most:
            return other
        other = mixed(other, body, 0.25)
    return body


def speck(body: Colour, rng: np.random.Generator) -> Colour:
    """Return the colour of dust, dirt, chips or bubbles: light, dark, grey, or another shade of the body's."""
    way = rng.random()
    if way < 0.35:
        return vary_colour(LIGHT, rng, 0.03)
    if way < 0.6:
        return vary_colour(DARK, rng, 0.03)
    return vary_colour((0.4, 0.45, 0.5), rng, 0.08) if way < 0.75 else mixed(body, any_colour(rng), 0.5)


def random_base(rng: np.random.Generator) -> Colour:
    """Return the colour of the cube under stickers: white, black, wood, or any old die."""
    pick = rng.random()
    if pick < 0.3:
        return vary_colour(LIGHT, rng, 0.03)
    if pick < 0.55:
        return vary_colour(DARK, rng, 0.02)
    return vary_colour((0.45, 0.66, 0.82), rng, 0.05) if pick < 0.8 else any_colour(rng)


def ball_paint(index: int, rng: np.random.Generator) -> Colour:
    """Return a variation of colour `index` of the ribbon: within its hue band, with any usual strength of paint."""
    centre, spread = ((178.5, 4.0), (10.5, 2.6), (26.0, 2.8), (67.0, 12.0), (108.0, 6.0), (138.0, 6.5))[index]
    hue = (centre + np.clip(rng.normal(0, 0.5), -1, 1) * spread) % 180
    low, high = ((0.45, 0.92), (0.75, 1.0), (0.8, 1.0), (0.3, 0.85), (0.4, 0.97), (0.28, 0.72))[index]
    value = rng.uniform(low, high)
    saturation = rng.uniform(0.62 if index != 2 else 0.5, 0.98)
    return hsv_colour(float(hue), float(saturation), float(value))


def hsv_colour(hue: float, saturation: float, value: float) -> Colour:
    """Return a colour from OpenCV's hue 0..180, and saturation and value 0..1."""
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
