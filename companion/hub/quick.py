"""The two statements that every line costs, in the driver's own words: building them anew would cost more than they."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from companion.hub.schema import JOURNALS, LINES

LINE_COLUMNS = ("journal", "seq", "line", "chain", "told", "fate")
MOVED_COLUMNS = ("seq", "chain", "over", "refused_line", "last", "revision")
"""What of a head changes with every line."""

_MARKS = {"sqlite": "?", "postgresql": "%s"}


def _insert(mark: str) -> str:
    return f"INSERT INTO {LINES.name} ({', '.join(LINE_COLUMNS)}) VALUES ({', '.join([mark] * len(LINE_COLUMNS))})"


def _move(mark: str) -> str:
    changes = ", ".join(f"{name} = {mark}" for name in MOVED_COLUMNS)
    return f"UPDATE {JOURNALS.name} SET {changes} WHERE id = {mark}"


_INSERT = {dialect: _insert(mark) for dialect, mark in _MARKS.items()}
_MOVE = {dialect: _move(mark) for dialect, mark in _MARKS.items()}


def insert_lines(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """New lines, each as `LINE_COLUMNS`."""
    _execute(connection, _INSERT, rows)


def move_heads(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Heads that moved on, each as `MOVED_COLUMNS` and its id."""
    _execute(connection, _MOVE, rows)


def _execute(connection: Connection, words: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> None:
    """The driver takes one row as it is, several as a list."""
    connection.exec_driver_sql(words[connection.dialect.name], rows[0] if len(rows) == 1 else list(rows))
