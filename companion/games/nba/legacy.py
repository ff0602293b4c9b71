"""What a side carries over to the next match (13.1, 13.2): the cards it may keep, and the next header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.games.base import Fields, JsonObject
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.refusals import refusal
from companion.games.nba.setup import read_header
from companion.games.nba.state import State


@dataclass(frozen=True, slots=True)
class KeptCards:
    """What a side keeps after a match: at most one player card and one tactic, each replacing a card of its deck.

    The replaced cards are ids of the deck of twelve; they may be omitted if the header does not list that deck.
    """

    player: str | None = None
    replaced_player: str | None = None
    tactic: str | None = None
    replaced_tactic: str | None = None


@dataclass(frozen=True, slots=True)
class KeepableCards:
    """The ids of the cards that a side may keep, in the order in which they were bought."""

    players: tuple[str, ...]
    tactics: tuple[str, ...]


def keepable(state: State, side: str, threshold: int) -> KeepableCards:
    """Return the cards that a side bought in this match and did not remove, with a cost of at most the threshold."""
    team = state.team(side)
    cards = [state.setup.cards[id] for id in dict.fromkeys(team.bought) if id not in team.eliminated]
    cheap = [card for card in cards if card.cost <= threshold]
    return KeepableCards(
        tuple(card.id for card in cheap if isinstance(card, PlayerCard)),
        tuple(card.id for card in cheap if isinstance(card, TacticCard)),
    )


def replaceable_cards(header: Fields, side: str, key: Literal["bench", "tactics"]) -> tuple[str, ...]:
    """Return the cards of a side's deck that a kept player card or tactic may replace: those it did not keep before."""
    setup = read_header(header)
    roster = setup.rosters.get(side)
    deck = roster and (roster.bench if key == "bench" else roster.tactics)
    kept = setup.legacy.kept.get(side, ()) if setup.legacy else ()
    return tuple(dict.fromkeys(id for id in deck or () if id not in kept))


def next_header(header: Fields, state: State, threshold: int, kept_cards: Mapping[str, KeptCards]) -> JsonObject:
    """Return the header of the next stage, with what each side keeps. Raises: Refusal by NBA-13.2.

    The player deck is shuffled again, so a listed deck is dropped; so are the personal markets.
    """
    setup: JsonObject = dict(header.get("setup", {}))
    before = state.setup.legacy
    kept = {side: list(ids) for side, ids in (before.kept if before else {}).items()}
    rosters = {side: dict(roster) for side, roster in setup.get("rosters", {}).items()}
    for side, choice in kept_cards.items():
        allowed_cards = keepable(state, side, threshold)
        for id, allowed, key, place in (
            (choice.player, allowed_cards.players, "bench", choice.replaced_player),
            (choice.tactic, allowed_cards.tactics, "tactics", choice.replaced_tactic),
        ):
            if id is None:
                continue
            if id not in allowed:
                raise refusal("NBA-13.2", "not_keepable", card=state.setup.cards[id].name, threshold=threshold)
            kept.setdefault(side, []).append(id)
            _replace_card(rosters.get(side, {}), key, id, place, kept[side])
    for roster in rosters.values():
        roster.pop("mini", None)
    setup.pop("market_list", None)
    setup["legacy"] = {"stage": before.stage + 1 if before else 2, "threshold": threshold, "kept": kept}
    if rosters:
        setup["rosters"] = rosters
    return {**header, "setup": setup}


def _replace_card(roster: JsonObject, key: str, id: str, place: str | None, kept: list[str]) -> None:
    deck = roster.get(key)
    if deck is None:
        return
    if place not in deck or place in kept:
        raise refusal("NBA-13.2", "place")
    at = deck.index(place)
    roster[key] = [*deck[:at], id, *deck[at + 1 :]]
