"""Keys of tables and people: 128 random bits shown once, kept as digests; and the organiser's hashed password."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, insert, or_, select

from companion.hub.database import Database, keep_value, kept_value
from companion.hub.schema import KEYS
from companion.tournament import texts

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
        texts.checked(label, "key", "label", most=texts.LONGEST_NAME)
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
