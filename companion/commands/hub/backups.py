"""Backups of a hub: what is in one, when they are made and how many stay, and how one is taken back."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from threading import Lock
from typing import Any

from companion import __version__
from companion.clock import Clock, SystemClock
from companion.commands.backup import (
    ASIDE,
    DONE,
    FAILED,
    HUB,
    HUB_KIND,
    BadBackup,
    about_of,
    exchanged,
    give_to_owner,
    pack,
    scratch,
    tell_refused,
    unpack,
)
from companion.commands.hub.options import DEFAULT, HubOptions, default_url
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import JsonObject, Message
from companion.hub.broker import CONFIG, PID, STORE, end_orphan
from companion.hub.database import (
    BackupState,
    ChangeWatch,
    Database,
    HubError,
    check,
    database_url,
    open_database,
    ours_or_empty,
    snapshot,
)
from companion.journal.files import HeldElsewhere, WriterLock

FOLDER, DATABASE = "hub", "database/hub.sqlite"
"""Where an archive holds the hub's folder and its SQLite file."""
BACKUPS, LOCK, BROKER, CLUSTER = "backups", "hub.lock", "broker", "cluster"
"""Names in the hub's folder: backups, the lock of the hub that runs there, what
is of its own broker and what is for an organiser's cluster."""
MADE_ANEW = frozenset({CONFIG, PID, "nats.log", STORE})
"""What the broker makes in its folder by itself."""
NAME, STAMP = "tapis-vert-hub-", "%Y-%m-%dT%H%M%SZ"
"""A backup's name has the time, in UTC."""
NEWEST, HOURS, DAYS = 6, 12, 7
"""Of the backups in a folder stay the newest, the last of each of the newest hours, and of each of the newest days."""


@dataclass(frozen=True, slots=True)
class HubPlace:
    """Where a hub keeps things: its folder, and its SQLite file, None where a PostgreSQL server keeps the database."""

    folder: Path
    database: Path | None

    @classmethod
    def of(cls, folder: Path, url: str) -> HubPlace:
        """The place of a hub with a database of this URL. Raises HubError for one that is none."""
        parsed = database_url(url)
        file = parsed.database if parsed.get_backend_name() == "sqlite" else None
        return cls(folder, Path(file).absolute() if file else None)

    @property
    def kind(self) -> str:
        """The kind of the database, as an archive names it."""
        return "postgresql" if self.database is None else "sqlite"

    def keeps(self, name: str) -> bool:
        """Whether something at the top of the folder belongs to a backup; the database itself is no such thing."""
        own = DEFAULT if self.database is None else self.database.name
        return not name.startswith((".", ASIDE, DEFAULT, own)) and name not in (BACKUPS, LOCK)

    def files(self) -> Iterator[tuple[str, Path]]:
        """The files of the folder but the database, by their names in an archive."""
        tops = [path for path in self.folder.iterdir() if self.keeps(path.name)] if self.folder.is_dir() else []
        for top in sorted(tops):
            for path in _below(top) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{FOLDER}/{path.relative_to(self.folder).as_posix()}", path


@dataclass(frozen=True, slots=True)
class Written:
    """A backup that was written: where, and what it holds, as one digest. `failed` says into which
    folders it could not be."""

    files: tuple[Path, ...]
    content: bytes
    failed: tuple[tuple[OSError, Path], ...] = ()


def write_backup(place: HubPlace, folders: Iterable[Path], now: datetime, unlike: bytes = b"") -> Written:
    """Writes a backup into each of the folders; into none when its content is that of the digest `unlike`.

    Then the older ones there that are not to stay go. The hub may go on meanwhile. Raises HubError for a database that
    is not sound, OSError when it cannot even be copied.
    """
    place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch(place.folder, ".backup") as within:
        files, deleted = list(place.files()), 0
        if place.database is not None:
            deleted = snapshot(place.database, within / DEFAULT)
            files.append((DATABASE, within / DEFAULT))
        content = _content(files)
        if content == unlike:
            return Written((), content)
        about: dict[str, Any] = {"version": __version__, "made": now.isoformat(timespec="seconds")}
        about |= {"database": place.kind, "deleted": deleted}
        written, failed = [], []
        for folder in folders:
            try:
                written.append(_written(folder, files, about, now))
                _tidied(folder, written[-1], deleted)
            except OSError as fault:
                failed.append((fault, folder))
    return Written(tuple(written), content, tuple(failed))


def _written(folder: Path, files: list[tuple[str, Path]], about: Mapping[str, Any], now: datetime) -> Path:
    for remnant in folder.glob(f".{NAME}*"):  # of a power cut
        remnant.unlink(missing_ok=True)
    file = folder / f"{NAME}{now.astimezone(UTC):{STAMP}}.zip"
    pack(file, files, about, HUB_KIND, 0o600)
    return file


def _tidied(folder: Path, newest: Path, deleted: int) -> None:
    """What is not to stay goes, and what still has names that were deleted for good since; never the newest."""
    found = backups_in(folder)
    stay = staying(found.values())
    for path, at in found.items():
        if path == newest:
            continue
        about = about_of(path, HUB_KIND) if at in stay and deleted else None
        if at not in stay or (about is not None and int(about.get("deleted", 0)) < deleted):
            path.unlink(missing_ok=True)


def backups_in(folder: Path) -> dict[Path, datetime]:
    """The backups in a folder, with the time in their names."""
    found = {}
    for path in folder.glob(f"{NAME}*.zip"):
        with suppress(ValueError):  # somebody's own name: never ours to delete
            at = datetime.strptime(path.name.removeprefix(NAME).removesuffix(".zip"), STAMP)
            found[path] = at.replace(tzinfo=UTC)
    return found


def staying(times: Iterable[datetime]) -> set[datetime]:
    """Which of the backups of these times stay (see `NEWEST`): never more than the three numbers together."""
    ordered = sorted(times, reverse=True)
    stay = set(ordered[:NEWEST])
    for most, every in ((HOURS, "%Y-%m-%d %H"), (DAYS, "%Y-%m-%d")):
        last: dict[str, datetime] = {}
        for at in ordered:
            last.setdefault(f"{at:{every}}", at)
        stay |= set(list(last.values())[:most])
    return stay


def _below(folder: Path) -> list[Path]:
    """All below a folder of the hub's but what is made anew by itself."""
    found: list[Path] = []
    for top in sorted(folder.iterdir()):
        if not (top.name in MADE_ANEW or top.name.startswith((".", "nats.log", STORE))):
            found += sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
    return found


def _content(files: Iterable[tuple[str, Path]]) -> bytes:
    """A digest of everything that an archive of these files would hold."""
    told = []
    for name, path in files:
        with path.open("rb") as file:
            told.append(f"{file_digest(file, 'sha256').hexdigest()} {os.fsdecode(name)}")
    return sha256("\n".join(told).encode()).digest()


log = logging.getLogger(__name__)

DECIDED_SECONDS, TOLD_SECONDS = 10.0, 300.0
"""From a change to its backup: one that nobody would tell again (decisions, keys), and one that the tables would."""
SHARE = 0.02
"""Of the time that writing backups may take."""
AGAIN_SECONDS = 60.0
"""Until what could not be written is tried again."""
LOOKS_EVERY = 2.0


@dataclass(frozen=True, slots=True)
class _Mark:
    """What a backup holds, as far as can be seen from outside: the file's version, durable changes, other files."""

    version: int
    lasting: int
    files: tuple[tuple[str, int, int], ...]


class HubBackups:
    """`look` often, `finish` at the end. Each backup goes into the hub's own folder, and into a second one if asked."""

    def __init__(self, place: HubPlace, database: Database, clock: Clock, second: Path | None = None) -> None:
        """Raises HeldElsewhere when another hub runs in this folder, HubError, OSError."""
        self._place, self._database, self._clock = place, database, clock
        own = place.folder / BACKUPS
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folders = (own,) if second is None else (own, second)
        self._alone = WriterLock(place.folder / LOCK)
        try:
            self._glance = None if place.database is None else ChangeWatch(place.database)
        except BaseException:
            self._alone.release()
            raise
        self._lock = Lock()
        self._saved: _Mark | None = None
        self._content = b""
        self._since: float | None = None
        self._not_before = 0.0
        self._trouble: Message | None = None
        newest = max(backups_in(own).values(), default=None)
        self._newest = newest.isoformat(timespec="seconds") if newest else None

    def state(self) -> BackupState:
        """How they stand, for the organiser."""
        return BackupState(self._newest, self._folders, self._trouble)

    async def go_on(self) -> None:
        """Looks until it is cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.look)
            except (HubError, OSError) as fault:
                log.warning("no backup: %s", fault)
            except Exception:  # whatever it is, the next look may find it gone
                log.exception("no backup")
            await asyncio.sleep(LOOKS_EVERY)

    def look(self) -> bool:
        """Writes a backup if one is due; whether it did."""
        with self._lock:
            now, mark = self._clock.monotonic(), self._mark()
            if mark == self._saved and self._trouble is None:
                self._since = None
                return False
            self._since = now if self._since is None else self._since
            decided = self._saved is None or mark.lasting != self._saved.lasting or mark.files != self._saved.files
            due = self._since + (DECIDED_SECONDS if decided or self._trouble is not None else TOLD_SECONDS)
            return now >= max(due, self._not_before) and self._write(mark)

    def finish(self, write: bool = True) -> bool:
        """Writes what has changed since the last one, due or not, and ends; whether it did.

        Not to `write` is for a hub that could not begin: what it was refused for comes into no backup.
        """
        with self._lock:
            try:
                if not write:
                    return False
                mark = self._mark()
                return (mark != self._saved or self._trouble is not None) and self._write(mark)
            except (HubError, OSError) as fault:
                log.warning("no backup: %s", fault)
                return False
            finally:
                if self._glance is not None:
                    self._glance.close()
                self._alone.release()

    def _mark(self) -> _Mark:
        files = []
        for name, path in self._place.files():
            try:
                found = path.stat()
            except FileNotFoundError:
                continue  # one that is being replaced by its newer self
            files.append((name, found.st_mtime_ns, found.st_size))
        version = self._glance.version() if self._glance is not None else 0
        return _Mark(version, self._database.lasting, tuple(files))

    def _write(self, mark: _Mark) -> bool:
        began, trouble = self._clock.monotonic(), None
        try:
            unlike = self._content if self._trouble is None else b""
            done = write_backup(self._place, self._folders, self._clock.now(), unlike)
        except HubError as fault:
            written, trouble = False, fault.message
        except OSError as fault:
            written, trouble = False, _message(fault, self._folders[0])
        else:
            written, self._content = bool(done.files), done.content
            if done.failed:
                trouble = _message(*done.failed[0])
            if written:
                self._newest = self._clock.now().isoformat(timespec="seconds")
        if trouble is not None and trouble != self._trouble:
            log.warning("no backup: %s", trouble)
        self._trouble, self._saved, self._since = trouble, mark, None
        ended = self._clock.monotonic()
        self._not_before = ended + max((ended - began) / SHARE, AGAIN_SECONDS if trouble else 0.0)
        return written


def with_newest(trouble: Message, options: HubOptions) -> Message:
    """What is damaged, and the newest backup to go back to."""
    found = newest_backup(options)
    if found is None:
        return Message("cli.hub.no_backup", {"trouble": trouble, "folder": options.folder / BACKUPS})
    return Message("cli.hub.newest_backup", {"trouble": trouble, "file": found})


def newest_backup(options: HubOptions) -> Path | None:
    """The newest of both places."""
    folders = [each for each in (options.folder / BACKUPS, options.backups) if each is not None and each.is_dir()]
    found = {at: file for folder in folders for file, at in backups_in(folder).items()}
    return found[max(found)] if found else None


def _message(fault: OSError, folder: Path) -> Message:
    return Message("cli.hub.backup.failed", {"folder": folder, "reason": fault.strerror or str(fault)})


# `companion hub --restore FILE`: a hub as a backup has it; what it replaces is put aside and never deleted.


def run_hub_restore(config: Path | None, file: Path, url: str | None) -> int:
    """Takes the backup of a hub back once all of it was found good. Returns the exit status, 2 for a bad archive."""
    say = language_of(config)
    folder = data_folder_of(config).absolute() / HUB
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        about, aside = take_back(HubPlace.of(folder, url or default_url(folder)), file)
    except HubError as fault:
        print(say.text(fault.message), file=sys.stderr)
        return FAILED
    except (BadBackup, HeldElsewhere, OSError) as fault:
        return tell_refused(say, fault, file, folder, "cli.hub.restore.open")
    told = [say("cli.restore.done", folder=folder, made=about.get("made", "?"))]
    told += [say("cli.restore.aside", folder=each) for each in aside]
    if about.get("database") != "sqlite":
        told.append(say("cli.hub.restore.server"))
    print("\n".join([*told, say("cli.hub.restore.next")]), file=sys.stderr)
    return DONE


def take_back(place: HubPlace, file: Path) -> tuple[JsonObject, list[Path]]:
    """Puts the content of an archive in the place of a hub that is not running. Nothing is touched before all is good.

    Returns what the archive says of itself, and where what was there lies now. Raises BadBackup, HeldElsewhere (the hub
    runs), OSError.
    """
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    with scratch(place.folder, ".restore") as within:
        about = unpack(file, within, HUB_KIND)
        if about.get("database") != place.kind:
            words = {"found": str(about.get("database")), "wanted": place.kind}
            raise BadBackup(("", Message("cli.hub.restore.database", words)))
        (within / FOLDER).mkdir(exist_ok=True)
        _closed_to_others(within)
        if place.database is not None:
            _sound(within / DATABASE)
        with _alone(place):
            end_orphan(place.folder / BROKER)
            aside = _exchanged(place, within, stamp)
            beside = [] if place.database is None else [place.database, _lock_of(place.database)]
            give_to_owner(place.folder, *beside, *aside)
    return about, aside


def _exchanged(place: HubPlace, within: Path, stamp: str) -> list[Path]:
    if place.database is None:
        found = [exchanged(within / FOLDER, place.folder, stamp, None, place.keeps)]
    elif place.database.parent == place.folder:
        (within / DATABASE).rename(within / FOLDER / place.database.name)
        found = [exchanged(within / FOLDER, place.folder, stamp, place.database.name, place.keeps)]
    else:
        place.database.parent.mkdir(parents=True, exist_ok=True)
        with scratch(place.database.parent, ".restore-hub") as near:  # it may be another disk
            shutil.copy(within / DATABASE, near / place.database.name)
            with (near / place.database.name).open("rb") as copied:
                os.fsync(copied.fileno())
            found = [exchanged(within / FOLDER, place.folder, stamp, None, place.keeps)]
            found.append(exchanged(near, place.database.parent, stamp, place.database.name, lambda name: False))
    aside = [each for each in found if each is not None]
    for each in aside:
        each.chmod(0o700)
    return aside


def _sound(database: Path) -> None:
    """The database is whole and a hub's of a known form; an older one becomes the newest. Raises BadBackup."""
    if not database.is_file() or database.stat().st_size == 0:
        raise BadBackup((DATABASE, Message("cli.backup.lost")))
    try:
        if not ours_or_empty(database):
            raise HubError("foreign", path=DATABASE)
        check(database, DATABASE)
        with closing(open_database(f"sqlite:///{database}", SystemClock())):
            pass
    except HubError as trouble:
        raise BadBackup((DATABASE, trouble.message)) from None
    _lock_of(database).unlink()


@contextmanager
def _alone(place: HubPlace) -> Iterator[None]:
    """No hub runs there, nor begins to. Raises HeldElsewhere, OSError."""
    files = [place.folder / LOCK]
    if place.database is not None:
        place.database.parent.mkdir(parents=True, exist_ok=True)
        files.append(_lock_of(place.database))
    locks: list[WriterLock] = []
    try:
        for path in files:
            locks.append(WriterLock(path))
        yield
    finally:
        for lock in locks:
            lock.release()


def _lock_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


def _closed_to_others(folder: Path) -> None:
    """Keys are among these files."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
