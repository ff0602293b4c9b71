"""Templates of tournaments that a club keeps: the fields of the form of a new tournament, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import uuid4

import msgspec

from companion.hub.database import Database, UnitOfWork, get_value, set_value
from companion.language import alphabetical_key

_KEY = "plan_templates"
MAX_TEMPLATES = 50

Fields = dict[str, tuple[str, ...]]


class PlanTemplate(msgspec.Struct, frozen=True):
    """A template: its name, and the values of the form's fields."""

    id: str
    name: str
    fields: Fields


_DECODER = msgspec.json.Decoder(
    tuple[PlanTemplate, ...]
)  # at import: creating the first decoder in two threads at once crashes the library


class PlanTemplates:
    """The templates of a hub. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[PlanTemplate, ...]:
        """Return the templates by name."""
        with self._database.reading() as connection:
            stored = get_value(connection, _KEY)
        found = () if stored is None else _DECODER.decode(stored)
        return tuple(sorted(found, key=lambda each: alphabetical_key(each.name)))

    def keep(self, name: str, fields: Mapping[str, Sequence[str]]) -> None:
        """Keep a template in the place of one of the same name. Beyond `MAX_TEMPLATES` the oldest goes."""
        made = PlanTemplate(uuid4().hex[:8], name, {key: tuple(values) for key, values in fields.items()})
        with self._database.writing() as work:
            others = [each for each in _read(work) if each.name != name]
            _write(work, (*others, made)[-MAX_TEMPLATES:])

    def remove(self, id: str) -> bool:
        """Remove a template. Returns False if it is not there."""
        with self._database.writing() as work:
            before = _read(work)
            after = tuple(each for each in before if each.id != id)
            if after == before:
                return False
            _write(work, after)
        return True


def _read(work: UnitOfWork) -> tuple[PlanTemplate, ...]:
    stored = get_value(work.connection, _KEY)
    return () if stored is None else _DECODER.decode(stored)


def _write(work: UnitOfWork, templates: Sequence[PlanTemplate]) -> None:
    set_value(work.connection, _KEY, msgspec.json.encode(templates).decode())
    work.changed = True
