"""What a match has come to, whatever the game: the points of each side, who won, the game's own words for it. Pure."""

from __future__ import annotations

from typing import Any

from companion.games.base import Game, Headline

AnyGame = Game[Any, Any]


def score_of(game: AnyGame, state: Any) -> dict[str, int]:
    """The points of each side; zeros before the game counts any."""
    score = game.view(state).get("score") or {}
    return {side: int(points) for side, points in score.items()}


def winner_of(game: AnyGame, state: Any) -> str | None:
    """The side that has won; None for a draw and for a match that goes on."""
    if not game.finished(state):
        return None
    view = game.view(state)
    result = view.get("result")
    winner = result.get("winner") if isinstance(result, dict) else view.get("winner")
    return winner if isinstance(winner, str) else None


def headline_of(game: AnyGame, state: Any) -> Headline | None:
    """How the game itself says where the match stands."""
    return next((figure for figure in game.scene(state).figures if isinstance(figure, Headline)), None)
