"""How every colour of a palette looks in each of the lights that occur: the table that dice are compared with.

A light has one colour all over a table, but falls more on one die than on another. So bodies are compared closely in
hue, which tells an ivory die in a dark corner from a grey one, and loosely in brightness.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.white_balance.light import Colour, Floats, black_body, decode, encode, of_one_luminance
from vision.white_balance.palette import PAINT_COLOURS

Palette = tuple[tuple[str, Colour], ...]
"""Names and encoded colours in neutral light, hashable."""

_SHINE = 0.012
"""What a surface mirrors of the light itself (linear) whatever its colour: it takes the depth from dark channels."""

_BLUEST, _SELDOM = 111.0, 80.0
"""Mired (9000 kelvin) below which a light is seldom, and how fast it becomes so."""

_LOCUS = (100.0, 140.0)
"""Mired between which the way is taken that goes on in a straight line (in logarithms) below them."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """How dice are compared. The lights that occur: their `warmest` and `coldest` (mired, `step` apart), how much
    `greener` they are and the spread of that, how bright they are on most dice (`usually`, logarithms) and the spread
    of that. `brighter`: how bright it may be on one die; `like_most`, `elsewhere`: middle and spread of how much more
    that is than on most, where light is as it mostly is and in spots and shadows (`uneven`: the share of these).

    Spreads between a maker's die on a table and its palette colour: `grain` of each encoded value by itself, `shading`
    of brightness and `saturation` as shares, `one_lamp` and `green` of the light that reaches one die (mired, and how
    much greener; lamps and windows mix), `shine` of what it mirrors (linear). How far makers differ is not known of
    most dice, so colours may stray further than those of drawn dice do. `shared`: the power in which what all dice say
    of the light's colour counts for its certainty, as makers' errors are partly one and the same.
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
    shared: float


_OF_BODIES = _Compared(
    warmest=396.0,
    coldest=-129.0,  # beyond the bluest sky: a camera makes such light that takes a table of warm wood for white
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
    shared=0.5,
)
"""Bodies closely in hue, loosely in brightness."""

_OF_PAINTS = _Compared(
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
    like_most=(0.0, 0.01),  # as bright on each die as on most
    elsewhere=(0.0, 0.01),
    uneven=0.0,
    shared=1.0,
)
"""Plain faces loosely in all: what burns out, glares or is lit by its neighbours is another hue in paints as strong as
those of the ball. Compared as bodies are, two of 158 rendered balls that were asked about before were read wrongly."""

_LEAST = np.float32(-60)
"""Logarithm of a density beside the greatest of a die that counts for nothing."""


@dataclass(frozen=True, slots=True)
class Lights:
    """L lights and K colours. `log_prior` (L,); `gains` (L, 3), logarithms; `quadratic` (10, H * B * K): what the terms
    of a measured colour (see `terms`) are multiplied by to give the logarithm of its density in each of H hues of the
    light, B brightnesses and K colours; `brightness` (B, L / H): the chance of each where most dice lie in that.
    `shared` is that of `_Compared`."""

    names: tuple[str, ...]
    log_prior: Floats
    gains: Floats
    quadratic: npt.NDArray[np.float32]
    brightness: npt.NDArray[np.float32]
    shared: float

    def log_density(self, colours: Floats) -> npt.NDArray[np.float32]:
        """(N, L, K): how well each encoded colour (N, 3) fits each palette colour in each light."""
        # No matrix products: those are shared out among threads, which wait for each other on a busy machine.
        flat = np.einsum("nt,tm->nm", terms(colours).astype(np.float32), self.quadratic)
        hues = len(self.log_prior) // self.brightness.shape[1]
        each = flat.reshape(len(colours), hues, len(self.brightness), len(self.names))
        top = each.max(2, keepdims=True)
        together = np.einsum("nhbk,bu->nhuk", np.exp(np.maximum(each - top, _LEAST)), self.brightness)
        found = np.log(np.maximum(together, np.finfo(np.float32).tiny)) + top
        return np.asarray(found.reshape(len(colours), len(self.log_prior), len(self.names)), np.float32)


def terms(colours: Floats) -> Floats:
    """The squares, products, values and the one that a quadratic form of (N, 3) colours is made of: (N, 10)."""
    b, g, r = colours.T
    return np.stack([b * b, g * g, r * r, b * g, b * r, g * r, b, g, r, np.ones_like(b)], 1)


@functools.lru_cache(maxsize=8)
def lights_for(palette: Palette) -> Lights:
    """The table for `palette`: made once in some tenths of a second."""
    how = _OF_PAINTS if set(palette) <= set(PAINT_COLOURS.items()) else _OF_BODIES
    bodies = decode([colour for _, colour in palette])
    mireds = np.arange(how.coldest, how.warmest + 1, how.step)
    hues = [(mired, greener) for mired in mireds for greener in how.greener]
    light = np.array([_hue(*hue) for hue in hues])
    warmer = np.array([_hue(mired + 5, greener) for mired, greener in hues])
    greener = np.array([_hue(mired, greener + how.green) for mired, greener in hues])
    brighter = np.exp(np.array(how.brighter))[:, None, None]
    lit = (bodies + _SHINE) * brighter
    one, warm, green, shine = (
        encode(thrown * colour[:, None, None, :]).reshape(-1, 3)
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
        np.repeat(-np.log(light), len(usually), axis=0),
        _quadratic(one, np.stack(ways, 1), how.grain).astype(np.float32),
        _brightness(how).astype(np.float32),
        how.shared,
    )


def _hue(mired: float, greener: float) -> Floats:
    """The linear colour of a light: of a black body, and further on in its direction."""
    near, far = _LOCUS
    if mired >= near:
        return black_body(mired, greener)
    here, there = np.log(black_body(near)), np.log(black_body(far))
    blue, green, red = np.exp(here + (here - there) * (near - mired) / (far - near))
    return of_one_luminance([blue, green * np.exp(greener), red])


def _brightness(how: _Compared) -> Floats:
    """(B, U): how likely each brightness is on one die where most lie in each of those that are usual."""
    more = np.array(how.brighter)[:, None] - np.array(how.usually)
    (middle, spread), (elsewhere, wider) = how.like_most, how.elsewhere
    chance = (1 - how.uneven) * np.exp(-0.5 * ((more - middle) / spread) ** 2) / spread
    chance = chance + how.uneven * np.exp(-0.5 * ((more - elsewhere) / wider) ** 2) / wider
    return np.asarray(chance / chance.sum(0))


def _quadratic(seen: Floats, ways: Floats, grain: float) -> Floats:
    """Normal densities about the colours `seen` (M, 3) as quadratic forms (10, M); `ways` (M, W, 3): the directions in
    which they spread, as long as their spread, besides the `grain` of each value by itself."""
    spread = np.eye(3) * grain**2 + np.einsum("mwi,mwj->mij", ways, ways)
    form = np.linalg.inv(spread)
    pull = np.einsum("mij,mj->mi", form, seen)
    constant = -0.5 * (pull * seen).sum(1) - 0.5 * np.linalg.slogdet(spread)[1] - 1.5 * np.log(2 * np.pi)
    squares = -0.5 * np.stack([form[:, 0, 0], form[:, 1, 1], form[:, 2, 2]])
    products = -np.stack([form[:, 0, 1], form[:, 0, 2], form[:, 1, 2]])
    return np.concatenate([squares, products, pull.T, constant[None]])
