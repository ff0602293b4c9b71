"""The part of NBA-1.2 that depends on the match: whether a side or a card exists and has the right kind."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.base import Refusal
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State


def invalid_field(field: str) -> Refusal:
    """Return the refusal of a value that a field cannot have."""
    return refusal("NBA-1.2", "value", field=field)


def check_side(state: State, side: str, field: str = "side") -> None:
    """Check that a side exists. Raises: Refusal."""
    if side not in state.setup.sides:
        raise invalid_field(field)


def known_player(state: State, id: str) -> PlayerCard:
    """Return the player card with that id. Raises: Refusal."""
    card = state.setup.cards.get(id)
    if not isinstance(card, PlayerCard):
        raise refusal("NBA-1.2", "player", card=id)
    return card


def known_tactic(state: State, id: str) -> TacticCard:
    """Return the tactic with that id. Raises: Refusal."""
    card = state.setup.cards.get(id)
    if not isinstance(card, TacticCard):
        raise refusal("NBA-1.2", "tactic", card=id)
    return card


def known_players(state: State, ids: Iterable[str]) -> tuple[PlayerCard, ...]:
    """Return the player cards with these ids. Raises: Refusal."""
    return tuple([known_player(state, id) for id in ids])


def known_tactics(state: State, ids: Iterable[str]) -> tuple[TacticCard, ...]:
    """Return the tactics with these ids. Raises: Refusal."""
    return tuple([known_tactic(state, id) for id in ids])
