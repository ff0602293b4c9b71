"""Backups of a hub: contents, schedule, retention and restore."""

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
    printable,
    restore_ownership,
    scratch_folder,
    swap_data,
    unpack,
)
from companion.commands.hub.options import DEFAULT_DATABASE, HubOptions, default_url
from companion.commands.settings import data_folder_of, language_of
from companion.games.base import JsonObject, Message
from companion.hub.broker import CONFIG_FILE, PID_FILE, STORE_FOLDER, end_orphan
from companion.hub.database import (
    BackupState,
    ChangeWatch,
    Database,
    DatabaseError,
    check_integrity,
    database_url,
    is_hub_file_or_empty,
    open_database,
    write_snapshot,
)
from companion.journal.lock import LockHeldError, WriterLock
from companion.language import reason_of

FOLDER, DATABASE = "hub", "database/hub.sqlite"
"""Paths of the hub's folder and its SQLite file in an archive."""
BACKUPS, LOCK, BROKER, CLUSTER = "backups", "hub.lock", "broker", "cluster"
"""Names in the hub's folder: backups, the lock of the running hub, its own broker, and an organiser's cluster."""
REGENERATED = frozenset({CONFIG_FILE, PID_FILE, "nats.log", STORE_FOLDER})
"""Files that the broker regenerates in its folder."""
NAME_PREFIX, TIME_FORMAT = "tapis-vert-hub-", "%Y-%m-%dT%H%M%SZ"
"""Name format of a backup, with the time in UTC."""
KEPT_NEWEST, KEPT_HOURS, KEPT_DAYS = 6, 12, 7
"""Retention in a folder: the newest backups, the last of each of the newest hours, and of each of the newest days."""


@dataclass(frozen=True, slots=True)
class HubLocation:
    """Storage of a hub: its folder and its SQLite file; None if the database is on a PostgreSQL server."""

    folder: Path
    database: Path | None

    @classmethod
    def of(cls, folder: Path, url: str) -> HubLocation:
        """Return the location of a hub with a database of this URL. Raises: DatabaseError for an invalid URL."""
        parsed = database_url(url)
        file = parsed.database if parsed.get_backend_name() == "sqlite" else None
        return cls(folder, Path(file).absolute() if file else None)

    @property
    def kind(self) -> str:
        """The kind of the database, as named in an archive."""
        return "postgresql" if self.database is None else "sqlite"

    def is_backed_up(self, name: str) -> bool:
        """Return True if a top-level name of the folder belongs in a backup. The database is handled separately."""
        own = DEFAULT_DATABASE if self.database is None else self.database.name
        return not name.startswith((".", ASIDE_PREFIX, DEFAULT_DATABASE, own)) and name not in (BACKUPS, LOCK)

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files of the folder except the database, with their names in an archive."""
        tops = [path for path in self.folder.iterdir() if self.is_backed_up(path.name)] if self.folder.is_dir() else []
        for top in sorted(tops):
            for path in _below(top) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{FOLDER}/{path.relative_to(self.folder).as_posix()}", path


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A written backup: its files, and a digest of its content. `failed` lists the folders where writing failed."""

    files: tuple[Path, ...]
    content: bytes
    failed: tuple[tuple[OSError, Path], ...] = ()


def write_backup(place: HubLocation, folders: Iterable[Path], now: datetime, known_digest: bytes = b"") -> BackupResult:
    """Write a backup into each folder, or into none if its content equals `known_digest`.

    Then deletes expired backups. The hub may keep running. Raises: DatabaseError for a damaged database; OSError if it
    cannot be copied.
    """
    place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch_folder(place.folder, ".backup") as scratch:
        files, deleted = list(place.files()), 0
        if place.database is not None:
            deleted = write_snapshot(place.database, scratch / DEFAULT_DATABASE)
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
    for remnant in folder.glob(f".{NAME_PREFIX}*"):  # left by a power cut
        remnant.unlink(missing_ok=True)
    file = folder / f"{NAME_PREFIX}{now.astimezone(UTC):{TIME_FORMAT}}.zip"
    pack(file, files, about, HUB_KIND, 0o600)
    return file


def _delete_expired(folder: Path, newest: Path, deleted: int) -> None:
    """Delete expired backups, and those from before the last permanent deletion, which still hold deleted names.

    Never deletes the newest.
    """
    found = backups_in(folder)
    kept_times = retained_times(found.values())
    for path, at in found.items():
        if path == newest:
            continue
        about = about_of(path, HUB_KIND) if at in kept_times and deleted else None
        if at not in kept_times or (about is not None and _deleted_count(about) < deleted):
            path.unlink(missing_ok=True)


def _deleted_count(about: JsonObject) -> int:
    count = about.get("deleted")
    return count if isinstance(count, int) else 0


def backups_in(folder: Path) -> dict[Path, datetime]:
    """Return the backups in a folder, with the time in their names."""
    found = {}
    for path in folder.glob(f"{NAME_PREFIX}*.zip"):
        with suppress(ValueError):  # a file with another name is not ours to delete
            at = datetime.strptime(path.name.removeprefix(NAME_PREFIX).removesuffix(".zip"), TIME_FORMAT)
            found[path] = at.replace(tzinfo=UTC)
    return found


def retained_times(times: Iterable[datetime]) -> set[datetime]:
    """Return the backup times to keep (see `KEPT_NEWEST`): at most the sum of the three limits."""
    ordered = sorted(times, reverse=True)
    kept_times = set(ordered[:KEPT_NEWEST])
    for max_count, period_format in ((KEPT_HOURS, "%Y-%m-%d %H"), (KEPT_DAYS, "%Y-%m-%d")):
        last: dict[str, datetime] = {}
        for at in ordered:
            last.setdefault(f"{at:{period_format}}", at)
        kept_times |= set(list(last.values())[:max_count])
    return kept_times


def _below(folder: Path) -> list[Path]:
    """Return all files below a hub folder except regenerated ones."""
    found: list[Path] = []
    for top in sorted(folder.iterdir()):
        if not (top.name in REGENERATED or top.name.startswith((".", "nats.log", STORE_FOLDER))):
            found += sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
    return found


def _digest_of(files: Iterable[tuple[str, Path]]) -> bytes:
    """Return a digest of the content of an archive of these files."""
    lines = []
    for name, path in files:
        with path.open("rb") as file:
            lines.append(f"{file_digest(file, 'sha256').hexdigest()} {os.fsdecode(name)}")
    return sha256("\n".join(lines).encode()).digest()


log = logging.getLogger(__name__)

DECISION_DELAY_S, TABLE_DATA_DELAY_S = 10.0, 300.0
"""Seconds from a change to its backup: if it exists only here (decisions, keys), and if tables can resend it."""
MAX_TIME_SHARE = 0.02
"""Maximum share of the time spent writing backups."""
RETRY_DELAY_S = 60.0
"""Seconds before a failed write is retried."""
CHECK_INTERVAL_S = 2.0


@dataclass(frozen=True, slots=True)
class _ContentVersion:
    """Fingerprint of a backup's content without reading it: database version, durable changes, other files."""

    version: int
    change_count: int
    files: tuple[tuple[str, int, int], ...]


class HubBackups:
    """Backups of a running hub, into its own folder and optionally a second one. Call `finish()` at the end."""

    def __init__(self, place: HubLocation, database: Database, clock: Clock, second: Path | None = None) -> None:
        """Start the backups. Raises: LockHeldError if another hub runs in this folder; DatabaseError; OSError."""
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
        """Return the backup status for the organiser."""
        return BackupState(self._newest, self._folders, self._trouble)

    async def run(self) -> None:
        """Write due backups until cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.back_up_if_due)
            except (DatabaseError, OSError) as fault:
                log.warning("no backup: %s", fault)
            except Exception:  # whatever the error is, the next attempt may succeed
                log.exception("no backup")
            await asyncio.sleep(CHECK_INTERVAL_S)

    def back_up_if_due(self) -> bool:
        """Write a backup if one is due. Returns True if it was written."""
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
        """Write pending changes, due or not, and close. Returns True if a backup was written.

        With `write` False, for a hub that failed to start, no backup is written, so that none contains the cause.
        """
        with self._lock:
            try:
                if not write:
                    return False
                version = self._current_version()
                return (version != self._saved_version or self._trouble is not None) and self._write(version)
            except (DatabaseError, OSError) as fault:
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
                continue  # it is being replaced
            files.append((name, found.st_mtime_ns, found.st_size))
        version = self._change_watch.version() if self._change_watch is not None else 0
        return _ContentVersion(version, self._database.durable_count, tuple(files))

    def _write(self, version: _ContentVersion) -> bool:
        started_at, trouble = self._clock.monotonic(), None
        try:
            known_digest = self._saved_digest if self._trouble is None else b""
            result = write_backup(self._place, self._folders, self._clock.now(), known_digest)
        except DatabaseError as fault:
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
    """Return the damage message with the newest backup to restore."""
    found = newest_backup(options)
    if found is None:
        return Message("cli.hub.no_backup", {"trouble": trouble, "folder": options.folder / BACKUPS})
    return Message("cli.hub.newest_backup", {"trouble": trouble, "file": found})


def newest_backup(options: HubOptions) -> Path | None:
    """Return the newest backup of both folders."""
    folders = [each for each in (options.folder / BACKUPS, options.backups) if each is not None and each.is_dir()]
    found = {at: file for folder in folders for file, at in backups_in(folder).items()}
    return found[max(found)] if found else None


def _message(fault: OSError, folder: Path) -> Message:
    return Message("cli.hub.backup.failed", {"folder": folder, "reason": reason_of(fault)})


# `companion hub --restore FILE`: restores a hub's backup. Existing data is moved aside, never deleted.


def run_hub_restore(config: Path | None, file: Path, url: str | None) -> int:
    """Restore a hub's backup after verifying all of it. Returns the exit status, 2 for a bad archive."""
    language = language_of(config)
    folder = data_folder_of(config).absolute() / HUB
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        about, aside = restore_hub(HubLocation.of(folder, url or default_url(folder)), file)
    except DatabaseError as fault:
        print(language.text(fault.message), file=sys.stderr)
        return FAILED
    except (BadBackup, LockHeldError, OSError) as fault:
        return print_refusal(language, fault, file, folder, "cli.hub.restore.open")
    messages = [language("cli.restore.done", folder=folder, made=printable(about.get("made")))]
    messages += [language("cli.restore.aside", folder=each) for each in aside]
    if about.get("database") != "sqlite":
        messages.append(language("cli.hub.restore.server"))
    print("\n".join([*messages, language("cli.hub.restore.next")]), file=sys.stderr)
    return DONE


def restore_hub(place: HubLocation, file: Path) -> tuple[JsonObject, list[Path]]:
    """Replace the data of a stopped hub by an archive's content. Everything is verified before any change.

    Returns the archive's description, and the folders with the old data. Raises: BadBackup; LockHeldError if the hub
    runs; OSError.
    """
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    with scratch_folder(place.folder, ".restore") as scratch:
        about = unpack(file, scratch, HUB_KIND)
        if about.get("database") != place.kind:
            kinds = {"found": printable(about.get("database")), "wanted": place.kind}
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
        with scratch_folder(place.database.parent, ".restore-hub") as near:  # may be on another disk
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
    """Check the integrity and format of the database, and migrate an older one. Raises: BadBackup."""
    if not database.is_file() or database.stat().st_size == 0:
        raise BadBackup((DATABASE, Message("cli.backup.lost")))
    try:
        if not is_hub_file_or_empty(database):
            raise DatabaseError("foreign", path=DATABASE)
        check_integrity(database, DATABASE)
        with closing(open_database(f"sqlite:///{database}", SystemClock())):
            pass
    except DatabaseError as trouble:
        raise BadBackup((DATABASE, trouble.message)) from None
    _lock_of(database).unlink()


@contextmanager
def _exclusive_access(place: HubLocation) -> Iterator[None]:
    """Hold the hub's locks, so that no hub runs or starts there. Raises: LockHeldError, OSError."""
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
    """Restrict permissions to the owner: the files include keys."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
