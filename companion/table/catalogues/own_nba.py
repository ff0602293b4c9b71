"""NBA's cards for a match: the players' own where they have them, with starting teams made of what there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.nba.tables import BASE_TACTICS, BENCH, POSITIONS
from companion.table.catalogues.nba import PLAYERS, TACTICS, cards
from companion.table.catalogues.shelf import Shelf
from companion.table.nba_cards import CardSet, StartingTeam, sample_cards

LEAST_TEAMS = 2


def nba_cards(shelf: Shelf) -> CardSet:
    """The sample while nothing is the players' own, or too little for two teams. Raises ShelfTrouble."""
    if not shelf.is_own(PLAYERS) and not shelf.is_own(TACTICS):
        return sample_cards()
    found = {id: {"name": id, **card} for id, card in cards(shelf.load(PLAYERS).rows, shelf.load(TACTICS).rows).items()}
    known = [team for team in sample_cards().teams if set(_ids(team.roster)) <= found.keys()]
    teams = (*known, *_made(found, {id for team in known for id in _ids(team.roster)}))
    return CardSet(found, teams) if len(teams) >= LEAST_TEAMS else sample_cards()


def _made(found: Mapping[str, Mapping[str, Any]], taken: set[str]) -> Iterator[StartingTeam]:
    """A team for each five starters that no other team has; substitutes and base tactics serve all of them."""
    starters = {position: _of(found, "starter", position, taken) for position in POSITIONS}
    bench = _of(found, "substitute")[:BENCH]
    tactics = [id for id, card in found.items() if card["kind"] == "tactic" and card.get("base")]
    if len(bench) < BENCH or not tactics:
        return
    deck = {"bench": bench, "tactics": (tactics * BASE_TACTICS)[:BASE_TACTICS]}
    for number, five in enumerate(zip(*starters.values(), strict=False), 1):
        court = dict(zip(POSITIONS, five, strict=True))
        if len(set(five)) == len(five):
            yield StartingTeam(f"own-{number}", str(found[five[0]]["name"]), {"court": court, **deck})


def _of(
    found: Mapping[str, Mapping[str, Any]], role: str, position: str | None = None, taken: set[str] | None = None
) -> list[str]:
    """The players of a role, at a position if one is named."""
    return [
        id
        for id, card in found.items()
        if card["kind"] == "player"
        and card.get("role", "nba") == role
        and (position is None or position in card["positions"])
        and id not in (taken or ())
    ]


def _ids(roster: Mapping[str, Any]) -> Iterator[str]:
    """Every card that a roster names."""
    yield from roster.get("court", {}).values()
    for key in ("bench", "tactics"):
        yield from roster.get(key) or ()
