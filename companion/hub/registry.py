"""The known tables, and the keys of tables and people: random bits shown once and stored as digests."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, Protocol

from argon2 import PasswordHasher
from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update

from companion.games.base import Message, Refusal
from companion.hub.database import Database, UnitOfWork, get_value, set_value
from companion.hub.models import TableRow
from companion.hub.schema import JOURNALS, KEYS, TABLES
from companion.messages.pin import MAX_PIN_DIGITS, MIN_PIN_DIGITS, is_valid_pin
from companion.tournament import validation

MAX_TABLE_NUMBER = 1000
_REFEREE_PIN = "referee_pin"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def desk_refusal(reason: str, **args: object) -> Refusal:
    """Return the refusal of a desk operation that is no tournament event."""
    return Refusal(reason, Message(f"tournament.hub.refusal.{reason}", args))


class TableRegistry:
    """The tables. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers: dict[str, int] | None = None
        database.on_invalidate(self._invalidate)

    def register(self, id: str, number: int, name: str = "") -> TableRow:
        """Add a table, or change the number and name of a known one.

        An id has up to 64 letters, digits, `_` and `-`; numbers start at 1; a name is visible text (`validation.fits`).

        Raises: Refusal, also for a number in use.
        """
        if not _ID.fullmatch(id):
            raise desk_refusal("table_id", table=id)
        if not 1 <= number <= MAX_TABLE_NUMBER:
            raise desk_refusal("table_number", most=MAX_TABLE_NUMBER)
        validation.check_text(name, "table", "name", most=validation.MAX_NAME_LENGTH)
        with self._database.writing() as work:
            holder = work.connection.execute(select(TABLES).where(TABLES.c.number == number)).first()
            if holder is not None and holder.id != id:
                raise desk_refusal("table_taken", number=number, table=holder.name or holder.id)
            _write(work, id, number, name)
            work.after.append(self._invalidate)
        return next(row for row in self.all() if row.id == id)

    def remove(self, id: str) -> None:
        """Remove a table: it may no longer send, and its keys and sessions become invalid. Its journals are kept."""
        with self._database.writing() as work:
            work.connection.execute(delete(KEYS).where(KEYS.c.table_id == id))
            gone = update(TABLES).where(TABLES.c.id == id).values(number=None, revision=work.revision)
            work.changed = work.connection.execute(gone).rowcount > 0
            work.after.append(self._invalidate)

    def all(self) -> tuple[TableRow, ...]:
        """Return every table, ordered by number."""
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

    def set_referee_pin(self, pin: str | None) -> None:
        """Give all tables this PIN for the referee, stored as an argon2 hash, or take it back.

        Raises: Refusal, unless it has 4 to 8 digits.
        """
        if pin is not None and not is_valid_pin(pin):
            raise desk_refusal("referee_pin", least=MIN_PIN_DIGITS, most=MAX_PIN_DIGITS)
        hashed = "" if pin is None else PasswordHasher().hash(pin)
        with self._database.writing() as work:
            set_value(work.connection, _REFEREE_PIN, hashed)
            touched = update(TABLES).where(TABLES.c.number.is_not(None)).values(revision=work.revision)
            work.connection.execute(touched)  # each table must be told
            work.changed = True

    def referee_pin(self) -> str | None:
        """Return the hash of the referee's PIN for all tables, or None."""
        with self._database.reading() as connection:
            return get_value(connection, _REFEREE_PIN) or None

    def known(self, id: str) -> bool:
        """Return whether a table with this id may send."""
        return id in self._all_numbers()

    def number_of(self, id: str) -> int | None:
        """Return the number of a table, or None if it is unknown or removed."""
        return self._all_numbers().get(id)

    def _all_numbers(self) -> dict[str, int]:
        numbers = self._numbers
        if numbers is None:
            # Under the writer's lock: otherwise an outdated read could be cached after a change.
            with self._database.write_lock(), self._database.reading() as connection:
                rows = connection.execute(select(TABLES.c.id, TABLES.c.number).where(TABLES.c.number.is_not(None)))
                numbers = {row.id: row.number for row in rows}
                self._numbers = numbers
        return numbers

    def _invalidate(self) -> None:
        self._numbers = None


def _write(work: UnitOfWork, id: str, number: int, name: str) -> None:
    work.changed = True
    values = {"number": number, "name": name, "revision": work.revision}
    known = work.connection.execute(update(TABLES).where(TABLES.c.id == id).values(**values))
    if not known.rowcount:
        work.connection.execute(insert(TABLES).values(id=id, **values))


# Keys of tables and people: 128 random bits shown once, stored as digests; and the organiser's hashed password.


Role = Literal["table", "player", "referee", "organiser", "entry_desk", "viewer", "set_up", "session"]
DESK_ROLES: tuple[Role, ...] = ("organiser", "entry_desk", "viewer")
"""The roles that open the desk: for everything, for the entries only, to read only."""

KEY_BYTES = 16
_PASSWORD = "password"


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A stored key: its owner, never the key itself.

    `expires_at` is its expiry, if any (Unix time in seconds); `opened_by` is the key that started a session.
    """

    id: int
    role: Role
    table: str | None
    label: str
    made: str
    expires_at: int | None
    opened_by: int | None = None


class KeyRegistry:
    """Issues, checks and revokes keys. Safe to call from any thread."""

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
        """Issue a key as text for a QR code. It is not stored and cannot be shown again.

        It expires after `seconds`, and with the key `opened_by`.

        Raises: Refusal, for a label that is invisible or too long (`validation.fits`).
        """
        validation.check_text(label, "key", "label", most=validation.MAX_NAME_LENGTH)
        key = secrets.token_urlsafe(KEY_BYTES)
        until = None if seconds is None else self._seconds() + seconds
        with self._database.writing() as work:
            work.connection.execute(delete(KEYS).where(KEYS.c.until <= self._seconds()))
            values = {"role": role, "table_id": table, "label": label, "made": work.now, "until": until}
            work.connection.execute(insert(KEYS).values(digest=_digest(key), opened_by=opened_by, **values))
        return key

    def check(self, key: str) -> AccessKey | None:
        """Return the record of a key, or None if it is unknown, expired or revoked."""
        with self._database.reading() as connection:
            row = connection.execute(_KEYS.where(KEYS.c.digest == _digest(key), self._valid())).first()
        return None if row is None else AccessKey(*row)

    def find(self, id: int) -> AccessKey | None:
        """Return the record of a valid key by its id."""
        with self._database.reading() as connection:
            row = connection.execute(_KEYS.where(KEYS.c.id == id, self._valid())).first()
        return None if row is None else AccessKey(*row)

    def all(self, role: Role | None = None) -> tuple[AccessKey, ...]:
        """Return the valid keys."""
        rows = _KEYS.where(self._valid()).order_by(KEYS.c.id)
        if role is not None:
            rows = rows.where(KEYS.c.role == role)
        with self._database.reading() as connection:
            return tuple(AccessKey(*row) for row in connection.execute(rows))

    def revoke(self, id: int) -> None:
        """Revoke a key and the sessions started with it."""
        self._delete(KEYS.c.id == id)

    def revoke_all(self, role: Role, table: str | None = None) -> int:
        """Revoke all keys of a role (of a table) and their sessions. Returns their number."""
        if table is None:
            return self._delete(KEYS.c.role == role)
        return self._delete(KEYS.c.role == role, KEYS.c.table_id == table)

    def set_password(self, hashed: str) -> None:
        """Store the argon2 hash of the organiser's password."""
        with self._database.writing() as work:
            set_value(work.connection, _PASSWORD, hashed)

    def password(self) -> str | None:
        """Return the stored hash, or None before the first set-up."""
        with self._database.reading() as connection:
            return get_value(connection, _PASSWORD)

    def _delete(self, *which: ColumnElement[bool]) -> int:
        gone = select(KEYS.c.id).where(*which).scalar_subquery()
        with self._database.writing() as work:
            # Sessions first: after the keys are deleted their sessions cannot be found.
            sessions = work.connection.execute(delete(KEYS).where(KEYS.c.opened_by.in_(gone))).rowcount
            return sessions + work.connection.execute(delete(KEYS).where(*which)).rowcount

    def _valid(self) -> ColumnElement[bool]:
        return or_(KEYS.c.until.is_(None), KEYS.c.until > self._seconds())

    def _seconds(self) -> int:
        return int(self._database.clock.now().timestamp())


_KEYS: Any = select(KEYS.c.id, KEYS.c.role, KEYS.c.table_id, KEYS.c.label, KEYS.c.made, KEYS.c.until, KEYS.c.opened_by)


def _digest(key: str) -> bytes:
    """Return the digest. A plain hash is safe for long random keys; passwords use argon2 instead."""
    return sha256(key.encode(errors="replace")).digest()


# Admission of tables: one key each, shown once as a token, stored by broker and hub as hashes only.


class TableBroker(Protocol):
    """A broker that admits tables: the hub's own server, or the organiser's cluster."""

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint of the broker's certificate, as tokens contain it."""
        ...

    def admit(self, table: str, key: str) -> None:
        """Admit a table with this key; its previous key becomes invalid. Raises: BrokerError."""
        ...

    def dismiss(self, table: str) -> None:
        """Revoke a table's access. Raises: BrokerError."""
        ...
