"""Brackets on paper, with lines and numbered matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from companion.printing.page import BOLD, WIDTH, draw_cut, draw_text, text_width


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One side of a match: its name, its points, whether it won."""

    name: str
    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class PrintedTie:
    """A match with its number; `line` leads "straight", "up" or "down" to the next round, nowhere if empty."""

    code: str
    upper: PrintedSide
    lower: PrintedSide
    line: str


@dataclass(frozen=True, slots=True)
class PrintedRound:
    """A round of a bracket; `joined` if lines come from the round before."""

    title: str
    ties: Sequence[PrintedTie]
    joined: bool


class BracketDrawing(Flowable):
    """A bracket on paper: a column for each round, each match beside the two it comes from."""

    TIE_MM, GAP_MM, HEAD_MM = 15.0, 3.0, 6.0
    LARGEST_MM = 215.0
    SIGNS = 8.5
    """Width of a box in sizes of its font: enough for "winner W1.3" without a cut."""

    def __init__(self, columns: Sequence[PrintedRound]) -> None:
        super().__init__()
        self._columns = columns
        most = max(len(column.ties) for column in columns)
        self._cell = min(self.TIE_MM, self.LARGEST_MM / most) * mm
        self._width = WIDTH * mm / max(2, len(columns))
        self.width, self.height = WIDTH * mm, self._cell * most + self.HEAD_MM * mm

    def wrap(self, *_: float) -> tuple[float, float]:
        """Return the size in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the rounds from left to right."""
        below_head = self.height - self.HEAD_MM * mm
        for at, column in enumerate(self._columns):
            left, cell = at * self._width, below_head / len(column.ties)
            draw_cut(self.canv, (left, self.height - 9), column.title, 8, self._width - self.GAP_MM * mm, True)
            for place, tie in enumerate(column.ties):
                self._tie(tie, left, below_head - (place + 0.5) * cell, cell, column.joined)

    def _tie(self, tie: PrintedTie, left: float, middle: float, cell: float, joined: bool) -> None:
        canvas, gap = self.canv, self.GAP_MM * mm
        width, height = self._width - 2 * gap, self._cell * 0.82
        size = min(9.0, height * 0.3, width / self.SIGNS)
        canvas.setLineWidth(0.6)
        canvas.rect(left + gap, middle - height / 2, width, height)
        canvas.line(left + gap, middle, left + gap + width, middle)
        draw_cut(canvas, (left + gap, middle + height / 2 + 1), tie.code, size * 0.75, width, False)
        for side, base in ((tie.upper, middle + height * 0.15), (tie.lower, middle - height * 0.37)):
            used = text_width(side.points, BOLD, size)
            draw_cut(canvas, (left + gap + 2, base), side.name, size, width - used - 6, side.won)
            draw_text(canvas, left + gap + width - used - 2, base, side.points, BOLD, size)
        if joined:
            canvas.line(left, middle, left + gap, middle)
        if tie.line:
            right = left + self._width
            canvas.line(right - gap, middle, right, middle)
            if tie.line != "straight":
                canvas.line(right, middle, right, middle + (cell / 2 if tie.line == "up" else -cell / 2))
