"""The public `state` object of a match (chapter 16): printed by a replay and used by the hub and the screens."""

from __future__ import annotations

from dataclasses import asdict

from companion.games.base import JsonObject
from companion.games.hoops21 import inbounding, odds
from companion.games.hoops21.state import State, playable_symbols
from companion.games.hoops21.tables import SIDES


def view(state: State) -> JsonObject:
    """Return every key of chapter 16."""
    return {
        "phase": state.phase,
        "score": _by_side(state.score),
        "attack": state.attack,
        "pawn": state.pawn,
        "token": state.token,
        "dice_next": _by_side(state.dice_next),
        "waiting_for": list(waiting_for(state)),
        "choose": _choose(state),
        "free_throws": _free_throws(state),
        "inbound": _inbound(state),
        "winner": state.winner,
        "stats": {side: asdict(stats) for side, stats in zip(SIDES, state.stats, strict=True)},
        "odds": odds.odds_view(state),
    }


def waiting_for(state: State) -> tuple[str, ...]:
    """Return the sides that have dice to roll or something to decide."""
    if state.phase == "over":
        return ()
    if state.phase in ("tie", "reroll"):
        return (state.token_holder,)
    if state.phase == "choose" and state.contest is not None and state.contest.winner is not None:
        return (state.contest.winner,)
    if state.phase == "free_throw" and state.free_throws is not None:
        return (state.free_throws.team,)
    return SIDES


def _by_side(pair: tuple[int, int]) -> dict[str, int]:
    return dict(zip(SIDES, pair, strict=True))


def _choose(state: State) -> JsonObject | None:
    if state.phase != "choose" or state.contest is None or state.contest.winner is None:
        return None
    winner = state.contest.winner
    return {"team": winner, "symbols": list(playable_symbols(state.contest.counts_of(winner)))}


def _free_throws(state: State) -> JsonObject | None:
    shooting = state.free_throws
    return None if shooting is None else {"team": shooting.team, "number": shooting.number}


def _inbound(state: State) -> JsonObject | None:
    if state.set_aside is None:
        return None
    return {"team": state.attack, "set_aside": state.set_aside, "to_cross": inbounding.steps_to_half_line(state)}
