"""The test patch of a printed sheet: greys, the colours that must stay apart, a ruler to check the printer's scale."""

from __future__ import annotations

from collections.abc import Sequence

from companion.language import Language
from companion.printing.paper import POINT, Paper
from vision.drawing.design import BALL_COLOURS
from vision.drawing.rendering import BODIES, Colour, from_hex

RULER = 50
"""Length of the ruler in millimetres."""

NBA_BODIES = ("blue", "yellow", "red", "ivory", "grey", "brown")
"""The bodies of NBA-2.1; beige is called ivory."""

GREYS = (0, 20, 40, 60, 80, 100)
"""Steps of white in per cent."""

HEIGHT = 41.0
"""What the patch takes of a sheet, in millimetres."""

_SIDE, _STEP, _ROW = 8.0, 15.0, 13.5
_SMALL = 6.0


def draw_patch(paper: Paper, x: float, y: float, language: Language) -> None:
    """Draws the patch with its upper left corner at (x, y) in millimetres."""
    greys = [(language("sheet.grey", step=step), (step / 100, step / 100, step / 100)) for step in GREYS]
    bodies = [(language(f"sheet.colour.{name}"), BODIES[name]) for name in NBA_BODIES]
    paints = [(language(f"sheet.colour.{name}"), from_hex(text)) for name, text in BALL_COLOURS.items()]
    for row, squares in enumerate((greys, bodies, paints)):
        _squares(paper, x, y + row * _ROW, squares)
    draw_ruler(paper, x + 6 * _STEP + 8, y + 2, language)


def _squares(paper: Paper, x: float, y: float, squares: Sequence[tuple[str, Colour]]) -> None:
    for place, (name, colour) in enumerate(squares):
        left = x + place * _STEP
        paper.area(left, y, _SIDE, _SIDE, colour)
        paper.frame(left, y, _SIDE, _SIDE)
        paper.text(left, y + _SIDE + 1.1 * _SMALL * POINT, name, _SMALL)


def draw_ruler(paper: Paper, x: float, y: float, language: Language) -> None:
    """A ruler of RULER millimetres from (x, y) on, and what it is for."""
    paper.line(x, y, x + RULER, y)
    for millimetre in range(RULER + 1):
        tick = 4.0 if millimetre % 10 == 0 else 3.0 if millimetre % 5 == 0 else 2.0
        paper.line(x + millimetre, y, x + millimetre, y + tick)
        if millimetre % 10 == 0:
            paper.text(x + millimetre, y + tick + 2.5, str(millimetre), _SMALL, centred=True)
    paper.paragraph(x, y + 8, RULER + 8, language("sheet.ruler", length=RULER), 8)
