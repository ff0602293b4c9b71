"""Preparation of tactics on the board, and discards of prepared ones (NBA-6.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Outcome
from companion.games.nba import events as ev
from companion.games.nba.card_lookup import known_tactics
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State, with_step
from companion.games.nba.tables import MAX_PREPARED, TYPES


def remove_tactics(tactics: tuple[str, ...], removed: Iterable[str]) -> tuple[str, ...]:
    """Return a board without some tactics; of several copies the first one laid goes. Raises: ValueError."""
    left = list(tactics)
    for id in removed:
        left.remove(id)
    return tuple(left)


def check_prepare(state: State, event: ev.Prepare) -> None:
    """Check NBA-1.2, then NBA-8.4, then NBA-6.5. Raises: Refusal."""
    named = known_tactics(state, (*event.tactics, *event.discard))
    if state.ultimate and any(card.type == "offence" for card in named):
        raise refusal("NBA-8.4", "offence")
    board = state.team(state.active_side).prepared
    try:
        board = (*remove_tactics(board, event.discard), *event.tactics)
    except ValueError:
        raise refusal("NBA-6.5", "not_prepared") from None
    types = [state.setup.tactic(id).type for id in board]
    if any(types.count(type_) > MAX_PREPARED for type_ in TYPES):
        raise refusal("NBA-6.5", "too_many", most=MAX_PREPARED)


def apply_prepare(state: State, event: ev.Prepare) -> tuple[State, Outcome]:
    team = state.team(state.active_side)
    board = (*remove_tactics(team.prepared, event.discard), *event.tactics)
    state = with_step(state, replace(team, prepared=board), "prepare")
    return state, {"prepared": {type_: list(state.prepared(team.side, type_)) for type_ in TYPES}}
