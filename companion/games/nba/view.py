"""The public `state` object of a match (section 15): printed by a replay and used by the hub and the screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.base import JsonObject
from companion.games.nba import forecast, rerolls, solo
from companion.games.nba.activation import dice_view
from companion.games.nba.scoring import count_reason, counting_value
from companion.games.nba.state import State
from companion.games.nba.tables import POSITIONS, SKILLS, TYPES
from companion.games.nba.teams import LaidDice, Team


def view(state: State) -> JsonObject:
    """Return every key of section 15."""
    setup, result = state.setup, state.result
    over = state.phase == "over"
    winner = result.winner if result else None
    return {
        "level": setup.level,
        "period": state.period,
        "turn": state.turn,
        "limit": state.limit,
        "turns_left": None if state.limit is None else state.limit - state.turn,
        "ultimate": state.ultimate,
        "phase": state.phase,
        "active": state.active,
        "first": state.first,
        "closing": state.closing,
        "money_time": state.money_time,
        "done": list(state.done),
        "score": {side: state.score(side) for side in setup.sides},
        "matches": [
            dict(zip(pair, points, strict=True)) for pair, points in zip(setup.pairs, state.matches, strict=True)
        ],
        "attack": _by_side(state, lambda team: _attack(team.attack)),
        "defence": _by_side(state, lambda team: _defence(state, team)),
        "roll": _roll(state),
        "odds": forecast.odds_view(state),
        "teams": _by_side(state, lambda team: _team(state, team)) if setup.full else {},
        "market": _market(state),
        "fatigue": {
            "pile": state.pile,
            "taken": _by_side(state, lambda team: team.taken),
            "removed": _by_side(state, lambda team: team.removed),
            "held": _by_side(state, lambda team: team.fatigue_held),
        },
        "bought": _by_side(state, lambda team: list(team.bought)),
        "eliminated": _by_side(state, lambda team: list(team.eliminated)),
        "tokens": _by_side(state, lambda team: list(team.tokens)),
        "ai": solo.view(state, rerolls.remaining(state) if state.roll else 0),
        "dice_set": {
            "id": setup.dice_set.id,
            "six_nine": setup.dice_set.six_nine,
            "unknown": setup.dice_set.unknown,
        },
        "over": over,
        "winner": winner,
        "draw": over and winner is None,
        "ranking": list(result.ranking) if result and result.ranking else None,
    }


def _by_side(state: State, read: Callable[[Team], Any]) -> JsonObject:
    """Return a value of each team, by its side."""
    return {team.side: read(team) for team in state.teams}


def _attack(attack: LaidDice | None) -> JsonObject | None:
    if attack is None:
        return None
    return {
        "dice": dice_view(attack.dice),
        "value": attack.value,
        "colours": sorted(attack.colours),
        "tactic": attack.tactic,
    }


def _defence(state: State, team: Team) -> JsonObject | None:
    """Return a team's defence, evaluated against the pending attacks."""
    defence = team.defence
    if defence is None:
        return None
    against = {}
    for other in state.setup.opponents(team.side):
        attack = state.team(other).attack
        reasons = [count_reason(die, attack) for die in defence.dice]
        against[other] = {
            "value": counting_value(defence.dice, attack),
            "counts": [reason == "match" for reason in reasons],
            "why": reasons,
        }
    return {"dice": dice_view(defence.dice), "tactic": defence.tactic, "against": against}


def _roll(state: State) -> JsonObject | None:
    roll = state.roll
    if roll is None:
        return None
    card = state.setup.tactic(roll.tactic)
    return {
        "tactic": roll.tactic,
        "type": card.type,
        "dice": dice_view(roll.dice),
        "keep": dict(card.keep),
        "rerolled": list(roll.rerolled),
        "rerolls": rerolls.remaining(state),
        "coach_reroll": rerolls.coach_die_remaining(state),
        "advice": forecast.advice_view(state),
    }


def _team(state: State, team: Team) -> JsonObject:
    side = team.side
    return {
        "court": dict(zip(POSITIONS, team.court, strict=True)),
        "skills": {skill: state.stat(side, skill) for skill in SKILLS},
        "dice": {skill: state.dice_count(side, skill) for skill in SKILLS},
        "collective": state.collective(side),
        "rebounds": state.rebounds(side),
        "rerolls": rerolls.rebound_rerolls(state, side),
        "prepared": {type_: list(state.prepared(side, type_)) for type_ in TYPES},
        "mini": list(team.mini),
    }


def _market(state: State) -> JsonObject:
    cards = state.setup.market_cards
    if state.period:
        left = (state.limit or 0) - state.turn
        return {"cards": cards, "deck": 0, "track": None, "on_track": left}
    if not state.setup.full:
        return {"cards": cards, "deck": state.deck, "track": None, "on_track": None}
    return {
        "cards": cards,
        "deck": state.deck,
        "track": list(state.track),
        "on_track": sum(card is not None for card in state.track),
    }
