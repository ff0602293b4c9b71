"""The backups that a running hub makes of itself: soon after a decision, now and then while the tables play."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from companion.clock import Clock
from companion.commands.hub.archive import BACKUPS, LOCK, HubPlace, backups_in, write_backup
from companion.commands.hub.options import HubOptions
from companion.games.base import Message
from companion.hub.database import BackupState, ChangeWatch, Database, HubError
from companion.journal.files import WriterLock

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
