"""Backup and restore of a table: a single archive file with checksums."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

import apsw
import msgspec
import tomlkit

from companion import __version__
from companion.archives import (
    ARCHIVE_ERRORS,
    MAX_MEMBERS,
    ArchiveTooLarge,
    check_disk_space,
    open_archive,
    read_member,
    unpacked_bytes,
)
from companion.clock import SystemClock
from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.config import PINS, ConfigError, config_path, data_folder, load_config, read_config
from companion.games.base import Fields, JsonObject, Message
from companion.journal.database import StoreDamaged, StoreError, translate_errors
from companion.journal.lock import LockHeldError, WriterLock
from companion.journal.store import Store
from companion.journal.store_files import STORE_FILE, StoreFiles
from companion.language import Language, reason_of
from companion.table.audit import SUMS
from vision.files import free_path, open_atomically, sync_folder, write_atomically

ABOUT = "about.json"
KIND, HUB_KIND = "tapis-vert backup", "tapis-vert hub backup"
"""Kind of an archive: backup of a table, or of a hub."""
_OTHER_KIND_MESSAGES = {KIND: "cli.backup.of_table", HUB_KIND: "cli.backup.of_hub"}
FORMAT = 1
_CHUNK_BYTES = 1 << 20
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_MAX_TEXT_BYTES = 8_000_000
"""Maximum size of the description and of the sums. 50,000 sums have 5,000,000 bytes."""
_MAX_SETTINGS_BYTES = 256_000
"""Maximum size of a settings file. The example with every key has 10,000 bytes."""
_MAX_FAULTS = 20
"""Maximum number of faults that are reported."""


class BadBackup(Exception):
    """An invalid backup. Each fault has the name of the file in the archive (empty: the archive itself)."""

    def __init__(self, *faults: tuple[str, Message]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in faults))
        self.faults = faults


def pack(out: Path, files: Iterable[tuple[str, Path]], about: Fields, kind: str = KIND, mode: int = 0o640) -> int:
    """Write an archive of files with their names in it. Atomic, on disk on return. Raises: OSError.

    Returns the number of files in it.
    """
    sums: list[str] = []
    with (
        open_atomically(out, mode) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        archive.writestr(ABOUT, json.dumps({"kind": kind, "format": FORMAT, **about}, indent=1))
        for name, path in files:
            sum = sha256()
            with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                while piece := source.read(_CHUNK_BYTES):
                    sum.update(piece)
                    member.write(piece)
            sums.append(f"{sum.hexdigest()}  {name}\n")
            if len(sums) > MAX_MEMBERS - 2:  # or `unpack` would refuse it
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        archive.writestr(SUMS, "".join(sums))
    return len(sums)


def unpack(archive: Path, into: Path, kind: str = KIND) -> JsonObject:
    """Extract an archive into a folder and verify each file's SHA-256. Returns the archive's description.

    Raises: BadBackup with all faults (the extracted files are then invalid); OSError.
    """
    into.mkdir(parents=True, exist_ok=True)
    try:
        with open_archive(archive) as opened:
            about = _about(opened, kind)
            sums = _sums(opened)
            check_disk_space(unpacked_bytes(opened.infolist()), into)
            names = [entry.filename for entry in opened.infolist() if entry.filename not in (ABOUT, SUMS)]
            faults = _name_faults(names, sums)
            if not faults:
                changed = (name for name in names if not _extract(opened, name, into, sums))
                faults = [(name, Message("cli.backup.changed")) for name in islice(changed, _MAX_FAULTS)]
    except ArchiveTooLarge as fault:
        raise BadBackup(("", Message(f"cli.backup.{fault.case}", fault.details))) from None
    except ARCHIVE_ERRORS as fault:
        raise BadBackup(("", Message("cli.backup.no_archive", {"reason": reason_of(fault)}))) from None
    if faults:
        raise BadBackup(*faults[:_MAX_FAULTS])
    return about


def _name_faults(names: list[str], sums: Mapping[str, str]) -> list[tuple[str, Message]]:
    """Return the faults of an archive's list of files."""
    faults = [(name, Message("cli.backup.twice")) for name, count in sorted(Counter(names).items()) if count > 1]
    faults += [(name, Message("cli.backup.unlisted")) for name in sorted(set(names) - set(sums))]
    faults += [(name, Message("cli.backup.lost")) for name in sorted(set(sums) - set(names))]
    return faults + [(name, Message("cli.backup.name")) for name in names if not _is_safe_name(name)]


def _extract(archive: zipfile.ZipFile, name: str, into: Path, sums: Mapping[str, str]) -> bool:
    """Extract one file. Returns False if its checksum differs. Raises: OSError."""
    place = into / name
    sum = sha256()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(name) as member, place.open("wb") as file:
            while piece := member.read(_CHUNK_BYTES):
                sum.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except ARCHIVE_ERRORS:
        return False
    return sum.hexdigest() == sums[name]


def about_of(archive: Path, kind: str = KIND) -> JsonObject | None:
    """Return the description of an archive; None if it is not a backup of this kind. Raises: OSError."""
    try:
        with open_archive(archive) as opened:
            return _about(opened, kind)
    except (BadBackup, *ARCHIVE_ERRORS):
        return None


def _about(archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    try:
        about = msgspec.json.decode(read_member(archive, ABOUT, _MAX_TEXT_BYTES), type=dict[str, Any])
    except (KeyError, RecursionError, msgspec.MsgspecError, *ARCHIVE_ERRORS):
        raise BadBackup((ABOUT, Message("cli.backup.no_backup"))) from None
    found, format = about.get("kind"), about.get("format")
    if not isinstance(found, str) or type(format) is not int or format < 1:
        raise BadBackup((ABOUT, Message("cli.backup.no_backup")))
    if found != kind:
        raise BadBackup((ABOUT, Message(_OTHER_KIND_MESSAGES.get(found, "cli.backup.no_backup"))))
    if format > FORMAT:
        raise BadBackup((ABOUT, Message("cli.backup.newer", {"version": printable(about.get("version"))})))
    return about


def printable(value: object) -> str:
    """Return a value of a description in at most 60 characters, `?` for what is no text."""
    return value[:60] if isinstance(value, str) and value.isprintable() else "?"


def _sums(archive: zipfile.ZipFile) -> dict[str, str]:
    try:
        lines = read_member(archive, SUMS, _MAX_TEXT_BYTES).decode().splitlines()
    except (KeyError, *ARCHIVE_ERRORS):
        raise BadBackup((SUMS, Message("cli.backup.changed"))) from None
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found) or len({match[2] for match in found if match}) != len(lines):
        raise BadBackup((SUMS, Message("cli.backup.changed")))
    return {match[2]: match[1] for match in found if match}


def _is_safe_name(name: str) -> bool:
    """Return True if a name stays inside the folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and not name.endswith("/")


# `companion backup`: all data of this table in one file. The app may keep running.


HUB = "hub"
"""Folder of a hub on the same computer, in the data folder."""
DATA, SETTINGS = "data", "settings/config.toml"
"""Paths of the data folder and the settings in an archive."""
WIRING = f"settings/{PINS}"
"""Path of the panel's wiring in an archive. On the table it is beside the settings."""
ASIDE_PREFIX = "before-restore-"
"""Name prefix of the folders to which `restore` moves existing data."""
EXCLUDED = ("backups", "heartbeat", "kivy", "exchange", HUB)
"""Not backed up: backups, regenerated files, exports, and a hub on the same computer, which has its own backups."""
NAME_PREFIX = "tapis-vert-"


def run_backup(chosen: Path | None, out: Path, keep: int | None, pictures: bool) -> int:
    """Write a backup to a file, or to a dated file in a folder with the newest `keep` retained.

    Returns the exit status.
    """
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
    except DamagedMatches as found:
        for message in found.messages:
            print(language.text(message), file=sys.stderr)
        return _print_status(language("cli.backup.damaged", file=file, n=len(found.messages)), FAILED)
    except StoreError as trouble:
        return _print_status(language.text(trouble.message), FAILED)
    except OSError as fault:
        sentence = language("cli.backup.failed", file=fault.filename or file, reason=reason_of(fault))
        return _print_status(sentence, FAILED)
    if keep is not None:
        for old in sorted(out.glob(f"{NAME_PREFIX}[0-9]*.zip"))[: -max(keep, 1)]:  # skips a hub's backups
            if old != file:  # older by name, if the clock was ahead once
                old.unlink(missing_ok=True)
    return _print_status(language("cli.backup.done", file=file, n=count), DONE)


class DamagedMatches(StoreError):
    """The backup was written beside the older ones, but some of its matches are damaged. `messages` names them."""

    def __init__(self, path: Path, messages: Sequence[Message]) -> None:
        super().__init__("damaged_matches", path, n=len(messages))
        self.messages = messages


def write_backup(data: Path, settings: Path, file: Path, pictures: bool, now: datetime) -> int:
    """Write a data folder and the settings into one file. Returns the number of files in it.

    Raises: StoreError or OSError; then no file is written. DamagedMatches after writing a backup with damaged matches,
    which never replaces an existing one.
    """
    about = {"version": __version__, "made": now.isoformat(timespec="seconds"), "pictures": pictures}
    with scratch_folder(data, ".backup") as folder:
        matches = copy_matches(data / STORE_FILE, folder / STORE_FILE, pictures)
        damaged = damaged_matches(matches) if matches else ()
        if damaged and file.exists():
            raise StoreDamaged("damaged_backup", data / STORE_FILE, n=len(damaged))
        files = [*_files(data), *([(f"{DATA}/{STORE_FILE}", matches)] if matches else [])]
        beside = ((SETTINGS, settings), (WIRING, settings.with_name(PINS)))
        files += [(name, path) for name, path in beside if path.is_file()]
        count = pack(file, files, about)
    if damaged:
        raise DamagedMatches(data / STORE_FILE, damaged)
    return count


@contextmanager
def scratch_folder(data: Path, name: str) -> Iterator[Path]:
    """Provide an empty temporary folder inside the data folder: same disk, so renames are instant.

    Clears remains after a power cut. A lock allows only one at a time.
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
    """Copy the matches consistently while they may be written; None if there are none yet.

    Raises: StoreError, also for a copy whose structure is damaged, and for a log whose database is gone: a good backup
    is never replaced by a damaged one. Damaged matches are copied (`damaged_matches`).
    """
    files = StoreFiles.of(path)
    if files.is_orphaned():
        raise StoreDamaged("orphans", path)
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
            store.check_structure()
            if not pictures:
                store.purge_pictures(0)
    except StoreError as fault:
        fault.message = Message(fault.message.id, {**fault.message.args, "path": path})
        raise
    return copy


def damaged_matches(path: Path) -> tuple[Message, ...]:
    """Return a sentence for each damaged match of a store that is not open. Raises: StoreError."""
    with Store.open(path, SystemClock()) as store:
        return tuple(match.message() for match in store.damaged_matches())


def is_backed_up(name: str) -> bool:
    """Return True if a top-level name of the data folder belongs in a backup."""
    side_files = name.startswith(STORE_FILE)
    return not (side_files or name.startswith((".", ASIDE_PREFIX)) or name in EXCLUDED)


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of the data folder except the matches, with their names in the archive."""
    for top in sorted(data.iterdir()):
        if is_backed_up(top.name):
            for path in sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]:
                if path.is_file() and not path.is_symlink():
                    yield f"{DATA}/{path.relative_to(data).as_posix()}", path


def _print_status(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status


# `companion restore`: replaces the data by a backup's content. Existing data is moved aside, never deleted.


def run_restore(chosen: Path | None, file: Path, settings: bool) -> int:
    """Restore a backup, with its settings on request. Everything is verified before any change.

    Returns the exit status: 2 for a rejected archive.
    """
    language = language_of(chosen)
    data = data_folder(load_config(chosen))
    config_file = config_path(chosen).resolve()
    stamp = f"{SystemClock().now():%Y-%m-%d-%H%M%S}"
    try:
        data.mkdir(parents=True, exist_ok=True)
        with scratch_folder(data, ".restore") as folder:
            about = unpack(file, folder)
            _check_matches(folder / DATA / STORE_FILE)
            settings_files = _settings(folder, data, config_file) if settings else {}
            lock = WriterLock(data / f"{STORE_FILE}.lock")
            try:
                with _replaced(settings_files, stamp):
                    aside = swap_data(folder / DATA, data, stamp, STORE_FILE, _is_replaced_by(file, data))
            finally:
                lock.release()
                restore_ownership(data, *(path for path in settings_files if path.exists()))
    except (BadBackup, LockHeldError, OSError) as fault:
        return print_refusal(language, fault, file, data, "cli.restore.open")
    print(language("cli.restore.done", folder=data, made=printable(about.get("made"))), file=sys.stderr)
    if aside is not None:
        print(language("cli.restore.aside", folder=aside), file=sys.stderr)
    return DONE


def print_refusal(
    language: Language, fault: BadBackup | LockHeldError | OSError, file: Path, folder: Path, in_use: str
) -> int:
    """Print why a backup was rejected. `in_use` is the message id for a folder in use. Returns the exit status."""
    if isinstance(fault, BadBackup):
        for name, message in fault.faults:
            print(f"{file}{'!' if name else ''}{name}: {language.text(message)}", file=sys.stderr)
        return REFUSED
    if isinstance(fault, LockHeldError):
        print(language(in_use, folder=folder, holder=fault.holder), file=sys.stderr)
    else:
        print(language("cli.restore.failed", file=fault.filename or file, reason=reason_of(fault)), file=sys.stderr)
    return FAILED


def _is_replaced_by(archive: Path, data: Path) -> Callable[[str], bool]:
    """Return a test for the top-level names that a restore replaces. An archive in the data folder stays."""
    place = archive.resolve()
    return lambda name: is_backed_up(name) and (data / name).resolve() != place


def _check_matches(path: Path) -> None:
    """Check structure and format of the matches, and migrate an older format. Raises: BadBackup.

    A damaged line is no reason to refuse: all other matches come back, and the app names the damaged one.
    """
    if not path.exists():
        return
    name = f"{DATA}/{STORE_FILE}"
    try:
        with Store.open(path, SystemClock()) as store:
            store.check_structure()
    except StoreError as trouble:
        raise BadBackup((name, trouble.message)) from None
    StoreFiles.of(path).delete_side_files()


def _settings(folder: Path, data: Path, config_file: Path) -> dict[Path, bytes]:
    """Return the backup's settings files for this computer, with the data folder unchanged. Raises: BadBackup."""
    path, wiring = folder / SETTINGS, folder / WIRING
    for name in (SETTINGS, WIRING):
        if (folder / name).exists() and (folder / name).stat().st_size > _MAX_SETTINGS_BYTES:
            raise BadBackup((name, Message("cli.backup.long", {"most": _MAX_SETTINGS_BYTES // 1000})))
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
    """Move the existing data aside and the new data in; the store comes last, in one atomic step.

    Returns the folder with the old data. `belongs` selects top-level names that are part of a backup. Other files are
    not touched, except `store`, if given.
    """
    aside = free_path(data / f"{ASIDE_PREFIX}{stamp}")
    _put_aside(new, data, aside, store, belongs)
    incoming = [path for path in new.iterdir() if belongs(path.name) or path.name == store] if new.is_dir() else []
    for path in sorted(incoming, key=lambda path: path.name == store):
        path.replace(data / path.name)
    sync_folder(data)
    return aside if aside.exists() else None


def _put_aside(new: Path, data: Path, aside: Path, store: str | None, belongs: Callable[[str], bool]) -> None:
    """Move the old files to `aside`.

    If `new` has a store, the old one stays in place until it is replaced, with a hard link in `aside`.
    """
    old_paths = [path for path in data.iterdir() if belongs(path.name)]
    old_store = None if store is None or not (data / store).exists() else data / store
    if old_store is not None:
        _checkpoint(old_store)
    if store is not None:  # a log without its database too: it must not meet the new one
        files = StoreFiles(data / store)
        old_paths += [*files.side_files(), *(path for path in (files.recovered,) if path.exists())]
    if old_paths or old_store is not None:
        aside.mkdir()
    for path in old_paths:
        path.rename(aside / path.name)
    if old_store is not None:
        os.link(old_store, aside / old_store.name)
        sync_folder(aside)
        if not (new / old_store.name).exists():
            old_store.unlink()


def _checkpoint(matches: Path) -> None:
    """Move the content of the write-ahead log into the main file. A file that cannot be opened stays unchanged."""
    try:
        apsw.Connection(str(matches), flags=apsw.SQLITE_OPEN_READWRITE).close()
    except apsw.Error:
        return


@contextmanager
def _replaced(files: Mapping[Path, bytes], stamp: str) -> Iterator[None]:
    """Replace files; the old ones stay beside them. If the block or a replacement fails, the old ones come back."""
    asides: dict[Path, Path | None] = {}
    try:
        for place, content in files.items():
            aside = free_path(place.with_name(f"{place.name}.{ASIDE_PREFIX}{stamp}")) if place.exists() else None
            if aside is not None:
                os.link(place, aside)
            asides[place] = aside
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, content)
        yield
    except BaseException:
        for place, aside in asides.items():
            if aside is None:
                place.unlink(missing_ok=True)
            else:
                aside.replace(place)
        raise


def restore_ownership(data: Path, *beside: Path) -> None:
    """After a restore as root, give all files to the owner of the data folder."""
    if os.geteuid() != 0:
        return
    owner = data.stat()
    for path in [*data.rglob("*"), *beside]:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
