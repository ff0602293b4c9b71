"""A simple greedy player for both teams: it takes the best expected score by the exact odds, one roll ahead."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from random import Random

from companion.games.base import JsonObject
from companion.games.hoops21 import contests, free_throws, inbounding, odds, shots
from companion.games.hoops21.chart import choosing_side, winner_choices
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import (
    DICE,
    DUNK_POINTS,
    FREE_THROW_BALLS,
    PASS_LENGTH,
    SIDES,
    SYMBOLS,
    Side,
    opponent,
)

TOKEN_VALUE = Fraction(1, 4)
"""The value of the power token in points: about every third throw and every fifth shot is a tie."""
VICTORY_VALUE = Fraction(100)


def greedy_event(state: State, random: Random, sides: Collection[str] = SIDES) -> JsonObject:
    """Return the best event by the odds; dice are random. In the race, one of these sides throws."""
    if state.phase == "choose":
        winner = choosing_side(state)
        return max(winner_choices(state), key=lambda event: expected_lead(state_after(state, event), winner))
    if state.phase in ("tie", "reroll"):
        return _token_event(state, random)
    if state.phase == "shot":
        return {"event": "step_back"} if _better_outside(state) else _throw_of_both(state, random)
    if state.phase == "free_throw":
        return {"event": "free_throw", free_throws.current_free_throws(state).team: _dice(state, random)}
    if state.phase == "inbound":
        attack, _ = state.attack_and_pawn
        team = random.choice([side for side in (attack, opponent(attack)) if side in sides])
        return {"event": "inbound_throw", "team": team, "dice": _dice(state, random, inbounding.dice_due(state, team))}
    return _throw_of_both(state, random)


def state_after(state: State, fields: JsonObject) -> State:
    """Return the state after a legal event."""
    return RULEBOOK.apply(state, RULEBOOK.parse(fields))[0]


def _dice(state: State, random: Random, count: int = DICE) -> list[str]:
    """Return random dice, by the faces of the setup."""
    return random.choices(SYMBOLS, weights=state.setup.faces, k=count)


def _throw_of_both(state: State, random: Random) -> JsonObject:
    """Return the dice that both teams roll in this phase."""
    orange, white = state.dice_next
    return {"event": state.phase, "orange": _dice(state, random, orange), "white": _dice(state, random, white)}


def _throw_again(state: State, random: Random, keep: tuple[int, ...]) -> JsonObject:
    """Return a reroll of all the holder's dice but the kept ones.

    `team` is not in the rules: it tells whose dice they are.
    """
    again = sum(state.open_contest.counts_of(state.token_holder)) - sum(keep)
    rolled = _dice(state, random, again)
    return {"event": "reroll", "team": state.token_holder, "kept": odds.symbol_list(keep), "rolled": rolled}


def expected_lead(state: State, side: Side) -> Fraction:
    """Return a side's lead in points, including the expected points of the next roll."""
    return _expected_orange_lead(state) if side == "orange" else -_expected_orange_lead(state)


def _expected_orange_lead(state: State) -> Fraction:
    if state.winner is not None:
        return VICTORY_VALUE if state.winner == "orange" else -VICTORY_VALUE
    orange, white = state.score
    token_value = TOKEN_VALUE if state.token == "orange" else -TOKEN_VALUE
    gains = _expected_points(state)
    return orange - white + token_value + gains[0] - gains[1]


def _expected_points(state: State) -> tuple[Fraction, Fraction]:
    """Return the points that (orange, white) may expect of the next roll."""
    nothing = Fraction(0)
    side, gain = state.attack, nothing
    if state.phase == "free_throw":
        shooting = free_throws.current_free_throws(state)
        made = odds.free_throw_chance(state.setup.faces)
        side, gain = shooting.team, made * (2 - shooting.number) * made + made
    elif state.phase == "shot":
        gain = _shot(state)
    elif state.phase == "throw" and state.attack is not None:
        chances = odds.throw_odds(state.setup.faces, state.dice_next)
        gain = _attack(state) * (chances[state.attack] + (chances["tie"] if state.token == state.attack else 0))
    elif state.phase == "inbound" and state.attack is not None:
        over_the_line = replace(
            state, phase="throw", pawn=state.setup.court.beyond_half_line(state.attack), set_aside=None
        )
        crossed = odds.race_odds(state.setup.faces, inbounding.steps_to_half_line(state), state.set_aside or 0)[
            "crossed"
        ]
        gain = crossed * sum(_expected_points(over_the_line))
    return (gain, nothing) if side == "orange" else (nothing, gain)


def _attack(state: State) -> Fraction:
    """Return the attack's gain from a throw that it wins: a dunk close to the basket, a shot elsewhere."""
    close = Fraction(DUNK_POINTS) if state.distance <= PASS_LENGTH else Fraction(0)
    return max(close, _shot(state))


def _shot(state: State) -> Fraction:
    """Return the expected points of a shot, from outside the arc if that is better."""
    here = odds.expected_points(state, state.distance)
    return max(here, odds.expected_points(state, state.setup.court.arc + 1)) if shots.is_inside_arc(state) else here


def _better_outside(state: State) -> bool:
    return shots.is_inside_arc(state) and _shot(state) > odds.expected_points(state, state.distance)


def _token_event(state: State, random: Random) -> JsonObject:
    """Return what gives the holder the largest lead: win the tie, keep the token, or reroll."""
    holder = state.token_holder
    if state.phase == "tie":
        options: list[JsonObject] = [{"event": "token", "use": True}, {"event": "token", "use": False}]
    else:
        options = [{"event": "stand"}]
    best = max(options, key=lambda event: _lead_after_choice(state_after(state, event), holder))
    if state.setup.advanced and _lead_after_reroll(state, holder) > _lead_after_choice(
        state_after(state, best), holder
    ):
        return _throw_again(state, random, odds.best_reroll(state).keep)
    return best


def _lead_after_choice(state: State, side: Side) -> Fraction:
    """Return a side's lead after the best open choice of the side that chooses."""
    if state.phase != "choose":
        return expected_lead(state, side)
    winner = choosing_side(state)
    best = max(expected_lead(state_after(state, event), winner) for event in winner_choices(state))
    return best if winner == side else -best


def _lead_after_reroll(state: State, side: Side) -> Fraction:
    """Return the holder's mean lead after the best reroll of its current dice."""
    chance = odds.best_reroll(state).win
    spent = replace(state, token=opponent(side))
    contest = state.open_contest
    if contest.kind == "free_throw":
        good, bad = (free_throws.resolve_free_throw(spent, (balls, 0, 0, 0))[0] for balls in (FREE_THROW_BALLS, 0))
    else:
        good, bad = (contests.resolve_contest(spent, contest, winner)[0] for winner in (side, opponent(side)))
    return chance * _lead_after_choice(good, side) + (1 - chance) * _lead_after_choice(bad, side)
