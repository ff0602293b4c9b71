"""`companion hub --restore FILE`: a hub as a backup has it; what it replaces is put aside and never deleted."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.clock import SystemClock
from companion.commands.hub.archive import BROKER, DATABASE, FOLDER, LOCK, HubPlace, default_url
from companion.commands.settings import data_folder_of, language_of
from companion.commands.system.backup import HUB, scratch
from companion.commands.system.backup_archive import HUB_KIND, BadBackup, unpack
from companion.commands.system.restore import DONE, FAILED, exchanged, give_to_owner, tell_refused
from companion.games.base import Message
from companion.hub.broker import end_orphan
from companion.hub.database import HubError, check, open_database, ours_or_empty
from companion.journal.files import HeldElsewhere, WriterLock


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


def take_back(place: HubPlace, file: Path) -> tuple[dict[str, Any], list[Path]]:
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
