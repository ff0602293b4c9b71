"""Each side's cards at the start of a match: court, deck of twelve, personal market (NBA-3.3, 3.4, 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Fields
from companion.games.nba.cards import Catalogue, PlayerCard, TacticCard
from companion.games.nba.refusals import refusal
from companion.games.nba.tables import (
    BASE_TACTIC_COUNT,
    BENCH,
    DECK,
    LEAST_BENCH,
    LEAST_TACTICS,
    MINI_MARKET_SIZE,
    POSITIONS,
)


@dataclass(frozen=True, slots=True)
class Roster:
    """The starting cards of one side.

    `court` is in the order of POSITIONS; `bench` and `tactics` are None if the header does not list them. A solo
    opponent's `tactics` are on its board (NBA-12.1).
    """

    court: tuple[str, ...]
    bench: tuple[str, ...] | None = None
    tactics: tuple[str, ...] | None = None
    mini: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Inputs of the check of one side's deck: the cards it kept (NBA-13.2), and whether it chose its team (NBA-9.2)."""

    side: str
    kept: tuple[str, ...]
    chosen: bool
    solo: bool

    @property
    def rule(self) -> str:
        return "NBA-9.2" if self.chosen else "NBA-3.4"


def read_roster(
    value: object, selection: Selection, cards: Catalogue, draft: bool, others: Mapping[str, Roster]
) -> Roster:
    """Read one side's roster. Raises: Refusal by NBA-3.3, then NBA-3.4 or NBA-9.2, then NBA-9.3."""
    if not isinstance(value, dict):
        raise refusal("NBA-3.3", "missing_side", side=selection.side)
    court = _court(value.get("court"), selection.side, cards)
    bench = _listed(value, "bench", PlayerCard, selection, cards)
    tactics = None if selection.solo else _listed(value, "tactics", TacticCard, selection, cards)
    if bench is not None and tactics is not None:
        _check_deck(court, bench, tactics, selection, cards)
    mini = _mini(value, selection.side, cards, draft, others)
    if selection.solo and isinstance(value.get("tactics"), list):
        tactics = tuple(value["tactics"])
    return Roster(court, bench, tactics, mini)


def check_courts(rosters: Mapping[str, Roster], cards: Catalogue) -> None:
    """Check that no NBA card is on two courts (NBA-3.3). Raises: Refusal."""
    seen: set[str] = set()
    for roster in rosters.values():
        unique = {id for id in roster.court if _is_nba(cards, id)}
        if seen & unique:
            raise refusal("NBA-3.3", "two_courts", card=min(seen & unique))
        seen |= unique


def check_mini_market(rosters: Mapping[str, Roster], market: tuple[str, ...] | None) -> None:
    """Check that no card of a personal market is in the common deck (NBA-9.3). Raises: Refusal."""
    for roster in rosters.values():
        if set(roster.mini) & set(market or ()):
            raise refusal("NBA-9.3", "in_market")


def _is_nba(cards: Catalogue, id: object) -> bool:
    card = cards.get(id) if isinstance(id, str) else None
    return isinstance(card, PlayerCard) and card.role == "nba"


def _court(value: object, side: str, cards: Catalogue) -> tuple[str, ...]:
    if not isinstance(value, dict) or value.keys() != set(POSITIONS):
        raise refusal("NBA-3.3", "positions", side=side)
    for position in POSITIONS:
        id = value[position]
        card = cards.get(id) if isinstance(id, str) else None
        if not isinstance(card, PlayerCard) or position not in card.positions:
            raise refusal("NBA-3.3", "position", side=side, card=str(id), position=position)
    court = tuple([value[position] for position in POSITIONS])
    if len(set(court)) < len(court):
        raise refusal("NBA-3.3", "twice", side=side)
    return court


def _listed(
    roster: Fields, key: str, kind: type[PlayerCard] | type[TacticCard], selection: Selection, cards: Catalogue
) -> tuple[str, ...] | None:
    value = roster.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(id, str) and isinstance(cards.get(id), kind) for id in value):
        raise refusal(selection.rule, f"unknown_{key}", side=selection.side)
    return tuple(value)


def _check_deck(
    court: Sequence[str], bench: Sequence[str], tactics: Sequence[str], selection: Selection, cards: Catalogue
) -> None:
    rule, side = selection.rule, selection.side
    if selection.chosen:
        enough = len(bench) >= LEAST_BENCH and len(tactics) >= LEAST_TACTICS and len(bench) + len(tactics) == DECK
    else:
        enough = len(bench) == BENCH and len(tactics) == BASE_TACTIC_COUNT
    if not enough:
        raise refusal(rule, "deck", side=side)
    if len(set(bench)) < len(bench) or set(bench) & set(court):
        raise refusal(rule, "bench_twice", side=side)
    for id in (*bench, *tactics):
        card = cards[id]
        allowed = card.role == "substitute" if isinstance(card, PlayerCard) else card.base
        if not allowed and id not in selection.kept:
            raise refusal(rule, "role", side=side, card=card.name)


def _mini(roster: Fields, side: str, cards: Catalogue, draft: bool, others: Mapping[str, Roster]) -> tuple[str, ...]:
    if "mini" not in roster:
        return ()
    value = roster["mini"]
    if not draft:
        raise refusal("NBA-9.3", "no_draft")
    if not isinstance(value, list) or len(value) != MINI_MARKET_SIZE or not all(_is_nba(cards, id) for id in value):
        raise refusal("NBA-9.3", "mini", side=side)
    taken = {id for other in others.values() for id in other.mini}
    if len(set(value)) < MINI_MARKET_SIZE or taken & set(value):
        raise refusal("NBA-9.3", "mini_twice", side=side)
    return tuple(value)
