"""The sound player at level `scores`: it throws dice as a middling team would and keeps the best of them."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.nba.moves_dice import rolled
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, OFFENCE

DICE, KEPT = 4, 2
"""What a base offence of a middling team throws and keeps."""
DEFENCE_DICE = 2
"""What it throws of each of two kinds in defence, keeping the best one of each."""


def laid(state: State, random: Random) -> dict[str, Any] | None:
    """The defence against what is pending, then the attack; None once both lie there."""
    if "defence" not in state.done and state.pending_colours(state.mover):
        return {"event": "defend", "dice": _defence(state, random)}
    if "offence" not in state.done and not state.ultimate:
        dice = rolled(state.setup.dice_set, [random.choice(OFFENCE)] * DICE, random)
        return {"event": "attack", "dice": sorted(dice, key=_value, reverse=True)[:KEPT]}
    return None


def _defence(state: State, random: Random) -> list[dict[str, Any]]:
    colours = state.pending_colours(state.mover)
    chosen = []
    for kind in random.sample(DEFENCE, 2):
        dice = rolled(state.setup.dice_set, [kind] * DEFENCE_DICE, random)
        chosen += sorted((die for die in dice if die.get("colour") in colours), key=_value, reverse=True)[:1]
    return chosen


def _value(die: dict[str, Any]) -> int:
    value: int = die["value"]
    return value
