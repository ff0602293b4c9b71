"""Declarative forms of a game's events: they parse the JSON object of a journal line into a typed event."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.games.base import Fields, Message, Refusal

COMMON_FIELDS = frozenset({"event", "at", "by", "note"})
"""Fields that any event may have and that the rules ignore (docs/rules/README.md, "The journal")."""

FieldParser = Callable[[object], Any]
"""Converts a decoded JSON value to a value of the game. Raises: InvalidValue."""

Made = TypeVar("Made")

NO_NAME = Message("common.no_event")
"""Replaces the event's name in sentences when a line has none."""


class InvalidValue(Exception):
    """A value of a wrong type or out of range."""


MALFORMED_CASES: Mapping[str, frozenset[str]] = {
    "event": frozenset({"event"}),
    "unknown_field": frozenset({"event", "field"}),
    "missing_field": frozenset({"event", "field"}),
    "value": frozenset({"event", "field"}),
}
"""The possible errors in an event's form, and the arguments of the game's sentence about each."""


class RefusalFactory(Protocol):
    """How a game refuses a malformed event; `case` and `args` as in MALFORMED_CASES."""

    def __call__(self, case: str, **args: object) -> Refusal: ...


def is_count(value: object) -> bool:
    """Return True if a decoded JSON value is an integer of at least 0 (`true` is not a number)."""
    return type(value) is int and value >= 0


def one_of(*values: str) -> FieldParser:
    """Return a reader of one of these texts."""
    known = frozenset(values)

    def parse(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise InvalidValue
        return value

    return parse


def text(value: object) -> str:
    """Read any text."""
    if not isinstance(value, str):
        raise InvalidValue
    return value


def integer(minimum: int, maximum: int | None = None) -> FieldParser:
    """Return a reader of an integer from `minimum` to `maximum`."""

    def parse(value: object) -> int:
        if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
            raise InvalidValue
        return value

    return parse


count = integer(0)
die = integer(1, 6)


def boolean(value: object) -> bool:
    """Read a boolean."""
    if not isinstance(value, bool):
        raise InvalidValue
    return value


def list_of(parse: FieldParser, length: int | None = None, min_length: int = 0) -> FieldParser:
    """Return a reader of a list with `length` entries (`min_length` or more if None) as a tuple."""

    def parse_list(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) < min_length or (length is not None and len(value) != length):
            raise InvalidValue
        return tuple([parse(entry) for entry in value])

    return parse_list


def distinct_list_of(parse: FieldParser, length: int | None = None) -> FieldParser:
    """Return a reader of a list whose entries are all different."""
    parse_list = list_of(parse, length)

    def parse_distinct(value: object) -> tuple[Any, ...]:
        entries: tuple[Any, ...] = parse_list(value)
        if len(set(entries)) < len(entries):
            raise InvalidValue
        return entries

    return parse_distinct


@dataclass(frozen=True, slots=True)
class EventField:
    """One field of an event: its name, its reader, and whether it is optional."""

    name: str
    parse: FieldParser
    optional: bool = False


@dataclass(frozen=True, slots=True)
class EventSchema(Generic[Made]):
    """The form of one event.

    - `constructor`: makes the event from the fields by name
    - `extra_fields`: fields that the game reads itself
    - `any_of`: at least one of these fields must be non-empty
    - `conditional_fields`: extra fields, by the value of the first field for which the event has them
    - `complete_values`: adds the values that the game reads itself
    """

    constructor: Callable[..., Made]
    fields: tuple[EventField, ...] = ()
    extra_fields: frozenset[str] = frozenset()
    any_of: tuple[str, ...] = ()
    conditional_fields: Mapping[str, EventField] = field(default_factory=dict)
    complete_values: Callable[[Fields, dict[str, object]], None] | None = None


class EventSchemas(Generic[Made]):
    """The forms of all events of a game, by name."""

    def __init__(
        self, schemas: Mapping[str, EventSchema[Made]], refuse: RefusalFactory, refuses_unknown_fields: bool = True
    ) -> None:
        self._schemas, self._refuse = schemas, refuse
        self._known = {
            name: COMMON_FIELDS.union(
                schema.extra_fields, (one.name for one in (*schema.fields, *schema.conditional_fields.values()))
            )
            if refuses_unknown_fields
            else None
            for name, schema in schemas.items()
        }

    def schema_of(self, fields: Fields) -> tuple[str, EventSchema[Made]]:
        """Return the event's name and its form. Raises: Refusal for an unknown event."""
        name = fields.get("event")
        schema = self._schemas.get(name) if isinstance(name, str) else None
        if not isinstance(name, str) or schema is None:
            raise self._refuse("event", event=_name_text(name) if "event" in fields else NO_NAME)
        return name, schema

    def parse_fields(self, name: str, schema: EventSchema[Made], fields: Fields) -> dict[str, object]:
        """Return the parsed fields. Raises: Refusal for the first unknown, then the first missing or wrong field."""
        known = self._known[name]
        for key in fields if known is not None else ():
            if key not in known:  # type: ignore[operator]
                raise self._refuse("unknown_field", event=name, field=key)
        values: dict[str, object] = {}
        self._read(name, schema.fields, fields, values)
        if schema.conditional_fields:
            further = schema.conditional_fields.get(str(values[schema.fields[0].name]))
            if further is not None:
                self._read(name, (further,), fields, values)
        return values

    def _read(
        self, name: str, listed_fields: tuple[EventField, ...], fields: Fields, values: dict[str, object]
    ) -> None:
        """Parse these fields into `parse_fields`. Raises: Refusal."""
        for one in listed_fields:
            if one.name in fields:
                try:
                    values[one.name] = one.parse(fields[one.name])
                except InvalidValue:
                    raise self._refuse("value", event=name, field=one.name) from None
            elif not one.optional:
                raise self._refuse("missing_field", event=name, field=one.name)

    def check_any_of(self, name: str, schema: EventSchema[Made], values: Mapping[str, object]) -> None:
        """Check that at least one of the needed fields is non-empty. Raises: Refusal."""
        if not any(values.get(key) for key in schema.any_of):
            raise self._refuse("missing_field", event=name, field=" / ".join(schema.any_of))

    def build(self, name: str, schema: EventSchema[Made], fields: Fields) -> Made:
        """Return the typed event. Raises: Refusal."""
        values = self.parse_fields(name, schema, fields)
        if schema.complete_values is not None:
            schema.complete_values(fields, values)
        if schema.any_of:
            self.check_any_of(name, schema, values)
        return schema.constructor(**values)


def _known_fields(schema: EventSchema[Made]) -> frozenset[str]:
    """Return all fields that an event may have."""
    return COMMON_FIELDS.union(
        schema.extra_fields, (one.name for one in (*schema.fields, *schema.conditional_fields.values()))
    )


def _name_text(name: object) -> str:
    """Return the text to show as the event's name."""
    return name if isinstance(name, str) else json.dumps(name, ensure_ascii=False)
