"""The value of a defence against an attack, and the scoring of a pending attack when a turn opens (chapter 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.games.base import JsonObject
from companion.games.nba.dice_set import NbaFace
from companion.games.nba.state import State
from companion.games.nba.teams import LaidDice


@dataclass(frozen=True, slots=True)
class ScoredAttack:
    """The score of an attack against one opponent."""

    side: str
    against: str
    attack: int
    defence: int
    points: int

    def as_outcome(self) -> JsonObject:
        """Return the entry of `scored` in an outcome."""
        return {
            "side": self.side,
            "against": self.against,
            "attack": self.attack,
            "defence": self.defence,
            "points": self.points,
        }


def count_reason(die: NbaFace, attack: LaidDice | None) -> str:
    """Return why a defence die counts or not (NBA-5.2); `match` means that it counts."""
    if die.value == 0:
        return "blank"
    if attack is None:
        return "no_attack"
    return "match" if die.colour in attack.colours else "colour"


def counting_value(dice: Iterable[NbaFace], attack: LaidDice | None) -> int:
    """Return the sum of the defence dice that match an attack, pooled over the colours (NBA-5.3)."""
    if attack is None:
        return 0
    colours = attack.colours
    return sum([die.value for die in dice if die.colour in colours])


def stopped_points(state: State, side: str) -> dict[str, int]:
    """Return opponent → points that a side's defence subtracts from its pending attack."""
    defence = state.team(side).defence
    dice = defence.dice if defence else ()
    return {other: counting_value(dice, state.team(other).attack) for other in state.setup.opponents(side)}


def score_attack(state: State, side: str) -> tuple[State, tuple[ScoredAttack, ...]]:
    """Score a side's pending attack against every opponent at once (NBA-5.1, NBA-11.1). The dice stay."""
    attack = state.team(side).attack
    if attack is None:
        return state, ()
    scored = []
    for other in state.setup.opponents(side):
        defence = state.team(other).defence
        stopped = counting_value(defence.dice, attack) if defence else 0
        points = max(0, attack.value - stopped)
        scored.append(ScoredAttack(side, other, attack.value, stopped, points))
        state = replace(state, matches=state.with_points(side, other, points))
    return state, tuple(scored)


def clear_after_scoring(state: State, side: str) -> State:
    """Remove the dice that leave the zones once a side's turn has opened and been scored (NBA-5.4)."""
    both = len(state.teams) == 2
    teams = [
        replace(team, attack=None if team.side == side else team.attack, defence=None)
        if both or team.side == side
        else team
        for team in state.teams
    ]
    return replace(state, teams=tuple(teams))


def clear_all(state: State) -> State:
    """Remove all dice from the zones (NBA-8.4)."""
    return replace(state, teams=tuple([replace(team, attack=None, defence=None) for team in state.teams]))
