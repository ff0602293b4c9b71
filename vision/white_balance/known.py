"""A light that is known: what each colour of a palette looks like in it, however brightly it falls on each die.

A card of known colours told it when the camera was set up. Its colour is the same all over the tray; how bright it is
differs from place to place, so each die may lie in more of it or less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.white_balance.dice import OTHER_CHANCE, DiceLight, OneLight, Singles, Witness, colours_of
from vision.white_balance.light import Colour, Floats, black_body, decode, encode
from vision.white_balance.lights import SHINE, quadratic, terms

_GRAIN = 0.02
_SHADING = 0.05
_SATURATION = 0.1
_ONE_LAMP = 7.0
_SHINE_SPREAD = 0.02
"""Spreads between a maker's die and its palette colour in a known light: of each encoded value by itself, of brightness
and of saturation as shares, of the light's colour (mired) and of what is mirrored of it (linear). How far makers differ
is not known of most dice, so they are wider than what drawn dice need."""

_BRIGHTER = np.arange(-3.6, 2.0, 0.1)
_USUAL, _ELSEWHERE = (0.0, 0.3), (-0.3, 0.9)
_UNEVEN = 0.25
"""Logarithms of how much more light falls on a die than on the card: middle and spread of it in most places, in spots
and shadows, and the share of these."""

_DAYLIGHT, _WARMER = 154.0, 5.0
"""Mired, of the light that is warmed to see which way colours go then."""

_HOLDS = 0.95
"""How likely the light that is taken for known is the one that a die lies in."""


def in_known_light(
    told: DiceLight, dice: Sequence[Witness], palette: Mapping[str, Colour], white: Sequence[float]
) -> DiceLight:
    """What the `dice` are in a light whose `white` (linear blue, green, red) is known, and, for what is left of a doubt
    in it, in the lights that they speak for themselves (`told`)."""
    if not dice:
        return told
    share = _explained(colours_of(dice), palette, np.asarray(white, np.float64))
    names = list(told.colours[0])
    colours = tuple(
        {name: _HOLDS * float(row[at]) + (1 - _HOLDS) * before[name] for at, name in enumerate(names)}
        for row, before in zip(share, told.colours, strict=True)
    )
    others = tuple(replace(light, chance=(1 - _HOLDS) * light.chance) for light in told.likely)
    return replace(told, colours=colours, likely=(OneLight(_HOLDS, share), *others))


def _explained(seen: Floats, palette: Mapping[str, Colour], white: Floats) -> Singles:
    """(N, K + 1): the chance of each colour, and of another one, of each die."""
    bodies = decode(list(palette.values()))
    warmer = black_body(_DAYLIGHT + _WARMER) / black_body(_DAYLIGHT)
    centres, ways = [], []
    for brighter in np.exp(_BRIGHTER):
        lit = (bodies + SHINE) * brighter * white
        one = encode(lit)
        warm = (encode(lit * warmer) - one) / _WARMER * _ONE_LAMP
        shine = encode(lit + _SHINE_SPREAD * brighter * white) - one
        pale = one - one.mean(1, keepdims=True)
        centres.append(one)
        ways.append(np.stack([one * _SHADING, pale * _SATURATION, warm, shine], 1))
    form = quadratic(np.concatenate(centres), np.concatenate(ways), _GRAIN)
    density = (terms(seen) @ form).reshape(len(seen), len(_BRIGHTER), len(bodies)) + _prior()[:, None]
    joint = np.full((len(seen), len(bodies) + 1), np.log(OTHER_CHANCE))
    joint[:, :-1] = np.logaddexp.reduce(density, 1) + np.log((1 - OTHER_CHANCE) / len(bodies))
    whole = np.logaddexp.reduce(joint, 1)
    return np.exp(joint - whole[:, None]).astype(np.float32)


def _prior() -> Floats:
    """The logarithm of how likely each of `_BRIGHTER` is."""
    (middle, spread), (elsewhere, wider) = _USUAL, _ELSEWHERE
    usual = (1 - _UNEVEN) * np.exp(-0.5 * ((_BRIGHTER - middle) / spread) ** 2) / spread
    prior = usual + _UNEVEN * np.exp(-0.5 * ((_BRIGHTER - elsewhere) / wider) ** 2) / wider
    return np.asarray(np.log(prior / prior.sum()))
