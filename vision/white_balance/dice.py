"""The light's colour from the dice: which of their set's bodies and paints, in which light, explain what is seen.

Every palette colour in every light that occurs (a black body's and bluer ones, a little greener or pinker, brighter or
darker) is compared with every die; the chances of the lights follow from all dice together, the chances of each die's
colours from all lights together. A brown die and a grey one in warm light look the same; a brown die beside a blue one
does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.white_balance.light import TOLERANCE, Balance, Colour, Floats, unbalanced
from vision.white_balance.lights import Lights, lights_for

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
_NAMED = 0.9
_LIKELY = 40
"""So many of the likeliest lights are told apart; the others hardly ever count."""

_FEWEST = 2
"""So many different colours, each with the chance `_NAMED`, are needed to know a light."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One die: its encoded body (or top face) colour, and, where the marks tell something of its kind, the weight of
    each palette colour that it can have. Without `chances` it can have any."""

    colour: Colour
    chances: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OneLight:
    """What the dice are if the light is this one: its `chance`, and `colours` (dice, colours): the chance of each
    colour in the palette's order, and last that of `other`."""

    chance: float
    colours: Singles


@dataclass(frozen=True, slots=True)
class DiceLight:
    """`balance`: gains of one unless the light is known or nearly so. `colours`: for each die the chance of each
    palette colour, and of `other`, in all lights together. `assignment`: the chance that the likeliest colour of
    every die is right at once; `rival`: that of the next best naming of all dice. `likely`: the likeliest lights."""

    balance: Balance
    colours: tuple[dict[str, float], ...]
    assignment: float
    rival: float
    likely: tuple[OneLight, ...] = ()

    def name(self, die: int) -> tuple[str, float]:
        """The likeliest colour of a die and its chance."""
        return max(self.colours[die].items(), key=lambda item: item[1])


def witness_colour(picture: Picture, x: float, y: float, edge: float) -> Colour | None:
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


def from_dice(dice: Sequence[Witness], palette: Mapping[str, Colour]) -> DiceLight:
    """The light in which the `dice`, of a set whose colours are `palette` (encoded, neutral light), make most sense.

    The balance is `nothing` where fewer than two different colours are named. Raises KeyError for a chance of a
    colour that the palette lacks, ValueError for an empty palette.
    """
    return Comparison(dice, (), palette).judged()


class Comparison:
    """Dice, new ones and some remembered from before, held against every colour of a palette in every light."""

    def __init__(self, dice: Sequence[Witness], remembered: Sequence[Witness], palette: Mapping[str, Colour]) -> None:
        """Raises KeyError for a chance of a colour that the palette lacks, ValueError for an empty palette."""
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
            return DiceLight(unbalanced(), (), 1.0, 0.0)
        named = np.einsum("l,nlk->nk", self._light.astype(np.float32), self._share)
        sure = {self._names[colour] for colour in np.argwhere(named > _NAMED)[:, 1]} - {OTHER}
        balance = _balance(self._lights, self._light) if len(sure) >= _FEWEST else unbalanced()
        chances = tuple(dict(zip(self._names, map(float, row), strict=True)) for row in named[: self._new])
        best, rival = _assignments(self._light, self._share[: self._new], named[: self._new])
        likely = [int(light) for light in np.argsort(self._light)[::-1][:_LIKELY]]
        lights = tuple(OneLight(float(self._light[at]), self._share[: self._new, at]) for at in likely)
        return DiceLight(balance, chances, best, rival, lights)


def _explained(lights: Lights, dice: Sequence[Witness]) -> tuple[Singles, Floats]:
    """(N, L, K + 1): the chance of each colour, and of `other`, of each die in each light; (N, L): logarithm of the
    density of each die in each light."""
    prior = np.full((len(dice), 1, len(lights.names) + 1), 1.0, np.float32)
    for row, die in zip(prior[:, 0], dice, strict=True):
        if die.chances:
            row[:] = 1e-12
            for name, weight in die.chances.items():
                if name not in lights.names:
                    raise KeyError(name)
                row[lights.names.index(name)] = max(weight, 1e-12)
        row[:-1] *= (1 - _OTHER_CHANCE) / row[:-1].sum()
        row[-1] = _OTHER_CHANCE
    joint = np.zeros((len(dice), len(lights.log_prior), len(lights.names) + 1), np.float32)
    joint[..., :-1] = lights.log_density(_colours(dice))
    joint += np.log(prior)
    top = joint.max(2, keepdims=True)
    share = np.exp(np.maximum(joint - top, _NOTHING))
    total = share.sum(2, keepdims=True)
    return share / total, (top + np.log(total))[..., 0].astype(np.float64)


def _weights(dice: Sequence[Witness]) -> Floats:
    """What each die counts as a witness: those that look alike count less each."""
    colours = _colours(dice)
    gaps = ((colours[:, None] - colours[None]) ** 2).sum(2)
    return np.asarray(np.exp(-gaps / (2 * _ALIKE**2)).sum(1) ** -_REPEATED)


def _colours(dice: Sequence[Witness]) -> Floats:
    return np.asarray([die.colour for die in dice], np.float64).reshape(-1, 3)


def _assignments(light: Floats, share: Singles, named: Singles) -> tuple[float, float]:
    """The chances of the best naming of all dice at once and of the next best, among each light's own best ones."""
    likely = np.argsort(light)[::-1][:60]
    tried = {tuple(row) for row in share[:, likely].argmax(2).T} | {tuple(named.argmax(1))}
    dice = np.arange(len(share))
    chances = sorted((float(light @ share[dice, :, list(one)].prod(0)) for one in tried), reverse=True)
    return chances[0], chances[1] if len(chances) > 1 else 0.0


def _balance(lights: Lights, light: Floats) -> Balance:
    """The mean of the gains over all lights; its certainty is that of the lights whose gains are near.

    Makers' colours that are off one way all together look like another light, which every die seems to confirm: the
    certainty is that of less evidence (`Lights.shared`).
    """
    middle = light @ lights.gains
    near = (np.abs(lights.gains - middle) < TOLERANCE).all(1)
    blue, green, red = np.exp(middle)
    doubted = light**lights.shared
    return Balance((float(blue), float(green), float(red)), float(doubted[near].sum() / doubted.sum()), "dice")
