"""Judges a card while it is being written: what is wrong with each column, as the reading of a table would say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.base import Message
from companion.games.catalogue import Broken, Kind, Row
from companion.table.catalogues.columns import fault_of


def judged(kind: Kind, row: Row, others: Sequence[Row]) -> tuple[Broken, ...]:
    """Everything that keeps the row from standing beside the others; empty for a good one."""
    cells = tuple(_cells(kind, row))
    if cells:
        return cells
    broken = kind.check(row)
    if broken is not None:
        return (broken,)
    if any(kind.identity_of(row) == kind.identity_of(other) for other in others):
        key = kind.identity[-1]
        return (Broken(key, Message("catalogues.fault.twice", {"value": str(row[key])}), kind.rule),)
    if kind.group:
        return ()  # what belongs together may still be unfinished
    rows = [*others, row]
    return tuple(found for at, found in kind.check_all(rows) if at == len(others))


def suits(kind: Kind, row: Row) -> Row:
    """The row without the values that its sort does not have."""
    return {column.key: row[column.key] for column in kind.columns_of(row) if column.key in row}


def _cells(kind: Kind, row: Row) -> Iterator[Broken]:
    for column in kind.columns_of(row):
        reason = fault_of(column, row.get(column.key))
        if reason is not None:
            yield Broken(column.key, reason, column.rule_for(str(row.get(kind.sort, ""))))
