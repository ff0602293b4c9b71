"""`companion restore`: a backup's content in the place of what is here, which is put aside and never deleted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import tomlkit

from companion.clock import SystemClock
from companion.commands.settings import language_of
from companion.commands.system.backup import ASIDE, DATA, MATCHES, SETTINGS, WIRING, kept, scratch
from companion.commands.system.backup_archive import BadBackup, unpack
from companion.config import PINS, ConfigError, config_path, data_folder, load_config, read_config
from companion.games.base import Message
from companion.journal.database import StoreError
from companion.journal.files import HeldElsewhere, WriterLock, sync_folder, write_whole
from companion.journal.store import Store
from companion.language import Language

DONE, FAILED, REFUSED = 0, 1, 2


def run_restore(chosen: Path | None, file: Path, settings: bool) -> int:
    """Takes a backup back, with its settings too if asked. Nothing is touched before all of it was found good.

    Returns the exit status: 2 for an archive that is not taken.
    """
    say = language_of(chosen)
    data = data_folder(load_config(chosen))
    place = config_path(chosen).resolve()
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    try:
        data.mkdir(parents=True, exist_ok=True)
        with scratch(data, ".restore") as folder:
            about = unpack(file, folder)
            _sound(folder / DATA / MATCHES)
            taken = _settings(folder, data, place) if settings else {}
            lock = WriterLock(data / f"{MATCHES}.lock")
            try:
                aside = exchanged(folder / DATA, data, stamp, MATCHES, kept)
                for path, content in taken.items():
                    _set(path, content, stamp)
            finally:
                lock.release()
            give_to_owner(data, *taken)
    except (BadBackup, HeldElsewhere, OSError) as fault:
        return tell_refused(say, fault, file, data, "cli.restore.open")
    print(say("cli.restore.done", folder=data, made=about.get("made", "?")), file=sys.stderr)
    if aside is not None:
        print(say("cli.restore.aside", folder=aside), file=sys.stderr)
    return DONE


def tell_refused(
    say: Language, fault: BadBackup | HeldElsewhere | OSError, file: Path, folder: Path, in_use: str
) -> int:
    """Says why a backup was not taken back; `in_use` is the sentence for a folder that is. Returns the exit status."""
    if isinstance(fault, BadBackup):
        for name, message in fault.faults:
            print(f"{file}{'!' if name else ''}{name}: {say.text(message)}", file=sys.stderr)
        return REFUSED
    if isinstance(fault, HeldElsewhere):
        print(say(in_use, folder=folder, holder=fault.holder), file=sys.stderr)
    else:
        print(say("cli.restore.failed", file=fault.filename or file, reason=fault.strerror), file=sys.stderr)
    return FAILED


def _sound(path: Path) -> None:
    """The matches are whole and of a known format; an older one becomes the newest. Raises BadBackup."""
    if not path.exists():
        return
    name = f"{DATA}/{MATCHES}"
    try:
        with Store.open(path, SystemClock()) as store:
            wrong = store.check()
    except StoreError as trouble:
        raise BadBackup((name, trouble.message)) from None
    if wrong:
        raise BadBackup((name, Message("journal.store.damaged", {"path": name, "reason": wrong[0]})))
    path.with_name(f"{MATCHES}.lock").unlink()


def _settings(folder: Path, data: Path, place: Path) -> dict[Path, bytes]:
    """The settings of the backup as files of this machine, whose data folder stays where it is. Raises BadBackup."""
    path, wiring = folder / SETTINGS, folder / WIRING
    found = {place.with_name(PINS): wiring.read_bytes()} if wiring.exists() else {}
    if not path.exists():
        return found
    try:
        config = read_config(path)
    except ConfigError as fault:
        raise BadBackup((SETTINGS, fault.message)) from None
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    if data_folder(config) != data:
        document.setdefault("data", tomlkit.table())["folder"] = str(data)
    return {**found, place: tomlkit.dumps(document).encode()}


def exchanged(new: Path, data: Path, stamp: str, store: str | None, kept: Callable[[str], bool]) -> Path | None:
    """Puts what is here aside and what came in its place, the store last and at once. Returns where the old is.

    `kept` says which names at the top belong to a backup; the others are left alone, but for the store, if there is one
    among what a backup has.
    """
    aside = _unused(data / f"{ASIDE}{stamp}")
    _put_aside(new, data, aside, store, kept)
    came = [path for path in new.iterdir() if kept(path.name) or path.name == store] if new.is_dir() else []
    for path in sorted(came, key=lambda path: path.name == store):
        path.replace(data / path.name)
    sync_folder(data)
    return aside if aside.exists() else None


def _put_aside(new: Path, data: Path, aside: Path, store: str | None, kept: Callable[[str], bool]) -> None:
    """Move the old files to `aside`. The old store stays in place, linked there, if `new` brings one to replace it."""
    old = [path for path in data.iterdir() if kept(path.name)]
    main = None if store is None or not (data / store).exists() else data / store
    if main is not None:
        _settle(main)
        old += data.glob(f"{store}-*")
    if old or main is not None:
        aside.mkdir()
    for path in old:
        path.rename(aside / path.name)
    if main is not None:
        os.link(main, aside / main.name)
        sync_folder(aside)
        if not (new / main.name).exists():
            main.unlink()


def _unused(path: Path) -> Path:
    """The path, with a number at its end if it is there already: of a restore in the same second."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def _settle(matches: Path) -> None:
    """What the write-ahead log still holds goes into the main file; a file that cannot be opened stays as it is."""
    try:
        apsw.Connection(str(matches), flags=apsw.SQLITE_OPEN_READWRITE).close()
    except apsw.Error:
        return


def _set(place: Path, content: bytes, stamp: str) -> None:
    if place.exists():
        os.link(place, _unused(place.with_name(f"{place.name}.{ASIDE}{stamp}")))
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, content)


def give_to_owner(data: Path, *beside: Path) -> None:
    """What root restores, in the folder and beside it, belongs to whom the folder belongs, not to root."""
    if os.geteuid() != 0:
        return
    owner = data.stat()
    for path in [*data.rglob("*"), *beside]:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
