"""Zip archives from outside, read with limits, so that none takes much memory, time or disk space."""

from __future__ import annotations

import io
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, struct.error, OverflowError)
"""Exceptions that the zip module raises for a damaged archive. Encryption and other versions: RuntimeErrors."""

MAX_MEMBERS = 50_000
"""Maximum number of files in an archive. A table that keeps every picture of misread dice has about 1,000."""

_MAX_READ_BYTES = 8 << 20
"""Maximum size of one read. The directory is read in one: 50,000 entries of 100 bytes have 5 MB."""

_MAX_RATIO = 200
"""Maximum compression of an archive. A store of matches shrinks to a tenth, deflate at most to 1/1032."""

_FREE_BYTES = 64_000_000
"""Bytes that an archive may unpack to, whatever its compression."""

DISK_MARGIN_BYTES = 32_000_000
"""Bytes that stay free on the disk."""


class ArchiveTooLarge(ValueError):
    """An archive, or a file in it, that is not unpacked. `case` ends the id of its sentence, `cli.backup.CASE`."""

    def __init__(self, case: str, **details: int) -> None:
        super().__init__(f"{case} {details}" if details else case)
        self.case, self.details = case, details


class _LimitedFile(io.FileIO):
    """A file of which no single read is large, so that a directory of gigabytes is refused before it is read."""

    def read(self, size: int | None = -1) -> bytes:
        return _limited(super().read(_MAX_READ_BYTES + 1 if size is None or size < 0 else _checked(size)) or b"")

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move as a file does. Raises: zipfile.BadZipFile for an offset before the start (a damaged directory)."""
        if whence == io.SEEK_SET and offset < 0:  # the system calls it an invalid argument, as if the disk had failed
            raise zipfile.BadZipFile("offset")
        return super().seek(offset, whence)


class _LimitedBytes(io.BytesIO):
    """Bytes read in the same way."""

    def read(self, size: int | None = -1) -> bytes:
        return _limited(super().read(_MAX_READ_BYTES + 1 if size is None or size < 0 else _checked(size)))


def _checked(size: int) -> int:
    if size > _MAX_READ_BYTES:
        raise ArchiveTooLarge("many", most=MAX_MEMBERS)
    return size


def _limited(content: bytes) -> bytes:
    _checked(len(content))
    return content


@contextmanager
def open_archive(source: Path | bytes) -> Iterator[zipfile.ZipFile]:
    """Open an archive and check what it states of itself.

    Raises: ArchiveTooLarge, `ARCHIVE_ERRORS` for a damaged archive, OSError.
    """
    with _LimitedFile(source) if isinstance(source, Path) else _LimitedBytes(source) as file:
        total = file.seek(0, io.SEEK_END)
        with zipfile.ZipFile(file) as archive:
            _check_members(archive.infolist(), total)
            yield archive


def _check_members(entries: list[zipfile.ZipInfo], archive_bytes: int) -> None:
    """Check count, methods and stated sizes. Other methods than deflate unpack without a limit in Python."""
    if len(entries) > MAX_MEMBERS:
        raise ArchiveTooLarge("many", most=MAX_MEMBERS)
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise zipfile.BadZipFile("method")
    if unpacked_bytes(entries) > max(_FREE_BYTES, archive_bytes * _MAX_RATIO):
        raise ArchiveTooLarge("inflated", most=_MAX_RATIO)


def unpacked_bytes(entries: list[zipfile.ZipInfo]) -> int:
    """Return the sum of the stated sizes. Python reads no more of each file than its stated size."""
    return sum(entry.file_size for entry in entries)


def check_disk_space(needed: int, folder: Path) -> None:
    """Check that there is room for so many bytes. Raises: ArchiveTooLarge, OSError."""
    free = shutil.disk_usage(folder).free
    if needed > free - DISK_MARGIN_BYTES:
        raise ArchiveTooLarge("no_room", needed=needed // 10**6, free=free // 10**6)


def read_member(archive: zipfile.ZipFile, name: str, max_bytes: int) -> bytes:
    """Return the content of a file. Raises: KeyError, ArchiveTooLarge, `ARCHIVE_ERRORS`."""
    entry = archive.getinfo(name)
    if entry.file_size > max_bytes:
        raise ArchiveTooLarge("long", most=max_bytes // 10**6)
    with archive.open(entry) as member:
        return member.read(max_bytes)
