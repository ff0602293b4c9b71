"""`companion backup`: everything that this table knows in one file, taken while the app may go on."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import apsw

from companion import __version__
from companion.clock import SystemClock
from companion.commands.settings import language_of
from companion.commands.system.backup_archive import pack
from companion.config import PINS, config_path, data_folder, load_config
from companion.games.base import Message
from companion.journal.database import StoreDamaged, StoreError, translated
from companion.journal.store import Store

DONE, FAILED, REFUSED = 0, 1, 2
MATCHES, HUB = "matches.sqlite", "hub"
"""In the data folder: the matches, and the folder of a hub on the same machine."""
DATA, SETTINGS = "data", "settings/config.toml"
"""Where an archive holds the data folder and the settings."""
WIRING = f"settings/{PINS}"
"""And where the wiring of the panel, which lies beside the settings."""
ASIDE = "before-restore-"
"""What folders of things put aside by `restore` begin with."""
LEFT_OUT = ("backups", "heartbeat", "kivy", "exchange", HUB)
"""What no backup holds: backups, what is made anew by itself, what was written to be carried elsewhere, and a hub on
the same machine, which has backups of its own."""
NAME = "tapis-vert-"


def run_backup(chosen: Path | None, out: Path, keep: int | None, pictures: bool) -> int:
    """Writes a backup to a file, or into a folder under the date; there the newest `keep` stay. Returns the status."""
    say = language_of(chosen)
    data = data_folder(load_config(chosen))
    now = SystemClock().now()
    rotating = out.is_dir()
    if keep is not None and not rotating:
        return _tell(say("cli.backup.keep"), REFUSED)
    file = out / f"{NAME}{now:%Y-%m-%d-%H%M%S}.zip" if rotating else out
    if not data.is_dir():
        return _tell(say("cli.backup.nothing", folder=data), FAILED)
    try:
        count = write_backup(data, config_path(chosen), file, pictures, now)
    except StoreError as trouble:
        return _tell(say.text(trouble.message), FAILED)
    except OSError as fault:
        return _tell(say("cli.backup.failed", file=fault.filename or file, reason=fault.strerror), FAILED)
    if keep is not None:
        for old in sorted(out.glob(f"{NAME}[0-9]*.zip"))[: -max(keep, 1)]:  # a hub's may lie there too
            old.unlink(missing_ok=True)
    return _tell(say("cli.backup.done", file=file, n=count), DONE)


def write_backup(data: Path, settings: Path, file: Path, pictures: bool, now: datetime) -> int:
    """Writes everything of a data folder, and the settings, into one file. Returns how many files it holds.

    Raises StoreError, OSError; the file is then not there.
    """
    about = {"version": __version__, "made": now.isoformat(timespec="seconds"), "pictures": pictures}
    with scratch(data, ".backup") as folder:
        matches = snapshot(data / MATCHES, folder / MATCHES, pictures)
        files = [*_files(data), *([(f"{DATA}/{MATCHES}", matches)] if matches else [])]
        beside = ((SETTINGS, settings), (WIRING, settings.with_name(PINS)))
        files += [(name, path) for name, path in beside if path.is_file()]
        return pack(file, files, about)


@contextmanager
def scratch(data: Path, name: str) -> Iterator[Path]:
    """An empty folder inside the data folder (there is room, and renaming is at once), gone afterwards.

    One that a power cut left is emptied first; two at a time wait for each other.
    """
    handle = os.open(data, os.O_RDONLY)
    folder = data / name
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def snapshot(path: Path, copy: Path, pictures: bool) -> Path | None:
    """A whole copy of the matches, whoever writes to them meanwhile; None if there are none yet.

    Raises StoreError: also if the copy is not sound, so that no good backup is ever replaced by a damaged one.
    """
    if not path.exists():
        return None
    with translated(path):
        source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            target = apsw.Connection(str(copy))
            try:
                with target.backup("main", source, "main") as copying:
                    copying.step(-1)
            finally:
                target.close()
        finally:
            source.close()
    try:
        with Store.open(copy, SystemClock()) as store:
            if not pictures:
                store.forget_pictures(0)
            wrong = store.check()
    except StoreError as fault:
        fault.message = Message(fault.message.id, {**fault.message.args, "path": path})
        raise
    if wrong:
        raise StoreDamaged("damaged", path, reason=wrong[0])
    return copy


def kept(name: str) -> bool:
    """Whether something at the top of the data folder belongs to a backup."""
    side_files = name.startswith(MATCHES)
    return not (side_files or name.startswith((".", ASIDE)) or name in LEFT_OUT)


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    """The files of the data folder but the matches, by their names in the archive."""
    for top in sorted(data.iterdir()):
        if kept(top.name):
            for path in sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{DATA}/{path.relative_to(data).as_posix()}", path


def _tell(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
