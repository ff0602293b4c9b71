"""The table of a FootClub league (chapter 17), a pure function of results, used by tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

WIN, DRAW = 3, 1


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """A finished league match; a forfeit counts as 3–0 (FC-17.3)."""

    home: str
    away: str
    home_goals: int
    away_goals: int


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """One club of the table. `rank` starts at 1; clubs that no tie-break separates share their rank."""

    club: str
    rank: int = 1
    won: int = 0
    drawn: int = 0
    lost: int = 0
    goals_for: int = 0
    goals_against: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> int:
        return WIN * self.won + DRAW * self.drawn

    @property
    def difference(self) -> int:
        return self.goals_for - self.goals_against


def league_table(clubs: Sequence[str], results: Iterable[LeagueResult]) -> tuple[LeagueRow, ...]:
    """Return the clubs from first to last (FC-17.3); tied clubs keep the order in which they were given."""
    matches = tuple(results)
    rows = {club: _row(club, matches) for club in clubs}
    groups: dict[tuple[int, int, int], list[str]] = {}
    for club, row in rows.items():
        groups.setdefault((row.points, row.difference, row.goals_for), []).append(club)
    ordered: list[LeagueRow] = []
    for key in sorted(groups, reverse=True):
        level = groups[key]
        between = tuple(match for match in matches if match.home in level and match.away in level)
        points = {club: _row(club, between).points for club in level}
        first = len(ordered) + 1
        for club in sorted(level, key=points.__getitem__, reverse=True):
            better = sum(other > points[club] for other in points.values())
            ordered.append(replace(rows[club], rank=first + better))
    return tuple(ordered)


def _row(club: str, matches: tuple[LeagueResult, ...]) -> LeagueRow:
    row = LeagueRow(club)
    for match in matches:
        if club == match.home:
            row = _with(row, match.home_goals, match.away_goals)
        elif club == match.away:
            row = _with(row, match.away_goals, match.home_goals)
    return row


def _with(row: LeagueRow, scored: int, conceded: int) -> LeagueRow:
    return replace(
        row,
        won=row.won + (scored > conceded),
        drawn=row.drawn + (scored == conceded),
        lost=row.lost + (scored < conceded),
        goals_for=row.goals_for + scored,
        goals_against=row.goals_against + conceded,
    )
