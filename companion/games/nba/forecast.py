"""Probabilities of this match's dice (14.3 to 14.5): odds of every prepared tactic, advice for the open roll."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import JsonObject
from companion.games.nba import rerolls
from companion.games.nba.cards import TacticCard
from companion.games.nba.dice_set import NbaDiceSet
from companion.games.nba.odds import (
    READINGS,
    Law,
    Pool,
    Reading,
    chances_at_least,
    counting_law,
    distribution,
    expected_total,
    scoring_law,
)
from companion.games.nba.reroll_advice import (
    FATIGUE_PRICE,
    DefenceAdvice,
    RollPart,
    defence_advice,
    offence_advice,
)
from companion.games.nba.state import State
from companion.games.nba.tables import OFFENCE, TURN_PHASES


def law(dice_set: NbaDiceSet, kind: str, colours: frozenset[str], reading: Reading = "even") -> Law:
    """Return the distribution of a die of a kind.

    In offence it counts its value, in defence what matches attacks of these colours.
    """
    faces = dice_set.of(kind)
    return scoring_law(faces) if kind in OFFENCE else counting_law(faces, colours, reading)


def pools(state: State, side: str, tactic: TacticCard, reading: Reading = "even") -> tuple[Pool, ...]:
    """Return the dice that a tactic would roll for a side now, against all attacks pending against it."""
    colours = state.pending_colours(side)
    sizes = state.roll_size(side, tactic)
    return tuple(
        [Pool(law(state.setup.dice_set, skill, colours, reading), sizes[skill], n) for skill, n in tactic.keep]
    )


def odds_view(state: State) -> JsonObject:
    """Return the key `odds_view` of the state (NBA-14.5)."""
    if not state.setup.full or state.phase not in TURN_PHASES or state.active is None:
        return {}
    tactics = [state.setup.tactic(id) for id in dict.fromkeys(state.team(state.active).prepared)]
    return {tactic.id: _tactic_odds(state, state.active, tactic) for tactic in tactics}


def is_usable(state: State, side: str, tactic: TacticCard) -> bool:
    """Return True if a prepared tactic may be activated in this turn (NBA-14.5)."""
    late = state.ultimate and tactic.type == "offence"
    return state.collective(side) >= tactic.complexity and tactic.type not in state.done and not late


def _tactic_odds(state: State, side: str, tactic: TacticCard) -> JsonObject:
    thrown = [pools(state, side, tactic, reading) for reading in READINGS]
    dice = state.roll_size(side, tactic)
    figures = _offence(thrown[0]) if tactic.type == "offence" else _defence(*thrown)
    return {"type": tactic.type, "dice": dice, "usable": is_usable(state, side, tactic), **figures}


def _offence(thrown: tuple[Pool, ...]) -> JsonObject:
    chances = [[total, str(chance)] for total, chance in distribution(thrown)]
    return {"expected": str(expected_total(thrown)), "distribution": chances}


def _defence(low: tuple[Pool, ...], even: tuple[Pool, ...], high: tuple[Pool, ...]) -> JsonObject:
    means = [str(expected_total(thrown)) for thrown in (low, even, high)]
    chances = [[total, str(rarely), str(often)] for total, rarely, often in chances_at_least(low, high)]
    return {**dict(zip(READINGS, means, strict=True)), "at_least": chances}


def roll_parts(state: State) -> tuple[RollPart, ...]:
    """Return the open roll by kind, for the advice. Only in phase `roll`."""
    roll = state.open_roll
    tactic = state.setup.tactic(roll.tactic)
    colours = state.pending_colours(state.active_side)
    dice_set = state.setup.dice_set
    found = []
    for skill, keep in tactic.keep:
        dice = [(index, roll.dice[index]) for index in roll.of_kind(skill)]
        values = [(index, die.value if skill in OFFENCE or die.colour in colours else 0) for index, die in dice]
        low, even, high = (law(dice_set, skill, colours, reading) for reading in READINGS)
        found.append(RollPart(keep, tuple(values), (low, even, high)))
    return tuple(found)


def advice_view(state: State) -> JsonObject | list[JsonObject] | None:
    """Return the key `advice_view` of the open roll: NBA-14.3 in offence, NBA-14.4 in defence; None if no roll is
    open."""
    if state.roll is None:
        return None
    again = rerolls.remaining(state)
    if state.setup.tactic(state.roll.tactic).type == "offence":
        best = offence_advice(roll_parts(state), again)
        return {"dice": list(best.dice), "expected": str(best.expected), "now": str(best.now)}
    return [
        {"dice": list(step.dice), "low": str(step.low), "even": str(step.even), "high": str(step.high)}
        for step in defence_advice(roll_parts(state), again)
    ]


def advised_reroll(state: State) -> tuple[int, ...]:
    """Return the dice to reroll: by NBA-14.3 in offence; in defence those that gain more than their fatigue costs."""
    left = rerolls.remaining(state)
    if state.setup.tactic(state.open_roll.tactic).type == "offence":
        return offence_advice(roll_parts(state), left).dice
    steps = defence_advice(roll_parts(state), left)
    return max(steps, key=lambda step: _net_gain(state, step)).dice


def most_useful_reroll(state: State) -> tuple[int, ...]:
    """Return the dice whose reroll pays best, even if their fatigue costs more than they gain; empty if none gains."""
    if best := advised_reroll(state):
        return best
    if state.setup.tactic(state.open_roll.tactic).type == "offence":
        return ()
    none, *steps = defence_advice(roll_parts(state), rerolls.remaining(state))
    gaining = [step for step in steps if step.even > none.even]
    return max(gaining, key=lambda step: _net_gain(state, step)).dice if gaining else ()


def _net_gain(state: State, step: DefenceAdvice) -> Fraction:
    """Return the mean that counts after a defence reroll, less the worth of its fatigue cards.

    With two sides no more than the attack scores can be taken off. Near the end a fatigue card costs nothing.
    """
    points = step.even
    if len(state.teams) == 2:
        attack = state.team(state.setup.opponents(state.active_side)[0]).attack
        points = min(points, Fraction(attack.value if attack else 0))
    price = Fraction(0) if state.closing else FATIGUE_PRICE
    return points - price * rerolls.fatigue_price(state, step.dice)
