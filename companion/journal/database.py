"""The SQLite file of the store: tables and migrations, commits that survive a power cut, and what can go wrong."""

from __future__ import annotations

import errno
import glob
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from companion.games.base import Message
from companion.journal.files import sync_folder
from companion.language import quoted, reason_of

_DISK_FULL_CODES = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE})
"""What SQLite reports besides SQLITE_FULL when a file may not grow (a quota, a size limit, the shared index)."""


class StoreError(Exception):
    """Any fault of the store. `message` is the sentence; what was acknowledged before stays recorded."""

    def __init__(self, id: str, path: Path, **args: object) -> None:
        self.message = Message(f"journal.store.{id}", {"path": path, **args})
        super().__init__(str(self.message))


class StoreBusy(StoreError):
    """Somebody else writes to this store."""


class StoreNewer(StoreError):
    """A newer version of the program wrote the file; it was left untouched."""


class StoreForeign(StoreError):
    """The file is no store; it was left untouched."""


class StoreReadOnly(StoreError):
    """File or folder may not be written."""


class StoreDamaged(StoreError):
    """The file is corrupt or the disk fails."""


class LineDamaged(StoreDamaged):
    """One line of a match cannot be read, `line`; the others can."""

    def __init__(self, path: Path, line: int, reason: object) -> None:
        super().__init__("damaged", path, reason=reason)
        self.line = line


class DiskFull(StoreError):
    """There is no room for this event. Nothing of it was recorded, and the store goes on once there is room."""


class UnknownMatch(StoreError):
    """No match of that id."""


class WrongLine(StoreError):
    """The event was worked out for another line than the next one of its match."""


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turns the errors of SQLite and of the system into those above."""
    try:
        yield
    except apsw.FullError:
        raise DiskFull("full", path) from None
    except apsw.IOError as error:
        if getattr(error, "extendedresult", None) in _DISK_FULL_CODES:
            raise DiskFull("full", path) from None
        raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None
    except apsw.BusyError:
        raise StoreBusy("busy", path, holder="?") from None
    except apsw.ReadOnlyError:
        raise StoreReadOnly("read_only", path) from None
    except apsw.NotADBError:
        raise StoreForeign("foreign", path) from None
    except apsw.CorruptError as error:
        raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None
    except apsw.CantOpenError as error:
        raise StoreError("unopenable", path, reason=quoted(str(error))) from None
    except PermissionError:
        raise StoreReadOnly("read_only", path) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull("full", path) from None
        raise StoreError("unopenable", path, reason=reason_of(error)) from None


# The tables of the store and how an older file becomes a newer one.


APPLICATION_ID = 0x54565254
"""Marks the file as ours in SQLite's header ("TVRT")."""

MIGRATIONS = (
    """
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        epoch INTEGER NOT NULL UNIQUE,
        header TEXT NOT NULL,
        created TEXT NOT NULL,
        ended TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
        match TEXT NOT NULL REFERENCES matches (id),
        seq INTEGER NOT NULL CHECK (seq > 0),
        fields TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (match, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pictures (
        id INTEGER PRIMARY KEY,
        match TEXT NOT NULL,
        seq INTEGER NOT NULL,
        die INTEGER,
        what TEXT NOT NULL,
        image BLOB,
        FOREIGN KEY (match, seq) REFERENCES entries (match, seq)
    ) STRICT;
    CREATE INDEX pictures_of_entry ON pictures (match, seq);
    """,
    "ALTER TABLE matches ADD COLUMN removed TEXT",
)
"""Each brings the file from the version that is its index to the next one. A shipped one is never changed."""

VERSION = len(MIGRATIONS)
"""`PRAGMA user_version` of a file that this program has opened."""


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def is_foreign(connection: apsw.Connection) -> bool:
    """Whether the file is some other program's database."""
    return bool(connection.pragma("application_id") != APPLICATION_ID)


def migrate(connection: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Brings the file to the newest version, each step whole or not at all."""
    for version in range(version_of(connection), len(migrations)):
        with connection:
            connection.execute(migrations[version])
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version + 1)


WAL_LIMIT_BYTES = 8 * 1024 * 1024
"""Bytes that the write-ahead log keeps on disk once its content is in the main file."""

SQLITE_MAGIC = b"SQLite format 3\x00"

BUSY_TIMEOUT_MS = 1000
"""How long a write waits for somebody who looks into the file with another tool."""


def open_database(path: Path) -> apsw.Connection:
    """The file, made if it is not there, in the newest format.

    Raises StoreNewer and StoreForeign with the file untouched, StoreReadOnly, and the errors of apsw.
    """
    if not path.exists() or path.stat().st_size == 0:
        _create(path)
    _check_format(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if connection.readonly("main"):
            raise StoreReadOnly("read_only", path)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.pragma("synchronous", "FULL")
        connection.pragma("foreign_keys", True)
        connection.pragma("journal_size_limit", WAL_LIMIT_BYTES)
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All of it or nothing, on disk when the block is left.

    SQLite rolls some failures back by itself (a full disk) and others not, so the rollback asks first.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _create(path: Path) -> None:
    """A new file is made aside and then named, so that a power cut leaves a whole one or none."""
    temporary = path.with_name(path.name + ".new")
    for remnant in path.parent.glob(f"{glob.escape(temporary.name)}*"):
        remnant.unlink()
    connection = apsw.Connection(str(temporary))
    try:
        connection.pragma("synchronous", "FULL")
        connection.pragma("auto_vacuum", "INCREMENTAL")
        connection.pragma("journal_mode", "WAL")
        migrate(connection)
    finally:
        connection.close()
    temporary.replace(path)
    sync_folder(path.parent)


def _check_format(path: Path) -> None:
    """A newer or a foreign file must not be touched, and opening for writing already would."""
    with path.open("rb") as file:
        if file.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            raise StoreForeign("foreign", path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        version = version_of(connection)
        if is_foreign(connection):
            raise StoreForeign("foreign", path)
        if version > VERSION:
            raise StoreNewer("newer", path, version=version, known=VERSION)
    finally:
        connection.close()
