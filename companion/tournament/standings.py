"""The standings of a stage or a group, used both by the pages and by the pairings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.spec import Points
from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, UNPLAYED, Side


@dataclass(frozen=True, slots=True)
class CountedMatch:
    """A match that counts in the standings.

    `away` is `NOBODY` in a bye; `by` names an ending without play (`values.UNPLAYED`).
    """

    home: str
    away: str
    score: tuple[int, int]
    winner: Side | None
    by: str = ""

    def outcome(self, entry: str) -> int:
        """Return 2 for a win, 1 for a draw, 0 for a defeat. Both sides of a double forfeit get 0."""
        if self.by == DOUBLE_FORFEIT:
            return 0
        if self.winner is None:
            return 1
        return 2 * (self.winner == ("home" if entry == self.home else "away"))

    def scored(self, entry: str) -> int:
        """Return the entry's score."""
        return self.score[entry != self.home]

    def conceded(self, entry: str) -> int:
        """Return the opponent's score."""
        return self.score[entry == self.home]

    def opponent(self, entry: str) -> str:
        """Return the opponent."""
        return self.away if entry == self.home else self.home


@dataclass(frozen=True, slots=True)
class PointsLedger:
    """Input of the standings: each entry's matches, the point values, and the number of rounds."""

    games: Mapping[str, tuple[CountedMatch, ...]]
    points: Points
    rounds: int

    def points_of(self, entry: str) -> int:
        """Return the points of an entry."""
        return sum(self.points_for(entry, game) for game in self.games[entry])

    def points_for(self, entry: str, game: CountedMatch) -> int:
        """Return the points that a match gives an entry."""
        if game.by == BYE:
            return self.points.bye
        if game.by == DOUBLE_FORFEIT:
            return 0
        return (self.points.loss, self.points.draw, self.points.win)[game.outcome(entry)]

    def among(self, entry: str, level: frozenset[str]) -> list[CountedMatch]:
        """Return the entry's matches against others in the same level group."""
        return [game for game in self.games[entry] if game.opponent(entry) in level]


Criterion = Callable[[PointsLedger, str, frozenset[str]], int]
"""Function that returns an entry's value of a criterion, given the entries that are level with it so far."""


def _points(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return ledger.points_of(entry)


def _wins(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.outcome(entry) == 2 for game in ledger.games[entry])


def _scored(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) for game in ledger.games[entry])


def _difference(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) - game.conceded(entry) for game in ledger.games[entry])


def _away_scored(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.score[1] for game in ledger.games[entry] if entry == game.away)


def _direct_points(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(ledger.points_for(entry, game) for game in ledger.among(entry, level))


def _direct_difference(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) - game.conceded(entry) for game in ledger.among(entry, level))


def _direct_scored(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) for game in ledger.among(entry, level))


def _opponents(ledger: PointsLedger, entry: str) -> list[int]:
    """Return the opponents' points, lowest first. An unplayed round counts with the entry's own points."""
    own = ledger.points_of(entry)
    games = ledger.games[entry]
    played = [
        ledger.points_of(game.opponent(entry))
        for game in games
        if game.by not in UNPLAYED and game.opponent(entry) != NOBODY
    ]
    return sorted(played + [own] * (max(ledger.rounds, len(games)) - len(played)))


def _buchholz(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry))


def _buchholz_cut1(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry)[1:])


def _buchholz_median(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry)[1:-1])


def _sonneborn(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    """Return twice FIDE's Sonneborn-Berger score: points of beaten opponents count twice, of drawn ones once."""
    return sum(
        game.outcome(entry) * (ledger.points_of(entry if game.by in UNPLAYED else game.opponent(entry)))
        for game in ledger.games[entry]
    )


CRITERIA: dict[str, Criterion] = {
    "points": _points,
    "wins": _wins,
    "difference": _difference,
    "scored": _scored,
    "away_scored": _away_scored,
    "direct_points": _direct_points,
    "direct_difference": _direct_difference,
    "direct_scored": _direct_scored,
    "buchholz": _buchholz,
    "buchholz_cut1": _buchholz_cut1,
    "buchholz_median": _buchholz_median,
    "sonneborn": _sonneborn,
}
"""Criteria that a tie-break chain may name."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry in the standings.

    - `rank`: starts at 1; entries that no criterion separates share it and are `level`
    - `values`: the criteria of the chain in order, each an integer (`sonneborn` doubled)

    A bye counts as won but not as played. A double forfeit counts as lost for both.
    """

    entry: str
    rank: int
    level: bool
    played: int
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int
    points: int
    values: tuple[tuple[str, int], ...]

    @property
    def difference(self) -> int:
        """Scored minus conceded."""
        return self.scored - self.conceded


def standings(
    entries: Sequence[str], games: Iterable[CountedMatch], points: Points, chain: Sequence[str], rounds: int = 0
) -> tuple[StandingsRow, ...]:
    """Return the entries from first to last. Entries that stay level keep their original order.

    A criterion on direct matches considers all entries left level by the earlier criteria (FC-17.3).
    """
    of: dict[str, list[CountedMatch]] = {entry: [] for entry in entries}
    for game in games:
        for entry in (game.home, game.away):
            if entry != NOBODY and entry in of:
                of[entry].append(game)
    ledger = PointsLedger({entry: tuple(each) for entry, each in of.items()}, points, rounds)
    values: dict[str, list[tuple[str, int]]] = {entry: [] for entry in entries}
    groups: list[list[str]] = [list(entries)] if entries else []
    for name in chain:
        groups = [part for group in groups for part in _parted(ledger, name, group, values)]
    rows: list[StandingsRow] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [_row(ledger, entry, rank, len(group) > 1, tuple(values[entry])) for entry in group]
    return tuple(rows)


def _parted(
    ledger: PointsLedger, name: str, group: list[str], values: dict[str, list[tuple[str, int]]]
) -> list[list[str]]:
    """Split the level entries by a criterion, best first."""
    criterion, level = CRITERIA[name], frozenset(group)
    found = {entry: criterion(ledger, entry, level) for entry in group}
    parts: dict[int, list[str]] = {}
    for entry, value in found.items():
        values[entry].append((name, value))
        parts.setdefault(value, []).append(entry)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _row(ledger: PointsLedger, entry: str, rank: int, level: bool, values: tuple[tuple[str, int], ...]) -> StandingsRow:
    games = ledger.games[entry]
    won = sum(game.outcome(entry) == 2 for game in games)
    drawn = sum(game.outcome(entry) == 1 for game in games)
    return StandingsRow(
        entry=entry,
        rank=rank,
        level=level,
        played=sum(game.by != BYE for game in games),
        won=won,
        drawn=drawn,
        lost=len(games) - won - drawn,
        scored=sum(game.scored(entry) for game in games if game.by != DOUBLE_FORFEIT),
        conceded=sum(game.conceded(entry) for game in games if game.by != DOUBLE_FORFEIT),
        points=ledger.points_of(entry),
        values=values,
    )
