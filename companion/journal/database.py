"""Opens the store's SQLite file so that a committed transaction survives a power cut."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from companion.journal import schema
from companion.journal.files import sync_folder
from companion.journal.store_errors import StoreForeign, StoreNewer, StoreReadOnly

WAL_LIMIT = 8 * 1024 * 1024
"""Bytes that the write-ahead log keeps on disk once its content is in the main file."""

SQLITE_MARK = b"SQLite format 3\x00"

BUSY_MS = 1000
"""How long a write waits for somebody who looks into the file with another tool."""


def open_database(path: Path) -> apsw.Connection:
    """The file, made if it is not there, in the newest format.

    Raises StoreNewer and StoreForeign with the file untouched, StoreReadOnly, and the errors of apsw.
    """
    if not path.exists() or path.stat().st_size == 0:
        _make(path)
    _look_first(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if connection.readonly("main"):
            raise StoreReadOnly("read_only", path)
        connection.set_busy_timeout(BUSY_MS)
        connection.pragma("synchronous", "FULL")
        connection.pragma("foreign_keys", True)
        connection.pragma("journal_size_limit", WAL_LIMIT)
        schema.migrate(connection)
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


def _make(path: Path) -> None:
    """A new file is made aside and then named, so that a power cut leaves a whole one or none."""
    aside = path.with_name(path.name + ".new")
    for remnant in path.parent.glob(f"{glob.escape(aside.name)}*"):
        remnant.unlink()
    connection = apsw.Connection(str(aside))
    try:
        connection.pragma("synchronous", "FULL")
        connection.pragma("auto_vacuum", "INCREMENTAL")
        connection.pragma("journal_mode", "WAL")
        schema.migrate(connection)
    finally:
        connection.close()
    aside.replace(path)
    sync_folder(path.parent)


def _look_first(path: Path) -> None:
    """A newer or a foreign file must not be touched, and opening for writing already would."""
    with path.open("rb") as file:
        if file.read(len(SQLITE_MARK)) != SQLITE_MARK:
            raise StoreForeign("foreign", path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        version = schema.version_of(connection)
        if schema.is_foreign(connection):
            raise StoreForeign("foreign", path)
        if version > schema.VERSION:
            raise StoreNewer("newer", path, version=version, known=schema.VERSION)
    finally:
        connection.close()
