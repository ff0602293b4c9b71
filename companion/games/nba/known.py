"""The part of NBA-1.2 that only the match can judge: whether a side or a card exists and is of the kind asked for."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.base import Refusal
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.refusing import refusal
from companion.games.nba.state import State


def wrong(field: str) -> Refusal:
    """The refusal of a value that a field cannot have."""
    return refusal("NBA-1.2", "value", field=field)


def check_side(state: State, side: str, field: str = "side") -> None:
    """Raises `Refusal` for an unknown side."""
    if side not in state.setup.sides:
        raise wrong(field)


def known_player(state: State, id: str) -> PlayerCard:
    """The player card of that id. Raises `Refusal`."""
    card = state.setup.cards.get(id)
    if not isinstance(card, PlayerCard):
        raise refusal("NBA-1.2", "player", card=id)
    return card


def known_tactic(state: State, id: str) -> TacticCard:
    """The tactic of that id. Raises `Refusal`."""
    card = state.setup.cards.get(id)
    if not isinstance(card, TacticCard):
        raise refusal("NBA-1.2", "tactic", card=id)
    return card


def known_players(state: State, ids: Iterable[str]) -> tuple[PlayerCard, ...]:
    """The player cards of these ids. Raises `Refusal`."""
    return tuple([known_player(state, id) for id in ids])


def known_tactics(state: State, ids: Iterable[str]) -> tuple[TacticCard, ...]:
    """The tactics of these ids. Raises `Refusal`."""
    return tuple([known_tactic(state, id) for id in ids])
