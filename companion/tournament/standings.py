"""The table of a stage or a group: one function for the pages that show it and the pairings that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.spec import Points
from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, UNPLAYED, Side


@dataclass(frozen=True, slots=True)
class Counted:
    """A match that counts in a table. `away` is nobody in a bye; `by` says how it came about (`values.UNPLAYED`)."""

    home: str
    away: str
    score: tuple[int, int]
    winner: Side | None
    by: str = ""

    def outcome(self, entry: str) -> int:
        """2 for a win, 1 for a draw, 0 for a defeat. Neither side of a double forfeit has more than 0."""
        if self.by == DOUBLE_FORFEIT:
            return 0
        if self.winner is None:
            return 1
        return 2 * (self.winner == ("home" if entry == self.home else "away"))

    def scored(self, entry: str) -> int:
        """What the entry scored."""
        return self.score[entry != self.home]

    def conceded(self, entry: str) -> int:
        """What the entry conceded."""
        return self.score[entry == self.home]

    def opponent(self, entry: str) -> str:
        """The other side."""
        return self.away if entry == self.home else self.home


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that counts in a table: each entry's matches, the points they bring, how many rounds there were."""

    games: Mapping[str, tuple[Counted, ...]]
    points: Points
    rounds: int

    def points_of(self, entry: str) -> int:
        """The points of an entry."""
        return sum(self.points_for(entry, game) for game in self.games[entry])

    def points_for(self, entry: str, game: Counted) -> int:
        """What a match brings to an entry."""
        if game.by == BYE:
            return self.points.bye
        if game.by == DOUBLE_FORFEIT:
            return 0
        return (self.points.loss, self.points.draw, self.points.win)[game.outcome(entry)]

    def among(self, entry: str, level: frozenset[str]) -> list[Counted]:
        """The entry's matches against the others that are level with it."""
        return [game for game in self.games[entry] if game.opponent(entry) in level]


Criterion = Callable[[Ledger, str, frozenset[str]], int]
"""What an entry has of a criterion, among those who are level with it so far."""


def _points(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return ledger.points_of(entry)


def _wins(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.outcome(entry) == 2 for game in ledger.games[entry])


def _scored(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) for game in ledger.games[entry])


def _difference(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) - game.conceded(entry) for game in ledger.games[entry])


def _away_scored(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.score[1] for game in ledger.games[entry] if entry == game.away)


def _direct_points(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(ledger.points_for(entry, game) for game in ledger.among(entry, level))


def _direct_difference(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) - game.conceded(entry) for game in ledger.among(entry, level))


def _direct_scored(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(game.scored(entry) for game in ledger.among(entry, level))


def _opponents(ledger: Ledger, entry: str) -> list[int]:
    """The points of the opponents, lowest first; an unplayed round counts like the entry's own points."""
    own = ledger.points_of(entry)
    games = ledger.games[entry]
    played = [
        ledger.points_of(game.opponent(entry))
        for game in games
        if game.by not in UNPLAYED and game.opponent(entry) != NOBODY
    ]
    return sorted(played + [own] * (max(ledger.rounds, len(games)) - len(played)))


def _buchholz(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry))


def _buchholz_cut1(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry)[1:])


def _buchholz_median(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    return sum(_opponents(ledger, entry)[1:-1])


def _sonneborn(ledger: Ledger, entry: str, level: frozenset[str]) -> int:
    """Twice FIDE's number: the points of the beaten count two times, of those one drew with once."""
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
"""The criteria that a chain may name."""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in a table. `rank` starts at 1; those that nothing parts share theirs and are `level`.

    `values` are the criteria of the chain in order, each a whole number (`sonneborn` doubled). A bye is won, but it is
    not played. A double forfeit is lost by both.
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
        """Scored less conceded."""
        return self.scored - self.conceded


def standings(
    entries: Sequence[str], games: Iterable[Counted], points: Points, chain: Sequence[str], rounds: int = 0
) -> tuple[Row, ...]:
    """The entries from first to last. Those that are level to the end of the chain keep the order they came in.

    A criterion that looks at the matches among those level takes all whom the criteria before it left level (FC-17.3).
    """
    of: dict[str, list[Counted]] = {entry: [] for entry in entries}
    for game in games:
        for entry in (game.home, game.away):
            if entry != NOBODY and entry in of:
                of[entry].append(game)
    ledger = Ledger({entry: tuple(each) for entry, each in of.items()}, points, rounds)
    values: dict[str, list[tuple[str, int]]] = {entry: [] for entry in entries}
    groups: list[list[str]] = [list(entries)] if entries else []
    for name in chain:
        groups = [part for group in groups for part in _parted(ledger, name, group, values)]
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [_row(ledger, entry, rank, len(group) > 1, tuple(values[entry])) for entry in group]
    return tuple(rows)


def _parted(ledger: Ledger, name: str, group: list[str], values: dict[str, list[tuple[str, int]]]) -> list[list[str]]:
    """The level entries parted by a criterion, the best first."""
    criterion, level = CRITERIA[name], frozenset(group)
    found = {entry: criterion(ledger, entry, level) for entry in group}
    parts: dict[int, list[str]] = {}
    for entry, value in found.items():
        values[entry].append((name, value))
        parts.setdefault(value, []).append(entry)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _row(ledger: Ledger, entry: str, rank: int, level: bool, values: tuple[tuple[str, int], ...]) -> Row:
    games = ledger.games[entry]
    won = sum(game.outcome(entry) == 2 for game in games)
    drawn = sum(game.outcome(entry) == 1 for game in games)
    return Row(
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
