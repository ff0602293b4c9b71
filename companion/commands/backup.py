"""A backup of a table: all of it in one file, checked, and taken back."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any

import apsw
import tomlkit

from companion import __version__
from companion.clock import SystemClock
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.config import PINS, ConfigError, config_path, data_folder, load_config, read_config
from companion.games.base import Fields, JsonObject, Message
from companion.journal.database import StoreDamaged, StoreError, translate_errors
from companion.journal.files import LockHeldError, WriterLock, sync_folder, write_atomically
from companion.journal.store import Store
from companion.language import Language, quoted, reason_of
from companion.table.audit import SUMS

ABOUT = "about.json"
KIND, HUB_KIND = "tapis-vert backup", "tapis-vert hub backup"
"""What an archive says that it is of: a table, or a hub."""
_OTHER_KIND_MESSAGES = {KIND: "cli.backup.of_table", HUB_KIND: "cli.backup.of_hub"}
FORMAT = 1
_CHUNK_BYTES = 1 << 20
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, struct.error)
"""What the zip module raises of a damaged archive."""


class BadBackup(Exception):
    """An archive that is not taken: every fault with the name of the file in it (empty: the archive itself)."""

    def __init__(self, *faults: tuple[str, Message]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in faults))
        self.faults = faults


def pack(out: Path, files: Iterable[tuple[str, Path]], about: Fields, kind: str = KIND, mode: int = 0o640) -> int:
    """Writes the archive of files by their names in it; whole on the disk on return, or not there. Raises OSError.

    Returns how many files are in it.
    """
    sums: list[str] = []
    with _atomic_file(out, mode) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(ABOUT, json.dumps({"kind": kind, "format": FORMAT, **about}, indent=1))
        for name, path in files:
            sum = sha256()
            with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                while piece := source.read(_CHUNK_BYTES):
                    sum.update(piece)
                    member.write(piece)
            sums.append(f"{sum.hexdigest()}  {name}\n")
        archive.writestr(SUMS, "".join(sums))
    return len(sums)


def unpack(archive: Path, into: Path, kind: str = KIND) -> JsonObject:
    """Lays the files of an archive into a folder, each held against its SHA-256. Returns what it says of itself.

    Raises BadBackup with every fault (the folder then holds remnants that mean nothing), OSError.
    """
    try:
        opened_archive = zipfile.ZipFile(archive)
    except _ARCHIVE_ERRORS as fault:
        raise BadBackup(("", Message("cli.backup.no_archive", {"reason": reason_of(fault)}))) from None
    with opened_archive:
        about = _about(opened_archive, kind)
        sums = _sums(opened_archive)
        names = [entry.filename for entry in opened_archive.infolist() if entry.filename not in (ABOUT, SUMS)]
        faults = [(name, Message("cli.backup.twice")) for name in sorted({n for n in names if names.count(n) > 1})]
        faults += [(name, Message("cli.backup.unlisted")) for name in sorted(set(names) - set(sums))]
        faults += [(name, Message("cli.backup.lost")) for name in sorted(set(sums) - set(names))]
        faults += [(name, Message("cli.backup.name")) for name in names if not _is_safe_name(name)]
        if not faults:
            faults = [
                (name, Message("cli.backup.changed"))
                for name in names
                if not _extract(opened_archive, name, into, sums)
            ]
    if faults:
        raise BadBackup(*faults)
    return about


def _extract(archive: zipfile.ZipFile, name: str, into: Path, sums: Mapping[str, str]) -> bool:
    """Writes one file out; False if it is not what the sums say."""
    place = into / name
    place.parent.mkdir(parents=True, exist_ok=True)
    sum = sha256()
    try:
        with archive.open(name) as member, place.open("wb") as file:
            while piece := member.read(_CHUNK_BYTES):
                sum.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except _ARCHIVE_ERRORS:
        return False
    return sum.hexdigest() == sums[name]


def about_of(archive: Path, kind: str = KIND) -> JsonObject | None:
    """What an archive says of itself; None for a file that is no backup of this kind. Raises OSError."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return _about(opened, kind)
    except (BadBackup, *_ARCHIVE_ERRORS):
        return None


def _about(archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    try:
        about = json.loads(archive.read(ABOUT))
        found, format = about["kind"], about["format"]
    except (KeyError, TypeError, RecursionError, *_ARCHIVE_ERRORS):
        raise BadBackup((ABOUT, Message("cli.backup.no_backup"))) from None
    if found != kind and found in _OTHER_KIND_MESSAGES:
        raise BadBackup((ABOUT, Message(_OTHER_KIND_MESSAGES[found])))
    if found != kind or not isinstance(format, int):
        raise BadBackup((ABOUT, Message("cli.backup.no_backup")))
    if format > FORMAT:
        raise BadBackup((ABOUT, Message("cli.backup.newer", {"version": str(about.get("version", "?"))})))
    return dict(about)


def _sums(archive: zipfile.ZipFile) -> dict[str, str]:
    try:
        lines = archive.read(SUMS).decode().splitlines()
    except (KeyError, *_ARCHIVE_ERRORS):
        raise BadBackup((SUMS, Message("cli.backup.changed"))) from None
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found) or len({match[2] for match in found if match}) != len(lines):
        raise BadBackup((SUMS, Message("cli.backup.changed")))
    return {match[2]: match[1] for match in found if match}


def _is_safe_name(name: str) -> bool:
    """Whether a name stays inside the folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and not name.endswith("/")


@contextmanager
def _atomic_file(out: Path, mode: int) -> Iterator[IO[bytes]]:
    """A file beside `out` that takes its name once it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, out)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(out.parent)


# `companion backup`: everything that this table knows in one file, taken while the app may go on.


MATCHES, HUB = "matches.sqlite", "hub"
"""In the data folder: the matches, and the folder of a hub on the same machine."""
DATA, SETTINGS = "data", "settings/config.toml"
"""Where an archive holds the data folder and the settings."""
WIRING = f"settings/{PINS}"
"""And where the wiring of the panel, which lies beside the settings."""
ASIDE_PREFIX = "before-restore-"
"""What folders of things put aside by `restore` begin with."""
EXCLUDED = ("backups", "heartbeat", "kivy", "exchange", HUB)
"""What no backup holds: backups, what is made anew by itself, what was written to be carried elsewhere, and a hub on
the same machine, which has backups of its own."""
NAME_PREFIX = "tapis-vert-"


def run_backup(chosen: Path | None, out: Path, keep: int | None, pictures: bool) -> int:
    """Writes a backup to a file, or into a folder under the date; there the newest `keep` stay. Returns the status."""
    language = language_of(chosen)
    data = data_folder(load_config(chosen))
    now = SystemClock().now()
    is_folder = out.is_dir()
    if keep is not None and not is_folder:
        return _print_status(language("cli.backup.keep"), REFUSED)
    file = out / f"{NAME_PREFIX}{now:%Y-%m-%d-%H%M%S}.zip" if is_folder else out
    if not data.is_dir():
        return _print_status(language("cli.backup.nothing", folder=data), FAILED)
    try:
        count = write_backup(data, config_path(chosen), file, pictures, now)
    except StoreError as trouble:
        return _print_status(language.text(trouble.message), FAILED)
    except OSError as fault:
        sentence = language("cli.backup.failed", file=fault.filename or file, reason=reason_of(fault))
        return _print_status(sentence, FAILED)
    if keep is not None:
        for old in sorted(out.glob(f"{NAME_PREFIX}[0-9]*.zip"))[: -max(keep, 1)]:  # a hub's may lie there too
            old.unlink(missing_ok=True)
    return _print_status(language("cli.backup.done", file=file, n=count), DONE)


def write_backup(data: Path, settings: Path, file: Path, pictures: bool, now: datetime) -> int:
    """Writes everything of a data folder, and the settings, into one file. Returns how many files it holds.

    Raises StoreError, OSError; the file is then not there.
    """
    about = {"version": __version__, "made": now.isoformat(timespec="seconds"), "pictures": pictures}
    with scratch_folder(data, ".backup") as folder:
        matches = copy_matches(data / MATCHES, folder / MATCHES, pictures)
        files = [*_files(data), *([(f"{DATA}/{MATCHES}", matches)] if matches else [])]
        beside = ((SETTINGS, settings), (WIRING, settings.with_name(PINS)))
        files += [(name, path) for name, path in beside if path.is_file()]
        return pack(file, files, about)


@contextmanager
def scratch_folder(data: Path, name: str) -> Iterator[Path]:
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


def copy_matches(path: Path, copy: Path, pictures: bool) -> Path | None:
    """A whole copy of the matches, whoever writes to them meanwhile; None if there are none yet.

    Raises StoreError: also if the copy is not sound, so that no good backup is ever replaced by a damaged one.
    """
    if not path.exists():
        return None
    with translate_errors(path):
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
                store.purge_pictures(0)
            faults = store.check()
    except StoreError as fault:
        fault.message = Message(fault.message.id, {**fault.message.args, "path": path})
        raise
    if faults:
        raise StoreDamaged("damaged", path, reason=quoted(faults[0]))
    return copy


def is_backed_up(name: str) -> bool:
    """Whether something at the top of the data folder belongs to a backup."""
    side_files = name.startswith(MATCHES)
    return not (side_files or name.startswith((".", ASIDE_PREFIX)) or name in EXCLUDED)


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    """The files of the data folder but the matches, by their names in the archive."""
    for top in sorted(data.iterdir()):
        if is_backed_up(top.name):
            for path in sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{DATA}/{path.relative_to(data).as_posix()}", path


def _print_status(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status


# `companion restore`: a backup's content in the place of what is here, which is put aside and never deleted.


def run_restore(chosen: Path | None, file: Path, settings: bool) -> int:
    """Takes a backup back, with its settings too if asked. Nothing is touched before all of it was found good.

    Returns the exit status: 2 for an archive that is not taken.
    """
    language = language_of(chosen)
    data = data_folder(load_config(chosen))
    config_file = config_path(chosen).resolve()
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    try:
        data.mkdir(parents=True, exist_ok=True)
        with scratch_folder(data, ".restore") as folder:
            about = unpack(file, folder)
            _check_matches(folder / DATA / MATCHES)
            settings_files = _settings(folder, data, config_file) if settings else {}
            lock = WriterLock(data / f"{MATCHES}.lock")
            try:
                aside = swap_data(folder / DATA, data, stamp, MATCHES, is_backed_up)
                for path, content in settings_files.items():
                    _replace_file(path, content, stamp)
            finally:
                lock.release()
            restore_ownership(data, *settings_files)
    except (BadBackup, LockHeldError, OSError) as fault:
        return print_refusal(language, fault, file, data, "cli.restore.open")
    print(language("cli.restore.done", folder=data, made=about.get("made", "?")), file=sys.stderr)
    if aside is not None:
        print(language("cli.restore.aside", folder=aside), file=sys.stderr)
    return DONE


def print_refusal(
    language: Language, fault: BadBackup | LockHeldError | OSError, file: Path, folder: Path, in_use: str
) -> int:
    """Says why a backup was not taken back; `in_use` is the sentence for a folder that is. Returns the exit status."""
    if isinstance(fault, BadBackup):
        for name, message in fault.faults:
            print(f"{file}{'!' if name else ''}{name}: {language.text(message)}", file=sys.stderr)
        return REFUSED
    if isinstance(fault, LockHeldError):
        print(language(in_use, folder=folder, holder=fault.holder), file=sys.stderr)
    else:
        print(language("cli.restore.failed", file=fault.filename or file, reason=reason_of(fault)), file=sys.stderr)
    return FAILED


def _check_matches(path: Path) -> None:
    """The matches are whole and of a known format; an older one becomes the newest. Raises BadBackup."""
    if not path.exists():
        return
    name = f"{DATA}/{MATCHES}"
    try:
        with Store.open(path, SystemClock()) as store:
            faults = store.check()
    except StoreError as trouble:
        raise BadBackup((name, trouble.message)) from None
    if faults:
        raise BadBackup((name, Message("journal.store.damaged", {"path": name, "reason": quoted(faults[0])})))
    path.with_name(f"{MATCHES}.lock").unlink()


def _settings(folder: Path, data: Path, config_file: Path) -> dict[Path, bytes]:
    """The settings of the backup as files of this machine, whose data folder stays where it is. Raises BadBackup."""
    path, wiring = folder / SETTINGS, folder / WIRING
    found = {config_file.with_name(PINS): wiring.read_bytes()} if wiring.exists() else {}
    if not path.exists():
        return found
    try:
        config = read_config(path)
    except ConfigError as fault:
        raise BadBackup((SETTINGS, fault.message)) from None
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    if data_folder(config) != data:
        document.setdefault("data", tomlkit.table())["folder"] = str(data)
    return {**found, config_file: tomlkit.dumps(document).encode()}


def swap_data(new: Path, data: Path, stamp: str, store: str | None, belongs: Callable[[str], bool]) -> Path | None:
    """Puts what is here aside and what came in its place, the store last and at once. Returns where the old is.

    `kept` says which names at the top belong to a backup; the others are left alone, but for the store, if there is one
    among what a backup has.
    """
    aside = _free_path(data / f"{ASIDE_PREFIX}{stamp}")
    _put_aside(new, data, aside, store, belongs)
    incoming = [path for path in new.iterdir() if belongs(path.name) or path.name == store] if new.is_dir() else []
    for path in sorted(incoming, key=lambda path: path.name == store):
        path.replace(data / path.name)
    sync_folder(data)
    return aside if aside.exists() else None


def _put_aside(new: Path, data: Path, aside: Path, store: str | None, belongs: Callable[[str], bool]) -> None:
    """Move the old files to `aside`. The old store stays in place, linked there, if `new` brings one to replace it."""
    old_paths = [path for path in data.iterdir() if belongs(path.name)]
    old_store = None if store is None or not (data / store).exists() else data / store
    if old_store is not None:
        _checkpoint(old_store)
        old_paths += data.glob(f"{store}-*")
    if old_paths or old_store is not None:
        aside.mkdir()
    for path in old_paths:
        path.rename(aside / path.name)
    if old_store is not None:
        os.link(old_store, aside / old_store.name)
        sync_folder(aside)
        if not (new / old_store.name).exists():
            old_store.unlink()


def _free_path(path: Path) -> Path:
    """The path, with a number at its end if it is there already: of a restore in the same second."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def _checkpoint(matches: Path) -> None:
    """What the write-ahead log still holds goes into the main file; a file that cannot be opened stays as it is."""
    try:
        apsw.Connection(str(matches), flags=apsw.SQLITE_OPEN_READWRITE).close()
    except apsw.Error:
        return


def _replace_file(place: Path, content: bytes, stamp: str) -> None:
    if place.exists():
        os.link(place, _free_path(place.with_name(f"{place.name}.{ASIDE_PREFIX}{stamp}")))
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, content)


def restore_ownership(data: Path, *beside: Path) -> None:
    """What root restores, in the folder and beside it, belongs to whom the folder belongs, not to root."""
    if os.geteuid() != 0:
        return
    owner = data.stat()
    for path in [*data.rglob("*"), *beside]:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
