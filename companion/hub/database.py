"""The hub's database: SQLite in one file or PostgreSQL; one writer, any number of readers, changes numbered."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import RLock

from sqlalchemy import URL, Connection, Engine, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoneFree

from companion.clock import Clock
from companion.hub import engines
from companion.hub.errors import HubBusy, HubDamaged, HubError, HubGone, HubRefused
from companion.hub.migrating import migrate
from companion.hub.schema import JOURNALS, NOTICES, TABLES, TOURNAMENTS
from companion.hub.snapshot import check
from companion.journal.writer_lock import HeldElsewhere, WriterLock

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
                    engines.set_durable(connection, durable)
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
                    engines.vacuum(self._connected())
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
        database = Database(engines.sqlite_writer(path), engines.sqlite_readers(path), clock, lock, str(path))
    else:
        secret = parsed.set(drivername="postgresql+psycopg")
        place = parsed.render_as_string(hide_password=True)
        database = Database(engines.postgres_writer(secret), engines.postgres_readers(secret), clock, None, place)
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
        if not engines.ours_or_empty(path):
            raise HubError("foreign", path=path)
        lock = WriterLock(path.with_name(path.name + ".lock"))
        try:
            if path.exists():
                _look_through(path)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except BaseException:
            lock.release()
            raise
    except HeldElsewhere as held:
        raise HubBusy("busy", path=path, holder=held.holder) from None
    except OSError as error:
        raise HubError("unopenable", path=path, reason=os.strerror(error.errno or 0)) from None
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
        raise HubGone("gone", path=place, reason=_first_line(error)) from error
    except DBAPIError as error:
        if engines.held_elsewhere(error):
            raise HubBusy("busy_server") from None
        log.info("the database failed: %s", error.orig)
        if engines.is_damaged(error):
            raise HubDamaged("damaged", path=place) from error
        if engines.has_no_room(error):
            raise HubGone("no_room", path=place) from error
        if isinstance(error, IntegrityError | DataError):
            raise HubRefused("refused", path=place, reason=_first_line(error.orig)) from error
        raise HubGone("gone", path=place, reason=_first_line(error.orig)) from error


def _first_line(fault: BaseException | None) -> str:
    return next(iter(str(fault).strip().splitlines()), "?")
