"""Converts between a match and its journal: header fields from the tournament, and the result at the journal's end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.base import Fields, JsonObject
from companion.games.registry import SPECS
from companion.games.spec import FirstLegResult, Fixture, LegacyCards
from companion.tournament.facts import Correct, Result, TournamentState
from companion.tournament.progress import Match, progress_of, valid_report
from companion.tournament.values import Side, winner_by_score

MARK = "tournament"
"""Key of the journal header that holds the mark."""


@dataclass(frozen=True, slots=True)
class TournamentMark:
    """The match of a tournament that a journal belongs to, and the entry on each side of the game.

    `again` counts the games already counted for this match: a replayed match is a new game.
    """

    tournament: str
    match: str
    entries: frozenset[tuple[str, str]] = frozenset()
    again: int = 0

    @property
    def key(self) -> str:
        """The match's unique key among all tournaments, independent of entries and replays."""
        return f"{self.tournament}/{self.match}"

    def header(self) -> Fields:
        """Return the header's content for `MARK`."""
        fields: Fields = {"tournament": self.tournament, "match": self.match, "entries": dict(sorted(self.entries))}
        return {**fields, "again": self.again} if self.again else fields


def parse_mark(header: Fields) -> TournamentMark | None:
    """Return the match named in a journal's header, or None if it belongs to no tournament."""
    mark = header.get(MARK)
    if not isinstance(mark, Mapping):
        return None
    tournament, match, entries, again = (mark.get(key) for key in ("tournament", "match", "entries", "again"))
    if not isinstance(tournament, str) or not isinstance(match, str):
        return None
    named = entries if isinstance(entries, Mapping) else {}
    seated = frozenset((str(side), str(entry)) for side, entry in named.items())
    return TournamentMark(tournament, match, seated, again if isinstance(again, int) else 0)


# Carry-over between rounds of a legacy tournament: kept cards and thresholds.


def threshold_after(state: TournamentState, match: Match) -> int | None:
    """Return the maximum cost of a card that may be kept after a match, or None if no card is kept."""
    thresholds = state.plan.stages[match.stage - 1].thresholds
    return thresholds[match.round - 1] if match.kind in _ROUNDS and match.round <= len(thresholds) else None


_ROUNDS = ("winners", "group", "swiss")
"""Kinds of rounds that are followed by further rounds."""


def kept_by(state: TournamentState, entry: str) -> tuple[str, ...]:
    """Return the ids of the cards that an entry has kept, in order."""
    own = [keep for keep in state.kept if keep.entry == entry]
    return tuple(card for keep in own for card in (keep.player, keep.tactic) if card is not None)


def kept_cards(state: TournamentState, match: Match, sides: dict[str, str]) -> LegacyCards | None:
    """Return the cards that the sides of a match have kept (side of the game → entry), or None without such a rule.

    Rounds are counted over all stages; a final counts as the round after the last one. The threshold is that of the
    previous round. In a round robin a match may be played after one of a later round: both numbers are at least what
    the cards kept so far ask for.
    """
    stage = state.plan.stages[match.stage - 1]
    earlier = [each for one in state.plan.stages[: match.stage - 1] for each in one.thresholds]
    if not earlier and not stage.thresholds:
        return None
    round = match.round if match.kind in _ROUNDS else len(stage.thresholds) + 1
    own = [keep for keep in state.kept if keep.entry in sides.values()]
    counts = [sum(keep.entry == entry for keep in own) for entry in sides.values()]
    costs = [cost for keep in own for cost in (keep.player_cost, keep.tactic_cost)]
    return LegacyCards(
        max(len(earlier) + round, 1 + max(counts, default=0)),
        max((*earlier, *stage.thresholds[: round - 1], *costs), default=0),
        {side: kept_by(state, entry) for side, entry in sides.items()},
    )


def sides(state: TournamentState, match: Match) -> dict[str, str]:
    """Return the entry of each side of the game. The home side is the game's first side."""
    home, away = SPECS[state.plan.game].home_sides
    return {home: match.home or "", away: match.away or ""}


def names(state: TournamentState, match: Match) -> dict[str, dict[str, str]]:
    """Return the header's `sides`."""
    return {side: {"name": state.entries[entry].name} for side, entry in sides(state, match).items()}


def setup(state: TournamentState, match: Match) -> JsonObject:
    """Return the `setup` fields that the tournament decides. The table decides the rest, such as squads and cards."""
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


def _first_leg(state: TournamentState, match: Match, seated: dict[str, str]) -> FirstLegResult | None:
    """Return the first leg of a second leg, if it has a result."""
    first = progress_of(state).ties[match.tie].matches[0]
    report = valid_report(state, first.id, first.home, first.away)
    if report is None:
        return None
    goals = {report.home: report.score[0], report.away: report.score[1]}
    return FirstLegResult({side: goals[entry] for side, entry in seated.items()}, report.carry)


# From the end of a game to the result of a match, read from the state that a replay prints.


BY_SUM = ("aggregate", "away_goals")
"""Endings decided by the aggregate of both legs, which say nothing about the second leg itself."""


def result(game: str, view: Fields, match: Match, clock: int | None = None) -> Result | None:
    """Return the result of a match from the public state of its journal, or None before the end.

    The public state is `state` in the output of `companion replay`.
    """
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
    """Return the result as a correction, for a roll corrected after the result was sent."""
    return Correct(
        found.match, found.home, found.away, found.score, found.winner, found.by, found.clock, found.carry, why
    )


def _how(score: tuple[int, int], winner: Side | None) -> str:
    """Infer the ending of a game that does not name it: a winner who is not ahead won by concession."""
    leads = winner_by_score(score)
    return "" if winner is None or winner == leads else "concession"
