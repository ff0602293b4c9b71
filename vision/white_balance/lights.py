"""How every colour of a palette looks in each of the lights that occur: the table that dice are compared with."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.white_balance.light import Colour, Floats, black_body, decode, encode

Palette = tuple[tuple[str, Colour], ...]
"""Names and encoded colours in neutral light, hashable."""

_WARMEST, _COLDEST, _STEP = 400.0, 111.0, 12.0
"""2500 to 9000 kelvin, in mired: steps that look alike anywhere on the way."""
_GREENER = (-0.16, -0.08, 0.0, 0.08, 0.16)
_GREEN_SPREAD = 0.08
_BRIGHTER = (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9, 1.2, 1.5)
_BRIGHT_SPREAD = 0.6
"""Logarithms of how bright a light is, up to those that burn dice out, and their spread: an orange face has the yellow
of another one then."""

_GRAIN = 0.035
_SHADING = 0.12
_SATURATION = 0.15
_ONE_LAMP = 22.0
_SHINE = 0.012
_SHINE_SPREAD = 0.03
"""Spreads between a maker's die on a table and its palette colour: of each encoded value by itself, of brightness and
of saturation as shares, of the light that reaches one die (mired; lamps and windows mix). `_SHINE`: what a surface
mirrors of the light itself (linear) whatever its colour, and its spread: it takes the depth from dark channels."""


@dataclass(frozen=True, slots=True)
class Lights:
    """L lights and K colours. `log_prior` (L,); `gains` (L, 3), logarithms; `quadratic` (10, L * K): what the terms of
    a measured colour (see `terms`) are multiplied by to give the logarithm of its density."""

    names: tuple[str, ...]
    log_prior: Floats
    gains: Floats
    quadratic: npt.NDArray[np.float32]

    def log_density(self, colours: Floats) -> npt.NDArray[np.float32]:
        """(N, L, K): how well each encoded colour (N, 3) fits each palette colour in each light."""
        # Not a matrix product: those are shared out among threads, which wait for each other on a busy machine.
        flat = np.einsum("nt,tm->nm", terms(colours).astype(np.float32), self.quadratic)
        return np.asarray(flat.reshape(len(colours), len(self.log_prior), len(self.names)))


def terms(colours: Floats) -> Floats:
    """The squares, products, values and the one that a quadratic form of (N, 3) colours is made of: (N, 10)."""
    b, g, r = colours.T
    return np.stack([b * b, g * g, r * r, b * g, b * r, g * r, b, g, r, np.ones_like(b)], 1)


@functools.lru_cache(maxsize=8)
def lights_for(palette: Palette) -> Lights:
    """The table for `palette`: made once in some tens of milliseconds."""
    mired = np.arange(_COLDEST, _WARMEST + 1, _STEP)
    bodies = decode([colour for _, colour in palette])
    seen, ways, priors, gains = [], [], [], []
    for warmth in mired:
        for greener in _GREENER:
            light, next_light = black_body(warmth, greener), black_body(warmth + 5, greener)
            for brighter in _BRIGHTER:
                lit = (bodies + _SHINE) * np.exp(brighter)
                one = encode(lit * light)
                warmer = (encode(lit * next_light) - one) / 5
                shine = encode((lit + _SHINE_SPREAD) * light) - one
                pale = one - one.mean(1, keepdims=True)
                seen.append(one)
                ways.append(np.stack([one * _SHADING, pale * _SATURATION, warmer * _ONE_LAMP, shine], 1))
                priors.append(-0.5 * ((greener / _GREEN_SPREAD) ** 2 + (brighter / _BRIGHT_SPREAD) ** 2))
                gains.append(-np.log(light))
    log_prior = np.asarray(priors)
    log_prior -= np.log(np.exp(log_prior).sum())
    quadratic = _quadratic(np.concatenate(seen), np.concatenate(ways))
    names = tuple(name for name, _ in palette)
    return Lights(names, log_prior, np.asarray(gains), quadratic.astype(np.float32))


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
