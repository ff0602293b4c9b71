"""The NBA cards for a match: the shipped cards or the players' own, with starting teams."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from companion.games.base import Fields, Message
from companion.games.catalogue import SAMPLE_LANGUAGE, CardSource, CatalogueKind, Row, sample_names
from companion.games.nba.catalogues import PLAYERS, TACTICS, cards, row_of
from companion.games.nba.tables import POSITIONS
from companion.games.nba.team_builder import TeamRules, fill_positions, starters, suggest_team

SELECTION = TeamRules(selection=True)
"""The rules that ask least of a catalogue."""


@dataclass(frozen=True, slots=True)
class StartingTeam:
    """A starting team: `roster` is a side's entry in the header (NBA-3.3, NBA-3.4)."""

    id: str
    name: str
    roster: Fields = field(hash=False)


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards. `cards` is the header's catalogue: id → card (NBA-3.2).

    `shortages` are the reasons why the players' own cards make no team, so that these are the shipped ones.
    """

    cards: Mapping[str, Fields] = field(hash=False)
    teams: tuple[StartingTeam, ...]
    shortages: tuple[Message, ...] = ()

    def market(self, count: int | None = None) -> tuple[str, ...]:
        """Return the player cards for sale, cheapest first; with `count`, that many from the whole range of costs."""
        found = [id for id, card in self.cards.items() if card["kind"] == "player" and card.get("role") == "nba"]
        ordered = sorted(found, key=lambda id: (self.cards[id].get("cost", 0), id))
        if count is None or count >= len(ordered):
            return tuple(ordered)
        return tuple(ordered[place * len(ordered) // count] for place in range(count))


@cache
def sample_cards(language: str = SAMPLE_LANGUAGE) -> CardSet:
    """Return the shipped cards, named in a language; any two of the teams can play each other."""
    names = sample_names("nba", language)
    file = resources.files("companion.games.nba") / "cards.toml"
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    cards = {id: {**card, "name": names.get(card["name"], card["name"])} for id, card in read["cards"].items()}
    teams = tuple(
        StartingTeam(
            id, names.get(team["name"], team["name"]), {key: value for key, value in team.items() if key != "name"}
        )
        for id, team in read["teams"].items()
    )
    return CardSet(cards, teams)


def sample_rows(kind: CatalogueKind) -> Iterator[Row]:
    """Return the shipped cards of a catalogue."""
    wanted = "player" if kind is PLAYERS else "tactic"
    return (row_of(id, card) for id, card in sample_cards().cards.items() if card["kind"] == wanted)


def match_cards(own: CardSource) -> CardSet:
    """Return the players' own cards; the sample if they have none, or if their cards make no legal team."""
    if not own.is_own(PLAYERS) and not own.is_own(TACTICS):
        return sample_cards(own.language)
    found = {id: {"name": id, **card} for id, card in cards(own.rows(PLAYERS), own.rows(TACTICS)).items()}
    shortages = suggest_team(found, SELECTION).faults(found, SELECTION)
    if shortages:
        return replace(sample_cards(own.language), shortages=shortages)
    known = [team for team in sample_cards(own.language).teams if set(_ids(team.roster)) <= found.keys()]
    taken = {id for team in known for id in _ids(team.roster)}
    return CardSet(found, (*known, *_own_teams(found, taken)) or tuple(_own_teams(found, set())))


def carried_cards(
    cards: Mapping[str, Fields], rosters: Mapping[str, Fields], names: Mapping[str, str], language: str
) -> CardSet:
    """Return the cards of an earlier match, with the teams of its sides first; sample teams are named in a language."""
    carried = [StartingTeam(f"carried-{side}", names.get(side, side), roster) for side, roster in rosters.items()]
    known = [team for team in sample_cards(language).teams if set(_ids(team.roster)) <= cards.keys()]
    return CardSet(cards, (*carried, *known))


def _own_teams(found: Mapping[str, Fields], taken: set[str]) -> Iterator[StartingTeam]:
    """Yield a team for each five starters that no other team has; all teams share substitutes and base tactics."""
    left = [id for id in starters(found) if id not in taken]
    number = 1
    while len(court := fill_positions(found, left)) == len(POSITIONS):
        roster = suggest_team(found, TeamRules(), court).roster(TeamRules())
        yield StartingTeam(f"own-{number}", str(found[court[POSITIONS[0]]]["name"]), roster)
        left = [id for id in left if id not in court.values()]
        number += 1


def _ids(roster: Fields) -> Iterator[str]:
    """Yield every card that a roster names."""
    yield from roster.get("court", {}).values()
    for key in ("bench", "tactics"):
        yield from roster.get(key) or ()
