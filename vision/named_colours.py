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
from vision.white_balance import (
    BODY_COLOURS,
    PAINT_COLOURS,
    Colour,
    DiceLight,
    LightMemory,
    Witness,
    from_dice,
    witness_colour,
)

_STRANGE = 0.3
"""A die whose colours within the palette have less than this chance is left to the net: it is of another set."""


class OneTray:
    """What a camera that stays over one tray has seen of its light, by the colours that its dice can have."""

    def __init__(self) -> None:
        self._memories: dict[frozenset[str], LightMemory] = {}

    def see(self, dice: Sequence[Witness], palette: Mapping[str, Colour]) -> DiceLight:
        """What the dice and those of the last pictures say of the light together (see `LightMemory.see`)."""
        memory = self._memories.setdefault(frozenset(palette), LightMemory(palette))
        return memory.see(dice)


def weighed(
    picture: Picture, seen: Sequence[tuple[Candidate, Look]], kinds: Sequence[Kind], tray: OneTray | None = None
) -> list[Look]:
    """The looks, in order, with `paints` in which all dice of a palette bear witness to the light together, and those
    of earlier pictures with them where a `tray` is remembered.

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
        told_by = tray.see if tray is not None else from_dice
        together = told_by(list(witnesses.values()), palette)
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
