"""Light estimation: finds the light and the body or paint colours that best explain all visible dice.

Every palette colour in every plausible light (black body and bluer, slightly greener or pinker, brighter or darker) is
compared with every die. All dice together give the probabilities of the lights, and all lights together those of each
die's colours. A brown die and a grey one in warm light look the same, but not beside a blue die.

A light has one colour over the whole table, but its strength differs between dice. So bodies are compared strictly in
hue, which tells an ivory die in a dark corner from a grey one, and loosely in brightness.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.white_balance import (
    Colour,
    Floats,
    black_body,
    linear_to_srgb,
    srgb_to_linear,
    with_unit_luminance,
)


def _bgr(blue: int, green: int, red: int) -> Colour:
    return (blue / 255, green / 255, red / 255)


BODY_COLOURS: dict[str, Colour] = {
    "white": _bgr(232, 234, 235),
    "ivory": _bgr(188, 216, 232),
    "yellow": _bgr(40, 195, 232),
    "orange": _bgr(25, 115, 232),
    "red": _bgr(40, 35, 185),
    "pink": _bgr(165, 125, 228),
    "violet": _bgr(125, 40, 100),
    "blue": _bgr(170, 75, 30),
    "turquoise": _bgr(175, 170, 50),
    "green": _bgr(65, 130, 35),
    "brown": _bgr(38, 65, 108),
    "grey": _bgr(138, 136, 134),
    "black": _bgr(28, 26, 26),
}
"""Body colours by the names of `vision.dice_sets.BODIES`."""

PAINT_COLOURS: dict[str, Colour] = {
    "red": _bgr(0x22, 0x1C, 0xB5),
    "orange": _bgr(0x0C, 0x6C, 0xEE),
    "yellow": _bgr(0x5E, 0xE8, 0xFE),
    "green": _bgr(0x88, 0xBD, 0x2F),
    "blue": _bgr(0xEE, 0x6C, 0x1F),
    "violet": _bgr(0x84, 0x1A, 0x4B),
}
"""The six plain faces of the ball die (FC-1.10), by the names of `vision.roll.BALL_COLOURS`."""

INK_COLOURS: dict[str, tuple[Colour, ...]] = {
    "red": (_bgr(0x1C, 0x12, 0xB0), _bgr(0x5C, 0x6A, 0xFF)),
    "orange": (_bgr(0x00, 0x54, 0xC2), _bgr(0x3C, 0x9A, 0xFF)),
    "yellow": (_bgr(0x00, 0x86, 0xB8), _bgr(0x4D, 0xE4, 0xFF)),
    "green": (_bgr(0x4A, 0x7A, 0x0F), _bgr(0xA0, 0xE0, 0x4F)),
    "blue": (_bgr(0xB8, 0x47, 0x12), _bgr(0xFF, 0xB6, 0x6F)),
    "violet": (_bgr(0x84, 0x1A, 0x4B), _bgr(0xFF, 0x9B, 0xC7)),
    "black": (_bgr(0x0F, 0x0F, 0x0F),),
    "white": (_bgr(0xF2, 0xF2, 0xF2),),
}
"""Inks of coloured numbers, a dark and a light one each (screens: dice colours), as printed sets have them."""


Palette = tuple[tuple[str, Colour], ...]
"""Names and encoded colours in neutral light; hashable."""

_SHINE = 0.012
"""Surface reflection of the light itself (linear), independent of the colour. It lightens dark channels."""

_BLUEST, _SELDOM = 111.0, 80.0
"""Mired (9000 kelvin) below which a light is rare, and the spread of that."""

_LOCUS = (100.0, 140.0)
"""Mired values between which the black-body curve is extrapolated linearly (in logarithms) below them."""


@dataclass(frozen=True, slots=True)
class _LightModel:
    """Parameters of a comparison.

    The lights:
    - `warmest`, `coldest`, `step`: colour temperature range and step in mired.
    - `greener`, `green_spread`: green shifts, and their standard deviation.
    - `usually`, `bright_spread`: log brightness on most dice, and its standard deviation.
    - `brighter`: log brightness on one die.
    - `like_most`, `elsewhere`: mean and spread of its difference from most dice, in usual light and in spots and
      shadows.
    - `uneven`: the share of dice in spots and shadows.

    Standard deviations between a real die and its palette colour:
    - `grain`: each encoded value separately.
    - `shading`, `saturation`: brightness and saturation, as shares.
    - `one_lamp`, `green`: the light at one die, in mired and green shift, as lamps and windows mix.
    - `shine`: reflection (linear).

    How much makers differ is unknown for most dice, so these values are wider than for drawn dice.
    """

    warmest: float
    coldest: float
    step: float
    greener: tuple[float, ...]
    green_spread: float
    usually: tuple[float, ...]
    bright_spread: float
    grain: float
    shading: float
    saturation: float
    one_lamp: float
    green: float
    shine: float
    brighter: tuple[float, ...]
    like_most: tuple[float, float]
    elsewhere: tuple[float, float]
    uneven: float


_OF_BODIES = _LightModel(
    warmest=396.0,
    coldest=-129.0,  # beyond the bluest sky: an auto white balance that takes warm wood for white
    step=15.0,
    greener=tuple(np.linspace(-0.4, 0.4, 11)),
    green_spread=0.1,
    usually=tuple(np.arange(-1.2, 1.6, 0.3)),
    bright_spread=0.9,
    grain=0.02,
    shading=0.05,
    saturation=0.12,
    one_lamp=10.0,
    green=0.03,
    shine=0.012,
    brighter=tuple(np.arange(-3.6, 2.0, 0.12)),
    like_most=(0.0, 0.25),
    elsewhere=(-0.3, 0.7),
    uneven=0.08,
)
"""Bodies: strict in hue, loose in brightness."""

_OF_PAINTS = _LightModel(
    warmest=400.0,
    coldest=111.0,
    step=12.0,
    greener=(-0.16, -0.08, 0.0, 0.08, 0.16),
    green_spread=0.08,
    usually=tuple(np.arange(-0.9, 1.6, 0.3)),
    bright_spread=0.6,
    grain=0.035,
    shading=0.12,
    saturation=0.15,
    one_lamp=22.0,
    green=0.0,
    shine=0.03,
    brighter=tuple(np.arange(-0.9, 1.6, 0.3)),
    like_most=(0.0, 0.01),  # same brightness on each die as on most
    elsewhere=(0.0, 0.01),
    uneven=0.0,
)
"""Plain faces: loose in everything.

Overexposure, glare and light from neighbours change the hue of paints as strong as the ball's. Compared like bodies,
two of 158 rendered balls that were questions before were misread.
"""

_LEAST = np.float32(-60)
"""Log density, relative to a die's maximum, that is negligible."""


@dataclass(frozen=True, slots=True)
class Lights:
    """Table of L lights and K colours.

    - `log_prior`: (L,).
    - `quadratic`: (10, H * B * K), coefficients for the `terms` of a measured colour. The product is its log density
      for each of H hues of the light, B brightnesses and K colours.
    - `brightness`: (B, L / H), probability of each brightness, given the usual brightness on most dice.
    """

    names: tuple[str, ...]
    log_prior: Floats
    quadratic: npt.NDArray[np.float32]
    brightness: npt.NDArray[np.float32]

    def log_density(self, colours: Floats) -> npt.NDArray[np.float32]:
        """Return (N, L, K): how well each encoded colour (N, 3) fits each palette colour in each light."""
        # No matrix products: they run in several threads, which wait for each other on a busy machine.
        flat = np.einsum("nt,tm->nm", terms(colours).astype(np.float32), self.quadratic)
        hues = len(self.log_prior) // self.brightness.shape[1]
        each = flat.reshape(len(colours), hues, len(self.brightness), len(self.names))
        top = each.max(2, keepdims=True)
        together = np.einsum("nhbk,bu->nhuk", np.exp(np.maximum(each - top, _LEAST)), self.brightness)
        found = np.log(np.maximum(together, np.finfo(np.float32).tiny)) + top
        return np.asarray(found.reshape(len(colours), len(self.log_prior), len(self.names)), np.float32)


def terms(colours: Floats) -> Floats:
    """Return the terms of a quadratic form for colours (N, 3): squares, products, values and one, (N, 10)."""
    b, g, r = colours.T
    return np.stack([b * b, g * g, r * r, b * g, b * r, g * r, b, g, r, np.ones_like(b)], 1)


@functools.lru_cache(maxsize=8)
def lights_for(palette: Palette) -> Lights:
    """Return the table for `palette`. Computed once, in some tenths of a second."""
    how = _OF_PAINTS if set(palette) <= set(PAINT_COLOURS.items()) else _OF_BODIES
    bodies = srgb_to_linear([colour for _, colour in palette])
    mireds = np.arange(how.coldest, how.warmest + 1, how.step)
    hues = [(mired, greener) for mired in mireds for greener in how.greener]
    light = np.array([_hue(*hue) for hue in hues])
    warmer = np.array([_hue(mired + 5, greener) for mired, greener in hues])
    greener = np.array([_hue(mired, greener + how.green) for mired, greener in hues])
    brighter = np.exp(np.array(how.brighter))[:, None, None]
    lit = (bodies + _SHINE) * brighter
    one, warm, green, shine = (
        linear_to_srgb(thrown * colour[:, None, None, :]).reshape(-1, 3)
        for thrown, colour in ((lit, light), (lit, warmer), (lit, greener), (lit + how.shine, light))
    )
    pale = one - one.mean(1, keepdims=True)
    ways = [one * how.shading, pale * how.saturation, (warm - one) / 5 * how.one_lamp, green - one, shine - one]
    seldom = [(green / how.green_spread) ** 2 + (max(0.0, _BLUEST - mired) / _SELDOM) ** 2 for mired, green in hues]
    usually = np.array(how.usually)
    prior = -0.5 * (np.array(seldom)[:, None] + (usually / how.bright_spread) ** 2).ravel()
    return Lights(
        tuple(name for name, _ in palette),
        prior - np.logaddexp.reduce(prior),
        _quadratic(one, np.stack(ways, 1), how.grain).astype(np.float32),
        _brightness(how).astype(np.float32),
    )


def _hue(mired: float, greener: float) -> Floats:
    """Return the linear colour of a light: of a black body, extrapolated beyond its range."""
    near, far = _LOCUS
    if mired >= near:
        return black_body(mired, greener)
    here, there = np.log(black_body(near)), np.log(black_body(far))
    blue, green, red = np.exp(here + (here - there) * (near - mired) / (far - near))
    return with_unit_luminance([blue, green * np.exp(greener), red])


def _brightness(how: _LightModel) -> Floats:
    """Return (B, U): probability of each brightness on one die, given the usual brightness on most dice."""
    more = np.array(how.brighter)[:, None] - np.array(how.usually)
    (middle, spread), (elsewhere, wider) = how.like_most, how.elsewhere
    chance = (1 - how.uneven) * np.exp(-0.5 * ((more - middle) / spread) ** 2) / spread
    chance = chance + how.uneven * np.exp(-0.5 * ((more - elsewhere) / wider) ** 2) / wider
    return np.asarray(chance / chance.sum(0))


def _quadratic(seen: Floats, ways: Floats, grain: float) -> Floats:
    """Return normal densities around the colours `seen` (M, 3) as quadratic forms (10, M).

    `ways` (M, W, 3) are the directions of spread, scaled to their standard deviation. `grain` is that of each value.
    """
    spread = np.eye(3) * grain**2 + np.einsum("mwi,mwj->mij", ways, ways)
    form = np.linalg.inv(spread)
    pull = np.einsum("mij,mj->mi", form, seen)
    constant = -0.5 * (pull * seen).sum(1) - 0.5 * np.linalg.slogdet(spread)[1] - 1.5 * np.log(2 * np.pi)
    squares = -0.5 * np.stack([form[:, 0, 0], form[:, 1, 1], form[:, 2, 2]])
    products = -np.stack([form[:, 0, 1], form[:, 0, 2], form[:, 1, 2]])
    return np.concatenate([squares, products, pull.T, constant[None]])


Singles = npt.NDArray[np.float32]

OTHER = "other"
"""Name of every colour outside the palette."""

_OTHER_CHANCE = 0.005
_NOTHING = np.float32(-60)
"""Negligible log probability. Smaller values only cost time."""
_ALIKE = 0.06
_REPEATED = 0.6
"""Dice within `_ALIKE` of each other (encoded) share their maker's paint and its error.

N of them count as N ** (1 - `_REPEATED`) witnesses.
"""
_CHANGED = 0.03
"""Probability that the light changed since the previous roll."""
_LIKELY = 40
"""Number of most likely lights that are kept separately. The others hardly ever matter."""


@dataclass(frozen=True, slots=True)
class IlluminantHypothesis:
    """The dice in one light: its probability `chance`, and `colours` (dice, colours).

    `colours` holds the probability of each palette colour in order, then of `other`.
    """

    chance: float
    colours: Singles


@dataclass(frozen=True, slots=True)
class IlluminantEstimate:
    """Result of the light estimation.

    - `colours`: for each die the probability of each palette colour and of `other`, over all lights.
    - `hypotheses`: the most likely lights.
    """

    colours: tuple[dict[str, float], ...]
    hypotheses: tuple[IlluminantHypothesis, ...] = ()


def body_colour(picture: Picture, x: float, y: float, edge: float) -> Colour | None:
    """Return the encoded body colour of the top face at (x, y), `edge` in pixels; None outside the image.

    It is the median of the densest cluster of pixels, because pips and figures cover less of a face than its body.
    """
    reach = 0.36 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = picture[top : max(0, int(y + reach) + 1), left : max(0, int(x + reach) + 1)]
    if part.size == 0:
        return None
    pixels = np.asarray(cv2.resize(part, (10, 10), interpolation=cv2.INTER_AREA), np.float32).reshape(-1, 3) / 255
    near = np.linalg.norm(pixels[:, None] - pixels[None], axis=2) < 0.09
    blue, green, red = np.median(pixels[near[int(near.sum(1).argmax())]], axis=0)
    return (float(blue), float(green), float(red))


def estimate_illuminant(dice: Sequence[Colour], palette: Mapping[str, Colour]) -> IlluminantEstimate:
    """Estimate the light that best explains the `dice` of a set with colours `palette` (encoded, neutral light).

    Raises: ValueError for an empty palette.
    """
    return IlluminantComparison(dice, (), palette).judged()


class IlluminantComparison:
    """Comparison of new and remembered dice with every palette colour in every light."""

    def __init__(self, dice: Sequence[Colour], remembered: Sequence[Colour], palette: Mapping[str, Colour]) -> None:
        if not palette:
            raise ValueError("an empty palette: the colours that the dice can have are needed")
        self._lights = lights_for(tuple(palette.items()))
        self._names = (*self._lights.names, OTHER)
        self._new = len(dice)
        seen = [*dice, *remembered]
        self._share, whole = _colour_chances(self._lights, seen)
        spoken = _weights(seen)[:, None] * whole
        old, new = spoken[self._new :].sum(0), spoken[: self._new].sum(0)
        prior = self._lights.log_prior
        in_one, in_new, in_old = (float(np.logaddexp.reduce(prior + part)) for part in (old + new, new, old))
        others = np.log(_CHANGED) + in_new + in_old
        same = np.log(1 - _CHANGED) + in_one
        self.changed = float(np.exp(others - np.logaddexp(same, others))) if remembered else 0.0
        """The probability that the light changed between the remembered dice and the new ones."""
        in_same = np.exp(prior + old + new - in_one)
        self._light = (1 - self.changed) * in_same + self.changed * np.exp(prior + new - in_new)

    def judged(self) -> IlluminantEstimate:
        """Return the light of the new dice and their colours."""
        if not len(self._share):
            return IlluminantEstimate(())
        named = np.einsum("l,nlk->nk", self._light.astype(np.float32), self._share)
        chances = tuple(dict(zip(self._names, map(float, row), strict=True)) for row in named[: self._new])
        likely = [int(light) for light in np.argsort(self._light)[::-1][:_LIKELY]]
        lights = tuple(IlluminantHypothesis(float(self._light[at]), self._share[: self._new, at]) for at in likely)
        return IlluminantEstimate(chances, lights)


def _colour_chances(lights: Lights, dice: Sequence[Colour]) -> tuple[Singles, Floats]:
    """Return two arrays over dice N and lights L.

    - (N, L, K + 1): probability of each colour, and of `other`.
    - (N, L): log density.
    """
    prior = np.full(len(lights.names) + 1, 1.0, np.float32)
    prior[:-1] *= (1 - _OTHER_CHANCE) / prior[:-1].sum()
    prior[-1] = _OTHER_CHANCE
    joint = np.zeros((len(dice), len(lights.log_prior), len(lights.names) + 1), np.float32)
    joint[..., :-1] = lights.log_density(_colours(dice))
    joint += np.log(prior)
    top = joint.max(2, keepdims=True)
    share = np.exp(np.maximum(joint - top, _NOTHING))
    total = share.sum(2, keepdims=True)
    return share / total, (top + np.log(total))[..., 0].astype(np.float64)


def _weights(dice: Sequence[Colour]) -> Floats:
    """Return the weight of each die as a witness. Dice that look alike count less each."""
    colours = _colours(dice)
    gaps = ((colours[:, None] - colours[None]) ** 2).sum(2)
    return np.asarray(np.exp(-gaps / (2 * _ALIKE**2)).sum(1) ** -_REPEATED)


def _colours(dice: Sequence[Colour]) -> Floats:
    return np.asarray(dice, np.float64).reshape(-1, 3)


_OF_A_KIND = 2
"""Number of remembered dice within `_ALIKE` of each other (encoded). More would add nothing."""


class IlluminantMemory:
    """The light over one tray, learnt roll by roll. Not thread-safe."""

    def __init__(self, palette: Mapping[str, Colour], most: int = 16) -> None:
        """Create a memory. `palette`: the set's colours; `most`: the number of remembered dice.

        Raises: ValueError for an empty palette.
        """
        if not palette:
            raise ValueError("an empty palette: the colours that the dice can have are needed")
        self._palette = dict(palette)
        self._most = most
        self._dice: list[Colour] = []

    def update(self, dice: Sequence[Colour]) -> IlluminantEstimate:
        """Return the light from new and remembered dice. `colours` are those of the new ones, in order.

        The model allows for a light change since the last roll. If a change is more likely than not, the remembered
        dice are dropped.
        """
        compared = IlluminantComparison(dice, self._dice, self._palette)
        if compared.changed > 0.5:
            self._dice.clear()
        self._remember(dice)
        return compared.judged()

    def _remember(self, dice: Sequence[Colour]) -> None:
        """Store the newest dice first, and drop repeated and old ones."""
        kept: list[Colour] = []
        for one in [*dice, *self._dice]:
            if sum(dist(one, other) < _ALIKE for other in kept) < _OF_A_KIND:
                kept.append(one)
        self._dice = kept[: self._most]
