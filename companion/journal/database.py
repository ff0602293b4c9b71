"""The SQLite file of the store: schema, migrations, durable transactions and error translation."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import apsw

from companion.games.base import Message
from companion.journal.pages import Column, holds_journal_rows
from companion.journal.store_files import StoreFiles
from companion.journal.sums import entry_sum, match_sum, picture_sum, state_sum
from companion.language import quoted, reason_of
from vision.files import sync_folder

_DISK_FULL_CODES = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE})
"""Codes besides SQLITE_FULL that SQLite reports when a file cannot grow (quota, size limit, shared index)."""


_PROGRAM_ERRORS = (apsw.BindingsError, apsw.ConnectionClosedError, apsw.InterruptError, apsw.ThreadingViolationError)
"""Errors that say nothing about the file."""


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
    """The line `line` of a match is not as it was recorded; 1 is the header. The lines before it are good.

    `problem` is `changed`, `missing`, or `state` if only the match's own record (its end, its length) is damaged.
    """

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(f"line_{problem}", path, line=line)
        self.line = line


class StoreReplaced(StoreError):
    """The files of the open store were deleted, moved or replaced. Nothing more can be recorded in them."""


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
    except (apsw.BusyError, apsw.LockedError):
        raise StoreBusy("busy", path, holder="?") from None
    except apsw.ReadOnlyError:
        raise StoreReadOnly("read_only", path) from None
    except apsw.NotADBError:
        raise StoreForeign("foreign", path) from None
    except apsw.CorruptError as error:
        raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None
    except apsw.CantOpenError as error:
        raise StoreError("unopenable", path, reason=quoted(str(error))) from None
    except _PROGRAM_ERRORS:
        raise
    except (apsw.Error, UnicodeDecodeError, MemoryError) as error:  # what a damaged schema, type or text leads to
        raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None
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
    """
    ALTER TABLE matches ADD COLUMN sum BLOB;
    ALTER TABLE matches ADD COLUMN lines INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE matches ADD COLUMN state_sum BLOB;
    ALTER TABLE entries ADD COLUMN sum BLOB;
    ALTER TABLE pictures ADD COLUMN sum BLOB;
    CREATE TABLE store (id TEXT NOT NULL) STRICT;
    """,
)
"""Each script migrates the file from the version equal to its index to the next one. Never change a shipped script.

Each one changes the schema: a file whose schema is known and whose version is not has a damaged header.
"""

VERSION = len(MIGRATIONS)
"""`PRAGMA user_version` of a file that this program has opened."""

SUMS_VERSION = 3
"""First version with sums (`companion/journal/sums.py`)."""


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def migrate(connection: apsw.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Migrate the file to the newest version. Each step is one transaction."""
    for version in range(version_of(connection), len(migrations)):
        with connection:
            connection.execute(migrations[version])
            if version + 1 == SUMS_VERSION:
                _fill_sums(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", version + 1)


def _fill_sums(connection: apsw.Connection) -> None:
    """Give the rows of an older store their sums, and the store its id. Damaged text, which is not UTF-8, gets none.

    Only the readings among the pictures get one: the others are too large to be rewritten at the start of the app.
    """
    rows: list[Any]
    connection.execute("INSERT INTO store (id) VALUES (?)", (uuid4().hex,))
    select = "SELECT CAST(match AS BLOB), seq, CAST(fields AS BLOB), CAST(at AS BLOB) FROM entries"
    rows = read_rows(connection, select)
    entries = [(entry_sum(*row), row[0], row[1]) for row in rows if _is_text(row)]
    connection.executemany("UPDATE entries SET sum = ? WHERE match = CAST(? AS TEXT) AND seq = ?", entries)
    select = "SELECT id, CAST(match AS BLOB), seq, die, CAST(what AS BLOB), image FROM pictures WHERE what = 'reading'"
    rows = read_rows(connection, select)
    pictures = [(picture_sum(*row[1:]), row[0]) for row in rows if row[5] is not None]
    connection.executemany("UPDATE pictures SET sum = ? WHERE id = ?", pictures)
    select = (
        "SELECT CAST(id AS BLOB), CAST(game AS BLOB), epoch, CAST(header AS BLOB), CAST(created AS BLOB),"
        " CAST(ended AS BLOB), CAST(removed AS BLOB),"
        " coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0) FROM matches"
    )
    for *fixed, ended, removed, lines in read_rows(connection, select):
        sum = match_sum(*fixed) if _is_text(fixed) else None
        values = (sum, lines, state_sum(fixed[0], ended, removed, lines), fixed[0])
        connection.execute("UPDATE matches SET sum = ?, lines = ?, state_sum = ? WHERE id = CAST(? AS TEXT)", values)


def _is_text(columns: Sequence[Any]) -> bool:
    """Return True if all columns are numbers or UTF-8."""
    try:
        for column in columns:
            if not isinstance(column, int):
                column.decode()
    except (UnicodeDecodeError, AttributeError):
        return False
    return True


WAL_LIMIT_BYTES = 8 * 1024 * 1024
"""Bytes of the write-ahead log that stay on disk after a checkpoint."""

MAX_VALUE_BYTES = 64 * 1024 * 1024
"""Largest value that SQLite reads. A damaged length must not fill the memory."""

BUSY_TIMEOUT_MS = 1000
"""How long a write waits while another tool reads the file."""


def open_database(path: Path) -> apsw.Connection:
    """Open the file in the newest format.

    Raises: StoreNewer or StoreForeign, with the file untouched; StoreDamaged; StoreReadOnly; apsw errors.
    """
    _check_format(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if connection.readonly("main"):
            raise StoreReadOnly("read_only", path)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        connection.pragma("synchronous", "FULL")
        connection.pragma("foreign_keys", True)
        connection.pragma("journal_size_limit", WAL_LIMIT_BYTES)
        connection.pragma("secure_delete", True)  # for `Store.rewrite_headers`: no freed page keeps a name
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> apsw.Connection:
    """Open the file read-only, while another connection may write. Raises: apsw errors."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return connection


def create_database(files: StoreFiles, path: Path, fill: Callable[[apsw.Connection], None] | None = None) -> None:
    """Create a database under a temporary name, then rename it to `path`.

    A power cut leaves a complete file or none. `fill` writes its first rows. Raises: apsw errors, OSError.
    """
    files.delete_new()
    connection = apsw.Connection(str(files.new))
    try:
        connection.pragma("synchronous", "FULL")
        connection.pragma("auto_vacuum", "INCREMENTAL")
        migrate(connection)
        if fill is not None:
            with transaction(connection):
                fill(connection)
        connection.pragma("journal_mode", "WAL")
    finally:
        connection.close()
    files.new.replace(path)
    sync_folder(path.parent)


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


def read_rows(connection: apsw.Connection, query: str, values: Sequence[Column] = ()) -> list[tuple[Column, ...]]:
    """Return the rows of a query. Read text as `CAST(… AS BLOB)`: damaged text is not UTF-8."""
    return list(connection.execute(query, tuple(values)))


def _check_format(path: Path) -> None:
    """Check the format read-only: opening a newer or foreign file for writing would already change it.

    SQLite recovers its log first. The first sector of the file may be torn while the log still holds it.
    """
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        version = version_of(connection)
        schema = schema_of(connection)
        if connection.pragma("application_id") != APPLICATION_ID:
            if JOURNAL_TABLES - {table for table, _ in schema}:
                raise StoreForeign("foreign", path)
            raise StoreDamaged("damaged", path, reason=Message("journal.store.header"))
        if version < 1 or (version > VERSION and schema == _known_schema()):
            raise StoreDamaged("damaged", path, reason=Message("journal.store.header"))
        if version > VERSION:
            raise StoreNewer("newer", path, version=version, known=VERSION)
    except apsw.NotADBError as error:
        if holds_journal_rows(path):
            raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None
        raise
    finally:
        connection.close()


JOURNAL_TABLES = frozenset({b"matches", b"entries", b"pictures"})
"""Tables of every version of the store."""


def schema_of(connection: apsw.Connection) -> frozenset[tuple[bytes, bytes]]:
    """Return the names and the SQL of a database's tables and indexes."""
    query = "SELECT CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL"
    return frozenset((name, sql) for name, sql in read_rows(connection, query))


def _known_schema() -> frozenset[tuple[bytes, bytes]]:
    connection = apsw.Connection(":memory:")
    try:
        migrate(connection)
        return schema_of(connection)
    finally:
        connection.close()
