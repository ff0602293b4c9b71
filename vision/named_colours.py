"""Weighs the nets' word on dice's colours with what one light over all of them makes of the set's colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import classes
from vision.dice_sets import BODIES, Kind
from vision.find import Candidate
from vision.pictures import Picture
from vision.read import Look
from vision.roll import Face
from vision.top_colour import TopColour
from vision.uneven_light import brightening
from vision.white_balance import (
    BODY_COLOURS,
    PAINT_COLOURS,
    Colour,
    DiceLight,
    LightMemory,
    OneLight,
    Witness,
    from_dice,
    witness_colour,
)

Floats = npt.NDArray[np.float32]

_LIGHT, _FACES, _TOP = 0.6, 0.1, 1.0
"""The powers in which the chances by the light, by the nets that read faces and by the net that names colours are
multiplied: with these the right colour came out likeliest on drawn dice of other seeds than those that measure the
reader. All see the same pixels, so they do not count in full."""

_LIGHT_ALONE = 0.2
"""The light's where only one die tells of it: then it is but a guess at what lamps there are."""

_DOUBT = 0.005
"""How often what the light says of a die is worth nothing: a spot of another lamp, a glare."""

_TINY = 1e-30

_LEAST = 1e-6
"""Chance that a net leaves a colour that it rules out: no single one can veto it."""

_STRANGE = 0.3
"""A die whose colours within the palette have less than this chance by the nets that read faces is of another set, and
left to them."""

_STRANGE_TO_ALL, _NAMED = 0.1, 0.99
"""Down to the first it is not where the net that names colours gives the palette the second: a yellow face that is
burnt out looks like an ivory one by itself, and less so beside all the rest. Of 75 plain ivory and grey dice that lay
among balls the faces' nets gave one of them more than 0.1, and the other net 0.84 then."""

_SISTERS = frozenset({"red", "orange"})
"""Colours that a lamp mirrored in them makes alike: a little green tells them apart, and white light has more of it."""

_PALE = 0.3
"""Under this share of its brightest channel between that and its darkest one a face is pale. Of 252 red and orange tops
of rendered balls that were named rightly one is, and both that were named wrongly; of 528 drawn ones none."""


class OneTray:
    """What a camera that stays over one tray has seen of its light, by the colours that its dice can have."""

    def __init__(self) -> None:
        self._memories: dict[frozenset[str], LightMemory] = {}

    def see(self, dice: Sequence[Witness], palette: Mapping[str, Colour]) -> DiceLight:
        """What the dice and those of the last pictures say of the light together (see `LightMemory.see`)."""
        memory = self._memories.setdefault(frozenset(palette), LightMemory(palette))
        return memory.see(dice)


@dataclass(frozen=True, slots=True)
class Weighed:
    """`looks`, in order, with the paints of the nets and of the light weighed against each other; of the dice that bear
    witness `seen` is by index what the nets alone said of the palette's colours (as long as BODIES), and `likely` what
    they are in each of the likeliest lights."""

    looks: list[Look]
    seen: Mapping[int, Floats]
    likely: tuple[OneLight, ...]
    palette: tuple[str, ...]

    def in_each_light(self) -> Iterator[tuple[float, list[Look]]]:
        """For each light that is likely the logarithm of its chance, up to a constant, and the looks as they are in it.

        In one light dice of two bodies are hardly alike, whatever the light; all lights together blur them.
        """
        places = [BODIES.index(name) for name in self.palette]
        net = np.array(list(self.seen.values())).reshape(-1, len(BODIES))
        for light in self.likely:
            paints = np.zeros_like(net)
            paints[:, places] = light.colours[:, :-1] + light.colours[:, -1:] * net[:, places]
            paints *= net
            whole = np.maximum(paints.sum(1, keepdims=True), _TINY)
            looks = list(self.looks)
            for index, told in zip(self.seen, paints / whole, strict=True):
                looks[index] = replace(looks[index], paints=told)
            yield float(np.log(max(light.chance, _TINY)) + np.log(whole).sum()), looks
        if not self.likely:
            yield 0.0, list(self.looks)


def weighed(
    picture: Picture,
    seen: Sequence[tuple[Candidate, Look]],
    kinds: Sequence[Kind],
    top_colour: TopColour | None,
    tray: OneTray | None = None,
) -> Weighed:
    """The looks with `paints` in which all dice of a palette bear witness to the light together, and those of earlier
    pictures with them where a `tray` is remembered. `top_colour` may be None where no kind has colours of its own.

    A die in a shadow bears witness as if it lay in the light of the others. Where light and nets disagree nothing is
    certain. Dice that may be of any colour say nothing, and are left as they are; so is what fits no colour in any
    light, such as a glaring face.
    """
    palette = palette_of(kinds)
    looks = [look for _, look in seen]
    if not palette or top_colour is None:
        return Weighed(looks, {}, (), ())
    among = np.array([name in palette for name in BODIES], np.float32)
    colours = _telling(picture, seen, kinds)
    tops = top_colour.chances(picture, [seen[index][0] for index in colours])
    net: dict[int, Floats] = {}
    for index, top in zip(colours, tops, strict=True):
        share = looks[index].paints * among
        if share.sum() > (_STRANGE_TO_ALL if float(top @ among) >= _NAMED else _STRANGE):
            net[index] = _together(share / share.sum(), top)
    if not net:
        return Weighed(looks, {}, (), ())
    brighter = brightening(picture, [one for one, _ in seen])
    witnesses = [Witness(_clipped(colours[index], brighter[index])) for index in net]
    power = _LIGHT_ALONE if len(net) == 1 and tray is None else _LIGHT
    in_light = (tray.see if tray is not None else from_dice)(witnesses, palette)
    for (index, said), lit in zip(net.items(), in_light.colours, strict=True):
        told = np.array([lit.get(name, 0.0) for name in BODIES], np.float32)
        told = told + (1 - told.sum()) * said
        both = ((1 - _DOUBT) * told + _DOUBT * said) ** power * said
        looks[index] = replace(looks[index], paints=np.asarray(both / both.sum(), np.float32))
    return Weighed(looks, net, in_light.likely, tuple(palette))


def _telling(picture: Picture, seen: Sequence[tuple[Candidate, Look]], kinds: Sequence[Kind]) -> dict[int, Colour]:
    """By index the colour round the marks of the dice that can tell of the light."""
    plain = any(kind.marks == "plain" for kind in kinds)
    colours: dict[int, Colour] = {}
    for index, (one, look) in enumerate(seen):
        colour = witness_colour(picture, one.x, one.y, one.edge)
        if colour is not None and (not plain or look.classes[classes.PLAIN] >= 0.5):
            colours[index] = colour
    return colours


def _clipped(colour: Colour, brighter: float) -> Colour:
    blue, green, red = (min(1.0, value * brighter) for value in colour)
    return blue, green, red


def _together(faces: Floats, top: Floats) -> Floats:
    """What the nets say together of the colours that `faces` gives any chance."""
    both = np.where(faces > 0, (faces + _LEAST) ** _FACES * (top + _LEAST) ** _TOP, 0)
    return np.asarray(both / both.sum(), np.float32)


def palette_of(kinds: Sequence[Kind]) -> Mapping[str, Colour]:
    """The colours that dice of `kinds` can have, empty where that is not said."""
    if any(kind.marks == "plain" for kind in kinds):
        return PAINT_COLOURS if all(not kind.bodies for kind in kinds) else {}
    if not all(kind.bodies for kind in kinds):
        return {}
    return {name: BODY_COLOURS[name] for kind in kinds for name in kind.bodies}


def is_washed_out(picture: Picture, one: Candidate, face: Face) -> bool:
    """Whether a plain face said to be red or orange is too pale in a picture (height, width, 3; BGR) to be told from
    the other one."""
    seen = witness_colour(picture, one.x, one.y, one.edge) if face.colour in _SISTERS else None
    return seen is not None and max(seen) - min(seen) < _PALE * max(seen)
