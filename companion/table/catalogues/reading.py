"""Reads a catalogue from the bytes of a table; every fault says file, row and column, and all of them are found."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from companion.games.base import Message
from companion.games.catalogue import Column, Kind, Row
from companion.table.catalogues.columns import WrongCell, folded, headings, read_cell
from companion.table.catalogues.decoding import Unreadable, decoded, shown_cell, table_of
from companion.table.catalogues.registry import KINDS


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a cell: the row as a spreadsheet counts, the column's heading, the sentence, maybe a rule."""

    file: str
    row: int
    column: Message | str
    reason: Message
    rule: str = ""

    @property
    def message(self) -> Message:
        """The whole sentence: where, and what."""
        where = {"file": self.file, "row": self.row, "column": self.column, "reason": self.reason}
        return Message("catalogues.fault.ruled" if self.rule else "catalogues.fault.at", {**where, "rule": self.rule})


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that was read, with its number in the file."""

    number: int
    row: Row


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file came to. `rows` are in order, `left_out` counts those that are not; `notes` tell of its writing.

    `in_order` are the rows that are right by themselves, whether or not the rules want others beside them; `lost` is
    whether the file says more than they do.
    """

    file: str
    kind: Kind | None
    rows: tuple[Row, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Message, ...] = ()
    left_out: int = 0
    in_order: tuple[Row, ...] = ()
    lost: bool = False


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The headings of a table, the column that each means (None: none), the records below with their numbers."""

    number: int
    headings: tuple[str, ...]
    columns: tuple[Column | None, ...]
    records: Sequence[tuple[int, list[str]]]


def read(file: str, content: bytes, kind: Kind | None = None) -> Reading:
    """Reads a table of one kind; without one, of the kind that its headings fit best. Never raises."""
    first = kind or next(iter(KINDS.values()))
    try:
        text, notes = decoded(content)
        tables = [table_of(text, mark) for mark in ",;\t"]
    except (Unreadable, csv.Error) as fault:
        row, column = getattr(fault, "place", (1, "1"))
        reason = getattr(fault, "reason", Message("catalogues.fault.csv", {"why": str(fault)}))
        return Reading(file, kind, faults=(Fault(file, row, column, reason),), lost=True)
    found = max(_fits(tables, kind), key=lambda fit: fit[0], default=None)
    if found is None:
        return Reading(file, kind, faults=(Fault(file, 1, first.columns[0].label, Message("catalogues.fault.empty")),))
    score, meant, records = found
    if not score[0]:
        heading = next((cell for cell in records[0][1] if cell.strip()), "")
        reason = Message("catalogues.fault.no_heading")
        return Reading(
            file, kind, faults=(Fault(file, records[0][0], shown_cell(heading), reason),), notes=notes, lost=True
        )
    return _judged(file, meant, records, notes)


def check_rows(file: str, kind: Kind, entries: Sequence[Entry], known: Sequence[Fault] = ()) -> Reading:
    """Judges rows that are read: what each says, then all of them together. `known` are faults found before."""
    found = list(known)
    bad: set[int] = {fault.row for fault in known}
    seen: set[tuple[object, ...]] = set()
    for entry in entries:
        if entry.number in bad:
            continue
        broken = kind.check(entry.row)
        if broken is not None:
            found.append(Fault(file, entry.number, kind.column(broken.key).label, broken.reason, broken.rule))
            bad.add(entry.number)
        elif (identity := kind.identity_of(entry.row)) in seen:
            reason = Message("catalogues.fault.twice", {"value": str(identity[-1])})
            found.append(Fault(file, entry.number, kind.column(kind.identity[-1]).label, reason, kind.rule))
            bad.add(entry.number)
        else:
            seen.add(identity)
    in_order = tuple(entry.row for entry in entries if entry.number not in bad)
    good = _without(kind, entries, bad)
    for at, broken in kind.check_all([entry.row for entry in good]):
        number = good[at].number
        found.append(Fault(file, number, kind.column(broken.key).label, broken.reason, broken.rule))
        bad.add(number)
    good = _without(kind, entries, bad)
    rows = tuple(entry.row for entry in good)
    faults = sorted(found, key=lambda fault: fault.row)
    lost = bool(known) or len(in_order) < len(entries)
    return Reading(file, kind, rows, tuple(faults), (), len(entries) - len(rows), in_order, lost)


def _without(kind: Kind, entries: Sequence[Entry], bad: set[int]) -> list[Entry]:
    """The rows that are in order; what belongs together stays or goes together."""
    broken = {entry.row.get(kind.group) for entry in entries if entry.number in bad} if kind.group else set()
    return [entry for entry in entries if entry.number not in bad and entry.row.get(kind.group) not in broken - {None}]


Records = list[tuple[int, list[str]]]
_Fit = tuple[tuple[int, int, int], Kind, Records]


def _fits(tables: Sequence[Records], kind: Kind | None) -> Iterator[_Fit]:
    """Each way to see the table, with how well its headings fit: known ones, needed ones missing, unknown ones."""
    for records in tables:
        if not records:
            continue
        wanted = [folded(cell) for cell in records[0][1] if cell.strip()]
        for one in (kind,) if kind else KINDS.values():
            known = sum(any(heading in headings(column) for column in one.columns) for heading in wanted)
            missing = sum(_must_stand(column) and not headings(column) & set(wanted) for column in one.columns)
            yield (known, -missing, len(wanted)), one, records


def _must_stand(column: Column) -> bool:
    """Whether no table of its kind can do without the column."""
    return column.needed and not column.otherwise and not column.of


def _judged(file: str, kind: Kind, records: Records, notes: tuple[Message, ...]) -> Reading:
    number, top = records[0]
    faults: list[Fault] = []
    sheet = _Sheet(number, tuple(top), tuple(_columns(file, kind, number, top, faults)), records[1:])
    missing = [
        Fault(file, number, column.label, Message("catalogues.fault.missing_column"), column.rule)
        for column in kind.columns
        if _must_stand(column) and column not in sheet.columns
    ]
    entries = [Entry(at, _row(file, kind, sheet, at, cells, faults)) for at, cells in sheet.records]
    if missing:  # what the rows lack with it would be told of each of them
        return Reading(file, kind, (), (*missing, *faults), notes, len(entries), lost=True)
    return replace(check_rows(file, kind, entries, faults), notes=notes)


def _columns(file: str, kind: Kind, number: int, top: Sequence[str], faults: list[Fault]) -> Iterator[Column | None]:
    """The column that each heading means; one that means none is a fault, one that comes again too."""
    names: Mapping[str, Column] = {name: column for column in kind.columns for name in headings(column)}
    seen: set[str] = set()
    for at, heading in enumerate(top, 1):
        column = names.get(folded(heading))
        if not heading.strip():
            yield None
        elif column is None:
            near = get_close_matches(folded(heading), names, n=1, cutoff=0.5)
            args = {"near": names[near[0]].label} if near else {}
            reason = Message("catalogues.fault.unknown_near" if near else "catalogues.fault.unknown", args)
            faults.append(Fault(file, number, shown_cell(heading) or str(at), reason))
            yield None
        elif column.key in seen:
            faults.append(Fault(file, number, shown_cell(heading), Message("catalogues.fault.column_twice")))
            yield None
        else:
            seen.add(column.key)
            yield column


def _cells_without_column(file: str, sheet: _Sheet, number: int, cells: Sequence[str]) -> list[Fault]:
    return [
        Fault(file, number, str(at + 1), Message("catalogues.fault.no_column_above"))
        for at, cell in enumerate(cells)
        if cell.strip() and (at >= len(sheet.columns) or not sheet.headings[at].strip())
    ]


def _row(file: str, kind: Kind, sheet: _Sheet, number: int, cells: Sequence[str], faults: list[Fault]) -> Row:
    """The values of one record; what is wrong with its cells is added to `faults`."""
    row: Row = {}
    given = {column.key: cell for column, cell in zip(sheet.columns, cells, strict=False) if column is not None}
    faults += _cells_without_column(file, sheet, number, cells)
    sort: str | None = ""
    for column in kind.columns:
        cell = given.get(column.key, "")
        if sort is None and column.of:
            continue  # nobody knows whether such a row has it
        if not column.belongs(sort or ""):
            if cell.strip():
                args = {"sort": kind.column(kind.sort).word(sort or "")}
                faults.append(Fault(file, number, column.label, Message("catalogues.fault.other_sort", args)))
            continue
        try:
            value = read_cell(column, cell)
        except WrongCell as wrong:
            faults.append(Fault(file, number, column.label, wrong.reason, column.rule_for(sort or "")))
            sort = None if column.key == kind.sort else sort
            continue
        if value is not None:
            row[column.key] = value
        if column.key == kind.sort:
            sort = value
    return row
