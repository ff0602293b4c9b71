"""The SQLite file of the store: schema, migrations, durable transactions and error translation."""

from __future__ import annotations

import errno
import glob
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from companion.games.base import Message
from companion.language import quoted, reason_of
from vision.files import sync_folder

_DISK_FULL_CODES = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE})
"""Codes besides SQLITE_FULL that SQLite reports when a file cannot grow (quota, size limit, shared index)."""


class StoreError(Exception):
    """Any error of the store. `message` is the text to display. Events that were acknowledged before stay recorded."""

    def __init__(self, id: str, path: Path, **args: object) -> None:
        self.message = Message(f"journal.store.{id}", {"path": path, **args})
        super().__init__(str(self.message))


class StoreBusy(StoreError):
    """Another process writes to this store."""


class StoreNewer(StoreError):
    """The file was written by a newer version of the program. It was left untouched."""


class StoreForeign(StoreError):
    """The file is not a store. It was left untouched."""


class StoreReadOnly(StoreError):
    """The file or its folder is not writable."""


class StoreDamaged(StoreError):
    """The file is corrupt or the disk fails."""


class LineDamaged(StoreDamaged):
    """One line of a match, `line`, cannot be read; the others can."""

    def __init__(self, path: Path, line: int, reason: object) -> None:
        super().__init__("damaged", path, reason=reason)
        self.line = line


class DiskFull(StoreError):
    """No space left for this event. Nothing of it was recorded. The store works again once there is space."""


class UnknownMatch(StoreError):
    """There is no match with this id."""


class WrongLine(StoreError):
    """The event was prepared for a line that is not the next one of its match."""


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate SQLite and system errors into the exceptions above."""
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
        if error.errno == errno.EROFS:
            raise StoreReadOnly("read_only", path) from None
        raise StoreError("unopenable", path, reason=reason_of(error)) from None


# Schema of the store, and its migrations.


APPLICATION_ID = 0x54565254
"""SQLite application id ("TVRT") that marks the file as ours."""

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
"""Each script migrates the file from the version equal to its index to the next one. Never change a shipped script."""

VERSION = len(MIGRATIONS)
"""`PRAGMA user_version` of a file that this program has opened."""


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def is_foreign(connection: apsw.Connection) -> bool:
    """Return True if the file is another program's database."""
    return bool(connection.pragma("application_id") != APPLICATION_ID)


def migrate(connection: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Migrate the file to the newest version. Each step is one transaction."""
    for version in range(version_of(connection), len(migrations)):
        with connection:
            connection.execute(migrations[version])
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version + 1)


WAL_LIMIT_BYTES = 8 * 1024 * 1024
"""Bytes of the write-ahead log that stay on disk after a checkpoint."""

SQLITE_MAGIC = b"SQLite format 3\x00"

BUSY_TIMEOUT_MS = 1000
"""How long a write waits while another tool reads the file."""


def open_database(path: Path) -> apsw.Connection:
    """Open the file in the newest format. Creates it if it is missing.

    Raises: StoreNewer or StoreForeign, with the file untouched; StoreReadOnly; apsw errors.
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
    """Run the block as one transaction, durable when the block exits.

    SQLite rolls back some failures automatically (a full disk) but not others, so check before the rollback.
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
    """Create a new file under a temporary name, then rename it, so that a power cut leaves a complete file or none."""
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
    """Check the format read-only: opening a newer or foreign file for writing would already change it."""
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
