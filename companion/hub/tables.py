"""The tables that the hub knows, each with the number that plans and calls name it by."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from companion.games.base import Message, Refusal
from companion.hub.database import Database, Work
from companion.hub.schema import JOURNALS, KEYS, TABLES
from companion.hub.words import TableRow
from companion.tournament import texts

MOST_NUMBER = 1000
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def refused(reason: str, **args: Any) -> Refusal:
    """The refusal of something at the organiser's desk that is no fact of a tournament."""
    return Refusal(reason, Message(f"tournament.hub.refusal.{reason}", args))


class Tables:
    """The tables. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers: dict[str, int] | None = None
        database.remembers(self._forget)

    def register(self, id: str, number: int, name: str = "") -> TableRow:
        """A new table, or another number and name for a known one. Raises `Refusal`, also for a number that is taken.

        An id is made of up to 64 letters, digits, `_` and `-`; a number is from 1; a name can be seen (`texts`).
        """
        if not _ID.fullmatch(id):
            raise refused("table_id", table=id)
        if not 1 <= number <= MOST_NUMBER:
            raise refused("table_number", most=MOST_NUMBER)
        texts.checked(name, "table", "name", most=texts.LONGEST_NAME)
        with self._database.writing() as work:
            holder = work.connection.execute(select(TABLES).where(TABLES.c.number == number)).first()
            if holder is not None and holder.id != id:
                raise refused("table_taken", number=number, table=holder.name or holder.id)
            _write(work, id, number, name)
            work.after.append(self._forget)
        return next(row for row in self.all() if row.id == id)

    def remove(self, id: str) -> None:
        """The table may send nothing any more, and its keys and sessions open nothing; its journals stay."""
        with self._database.writing() as work:
            work.connection.execute(delete(KEYS).where(KEYS.c.table_id == id))
            gone = update(TABLES).where(TABLES.c.id == id).values(number=None, revision=work.revision)
            work.changed = work.connection.execute(gone).rowcount > 0
            work.after.append(self._forget)

    def all(self) -> tuple[TableRow, ...]:
        """Every table, by number."""
        heard = (
            select(JOURNALS.c.table_id, func.max(JOURNALS.c.last).label("heard"))
            .group_by(JOURNALS.c.table_id)
            .subquery()
        )
        rows = (
            select(TABLES.c.id, TABLES.c.number, TABLES.c.name, heard.c.heard, TABLES.c.revision)
            .outerjoin(heard, heard.c.table_id == TABLES.c.id)
            .where(TABLES.c.number.is_not(None))
            .order_by(TABLES.c.number)
        )
        with self._database.reading() as connection:
            return tuple(TableRow(*row) for row in connection.execute(rows))

    def known(self, id: str) -> bool:
        """Whether a table of that id may send."""
        return id in self._all_numbers()

    def number_of(self, id: str) -> int | None:
        """The number of a table, None for one that is not known (any more)."""
        return self._all_numbers().get(id)

    def _all_numbers(self) -> dict[str, int]:
        numbers = self._numbers
        if numbers is None:
            # In the writer's turn: otherwise what was read before a change could be put back after it.
            with self._database.turn(), self._database.reading() as connection:
                rows = connection.execute(select(TABLES.c.id, TABLES.c.number).where(TABLES.c.number.is_not(None)))
                numbers = {row.id: row.number for row in rows}
                self._numbers = numbers
        return numbers

    def _forget(self) -> None:
        self._numbers = None


def _write(work: Work, id: str, number: int, name: str) -> None:
    work.changed = True
    values = {"number": number, "name": name, "revision": work.revision}
    known = work.connection.execute(update(TABLES).where(TABLES.c.id == id).values(**values))
    if not known.rowcount:
        work.connection.execute(insert(TABLES).values(id=id, **values))
