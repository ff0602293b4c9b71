"""What a side carries from one match to the next (13.1, 13.2): which cards it may keep, and the header that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.games.base import Fields, JsonObject
from companion.games.nba.cards import PlayerCard, TacticCard
from companion.games.nba.refusing import refusal
from companion.games.nba.setup import read_header
from companion.games.nba.state import State


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a side keeps after a match: at most one player card and one tactic, each in the place of a card of its deck.

    The places are card ids of the deck of twelve; they may be left out when the header does not list that deck.
    """

    player: str | None = None
    player_place: str | None = None
    tactic: str | None = None
    tactic_place: str | None = None


@dataclass(frozen=True, slots=True)
class Keepable:
    """The ids of the cards that a side may keep, in the order in which they were bought."""

    players: tuple[str, ...]
    tactics: tuple[str, ...]


def keepable(state: State, side: str, threshold: int) -> Keepable:
    """The cards that a side bought in this match and did not remove, of a cost not above the threshold."""
    team = state.team(side)
    cards = [state.setup.cards[id] for id in dict.fromkeys(team.bought) if id not in team.eliminated]
    cheap = [card for card in cards if card.cost <= threshold]
    return Keepable(
        tuple(card.id for card in cheap if isinstance(card, PlayerCard)),
        tuple(card.id for card in cheap if isinstance(card, TacticCard)),
    )


def places(header: Fields, side: str, key: Literal["bench", "tactics"]) -> tuple[str, ...]:
    """The cards of a side's deck that a kept player card or tactic may replace: those that it did not keep before."""
    setup = read_header(header)
    roster = setup.rosters.get(side)
    deck = roster and (roster.bench if key == "bench" else roster.tactics)
    kept = setup.legacy.kept.get(side, ()) if setup.legacy else ()
    return tuple(dict.fromkeys(id for id in deck or () if id not in kept))


def next_header(header: Fields, state: State, threshold: int, keeping: Mapping[str, Keeping]) -> JsonObject:
    """The header of the next stage, with what each side keeps. Raises `Refusal` by NBA-13.2.

    The player deck is shuffled anew, so a listed one is dropped; so are the personal markets.
    """
    setup: JsonObject = dict(header.get("setup", {}))
    before = state.setup.legacy
    kept = {side: list(ids) for side, ids in (before.kept if before else {}).items()}
    rosters = {side: dict(roster) for side, roster in setup.get("rosters", {}).items()}
    for side, keeps in keeping.items():
        may = keepable(state, side, threshold)
        for id, allowed, key, place in (
            (keeps.player, may.players, "bench", keeps.player_place),
            (keeps.tactic, may.tactics, "tactics", keeps.tactic_place),
        ):
            if id is None:
                continue
            if id not in allowed:
                raise refusal("NBA-13.2", "not_keepable", card=state.setup.cards[id].name, threshold=threshold)
            kept.setdefault(side, []).append(id)
            _take_place(rosters.get(side, {}), key, id, place, kept[side])
    for roster in rosters.values():
        roster.pop("mini", None)
    setup.pop("market_list", None)
    setup["legacy"] = {"stage": before.stage + 1 if before else 2, "threshold": threshold, "kept": kept}
    if rosters:
        setup["rosters"] = rosters
    return {**header, "setup": setup}


def _take_place(roster: JsonObject, key: str, id: str, place: str | None, kept: list[str]) -> None:
    deck = roster.get(key)
    if deck is None:
        return
    if place not in deck or place in kept:
        raise refusal("NBA-13.2", "place")
    at = deck.index(place)
    roster[key] = [*deck[:at], id, *deck[at + 1 :]]
