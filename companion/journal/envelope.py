"""What the journal knows of a line, whatever the game: its number, its fields, the two events that amend others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard

from companion.games.base import Fields

VERSION = 1
"""`"journal"` of a header this program reads and writes."""

HEADER_LINE = 1
UNDO = "undo"
CORRECT = "correct"
FREE_FIELDS = frozenset({"at", "by", "note"})
"""Fields that any event may carry and no rule looks at."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a journal that is not blank: its number, counted from 1 over every line, and its object."""

    line: int
    fields: Fields


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a JSON value is a whole number; `true` and `1.0` are not (rules/README.md)."""
    return isinstance(value, int) and not isinstance(value, bool)


def event_name(fields: Fields) -> str | None:
    """The event's name, or None when it has none or it is no text."""
    name: Any = fields.get("event")
    return name if isinstance(name, str) else None


def without_free_fields(fields: Fields) -> Fields:
    """The fields as the rules see them."""
    if FREE_FIELDS.isdisjoint(fields):
        return fields
    return {key: value for key, value in fields.items() if key not in FREE_FIELDS}
