"""The standings of a stage or a group, used both by the pages and by the pairings.

A Swiss counts unplayed rounds by FIDE's rules for tie-breaks, handbook C.07 of 2024, article 16; plans made before
those rules were followed keep their own (`SwissRounds.handbook`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Literal

from companion.games.spec import Points
from companion.tournament.values import BYE, DOUBLE_FORFEIT, NOBODY, UNPLAYED, Side

HANDBOOK = 2024
"""The year of the rules for tie-breaks in new plans."""


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
    round: int = 0

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
class SwissRounds:
    """The rounds of a Swiss: their number so far, and for each entry those in which it was not paired.

    `handbook`: the year of the rules that count unplayed rounds, 0 for those of the first plans.
    """

    count: int = 0
    missed: Mapping[str, frozenset[int]] = field(default_factory=dict)
    handbook: int = 0


NO_ROUNDS = SwissRounds()


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a round adds to a Buchholz score: the opponent's points, times the outcome (0 to 2) for Sonneborn-Berger.

    `voluntary`: the entry stayed away from the round; a cut takes such a round first (article 16.5).
    """

    points: int
    outcome: int
    voluntary: bool = False


@dataclass(frozen=True)
class PointsLedger:
    """Input of the standings: each entry's matches, the point values, and the rounds of a Swiss."""

    games: Mapping[str, tuple[CountedMatch, ...]]
    points: Points
    rounds: SwissRounds

    @cached_property
    def totals(self) -> dict[str, int]:
        """Points of each entry."""
        return {entry: sum(self.points_for(entry, game) for game in games) for entry, games in self.games.items()}

    @cached_property
    def adjusted(self) -> dict[str, int]:
        """Points of each entry as its opponents count them: rounds missed at the end are draws (article 16.3)."""
        return {entry: total + self.points.draw * self._left_out(entry) for entry, total in self.totals.items()}

    def _left_out(self, entry: str) -> int:
        """Return the number of rounds missed after the last one in which the entry was there."""
        if not self.rounds.handbook:
            return 0
        there = [game.round for game in self.games[entry] if game.by not in UNPLAYED or game.outcome(entry) == 2]
        return sum(round > max(there, default=0) for round in self.rounds.missed.get(entry, ()))

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

    @cached_property
    def contributions(self) -> dict[str, list[Contribution]]:
        """What each round adds to an entry's Buchholz, by entry.

        An unplayed round counts as against an opponent with the entry's own points (article 16.4).
        """
        return {entry: self._contributions(entry) for entry in self.games}

    def _contributions(self, entry: str) -> list[Contribution]:
        own = self.totals[entry]
        found = [
            Contribution(own, game.outcome(entry), game.by != BYE and game.outcome(entry) == 0)
            if game.by in UNPLAYED or game.opponent(entry) not in self.adjusted
            else Contribution(self.adjusted[game.opponent(entry)], game.outcome(entry))
            for game in self.games[entry]
        ]
        if self.rounds.handbook:
            missed = len(self.rounds.missed.get(entry, ()))
        else:
            missed = max(0, self.rounds.count - len(found))
        return found + [Contribution(own, 0, voluntary=True)] * missed


Criterion = Callable[[PointsLedger, str, frozenset[str]], int]
"""Function that returns an entry's value of a criterion, given the entries that are level with it so far."""


def _points(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return ledger.totals[entry]


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


def _uncut(ledger: PointsLedger, entry: str) -> list[int]:
    """Return the opponents' points, lowest first, without the one that a cut takes.

    It is the lowest of the rounds that the entry stayed away from, else the lowest of all (article 16.5).
    """
    found = sorted(ledger.contributions[entry], key=lambda each: each.points)
    away = [each for each in found if each.voluntary and ledger.rounds.handbook]
    if found and (len(found) > 1 or not ledger.rounds.handbook):  # the handbook leaves nobody without an opponent
        found.remove((away or found)[0])
    return [each.points for each in found]


def _buchholz(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(each.points for each in ledger.contributions[entry])


def _buchholz_cut1(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(_uncut(ledger, entry))


def _buchholz_median(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    return sum(_uncut(ledger, entry)[:-1])


def _sonneborn(ledger: PointsLedger, entry: str, level: frozenset[str]) -> int:
    """Return twice FIDE's Sonneborn-Berger score: points of beaten opponents count twice, of drawn ones once."""
    return sum(each.outcome * each.points for each in ledger.contributions[entry])


# The direct encounter of article 6 looks at all level entries at once: not all of them may have met.


def direct_encounter(ledger: PointsLedger, group: Sequence[str]) -> dict[str, int]:
    """Return how many of the level entries each is ahead of by their matches among themselves.

    If all have met, their points in these matches decide, and again among those still level (6.2). Otherwise an
    entry is ahead of all others only if it would be, however the missing matches ended (6.3). Matches that were not
    played do not count (6.1.1); of several matches of a pair the average does (6.1.2).
    """
    found: dict[str, int] = {}
    behind = len(group)
    for tier in _tiers(ledger, list(group)):
        behind -= len(tier)
        found.update(dict.fromkeys(tier, behind))
    return found


def _tiers(ledger: PointsLedger, group: list[str]) -> list[list[str]]:
    """Return the level entries best first; those that stay level are together."""
    scores, missing = _among_themselves(ledger, group)
    if not any(missing.values()):
        parts = [[entry for entry in group if scores[entry] == score] for score in sorted(set(scores.values()))[::-1]]
        return parts if len(parts) == 1 else [tier for part in parts for tier in _tiers(ledger, part)]
    tiers = []
    while group:
        tiers.append(_surely_first(ledger, group) or group)
        group = [entry for entry in group if entry not in tiers[-1]]
    return tiers


def _surely_first(ledger: PointsLedger, group: list[str]) -> list[str]:
    """Return the entry that is ahead of all others however their missing matches ended; empty if there is none."""
    scores, missing = _among_themselves(ledger, group)
    worst = {entry: scores[entry] + ledger.points.loss * missing[entry] for entry in group}
    best = {entry: scores[entry] + ledger.points.win * missing[entry] for entry in group}
    return [entry for entry in group if all(worst[entry] > best[other] for other in group if other != entry)]


def _among_themselves(ledger: PointsLedger, group: list[str]) -> tuple[dict[str, Fraction], dict[str, int]]:
    """Return each entry's points against the others, and the number of others that it was not paired with."""
    scores, missing, level = {}, {}, frozenset(group)
    for entry in group:
        games: dict[str, list[CountedMatch]] = {}
        for game in ledger.among(entry, level):
            games.setdefault(game.opponent(entry), []).append(game)
        played = [[game for game in each if game.by not in UNPLAYED] for each in games.values()]
        scores[entry] = sum(
            (Fraction(sum(ledger.points_for(entry, game) for game in each), len(each)) for each in played if each),
            Fraction(0),
        )
        missing[entry] = len(group) - 1 - len(games)
    return scores, missing


Values = Callable[[PointsLedger, Sequence[str]], dict[str, int]]
"""Function that returns the value of each of the level entries."""


def _each(criterion: Criterion) -> Values:
    """Return the function for all level entries of a criterion that looks at one of them."""

    def values(ledger: PointsLedger, group: Sequence[str]) -> dict[str, int]:
        level = frozenset(group)
        return {entry: criterion(ledger, entry, level) for entry in group}

    return values


CRITERIA: dict[str, Values] = {
    "points": _each(_points),
    "wins": _each(_wins),
    "difference": _each(_difference),
    "scored": _each(_scored),
    "away_scored": _each(_away_scored),
    "direct_points": _each(_direct_points),
    "direct_difference": _each(_direct_difference),
    "direct_scored": _each(_direct_scored),
    "direct_encounter": direct_encounter,
    "buchholz": _each(_buchholz),
    "buchholz_cut1": _each(_buchholz_cut1),
    "buchholz_median": _each(_buchholz_median),
    "sonneborn": _each(_sonneborn),
}
"""Criteria that a tie-break chain may name."""


Decision = Literal["ruling", "lot"]


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry in the standings.

    - `rank`: starts at 1; entries that no criterion separates share it and are `level`
    - `played`: matches won, drawn and lost; byes are counted apart. A double forfeit counts as lost for both
    - `values`: the criteria of the chain in order, each an integer (`sonneborn` doubled)
    - `decided`: `ruling` or `lot` where the organiser put level entries in order
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
    byes: int = 0
    decided: Decision | None = None

    @property
    def difference(self) -> int:
        """Scored minus conceded."""
        return self.scored - self.conceded


def standings(
    entries: Sequence[str],
    games: Iterable[CountedMatch],
    points: Points,
    chain: Sequence[str],
    rounds: SwissRounds = NO_ROUNDS,
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
    found = CRITERIA[name](ledger, group)
    parts: dict[int, list[str]] = {}
    for entry, value in found.items():
        values[entry].append((name, value))
        parts.setdefault(value, []).append(entry)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _row(ledger: PointsLedger, entry: str, rank: int, level: bool, values: tuple[tuple[str, int], ...]) -> StandingsRow:
    games = [game for game in ledger.games[entry] if game.by != BYE]
    won = sum(game.outcome(entry) == 2 for game in games)
    drawn = sum(game.outcome(entry) == 1 for game in games)
    return StandingsRow(
        entry=entry,
        rank=rank,
        level=level,
        played=len(games),
        won=won,
        drawn=drawn,
        lost=len(games) - won - drawn,
        scored=sum(game.scored(entry) for game in games if game.by != DOUBLE_FORFEIT),
        conceded=sum(game.conceded(entry) for game in games if game.by != DOUBLE_FORFEIT),
        points=ledger.totals[entry],
        values=values,
        byes=len(ledger.games[entry]) - len(games),
    )


# What the standings say about themselves: the tie-breaks in use, and why one entry is before another.


DIRECT = "direct_"
"""Prefix of the criteria on matches among level entries."""

SHOWN_ELSEWHERE = ("points", "difference", "scored", "wins")
"""Criteria that every table of standings shows anyway, or that add nothing to its columns."""


def tie_breaks_used(rows: Sequence[StandingsRow]) -> tuple[str, ...]:
    """Return the criteria to show as columns: in the order of the chain, up to the last one that parted entries.

    At least the first one after the points is among them. One on direct matches is only if it parted entries itself.
    """
    chain = [name for name, _ in rows[0].values] if rows else []
    parted = {found.criterion for above, row in pairwise(rows) if (found := separation(above, row))}
    last = max([1, *(chain.index(name) for name in parted)])
    return tuple(
        name
        for name in chain[: last + 1]
        if name not in SHOWN_ELSEWHERE and (name in parted or not name.startswith(DIRECT))
    )


@dataclass(frozen=True, slots=True)
class Separation:
    """The criterion that puts one row before the next, with the values of both."""

    criterion: str
    above: int
    below: int


def separation(above: StandingsRow, below: StandingsRow) -> Separation | None:
    """Return why a row is before the next one, or None if no criterion parts them."""
    for (name, one), (_, other) in zip(above.values, below.values, strict=True):
        if one != other:
            return Separation(name, one, other)
    return None


def value_of(rows: Sequence[StandingsRow], row: StandingsRow, name: str) -> int | None:
    """Return a row's value of a criterion; None for one on direct matches if nobody is level with the row so far."""
    at = next(place for place, (each, _) in enumerate(row.values) if each == name)
    if name.startswith(DIRECT) and sum(other.values[:at] == row.values[:at] for other in rows) < 2:
        return None
    return row.values[at][1]
