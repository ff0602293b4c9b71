"""Clubs and players over the finished matches of this table: results, luck, people. Counted little by little.

A match is counted once and kept in memory until its journal grows; a list of it all is then a matter of adding up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.base import Chances, Game, Refusal
from companion.journal.ledger import Ledger
from companion.journal.store import MatchSummary, Store
from companion.journal.store_errors import LineDamaged
from companion.table.line_ups import person
from companion.table.result import score_of, winner_of
from companion.table.tally import Measure, Share, Tally


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match as counted: names, points and winner by side, and what its journal comes to."""

    match_id: str
    game_id: str
    at: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    winner: str | None
    tally: Tally
    people: Mapping[tuple[str, str], str]
    """What the players of the tally are called, by the name of their side and their id."""
    goals: Counter[tuple[str, str]]


@dataclass(slots=True)
class ClubRecord:
    """A club, team or player of the table by the name they gave, in one game."""

    game_id: str
    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    against: int = 0
    luck: dict[str, Measure] = field(default_factory=dict)
    matches: list[Played] = field(default_factory=list)
    """The newest first."""


@dataclass(slots=True)
class PersonRecord:
    """A player on a card: of which club, in how many matches, goals where the game names who scored, luck."""

    game_id: str
    name: str
    club: str
    matches: int = 0
    goals: int = 0
    luck: dict[str, Measure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """So many matches of so many are counted."""

    done: int
    of: int


class History:
    """Over one store. `counting` works; `clubs` and `people` tell what has been counted so far."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any, Any]], chances: Mapping[str, Chances]) -> None:
        self._store, self._games, self._chances = store, games, chances
        self._played: dict[tuple[str, int], Played | None] = {}
        self._listed: tuple[tuple[str, int], ...] = ()

    def counting(self) -> Iterator[Progress]:
        """Counts what is new, a few milliseconds a step. Matches whose journal breaks a rule are left out."""
        found = [match for match in self._store.matches() if match.ended is not None and match.game in self._games]
        self._listed = tuple((match.id, match.lines) for match in found)
        for done, match in enumerate(found):
            key = (match.id, match.lines)
            if key not in self._played:
                yield Progress(done, len(found))
                for made in self._counted(match):
                    if made is None:
                        yield Progress(done, len(found))
                    else:
                        self._played[key] = made
                self._played.setdefault(key, None)
        yield Progress(len(found), len(found))

    def games(self) -> tuple[str, ...]:
        """The games of which something is counted, in the order in which this program names them."""
        known = {played.game_id for played in self._all(None)}
        return tuple(id for id in self._games if id in known)

    def clubs(self, game_id: str | None = None) -> tuple[ClubRecord, ...]:
        """Every name that played, of one game or all: most matches first, then most won."""
        found: dict[tuple[str, str], ClubRecord] = {}
        for played in self._all(game_id):
            for side, name in played.names.items():
                record = found.setdefault((played.game_id, name), ClubRecord(played.game_id, name))
                _add_match(record, played, side)
        return tuple(sorted(found.values(), key=lambda one: (-len(one.matches), -one.won, one.name)))

    def people(self, game_id: str | None = None) -> tuple[PersonRecord, ...]:
        """Every player on a card whom a fact or a throw names: most goals first, then most matches."""
        found: dict[tuple[str, str, str], PersonRecord] = {}
        for played in self._all(game_id):
            for (club, id), name in played.people.items():
                key = (played.game_id, club, name)
                record = found.setdefault(key, PersonRecord(played.game_id, name, club))
                record.matches += 1
                record.goals += played.goals[club, id]
                _add_luck(record.luck, played.tally.players.get((club, id), Share()))
        return tuple(sorted(found.values(), key=lambda one: (-one.goals, -one.matches, one.name)))

    def _all(self, game_id: str | None) -> list[Played]:
        known = (self._played.get(key) for key in self._listed)
        return [played for played in known if played is not None and game_id in (None, played.game_id)]

    def _counted(self, match: MatchSummary) -> Iterator[Played | None]:
        """None after each step, the match at the end; nothing at the end for a journal that cannot be played whole."""
        game = self._games[match.game]
        try:
            ledger = Ledger(game, match.header)
            for entry in self._store.entries(match.id):
                ledger.commit(ledger.propose(entry.fields, entry.line))
                yield None
        except (Refusal, LineDamaged):
            return
        counted = Tally()
        for _ in counted.adding(ledger, self._chances[match.game]):
            yield None
        names = {id: str(side["name"]) for id, side in match.header["sides"].items()}
        yield Played(
            match_id=match.id,
            game_id=match.game,
            at=match.created.isoformat(),
            names=names,
            score=score_of(game, ledger.state),
            winner=winner_of(game, ledger.state),
            tally=counted,
            people=_people(match.game, ledger.state, names, counted),
            goals=_goals(game, ledger.state, names),
        )


def _people(game_id: str, state: Any, names: Mapping[str, str], counted: Tally) -> dict[tuple[str, str], str]:
    sides = {name: side for side, name in names.items()}
    return {(club, id): person(game_id, state, sides[club], id) for club, id in counted.players}


def _goals(game: Game[Any, Any], state: Any, names: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Goals whose scorer the game knows."""
    goals = game.view(state).get("goals") or []
    return Counter((names[goal["side"]], goal["player"]) for goal in goals if goal.get("player"))


def _add_match(record: ClubRecord, played: Played, side: str) -> None:
    record.matches.append(played)
    own = played.score.get(side, 0)
    record.points += own
    record.against += sum(points for other, points in played.score.items() if other != side)
    if played.winner is None:
        record.drawn += 1
    elif played.winner == side:
        record.won += 1
    else:
        record.lost += 1
    _add_luck(record.luck, played.tally.sides[record.name])


def _add_luck(sums: dict[str, Measure], share: Share) -> None:
    for what, measure in share.luck.items():
        total = sums.setdefault(what, Measure())
        total.tries += measure.tries
        total.got += measure.got
        total.expected += measure.expected
