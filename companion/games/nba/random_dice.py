"""Dice thrown at random, as a journal has them: for the random player, the sound player and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from companion.games.nba.dice_set import DiceSet, needs_asking
from companion.games.nba.tables import COLOURS, OFFENCE, UNKNOWN


def throw(dice_set: DiceSet, kind: str, random: Random) -> dict[str, Any]:
    """One die. A number whose colour the set does not know shows any of the three."""
    value, colour = random.choice(dice_set.of(kind))
    die: dict[str, Any] = {"die": kind, "value": value}
    if kind not in OFFENCE and value:
        die["colour"] = random.choice(COLOURS) if colour == UNKNOWN else colour
    if needs_asking(dice_set, kind, value):
        die["asked"] = True
    return die


def throw_all(dice_set: DiceSet, sizes: Mapping[str, int], random: Random) -> list[dict[str, Any]]:
    """So many dice of each kind."""
    return [throw(dice_set, kind, random) for kind, count in sizes.items() for _ in range(count)]


def throw_again(dice_set: DiceSet, kinds: Iterable[str], random: Random) -> list[dict[str, Any]]:
    """A die of each kind named, in that order."""
    return [throw(dice_set, kind, random) for kind in kinds]
