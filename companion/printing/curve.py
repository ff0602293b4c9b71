"""A stepped curve for each side: how the score went. Never by colour alone: each has its dash, its mark, its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable

from companion.printing.page import BOLD, GREY, LINE, REGULAR, WIDTH
from companion.table.history import even_step

INKS = {
    "blue": "#0B4F8F",
    "red": "#A32B16",
    "orange": "#8A4A00",
    "white": "#35423B",
    "violet": "#4E2F9E",
    "lime": "#4C5F00",
}
"""The sides' colours as they are printed: dark enough on white."""

DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (1.5, 2), (7, 2, 1.5, 2))
_HEIGHT, _LEFT, _RIGHT, _FOOT, _HEAD = 62.0, 9.0, 4.0, 12.0, 9.0
_MARK = 1.1
_SMALL = 8.0
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: its name, colour and letter, and the steps (place, value), from (0, 0) on."""

    name: str
    colour: str
    letter: str
    steps: tuple[tuple[float, float], ...]


class Curve(Flowable):
    """The curves of all sides over the places 0 to `end`; `below` says what the places are."""

    def __init__(self, lines: Sequence[Line], end: int, below: str) -> None:
        super().__init__()
        self.lines, self.end, self.below = tuple(lines), max(1, end), below
        self.width, self.height = WIDTH * mm, _HEIGHT * mm

    def wrap(self, *_: float) -> tuple[float, float]:
        """Its size in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Axes, then each side's steps with its marks, and the legend above."""
        top = max((value for line in self.lines for _, value in line.steps), default=0)
        self._step = even_step(top, _MOST_TICKS)
        self._top = max(self._step, ceil(top / self._step) * self._step)
        self._axes()
        for index, line in enumerate(self.lines):
            self._draw_line(line, index)
        self._legend()

    def _x(self, place: float) -> float:
        return (_LEFT + (WIDTH - _LEFT - _RIGHT) * place / self.end) * mm

    def _y(self, value: float) -> float:
        return (_FOOT + (_HEIGHT - _FOOT - _HEAD) * value / self._top) * mm

    def _axes(self) -> None:
        canvas = self.canv
        canvas.setLineWidth(0.4)
        canvas.setStrokeColor(LINE)
        canvas.setFillColor(GREY)
        canvas.setFont(REGULAR, _SMALL)
        for value in range(0, self._top + 1, self._step):
            canvas.line(self._x(0), self._y(value), self._x(self.end), self._y(value))
            canvas.drawRightString(self._x(0) - 2 * mm, self._y(value) - _SMALL * 0.35, str(value))
        step = even_step(self.end, _MOST_TICKS)
        for place in range(0, self.end + 1, step):
            canvas.line(self._x(place), self._y(0), self._x(place), self._y(0) - 1.2 * mm)
            canvas.drawCentredString(self._x(place), self._y(0) - 4.2 * mm, str(place))
        canvas.drawCentredString(self._x(self.end / 2), 1.5 * mm, self.below)

    def _draw_line(self, line: Line, index: int) -> None:
        canvas = self.canv
        colour = HexColor(INKS.get(line.colour, "#35423B"))
        canvas.setStrokeColor(colour)
        canvas.setFillColor(colour)
        canvas.setLineWidth(1.4)
        canvas.setDash(list(DASHES[index % len(DASHES)]))
        path = canvas.beginPath()
        value = 0.0
        path.moveTo(self._x(0), self._y(0))
        for place, reached in line.steps:
            path.lineTo(self._x(place), self._y(value))
            path.lineTo(self._x(place), self._y(reached))
            value = reached
        path.lineTo(self._x(self.end), self._y(value))
        canvas.drawPath(path, stroke=1, fill=0)
        canvas.setDash([])
        before = 0.0
        for place, reached in line.steps:
            if reached != before:
                self._mark(index, self._x(place), self._y(reached))
            before = reached

    def _mark(self, index: int, x: float, y: float) -> None:
        """A square, a disc, a rhomb or a triangle."""
        canvas, side = self.canv, _MARK * mm
        if index % 4 == 0:
            canvas.rect(x - side, y - side, 2 * side, 2 * side, stroke=0, fill=1)
            return
        if index % 4 == 1:
            canvas.circle(x, y, 1.15 * side, stroke=0, fill=1)
            return
        corners = ((-1.3, 0), (0, 1.3), (1.3, 0), (0, -1.3)) if index % 4 == 2 else ((-1.2, -1), (0, 1.3), (1.2, -1))
        path = canvas.beginPath()
        for at, (right, up) in enumerate(corners):
            (path.lineTo if at else path.moveTo)(x + right * side, y + up * side)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)

    def _legend(self) -> None:
        """Each side's dash, mark and name in a row; names too long for their share are set smaller."""
        canvas = self.canv
        share = (WIDTH - _LEFT) * mm / max(1, len(self.lines))
        y = (_HEIGHT - 4) * mm
        for index, line in enumerate(self.lines):
            x = self._x(0) + index * share
            colour = HexColor(INKS.get(line.colour, "#35423B"))
            canvas.setStrokeColor(colour)
            canvas.setFillColor(colour)
            canvas.setLineWidth(1.4)
            canvas.setDash(list(DASHES[index % len(DASHES)]))
            canvas.line(x, y, x + 9 * mm, y)
            canvas.setDash([])
            self._mark(index, x + 4.5 * mm, y)
            room, size = share - 14 * mm, _SMALL + 1
            size *= min(1.0, room / max(1.0, stringWidth(line.name, BOLD, size)))
            canvas.setFont(BOLD, size)
            canvas.drawString(x + 11 * mm, y - size * 0.35, line.name)
