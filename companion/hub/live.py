"""A match as spectators see it, from its journal as it is played."""

from __future__ import annotations

from typing import Any

from companion.hub.playing import Playing
from companion.hub.words import JournalRow, Live, Roll


def live(journal: JournalRow, playing: Playing | None) -> Live:
    """The match now. Of a journal that was deleted or cannot be read, what its head says."""
    if playing is None or playing.game is None:
        return Live(journal, {}, {}, "", journal.over, None, None, (), None, None, False)
    game, state = playing.game, playing.state
    view = game.view(state)
    over = playing.over
    awaits = None if over else game.awaits(state)
    newest = playing.newest[-1] if playing.newest else None
    scene = game.scene(state)
    return Live(
        journal=journal,
        names=dict(playing.names),
        score=_score(playing, view),
        phase=str(view.get("phase", "")),
        over=over,
        winner=_winner(game.id, view) if over else None,
        awaits=None if awaits is None else awaits.title,
        acting=() if awaits is None else awaits.sides,
        roll=_roll(playing),
        newest=None if newest is None else game.describe(newest.after, newest.fields, newest.outcome),
        review=False,
        figures=scene.figures,
        board=scene.board,
    )


def _score(playing: Playing, view: dict[str, Any]) -> dict[str, int]:
    """In the order of the header's sides."""
    score = view.get("score", {})
    return {side: int(score[side]) for side in playing.names if side in score}


def _winner(game: str, view: dict[str, Any]) -> str | None:
    winner = (view["result"] or {}).get("winner") if game == "footclub" else view.get("winner")
    return None if winner is None else str(winner)


def _roll(playing: Playing) -> Roll | None:
    event, game = playing.roll, playing.game
    if event is None or game is None:
        return None
    at = event.fields.get("at")
    told = game.describe(event.after, event.fields, event.outcome)
    return Roll(event.line, game.dice(event.fields), told, at if isinstance(at, str) else None, ())
