"""The match report as an A4 PDF: result, line-ups, score history, rolls, expected and actual results, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import ceil

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer, Table, TableStyle

from companion.games.spec import LineUpGroup, LineUpMember
from companion.language import Language
from companion.printing.page import (
    BOLD,
    GREY,
    LINE,
    REGULAR,
    WIDTH,
    build_pdf,
    draw_text,
    heading,
    lead_paragraph,
    paragraph,
    register_fonts,
    table,
    text_width,
)
from companion.table.history import DieCount, ExpectedVsActualTotal, axis_step
from companion.table.report import (
    MatchReport,
    ReportRoll,
    ReportSide,
    dice_text,
    expected_vs_actual_by_side,
    kind_text,
    status_of,
)

INKS = {
    "blue": "#0B4F8F",
    "red": "#A32B16",
    "orange": "#8A4A00",
    "white": "#35423B",
    "violet": "#4E2F9E",
    "lime": "#4C5F00",
}
"""Print colours of the sides: dark enough on white."""

DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (1.5, 2), (7, 2, 1.5, 2))
_HEIGHT, _LEFT, _RIGHT, _FOOT, _HEAD = 62.0, 9.0, 4.0, 12.0, 9.0
_MARK_MM = 1.1
_SMALL = 8.0
_MAX_TICKS = 8


@dataclass(frozen=True, slots=True)
class CurveLine:
    """One curve: its name, colour and letter, and the steps (position, value), starting at (0, 0)."""

    name: str
    colour: str
    letter: str
    points: tuple[tuple[float, float], ...]


class ScoreChart(Flowable):
    """The curves of all sides over the positions 0 to `end`. `x_label` is the label of the axis."""

    def __init__(self, lines: Sequence[CurveLine], end: int, x_label: str) -> None:
        super().__init__()
        self.lines, self.end, self.x_label = tuple(lines), max(1, end), x_label
        self.width, self.height = WIDTH * mm, _HEIGHT * mm

    def wrap(self, *_: float) -> tuple[float, float]:
        """Return the size in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the axes, each side's curve with its markers, and the legend on top."""
        top = max((value for line in self.lines for _, value in line.points), default=0)
        self._step = axis_step(top, _MAX_TICKS)
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
        step = axis_step(self.end, _MAX_TICKS)
        for place in range(0, self.end + 1, step):
            canvas.line(self._x(place), self._y(0), self._x(place), self._y(0) - 1.2 * mm)
            canvas.drawCentredString(self._x(place), self._y(0) - 4.2 * mm, str(place))
        canvas.drawCentredString(self._x(self.end / 2), 1.5 * mm, self.x_label)

    def _draw_line(self, line: CurveLine, index: int) -> None:
        canvas = self.canv
        colour = HexColor(INKS.get(line.colour, "#35423B"))
        canvas.setStrokeColor(colour)
        canvas.setFillColor(colour)
        canvas.setLineWidth(1.4)
        canvas.setDash(list(DASHES[index % len(DASHES)]))
        path = canvas.beginPath()
        value = 0.0
        path.moveTo(self._x(0), self._y(0))
        for place, value_after in line.points:
            path.lineTo(self._x(place), self._y(value))
            path.lineTo(self._x(place), self._y(value_after))
            value = value_after
        path.lineTo(self._x(self.end), self._y(value))
        canvas.drawPath(path, stroke=1, fill=0)
        canvas.setDash([])
        value_before = 0.0
        for place, value_after in line.points:
            if value_after != value_before:
                self._mark(index, self._x(place), self._y(value_after))
            value_before = value_after

    def _mark(self, index: int, x: float, y: float) -> None:
        """Draw a square, circle, diamond or triangle."""
        canvas, side = self.canv, _MARK_MM * mm
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
        """Draw each side's dash, marker and name in a row. Names that are too long are set smaller."""
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
            available_width, size = share - 14 * mm, _SMALL + 1
            size *= min(1.0, available_width / max(1.0, text_width(line.name, BOLD, size)))
            draw_text(canvas, x + 11 * mm, y - size * 0.35, line.name, BOLD, size)


NO_VALUE = "–"


def report_pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    """Return a PDF of one or more matches, each starting on a new page."""
    register_fonts()
    flowables: list[Flowable] = []
    for report in reports:
        if flowables:
            flowables.append(PageBreak())
        flowables += _match_flowables(report, language)
    title = " / ".join(report.title for report in reports)

    def footer(page: int, of: int) -> str:
        return language("report.page", page=page, pages=of)

    return build_pdf(flowables, f"{language('report.title')} – {title}", language.code, footer)


def _match_flowables(report: MatchReport, language: Language) -> list[Flowable]:
    return [
        paragraph(language("report.title"), "title"),
        paragraph(
            language(
                "report.played", game=language(f"report.game.{report.game_id}"), day=_match_date(report, language)
            ),
            "sub",
        ),
        _result(report, language),
        *_summary(report, language),
        *_line_ups(report, language),
        *_course(report, language),
        *_rolls(report, language),
        *_expected_vs_actual(report, language),
        *_fairness(report, language),
        *_amendments(report, language),
        *heading(language("report.rules")),
        paragraph(_rules(report, language)),
    ]


def _match_date(report: MatchReport, language: Language) -> str:
    start, end = (_parse_time(at) for at in (report.started, report.ended))
    if start is None or end is None:
        return language("report.no_day")
    day = {"day": f"{start:%d}", "month": f"{start:%m}", "year": f"{start:%Y}"}
    return language("report.day", **day, start=f"{start:%H:%M}", end=f"{end:%H:%M}")


def _parse_time(at: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone() if at else None
    except ValueError:
        return None


def _hour(at: str | None) -> str:
    moment = _parse_time(at)
    return f"{moment:%H:%M}" if moment else ""


def _player_note(side: ReportSide, language: Language) -> list[Flowable]:
    """Return who played a side, as far as it is known."""
    if side.is_opponent:
        return [paragraph(language("report.opponent"), "note")]
    return [paragraph(language("report.person", name=side.person), "note")] if side.person else []


def _result(report: MatchReport, language: Language) -> Table:
    """Return the names with the points below. Long names wrap in their column. Sides of the app say so."""
    sides = report.sides
    names = [[paragraph(side.name, "name"), *_player_note(side, language)] for side in sides]
    made = Table(
        [
            names,
            [paragraph(str(side.points), "score") for side in sides],
        ],
        colWidths=[WIDTH * mm / len(sides)] * len(sides),
    )
    made.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("LINEBELOW", (0, 1), (-1, 1), 0.8, LINE)]))
    return made


def _summary(report: MatchReport, language: Language) -> list[Flowable]:
    texts = [language.text(part) for part in (report.result, report.detail) if part is not None]
    if not report.is_finished:
        texts.insert(0, language("report.unfinished"))
    return [Spacer(1, 2 * mm), *(paragraph(part, "strong") for part in texts)]


# Line-ups


def _line_ups(report: MatchReport, language: Language) -> list[Flowable]:
    head = heading(language("report.line_ups"))
    if not any(side.start or side.end for side in report.sides):
        return [*head, paragraph(language("report.no_line_ups"))]
    return [*head, *(piece for side in report.sides for piece in _side(side, language))]


def _side(side: ReportSide, language: Language) -> list[Flowable]:
    made: list[Flowable] = [paragraph(side.name, "strong")]
    has_changed = bool(side.start) and side.end != side.start
    if side.start:
        made += _groups(side.start, language, "report.line_up_start" if has_changed else "")
    if has_changed:
        made += _groups(side.end, language, "report.line_up_end")
    return made


def _groups(groups: Sequence[LineUpGroup], language: Language, when: str) -> list[Flowable]:
    made: list[Flowable] = []
    for group in groups:
        title = language.text(group.title)
        lead = language("report.lead", title=language(when, title=title) if when else title)
        made.append(lead_paragraph(lead, ", ".join(_member(one, language) for one in group.members)))
    return made


def _member(member: LineUpMember, language: Language) -> str:
    notes = ", ".join(language.text(note) for note in member.notes)
    named = f"{language.text(member.role)}\N{NO-BREAK SPACE}{member.name}".strip()
    return f"{named} ({notes})" if notes else named


# Score history


def _course(report: MatchReport, language: Language) -> list[Flowable]:
    head = heading(language("report.course"))
    if not report.course.changes:
        return [*head, paragraph(language("report.no_course"))]
    lines = [
        CurveLine(
            side.name,
            side.colour,
            side.letter,
            tuple((change.turn_number, change.scores[at]) for change in report.course.changes),
        )
        for at, side in enumerate(report.sides)
    ]
    rows = [
        [
            str(change.line),
            _hour(change.at),
            language.text(change.text),
            " – ".join(str(points) for points in change.scores),
        ]
        for change in report.course.changes
    ]
    heads = [language(f"report.{name}") for name in ("line", "time", "fact", "score")]
    return [
        KeepTogether([*head, ScoreChart(lines, report.course.turns, language(report.course.unit))]),
        table(heads, rows, (9, 10, 62, 19), number_columns=(0,)),
    ]


# Rolls, luck, dice


def _rolls(report: MatchReport, language: Language) -> list[Flowable]:
    head = heading(language("report.rolls"))
    if not report.rolls:
        return [*head, paragraph(language("report.no_rolls"))]
    heads = [language(f"report.{name}") for name in ("line", "fact", "dice", "read_by", "promised", "got")]
    rows = [
        [
            str(roll.line),
            language.text(roll.text),
            language.text(dice_text(report, roll.dice)),
            _reading(roll, language),
            *_odds(report, roll, language),
        ]
        for roll in report.rolls
    ]
    return [*head, table(heads, rows, (7, 37, 22, 14, 10, 10), number_columns=(0, 4, 5))]


def _reading(roll: ReportRoll, language: Language) -> str:
    by = language(f"report.by.{roll.by}")
    if roll.is_purged:
        return language("report.read_purged", by=by)
    if roll.confidence is None:
        return by
    return language("report.read_asked" if roll.was_asked else "report.read_sure", by=by)


def _odds(report: MatchReport, roll: ReportRoll, language: Language) -> tuple[str, str]:
    """Return the expected and the actual result of each side whose luck was involved."""
    samples = [expected_vs_actual_by_side(roll, side.side) for side in report.sides]
    own_samples = [sample for sample in samples if sample is not None]
    if not own_samples:
        return NO_VALUE, NO_VALUE
    return " / ".join(format_number(language, sample[1]) for sample in own_samples), " / ".join(
        format_number(language, sample[0]) for sample in own_samples
    )


def _expected_vs_actual(report: MatchReport, language: Language) -> list[Flowable]:
    head = heading(language("report.luck"))
    rows = [
        [name, language(f"cli.stats.what.{what}"), str(each.trials), *_measure(each, language)]
        for name, share in report.tally.sides.items()
        for what, each in share.expected_vs_actual.items()
    ]
    if not rows:
        return [*head, paragraph(language("report.no_luck"))]
    heads = [language(f"report.{name}") for name in ("side", "measure", "tries", "promised", "got", "difference")]
    return [
        *head,
        paragraph(language("report.luck_how"), "note"),
        Spacer(1, 1.5 * mm),
        table(heads, rows, (26, 30, 10, 11, 11, 12), number_columns=(2, 3, 4, 5)),
    ]


def _measure(each: ExpectedVsActualTotal, language: Language) -> tuple[str, str, str]:
    sign = "+" if each.difference > 0 else ""
    return (
        format_number(language, each.expected),
        format_number(language, each.actual),
        f"{sign}{format_number(language, each.difference)}",
    )


def _fairness(report: MatchReport, language: Language) -> list[Flowable]:
    dice = [die for die in report.tally.dice.values() if die.counts]
    if not dice:
        return []
    heads = [language(f"report.{name}") for name in ("side", "die", "faces", "tries", "chance", "verdict")]
    rows = [_die(report, die, len(dice), language) for die in dice]
    return [
        *heading(language("report.dice_fair")),
        paragraph(language("report.fair_how"), "note"),
        Spacer(1, 1.5 * mm),
        table(heads, rows, (18, 15, 36, 8, 8, 15), number_columns=(3, 4)),
    ]


def _die(report: MatchReport, die: DieCount, tests: int, language: Language) -> list[str]:
    tested = die.fairness
    faces = ", ".join(
        f"{face_text(report.game_id, die.kind, face, language)}\N{NO-BREAK SPACE}{die.counts[face]}"
        f"\N{NO-BREAK SPACE}({format_number(language, share * tested.throws, 1)})"
        for face, share in die.probabilities.items()
    )
    return [
        die.side or language("report.nobody"),
        language.text(kind_text(report, die.kind)),
        faces,
        str(tested.throws),
        format_number(language, Fraction(tested.p_value), 3),
        verdict(die, tests, language),
    ]


def face_text(game_id: str, kind: str, face: str, language: Language) -> str:
    """Return a face as shown in statistics: a number, or the word for a colour or symbol."""
    if face.lstrip("-").isdigit():
        return face
    return language(f"report.colour.{face}" if kind == "ball" else f"{game_id}.symbol.{face}")


def verdict(die: DieCount, tests: int, language: Language) -> str:
    """Return the verdict of a die's fairness test in a few words."""
    tested = die.fairness
    if tested.is_suspicious(tests):
        return language("report.verdict_odd")
    return (
        language("report.verdict_few", n=tested.throws_needed)
        if tested.throws_needed
        else language("report.verdict_fine")
    )


# Corrections, rules


def _amendments(report: MatchReport, language: Language) -> list[Flowable]:
    head = heading(language("report.amended"))
    if not report.amended_events:
        return [*head, paragraph(language("report.no_amended"))]
    heads = [language(f"report.{name}") for name in ("line", "time", "fact", "state")]
    rows = [
        [
            str(fact.row.line),
            _hour(fact.row.at),
            language.text(fact.row.text),
            language(f"report.fate.{status_of(fact)}"),
        ]
        for fact in report.amended_events
    ]
    return [*head, table(heads, rows, (9, 10, 66, 15), number_columns=(0,))]


def _rules(report: MatchReport, language: Language) -> str:
    game = language(f"report.game.{report.game_id}")
    return language("report.rules_text", game=game, version=report.version, program=report.program)


def format_number(language: Language, value: Fraction, places: int = 2) -> str:
    """Return a number with its decimals and a true minus sign."""
    return language.decimal(f"{float(value):.{places}f}".replace("-", "−"))
