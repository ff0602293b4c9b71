"""A report as rows for a spreadsheet: one table whose first column says what a row is about. UTF-8, CRLF, a mark ahead.

The separator is a setting (`data.csv`); by itself it follows the language, since French spreadsheets read a comma as
the decimal mark. Numbers are written with the decimal mark that goes with it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction

from companion.games.base import Message
from companion.language import Language
from companion.table.line_ups import Member
from companion.table.report import MatchReport, ReportFact, ReportRoll, ReportSide, dice_words, luck_by_side

SEPARATORS = {"fr": ";", "en": ","}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for the beginning of a formula."""


def report_csv(reports: Sequence[MatchReport], language: Language, separator: str = "auto") -> bytes:
    """The file of one match or several; `separator` is `;`, `,` or `auto`."""
    mark = SEPARATORS[language.code] if separator == "auto" else separator
    comma = mark == ";"
    most = max((len(report.sides) for report in reports), default=0)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\r\n")
    writer.writerow(_columns(language, most))
    for report in reports:
        for row in _rows(report, language, most, comma):
            writer.writerow([_safe(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _columns(language: Language, sides: int) -> list[str]:
    fixed = ("match", "part", "line", "time", "side", "event", "text", "dice", "by", "fate")
    several = [f"{name}_{number}" for name in ("score", "got", "expected") for number in range(1, sides + 1)]
    names = [language(f"report.csv.{name}") for name in fixed]
    for name in several:
        what, _, number = name.rpartition("_")
        names.append(language(f"report.csv.{what}", number=number))
    return [*names, language("report.csv.measure")]


def _rows(report: MatchReport, language: Language, sides: int, comma: bool) -> Iterator[list[object]]:
    say = language
    gap = [""] * sides
    points: list[object] = [*(side.points for side in report.sides), *[""] * (sides - len(report.sides))]
    words = [language.text(part) for part in (report.result, report.detail) if part is not None]
    yield [
        *(report.title, say("report.part.result"), "", report.ended or "", _winner(report), "", ". ".join(words)),
        *("", "", "", *points, *gap, *gap, ""),
    ]
    for side in report.sides:
        for when, group, member in _members(side):
            role = language.text(member.role)
            notes = ", ".join(language.text(note) for note in member.notes)
            title = f"{say(f'report.part.{when}')}, {language.text(group)}"
            yield [report.title, title, "", "", side.name, role, member.name, notes, "", "", *gap, *gap, *gap, ""]
    for fact in report.facts:
        yield _fact(report, fact, language, sides, comma)


def _members(side: ReportSide) -> Iterator[tuple[str, Message, Member]]:
    parts = [("start", side.start)] + ([("end", side.end)] if side.end != side.start else [])
    for when, groups in parts:
        for group in groups:
            for member in group.members:
                yield when, group.title, member


def _fact(report: MatchReport, fact: ReportFact, language: Language, sides: int, comma: bool) -> list[object]:
    row, roll = fact.row, fact.roll
    names = {side.side: side.name for side in report.sides}
    scores: list[object] = list(fact.scores or ())
    got, expected = _luck_cells(report, roll, comma)
    measures = dict.fromkeys(luck.what for luck in roll.luck) if roll else {}
    return [
        report.title,
        language("report.part.roll" if roll else "report.part.fact"),
        row.line,
        row.at or "",
        names.get(fact.side or "", ""),
        row.fields["event"],
        language.text(row.text),
        language.text(dice_words(report, roll.dice)) if roll else "",
        language(f"report.by.{roll.by}") if roll else "",
        language(f"report.fate.{fate_of(fact)}"),
        *_padded(scores, sides),
        *_padded(got, sides),
        *_padded(expected, sides),
        ", ".join(language(f"cli.stats.what.{what}") for what in measures),
    ]


def _luck_cells(report: MatchReport, roll: ReportRoll | None, comma: bool) -> tuple[list[object], list[object]]:
    """What the dice brought and what they promised, a cell for each side; empty cells where no dice were thrown."""
    lucks = [luck_by_side(roll, side.side) if roll else None for side in report.sides]
    got: list[object] = ["" if luck is None else _decimal(luck[0], comma) for luck in lucks]
    expected: list[object] = ["" if luck is None else _decimal(luck[1], comma) for luck in lucks]
    return got, expected


def fate_of(fact: ReportFact) -> str:
    """`stands`, `corrected` or `undone`."""
    if not fact.row.stands:
        return "undone"
    return "corrected" if fact.row.corrected else "stands"


def _winner(report: MatchReport) -> str:
    return next((side.name for side in report.sides if side.side == report.winner), "")


def _padded(cells: Sequence[object], length: int) -> list[object]:
    return [*cells, *[""] * (length - len(cells))]


def _decimal(value: Fraction, comma: bool) -> str:
    written = f"{float(value):.4f}"
    return written.replace(".", ",") if comma else written


def _safe(cell: object) -> object:
    """A name that a spreadsheet would carry out as a formula is kept from it by an apostrophe."""
    if isinstance(cell, str) and cell.startswith(_FORMULA) and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
