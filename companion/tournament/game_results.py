"""From the end of a game to the result of a match: what the tournament reads in the state that a replay prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tournament.course import Match
from companion.tournament.facts import Correct, Result
from companion.tournament.tables import GAME_SIDES
from companion.tournament.values import Side, winner_by_score


def result(game: str, view: Mapping[str, Any], match: Match, clock: int | None = None) -> Result | None:
    """The result of a match by the public state of its journal (`state` of `companion replay`), None before its end."""
    if not _over(game, view):
        return None
    home, away = GAME_SIDES[game]
    by, winner = _winner(game, view)
    side: Side | None = None if winner is None else "home" if winner == home else "away"
    score = int(view["score"][home]), int(view["score"][away])
    by_score: bool = by in ("aggregate", "away_goals")
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


def _over(game: str, view: Mapping[str, Any]) -> bool:
    return view["result"] is not None if game == "footclub" else view.get("over", view["phase"] == "over") is True


def _winner(game: str, view: Mapping[str, Any]) -> tuple[str, str | None]:
    """How it was decided and who won; a second leg that the sum decided says nothing of the match itself (FC-16.2).

    The other games do not say how: who wins without leading had the match conceded.
    """
    if game != "footclub":
        home, away = GAME_SIDES[game]
        winner, leads = view["winner"], winner_by_score((int(view["score"][home]), int(view["score"][away])))
        by_score = winner is None or (leads is not None and winner == (home if leads == "home" else away))
        return "" if by_score else "concession", winner
    ended = view["result"]
    return str(ended["by"]), ended["winner"]
