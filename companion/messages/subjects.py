"""The subjects of the link; they alone say what a table may publish (`up`, its own) and read (`down`, its own; `all`).

A table's id stands in them, so it has no dot, space or wildcard (`is_table`).
"""

from __future__ import annotations

import re

ROOT = "tapis"

ALL_HUB = f"{ROOT}.all.hub"
"""The hub says that it is there (`Hub`)."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")

LINES, CONFIRMED, HELLO, SHOT = "lines", "confirmed", "hello", "shot"
"""What a table sends."""

RECEIPTS, STATE, BOARD = "receipts", "state", "board"
"""What a table is sent."""

STREAM = "TAPIS_UP"
"""The JetStream stream that keeps what tables send until the hub has taken it."""

STREAM_SUBJECTS = (f"{ROOT}.up.*.{LINES}", f"{ROOT}.up.*.{CONFIRMED}")
"""What the stream keeps; the rest is of use only at once."""


def is_table_id(id: str) -> bool:
    """Whether a text can be a table's id: 1 to 64 letters, digits, `_` and `-`."""
    return _TABLE.fullmatch(id) is not None


def upstream(table: str, what: str) -> str:
    """The subject of something that a table sends; `*` for every table."""
    return f"{ROOT}.up.{table}.{what}"


def downstream(table: str, what: str) -> str:
    """The subject of something that one table is sent."""
    return f"{ROOT}.down.{table}.{what}"


def board_subject(tournament: str) -> str:
    """The subject of a tournament's standings and next matches (`Board`), for every table."""
    return f"{ROOT}.all.{BOARD}.{tournament}"


def parse_subject(subject: str) -> tuple[str, str]:
    """The table and the kind in a subject of a table. Raises ValueError for another subject."""
    root, direction, table, kind = subject.split(".")
    if root != ROOT or direction not in ("up", "down"):
        raise ValueError(subject)
    return table, kind


def publish_permissions(table: str) -> tuple[str, ...]:
    """All that a table may publish to."""
    return (f"{ROOT}.up.{table}.>",)


def subscribe_permissions(table: str) -> tuple[str, ...]:
    """All that a table may subscribe to."""
    return f"{ROOT}.down.{table}.>", f"{ROOT}.all.>"
