"""Small zip archives that take gigabytes of memory or disk space, or minutes, to unpack. Each is built here."""

from __future__ import annotations

import bz2
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

ABOUT = b'{"kind": "tapis-vert backup", "format": 1}'
HUB_ABOUT = b'{"kind": "tapis-vert hub backup", "format": 1, "database": "sqlite"}'


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: its packed content, and what the archive states of it. `at`: another member's place."""

    name: str
    packed: bytes
    size: int
    crc: int = 0
    method: int = zipfile.ZIP_DEFLATED
    at: int | None = None


def stored(name: str, content: bytes) -> Member:
    """Return an honest member."""
    return Member(name, content, len(content), zlib.crc32(content), zipfile.ZIP_STORED)


def archive_of(members: Sequence[Member]) -> bytes:
    """Return the archive. It has the form of zip64 where the older form has too small fields."""
    body, directory = bytearray(), bytearray()
    for member in members:
        name, packed = member.name.encode(), member.packed
        fields = struct.pack("<HHHII", member.method, 0, 33, member.crc, len(packed))
        place = len(body) if member.at is None else member.at
        size = min(member.size, 0xFFFFFFFF)
        extra = struct.pack("<HHQ", 1, 8, member.size) if member.size >= 0xFFFFFFFF else b""
        if member.at is None:
            body += b"PK\3\4" + struct.pack("<HH", 45, 0) + fields + struct.pack("<IHH", size, len(name), 0)
            body += name + packed
        directory += b"PK\1\2" + struct.pack("<HHH", 45, 45, 0) + fields
        directory += struct.pack("<IHHHHHII", size, len(name), len(extra), 0, 0, 0, 0, place) + name + extra
    count, start = len(members), len(body)
    end = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), start)
    end += b"PK\6\7" + struct.pack("<IQI", 0, start + len(directory), 1)
    short = min(count, 0xFFFF)
    end += b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, short, short, len(directory), start, 0)
    return bytes(body + directory) + end


def inflating(total: int) -> bytes:
    """Return raw deflate data of `total` zeros (a multiple of 16 MB), built from one repeated block."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (total // (1 << 24)) + zlib.compressobj(9, zlib.DEFLATED, -15).flush()


GIGABYTES = 1 << 32


def _zeros(name: str) -> Member:
    return Member(name, inflating(GIGABYTES), GIGABYTES)


def _listed(member: Member, about: bytes = ABOUT) -> bytes:
    sums = f"{sha256(b'').hexdigest()}  {member.name}\n".encode()
    return archive_of([stored("about.json", about), member, stored("SHA256SUMS", sums)])


def _in_one_place(count: int) -> bytes:
    about = stored("about.json", ABOUT)
    piece = Member("data/0", inflating(1 << 24), 1 << 24)
    place = 30 + len("about.json") + len(ABOUT)
    return archive_of([about, piece, *(Member(f"data/{n}", piece.packed, 1 << 24, at=place) for n in range(1, count))])


BOMBS: dict[str, Callable[[], bytes]] = {
    "sums": lambda: archive_of([stored("about.json", ABOUT), _zeros("SHA256SUMS")]),
    "sums, stated short": lambda: archive_of(
        [stored("about.json", ABOUT), Member("SHA256SUMS", inflating(GIGABYTES), 100)]
    ),
    "description": lambda: archive_of([_zeros("about.json")]),
    "nested description": lambda: archive_of([stored("about.json", b"[" * 4_000_000)]),
    "wide description": lambda: archive_of([stored("about.json", b'{"kind":[' + b"[]," * 2_600_000 + b"1]}")]),
    "data": lambda: _listed(_zeros("data/x")),
    "data, stated short": lambda: _listed(Member("data/x", inflating(GIGABYTES), 100)),
    "overlap": lambda: _in_one_place(5_000),
    "a million files": lambda: archive_of([stored("about.json", ABOUT), *[stored("x", b"")] * 1_000_000]),
    "the same file often": lambda: archive_of(
        [stored("about.json", ABOUT), *[stored("x", b"")] * 49_000, stored("SHA256SUMS", b"")]
    ),
    "bzip2": lambda: archive_of([Member("about.json", bz2.compress(bytes(1 << 26)), 1 << 26, method=12)]),
    "bzip2, stated short": lambda: archive_of([Member("about.json", bz2.compress(bytes(1 << 26)), 99, method=12)]),
    "lzma": lambda: archive_of(
        [Member("about.json", b"\x09\x04\x05\0" + lzma.compress(bytes(1 << 26), lzma.FORMAT_ALONE), 99, method=14)]
    ),
    "long settings": lambda: archive_of(
        [
            stored("about.json", ABOUT),
            stored("settings/config.toml", text := b"a = 1\n" * 1_000_000),
            stored("SHA256SUMS", f"{sha256(text).hexdigest()}  settings/config.toml\n".encode()),
        ]
    ),
}
"""Builders of the bombs by name. Each is a backup of a table that `companion restore` refuses."""
