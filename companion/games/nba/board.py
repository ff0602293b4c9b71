"""Preparing tactics on the board and throwing prepared ones away (NBA-6.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.known import known_tactics
from companion.games.nba.refusing import refusal
from companion.games.nba.state import State, moved
from companion.games.nba.tables import MOST_PREPARED, TYPES


def without(tactics: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    """The tactics on a board without some of them; of several copies the one laid first goes. Raises ValueError."""
    left = list(tactics)
    for id in gone:
        left.remove(id)
    return tuple(left)


def check_prepare(state: State, event: ev.Prepare) -> None:
    """NBA-1.2, then NBA-8.4, then NBA-6.5."""
    named = known_tactics(state, (*event.tactics, *event.discard))
    if state.ultimate and any(card.type == "offence" for card in named):
        raise refusal("NBA-8.4", "offence")
    board = state.team(state.mover).prepared
    try:
        board = (*without(board, event.discard), *event.tactics)
    except ValueError:
        raise refusal("NBA-6.5", "not_prepared") from None
    types = [state.setup.tactic(id).type for id in board]
    if any(types.count(type_) > MOST_PREPARED for type_ in TYPES):
        raise refusal("NBA-6.5", "too_many", most=MOST_PREPARED)


def apply_prepare(state: State, event: ev.Prepare) -> tuple[State, Outcome]:
    team = state.team(state.mover)
    board = (*without(team.prepared, event.discard), *event.tactics)
    state = moved(state, replace(team, prepared=board), "prepare")
    return state, {"prepared": {type_: list(state.prepared(team.side, type_)) for type_ in TYPES}}
