"""The scoreboard of a game that draws none of its own: its sides, how far the match is, the score."""

from __future__ import annotations

from companion.app.boards.panel import BoardPanel, Drawing, Order, Panel
from companion.app.boards.pieces import ClockLine
from companion.app.figures.words import text
from companion.games.figures import PlainBoard

_LINE, _LINE_UPRIGHT = "M400 -30v190M-10 117h820", "M225 -10v200M-10 153h470"


class PlainPanel(BoardPanel):
    """Draws a `PlainBoard`."""

    drawings = (Drawing(_LINE, 800, 120), Drawing(_LINE_UPRIGHT, 450, 156))

    def show(
        self,
        board: PlainBoard,
        order: Order,
        awaited: tuple[str, ...],
        before: tuple[int, ...] | None = None,
    ) -> None:
        self.show_sides(order, awaited, lambda _: (False, ()))
        self.part("clock", (text(board.clock), "", 0, None), ClockLine)
        self.show_score(order, board.sides, board.score, before)


PANEL = Panel(PlainPanel)
