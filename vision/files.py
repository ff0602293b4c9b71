"""Files that are kept: written whole or not at all, read with a size limit, set aside when damaged.

Every part of the product uses these functions. They are here because `vision` may not import `companion`.
"""

from __future__ import annotations

import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, TypeVar

import msgspec

Value = TypeVar("Value")

MAX_STATE_BYTES = 16 * 1024 * 1024
"""Default limit for one file of state. The largest known one (a hub's state with 200 matches) has 0.5 MB."""

MAX_DOTS = 100
"""Maximum number of dots in a line of TOML. The memory of a key grows with the square of its parts."""

DECODE_ERRORS = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, msgspec.MsgspecError)
"""What a decoder may raise for damaged content. UnicodeDecodeError and the TOML and JSON errors are ValueErrors."""


# Writing.


@contextmanager
def open_atomically(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path` that replaces it when the block ends. On disk when the context exits.

    An existing file keeps its permissions; `mode` applies to a new file. A symlink keeps its place: its target changes.
    Raises: OSError; an existing file is then unchanged.
    """
    path = path.resolve()
    if path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file atomically. It is on disk on return. Devices and pipes are written directly.

    Raises: OSError; an existing file is then unchanged.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    with open_atomically(path, mode) as file:
        file.write(content)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of new files survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Reading.


class FileTooLarge(ValueError):
    """A file has more than the permitted number of bytes. It was not read."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        super().__init__(f"{path.name}: more than {max_bytes} bytes")
        self.path, self.max_bytes = path, max_bytes


def read_limited(path: Path, max_bytes: int) -> bytes:
    """Read a file of at most `max_bytes` bytes. Never reads more than that. Raises: FileTooLarge, OSError."""
    with path.open("rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileTooLarge(path, max_bytes)
    return content


def parse_toml(text: str) -> dict[str, object]:
    """Parse TOML text as `tomllib.loads`, which takes gigabytes for a key of 50,000 parts (`a.a.a…`).

    Raises: ValueError, also for a line with more than `MAX_DOTS` dots; RecursionError.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS:
            raise ValueError(f"more than {MAX_DOTS} dots (at line {number}, column 1)")
    return tomllib.loads(text)


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """A file of state that could not be used. `moved_to` is its new path; None if it is still in its place."""

    path: Path
    fault: Exception
    moved_to: Path | None


_damaged_files: list[DamagedFile] = []
_damaged_files_lock = Lock()


def read_state(path: Path, decode: Callable[[bytes], Value], max_bytes: int = MAX_STATE_BYTES) -> Value | None:
    """Read and decode a file of state. Returns None if it is missing or unusable; then the caller takes its default.

    A damaged file is moved to `NAME.damaged`; a file that cannot be read stays. Both are reported by
    `take_damaged_files`. Raises: nothing for whatever the file contains.
    """
    try:
        return read_replaceable(path, decode, max_bytes)
    except OSError as error:
        report_damaged(DamagedFile(path, error, None))
    return None


def read_replaceable(path: Path, decode: Callable[[bytes], Value], max_bytes: int = MAX_STATE_BYTES) -> Value | None:
    """Read as `read_state` does a file that the caller writes anew when it gets None. Raises: OSError.

    A file that cannot be read must not be replaced: it may be whole.
    """
    try:
        return decode(read_limited(path, max_bytes))
    except FileNotFoundError:
        return None
    except DECODE_ERRORS as error:
        report_damaged(DamagedFile(path, error, set_aside(path)))
    return None


def set_aside(path: Path) -> Path | None:
    """Move a damaged file to `NAME.damaged` (`NAME.damaged-2`, …). Returns its new path; None if it cannot be moved."""
    place = free_damaged_path(path)
    try:
        path.rename(place)
    except OSError:
        return None
    return place


def free_damaged_path(path: Path) -> Path:
    """Return the path for a damaged file: `NAME.damaged`, or `NAME.damaged-2`, … if that is taken."""
    return free_path(path.with_name(f"{path.name}.damaged"))


def free_path(path: Path) -> Path:
    """Return a path, with `-2`, `-3`, … appended if it is taken."""
    free, number = path, 1
    while free.exists() or free.is_symlink():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def report_damaged(damaged: DamagedFile) -> None:
    """Add a file to those that `take_damaged_files` returns, once per path."""
    with _damaged_files_lock:
        if all(damaged.path != known.path for known in _damaged_files):
            _damaged_files.append(damaged)


def take_damaged_files() -> list[DamagedFile]:
    """Return the files reported in this process since the last call. Safe to call from any thread."""
    with _damaged_files_lock:
        taken = list(_damaged_files)
        _damaged_files.clear()
    return taken
