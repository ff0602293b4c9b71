"""The note of the last acknowledged line. It tells after a damage of the log how many events are lost.

The note is written after each commit, in place and without a sync: it never tells of more than is on disk, and costs
microseconds. A torn note does not fit its sum and is ignored.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import msgspec

NOTE_BYTES = 512
"""Size of the note: one sector of a disk."""
_SUM_CHARS = 32
_MAX_NAMES_BYTES = 160
"""Longer names of the sides are cut."""


@dataclass(frozen=True, slots=True)
class LastLine:
    """The last acknowledged line of a store.

    - `store`: id of the store
    - `match`, `line`: where it is
    - `names`: names of the match's sides
    - `total`: number of lines ever recorded in the store, headers included
    """

    store: str
    match: str
    line: int
    names: str
    total: int


class LastLineNote:
    """The note of an open store. Call `close()` when done. A note that cannot be written is left out."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1

    def write(self, last: LastLine) -> None:
        """Write the note in place. Raises: nothing: on a full disk the event is recorded, only its note is not."""
        try:
            if self._handle < 0:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            os.pwrite(self._handle, _encode(last), 0)
        except OSError:
            return

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def read_note(path: Path) -> LastLine | None:
    """Return the last acknowledged line; None if there is no note, or a torn one. Raises: nothing."""
    try:
        with path.open("rb") as file:
            return _decode(file.read(NOTE_BYTES))
    except OSError:
        return None


def _encode(last: LastLine) -> bytes:
    names = last.names.encode(errors="replace")[:_MAX_NAMES_BYTES].decode(errors="ignore")
    content = msgspec.json.encode(replace(last, names=names))
    content = content.ljust(NOTE_BYTES - _SUM_CHARS - 2)
    return b"%s %s\n" % (_sum(content), content)


def _decode(raw: bytes) -> LastLine | None:
    content = raw[_SUM_CHARS + 1 : -1]
    if raw[:_SUM_CHARS] != _sum(content):
        return None
    try:
        return msgspec.json.decode(content, type=LastLine)
    except msgspec.MsgspecError:
        return None


def _sum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_SUM_CHARS // 2).hexdigest().encode()
