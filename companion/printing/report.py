"""The match report on A4: result, line-ups, course of the score, rolls, odds against what happened, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import ceil

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer, Table, TableStyle

from companion.games.spec import Group, Member
from companion.language import Language
from companion.printing.page import (
    BOLD,
    GREY,
    LINE,
    REGULAR,
    WIDTH,
    heading,
    led,
    pages,
    paragraph,
    register_fonts,
    table,
)
from companion.table.history import DieCount, Measure, even_step
from companion.table.report import MatchReport, ReportRoll, ReportSide, dice_words, fate_of, kind_word, luck_by_side

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


NOTHING = "–"


def report_pdf(reports: Sequence[MatchReport], language: Language) -> bytes:
    """The PDF of one match or of several, one after the other, each on a new page."""
    register_fonts()
    story: list[Flowable] = []
    for report in reports:
        if story:
            story.append(PageBreak())
        story += _story(report, language)
    title = " / ".join(report.title for report in reports)

    def foot(page: int, of: int) -> str:
        return language("report.page", page=page, pages=of)

    return pages(story, f"{language('report.title')} – {title}", language.code, foot)


def _story(report: MatchReport, say: Language) -> list[Flowable]:
    return [
        paragraph(say("report.title"), "title"),
        paragraph(say("report.played", game=say(f"report.game.{report.game_id}"), day=_day(report, say)), "sub"),
        _result(report),
        *_words(report, say),
        *_line_ups(report, say),
        *_course(report, say),
        *_rolls(report, say),
        *_luck(report, say),
        *_fairness(report, say),
        *_amended(report, say),
        *heading(say("report.rules")),
        paragraph(_rules(report, say)),
    ]


def _day(report: MatchReport, say: Language) -> str:
    start, end = (_moment(at) for at in (report.started, report.ended))
    if start is None or end is None:
        return say("report.no_day")
    day = {"day": f"{start:%d}", "month": f"{start:%m}", "year": f"{start:%Y}"}
    return say("report.day", **day, start=f"{start:%H:%M}", end=f"{end:%H:%M}")


def _moment(at: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone() if at else None
    except ValueError:
        return None


def _hour(at: str | None) -> str:
    moment = _moment(at)
    return f"{moment:%H:%M}" if moment else ""


def _result(report: MatchReport) -> Table:
    """The names with the points under them; long names wrap in their share of the page."""
    sides = report.sides
    made = Table(
        [
            [paragraph(side.name, "name") for side in sides],
            [paragraph(str(side.points), "score") for side in sides],
        ],
        colWidths=[WIDTH * mm / len(sides)] * len(sides),
    )
    made.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("LINEBELOW", (0, 1), (-1, 1), 0.8, LINE)]))
    return made


def _words(report: MatchReport, say: Language) -> list[Flowable]:
    words = [say.text(part) for part in (report.result, report.detail) if part is not None]
    if not report.finished:
        words.insert(0, say("report.unfinished"))
    return [Spacer(1, 2 * mm), *(paragraph(part, "strong") for part in words)]


# Line-ups


def _line_ups(report: MatchReport, say: Language) -> list[Flowable]:
    head = heading(say("report.line_ups"))
    if not any(side.start or side.end for side in report.sides):
        return [*head, paragraph(say("report.no_line_ups"))]
    return [*head, *(piece for side in report.sides for piece in _side(side, say))]


def _side(side: ReportSide, say: Language) -> list[Flowable]:
    made: list[Flowable] = [paragraph(side.name, "strong")]
    changed = bool(side.start) and side.end != side.start
    if side.start:
        made += _groups(side.start, say, "report.line_up_start" if changed else "")
    if changed:
        made += _groups(side.end, say, "report.line_up_end")
    return made


def _groups(groups: Sequence[Group], say: Language, when: str) -> list[Flowable]:
    made: list[Flowable] = []
    for group in groups:
        title = say.text(group.title)
        lead = say("report.lead", title=say(when, title=title) if when else title)
        made.append(led(lead, ", ".join(_member(one, say) for one in group.members)))
    return made


def _member(member: Member, say: Language) -> str:
    notes = ", ".join(say.text(note) for note in member.notes)
    named = f"{say.text(member.role)}\N{NO-BREAK SPACE}{member.name}".strip()
    return f"{named} ({notes})" if notes else named


# Course of the score


def _course(report: MatchReport, say: Language) -> list[Flowable]:
    head = heading(say("report.course"))
    if not report.changes:
        return [*head, paragraph(say("report.no_course"))]
    counted = sum(fact.row.stands for fact in report.facts)
    lines = [
        Line(
            side.name,
            side.colour,
            side.letter,
            tuple((change.place, change.scores[at]) for change in report.changes),
        )
        for at, side in enumerate(report.sides)
    ]
    rows = [
        [str(change.line), _hour(change.at), say.text(change.text), " – ".join(str(points) for points in change.scores)]
        for change in report.changes
    ]
    heads = [say(f"report.{name}") for name in ("line", "time", "fact", "score")]
    return [
        KeepTogether([*head, Curve(lines, counted, say("report.facts_counted", n=counted))]),
        table(heads, rows, (9, 10, 62, 19), numbers=(0,)),
    ]


# Rolls, luck, dice


def _rolls(report: MatchReport, say: Language) -> list[Flowable]:
    head = heading(say("report.rolls"))
    if not report.rolls:
        return [*head, paragraph(say("report.no_rolls"))]
    heads = [say(f"report.{name}") for name in ("line", "fact", "dice", "read_by", "promised", "got")]
    rows = [
        [
            str(roll.line),
            say.text(roll.text),
            say.text(dice_words(report, roll.dice)),
            _reading(roll, say),
            *_odds(report, roll, say),
        ]
        for roll in report.rolls
    ]
    return [*head, table(heads, rows, (7, 37, 22, 14, 10, 10), numbers=(0, 4, 5))]


def _reading(roll: ReportRoll, say: Language) -> str:
    by = say(f"report.by.{roll.by}")
    if roll.purged:
        return say("report.read_purged", by=by)
    if roll.confidence is None:
        return by
    return say("report.read_asked" if roll.asked else "report.read_sure", by=by)


def _odds(report: MatchReport, roll: ReportRoll, say: Language) -> tuple[str, str]:
    """What was promised and what came, for each side whose luck it was."""
    found = [luck_by_side(roll, side.side) for side in report.sides]
    own = [luck for luck in found if luck is not None]
    if not own:
        return NOTHING, NOTHING
    return " / ".join(written(say, luck[1]) for luck in own), " / ".join(written(say, luck[0]) for luck in own)


def _luck(report: MatchReport, say: Language) -> list[Flowable]:
    head = heading(say("report.luck"))
    rows = [
        [name, say(f"cli.stats.what.{what}"), str(each.tries), *_measure(each, say)]
        for name, share in report.tally.sides.items()
        for what, each in share.luck.items()
    ]
    if not rows:
        return [*head, paragraph(say("report.no_luck"))]
    heads = [say(f"report.{name}") for name in ("side", "measure", "tries", "promised", "got", "difference")]
    return [
        *head,
        paragraph(say("report.luck_how"), "note"),
        Spacer(1, 1.5 * mm),
        table(heads, rows, (26, 30, 10, 11, 11, 12), numbers=(2, 3, 4, 5)),
    ]


def _measure(each: Measure, say: Language) -> tuple[str, str, str]:
    sign = "+" if each.luck > 0 else ""
    return written(say, each.expected), written(say, each.got), f"{sign}{written(say, each.luck)}"


def _fairness(report: MatchReport, say: Language) -> list[Flowable]:
    dice = [die for die in report.tally.dice.values() if die.seen]
    if not dice:
        return []
    heads = [say(f"report.{name}") for name in ("side", "die", "faces", "tries", "chance", "verdict")]
    rows = [_die(report, die, len(dice), say) for die in dice]
    return [
        *heading(say("report.dice_fair")),
        paragraph(say("report.fair_how"), "note"),
        Spacer(1, 1.5 * mm),
        table(heads, rows, (18, 15, 36, 8, 8, 15), numbers=(3, 4)),
    ]


def _die(report: MatchReport, die: DieCount, tests: int, say: Language) -> list[str]:
    tested = die.fairness
    faces = ", ".join(
        f"{face_word(report.game_id, die.kind, face, say)}\N{NO-BREAK SPACE}{die.seen[face]}"
        f"\N{NO-BREAK SPACE}({written(say, share * tested.throws, 1)})"
        for face, share in die.shares.items()
    )
    return [
        die.side or say("report.nobody"),
        say.text(kind_word(report, die.kind)),
        faces,
        str(tested.throws),
        written(say, Fraction(tested.chance), 3),
        verdict(die, tests, say),
    ]


def face_word(game_id: str, kind: str, face: str, say: Language) -> str:
    """A face as statistics tell it: a number, or the word of a colour or symbol."""
    if face.lstrip("-").isdigit():
        return face
    return say(f"report.colour.{face}" if kind == "ball" else f"{game_id}.symbol.{face}")


def verdict(die: DieCount, tests: int, say: Language) -> str:
    """What the test of a die comes to in a few words."""
    tested = die.fairness
    if tested.suspicious(tests):
        return say("report.verdict_odd")
    return say("report.verdict_few", n=tested.needed) if tested.needed else say("report.verdict_fine")


# Corrections, rules


def _amended(report: MatchReport, say: Language) -> list[Flowable]:
    head = heading(say("report.amended"))
    if not report.amended:
        return [*head, paragraph(say("report.no_amended"))]
    heads = [say(f"report.{name}") for name in ("line", "time", "fact", "state")]
    rows = [
        [str(fact.row.line), _hour(fact.row.at), say.text(fact.row.text), say(f"report.fate.{fate_of(fact)}")]
        for fact in report.amended
    ]
    return [*head, table(heads, rows, (9, 10, 66, 15), numbers=(0,))]


def _rules(report: MatchReport, say: Language) -> str:
    game = say(f"report.game.{report.game_id}")
    return say("report.rules_text", game=game, version=report.version, program=report.program)


def written(say: Language, value: Fraction, places: int = 2) -> str:
    """A number with its decimals, with the true minus sign."""
    return say.decimal(f"{float(value):.{places}f}".replace("-", "−"))
