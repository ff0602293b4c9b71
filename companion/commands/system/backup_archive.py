"""The archive of a backup: a zip of files, each with its SHA-256, written and read piece by piece whatever its size."""

from __future__ import annotations

import json
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any

from companion.games.base import Message
from companion.journal.files import sync_folder
from companion.table.audit import SUMS

ABOUT = "about.json"
KIND, HUB_KIND = "tapis-vert backup", "tapis-vert hub backup"
"""What an archive says that it is of: a table, or a hub."""
_TAKEN_BACK = {KIND: "cli.backup.of_table", HUB_KIND: "cli.backup.of_hub"}
FORMAT = 1
_PIECE = 1 << 20
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_BROKEN = (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, struct.error)
"""What the zip module raises of a damaged archive."""


class BadBackup(Exception):
    """An archive that is not taken: every fault with the name of the file in it (empty: the archive itself)."""

    def __init__(self, *faults: tuple[str, Message]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in faults))
        self.faults = faults


def pack(
    out: Path, files: Iterable[tuple[str, Path]], about: Mapping[str, Any], kind: str = KIND, mode: int = 0o640
) -> int:
    """Writes the archive of files by their names in it; whole on the disk on return, or not there. Raises OSError.

    Returns how many files are in it.
    """
    sums: list[str] = []
    with _whole(out, mode) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(ABOUT, json.dumps({"kind": kind, "format": FORMAT, **about}, indent=1))
        for name, path in files:
            sum = sha256()
            with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                while piece := source.read(_PIECE):
                    sum.update(piece)
                    member.write(piece)
            sums.append(f"{sum.hexdigest()}  {name}\n")
        archive.writestr(SUMS, "".join(sums))
    return len(sums)


def unpack(archive: Path, into: Path, kind: str = KIND) -> dict[str, Any]:
    """Lays the files of an archive into a folder, each held against its SHA-256. Returns what it says of itself.

    Raises BadBackup with every fault (the folder then holds remnants that mean nothing), OSError.
    """
    try:
        opened = zipfile.ZipFile(archive)
    except _BROKEN as fault:
        raise BadBackup(("", Message("cli.backup.no_archive", {"reason": str(fault)}))) from None
    with opened:
        about = _about(opened, kind)
        sums = _sums(opened)
        names = [entry.filename for entry in opened.infolist() if entry.filename not in (ABOUT, SUMS)]
        faults = [(name, Message("cli.backup.twice")) for name in sorted({n for n in names if names.count(n) > 1})]
        faults += [(name, Message("cli.backup.unlisted")) for name in sorted(set(names) - set(sums))]
        faults += [(name, Message("cli.backup.lost")) for name in sorted(set(sums) - set(names))]
        faults += [(name, Message("cli.backup.name")) for name in names if not _harmless(name)]
        if not faults:
            faults = [(name, Message("cli.backup.changed")) for name in names if not _laid(opened, name, into, sums)]
    if faults:
        raise BadBackup(*faults)
    return about


def _laid(archive: zipfile.ZipFile, name: str, into: Path, sums: Mapping[str, str]) -> bool:
    """Writes one file out; False if it is not what the sums say."""
    place = into / name
    place.parent.mkdir(parents=True, exist_ok=True)
    sum = sha256()
    try:
        with archive.open(name) as member, place.open("wb") as file:
            while piece := member.read(_PIECE):
                sum.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except _BROKEN:
        return False
    return sum.hexdigest() == sums[name]


def about_of(archive: Path, kind: str = KIND) -> dict[str, Any] | None:
    """What an archive says of itself; None for a file that is no backup of this kind. Raises OSError."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return _about(opened, kind)
    except (BadBackup, *_BROKEN):
        return None


def _about(archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    try:
        about = json.loads(archive.read(ABOUT))
        found, format = about["kind"], about["format"]
    except (KeyError, TypeError, RecursionError, *_BROKEN):
        raise BadBackup((ABOUT, Message("cli.backup.no_backup"))) from None
    if found != kind and found in _TAKEN_BACK:
        raise BadBackup((ABOUT, Message(_TAKEN_BACK[found])))
    if found != kind or not isinstance(format, int):
        raise BadBackup((ABOUT, Message("cli.backup.no_backup")))
    if format > FORMAT:
        raise BadBackup((ABOUT, Message("cli.backup.newer", {"version": str(about.get("version", "?"))})))
    return dict(about)


def _sums(archive: zipfile.ZipFile) -> dict[str, str]:
    try:
        lines = archive.read(SUMS).decode().splitlines()
    except (KeyError, *_BROKEN):
        raise BadBackup((SUMS, Message("cli.backup.changed"))) from None
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found) or len({match[2] for match in found if match}) != len(lines):
        raise BadBackup((SUMS, Message("cli.backup.changed")))
    return {match[2]: match[1] for match in found if match}


def _harmless(name: str) -> bool:
    """Whether a name stays inside the folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and not name.endswith("/")


@contextmanager
def _whole(out: Path, mode: int) -> Iterator[IO[bytes]]:
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
