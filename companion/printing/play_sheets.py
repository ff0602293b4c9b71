"""Sheets for play on paper: score sheet, star sheet and help card of a game, on A4.

The words are the program's own: the hints of the guided match and its short texts of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Paragraph, Spacer, Table, TableStyle

from companion.games.spec import AnySpec, PlaySheets, ScorePeriod, SheetColumn
from companion.language import Language
from companion.printing.page import (
    BAND,
    BOLD,
    GREEN,
    GREY,
    LINE,
    REGULAR,
    WIDTH,
    build_pdf,
    heading,
    lead_paragraph,
    paragraph,
    register_fonts,
)

SheetKind = Literal["score", "stars", "guide"]
SHEET_KINDS: tuple[SheetKind, ...] = ("score", "stars", "guide")

_INNER_MM = WIDTH - 12 / mm
"""Width inside the page's frame, which pads 6 points at each side, in millimetres."""
_LABEL_MM = 30.0
"""Width of the names of what is noted."""
_ROW_MM, _PERSON_ROW_MM = 8.0, 8.5
_BOX_MM, _GAP_MM = 3.6, 0.9
"""Edge of a box or star, and the gap between two."""
_STAR_INNER = 0.42
"""Inner radius of a star, relative to the outer one."""


class NoSheet(Exception):
    """A game that has no such sheet."""


def sheets_of(spec: AnySpec) -> tuple[SheetKind, ...]:
    """Return the kinds of sheets that a game has."""
    has = {"score": bool(spec.sheets.periods), "stars": bool(spec.sheets.people), "guide": bool(spec.phases)}
    return tuple(kind for kind in SHEET_KINDS if has[kind])


def play_sheet(spec: AnySpec, kind: SheetKind, language: Language) -> bytes:
    """Return a sheet as PDF. Raises: NoSheet if the game has none of that kind."""
    if kind not in sheets_of(spec):
        raise NoSheet(kind)
    register_fonts()
    game = language(f"app.game.{spec.id}")
    title = language(f"sheet.{kind}.title", game=game)
    make: dict[str, Callable[[AnySpec, Language], list[Flowable]]]
    make = {"score": _score_sheet, "stars": _star_sheet, "guide": _help_card}
    pieces = [paragraph(title, "title"), *make[kind](spec, language)]
    return build_pdf(pieces, title, language.code, lambda page, of: f"{title} {page}/{of}" if of > 1 else title)


# Score sheet


def _score_sheet(spec: AnySpec, language: Language) -> list[Flowable]:
    pieces: list[Flowable] = [_blanks(language, ("sheet.date", "sheet.place", "sheet.season")), Spacer(1, 3 * mm)]
    for number in (1, 2):
        periods = [_period(spec.sheets, period, language) for period in spec.sheets.periods]
        title = paragraph(language("sheet.side", n=number), "head")
        pieces.append(KeepTogether([title, _blanks(language, ("sheet.name", "sheet.coach")), *periods]))
    pieces += heading(language("sheet.result"))
    pieces.append(_blanks(language, ("sheet.score", "sheet.winner")))
    pieces.append(_blanks(language, ("sheet.signature", "sheet.signature")))
    return pieces


def _period(sheets: PlaySheets, period: ScorePeriod, language: Language) -> Flowable:
    """Return the boxes of a period: a column for each turn, a row for each record."""
    most = max(each.columns for each in sheets.periods)
    wide = (_INNER_MM - _LABEL_MM) / most
    head = [paragraph(language.text(period.title), "cell_head"), *map(str, range(1, period.columns + 1))]
    rows = [[paragraph(language.text(record), "cell"), *[""] * period.columns] for record in sheets.records]
    heights: list[float | None] = [None, *[_ROW_MM * mm] * len(rows)]
    table = Table(
        [head, *rows],
        colWidths=[_LABEL_MM * mm, *[wide * mm] * period.columns],
        rowHeights=heights,
        hAlign="LEFT",
        spaceBefore=2 * mm,
    )
    table.setStyle(_GRID)
    return table


# Star sheet


def _star_sheet(spec: AnySpec, language: Language) -> list[Flowable]:
    people = spec.sheets.people
    total = sum(column.width for column in people)
    widths = [_INNER_MM * mm * column.width / total for column in people]
    head = [paragraph(language.text(column.title), "cell_head") for column in people]
    rows = [[_marks(column) for column in people] for _ in range(spec.sheets.rows)]
    table = Table([head, *rows], colWidths=widths, rowHeights=[None, *[_PERSON_ROW_MM * mm] * len(rows)], repeatRows=1)
    table.setStyle(_GRID)
    return [_blanks(language, ("sheet.name", "sheet.coach")), Spacer(1, 3 * mm), table]


def _marks(column: SheetColumn) -> Flowable | str:
    return _Boxes(column.boxes, stars=column.stars) if column.boxes else ""


class _Boxes(Flowable):
    """Empty boxes in a row, or the outlines of stars, to tick or to fill in."""

    def __init__(self, count: int, *, stars: bool) -> None:
        super().__init__()
        self._count, self._stars = count, stars

    def wrap(self, *_: float) -> tuple[float, float]:
        self.width = (self._count * (_BOX_MM + _GAP_MM) - _GAP_MM) * mm
        self.height = _BOX_MM * mm
        return self.width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        canvas.setStrokeColor(GREY)
        canvas.setLineWidth(0.6)
        for at in range(self._count):
            left = at * (_BOX_MM + _GAP_MM) * mm
            if self._stars:
                canvas.drawPath(_star(canvas, left + _BOX_MM * mm / 2, _BOX_MM * mm / 2, _BOX_MM * mm / 2), fill=0)
            else:
                canvas.rect(left, 0, _BOX_MM * mm, _BOX_MM * mm, fill=0)


def _star(canvas: Any, x: float, y: float, radius: float) -> Any:
    """Return the path of a star with five points around a centre."""
    path = canvas.beginPath()
    for corner in range(10):
        reach = radius * (_STAR_INNER if corner % 2 else 1.0)
        angle = math.pi / 2 + corner * math.pi / 5
        (path.lineTo if corner else path.moveTo)(x + reach * math.cos(angle), y + reach * math.sin(angle))
    path.close()
    return path


# Help card


def _help_card(spec: AnySpec, language: Language) -> list[Flowable]:
    """Return the steps of the game with their short rules, then the other rules by chapter."""
    pieces: list[Flowable] = [paragraph(language("sheet.guide.how"), "sub")]
    pieces += heading(language("sheet.guide.steps"))
    number = 0
    for phase, rules in spec.phases.items():
        id = f"guide.{spec.id}.{phase}"
        hint = language(id)
        if hint == id:
            continue
        number += 1
        lines = [_rule(rule, language) for rule in rules if _has_text(rule, language)]
        pieces.append(KeepTogether([_Step(number, hint), *lines]))
    chapters = _chapters(spec, language)
    if chapters:
        pieces.append(PageBreak())
        pieces += heading(language("sheet.guide.rules"))
        for chapter, chapter_rules in chapters.items():
            title = paragraph(language(f"help.{chapter}"), "strong")
            first, *rest = [_rule(rule, language) for rule in chapter_rules]
            pieces += [KeepTogether([title, first]), *rest]
    return pieces


def _chapters(spec: AnySpec, language: Language) -> dict[str, list[str]]:
    """Return the rules of a game that have a short text, by chapter."""
    cited = next((rule for rules in spec.phases.values() for rule in rules), "")
    prefix = cited.partition("-")[0]
    found: dict[str, list[str]] = {}
    for chapter in range(1, _MAX_CHAPTER + 1):
        rules = [f"{prefix}-{chapter}.{at}" for at in range(1, _MAX_RULE + 1)]
        texts = [rule for rule in rules if _has_text(rule, language)]
        if texts and _has_text(f"{prefix}-{chapter}", language):
            found[f"{prefix}-{chapter}"] = texts
    return found


_MAX_CHAPTER, _MAX_RULE = 30, 40
"""More chapters than any rulebook has, and more rules than any chapter."""


def _has_text(rule: str, language: Language) -> bool:
    return language(f"help.{rule}") != f"help.{rule}"


def _rule(rule: str, language: Language) -> Paragraph:
    return lead_paragraph(rule, language(f"help.{rule}"))


class _Step(Flowable):
    """A step: its number on the face of a drawn die, and what to do."""

    def __init__(self, number: int, hint: str) -> None:
        super().__init__()
        self._number, self._text = number, paragraph(hint, "strong")

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        _, tall = self._text.wrap(width - _DIE_MM * mm - 3 * mm, height)
        self.height = max(tall, _DIE_MM * mm) + 2 * mm
        self._text_height = tall
        return self.width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        edge = _DIE_MM * mm
        canvas.setFillColor(BAND)
        canvas.setStrokeColor(GREEN)
        canvas.setLineWidth(0.8)
        canvas.roundRect(0, self.height - edge - 1 * mm, edge, edge, 1.4 * mm, fill=1)
        canvas.setFillColor(GREEN)
        canvas.setFont(BOLD, 12)
        canvas.drawCentredString(edge / 2, self.height - edge / 2 - 1 * mm - 4.2, str(self._number))
        self._text.drawOn(canvas, edge + 3 * mm, self.height - self._text_height - 1.5 * mm)


_DIE_MM = 8.0


# Parts of all sheets


def _blanks(language: Language, labels: Sequence[str]) -> Table:
    """Return labels with a line to write on, side by side."""
    cells = [paragraph(language(label), "cell") for label in labels]
    table = Table([cells], colWidths=[_INNER_MM * mm / len(cells)] * len(cells), rowHeights=[10 * mm])
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "BOTTOM"), ("LINEBELOW", (0, 0), (-1, -1), 0.6, LINE)]))
    return table


_GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, LINE),
        ("BACKGROUND", (0, 0), (-1, 0), BAND),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("FONT", (1, 0), (-1, 0), REGULAR, 8),
        ("TEXTCOLOR", (1, 0), (-1, 0), GREY),
        ("ALIGN", (1, 0), (-1, 0), "CENTER"),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)
