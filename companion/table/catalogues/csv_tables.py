"""Catalogues as CSV tables. Every fault names row and column; written tables read back as the same rows."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Final, cast

from companion.games.base import Message
from companion.games.catalogue import (
    LIST_SEPARATORS,
    NONE_CELL,
    CatalogueColumn,
    CatalogueKind,
    Clubs,
    Row,
    RowError,
    comma_separated,
)
from companion.games.registry import SPECS
from companion.language import LANGUAGES, Language

SEPARATOR = "/"
"""Separator of several values in one cell."""

_SEPARATORS = re.compile(f"[{LIST_SEPARATORS}]")
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_TRUE_WORDS = frozenset({"yes", "y", "oui", "o", "true", "vrai", "1", "x"})
_FALSE_WORDS = frozenset({"no", "n", "non", "false", "faux", "0"})


MAX_TEXT_LENGTH = 60
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode categories: control characters, surrogates, line and paragraph separators."""


def is_displayable(text: str) -> bool:
    """Return True if a text is short enough for a screen and all of it is displayable."""
    return len(text) <= MAX_TEXT_LENGTH and not any(
        unicodedata.category(sign) in _INVISIBLE_CATEGORIES for sign in text
    )


class InvalidCell(Exception):
    """A cell value that its column rejects. `reason` is the reason, without the place."""

    def __init__(self, case: str, **args: object) -> None:
        self.reason = Message(f"catalogues.cell.{case}", args)
        super().__init__(str(self.reason))


def fold(text: str) -> str:
    """Return a normalised text for comparison: without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(sign for sign in plain if sign.isalnum())


@cache
def accepted_headings(column: CatalogueColumn) -> frozenset[str]:
    """Return all headings of the column, folded: its key, its synonyms and its name in each language."""
    names = [column.key, *column.synonyms, *(Language(code).text(column.label) for code in LANGUAGES)]
    return frozenset(fold(name) for name in names)


@cache
def _options_by_word(column: CatalogueColumn) -> Mapping[str, str]:
    """Return the options by their folded words in every language. Identifiers take precedence."""
    found: dict[str, str] = {}
    for code in LANGUAGES:
        for option in column.options:
            found.setdefault(fold(Language(code).text(column.option_label(option))), option)
    return {**found, **{fold(option): option for option in column.options}}


def parse_cell(column: CatalogueColumn, cell: str) -> object:
    """Return the value of a cell, None if it is empty. Raises: InvalidCell."""
    text = cell.strip() or column.default
    if not text:
        if column.required:
            raise InvalidCell("needed")
        return None
    if column.type == "text":
        return _parse_short_text(column, text)
    if column.type == "whole":
        return _parse_integer(column, text)
    if column.type == "switch":
        return _parse_switch(text)
    if column.has_empty_marker and text == NONE_CELL:
        return []
    if column.type == "pick":
        return _parse_option(column, text)
    return _parse_list(column, text)


def format_cell(column: CatalogueColumn, value: object, language: Language | None) -> str:
    """Return the cell text of a value, in the words of a language or as identifiers."""
    if value is None:
        return ""
    if column.type == "switch":
        word = "yes" if value else "no"
        return language(f"catalogues.switch.{word}") if language else word
    if column.type in ("pick", "text"):
        return _option_text(column, str(value), language)
    if column.type in ("picks", "texts") and isinstance(value, Iterable):
        texts = [_option_text(column, item, language) for item in value]
        return SEPARATOR.join(texts) if texts or not column.has_empty_marker else NONE_CELL
    return str(value)


def value_fault(column: CatalogueColumn, value: object) -> Message | None:
    """Return why the column rejects this value, None if it is valid. Same check as for a cell."""
    try:
        parse_cell(column, format_cell(column, value, None))
    except InvalidCell as wrong:
        return wrong.reason
    return None


def _option_text(column: CatalogueColumn, value: str, language: Language | None) -> str:
    return language.text(column.option_label(value)) if language and value in column.options else value


def _parse_text(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise InvalidCell("line_break")
    if not is_displayable(text):
        raise InvalidCell("text", most=MAX_TEXT_LENGTH)
    return text


def _parse_integer(column: CatalogueColumn, text: str) -> int:
    if not _INTEGER.fullmatch(text) or not column.minimum <= int(text) <= column.maximum:
        raise InvalidCell("whole", value=_shorten(text), least=column.minimum, most=column.maximum)
    return int(text)


def _parse_switch(text: str) -> bool:
    if fold(text) in _TRUE_WORDS:
        return True
    if fold(text) in _FALSE_WORDS:
        return False
    raise InvalidCell("switch", value=_shorten(text))


def _option_of(column: CatalogueColumn, text: str) -> str | None:
    """Return the option that a text means: the option itself, otherwise one with such a word."""
    return text if text in column.options else _options_by_word(column).get(fold(text))


def _parse_option(column: CatalogueColumn, text: str) -> str:
    found = _option_of(column, text)
    if found is None:
        raise InvalidCell(
            "option", value=_shorten(text), known=comma_separated([column.option_label(one) for one in column.options])
        )
    return found


def _parse_list(column: CatalogueColumn, text: str) -> list[str]:
    parts = [part.strip() for part in (text.split(SEPARATOR) if column.type == "texts" else _SEPARATORS.split(text))]
    parse = _parse_short_text if column.type == "texts" else _parse_option
    values = [parse(column, part) for part in parts if part]
    if not values:
        raise InvalidCell("needed")
    if len(values) > column.maximum:
        raise InvalidCell("many", most=column.maximum)
    return values


def _parse_short_text(column: CatalogueColumn, text: str) -> str:
    """Parse a short text. A word for an option becomes that option."""
    return _option_of(column, text) or _parse_text(text)


def _shorten(text: str) -> str:
    """Shorten a cell text for a message."""
    short = text if len(text) <= 24 else text[:23] + "…"
    return short if is_displayable(short) else ascii(short)[1:-1]


MAX_CATALOGUE_BYTES = 1_000_000
"""Maximum size of a catalogue in bytes. A thousand cards need a tenth of that."""
_MAX_RECORDS, _MAX_CELLS = 5_000, 200
"""Maximum number of records of a table, and of cells of a record."""
_MAX_FAULTS_OF_RECORD = 3
"""Maximum number of cells without a column that are reported of one record."""
_MAX_HEADING_LENGTH = 40


class UnreadableTable(Exception):
    """Bytes that are not a table. `place` is the row and the column, as precisely as known."""

    def __init__(self, row: int, column: str, case: str, **args: object) -> None:
        self.place = (row, column)
        self.reason = Message(f"catalogues.fault.{case}", args)
        super().__init__(str(self.reason))


def decode_text(content: bytes) -> tuple[str, tuple[Message, ...]]:
    """Return the text, and notes about its encoding. Raises: UnreadableTable."""
    if len(content) > MAX_CATALOGUE_BYTES:
        raise UnreadableTable(1, "1", "too_large", most=MAX_CATALOGUE_BYTES // 1000)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decode_as(content, "utf-16"), (Message("catalogues.note.utf16"),)
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return _decode_as(content, "cp1252"), (Message("catalogues.note.windows"),)


def _decode_as(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as trouble:
        before = content[: trouble.start]
        row = before.count(b"\n") + 1
        line = before[before.rfind(b"\n") + 1 :]
        column = 1 + max(line.count(mark) for mark in (b",", b";", b"\t"))
        raise UnreadableTable(row, str(column), "letters") from trouble


def parse_rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty records with their spreadsheet row numbers. Raises: csv.Error, UnreadableTable."""
    found: Records = []
    for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 1):
        if len(found) == _MAX_RECORDS or len(cells) > _MAX_CELLS:
            raise UnreadableTable(number, "1", "too_many", rows=_MAX_RECORDS, columns=_MAX_CELLS)
        if any(cell.strip() for cell in cells):
            found.append((number, cells))
    return found


def heading_text(text: str) -> str:
    """Return a file's heading, shortened for a message."""
    short = " ".join(text.split())[:_MAX_HEADING_LENGTH]
    return short if is_displayable(short) else ascii(short)[1:-1]


def format_table(
    kind: CatalogueKind, rows: Iterable[Row], language: Language | None = None, delimiter: str = ","
) -> bytes:
    """Return the table in UTF-8.

    With a language, uses its headings and words, and a byte order mark for spreadsheets.
    """
    text = io.StringIO(newline="")
    table = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    table.writerow([language.text(column.label) if language else column.key for column in kind.columns])
    for row in rows:
        table.writerow([format_cell(column, row.get(column.key), language) for column in kind.columns])
    return (codecs.BOM_UTF8 if language else b"") + text.getvalue().encode()


def row_faults(kind: CatalogueKind, row: Row, others: Sequence[Row]) -> tuple[RowError, ...]:
    """Return all faults of the row in combination with the others; empty if it is valid."""
    cells = tuple(_cell_faults(kind, row))
    if cells:
        return cells
    violation = kind.check_row(row)
    if violation is not None:
        return (violation,)
    if any(kind.identity_of(row) == kind.identity_of(other) for other in others):
        return (RowError(kind.identity[-1], _given_twice(kind, row), kind.rule),)
    if kind.group:
        return ()  # rows of a group may still be incomplete
    rows = [*others, row]
    return tuple(found for at, found in kind.check_rows(rows) if at == len(others))


def _given_twice(kind: CatalogueKind, row: Row) -> Message:
    """Return the fault of a row with the identity of another one."""
    column = kind.column(kind.identity[-1])
    value = row[column.key]
    label = column.option_label(value) if value in column.options else str(value)
    return Message("catalogues.fault.twice", {"value": label})


def without_foreign_values(kind: CatalogueKind, row: Row) -> Row:
    """Return the row without values that do not apply to its sort."""
    return {column.key: row[column.key] for column in kind.columns_of(row) if column.key in row}


def _cell_faults(kind: CatalogueKind, row: Row) -> Iterator[RowError]:
    for column in kind.columns_of(row):
        reason = value_fault(column, row.get(column.key))
        if reason is not None:
            yield RowError(column.key, reason, column.rule_for(str(row.get(kind.sort, ""))))


KINDS: Final[dict[str, CatalogueKind]] = {kind.name: kind for spec in SPECS.values() for kind in spec.catalogues}
CLUB_FILES: Final[Clubs] = next(spec.clubs for spec in SPECS.values() if spec.clubs is not None)
CLUBS: Final = CLUB_FILES.kind.name


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a cell: spreadsheet row, column heading, reason and, if any, rule."""

    file: str
    row: int
    column: Message | str
    reason: Message
    rule: str = ""

    @property
    def message(self) -> Message:
        """The complete sentence: place and reason."""
        where = {"file": self.file, "row": self.row, "column": self.column, "reason": self.reason}
        return Message("catalogues.fault.ruled" if self.rule else "catalogues.fault.at", {**where, "rule": self.rule})


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A parsed row with its number in the file."""

    number: int
    row: Row


@dataclass(frozen=True, slots=True)
class TableReading:
    """Result of reading a file.

    - `rows`: valid rows
    - `skipped_count`: number of invalid rows
    - `notes`: remarks about encoding and format
    - `valid_rows`: rows valid on their own, whether or not the rules require others with them
    - `is_lossy`: True if the file holds more than these rows
    """

    file: str
    kind: CatalogueKind | None
    rows: tuple[Row, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Message, ...] = ()
    skipped_count: int = 0
    valid_rows: tuple[Row, ...] = ()
    is_lossy: bool = False


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table's headings, the column of each (None: unknown), and the records below with their numbers."""

    number: int
    headings: tuple[str, ...]
    columns: tuple[CatalogueColumn | None, ...]
    records: Sequence[tuple[int, list[str]]]


def read_table(
    file: str, content: bytes, kind: CatalogueKind | None = None, kinds: Iterable[CatalogueKind] = KINDS.values()
) -> TableReading:
    """Read a table of one kind (default: the one of `kinds` whose headings fit best). Never raises."""
    possible = (kind,) if kind else tuple(kinds)
    try:
        text, notes = decode_text(content)
        tables = [parse_rows(text, mark) for mark in ",;\t"]
    except (UnreadableTable, csv.Error) as fault:
        row, column = getattr(fault, "place", (1, "1"))
        reason = getattr(fault, "reason", Message("catalogues.fault.csv", {"why": Message("system.malformed")}))
        return TableReading(file, kind, faults=(Fault(file, row, column, reason),), is_lossy=True)
    found = max(_fits(tables, possible), key=lambda fit: fit[0], default=None)
    if found is None:
        return TableReading(
            file, kind, faults=(Fault(file, 1, possible[0].columns[0].label, Message("catalogues.fault.empty")),)
        )
    score, meant, records = found
    if not score[0]:
        heading = next((cell for cell in records[0][1] if cell.strip()), "")
        reason = Message("catalogues.fault.no_heading")
        return TableReading(
            file, kind, faults=(Fault(file, records[0][0], heading_text(heading), reason),), notes=notes, is_lossy=True
        )
    return _check_table(file, meant, records, notes)


def check_rows(
    file: str, kind: CatalogueKind, numbered_rows: Sequence[NumberedRow], known: Sequence[Fault] = ()
) -> TableReading:
    """Check parsed rows: each on its own, then all together. `known`: faults found earlier."""
    faults_found = list(known)
    bad_numbers: set[int] = {fault.row for fault in known}
    seen: set[tuple[object, ...]] = set()
    for numbered in numbered_rows:
        if numbered.number in bad_numbers:
            continue
        violation = kind.check_row(numbered.row)
        if violation is not None:
            faults_found.append(
                Fault(file, numbered.number, kind.column(violation.column).label, violation.reason, violation.rule)
            )
            bad_numbers.add(numbered.number)
        elif (identity := kind.identity_of(numbered.row)) in seen:
            reason = _given_twice(kind, numbered.row)
            faults_found.append(Fault(file, numbered.number, kind.column(kind.identity[-1]).label, reason, kind.rule))
            bad_numbers.add(numbered.number)
        else:
            seen.add(identity)
    valid_rows = tuple(entry.row for entry in numbered_rows if entry.number not in bad_numbers)
    good_rows = _without_bad_rows(kind, numbered_rows, bad_numbers)
    for at, violation in kind.check_rows([entry.row for entry in good_rows]):
        number = good_rows[at].number
        faults_found.append(Fault(file, number, kind.column(violation.column).label, violation.reason, violation.rule))
        bad_numbers.add(number)
    good_rows = _without_bad_rows(kind, numbered_rows, bad_numbers)
    rows = tuple(entry.row for entry in good_rows)
    faults = sorted(faults_found, key=lambda fault: fault.row)
    is_lossy = bool(known) or len(valid_rows) < len(numbered_rows)
    return TableReading(file, kind, rows, tuple(faults), (), len(numbered_rows) - len(rows), valid_rows, is_lossy)


def _without_bad_rows(
    kind: CatalogueKind, numbered_rows: Sequence[NumberedRow], bad_numbers: set[int]
) -> list[NumberedRow]:
    """Return the valid rows. A group is kept or dropped as a whole."""
    broken = (
        {entry.row.get(kind.group) for entry in numbered_rows if entry.number in bad_numbers} if kind.group else set()
    )
    return [
        entry
        for entry in numbered_rows
        if entry.number not in bad_numbers and entry.row.get(kind.group) not in broken - {None}
    ]


Records = list[tuple[int, list[str]]]
_Fit = tuple[tuple[int, int, int], CatalogueKind, Records]


def _fits(tables: Sequence[Records], kinds: Sequence[CatalogueKind]) -> Iterator[_Fit]:
    """Yield each interpretation of the table with its score: known, missing required and unknown headings."""
    for records in tables:
        if not records:
            continue
        wanted = [fold(cell) for cell in records[0][1] if cell.strip()]
        for one in kinds:
            known = sum(any(heading in accepted_headings(column) for column in one.columns) for heading in wanted)
            missing = sum(
                _is_required(column) and not accepted_headings(column) & set(wanted) for column in one.columns
            )
            yield (known, -missing, len(wanted)), one, records


def _is_required(column: CatalogueColumn) -> bool:
    """Return True if every table of its kind needs the column."""
    return column.required and not column.default and not column.row_sorts


def _check_table(file: str, kind: CatalogueKind, records: Records, notes: tuple[Message, ...]) -> TableReading:
    number, heading_cells = records[0]
    faults: list[Fault] = []
    sheet = _Sheet(
        number, tuple(heading_cells), tuple(_columns(file, kind, number, heading_cells, faults)), records[1:]
    )
    missing = [
        Fault(file, number, column.label, Message("catalogues.fault.missing_column"), column.rule)
        for column in kind.columns
        if _is_required(column) and column not in sheet.columns
    ]
    numbered_rows = [NumberedRow(at, _parse_row(file, kind, sheet, at, cells, faults)) for at, cells in sheet.records]
    if missing:  # each row would report the same missing column
        return TableReading(file, kind, (), (*missing, *faults), notes, len(numbered_rows), is_lossy=True)
    return replace(check_rows(file, kind, numbered_rows, faults), notes=notes)


def _columns(
    file: str, kind: CatalogueKind, number: int, heading_cells: Sequence[str], faults: list[Fault]
) -> Iterator[CatalogueColumn | None]:
    """Yield the column of each heading. Unknown and repeated headings are faults."""
    names: Mapping[str, CatalogueColumn] = {
        name: column for column in kind.columns for name in accepted_headings(column)
    }
    seen: set[str] = set()
    for at, heading in enumerate(heading_cells, 1):
        column = names.get(fold(heading))
        if not heading.strip():
            yield None
        elif column is None:
            near = get_close_matches(fold(heading), names, n=1, cutoff=0.5)
            args = {"near": names[near[0]].label} if near else {}
            reason = Message("catalogues.fault.unknown_near" if near else "catalogues.fault.unknown", args)
            faults.append(Fault(file, number, heading_text(heading) or str(at), reason))
            yield None
        elif column.key in seen:
            faults.append(Fault(file, number, heading_text(heading), Message("catalogues.fault.column_twice")))
            yield None
        else:
            seen.add(column.key)
            yield column


def _cells_without_column(file: str, sheet: _Sheet, number: int, cells: Sequence[str]) -> list[Fault]:
    faults = (
        Fault(file, number, str(at + 1), Message("catalogues.fault.no_column_above"))
        for at, cell in enumerate(cells)
        if cell.strip() and (at >= len(sheet.columns) or not sheet.headings[at].strip())
    )
    return list(islice(faults, _MAX_FAULTS_OF_RECORD))


def _parse_row(
    file: str, kind: CatalogueKind, sheet: _Sheet, number: int, cells: Sequence[str], faults: list[Fault]
) -> Row:
    """Parse one record. Cell faults are added to `faults`."""
    row: Row = {}
    given = {column.key: cell for column, cell in zip(sheet.columns, cells, strict=False) if column is not None}
    faults += _cells_without_column(file, sheet, number, cells)
    sort: str | None = ""
    for column in kind.columns:
        cell = given.get(column.key, "")
        if sort is None and column.row_sorts:
            continue  # unknown whether this sort has the column
        if not column.applies_to(sort or ""):
            if cell.strip():
                args = {"sort": kind.column(kind.sort).option_label(sort or "")}
                faults.append(Fault(file, number, column.label, Message("catalogues.fault.other_sort", args)))
            continue
        try:
            value = parse_cell(column, cell)
        except InvalidCell as wrong:
            faults.append(Fault(file, number, column.label, wrong.reason, column.rule_for(sort or "")))
            sort = None if column.key == kind.sort else sort
            continue
        if value is not None:
            row[column.key] = value
        if column.key == kind.sort:
            sort = cast("str | None", value)
    return row
