"""The NBA cards for a match: the shipped cards or the players' own, with starting teams."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from companion.games.base import Fields
from companion.games.catalogue import CardSource, CatalogueKind, Row
from companion.games.nba.catalogues import PLAYERS, TACTICS, cards, row_of
from companion.games.nba.tables import BASE_TACTIC_COUNT, BENCH, POSITIONS


@dataclass(frozen=True, slots=True)
class StartingTeam:
    """A starting team: `roster` is a side's entry in the header (NBA-3.3, NBA-3.4)."""

    id: str
    name: str
    roster: Fields = field(hash=False)


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards. `cards` is the header's catalogue: id → card (NBA-3.2)."""

    cards: Mapping[str, Fields] = field(hash=False)
    teams: tuple[StartingTeam, ...]

    def market(self, count: int | None = None) -> tuple[str, ...]:
        """Return the player cards for sale, cheapest first; with `count`, that many from the whole range of costs."""
        found = [id for id, card in self.cards.items() if card["kind"] == "player" and card.get("role") == "nba"]
        ordered = sorted(found, key=lambda id: (self.cards[id].get("cost", 0), id))
        if count is None or count >= len(ordered):
            return tuple(ordered)
        return tuple(ordered[place * len(ordered) // count] for place in range(count))


@cache
def sample_cards() -> CardSet:
    """Return the shipped cards; any two of the teams can play each other."""
    file = resources.files("companion.games.nba") / "cards.toml"
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    teams = tuple(
        StartingTeam(id, team["name"], {key: value for key, value in team.items() if key != "name"})
        for id, team in read["teams"].items()
    )
    return CardSet(read["cards"], teams)


def sample_rows(kind: CatalogueKind) -> Iterator[Row]:
    """Return the shipped cards of a catalogue."""
    wanted = "player" if kind is PLAYERS else "tactic"
    return (row_of(id, card) for id, card in sample_cards().cards.items() if card["kind"] == wanted)


MIN_TEAMS = 2


def match_cards(own: CardSource) -> CardSet:
    """Return the players' own cards; the sample if they have none, or too few for two teams."""
    if not own.is_own(PLAYERS) and not own.is_own(TACTICS):
        return sample_cards()
    found = {id: {"name": id, **card} for id, card in cards(own.rows(PLAYERS), own.rows(TACTICS)).items()}
    known = [team for team in sample_cards().teams if set(_ids(team.roster)) <= found.keys()]
    teams = (*known, *_made(found, {id for team in known for id in _ids(team.roster)}))
    return CardSet(found, teams) if len(teams) >= MIN_TEAMS else sample_cards()


def _made(found: Mapping[str, Fields], taken: set[str]) -> Iterator[StartingTeam]:
    """Yield a team for each five starters that no other team has; all teams share substitutes and base tactics."""
    starters = {position: _of(found, "starter", position, taken) for position in POSITIONS}
    bench = _of(found, "substitute")[:BENCH]
    tactics = [id for id, card in found.items() if card["kind"] == "tactic" and card.get("base")]
    if len(bench) < BENCH or not tactics:
        return
    deck = {"bench": bench, "tactics": (tactics * BASE_TACTIC_COUNT)[:BASE_TACTIC_COUNT]}
    for number, five in enumerate(zip(*starters.values(), strict=False), 1):
        court = dict(zip(POSITIONS, five, strict=True))
        if len(set(five)) == len(five):
            yield StartingTeam(f"own-{number}", str(found[five[0]]["name"]), {"court": court, **deck})


def _of(
    found: Mapping[str, Fields], role: str, position: str | None = None, taken: set[str] | None = None
) -> list[str]:
    """Return the players of a role, optionally at one position."""
    return [
        id
        for id, card in found.items()
        if card["kind"] == "player"
        and card.get("role", "nba") == role
        and (position is None or position in card["positions"])
        and id not in (taken or ())
    ]


def _ids(roster: Fields) -> Iterator[str]:
    """Yield every card that a roster names."""
    yield from roster.get("court", {}).values()
    for key in ("bench", "tactics"):
        yield from roster.get(key) or ()
