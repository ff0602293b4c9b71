"""NATS subjects of the link. They alone define a table's permissions.

A table publishes to its own `up` subjects, and reads its own `down` subjects and `all`. A subject contains the table's
id, so an id has no dot, space or wildcard (`is_table_id`).
"""

from __future__ import annotations

import re

ROOT = "tapis"

ALL_HUB = f"{ROOT}.all.hub"
"""The hub announces itself (`Hub`)."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")

LINES, CONFIRMED, HELLO, SHOT = "lines", "confirmed", "hello", "shot"
"""Message kinds sent by a table."""

RECEIPTS, STATE, BOARD = "receipts", "state", "board"
"""Message kinds sent to a table."""

STREAM = "TAPIS_UP"
"""The JetStream stream that stores table messages until the hub has processed them."""

STREAM_SUBJECTS = (f"{ROOT}.up.*.{LINES}", f"{ROOT}.up.*.{CONFIRMED}")
"""Subjects stored in the stream. Other messages are useful only immediately."""


def is_table_id(id: str) -> bool:
    """Return True if a text is a valid table id: 1 to 64 letters, digits, `_` and `-`."""
    return _TABLE.fullmatch(id) is not None


def upstream(table: str, what: str) -> str:
    """Return the subject of a message from a table; `*` for every table."""
    return f"{ROOT}.up.{table}.{what}"


def downstream(table: str, what: str) -> str:
    """Return the subject of a message to one table."""
    return f"{ROOT}.down.{table}.{what}"


def board_subject(tournament: str) -> str:
    """Return the subject of a tournament's standings and next matches (`StandingsBoard`), read by every table."""
    return f"{ROOT}.all.{BOARD}.{tournament}"


def parse_subject(subject: str) -> tuple[str, str]:
    """Return the table and the kind of a table's subject. Raises: ValueError for another subject."""
    root, direction, table, kind = subject.split(".")
    if root != ROOT or direction not in ("up", "down"):
        raise ValueError(subject)
    return table, kind


def publish_permissions(table: str) -> tuple[str, ...]:
    """Return all subjects that a table may publish to."""
    return (f"{ROOT}.up.{table}.>",)


def subscribe_permissions(table: str) -> tuple[str, ...]:
    """Return all subjects that a table may subscribe to."""
    return f"{ROOT}.down.{table}.>", f"{ROOT}.all.>"
