"""The hub's database: SQLite file or PostgreSQL, one writer, many readers, numbered changes, backup copies."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.pool import QueuePool

from companion.clock import Clock
from companion.games.base import Message
from companion.hub.schema import JOURNALS, KEY_VALUES, NOTICES, TABLES, TOURNAMENTS
from companion.journal.lock import LockHeldError, WriterLock
from companion.language import quoted, reason_of
from vision.files import set_aside


class DatabaseError(Exception):
    """The database cannot be used. `message` is the text for the organiser."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"tournament.hub.{id}", args)
        super().__init__(str(self.message))


class DatabaseBusy(DatabaseError):
    """Another hub writes to this database."""


class DatabaseNewer(DatabaseError):
    """A newer version of the program created the database; it was not changed."""


class DatabaseUnavailable(DatabaseError):
    """The database does not respond or its disk is full. The operation was not done and may be retried."""


class DatabaseRejected(DatabaseUnavailable):
    """The database responds but rejects the operation; a retry would fail again. This is a bug in the program."""


class DatabaseDamaged(DatabaseUnavailable):
    """The database is damaged or unexpectedly empty. It must be restored from a backup."""


class UnknownTournament(KeyError):
    """No tournament has this id."""


class UnknownJournal(KeyError):
    """No journal has this table, epoch and branch."""


# Engines: lock waiting, durability and the single writer.


MAX_POOLED_READERS = 8
MAX_EXTRA_READERS = 24
"""Size of the pool of reader connections, and additional connections under load."""

BUSY_TIMEOUT_S = 5.0
"""Timeout in seconds for the lock on the SQLite file or the hub's PostgreSQL lock.

A write waits for another tool that uses the file; a start waits for the previous hub.
"""

APPLICATION_ID = 0x54564842
"""Application id in the SQLite header that marks the file as a hub database ("TVHB")."""

CONNECT_TIMEOUT_S, UNACKNOWLEDGED_TIMEOUT_MS = 10, 25_000
KEEPALIVE_OPTIONS = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""PostgreSQL timeouts.

- `CONNECT_TIMEOUT_S`: seconds to wait for a connection
- `UNACKNOWLEDGED_TIMEOUT_MS`: milliseconds that sent data may stay unacknowledged
- `KEEPALIVE_OPTIONS`: TCP keepalive settings, used at both ends

A pulled cable gives no signal: without these timeouts a write waits for minutes.
"""

ADVISORY_LOCK_ID = 0x5456_4855_4230
"""Number of the PostgreSQL advisory lock that the running hub holds ("TVHUB0")."""

WAL_LIMIT_BYTES = 32 * 1024 * 1024
"""Maximum size in bytes of the write-ahead log after a checkpoint."""


def is_hub_file_or_empty(path: Path) -> bool:
    """Return whether a file may be opened: it is missing, empty, or a hub database.

    Opening another program's file would change it. The application id is at byte 68 of the SQLite header,
    big-endian. After a power cut the header may be readable only with the file's log: then SQLite is asked.
    """
    if not path.exists() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        head = file.read(72)
    if head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:], "big") == APPLICATION_ID:
        return True
    if not _log_files(path)[0].exists():
        return False
    try:
        with closing(_reader(path)) as found:
            is_hub: bool = found.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            return is_hub
    except sqlite3.Error:
        return False


def _log_files(path: Path) -> tuple[Path, Path]:
    """Return the paths of a database's log and of the log's index."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def sqlite_writer(path: Path) -> Engine:
    """Create the engine of the only connection that writes and runs checkpoints.

    Two connections that run a checkpoint at the same time can lose pages in SQLite before 3.51.3.
    """
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=0,
        connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_S},
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # autocommit: the driver starts no transaction; `begin_immediate` below does
        raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
        if raw.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")  # before WAL mode, so that it is in the main file
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA secure_delete = ON")  # overwrite data that was deleted on request

    @event.listens_for(engine, "begin")
    def begin_immediate(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def sqlite_readers(path: Path) -> Engine:
    """Create the engine of read-only connections. They run no checkpoints (see `sqlite_writer`)."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=MAX_POOLED_READERS,
        max_overflow=MAX_EXTRA_READERS,
        connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_S},
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        raw.isolation_level = None
        raw.execute("PRAGMA wal_autocheckpoint = 0")
        raw.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def begin_deferred(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def postgres_writer(url: URL) -> Engine:
    """Create the engine of the only connection that writes. It holds the lock against a second hub while it is open."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0, connect_args=_timeout_options(url))

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _: Any) -> None:
        for (
            name,
            value,
        ) in KEEPALIVE_OPTIONS.items():  # also server-side: the lock is held until the client's loss is detected
            raw.execute(f"SET tcp_{name} = {value}")
        raw.execute(f"SET lock_timeout = '{int(BUSY_TIMEOUT_S * 1000)}ms'")
        raw.execute(f"SELECT pg_advisory_lock({ADVISORY_LOCK_ID})")
        raw.execute("SET lock_timeout = 0")
        raw.commit()

    return engine


def postgres_readers(url: URL) -> Engine:
    """Create the engine of read-only connections. Each transaction reads one consistent snapshot."""
    engine = create_engine(
        url,
        pool_size=MAX_POOLED_READERS,
        max_overflow=MAX_EXTRA_READERS,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        connect_args=_timeout_options(url),
    )

    @event.listens_for(engine, "begin")
    def begin_read_only(connection: Connection) -> None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")

    return engine


def _timeout_options(url: URL) -> dict[str, int]:
    """Return the driver's timeout options. Values in the URL take precedence."""
    habits = {"connect_timeout": CONNECT_TIMEOUT_S, "tcp_user_timeout": UNACKNOWLEDGED_TIMEOUT_MS, **KEEPALIVE_OPTIONS}
    return {name: value for name, value in habits.items() if name not in url.query}


def set_durable(connection: Connection, durable: bool) -> None:
    """Set whether the next transaction is on the disk when it commits. Call it before the transaction begins.

    The setting is sent through the driver, without a transaction, and only if it has changed.

    Raises: DBAPIError.
    """
    with _driver_connection(connection) as raw:
        if raw is None or connection.info.get("durable") == durable:
            return
        if connection.dialect.name == "sqlite":
            raw.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        else:
            raw.execute(f"SET synchronous_commit = {'on' if durable else 'off'}")
            raw.commit()
        connection.info["durable"] = durable


def vacuum(connection: Connection) -> None:
    """Release SQLite's free pages and truncate its log, outside of a transaction. Raises: DBAPIError."""
    with _driver_connection(connection) as raw:
        for word in ("incremental_vacuum", "wal_checkpoint(TRUNCATE)"):
            raw.execute(f"PRAGMA {word}").fetchall()


@contextmanager
def _driver_connection(connection: Connection) -> Iterator[Any]:
    """Yield the driver's own connection. SQLAlchemy does not see its errors, so an error invalidates the connection."""
    try:
        yield connection.connection.driver_connection
    except connection.dialect.loaded_dbapi.Error as error:
        connection.invalidate(error)
        raise DBAPIError(None, None, error, connection_invalidated=True) from error


def is_damaged(error: DBAPIError) -> bool:
    """Return whether the error means that the SQLite file is damaged. A text that is not UTF-8 has no code."""
    is_text_damaged = isinstance(error.orig, sqlite3.OperationalError) and "decode to UTF-8" in str(error.orig)
    return is_text_damaged or _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_disk_full(error: DBAPIError) -> bool:
    """Return whether the error means a full disk or an I/O error (also PostgreSQL's disk_full)."""
    state = getattr(error.orig, "sqlstate", None)
    return _primary_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR) or state in ("53100", "58030")


def _primary_code(error: DBAPIError) -> int | None:
    """Return SQLite's primary result code, or None for an error of another database."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_lock_held(error: DBAPIError) -> bool:
    """Return whether a start failed because another hub holds the lock (PostgreSQL's lock_not_available)."""
    return getattr(error.orig, "sqlstate", None) == "55P03"


# Copies of the SQLite file, made while the hub writes to it.


LAST_DELETION_KEY = "deleted"
"""Key of the time of the last permanent deletion of names or journals (Unix time in seconds).

Older copies still contain the deleted data.
"""


@dataclass(frozen=True, slots=True)
class BackupState:
    """State of the hub's own backups: time of the newest (ISO 8601), their folders, and the current problem if any."""

    newest: str | None
    folders: tuple[Path, ...]
    trouble: Message | None = None


def write_snapshot(path: Path, copy: Path) -> int:
    """Write a consistent copy without the pictures of the newest rolls, which are temporary.

    The hub may write at the same time and does not wait. Returns the time of the last permanent deletion (0:
    never).

    Raises: DatabaseError, if the file is damaged: a damaged copy never replaces a good one.
    """
    try:
        with closing(_reader(path)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as target:
            source.backup(target)  # in one step: a consistent snapshot during writes
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA secure_delete = ON")
            target.execute("DELETE FROM pictures")
            target.execute("PRAGMA incremental_vacuum").fetchall()
            _run_check("quick_check", target, path)
            kept = target.execute("SELECT value FROM kept WHERE key = ?", (LAST_DELETION_KEY,)).fetchone()
    except sqlite3.Error as fault:
        raise DatabaseError("unsound", path=path, reason=reason_of(fault)) from None
    return int(kept[0]) if kept else 0


def check_integrity(path: Path, name: str, quick: bool = False) -> None:
    """Check a file for damage; `quick` leaves out the indices. Raises: DatabaseError, with the file's `name`."""
    try:
        with closing(_reader(path)) as found:
            _run_check("quick_check" if quick else "integrity_check", found, name)
    except sqlite3.Error as fault:
        raise DatabaseError("unsound", path=name, reason=reason_of(fault)) from None


class ChangeWatch:
    """Detects cheaply whether another connection wrote to the file since the last check. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises: DatabaseError."""
        self._path = path
        try:
            self._connection = _reader(path)
        except sqlite3.Error as fault:
            raise DatabaseError("unsound", path=path, reason=reason_of(fault)) from None

    def version(self) -> int:
        """Return a number that changes after each write of another connection. Raises: DatabaseError."""
        try:
            found: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as fault:
            raise DatabaseError("unsound", path=self._path, reason=reason_of(fault)) from None
        return found

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _reader(path: Path) -> sqlite3.Connection:
    """Open the file read-only. Such a connection runs no checkpoint (see `sqlite_writer`)."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, BUSY_TIMEOUT_S, isolation_level=None, uri=True, check_same_thread=False)


def _run_check(pragma: Literal["quick_check", "integrity_check"], connection: sqlite3.Connection, path: object) -> None:
    query = f"SELECT CAST({pragma} AS BLOB) FROM pragma_{pragma}"  # names in a damaged file may be no UTF-8
    try:
        wrong = connection.execute(query).fetchone()[0].decode(errors="replace")
    except UnicodeDecodeError as fault:  # the text of an SQLite error names what is damaged
        raise DatabaseError("unsound", path=path, reason=reason_of(fault)) from None
    if wrong != "ok":
        raise DatabaseError("unsound", path=path, reason=quoted(wrong))


# Key-value store.


def get_value(connection: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    value: str | None = connection.scalar(select(KEY_VALUES.c.value).where(KEY_VALUES.c.key == key))
    return value


def set_value(connection: Connection, key: str, value: str) -> None:
    """Set the value of a key."""
    if not connection.execute(update(KEY_VALUES).where(KEY_VALUES.c.key == key).values(value=value)).rowcount:
        connection.execute(insert(KEY_VALUES).values(key=key, value=value))


# Migrations.


def alembic_config() -> Config:
    """Return the Alembic configuration of this package's migrations."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("companion.hub") / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(connection: Connection) -> None:
    """Run the pending migrations. Raises: DatabaseNewer, without a change, if a newer program created the database."""
    config = alembic_config()
    directory = ScriptDirectory.from_config(config)
    known = {script.revision for script in directory.walk_revisions()}
    found = set(MigrationContext.configure(connection).get_current_heads())
    if not found <= known:
        raise DatabaseNewer("newer", version=", ".join(sorted(found - known)))
    if found == set(directory.get_heads()):
        return
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


log = logging.getLogger(__name__)

MICROSECONDS = 1_000_000


@dataclass(slots=True)
class UnitOfWork:
    """One transaction: its connection, its timestamp as text, its revision.

    The callbacks in `after` run in order once the transaction is on the disk. Until then nothing in memory may
    show its changes.
    """

    connection: Connection
    now: str
    revision: int
    after: list[Callable[[], None]] = field(default_factory=list)
    changed: bool = False


class Database:
    """The open database. Created by `open_database`; call `close` when done."""

    def __init__(self, writer: Engine, readers: Engine, clock: Clock, lock: WriterLock | None, location: str) -> None:
        """Store the engines.

        `location` is the organiser's name for the database: its file, or its address without a password.
        """
        self.clock, self.location = clock, location
        self.durable_count = 0
        """Number of durable transactions: data that no table would send again after a loss."""
        self.vacuumed = True
        """Whether all deleted data is known to be gone from the file."""
        self._writer = writer
        self._readers = readers
        self._file_lock = lock
        self._write_lock = RLock()
        self._listeners: list[Callable[[int], None]] = []
        self._invalidators: list[Callable[[], None]] = []
        self._revision = 0
        self._write_connection: Connection | None = None
        self._initial_revision = 0
        self._min_revision = 0

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._writer.dialect.name

    @property
    def revision(self) -> int:
        """Revision of the newest change."""
        return self._revision

    def has_revision(self, revision: int) -> bool:
        """Return whether a revision belongs to this database, not to a history lost when an older copy was restored."""
        return revision <= self._initial_revision or self._min_revision <= revision <= self._revision

    def upgrade_schema(self) -> None:
        """Create the tables or migrate them. Raises: DatabaseError."""
        with self._write_lock, _translate_errors(self.location), self._writer.begin() as connection:
            migrate(connection)
            newest = [connection.scalar(select(func.max(each.c.revision))) for each in _REVISIONED_TABLES]
        self._initial_revision = max(each or 0 for each in newest)
        self._min_revision = self._revision = max(
            int(self.clock.now().timestamp() * MICROSECONDS), self._initial_revision
        )

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[UnitOfWork]:
        """Run a write transaction: the whole block or nothing. This is the only way to write.

        Use `durable` for data that no table would send again: it is on the disk when the block ends, even if the
        power fails. Otherwise a power cut may lose the newest transactions, whole and in order; a crash of the
        program loses none.

        Raises: DatabaseUnavailable, if the database is not available.
        """
        with self._write_lock:
            leaving = False
            try:
                with _translate_errors(self.location):
                    connection = self._writer_connection()
                    set_durable(connection, durable)
                    with connection.begin():
                        work = UnitOfWork(connection, self.now(), self._revision + 1)
                        yield work
                        leaving = True
            except BaseException as fault:
                if leaving or isinstance(fault, DatabaseRejected):
                    # It is unknown whether the commit succeeded (connection lost), or the cache does not match
                    # the database: drop the cache and read again.
                    self._invalidate_all()
                raise
            self.durable_count += durable
            self._publish(work)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read-only connection with a consistent snapshot. Raises: DatabaseUnavailable."""
        with _translate_errors(self.location), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Block all writes during the context."""
        with self._write_lock:
            yield

    def now(self) -> str:
        """Return the current time in the format of stored timestamps."""
        return self.clock.now().isoformat(timespec="milliseconds")

    def on_invalidate(self, invalidate: Callable[[], None]) -> None:
        """Register `invalidate`, called when a cache may no longer match the database."""
        self._invalidators.append(invalidate)

    def vacuum(self) -> None:
        """Release the space of deleted data, and remove the data from the file's log and free pages.

        On failure a warning is logged and `vacuumed` is False; the data stays deleted and the next call tries
        again.
        """
        if self.dialect != "sqlite":
            return
        with self._write_lock:
            try:
                with _translate_errors(self.location):
                    vacuum(self._writer_connection())
                self.vacuumed = True
            except DatabaseError as fault:
                self.vacuumed = False
                log.warning("the room of what was deleted is not given back yet: %s", fault.message.args)

    def listen(self, on_change: Callable[[int], None]) -> Callable[[], None]:
        """Call `on_change` with the revision after every change, in the writing thread.

        Returns a function that unsubscribes.
        """
        self._listeners.append(on_change)

        def stop() -> None:
            if on_change in self._listeners:
                self._listeners.remove(on_change)

        return stop

    def close(self) -> None:
        """Close the connections and release the lock."""
        with self._write_lock:
            if self._write_connection is not None:
                self._write_connection.close()
                self._write_connection = None
            self._readers.dispose()
            self._writer.dispose()
            if self._file_lock is not None:
                self._file_lock.release()

    def _publish(self, work: UnitOfWork) -> None:
        """Publish a committed transaction. An error here neither reverts it nor stops other listeners."""
        whole = True
        while work.after:  # emptied: the callbacks hold references to all objects of the transaction
            whole = _call_logged(work.after.pop(0)) and whole
        if not whole:
            self._invalidate_all()
        if work.changed:
            # Update the cache before the revision: a page made from the old cache must not carry the new
            # revision.
            self._revision = work.revision
            for listener in tuple(self._listeners):
                _call_logged(partial(listener, work.revision))

    def _writer_connection(self) -> Connection:
        """Return the writer's connection.

        A new connection clears the caches: another hub may have written in between.
        """
        if self._write_connection is not None and self._write_connection.invalidated:
            lost, self._write_connection = self._write_connection, None
            lost.close()
        if self._write_connection is None:
            self._write_connection = self._writer.connect()
            self._invalidate_all()
        return self._write_connection

    def _invalidate_all(self) -> None:
        for invalidate in self._invalidators:
            invalidate()


def _call_logged(what: Callable[[], None]) -> bool:
    """Call a function and return whether it succeeded. The error is logged."""
    try:
        what()
    except Exception:
        log.exception("what was written is on the disk, but not all in the hub's memory has followed")
        return False
    return True


_REVISIONED_TABLES = (JOURNALS, NOTICES, TABLES, TOURNAMENTS)


def database_url(url: str) -> URL:
    """Parse the URL of a hub database: an SQLite file or PostgreSQL. Raises: DatabaseError, for any other URL."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseError("bad_url", url=url) from None
    kind = parsed.get_backend_name()
    if kind != "postgresql" and (kind != "sqlite" or parsed.database in (None, "", ":memory:")):
        raise DatabaseError("bad_url", url=parsed.render_as_string(hide_password=True))
    return parsed


def open_database(url: str, clock: Clock) -> Database:
    """Open or create the database: `sqlite:///file` or `postgresql+psycopg://…`. Raises: DatabaseError."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        path = Path(parsed.database or "")
        lock = _lock_file(path)
        database = Database(sqlite_writer(path), sqlite_readers(path), clock, lock, str(path))
    else:
        secret = parsed.set(drivername="postgresql+psycopg")
        place = parsed.render_as_string(hide_password=True)
        database = Database(postgres_writer(secret), postgres_readers(secret), clock, None, place)
    try:
        database.upgrade_schema()
    except BaseException:
        database.close()
        raise
    return database


def _lock_file(path: Path) -> WriterLock:
    """Lock the file for this hub. Creates it with mode 0600, so that other users cannot read it. Raises:
    DatabaseError."""
    if path.exists() and not path.is_file():
        raise DatabaseError("no_file", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not is_hub_file_or_empty(path):
            raise DatabaseError("foreign", path=path)
        lock = WriterLock(path.with_name(path.name + ".lock"))
        try:
            if path.exists():
                _check_file(path)
            else:
                _set_log_aside(path)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except BaseException:
            lock.release()
            raise
    except LockHeldError as held:
        raise DatabaseBusy("busy", path=path, holder=held.holder) from None
    except OSError as error:
        raise DatabaseError("unopenable", path=path, reason=reason_of(error)) from None
    return lock


def _set_log_aside(path: Path) -> None:
    """Move the log of a database that is gone aside: it must not be mixed with a new one. Raises: OSError."""
    for each in _log_files(path):
        moved_to = set_aside(each) if each.exists() else None
        if moved_to is not None:
            log.warning("%s is gone, its log is now %s", path, moved_to)
        elif each.exists():
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(each))


def _check_file(path: Path) -> None:
    """Check the file at the start, before a match depends on it. The file is not changed. Raises: DatabaseDamaged."""
    if path.stat().st_size == 0:
        raise DatabaseDamaged("empty", path=path)
    try:
        check_integrity(path, str(path), quick=True)
    except DatabaseError as fault:
        log.info("%s: %s", path, fault.message.args["reason"])
        raise DatabaseDamaged("damaged", path=path) from None


@contextmanager
def _translate_errors(location: str) -> Iterator[None]:
    try:
        yield
    except NoneFree as error:
        log.info("no connection to the database is free: %s", error)
        raise DatabaseUnavailable("gone", path=location, reason=quoted(_first_line(error))) from error
    except DBAPIError as error:
        if is_lock_held(error):
            raise DatabaseBusy("busy_server") from None
        log.info("the database failed: %s", error.orig)
        if is_damaged(error):
            raise DatabaseDamaged("damaged", path=location) from error
        if is_disk_full(error):
            raise DatabaseUnavailable("no_room", path=location) from error
        if isinstance(error, IntegrityError | DataError):
            raise DatabaseRejected("refused", path=location, reason=quoted(_first_line(error.orig))) from error
        raise DatabaseUnavailable("gone", path=location, reason=quoted(_first_line(error.orig))) from error


def _first_line(fault: BaseException | None) -> str:
    return next(iter(str(fault).strip().splitlines()), "?")
