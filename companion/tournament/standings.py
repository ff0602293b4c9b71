"""The table of a stage or a group: one function for the pages that show it and the pairings that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.tournament.criteria import CRITERIA, Counted, Ledger
from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, Points


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
