"""From the end of a game to the result of a match: what the tournament reads in the state that a replay prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.registry import SPECS
from companion.tournament.course import Match
from companion.tournament.facts import Correct, Result
from companion.tournament.values import Side, winner_by_score

BY_SUM = ("aggregate", "away_goals")
"""A second leg that the sum of both decided says nothing of the match itself."""


def result(game: str, view: Mapping[str, Any], match: Match, clock: int | None = None) -> Result | None:
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
