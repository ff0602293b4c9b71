"""Weighs the face net's word on dice's colours with what one light over all of them makes of the set's colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision import classes
from vision.dice_sets import BODIES, Kind
from vision.find import Candidate
from vision.pictures import Picture
from vision.read import Look
from vision.white_balance import BODY_COLOURS, PAINT_COLOURS, Colour, Witness, from_dice, witness_colour

_STRANGE = 0.3
"""A die whose colours within the palette have less than this chance is left to the net: it is of another set."""


def weighed(picture: Picture, seen: Sequence[tuple[Candidate, Look]], kinds: Sequence[Kind]) -> list[Look]:
    """The looks, in order, with `paints` in which all dice of a palette bear witness to the light together.

    The two are weighed alike (geometric mean): where they disagree nothing is certain. Dice that may be of any colour
    say nothing, and are left as they are; so is what fits no colour in any light, such as a glaring face.
    """
    palette = _palette(kinds)
    plain = all(kind.marks == "plain" or not kind.bodies for kind in kinds)
    looks = [look for _, look in seen]
    witnesses: dict[int, Witness] = {}
    for index, (one, look) in enumerate(seen):
        if not palette or (plain and look.classes[classes.PLAIN] < 0.5):
            continue
        share = {name: float(look.paints[BODIES.index(name)]) for name in palette}
        colour = witness_colour(picture, one.x, one.y, one.edge)
        if colour is not None and sum(share.values()) > _STRANGE:
            witnesses[index] = Witness(colour)
    if witnesses:
        together = from_dice(list(witnesses.values()), palette)
        for index, colours in zip(witnesses, together.colours, strict=True):
            told = np.array([colours.get(name, 0.0) for name in BODIES], np.float32)
            net = looks[index].paints * np.array([name in palette for name in BODIES], np.float32)
            net /= net.sum()
            both = np.sqrt((told + (1 - told.sum()) * net) * net)
            looks[index] = replace(looks[index], paints=np.asarray(both / both.sum(), np.float32))
    return looks


def _palette(kinds: Sequence[Kind]) -> Mapping[str, Colour]:
    """The colours that dice of `kinds` can have, empty where that is not said."""
    if any(kind.marks == "plain" for kind in kinds):
        return PAINT_COLOURS if all(not kind.bodies for kind in kinds) else {}
    if not all(kind.bodies for kind in kinds):
        return {}
    return {name: BODY_COLOURS[name] for kind in kinds for name in kind.bodies}
