"""Match report data: sides, score history, every roll, luck, corrections and result. Pure.

Built from a ledger of any game. Texts are messages. Renderers add no content.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.games.base import DiceStatistics, Die, ExpectedVsActual, Fields, GameState, Message, SideStat
from companion.games.registry import SPECS
from companion.games.spec import LineUpGroup, LineUpMember
from companion.games.wording import comma_separated, literal
from companion.journal.ledger import AnyLedger
from companion.language import Language
from companion.table.dice import Pictures
from companion.table.history import HistoryTally, headline_of, score_of, winner_of
from companion.table.opponents import seats_of
from companion.table.parts import PartCounter
from companion.table.profiles import persons_of
from companion.table.session import BY_OPPONENT, TimelineRow, timeline

NO_PICTURES = Pictures()
PicturesOf = Callable[[int], Pictures]
"""Returns the pictures stored with the event of a line."""

Scores = tuple[int, ...]
"""Points in the order of the sides."""


@dataclass(frozen=True, slots=True)
class ReportSide:
    """A side: its scene data, its points, its first complete line-up and its final one."""

    side: str
    name: str
    colour: str
    letter: str
    points: int
    stats: tuple[SideStat, ...]
    start: tuple[LineUpGroup, ...]
    end: tuple[LineUpGroup, ...]
    is_opponent: bool = False
    """True if an opponent of the app played it."""
    person: str = ""
    """The name of the person who played it; empty if the header does not tell."""


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """An event that changed the score, and the score after it.

    `position` counts valid events from 1, `turn_number` the turns of the match.
    """

    position: int
    turn_number: int
    line: int
    at: str | None
    text: Message
    scores: Scores


@dataclass(frozen=True, slots=True)
class ScoreCourse:
    """The score history, and the number of turns so far. `unit` is the message id of what the turns are called."""

    changes: tuple[ScoreChange, ...] = ()
    turns: int = 0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ReportRoll:
    """The dice of an event: how they were read, the expected and the actual result."""

    line: int
    at: str | None
    text: Message
    dice: tuple[Die, ...]
    by: str
    was_asked: bool
    """True if the reader was uncertain about a die and a player answered."""
    confidence: float | None
    """The lowest confidence of its readings; None without pictures."""
    is_purged: bool
    expected_vs_actual: tuple[ExpectedVsActual, ...]
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class ReportEvent:
    """A timeline event with the score after it. An undone one does not count."""

    row: TimelineRow
    side: str | None
    scores: Scores | None
    roll: ReportRoll | None


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The contents of a report. `version` is that of the journal's rules, `program` that of the program."""

    game_id: str
    title: str
    started: str | None
    ended: str | None
    sides: tuple[ReportSide, ...]
    result: Message | None
    detail: Message | None
    winner: str | None
    is_finished: bool
    course: ScoreCourse
    events: tuple[ReportEvent, ...]
    tally: HistoryTally
    version: int
    program: str

    @property
    def rolls(self) -> tuple[ReportRoll, ...]:
        """The rolls that count."""
        return tuple(fact.roll for fact in self.events if fact.roll is not None and fact.row.is_active)

    @property
    def amended_events(self) -> tuple[ReportEvent, ...]:
        """Events that were undone or corrected."""
        return tuple(fact for fact in self.events if fact.row.is_corrected or not fact.row.is_active)


def report(
    ledger: AnyLedger, chances: DiceStatistics[GameState], program: str, pictures: PicturesOf | None = None
) -> MatchReport:
    """Return the report of a match in its current state."""
    game, state = ledger.game, ledger.state
    totals = HistoryTally()
    totals.add(ledger, chances)
    ids = tuple(ledger.header["sides"])
    rows = timeline(game, ledger, ())
    scores_by_line = _scores_by_line(ledger, ids)
    expected_vs_actual = _expected_vs_actual(ledger, chances)
    events = tuple(
        _report_event(ledger, row, ids, scores_by_line, expected_vs_actual, pictures or (lambda _: NO_PICTURES))
        for row in rows
    )
    headline, scene = headline_of(game, state), game.scene(state)
    ends = [row.at for row in rows if row.at]
    score = score_of(game, state)
    start, end = _first_line_up(ledger), SPECS[game.id].line_up(state)
    persons = persons_of(ledger.header)
    sides = tuple(
        ReportSide(
            side.side,
            side.name,
            side.colour,
            side.letter,
            score.get(side.side, 0),
            side.stats,
            start.get(side.side, ()),
            end.get(side.side, ()),
            side.side in seats_of(ledger.header),
            persons[side.side].name if side.side in persons else "",
        )
        for side in scene.sides
    )
    return MatchReport(
        game_id=game.id,
        title=" – ".join(side.name for side in sides),
        started=ends[0] if ends else None,
        ended=ends[-1] if ends else None,
        sides=sides,
        result=headline.text if headline else None,
        detail=headline.detail if headline else None,
        winner=winner_of(game, state),
        is_finished=game.finished(state),
        course=_course(ledger, rows, scores_by_line),
        events=events,
        tally=totals,
        version=ledger.header["journal"],
        program=program,
    )


def score_course(ledger: AnyLedger) -> ScoreCourse:
    """Return only the score history, for a chart."""
    return _course(ledger, timeline(ledger.game, ledger, ()), _scores_by_line(ledger, tuple(ledger.header["sides"])))


def die_text(game_id: str, die: Die) -> Message:
    """Return the text of a die's face: a number, a colour, both, or a symbol."""
    if die.symbol is not None:
        return Message(f"{game_id}.symbol.{die.symbol}")
    if die.colour is None:
        return literal("?" if die.value is None else die.value)
    if die.value is None:
        return Message(f"report.colour.{die.colour}")
    return Message("report.face", {"value": die.value, "colour": Message(f"{game_id}.colour.{die.colour}")})


def dice_text(report: MatchReport, dice: tuple[Die, ...]) -> Message:
    """Return the faces of a roll in order, grouped by kind if there are several; empty for no dice."""
    kinds = dict.fromkeys(die.kind for die in dice)
    groups = [(kind, _faces(report.game_id, [die for die in dice if die.kind == kind])) for kind in kinds]
    if len(groups) < 2:
        return groups[0][1] if groups else literal("")
    head, *rest = [Message("report.dice_of", {"kind": kind_text(report, kind), "dice": each}) for kind, each in groups]
    for group in rest:
        head = Message("report.dice_beside", {"head": head, "rest": group})
    return head


def _faces(game_id: str, dice: list[Die]) -> Message:
    """Return faces in order; symbols are counted, since their order has no meaning."""
    symbols = Counter(die.symbol for die in dice)
    if None in symbols:
        return comma_separated([die_text(game_id, die) for die in dice])
    return comma_separated(
        [Message(f"{game_id}.dice.{symbol}", {"n": count}) for symbol, count in symbols.most_common()]
    )


def kind_text(report: MatchReport, kind: str) -> Message:
    """Return the name of a kind of dice: the side's name if the kind belongs to a side."""
    own = next((side.name for side in report.sides if side.side == kind), None)
    return literal(own) if own is not None else Message(f"sheet.kind.{kind}")


def expected_vs_actual_by_side(roll: ReportRoll, side: str) -> tuple[Fraction, Fraction] | None:
    """Return the actual and the expected result of a roll for a side; None if its luck was not involved."""
    samples = [sample for sample in roll.expected_vs_actual if sample.side == side]
    if not samples:
        return None
    return sum((sample.actual for sample in samples), Fraction(0)), sum(
        (sample.expected for sample in samples), Fraction(0)
    )


def _scores_by_line(ledger: AnyLedger, ids: tuple[str, ...]) -> dict[int, Scores]:
    """Return the score after each valid event, by line."""
    scores_by_line = {}
    for event in ledger.events:
        score = score_of(ledger.game, event.state_after)
        scores_by_line[event.line] = tuple(score.get(id, 0) for id in ids)
    return scores_by_line


def _course(ledger: AnyLedger, rows: tuple[TimelineRow, ...], scores_by_line: dict[int, Scores]) -> ScoreCourse:
    changes = []
    counter, state_before = PartCounter(ledger.game.id), ledger.initial_state
    rows_by_line = {row.line: row for row in rows}
    before: Scores = (0,) * len(ledger.header["sides"])
    for position, event in enumerate(ledger.events, 1):
        counter.enter(state_before)
        scores = scores_by_line[event.line]
        if scores != before:
            row = rows_by_line[event.line]
            changes.append(ScoreChange(position, counter.turns, event.line, row.at, row.text, scores))
        before, state_before = scores, event.state_after
    return ScoreCourse(tuple(changes), counter.turns, SPECS[ledger.game.id].turn_unit)


def _expected_vs_actual(
    ledger: AnyLedger, chances: DiceStatistics[GameState]
) -> dict[int, tuple[ExpectedVsActual, ...]]:
    by_line, state_before = {}, ledger.initial_state
    for event in ledger.events:
        by_line[event.line] = chances.expected_vs_actual(state_before, event.fields, event.outcome, event.state_after)
        state_before = event.state_after
    return by_line


def _report_event(
    ledger: AnyLedger,
    row: TimelineRow,
    ids: tuple[str, ...],
    scores_by_line: dict[int, Scores],
    expected_vs_actual: dict[int, tuple[ExpectedVsActual, ...]],
    pictures: PicturesOf,
) -> ReportEvent:
    dice = ledger.game.dice_from_event(row.fields)
    roll = _roll(row, dice, expected_vs_actual.get(row.line, ()), pictures(row.line)) if dice else None
    return ReportEvent(row, _side(row.fields, ids), scores_by_line.get(row.line), roll)


def _roll(
    row: TimelineRow, dice: tuple[Die, ...], expected_vs_actual: tuple[ExpectedVsActual, ...], pictures: Pictures
) -> ReportRoll:
    return ReportRoll(
        line=row.line,
        at=row.at,
        text=row.text,
        dice=dice,
        by=row.by if row.by in ("camera", "touch", "button", "serial", "import", BY_OPPONENT) else "unknown",
        was_asked=any(not die.certain for die in pictures.dice),
        confidence=min((die.confidence for die in pictures.dice), default=None),
        is_purged=pictures.purged,
        expected_vs_actual=expected_vs_actual,
        is_corrected=row.is_corrected,
    )


def _side(fields: Fields, ids: tuple[str, ...]) -> str | None:
    named = (fields.get(key) for key in ("side", "team"))
    return next((side for side in named if isinstance(side, str) and side in ids), None)


def _first_line_up(ledger: AnyLedger) -> dict[str, tuple[LineUpGroup, ...]]:
    """Return each side's line-up when it was first known."""
    found: dict[str, tuple[LineUpGroup, ...]] = {}
    sides = set(ledger.header["sides"])
    for state in (ledger.initial_state, *(event.state_after for event in ledger.events)):
        now: Any = SPECS[ledger.game.id].line_up(state)
        found |= {side: groups for side, groups in now.items() if groups and side not in found}
        if not now or found.keys() >= sides:
            break
    return found


# Reports as rows for a spreadsheet: a single table; its first column is the row type. UTF-8 with BOM, CRLF.

SEPARATORS = {"fr": ";", "en": ","}
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""Characters that a spreadsheet takes for the start of a formula."""


def report_csv(reports: Sequence[MatchReport], language: Language, separator: str = "auto") -> bytes:
    """Return the file of one or more matches. `separator`: `;`, `,` or `auto`."""
    delimiter = SEPARATORS[language.code] if separator == "auto" else separator
    decimal_comma = delimiter == ";"
    max_sides = max((len(report.sides) for report in reports), default=0)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(_columns(language, max_sides))
    for report in reports:
        for row in _rows(report, language, max_sides, decimal_comma):
            writer.writerow([_escape_formula(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _columns(language: Language, sides: int) -> list[str]:
    first_columns = ("match", "part", "line", "time", "side", "event", "text", "dice", "by", "fate")
    side_columns = [f"{name}_{number}" for name in ("score", "got", "expected") for number in range(1, sides + 1)]
    names = [language(f"report.csv.{name}") for name in first_columns]
    for name in side_columns:
        what, _, number = name.rpartition("_")
        names.append(language(f"report.csv.{what}", number=number))
    return [*names, language("report.csv.measure")]


def _rows(report: MatchReport, language: Language, sides: int, decimal_comma: bool) -> Iterator[list[object]]:
    translate = language
    gap = [""] * sides
    points: list[object] = [*(side.points for side in report.sides), *[""] * (sides - len(report.sides))]
    result_texts = [language.text(part) for part in (report.result, report.detail) if part is not None]
    yield [
        *(
            report.title,
            translate("report.part.result"),
            "",
            report.ended or "",
            _winner_name(report),
            "",
            ". ".join(result_texts),
        ),
        *("", "", "", *points, *gap, *gap, ""),
    ]
    for side in report.sides:
        for when, group, member in _members(side):
            role = language.text(member.role)
            notes = ", ".join(language.text(note) for note in member.notes)
            title = f"{translate(f'report.part.{when}')}, {language.text(group)}"
            yield [report.title, title, "", "", side.name, role, member.name, notes, "", "", *gap, *gap, *gap, ""]
    for event in report.events:
        yield _event_row(report, event, language, sides, decimal_comma)


def _members(side: ReportSide) -> Iterator[tuple[str, Message, LineUpMember]]:
    parts = [("start", side.start)] + ([("end", side.end)] if side.end != side.start else [])
    for when, groups in parts:
        for group in groups:
            for member in group.members:
                yield when, group.title, member


def _event_row(
    report: MatchReport, event: ReportEvent, language: Language, sides: int, decimal_comma: bool
) -> list[object]:
    row, roll = event.row, event.roll
    names = {side.side: side.name for side in report.sides}
    scores: list[object] = list(event.scores or ())
    got, expected = _expected_vs_actual_cells(report, roll, decimal_comma)
    measures = dict.fromkeys(sample.measure for sample in roll.expected_vs_actual) if roll else {}
    return [
        report.title,
        language("report.part.roll" if roll else "report.part.fact"),
        row.line,
        row.at or "",
        names.get(event.side or "", ""),
        row.fields["event"],
        language.text(row.text),
        language.text(dice_text(report, roll.dice)) if roll else "",
        language(f"report.by.{roll.by}") if roll else "",
        language(f"report.fate.{status_of(event)}"),
        *_pad(scores, sides),
        *_pad(got, sides),
        *_pad(expected, sides),
        ", ".join(language(f"cli.stats.what.{what}") for what in measures),
    ]


def _expected_vs_actual_cells(
    report: MatchReport, roll: ReportRoll | None, decimal_comma: bool
) -> tuple[list[object], list[object]]:
    """Return the actual and the expected results, a cell for each side; empty where no dice were thrown."""
    side_sums = [expected_vs_actual_by_side(roll, side.side) if roll else None for side in report.sides]
    got: list[object] = ["" if sums is None else _format_decimal(sums[0], decimal_comma) for sums in side_sums]
    expected: list[object] = ["" if pair is None else _format_decimal(pair[1], decimal_comma) for pair in side_sums]
    return got, expected


def status_of(event: ReportEvent) -> str:
    """Return `stands`, `corrected` or `undone`."""
    if not event.row.is_active:
        return "undone"
    return "corrected" if event.row.is_corrected else "stands"


def _winner_name(report: MatchReport) -> str:
    return next((side.name for side in report.sides if side.side == report.winner), "")


def _pad(cells: Sequence[object], length: int) -> list[object]:
    return [*cells, *[""] * (length - len(cells))]


def _format_decimal(value: Fraction, decimal_comma: bool) -> str:
    written = f"{float(value):.4f}"
    return written.replace(".", ",") if decimal_comma else written


def _escape_formula(cell: object) -> object:
    """Prefix a text with an apostrophe if a spreadsheet would run it as a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
