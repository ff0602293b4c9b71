"""The tables that the hub knows, and the keys of tables and people: random bits shown once, kept as digests."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, Protocol

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update

from companion.games.base import Message, Refusal
from companion.hub.database import Database, Work, keep_value, kept_value
from companion.hub.models import TableRow
from companion.hub.schema import JOURNALS, KEYS, TABLES
from companion.tournament import validation

MOST_NUMBER = 1000
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def refused(reason: str, **args: object) -> Refusal:
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
        validation.checked(name, "table", "name", most=validation.LONGEST_NAME)
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


# Keys of tables and people: 128 random bits shown once, kept as digests; and the organiser's hashed password.


Role = Literal["table", "player", "referee", "organiser", "set_up", "session"]

KEY_BYTES = 16
_PASSWORD = "password"


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept: whose it is, never the key itself. `until` (seconds since 1970) is its end, if any;
    `opened_by` is the key that a session was begun with."""

    id: int
    role: Role
    table: str | None
    label: str
    made: str
    until: int | None
    opened_by: int | None = None


class Keys:
    """Makes, checks and revokes keys. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(
        self,
        role: Role,
        table: str | None = None,
        label: str = "",
        seconds: int | None = None,
        opened_by: int | None = None,
    ) -> str:
        """A new key as text for a QR code; it is not kept and cannot be shown again. It ends after `seconds`, and with
        the key `opened_by`.

        Raises `Refusal` for a label that cannot be seen or is too long (`texts`).
        """
        validation.checked(label, "key", "label", most=validation.LONGEST_NAME)
        key = secrets.token_urlsafe(KEY_BYTES)
        until = None if seconds is None else self._seconds() + seconds
        with self._database.writing() as work:
            work.connection.execute(delete(KEYS).where(KEYS.c.until <= self._seconds()))
            values = {"role": role, "table_id": table, "label": label, "made": work.now, "until": until}
            work.connection.execute(insert(KEYS).values(digest=_digest(key), opened_by=opened_by, **values))
        return key

    def check(self, key: str) -> Key | None:
        """Whose key it is, None for one that is unknown, ended or revoked."""
        with self._database.reading() as connection:
            row = connection.execute(_KEYS.where(KEYS.c.digest == _digest(key), self._valid())).first()
        return None if row is None else Key(*row)

    def all(self, role: Role | None = None) -> tuple[Key, ...]:
        """The keys that are valid."""
        rows = _KEYS.where(self._valid()).order_by(KEYS.c.id)
        if role is not None:
            rows = rows.where(KEYS.c.role == role)
        with self._database.reading() as connection:
            return tuple(Key(*row) for row in connection.execute(rows))

    def revoke(self, id: int) -> None:
        """The key opens nothing any more, nor does a session that was begun with it."""
        self._delete(KEYS.c.id == id)

    def revoke_all(self, role: Role, table: str | None = None) -> int:
        """All keys of a role (of a table), and what was begun with them; returns how many."""
        if table is None:
            return self._delete(KEYS.c.role == role)
        return self._delete(KEYS.c.role == role, KEYS.c.table_id == table)

    def set_password(self, hashed: str) -> None:
        """Keeps the organiser's password as its argon2 hash."""
        with self._database.writing() as work:
            keep_value(work.connection, _PASSWORD, hashed)

    def password(self) -> str | None:
        """The kept hash, None before the first set-up."""
        with self._database.reading() as connection:
            return kept_value(connection, _PASSWORD)

    def _delete(self, *which: ColumnElement[bool]) -> int:
        gone = select(KEYS.c.id).where(*which).scalar_subquery()
        with self._database.writing() as work:
            # The sessions first: what they were begun with is not to be found any more afterwards.
            sessions = work.connection.execute(delete(KEYS).where(KEYS.c.opened_by.in_(gone))).rowcount
            return sessions + work.connection.execute(delete(KEYS).where(*which)).rowcount

    def _valid(self) -> ColumnElement[bool]:
        return or_(KEYS.c.until.is_(None), KEYS.c.until > self._seconds())

    def _seconds(self) -> int:
        return int(self._database.clock.now().timestamp())


_KEYS: Any = select(KEYS.c.id, KEYS.c.role, KEYS.c.table_id, KEYS.c.label, KEYS.c.made, KEYS.c.until, KEYS.c.opened_by)


def _digest(key: str) -> bytes:
    """Of a key as long as this one a plain digest tells nothing; passwords are hashed by argon2 instead."""
    return sha256(key.encode(errors="replace")).digest()


# Letting tables in: a key for each, shown once as a token, known to the broker and to the hub as hashes only.


class TableBroker(Protocol):
    """A broker that lets tables in: the hub's own server, or the organiser's cluster."""

    @property
    def print(self) -> bytes:
        """By what a token knows the broker's certificate."""
        ...

    def admit(self, table: str, key: str) -> None:
        """The table may come with this key, and no longer with another. Raises BrokerError."""
        ...

    def dismiss(self, table: str) -> None:
        """The table may come no more. Raises BrokerError."""
        ...
