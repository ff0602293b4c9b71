"""The container of an audit: a zip whose every byte follows from its contents, so that no byte can change unseen."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from hashlib import sha256

SUMS = "SHA256SUMS"
"""The last file: a line for each other one, as `sha256sum --check` reads it."""

_DATE = (1980, 1, 1, 0, 0, 0)
_LOCAL_HEADER = 30
_MODE = 0o644 << 16


class NoArchive(Exception):
    """Not a zip at all, or one that is broken."""


def digest(content: bytes) -> str:
    """The SHA-256 of some bytes in hexadecimal digits."""
    return sha256(content).hexdigest()


def sums(files: Mapping[str, bytes]) -> bytes:
    """The content of SUMS for these files."""
    return "".join(f"{digest(content)}  {name}\n" for name, content in files.items()).encode()


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of these files in their order: stored as they are, without dates. Same files, same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, content)
    return out.getvalue()


def unpack(raw: bytes) -> dict[str, bytes]:
    """The files of an archive as they lie there, changed ones too. Raises NoArchive."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, RuntimeError, struct.error, OSError) as fault:
        raise NoArchive(str(fault)) from None
    return {entry.filename: _content(raw, entry) for entry in entries}


def _content(raw: bytes, entry: zipfile.ZipInfo) -> bytes:
    """The bytes between this file's own head and its end, not held against the checksum: that is for SUMS."""
    head = raw[entry.header_offset : entry.header_offset + _LOCAL_HEADER]
    if len(head) < _LOCAL_HEADER:
        return b""
    names = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    start = entry.header_offset + _LOCAL_HEADER + names
    return raw[start : start + entry.file_size]
