"""Dice thrown at random, as a journal has them: every face of the set alike, an unknown number of any colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.tables import COLOURS, DEFENCE, UNKNOWN


def thrown(dice_set: DiceSet, kind: str, random: Random) -> dict[str, Any]:
    """One die."""
    value, colour = random.choice(dice_set.of(kind))
    die: dict[str, Any] = {"die": kind, "value": value}
    if kind in DEFENCE and value:
        die["colour"] = random.choice(COLOURS) if colour == UNKNOWN else colour
    if needs_asking(dice_set, kind, value):
        die["asked"] = True
    return die


def rolled(dice_set: DiceSet, kinds: Iterable[str], random: Random) -> list[dict[str, Any]]:
    """Several dice, in the order of their kinds."""
    return [thrown(dice_set, kind, random) for kind in kinds]


def kinds_of(size: Mapping[str, int]) -> list[str]:
    """A kind for each die of a roll."""
    return [kind for kind, count in size.items() for _ in range(count)]
