"""How every colour of a palette looks in each of the lights that occur: the table that dice are compared with.

A light has one colour all over a table, but falls more on one die than on another. So dice are compared closely in hue,
which tells an ivory die in a dark corner from a grey one, and loosely in brightness.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.white_balance.light import Colour, Floats, black_body, decode, encode, of_one_luminance

Palette = tuple[tuple[str, Colour], ...]
"""Names and encoded colours in neutral light, hashable."""

_MIRED = np.arange(-129.0, 401.0, 15.0)
"""2500 kelvin and colder, in steps that look alike anywhere on the way. Beyond the bluest sky, as a camera makes it
that takes a table of warm wood for white: what went on as the black body does, would have no temperature."""

_BLUEST, _SELDOM = 111.0, 80.0
"""Mired (9000 kelvin) below which a light is seldom, and how fast it becomes so."""

_LOCUS = (100.0, 140.0)
"""Mired between which the way is taken that goes on in a straight line (in logarithms) below them."""

_GREENER = np.linspace(-0.4, 0.4, 11)
_GREEN_SPREAD = 0.1

_USUALLY = np.arange(-1.2, 1.6, 0.3)
_BRIGHT_SPREAD = 0.9
"""Logarithms of how bright the light is on most dice, up to those that burn them out, and their spread."""

_BRIGHTER = np.arange(-3.6, 2.0, 0.12)
_LIKE_MOST, _ELSEWHERE = (0.0, 0.25), (-0.3, 0.7)
_UNEVEN = 0.08
"""Logarithms of how bright it is on one die; middle and spread of how much more that is than on most, where light is as
it mostly is and in spots and shadows, and the share of these."""

_GRAIN = 0.02
_SHADING = 0.05
_SATURATION = 0.12
_ONE_LAMP, _GREEN = 10.0, 0.03
_SHINE, _SHINE_SPREAD = 0.012, 0.012
"""Spreads between a maker's die on a table and its palette colour: of each encoded value by itself, of brightness and
of saturation as shares, of the light that reaches one die (mired, and how much greener; lamps and windows mix).
`_SHINE`: what a surface mirrors of the light itself (linear) whatever its colour, and its spread: it takes the depth
from dark channels. How far makers differ is not known of most dice, so colours may stray further than those of drawn
dice do."""

_LEAST = np.float32(-60)
"""Logarithm of a density beside the greatest of a die that counts for nothing."""


@dataclass(frozen=True, slots=True)
class Lights:
    """L lights and K colours. `log_prior` (L,); `gains` (L, 3), logarithms; `quadratic` (10, H * B * K): what the terms
    of a measured colour (see `terms`) are multiplied by to give the logarithm of its density in each of H hues of the
    light, B brightnesses and K colours; `brightness` (B, L / H): the chance of each where most dice lie in that."""

    names: tuple[str, ...]
    log_prior: Floats
    gains: Floats
    quadratic: npt.NDArray[np.float32]
    brightness: npt.NDArray[np.float32]

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
    bodies = decode([colour for _, colour in palette])
    hues = [(mired, greener) for mired in _MIRED for greener in _GREENER]
    light = np.array([_hue(*hue) for hue in hues])
    warmer = np.array([_hue(mired + 5, greener) for mired, greener in hues])
    greener = np.array([_hue(mired, greener + _GREEN) for mired, greener in hues])
    brighter = np.exp(_BRIGHTER)[:, None, None]
    lit = (bodies + _SHINE) * brighter
    one, warm, green, shine = (
        encode(thrown * colour[:, None, None, :]).reshape(-1, 3)
        for thrown, colour in ((lit, light), (lit, warmer), (lit, greener), (lit + _SHINE_SPREAD * brighter, light))
    )
    pale = one - one.mean(1, keepdims=True)
    ways = [one * _SHADING, pale * _SATURATION, (warm - one) / 5 * _ONE_LAMP, green - one, shine - one]
    seldom = np.array(
        [(green / _GREEN_SPREAD) ** 2 + (max(0.0, _BLUEST - mired) / _SELDOM) ** 2 for mired, green in hues]
    )
    prior = -0.5 * (seldom[:, None] + (_USUALLY / _BRIGHT_SPREAD) ** 2).ravel()
    return Lights(
        tuple(name for name, _ in palette),
        prior - np.logaddexp.reduce(prior),
        np.repeat(-np.log(light), len(_USUALLY), axis=0),
        _quadratic(one, np.stack(ways, 1)).astype(np.float32),
        _brightness().astype(np.float32),
    )


def _hue(mired: float, greener: float) -> Floats:
    """The linear colour of a light: of a black body, and further on in its direction."""
    near, far = _LOCUS
    if mired >= near:
        return black_body(mired, greener)
    here, there = np.log(black_body(near)), np.log(black_body(far))
    blue, green, red = np.exp(here + (here - there) * (near - mired) / (far - near))
    return of_one_luminance([blue, green * np.exp(greener), red])


def _brightness() -> Floats:
    """(B, U): how likely each of `_BRIGHTER` is on one die where most lie in each of `_USUALLY`."""
    more = _BRIGHTER[:, None] - _USUALLY
    (middle, spread), (elsewhere, wider) = _LIKE_MOST, _ELSEWHERE
    chance = (1 - _UNEVEN) * np.exp(-0.5 * ((more - middle) / spread) ** 2) / spread
    chance = chance + _UNEVEN * np.exp(-0.5 * ((more - elsewhere) / wider) ** 2) / wider
    return np.asarray(chance / chance.sum(0))


def _quadratic(seen: Floats, ways: Floats) -> Floats:
    """Normal densities about the colours `seen` (M, 3) as quadratic forms (10, M); `ways` (M, W, 3): the directions in
    which they spread, as long as their spread, besides the grain."""
    spread = np.eye(3) * _GRAIN**2 + np.einsum("mwi,mwj->mij", ways, ways)
    form = np.linalg.inv(spread)
    pull = np.einsum("mij,mj->mi", form, seen)
    constant = -0.5 * (pull * seen).sum(1) - 0.5 * np.linalg.slogdet(spread)[1] - 1.5 * np.log(2 * np.pi)
    squares = -0.5 * np.stack([form[:, 0, 0], form[:, 1, 1], form[:, 2, 2]])
    products = -np.stack([form[:, 0, 1], form[:, 0, 2], form[:, 1, 2]])
    return np.concatenate([squares, products, pull.T, constant[None]])
