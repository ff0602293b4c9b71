"""Between a match and its journal: what the header takes from the tournament, the result read at the end of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.games.spec import FirstLeg, Fixture, Kept
from companion.tournament.course import Match, course, standing_report
from companion.tournament.facts import Correct, Result, State
from companion.tournament.values import Side, winner_by_score

MARK = "tournament"
"""The key of a journal's header that holds it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Which match of which tournament a journal is of, and who plays it: an entry by each side of the game.

    `again` counts the games that were counted for that match before: one to be played again is another game.
    """

    tournament: str
    match: str
    entries: frozenset[tuple[str, str]] = frozenset()
    again: int = 0

    @property
    def key(self) -> str:
        """The match among those of all tournaments, whoever plays it for whichever time."""
        return f"{self.tournament}/{self.match}"

    def header(self) -> Fields:
        """What the header holds under `MARK`."""
        told: Fields = {"tournament": self.tournament, "match": self.match, "entries": dict(sorted(self.entries))}
        return {**told, "again": self.again} if self.again else told


def mark_of(header: Fields) -> Mark | None:
    """The match that a journal's header names, None for one of no tournament."""
    mark = header.get(MARK)
    if not isinstance(mark, Mapping):
        return None
    tournament, match, entries, again = (mark.get(key) for key in ("tournament", "match", "entries", "again"))
    if not isinstance(tournament, str) or not isinstance(match, str):
        return None
    named = entries if isinstance(entries, Mapping) else {}
    seated = frozenset((str(side), str(entry)) for side, entry in named.items())
    return Mark(tournament, match, seated, again if isinstance(again, int) else 0)


# What an entry carries from round to round of a legacy tournament: the cards kept, the thresholds.


def threshold_after(state: State, match: Match) -> int | None:
    """The highest cost of a card that may be kept after a match, None where nothing is kept."""
    thresholds = state.plan.stages[match.stage - 1].thresholds
    return thresholds[match.round - 1] if match.kind in _ROUNDS and match.round <= len(thresholds) else None


_ROUNDS = ("winners", "group", "swiss")
"""Rounds after which more follow."""


def kept_by(state: State, entry: str) -> tuple[str, ...]:
    """The ids of the cards that an entry carries, in the order in which they were kept."""
    own = [keep for keep in state.kept if keep.entry == entry]
    return tuple(card for keep in own for card in (keep.player, keep.tactic) if card is not None)


def kept_cards(state: State, match: Match, sides: dict[str, str]) -> Kept | None:
    """The cards that the sides of a match carry (side of the game → entry), None in a tournament that carries none.

    Its round is never less than the number of cards kept so far; its threshold is that of the round before. A final
    counts as the round after the last one.
    """
    stage = state.plan.stages[match.stage - 1]
    if not stage.thresholds:
        return None
    round = match.round if match.kind in _ROUNDS else len(stage.thresholds) + 1
    before = stage.thresholds[: round - 1]
    return Kept(round, before[-1] if before else 0, {side: kept_by(state, entry) for side, entry in sides.items()})


def sides(state: State, match: Match) -> dict[str, str]:
    """The game's sides and the entry of each; the side that plays at home is the game's first."""
    home, away = SPECS[state.plan.game].home_sides
    return {home: match.home or "", away: match.away or ""}


def names(state: State, match: Match) -> dict[str, dict[str, str]]:
    """`sides` of the header."""
    return {side: {"name": state.entries[entry].name} for side, entry in sides(state, match).items()}


def setup(state: State, match: Match) -> JsonObject:
    """The keys of `setup` that the tournament decides; squads, cards and all else are the table's own."""
    seated = sides(state, match)
    spec = SPECS[state.plan.game]
    fixture = Fixture(
        spec.home_sides[0],
        state.plan.stages[match.stage - 1].table,
        match.leg,
        _first_leg(state, match, seated) if match.leg == 2 else None,
        kept_cards(state, match, seated),
    )
    return spec.tournament.set_up(fixture)


def _first_leg(state: State, match: Match, seated: dict[str, str]) -> FirstLeg | None:
    """The first leg of a second one, if it has a result."""
    first = course(state).ties[match.tie].matches[0]
    report = standing_report(state, first.id, first.home, first.away)
    if report is None:
        return None
    goals = {report.home: report.score[0], report.away: report.score[1]}
    return FirstLeg({side: goals[entry] for side, entry in seated.items()}, report.carry)


# From the end of a game to the result of a match: what the tournament reads in the state that a replay prints.


BY_SUM = ("aggregate", "away_goals")
"""A second leg that the sum of both decided says nothing of the match itself."""


def result(game: str, view: Fields, match: Match, clock: int | None = None) -> Result | None:
    """The result of a match by the public state of its journal (`state` of `companion replay`), None before its end."""
    spec = SPECS[game]
    ending = spec.ending(view)
    if ending is None:
        return None
    home, away = spec.home_sides
    winner = ending.winner
    side: Side | None = None if winner is None else "home" if winner == home else "away"
    score = int(view["score"][home]), int(view["score"][away])
    by = _how(score, side) if ending.by is None else ending.by
    by_score = by in BY_SUM
    return Result(
        match.id,
        match.home or "",
        match.away or "",
        score,
        "score" if by_score else side,
        by,
        clock,
        view.get("carry_over"),
    )


def correction(found: Result, why: str = "") -> Correct:
    """The same as a correction: a roll was corrected after the result had been sent."""
    return Correct(
        found.match, found.home, found.away, found.score, found.winner, found.by, found.clock, found.carry, why
    )


def _how(score: tuple[int, int], winner: Side | None) -> str:
    """How a game ended that does not say so: who wins without leading had the match conceded."""
    leads = winner_by_score(score)
    return "" if winner is None or winner == leads else "concession"
