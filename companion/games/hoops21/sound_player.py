"""A simple sound player for both teams: takes what leads to the best score by the exact odds, one throw ahead."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from companion.games.base import JsonObject
from companion.games.hoops21 import contests, free_throws, inbounding, odds, shots
from companion.games.hoops21.chart import choices, chooser
from companion.games.hoops21.rulebook import RULEBOOK
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import DICE, DUNK, FREE_THROW_BALLS, PASS_LENGTH, SYMBOLS, Side, other

TOKEN = Fraction(1, 4)
"""What holding the power token is worth, in points: about every third throw and every fifth shot is a tie."""
VICTORY = Fraction(100)


def sound_event(state: State, random: Random) -> JsonObject:
    """The best event by the odds; dice fall by chance."""
    if state.phase == "choose":
        winner = chooser(state)
        return max(choices(state), key=lambda event: lead(after(state, event), winner))
    if state.phase in ("tie", "reroll"):
        return _token(state, random)
    if state.phase == "shot":
        return {"event": "step_back"} if _better_outside(state) else _throw_of_both(state, random)
    if state.phase == "free_throw":
        return {"event": "free_throw", free_throws.under_way(state).team: _dice(state, random)}
    if state.phase == "inbound":
        attack, _ = state.on_court
        team = random.choice((attack, other(attack)))
        return {"event": "inbound_throw", "team": team, "dice": _dice(state, random, inbounding.due(state, team))}
    return _throw_of_both(state, random)


def after(state: State, fields: JsonObject) -> State:
    """The situation after an event that is legal."""
    return RULEBOOK.apply(state, RULEBOOK.parse(fields))[0]


def _dice(state: State, random: Random, count: int = DICE) -> list[str]:
    """Dice as they fall, by the faces of the setup."""
    return random.choices(SYMBOLS, weights=state.setup.faces, k=count)


def _throw_of_both(state: State, random: Random) -> JsonObject:
    """The dice that both teams throw in this phase."""
    orange, white = state.dice_next
    return {"event": state.phase, "orange": _dice(state, random, orange), "white": _dice(state, random, white)}


def _throw_again(state: State, random: Random, keep: tuple[int, ...]) -> JsonObject:
    """The holder throws again all dice but these. `team` is no field of the rules: it tells whose dice they are."""
    again = sum(state.lying.of(state.holder)) - sum(keep)
    rolled = _dice(state, random, again)
    return {"event": "reroll", "team": state.holder, "kept": odds.spelled(keep), "rolled": rolled}


def lead(state: State, side: Side) -> Fraction:
    """How far ahead a side is, in points, with what it may expect of the next throw."""
    return _orange_lead(state) if side == "orange" else -_orange_lead(state)


def _orange_lead(state: State) -> Fraction:
    if state.winner is not None:
        return VICTORY if state.winner == "orange" else -VICTORY
    orange, white = state.score
    held = TOKEN if state.token == "orange" else -TOKEN
    gains = _expected(state)
    return orange - white + held + gains[0] - gains[1]


def _expected(state: State) -> tuple[Fraction, Fraction]:
    """Points that (orange, white) may expect of the next throw."""
    nothing = Fraction(0)
    side, gain = state.attack, nothing
    if state.phase == "free_throw":
        shooting = free_throws.under_way(state)
        made = odds.free_throw(state.setup.faces)
        side, gain = shooting.team, made * (2 - shooting.number) * made + made
    elif state.phase == "shot":
        gain = _shot(state)
    elif state.phase == "throw" and state.attack is not None:
        chances = odds.throw(state.setup.faces, state.dice_next)
        gain = _attack(state) * (chances[state.attack] + (chances["tie"] if state.token == state.attack else 0))
    elif state.phase == "inbound" and state.attack is not None:
        over_the_line = replace(state, phase="throw", pawn=state.setup.court.beyond(state.attack), set_aside=None)
        crossed = odds.race(state.setup.faces, inbounding.to_cross(state), state.set_aside or 0)["crossed"]
        gain = crossed * sum(_expected(over_the_line))
    return (gain, nothing) if side == "orange" else (nothing, gain)


def _attack(state: State) -> Fraction:
    """What the attack gains by a throw that it wins: a dunk close to the basket, a shot elsewhere."""
    close = Fraction(DUNK) if state.distance <= PASS_LENGTH else Fraction(0)
    return max(close, _shot(state))


def _shot(state: State) -> Fraction:
    """Expected points of a shot, from outside the arc if that is better."""
    here = odds.expected_points(state, state.distance)
    return max(here, odds.expected_points(state, state.setup.court.arc + 1)) if shots.inside(state) else here


def _better_outside(state: State) -> bool:
    return shots.inside(state) and _shot(state) > odds.expected_points(state, state.distance)


def _token(state: State, random: Random) -> JsonObject:
    """Wins a tie, keeps the token or throws again: what leaves the holder furthest ahead."""
    holder = state.holder
    if state.phase == "tie":
        options: list[JsonObject] = [{"event": "token", "use": True}, {"event": "token", "use": False}]
    else:
        options = [{"event": "stand"}]
    best = max(options, key=lambda event: _settled(after(state, event), holder))
    if state.setup.advanced and _reroll(state, holder) > _settled(after(state, best), holder):
        return _throw_again(state, random, odds.best_reroll(state).keep)
    return best


def _settled(state: State, side: Side) -> Fraction:
    """How far ahead a side is once a choice that is still open is made by whoever makes it."""
    if state.phase != "choose":
        return lead(state, side)
    winner = chooser(state)
    best = max(lead(after(state, event), winner) for event in choices(state))
    return best if winner == side else -best


def _reroll(state: State, side: Side) -> Fraction:
    """How far ahead the holder is on average after the best reroll, its dice taken for those that lie there now."""
    chance = odds.best_reroll(state).win
    spent = replace(state, token=other(side))
    contest = state.lying
    if contest.kind == "free_throw":
        good, bad = (free_throws.decided(spent, (balls, 0, 0, 0))[0] for balls in (FREE_THROW_BALLS, 0))
    else:
        good, bad = (contests.decided(spent, contest, winner)[0] for winner in (side, other(side)))
    return chance * _settled(good, side) + (1 - chance) * _settled(bad, side)
