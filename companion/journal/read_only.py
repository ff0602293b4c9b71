"""A view of a store that cannot be opened for writing: a full or read-only disk, another program, a damaged file.

The app shows it until the store opens again. Nothing in the folder of the store is changed.
"""

from __future__ import annotations

import errno
import logging
import os
from datetime import datetime
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import apsw

from companion.clock import Clock
from companion.journal.database import (
    APPLICATION_ID,
    BUSY_TIMEOUT_MS,
    VERSION,
    StoreError,
    StoreForeign,
    StoreNewer,
    migrate,
    translate_errors,
    version_of,
)
from companion.journal.store import Store, StoredMatch

log = logging.getLogger(__name__)

MAX_COPY_BYTES = 256 * 1024 * 1024
"""Limit for a store of an older version, which is migrated in memory."""


class ReadOnlyStore(Store):
    """The matches of a store as far as they can be read. Every write raises `trouble`, why the store did not open."""

    def __init__(self, path: Path, clock: Clock, trouble: StoreError) -> None:
        """Open the view. It is empty if nothing can be read. Raises: nothing for whatever the file contains."""
        self.path, self.clock, self.trouble = path, clock, trouble
        self.notices, self.lost = (), None
        self._connection = _open_readable(path)

    def close(self, *, keep_log: bool = False) -> None:
        """Close the view. It never changes the log."""
        self._connection.close()

    def matches(self) -> list[StoredMatch]:
        """Return the matches that can be read, newest first."""
        try:
            return super().matches()
        except StoreError as fault:
            log.warning("the matches cannot be listed: %s", fault)
            return []

    def create(self, *_args: object, **_options: object) -> NoReturn:
        """Refuse a new match. Raises: StoreError."""
        self._refuse()

    def append(self, *_args: object, **_options: object) -> NoReturn:
        """Refuse an event. Raises: StoreError."""
        self._refuse()

    def purge_pictures(self, max_bytes: int = 0) -> int:
        """Delete nothing."""
        return 0

    def purge_old_pictures(self, before: datetime) -> int:
        """Delete nothing."""
        return 0

    def purge_removed(self) -> int:
        """Delete nothing."""
        return 0

    def remove(self, match: str) -> NoReturn:
        """Refuse to remove a match. Raises: StoreError."""
        self._refuse()

    def restore(self, match: str) -> NoReturn:
        """Refuse to restore a removed match. Raises: StoreError."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise self.trouble


def _open_readable(path: Path) -> apsw.Connection:
    """Return a connection by the first way of reading that works; an empty store if none does."""
    for open_connection in (_open_shared, _open_exclusive, _open_immutable):
        try:
            with translate_errors(path):
                return _in_known_format(open_connection(path), path)
        except StoreError as fault:
            log.info("not readable by %s: %s", open_connection.__name__, fault)
    connection = apsw.Connection(":memory:")
    migrate(connection)
    return connection


def _open_shared(path: Path) -> apsw.Connection:
    """Open as beside a running writer. Needs the shared index of the log, which a full disk cannot hold."""
    connection = _prepared(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY))
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    return connection


def _open_exclusive(path: Path) -> apsw.Connection:
    """Open with the index of the log in memory. Without locks: the file is read-only or its disk is full."""
    connection = _prepared(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs="unix-none"))
    connection.pragma("locking_mode", "EXCLUSIVE")
    return connection


def _open_immutable(path: Path) -> apsw.Connection:
    """Open without a log. SQLite cannot create one on a read-only disk. Raises: OSError if there is one."""
    log_file = path.with_name(f"{path.name}-wal")
    if log_file.exists() and log_file.stat().st_size:
        raise FileExistsError(log_file)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return _prepared(apsw.Connection(f"file:{quote(str(path))}?mode=ro&immutable=1", flags=flags))


def _prepared(connection: apsw.Connection) -> apsw.Connection:
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.pragma("temp_store", "MEMORY")
    return connection


def _in_known_format(connection: apsw.Connection, path: Path) -> apsw.Connection:
    """Return the connection, or one to a migrated copy in memory. Closes it on an error.

    Raises: StoreError, OSError, apsw errors.
    """
    try:
        if connection.pragma("application_id") != APPLICATION_ID:
            raise StoreForeign("foreign", path)
        version = version_of(connection)
        if version > VERSION:
            raise StoreNewer("newer", path, version=version, known=VERSION)
        if version < VERSION:
            connection = _migrated_copy(connection, path)
        list(connection.execute("SELECT count(*) FROM matches"))
    except BaseException:
        connection.close()
        raise
    return connection


def _migrated_copy(connection: apsw.Connection, path: Path) -> apsw.Connection:
    """Return a copy in memory in the newest format. Raises: OSError for a very large file, apsw errors."""
    if path.stat().st_size > MAX_COPY_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    copy = apsw.Connection(":memory:")
    with copy.backup("main", connection, "main") as work:
        work.step()
    connection.close()
    migrate(copy)
    return copy
