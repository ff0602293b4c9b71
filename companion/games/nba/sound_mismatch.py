"""When the sound player plays a mismatch, and what one is worth: exact means of two small rolls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from companion.games.nba.dice_set import DiceSet
from companion.games.nba.forecast import law
from companion.games.nba.mismatch import attack_dice, defence_dice, may_play
from companion.games.nba.moves_dice import kinds_of, rolled
from companion.games.nba.odds import Pool, distribution
from companion.games.nba.state import State
from companion.games.nba.tables import BODY, POSITIONS

USUAL_ATTACK, USUAL_DEFENCE = {"three_points": 2, "inside": 1}, {"block": 1, "stop": 1}
"""What is thrown at level `scores`, where no court is known."""


def mean_points(dice_set: DiceSet, attack: Mapping[str, int], defence: Mapping[str, int]) -> Fraction:
    """The exact mean of the points of a mismatch with these dice, unknown faces by their share of the colours."""
    colours = frozenset(BODY[kind] for kind, count in attack.items() if count)
    thrown = [Pool(law(dice_set, kind, colours), count, count) for kind, count in attack.items()]
    stopping = [Pool(law(dice_set, kind, colours), count, count) for kind, count in defence.items()]
    stopped = distribution(stopping)
    return sum(
        (chance * often * max(0, scored - less) for scored, chance in distribution(thrown) for less, often in stopped),
        Fraction(0),
    )


def worthwhile(state: State, random: Random) -> dict[str, Any] | None:
    """The best mismatch of the side whose turn it is, once the match draws to its end; None before or without one."""
    if not state.closing:
        return None
    side = state.mover
    ways = []
    for position in POSITIONS:
        if may_play(state, side, position):
            for against in state.setup.opponents(side):
                attack = attack_dice(state, side, position) or USUAL_ATTACK
                defence = defence_dice(state, against, position) or USUAL_DEFENCE
                ways.append((mean_points(state.setup.dice_set, attack, defence), position, against, attack, defence))
    points, position, against, attack, defence = max(
        ways, key=lambda way: way[0], default=(Fraction(0), "", "", {}, {})
    )
    if not points:
        return None
    return {
        "event": "mismatch",
        "side": side,
        "position": position,
        "against": against,
        "attack": rolled(state.setup.dice_set, kinds_of(attack), random),
        "defence": rolled(state.setup.dice_set, kinds_of(defence), random),
    }
