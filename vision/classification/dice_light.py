"""The light over the dice: which of their set's bodies and paints, in which light, explain what is seen.

Every palette colour in every light that occurs (a black body's and bluer ones, a little greener or pinker, brighter or
darker) is compared with every die; the chances of the lights follow from all dice together, the chances of each die's
colours from all lights together. A brown die and a grey one in warm light look the same; a brown die beside a blue one
does not. A light has one colour all over a table, but falls more on one die than on another: bodies are compared
closely in hue, which tells an ivory die in a dark corner from a grey one, and loosely in brightness.
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
    decode,
    encode,
    of_one_luminance,
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
"""Inks of coloured numbers, a dark one and a light one (screens: dice colours): printed sets have them."""


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
    most dice, so colours may stray further than those of drawn dice do.
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
)
"""Plain faces loosely in all: what burns out, glares or is lit by its neighbours is another hue in paints as strong as
those of the ball. Compared as bodies are, two of 158 rendered balls that were asked about before were read wrongly."""

_LEAST = np.float32(-60)
"""Logarithm of a density beside the greatest of a die that counts for nothing."""


@dataclass(frozen=True, slots=True)
class Lights:
    """L lights and K colours. `log_prior` (L,); `quadratic` (10, H * B * K): what the terms
    of a measured colour (see `terms`) are multiplied by to give the logarithm of its density in each of H hues of the
    light, B brightnesses and K colours; `brightness` (B, L / H): the chance of each where most dice lie in that."""

    names: tuple[str, ...]
    log_prior: Floats
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
        _quadratic(one, np.stack(ways, 1), how.grain).astype(np.float32),
        _brightness(how).astype(np.float32),
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


Singles = npt.NDArray[np.float32]

OTHER = "other"
"""The name of every colour that the palette does not hold."""

_OTHER_CHANCE = 0.005
_NOTHING = np.float32(-60)
"""Logarithm of a chance that is none: smaller ones only cost time."""
_ALIKE = 0.06
_REPEATED = 0.6
"""Dice nearer to each other than `_ALIKE` (encoded) share their maker's paint and its error: N of them count as
N ** (1 - `_REPEATED`) witnesses."""
_CHANGED = 0.03
"""How often the light is another one than at the roll before."""
_LIKELY = 40
"""So many of the likeliest lights are told apart; the others hardly ever count."""


@dataclass(frozen=True, slots=True)
class LightHypothesis:
    """What the dice are if the light is this one: its `chance`, and `colours` (dice, colours): the chance of each
    colour in the palette's order, and last that of `other`."""

    chance: float
    colours: Singles


@dataclass(frozen=True, slots=True)
class DiceLight:
    """`colours`: for each die the chance of each palette colour, and of `other`, in all lights together; `likely`: the
    likeliest lights."""

    colours: tuple[dict[str, float], ...]
    likely: tuple[LightHypothesis, ...] = ()


def body_colour(picture: Picture, x: float, y: float, edge: float) -> Colour | None:
    """The encoded colour of the body on the top face at (x, y), `edge` in pixels: the middle of the densest part of
    its pixels, as pips and figures take less of a face than its body. None outside the picture."""
    reach = 0.36 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = picture[top : max(0, int(y + reach) + 1), left : max(0, int(x + reach) + 1)]
    if part.size == 0:
        return None
    pixels = np.asarray(cv2.resize(part, (10, 10), interpolation=cv2.INTER_AREA), np.float32).reshape(-1, 3) / 255
    near = np.linalg.norm(pixels[:, None] - pixels[None], axis=2) < 0.09
    blue, green, red = np.median(pixels[near[int(near.sum(1).argmax())]], axis=0)
    return (float(blue), float(green), float(red))


def dice_light(dice: Sequence[Colour], palette: Mapping[str, Colour]) -> DiceLight:
    """The light in which the `dice`, of a set whose colours are `palette` (encoded, neutral light), make most sense.

    Raises ValueError for an empty palette.
    """
    return Comparison(dice, (), palette).judged()


class Comparison:
    """Dice, new ones and some remembered from before, held against every colour of a palette in every light."""

    def __init__(self, dice: Sequence[Colour], remembered: Sequence[Colour], palette: Mapping[str, Colour]) -> None:
        if not palette:
            raise ValueError("an empty palette: the colours that the dice can have are needed")
        self._lights = lights_for(tuple(palette.items()))
        self._names = (*self._lights.names, OTHER)
        self._new = len(dice)
        seen = [*dice, *remembered]
        self._share, whole = _explained(self._lights, seen)
        spoken = _weights(seen)[:, None] * whole
        old, new = spoken[self._new :].sum(0), spoken[: self._new].sum(0)
        prior = self._lights.log_prior
        in_one, in_new, in_old = (float(np.logaddexp.reduce(prior + part)) for part in (old + new, new, old))
        others = np.log(_CHANGED) + in_new + in_old
        same = np.log(1 - _CHANGED) + in_one
        self.changed = float(np.exp(others - np.logaddexp(same, others))) if remembered else 0.0
        """The chance that the new dice lie in another light than those remembered."""
        in_same = np.exp(prior + old + new - in_one)
        self._light = (1 - self.changed) * in_same + self.changed * np.exp(prior + new - in_new)

    def judged(self) -> DiceLight:
        """The light that the new dice lie in, and their colours."""
        if not len(self._share):
            return DiceLight(())
        named = np.einsum("l,nlk->nk", self._light.astype(np.float32), self._share)
        chances = tuple(dict(zip(self._names, map(float, row), strict=True)) for row in named[: self._new])
        likely = [int(light) for light in np.argsort(self._light)[::-1][:_LIKELY]]
        lights = tuple(LightHypothesis(float(self._light[at]), self._share[: self._new, at]) for at in likely)
        return DiceLight(chances, lights)


def _explained(lights: Lights, dice: Sequence[Colour]) -> tuple[Singles, Floats]:
    """(N, L, K + 1): the chance of each colour, and of `other`, of each die in each light; (N, L): logarithm of the
    density of each die in each light."""
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
    """What each die counts as a witness: those that look alike count less each."""
    colours = _colours(dice)
    gaps = ((colours[:, None] - colours[None]) ** 2).sum(2)
    return np.asarray(np.exp(-gaps / (2 * _ALIKE**2)).sum(1) ** -_REPEATED)


def _colours(dice: Sequence[Colour]) -> Floats:
    return np.asarray(dice, np.float64).reshape(-1, 3)


_OF_A_KIND = 2
"""Of dice nearer to each other than `_ALIKE` (encoded) so many are remembered: the rest tell nothing more."""


class LightMemory:
    """The light over one tray, learnt roll by roll. Not to be shared between threads."""

    def __init__(self, palette: Mapping[str, Colour], most: int = 16) -> None:
        """`palette`: the set's colours; `most`: dice that are remembered. Raises ValueError for an empty palette."""
        if not palette:
            raise ValueError("an empty palette: the colours that the dice can have are needed")
        self._palette = dict(palette)
        self._most = most
        self._dice: list[Colour] = []

    def see(self, dice: Sequence[Colour]) -> DiceLight:
        """What the new dice and those remembered say together; `colours` are of the new ones only, in their order.

        That the light may have been changed since the last roll is reckoned with; when it most likely was, the dice
        from before are forgotten.
        """
        compared = Comparison(dice, self._dice, self._palette)
        if compared.changed > 0.5:
            self._dice.clear()
        self._remember(dice)
        return compared.judged()

    def _remember(self, dice: Sequence[Colour]) -> None:
        """The newest first; what was seen often enough since is let go."""
        kept: list[Colour] = []
        for one in [*dice, *self._dice]:
            if sum(dist(one, other) < _ALIKE for other in kept) < _OF_A_KIND:
                kept.append(one)
        self._dice = kept[: self._most]
