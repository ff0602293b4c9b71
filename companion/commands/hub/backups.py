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
    ASIDE_PREFIX,
    DONE,
    FAILED,
    HUB,
    HUB_KIND,
    BadBackup,
    about_of,
    pack,
    print_refusal,
    restore_ownership,
    scratch_folder,
    swap_data,
    unpack,
)
from companion.commands.hub.options import DEFAULT_DATABASE, HubOptions, default_url
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
from companion.journal.files import LockHeldError, WriterLock
from companion.language import reason_of

FOLDER, DATABASE = "hub", "database/hub.sqlite"
"""Where an archive holds the hub's folder and its SQLite file."""
BACKUPS, LOCK, BROKER, CLUSTER = "backups", "hub.lock", "broker", "cluster"
"""Names in the hub's folder: backups, the lock of the hub that runs there, what
is of its own broker and what is for an organiser's cluster."""
REGENERATED = frozenset({CONFIG, PID, "nats.log", STORE})
"""What the broker makes in its folder by itself."""
NAME_PREFIX, TIME_FORMAT = "tapis-vert-hub-", "%Y-%m-%dT%H%M%SZ"
"""A backup's name has the time, in UTC."""
KEPT_NEWEST, KEPT_HOURS, KEPT_DAYS = 6, 12, 7
"""Of the backups in a folder stay the newest, the last of each of the newest hours, and of each of the newest days."""


@dataclass(frozen=True, slots=True)
class HubLocation:
    """Where a hub keeps things: its folder, and its SQLite file, None where a PostgreSQL server keeps the database."""

    folder: Path
    database: Path | None

    @classmethod
    def of(cls, folder: Path, url: str) -> HubLocation:
        """The place of a hub with a database of this URL. Raises HubError for one that is none."""
        parsed = database_url(url)
        file = parsed.database if parsed.get_backend_name() == "sqlite" else None
        return cls(folder, Path(file).absolute() if file else None)

    @property
    def kind(self) -> str:
        """The kind of the database, as an archive names it."""
        return "postgresql" if self.database is None else "sqlite"

    def is_backed_up(self, name: str) -> bool:
        """Whether something at the top of the folder belongs to a backup; the database itself is no such thing."""
        own = DEFAULT_DATABASE if self.database is None else self.database.name
        return not name.startswith((".", ASIDE_PREFIX, DEFAULT_DATABASE, own)) and name not in (BACKUPS, LOCK)

    def files(self) -> Iterator[tuple[str, Path]]:
        """The files of the folder but the database, by their names in an archive."""
        tops = [path for path in self.folder.iterdir() if self.is_backed_up(path.name)] if self.folder.is_dir() else []
        for top in sorted(tops):
            for path in _below(top) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{FOLDER}/{path.relative_to(self.folder).as_posix()}", path


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A backup that was written: where, and what it holds, as one digest. `failed` says into which
    folders it could not be."""

    files: tuple[Path, ...]
    content: bytes
    failed: tuple[tuple[OSError, Path], ...] = ()


def write_backup(place: HubLocation, folders: Iterable[Path], now: datetime, known_digest: bytes = b"") -> BackupResult:
    """Writes a backup into each of the folders; into none when its content is that of the digest `unlike`.

    Then the older ones there that are not to stay go. The hub may go on meanwhile. Raises HubError for a database that
    is not sound, OSError when it cannot even be copied.
    """
    place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch_folder(place.folder, ".backup") as scratch:
        files, deleted = list(place.files()), 0
        if place.database is not None:
            deleted = snapshot(place.database, scratch / DEFAULT_DATABASE)
            files.append((DATABASE, scratch / DEFAULT_DATABASE))
        content = _digest_of(files)
        if content == known_digest:
            return BackupResult((), content)
        about: dict[str, Any] = {"version": __version__, "made": now.isoformat(timespec="seconds")}
        about |= {"database": place.kind, "deleted": deleted}
        written, failed = [], []
        for folder in folders:
            try:
                written.append(_write_archive(folder, files, about, now))
                _delete_expired(folder, written[-1], deleted)
            except OSError as fault:
                failed.append((fault, folder))
    return BackupResult(tuple(written), content, tuple(failed))


def _write_archive(folder: Path, files: list[tuple[str, Path]], about: Mapping[str, Any], now: datetime) -> Path:
    for remnant in folder.glob(f".{NAME_PREFIX}*"):  # of a power cut
        remnant.unlink(missing_ok=True)
    file = folder / f"{NAME_PREFIX}{now.astimezone(UTC):{TIME_FORMAT}}.zip"
    pack(file, files, about, HUB_KIND, 0o600)
    return file


def _delete_expired(folder: Path, newest: Path, deleted: int) -> None:
    """What is not to stay goes, and what still has names that were deleted for good since; never the newest."""
    found = backups_in(folder)
    kept_times = retained_times(found.values())
    for path, at in found.items():
        if path == newest:
            continue
        about = about_of(path, HUB_KIND) if at in kept_times and deleted else None
        if at not in kept_times or (about is not None and int(about.get("deleted", 0)) < deleted):
            path.unlink(missing_ok=True)


def backups_in(folder: Path) -> dict[Path, datetime]:
    """The backups in a folder, with the time in their names."""
    found = {}
    for path in folder.glob(f"{NAME_PREFIX}*.zip"):
        with suppress(ValueError):  # somebody's own name: never ours to delete
            at = datetime.strptime(path.name.removeprefix(NAME_PREFIX).removesuffix(".zip"), TIME_FORMAT)
            found[path] = at.replace(tzinfo=UTC)
    return found


def retained_times(times: Iterable[datetime]) -> set[datetime]:
    """Which of the backups of these times stay (see `NEWEST`): never more than the three numbers together."""
    ordered = sorted(times, reverse=True)
    kept_times = set(ordered[:KEPT_NEWEST])
    for max_count, period_format in ((KEPT_HOURS, "%Y-%m-%d %H"), (KEPT_DAYS, "%Y-%m-%d")):
        last: dict[str, datetime] = {}
        for at in ordered:
            last.setdefault(f"{at:{period_format}}", at)
        kept_times |= set(list(last.values())[:max_count])
    return kept_times


def _below(folder: Path) -> list[Path]:
    """All below a folder of the hub's but what is made anew by itself."""
    found: list[Path] = []
    for top in sorted(folder.iterdir()):
        if not (top.name in REGENERATED or top.name.startswith((".", "nats.log", STORE))):
            found += sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
    return found


def _digest_of(files: Iterable[tuple[str, Path]]) -> bytes:
    """A digest of everything that an archive of these files would hold."""
    lines = []
    for name, path in files:
        with path.open("rb") as file:
            lines.append(f"{file_digest(file, 'sha256').hexdigest()} {os.fsdecode(name)}")
    return sha256("\n".join(lines).encode()).digest()


log = logging.getLogger(__name__)

DECISION_DELAY_S, TABLE_DATA_DELAY_S = 10.0, 300.0
"""From a change to its backup: one that nobody would tell again (decisions, keys), and one that the tables would."""
MAX_TIME_SHARE = 0.02
"""Of the time that writing backups may take."""
RETRY_DELAY_S = 60.0
"""Until what could not be written is tried again."""
CHECK_INTERVAL_S = 2.0


@dataclass(frozen=True, slots=True)
class _ContentVersion:
    """What a backup holds, as far as can be seen from outside: the file's version, durable changes, other files."""

    version: int
    change_count: int
    files: tuple[tuple[str, int, int], ...]


class HubBackups:
    """`look` often, `finish` at the end. Each backup goes into the hub's own folder, and into a second one if asked."""

    def __init__(self, place: HubLocation, database: Database, clock: Clock, second: Path | None = None) -> None:
        """Raises LockHeldError when another hub runs in this folder, HubError, OSError."""
        self._place, self._database, self._clock = place, database, clock
        own = place.folder / BACKUPS
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folders = (own,) if second is None else (own, second)
        self._writer_lock = WriterLock(place.folder / LOCK)
        try:
            self._change_watch = None if place.database is None else ChangeWatch(place.database)
        except BaseException:
            self._writer_lock.release()
            raise
        self._lock = Lock()
        self._saved_version: _ContentVersion | None = None
        self._saved_digest = b""
        self._since: float | None = None
        self._not_before = 0.0
        self._trouble: Message | None = None
        newest = max(backups_in(own).values(), default=None)
        self._newest = newest.isoformat(timespec="seconds") if newest else None

    def state(self) -> BackupState:
        """How they stand, for the organiser."""
        return BackupState(self._newest, self._folders, self._trouble)

    async def run(self) -> None:
        """Looks until it is cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.back_up_if_due)
            except (HubError, OSError) as fault:
                log.warning("no backup: %s", fault)
            except Exception:  # whatever it is, the next look may find it gone
                log.exception("no backup")
            await asyncio.sleep(CHECK_INTERVAL_S)

    def back_up_if_due(self) -> bool:
        """Writes a backup if one is due; whether it did."""
        with self._lock:
            now, version = self._clock.monotonic(), self._current_version()
            if version == self._saved_version and self._trouble is None:
                self._since = None
                return False
            self._since = now if self._since is None else self._since
            has_decisions = (
                self._saved_version is None
                or version.change_count != self._saved_version.change_count
                or version.files != self._saved_version.files
            )
            due = self._since + (DECISION_DELAY_S if has_decisions or self._trouble is not None else TABLE_DATA_DELAY_S)
            return now >= max(due, self._not_before) and self._write(version)

    def finish(self, write: bool = True) -> bool:
        """Writes what has changed since the last one, due or not, and ends; whether it did.

        Not to `write` is for a hub that could not begin: what it was refused for comes into no backup.
        """
        with self._lock:
            try:
                if not write:
                    return False
                version = self._current_version()
                return (version != self._saved_version or self._trouble is not None) and self._write(version)
            except (HubError, OSError) as fault:
                log.warning("no backup: %s", fault)
                return False
            finally:
                if self._change_watch is not None:
                    self._change_watch.close()
                self._writer_lock.release()

    def _current_version(self) -> _ContentVersion:
        files = []
        for name, path in self._place.files():
            try:
                found = path.stat()
            except FileNotFoundError:
                continue  # one that is being replaced by its newer self
            files.append((name, found.st_mtime_ns, found.st_size))
        version = self._change_watch.version() if self._change_watch is not None else 0
        return _ContentVersion(version, self._database.lasting, tuple(files))

    def _write(self, version: _ContentVersion) -> bool:
        started_at, trouble = self._clock.monotonic(), None
        try:
            known_digest = self._saved_digest if self._trouble is None else b""
            result = write_backup(self._place, self._folders, self._clock.now(), known_digest)
        except HubError as fault:
            is_written, trouble = False, fault.message
        except OSError as fault:
            is_written, trouble = False, _message(fault, self._folders[0])
        else:
            is_written, self._saved_digest = bool(result.files), result.content
            if result.failed:
                trouble = _message(*result.failed[0])
            if is_written:
                self._newest = self._clock.now().isoformat(timespec="seconds")
        if trouble is not None and trouble != self._trouble:
            log.warning("no backup: %s", trouble)
        self._trouble, self._saved_version, self._since = trouble, version, None
        ended_at = self._clock.monotonic()
        self._not_before = ended_at + max((ended_at - started_at) / MAX_TIME_SHARE, RETRY_DELAY_S if trouble else 0.0)
        return is_written


def with_newest_backup(trouble: Message, options: HubOptions) -> Message:
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
    return Message("cli.hub.backup.failed", {"folder": folder, "reason": reason_of(fault)})


# `companion hub --restore FILE`: a hub as a backup has it; what it replaces is put aside and never deleted.


def run_hub_restore(config: Path | None, file: Path, url: str | None) -> int:
    """Takes the backup of a hub back once all of it was found good. Returns the exit status, 2 for a bad archive."""
    language = language_of(config)
    folder = data_folder_of(config).absolute() / HUB
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        about, aside = restore_hub(HubLocation.of(folder, url or default_url(folder)), file)
    except HubError as fault:
        print(language.text(fault.message), file=sys.stderr)
        return FAILED
    except (BadBackup, LockHeldError, OSError) as fault:
        return print_refusal(language, fault, file, folder, "cli.hub.restore.open")
    messages = [language("cli.restore.done", folder=folder, made=about.get("made", "?"))]
    messages += [language("cli.restore.aside", folder=each) for each in aside]
    if about.get("database") != "sqlite":
        messages.append(language("cli.hub.restore.server"))
    print("\n".join([*messages, language("cli.hub.restore.next")]), file=sys.stderr)
    return DONE


def restore_hub(place: HubLocation, file: Path) -> tuple[JsonObject, list[Path]]:
    """Puts the content of an archive in the place of a hub that is not running. Nothing is touched before all is good.

    Returns what the archive says of itself, and where what was there lies now. Raises BadBackup, LockHeldError (the hub
    runs), OSError.
    """
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    with scratch_folder(place.folder, ".restore") as scratch:
        about = unpack(file, scratch, HUB_KIND)
        if about.get("database") != place.kind:
            kinds = {"found": str(about.get("database")), "wanted": place.kind}
            raise BadBackup(("", Message("cli.hub.restore.database", kinds)))
        (scratch / FOLDER).mkdir(exist_ok=True)
        _make_private(scratch)
        if place.database is not None:
            _check_database(scratch / DATABASE)
        with _exclusive_access(place):
            end_orphan(place.folder / BROKER)
            aside = _swap_all(place, scratch, stamp)
            beside = [] if place.database is None else [place.database, _lock_of(place.database)]
            restore_ownership(place.folder, *beside, *aside)
    return about, aside


def _swap_all(place: HubLocation, scratch: Path, stamp: str) -> list[Path]:
    if place.database is None:
        swapped = [swap_data(scratch / FOLDER, place.folder, stamp, None, place.is_backed_up)]
    elif place.database.parent == place.folder:
        (scratch / DATABASE).rename(scratch / FOLDER / place.database.name)
        swapped = [swap_data(scratch / FOLDER, place.folder, stamp, place.database.name, place.is_backed_up)]
    else:
        place.database.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(place.database.parent, ".restore-hub") as near:  # it may be another disk
            shutil.copy(scratch / DATABASE, near / place.database.name)
            with (near / place.database.name).open("rb") as copied:
                os.fsync(copied.fileno())
            swapped = [swap_data(scratch / FOLDER, place.folder, stamp, None, place.is_backed_up)]
            swapped.append(swap_data(near, place.database.parent, stamp, place.database.name, lambda name: False))
    aside = [each for each in swapped if each is not None]
    for each in aside:
        each.chmod(0o700)
    return aside


def _check_database(database: Path) -> None:
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
def _exclusive_access(place: HubLocation) -> Iterator[None]:
    """No hub runs there, nor begins to. Raises LockHeldError, OSError."""
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


def _make_private(folder: Path) -> None:
    """Keys are among these files."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
