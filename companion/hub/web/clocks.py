"""How far a match is, in words, and the turns of its half: read from the board that the game brings."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message
from companion.games.wording import listed

_BETWEEN = ("pre_match", "market", "half_time", "full_time", "extra_time_break", "shootout", "finished")


def clock(game: str, board: Any) -> Message | None:
    """The clock's line of a scoreboard; None where there is nothing to say."""
    if board is None:
        return None
    return {"footclub": _footclub, "hoops21": _hoops21, "nba": _nba, "occasion": _occasion}[game](board)


def turns(game: str, board: Any) -> tuple[int, int]:
    """How many turns the half has and which one it is; (0, 0) where turns are not shown."""
    if game != "footclub" or board is None or board.phase in ("shootout", "finished"):
        return 0, 0
    return board.turns, board.turn or 0


def _footclub(board: Any) -> Message | None:
    if board.phase in _BETWEEN:
        return Message(f"app.board.{board.phase}")
    return Message(f"app.board.half_{board.half}") if board.half else None


def _hoops21(board: Any) -> Message:
    if board.winner is not None:
        return Message("app.board.finished")
    return Message("app.hoops21.board.target", {"n": board.target})


def _nba(board: Any) -> Message:
    if board.phase in ("over", "tied"):
        turn = Message(f"app.nba.{board.phase}")
    elif board.ultimate:
        turn = Message("app.nba.ultimate")
    elif board.limit is None:
        turn = Message("app.nba.turn", {"turn": board.turn})
    else:
        turn = Message("app.nba.turn_of", {"turn": board.turn, "limit": board.limit})
    return listed([Message("app.nba.overtime", {"number": board.period}), turn]) if board.period else turn


def _occasion(board: Any) -> Message:
    if board.phase == "over":
        return Message("app.board.finished")
    return Message("app.occasion.turn", {"turn": board.turn})
