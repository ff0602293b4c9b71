"""The hand that the sound player imagines: hands are hidden, so it draws one from the cards that a side owns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from companion.games.nba.cards import Card, PlayerCard, TacticCard
from companion.games.nba.state import State
from companion.games.nba.tables import HAND


@dataclass(frozen=True, slots=True)
class Hand:
    """Six cards, or as many as there are."""

    players: tuple[PlayerCard, ...]
    tactics: tuple[TacticCard, ...]


def hand(state: State, side: str) -> Hand:
    """The same cards all through a turn, as far as they have not been used: the order is drawn once a turn."""
    owned = sorted(_owned(state, side))
    order = Random(f"{side} {state.period} {state.turn} {state.ultimate}")
    drawn = sorted((order.random(), id) for id in owned)
    cards = [state.setup.card(id) for _, id in drawn[:HAND]]
    return Hand(
        tuple(card for card in cards if isinstance(card, PlayerCard)),
        tuple(card for card in cards if isinstance(card, TacticCard)),
    )


def _owned(state: State, side: str) -> list[str]:
    """The cards of a side that lie neither on its court nor on its board, and that may still be played."""
    setup, team = state.setup, state.team(side)
    roster = setup.rosters[side]
    bench = _substitutes(state) if roster.bench is None else roster.bench
    tactics = _base_tactics(state) if roster.tactics is None else roster.tactics
    gone = {id for each in state.teams for id in each.eliminated}
    elsewhere = {id for each in state.teams if each.side != side for id in each.court}
    owned = _without([*roster.court, *bench, *tactics, *team.bought], [*team.court, *team.prepared])
    unique = [id for id in owned if not _is_nba(state, id) or id not in elsewhere]
    return [id for id in unique if id not in gone]


def _substitutes(state: State) -> tuple[str, ...]:
    """The bench of a side whose cards the header does not name."""
    cards = state.setup.cards.values()
    return tuple(card.id for card in cards if isinstance(card, PlayerCard) and card.role == "substitute")


def _base_tactics(state: State) -> tuple[str, ...]:
    """The tactics of a side whose cards the header does not name."""
    return tuple(card.id for card in state.setup.cards.values() if isinstance(card, TacticCard) and card.base)


def _is_nba(state: State, id: str) -> bool:
    card = state.setup.card(id)
    return isinstance(card, PlayerCard) and card.role == "nba"


def _without(cards: Iterable[str], used: Iterable[str]) -> list[str]:
    left = list(cards)
    for id in used:
        if id in left:
            left.remove(id)
    return left


def payment(cards: Sequence[Card], cost: int) -> tuple[str, ...] | None:
    """The cards that pay a cost with the least value thrown away, of equal ones the fewest; None if it is too much."""
    ways = [
        (sum(card.value for card in chosen), count, tuple(card.id for card in chosen))
        for count in range(len(cards) + 1)
        for chosen in combinations(cards, count)
    ]
    enough = [way for way in ways if way[0] >= cost]
    return min(enough)[2] if enough else None
