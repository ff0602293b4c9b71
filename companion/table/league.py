"""A league evening at one table: its matches and standings, computed from the headers and ends of its journals.

Nothing is stored besides the journals: each match names its league, its place in the plan and all clubs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from companion.games.base import Fields, JsonObject
from companion.games.catalogue import SquadClub
from companion.journal.database import LineDamaged
from companion.journal.ledger import InvalidLine
from companion.journal.store import StoredMatch
from companion.messages.tournament import standing_tables
from companion.messages.wire import StandingTable
from companion.table.matches import FOLLOWS, Matches
from companion.tournament import facts as fa
from companion.tournament import rules
from companion.tournament.headers import names, result, setup, sides
from companion.tournament.planning import stage_of
from companion.tournament.progress import Match as LeagueMatch
from companion.tournament.progress import progress_of
from companion.tournament.values import Plan, Stage

LEAGUE = "league"
"""Key of a header that holds the league of the match: `id`, `match`, and `clubs` with name and squad."""
LEAGUE_CLUBS = 4
"""Clubs of a league: they play six match days (FC-17.1)."""


@dataclass(frozen=True)
class LeagueEvening:
    """A league: its clubs in the order chosen, the tournament with the results so far, and its journals.

    `played` holds the newest journal of each match of the plan, finished or not.
    """

    id: str
    clubs: tuple[SquadClub, ...]
    state: fa.TournamentState
    played: Mapping[str, StoredMatch]
    newest: str | None = None
    """The id of the newest journal."""

    @property
    def days(self) -> tuple[tuple[LeagueMatch, ...], ...]:
        """Return the matches of each match day, in the order of play."""
        matches = progress_of(self.state).matches.values()
        return tuple(
            tuple(match for match in matches if match.round == day)
            for day in sorted({match.round for match in matches})
        )

    @property
    def next(self) -> LeagueMatch | None:
        """Return the next match to play, or None when all are over."""
        return next((match for day in self.days for match in day if not match.over), None)

    @property
    def standings(self) -> StandingTable:
        """Return the table (FC-17.3), the same as the hub's."""
        return standing_tables(self.state)[0]

    def name(self, entry: str | None) -> str:
        """Return the name of a club in the plan."""
        return self.state.entries[entry or ""].name

    def header(self, match: LeagueMatch) -> JsonObject:
        """Return the header fields of a match that the league decides."""
        squads = {side: dict(self._club(entry).squad) for side, entry in sides(self.state, match).items()}
        decided: JsonObject = {
            "sides": names(self.state, match),
            "setup": {**setup(self.state, match), "squads": squads},
            LEAGUE: {"id": self.id, "match": match.id, "clubs": [_club_fields(club) for club in self.clubs]},
        }
        return decided if self.newest is None else {**decided, FOLLOWS: self.newest}

    def _club(self, entry: str) -> SquadClub:
        return self.clubs[list(self.state.entries).index(entry)]


def new_league(game: str, clubs: Sequence[SquadClub]) -> LeagueEvening:
    """Return a league in which each pair of clubs meets twice, home and away (FC-17.1)."""
    return LeagueEvening(uuid4().hex, tuple(clubs), _initial_state(game, clubs), {})


def read_league(matches: Matches, id: str) -> LeagueEvening | None:
    """Return a league with its results so far, or None if no match of this table belongs to it."""
    stored = [match for match in matches.store.matches() if league_id(match.header) == id]
    if not stored:
        return None
    clubs = tuple(_read_club(fields) for fields in stored[0].header[LEAGUE]["clubs"])
    game, played = stored[0].game, {str(match.header[LEAGUE]["match"]): match for match in reversed(stored)}
    state = _initial_state(game, clubs)
    for plan_id, journal in played.items():
        found = _result(matches, state, plan_id, journal)
        if found is not None and rules.decide(state, found) is None:
            state = rules.apply(state, found)
    return LeagueEvening(id, clubs, state, played, stored[0].id)


def league_id(header: Fields) -> str | None:
    """Return the id of the league that a match belongs to, or None."""
    league = header.get(LEAGUE)
    id = league.get("id") if isinstance(league, Mapping) else None
    return id if isinstance(id, str) else None


def _result(matches: Matches, state: fa.TournamentState, plan_id: str, journal: StoredMatch) -> fa.Result | None:
    """Return the result of a finished match; a journal that cannot be replayed has none."""
    match = progress_of(state).matches.get(plan_id)
    if match is None or journal.ended is None:
        return None
    try:
        ledger = matches.store.resume(journal.id, matches.games).ledger
    except (InvalidLine, LineDamaged):
        return None
    return result(journal.game, ledger.game.view(ledger.state), match)


def _initial_state(game: str, clubs: Sequence[SquadClub]) -> fa.TournamentState:
    plan = Plan(LEAGUE, game, (stage_of(game, Stage("round_robin", legs=2)),))
    entered = [fa.Enter(f"e{at}", club.name, at) for at, club in enumerate(clubs, 1)]
    return rules.replay_facts(plan, [*entered, fa.Start()])


def _club_fields(club: SquadClub) -> JsonObject:
    return {"name": club.name, "squad": dict(club.squad)}


def _read_club(fields: Fields) -> SquadClub:
    return SquadClub(str(fields["name"]), fields["squad"])
