"""How SQLite and PostgreSQL are opened: who waits for whom, what is on the disk when, and one writer at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

READERS = 8
READERS_MORE = 24
"""Connections that readers keep, and that may be opened besides when many ask at once."""

BUSY_SECONDS = 5.0
"""How long a write waits for somebody who looks into the file with another tool, and a start for the hub before."""

APPLICATION_ID = 0x54564842
"""Marks the file as the hub's in SQLite's header ("TVHB")."""

CONNECTS_WITHIN, UNHEARD_MS = 10, 25_000
ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""Seconds to wait for PostgreSQL to answer a call; milliseconds for which what was sent may go unheard; when both ends
ask whether the other is still there. A cable that is pulled says nothing: without these a write waits for minutes."""

HUB_LOCK = 0x5456_4855_4230
"""The number of PostgreSQL's advisory lock that the one hub holds ("TVHUB0")."""

WAL_LIMIT = 32 * 1024 * 1024
"""Bytes that the write-ahead log keeps on the disk once its content is in the main file."""


def ours_or_empty(path: Path) -> bool:
    """Whether a file may be opened: it is not there, has nothing in it, or is a hub's. Opening would change another's.

    The number stands at byte 68 of SQLite's header, the newest byte last.
    """
    if not path.exists() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        head = file.read(72)
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:], "big") == APPLICATION_ID


def sqlite_writer(path: Path) -> Engine:
    """The one connection that writes, and the only one that moves the log into the file.

    Two connections that do so at the same moment can lose pages in SQLite before 3.51.3.
    """
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=0,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # the driver begins nothing by itself; `begin` below does
        raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
        if raw.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")  # before the log, so that it is in the file itself
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT}")
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA secure_delete = ON")  # what is deleted on demand leaves no bytes in the file

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def sqlite_readers(path: Path) -> Engine:
    """Connections that only read; none of them moves the log (see `sqlite_writer`)."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=READERS,
        max_overflow=READERS_MORE,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        raw.isolation_level = None
        raw.execute("PRAGMA wal_autocheckpoint = 0")
        raw.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def postgres_writer(url: URL) -> Engine:
    """The one connection that writes; it holds the lock that keeps a second hub out as long as it lives."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0, connect_args=_unanswered(url))

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        for name, value in ALIVE.items():  # the server too: it keeps the lock until it knows that nobody is there
            raw.execute(f"SET tcp_{name} = {value}")
        raw.execute(f"SET lock_timeout = '{int(BUSY_SECONDS * 1000)}ms'")
        raw.execute(f"SELECT pg_advisory_lock({HUB_LOCK})")
        raw.execute("SET lock_timeout = 0")
        raw.commit()

    return engine


def postgres_readers(url: URL) -> Engine:
    """Connections that only read, each transaction at one moment."""
    engine = create_engine(
        url,
        pool_size=READERS,
        max_overflow=READERS_MORE,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        connect_args=_unanswered(url),
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")

    return engine


def _unanswered(url: URL) -> dict[str, int]:
    """Says to the driver when a server that does not answer is gone; what the URL itself says of it counts more."""
    habits = {"connect_timeout": CONNECTS_WITHIN, "tcp_user_timeout": UNHEARD_MS, **ALIVE}
    return {name: value for name, value in habits.items() if name not in url.query}


def set_durable(connection: Connection, durable: bool) -> None:
    """Whether the next transaction is on the disk when it ends; to be said before its beginning. Raises DBAPIError.

    Asked of the driver itself, and only when it is another than before: no transaction is begun for it.
    """
    with _by_the_driver(connection) as raw:
        if raw is None or connection.info.get("durable") == durable:
            return
        if connection.dialect.name == "sqlite":
            raw.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        else:
            raw.execute(f"SET synchronous_commit = {'on' if durable else 'off'}")
            raw.commit()
        connection.info["durable"] = durable


def vacuum(connection: Connection) -> None:
    """Empties SQLite's free pages and its log, outside of a transaction. Raises DBAPIError."""
    with _by_the_driver(connection) as raw:
        for word in ("incremental_vacuum", "wal_checkpoint(TRUNCATE)"):
            raw.execute(f"PRAGMA {word}").fetchall()


@contextmanager
def _by_the_driver(connection: Connection) -> Iterator[Any]:
    """The driver's own connection. SQLAlchemy does not see what fails there: it is told, and the connection is lost."""
    try:
        yield connection.connection.driver_connection
    except connection.dialect.loaded_dbapi.Error as error:
        connection.invalidate(error)
        raise DBAPIError(None, None, error, connection_invalidated=True) from error


def is_damaged(error: DBAPIError) -> bool:
    """Whether SQLite's file is not what it should be."""
    return _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def has_no_room(error: DBAPIError) -> bool:
    """Whether the disk is full, or does not take or give what SQLite asks of it (also PostgreSQL's disk_full)."""
    state = getattr(error.orig, "sqlstate", None)
    return _primary_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR) or state in ("53100", "58030")


def _primary_code(error: DBAPIError) -> int | None:
    """SQLite's result code without what it says more exactly, None for another database's error."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def held_elsewhere(error: DBAPIError) -> bool:
    """Whether a start failed because another hub holds the lock (PostgreSQL's lock_not_available)."""
    return getattr(error.orig, "sqlstate", None) == "55P03"
