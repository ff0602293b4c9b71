"""The vocabulary of a game's events as data: from the JSON object of a journal line to a typed event."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.games.base import Fields, Message, Refusal

ALWAYS = frozenset({"event", "at", "by", "note"})
"""Fields that any event may carry and that the rules ignore (docs/rules/README.md, "The journal")."""

Reader = Callable[[object], Any]
"""Turns a decoded JSON value into a value of the game. Raises `Wrong`."""

Made = TypeVar("Made")

NO_NAME = Message("common.no_event")
"""Stands in sentences for the event's name where a line has none."""


class Wrong(Exception):
    """A value of a wrong type or outside its range."""


CASES: Mapping[str, frozenset[str]] = {
    "event": frozenset({"event"}),
    "unknown_field": frozenset({"event", "field"}),
    "missing_field": frozenset({"event", "field"}),
    "value": frozenset({"event", "field"}),
}
"""What can be wrong with the form of an event, and what the game's sentence about it is given."""


class Refuse(Protocol):
    """What a game says of a malformed event; `case` and `args` as in CASES."""

    def __call__(self, case: str, **args: object) -> Refusal: ...


def is_count(value: object) -> bool:
    """Whether a decoded JSON value is a whole number from 0 (`true` is no number)."""
    return type(value) is int and value >= 0


def one_of(*values: str) -> Reader:
    """A text that is one of these."""
    known = frozenset(values)

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise Wrong
        return value

    return read


def text(value: object) -> str:
    """Any text."""
    if not isinstance(value, str):
        raise Wrong
    return value


def whole(least: int, most: int | None = None) -> Reader:
    """A whole number from `least`, at most `most`."""

    def read(value: object) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise Wrong
        return value

    return read


count = whole(0)
die = whole(1, 6)


def boolean(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Wrong
    return value


def listed(read: Reader, length: int | None = None, least: int = 0) -> Reader:
    """A list of `length` entries (any number from `least` if None) as a tuple."""

    def read_list(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) < least or (length is not None and len(value) != length):
            raise Wrong
        return tuple([read(entry) for entry in value])

    return read_list


def different(read: Reader, length: int | None = None) -> Reader:
    """A list of entries of which no two are equal."""
    read_list = listed(read, length)

    def read_different(value: object) -> tuple[Any, ...]:
        entries: tuple[Any, ...] = read_list(value)
        if len(set(entries)) < len(entries):
            raise Wrong
        return entries

    return read_different


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event: its name, how its value is read, whether it may be absent."""

    name: str
    read: Reader
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Form(Generic[Made]):
    """The vocabulary of one event; `make` takes the fields by name. `also` are fields that the game reads itself.

    Of the fields in `needs` one at least must say something. `more` are fields that the event has only with this value
    of its first field. `complete` adds to the values what the game reads itself.
    """

    make: Callable[..., Made]
    fields: tuple[Field, ...] = ()
    also: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()
    more: Mapping[str, Field] = field(default_factory=dict)
    complete: Callable[[Fields, dict[str, object]], None] | None = None


class Forms(Generic[Made]):
    """The forms of all events of a game, by name."""

    def __init__(self, forms: Mapping[str, Form[Made]], refuse: Refuse, unlisted_refused: bool = True) -> None:
        self._forms, self._refuse = forms, refuse
        self._known = {
            name: ALWAYS.union(form.also, (one.name for one in (*form.fields, *form.more.values())))
            if unlisted_refused
            else None
            for name, form in forms.items()
        }

    def form(self, fields: Fields) -> tuple[str, Form[Made]]:
        """The event's name and its form. Raises the game's refusal of an unknown event."""
        name = fields.get("event")
        form = self._forms.get(name) if isinstance(name, str) else None
        if not isinstance(name, str) or form is None:
            raise self._refuse("event", event=_shown(name) if "event" in fields else NO_NAME)
        return name, form

    def values(self, name: str, form: Form[Made], fields: Fields) -> dict[str, object]:
        """The fields as values. Raises the game's refusal of the first unknown, then missing or wrong field."""
        known = self._known[name]
        for key in fields if known is not None else ():
            if key not in known:  # type: ignore[operator]
                raise self._refuse("unknown_field", event=name, field=key)
        values: dict[str, object] = {}
        self._read(name, form.fields, fields, values)
        if form.more:
            further = form.more.get(str(values[form.fields[0].name]))
            if further is not None:
                self._read(name, (further,), fields, values)
        return values

    def _read(self, name: str, listed: tuple[Field, ...], fields: Fields, values: dict[str, object]) -> None:
        """Adds these fields to the values. Raises the game's refusal."""
        for one in listed:
            if one.name in fields:
                try:
                    values[one.name] = one.read(fields[one.name])
                except Wrong:
                    raise self._refuse("value", event=name, field=one.name) from None
            elif not one.optional:
                raise self._refuse("missing_field", event=name, field=one.name)

    def check_needs(self, name: str, form: Form[Made], values: Mapping[str, object]) -> None:
        """Raises the game's refusal if none of the fields that are needed says something."""
        if not any(values.get(key) for key in form.needs):
            raise self._refuse("missing_field", event=name, field=" / ".join(form.needs))

    def made(self, name: str, form: Form[Made], fields: Fields) -> Made:
        """The typed event. Raises the game's refusal."""
        values = self.values(name, form, fields)
        if form.complete is not None:
            form.complete(fields, values)
        if form.needs:
            self.check_needs(name, form, values)
        return form.make(**values)


def _known(form: Form[Made]) -> frozenset[str]:
    """All fields that an event may have."""
    return ALWAYS.union(form.also, (one.name for one in (*form.fields, *form.more.values())))


def _shown(name: object) -> str:
    """What stands where the event's name should."""
    return name if isinstance(name, str) else json.dumps(name, ensure_ascii=False)
