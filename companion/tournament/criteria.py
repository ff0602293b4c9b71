"""What parts entries in a table, by name: points, goals, the strength of the opponents, the matches among those level.

Each criterion gives a number, more is better. All are whole numbers, so that nothing depends on rounding. Buchholz and
Sonneborn-Berger follow FIDE's tie-break regulations (C.07, articles 8 and 9): a round that an entry did not play counts
as one against an opponent with as many points as itself (article 16.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, UNPLAYED, Points, Side


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
