"""hoops21's scoreboard panel: the score over the court's track, with baskets, arcs, the pawn and where it may go."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp

from companion.app.boards.panel import BoardPanel, Drawing, Order
from companion.app.boards.pieces import ClockLine
from companion.app.boards.track import Track
from companion.app.figures.words import say
from companion.games.hoops21.scene_board import BoardSide, HoopsBoard
from companion.games.hoops21.tables import DICE

_COURT = "M400 -30v140M442 60a42 42 0 1 1 -84 0a42 42 0 1 1 84 0"
_COURT_UPRIGHT = (
    "M225 -10v166M271 104a46 46 0 1 1 -92 0a46 46 0 1 1 92 0M-4 30c70 0 70 116 0 116M454 30c-70 0-70 116 0 116"
)


class HoopsPanel(BoardPanel):
    """Teams with their roles, the points that win, the score, and the track as the strip below."""

    drawings = (Drawing(_COURT, 800, 114), Drawing(_COURT_UPRIGHT, 450, 156))
    strength = 0.22
    strips = (44, 60)
    middle = 230
    score_at = (70, 67, 112)

    def __init__(self, *shown: Any, **kwargs: Any) -> None:
        self._track = Track(size_hint=(None, None))
        super().__init__(*shown, **kwargs)
        self.add_widget(self._track)

    def show(
        self,
        board: HoopsBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
    ) -> None:
        sides = {side.side: side for side in board.sides}
        self.show_sides(order, awaited, lambda side: (False, under_name(sides[side])))
        self.part("clock", (clock_words(board), "", 0, None), ClockLine)
        self.show_score(order, tuple(sides), board.score, before)
        self._track.show(board, mirrored=order[0].side != board.sides[0].side)

    def place(self) -> None:
        super().place()
        self._track.pos = (self.x + dp(10), self.y + dp(4))
        self._track.size = (self.width - dp(20), self.strip)


def clock_words(board: HoopsBoard) -> str:
    """The points that win; once they are won, the end."""
    if board.winner is not None:
        return say("app.board.finished")
    return say("app.hoops21.board.target", n=board.target)


def under_name(side: BoardSide) -> tuple[tuple[str, str], ...]:
    """What stands under a team's name: its role, the token, and the dice it throws if one is held back."""
    found = []
    if side.role is not None:
        found.append((say(f"app.hoops21.board.{side.role}"), ""))
    if side.token:
        found.append(("", say("app.hoops21.board.token")))
    if side.dice != DICE:
        found.append((say("app.hoops21.board.dice", n=side.dice), ""))
    return tuple(found)
