"""The database of the hub: SQLite in one file or PostgreSQL; one writer, many readers, numbered changes, copies."""

from __future__ import annotations

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
from companion.hub.schema import JOURNALS, KEPT, NOTICES, TABLES, TOURNAMENTS
from companion.journal.files import LockHeldError, WriterLock
from companion.language import quoted, reason_of


class HubError(Exception):
    """The database cannot be used. `message` is the sentence."""

    def __init__(self, id: str, **args: object) -> None:
        self.message = Message(f"tournament.hub.{id}", args)
        super().__init__(str(self.message))


class HubBusy(HubError):
    """Another hub writes to this database."""


class HubNewer(HubError):
    """A newer version of the program made the database; it was left untouched."""


class HubGone(HubError):
    """The database does not answer or its disk is full; what was asked has not happened, and may be asked again."""


class HubRefused(HubGone):
    """The database is there, but does not take this: asked again it would say the same. The program's fault."""


class HubDamaged(HubGone):
    """The database is damaged, or holds nothing where it should: the way on is a backup."""


class UnknownTournament(KeyError):
    """No tournament of that id."""


class UnknownJournal(KeyError):
    """No journal of that table, epoch and branch."""


# Engines: who waits for whom, what is on the disk when, and one writer at a time.


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


# Copies of the SQLite file, made while the hub writes to it.


DELETED = "deleted"
"""Under this name is kept when names or journals were last deleted for good (seconds since 1970): copies from before
have them still."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """How the hub's own backups stand: when the newest was made (ISO 8601), where they lie, what hinders them."""

    newest: str | None
    places: tuple[Path, ...]
    trouble: Message | None = None


def snapshot(path: Path, copy: Path) -> int:
    """Writes a copy of one moment, without the pictures of the newest rolls, which are but passing.

    The hub may write meanwhile and does not wait. Returns when something was last deleted for good (0: never). Raises
    HubError for a file that is not sound: no good copy is ever replaced by a damaged one.
    """
    try:
        with closing(_reader(path)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as target:
            source.backup(target)  # in one step: one moment, whatever is written meanwhile
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA secure_delete = ON")
            target.execute("DELETE FROM pictures")
            target.execute("PRAGMA incremental_vacuum").fetchall()
            _told("quick_check", target, path)
            kept = target.execute("SELECT value FROM kept WHERE key = ?", (DELETED,)).fetchone()
    except sqlite3.Error as fault:
        raise HubError("unsound", path=path, reason=reason_of(fault)) from None
    return int(kept[0]) if kept else 0


def check(path: Path, name: str, quick: bool = False) -> None:
    """Raises HubError, with the file's `name`, if something in it is damaged; `quick` is without the indices."""
    try:
        with closing(_reader(path)) as found:
            _told("quick_check" if quick else "integrity_check", found, name)
    except sqlite3.Error as fault:
        raise HubError("unsound", path=name, reason=reason_of(fault)) from None


class ChangeWatch:
    """Sees at next to no cost whether somebody wrote to the file since the last look. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Raises HubError."""
        self._path = path
        try:
            self._connection = _reader(path)
        except sqlite3.Error as fault:
            raise HubError("unsound", path=path, reason=reason_of(fault)) from None

    def version(self) -> int:
        """A number that is another after somebody else's change. Raises HubError."""
        try:
            found: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as fault:
            raise HubError("unsound", path=self._path, reason=reason_of(fault)) from None
        return found

    def close(self) -> None:
        """Lets the file go."""
        self._connection.close()


def _reader(path: Path) -> sqlite3.Connection:
    """It only reads, and so never moves the log into the file (see `engines.sqlite_writer`)."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, BUSY_SECONDS, isolation_level=None, uri=True, check_same_thread=False)


def _told(pragma: Literal["quick_check", "integrity_check"], connection: sqlite3.Connection, path: object) -> None:
    wrong = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    if wrong != "ok":
        raise HubError("unsound", path=path, reason=quoted(wrong))


# Single values by name.


def kept_value(connection: Connection, key: str) -> str | None:
    """The value of a name, None if there is none."""
    value: str | None = connection.scalar(select(KEPT.c.value).where(KEPT.c.key == key))
    return value


def keep_value(connection: Connection, key: str, value: str) -> None:
    """Keeps a value in place of the one before."""
    if not connection.execute(update(KEPT).where(KEPT.c.key == key).values(value=value)).rowcount:
        connection.execute(insert(KEPT).values(key=key, value=value))


# Migrations.


def scripts() -> Config:
    """Alembic's settings for the migrations of this package."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("companion.hub") / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(connection: Connection) -> None:
    """Makes what is missing. Raises HubNewer, the database untouched, when a newer program made it."""
    config = scripts()
    directory = ScriptDirectory.from_config(config)
    known = {script.revision for script in directory.walk_revisions()}
    found = set(MigrationContext.configure(connection).get_current_heads())
    if not found <= known:
        raise HubNewer("newer", version=", ".join(sorted(found - known)))
    if found == set(directory.get_heads()):
        return
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


log = logging.getLogger(__name__)

MICROSECONDS = 1_000_000


@dataclass(slots=True)
class Work:
    """One transaction: its connection, its time as text, its number among the changes.

    `after` is called when it is on the disk, in order; until then nothing in memory may show what it does.
    """

    connection: Connection
    now: str
    revision: int
    after: list[Callable[[], None]] = field(default_factory=list)
    changed: bool = False


class Database:
    """Opened by `open_database`; close it when done."""

    def __init__(self, writer: Engine, readers: Engine, clock: Clock, lock: WriterLock | None, place: str) -> None:
        """`place` is how the organiser knows it: its file, or its address without a password."""
        self.clock, self.place = clock, place
        self.lasting = 0
        """How many durable transactions there were: what nobody will tell again if it is lost."""
        self.vacuumed = True
        """Whether nothing of what was deleted is left in the file, as far as is known."""
        self._writer = writer
        self._readers = readers
        self._file_lock = lock
        self._turn = RLock()
        self._listeners: list[Callable[[int], None]] = []
        self._forget: list[Callable[[], None]] = []
        self._revision = 0
        self._held: Connection | None = None
        self._found = 0
        self._floor = 0

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._writer.dialect.name

    @property
    def revision(self) -> int:
        """The number of the newest change."""
        return self._revision

    def knows(self, revision: int) -> bool:
        """Whether a revision is one of this database's own, not of a history that was lost with a newer copy of it."""
        return revision <= self._found or self._floor <= revision <= self._revision

    def begin(self) -> None:
        """Makes the tables or brings them up to date. Raises HubError."""
        with self._turn, _told_as_errors(self.place), self._writer.begin() as connection:
            migrate(connection)
            newest = [connection.scalar(select(func.max(each.c.revision))) for each in _NUMBERED]
        self._found = max(each or 0 for each in newest)
        self._floor = self._revision = max(int(self.clock.now().timestamp() * MICROSECONDS), self._found)

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Work]:
        """The only way to write: all of the block or nothing. Raises HubGone when the database is.

        `durable` is for what nobody will tell again: on the disk when the block is left, whatever happens to the
        power. Without it a power cut may take the newest transactions, whole ones and in order, never a crash of the
        program.
        """
        with self._turn:
            leaving = False
            try:
                with _told_as_errors(self.place):
                    connection = self._connected()
                    set_durable(connection, durable)
                    with connection.begin():
                        work = Work(connection, self.now(), self._revision + 1)
                        yield work
                        leaving = True
            except BaseException as fault:
                if leaving or isinstance(fault, HubRefused):
                    # Whether it was written is not known (a connection lost in the commit), or what is remembered does
                    # not fit to what is there: ask the database anew.
                    self._forget_all()
                raise
            self.lasting += durable
            self._show(work)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one moment and writes nothing. Raises HubGone."""
        with _told_as_errors(self.place), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Nothing is written while this lasts."""
        with self._turn:
            yield

    def now(self) -> str:
        """The time as it is written beside what happens."""
        return self.clock.now().isoformat(timespec="milliseconds")

    def remembers(self, forget: Callable[[], None]) -> None:
        """`forget` is called when what is kept in memory may not be what the database holds."""
        self._forget.append(forget)

    def vacuum(self) -> None:
        """Gives back the room of what was deleted, and leaves nothing of it in the file's log and free pages.

        If that fails the log tells it, and `vacuumed`: what was deleted stays deleted, and the next call makes it good.
        """
        if self.dialect != "sqlite":
            return
        with self._turn:
            try:
                with _told_as_errors(self.place):
                    vacuum(self._connected())
                self.vacuumed = True
            except HubError as fault:
                self.vacuumed = False
                log.warning("the room of what was deleted is not given back yet: %s", fault.message.args)

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:
        """Calls `told` with the revision after every change, in the writing thread; returns the way out."""
        self._listeners.append(told)

        def stop() -> None:
            if told in self._listeners:
                self._listeners.remove(told)

        return stop

    def close(self) -> None:
        """Lets connections and lock go."""
        with self._turn:
            if self._held is not None:
                self._held.close()
                self._held = None
            self._readers.dispose()
            self._writer.dispose()
            if self._file_lock is not None:
                self._file_lock.release()

    def _show(self, work: Work) -> None:
        """What was written is seen from now on. Nothing that fails here can take it back, nor keep it from others."""
        whole = True
        while work.after:  # emptied: it leads back to all that the transaction held, which shall go with it
            whole = _called(work.after.pop(0)) and whole
        if not whole:
            self._forget_all()
        if work.changed:
            # After the memory: a page that was made of the old one must not count as one of this revision.
            self._revision = work.revision
            for told in tuple(self._listeners):
                _called(partial(told, work.revision))

    def _connected(self) -> Connection:
        """The writer's connection. With a new one: another hub may have written since the old one was lost."""
        if self._held is not None and self._held.invalidated:
            lost, self._held = self._held, None
            lost.close()
        if self._held is None:
            self._held = self._writer.connect()
            self._forget_all()
        return self._held

    def _forget_all(self) -> None:
        for forget in self._forget:
            forget()


def _called(what: Callable[[], None]) -> bool:
    """Whether it could be done; the log has why not."""
    try:
        what()
    except Exception:
        log.exception("what was written is on the disk, but not all in the hub's memory has followed")
        return False
    return True


_NUMBERED = (JOURNALS, NOTICES, TABLES, TOURNAMENTS)


def database_url(url: str) -> URL:
    """What a URL says of a hub's database: a file of SQLite, or PostgreSQL. Raises HubError for anything else."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise HubError("bad_url", url=url) from None
    kind = parsed.get_backend_name()
    if kind != "postgresql" and (kind != "sqlite" or parsed.database in (None, "", ":memory:")):
        raise HubError("bad_url", url=parsed.render_as_string(hide_password=True))
    return parsed


def open_database(url: str, clock: Clock) -> Database:
    """Opens or makes the database: `sqlite:///file` or `postgresql+psycopg://…`. Raises HubError."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        path = Path(parsed.database or "")
        lock = _alone(path)
        database = Database(sqlite_writer(path), sqlite_readers(path), clock, lock, str(path))
    else:
        secret = parsed.set(drivername="postgresql+psycopg")
        place = parsed.render_as_string(hide_password=True)
        database = Database(postgres_writer(secret), postgres_readers(secret), clock, None, place)
    try:
        database.begin()
    except BaseException:
        database.close()
        raise
    return database


def _alone(path: Path) -> WriterLock:
    """One hub a file. The file is made here so that nobody else on the machine may read it. Raises HubError."""
    if path.exists() and not path.is_file():
        raise HubError("no_file", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not ours_or_empty(path):
            raise HubError("foreign", path=path)
        lock = WriterLock(path.with_name(path.name + ".lock"))
        try:
            if path.exists():
                _look_through(path)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except BaseException:
            lock.release()
            raise
    except LockHeldError as held:
        raise HubBusy("busy", path=path, holder=held.holder) from None
    except OSError as error:
        raise HubError("unopenable", path=path, reason=reason_of(error)) from None
    return lock


def _look_through(path: Path) -> None:
    """Raises HubDamaged for a file that lost something, which is then as it was; better now than amid a match."""
    if path.stat().st_size == 0:
        raise HubDamaged("empty", path=path)
    try:
        check(path, str(path), quick=True)
    except HubError as fault:
        log.info("%s: %s", path, fault.message.args["reason"])
        raise HubDamaged("damaged", path=path) from None


@contextmanager
def _told_as_errors(place: str) -> Iterator[None]:
    try:
        yield
    except NoneFree as error:
        log.info("no connection to the database is free: %s", error)
        raise HubGone("gone", path=place, reason=quoted(_first_line(error))) from error
    except DBAPIError as error:
        if held_elsewhere(error):
            raise HubBusy("busy_server") from None
        log.info("the database failed: %s", error.orig)
        if is_damaged(error):
            raise HubDamaged("damaged", path=place) from error
        if has_no_room(error):
            raise HubGone("no_room", path=place) from error
        if isinstance(error, IntegrityError | DataError):
            raise HubRefused("refused", path=place, reason=quoted(_first_line(error.orig))) from error
        raise HubGone("gone", path=place, reason=quoted(_first_line(error.orig))) from error


def _first_line(fault: BaseException | None) -> str:
    return next(iter(str(fault).strip().splitlines()), "?")
