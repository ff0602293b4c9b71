"""Rows of a damaged SQLite file, read page by page without its b-trees (SQLite, "Database File Format").

A row is found in the cell of its page, wherever that page is. Nothing here changes a file. The caller verifies the rows
by their sums: a page that is no longer in use may still hold old ones.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from companion.journal.store_files import StoreFiles

PAGE_BYTES = 4096
"""Page size of a store, used if no header tells it."""
HEADER_BYTES = 100
"""Length of the file header, before the b-tree header of page 1."""
LOG_HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
"""Lengths of the header of the write-ahead log and of each frame in it."""
MAX_RECORD_BYTES = 64 * 1024 * 1024
MAX_COLUMNS = 12
"""More than any table of a store has."""

INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF = 0x02, 0x05, 0x0A, 0x0D
"""Types of b-tree pages. Rows of a WITHOUT ROWID table are in both kinds of index pages."""
_LAYOUTS = {
    INDEX_INTERIOR: (INDEX_INTERIOR, INDEX_LEAF),
    INDEX_LEAF: (INDEX_LEAF, INDEX_INTERIOR),
    TABLE_INTERIOR: (TABLE_LEAF,),
    TABLE_LEAF: (TABLE_LEAF,),
}
"""Layouts in which the cells of a page are read: one changed bit turns some types into others."""
_ANY_LAYOUT = (INDEX_LEAF, INDEX_INTERIOR, TABLE_LEAF)
_UNREADABLE = (IndexError, ValueError, struct.error)

Column = Any
"""A column of a file that may be damaged: it may have any type."""

Value = bytes | int | None
"""A column as it is decoded here. Real numbers, which a store does not have, are None."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row as it is stored. `rowid` is None in a table without row ids. Text and blobs are bytes.

    `is_current`: its page counts this cell, and there is no newer copy of the page.
    """

    rowid: int | None
    columns: tuple[Column, ...]
    is_current: bool


class PageFile:
    """The pages of a database and its write-ahead log: oldest copies first. Open it with `open_pages`.

    The files are read, not mapped: a disk that fails must raise an error, not end the process.
    """

    def __init__(self, database: IO[bytes] | None, log: IO[bytes] | None) -> None:
        """Read the headers and the frames of the log. None: a missing file. Raises: OSError."""
        self._database, self._log = database, log
        self.page_bytes = _page_bytes(_read(database, 16, 2), _read(log, 8, 4))
        self._frames = _committed_frames(log, self.page_bytes)
        """Page number and offset of each copy of a page in the log."""
        self._newest = dict(self._frames)

    def rows(self) -> Iterator[PageRow]:
        """Yield every readable row of every copy of a page. Raises: OSError of a failing disk, nothing else."""
        count = -(-_length(self._database) // self.page_bytes)
        for number in range(1, count + 1):
            page = _read(self._database, (number - 1) * self.page_bytes, self.page_bytes)
            yield from self._page_rows(number, page, number not in self._newest)
        for number, offset in self._frames:
            page = _read(self._log, offset, self.page_bytes)
            yield from self._page_rows(number, page, self._newest[number] == offset)

    def _page_rows(self, number: int, page: bytes, is_newest: bool) -> Iterator[PageRow]:
        start = HEADER_BYTES if number == 1 else 0
        if len(page) <= start + 8 or page[start] == 0:  # an overflow page begins with the number of the next one
            return
        for layout in _LAYOUTS.get(page[start], _ANY_LAYOUT):
            expected = layout == page[start]
            for index, at in enumerate(_cell_offsets(page, start, layout)):
                is_current = is_newest and expected and index < int.from_bytes(page[start + 3 : start + 5])
                for view in (self._newest, {}) if self._newest else ({},):
                    try:
                        rowid, payload, is_local = self._read_cell(page, at, layout, view)
                        yield PageRow(rowid, _columns(payload), is_current and view is self._newest)
                    except _UNREADABLE:
                        continue
                    if is_local:
                        break

    def _read_cell(self, page: bytes, at: int, layout: int, view: dict[int, int]) -> tuple[int | None, bytes, bool]:
        """Return row id, payload, and whether all of it is on the page."""
        if layout == INDEX_INTERIOR:
            at += 4  # number of the page to the left
        size, at = _varint(page, at)
        rowid = None
        if layout == TABLE_LEAF:
            rowid, at = _varint(page, at)
            rowid -= (rowid >> 63) << 64
        if not 0 < size <= MAX_RECORD_BYTES:
            raise ValueError
        local = _local_bytes(size, self.page_bytes, layout)
        parts = [page[at : at + local]]
        if local == size:
            if len(parts[0]) != size:
                raise ValueError
            return rowid, parts[0], True
        (following,) = struct.unpack_from(">I", page, at + local)
        missing = size - local
        while missing > 0:
            content = self._overflow_page(following, view)
            (following,) = struct.unpack_from(">I", content)
            parts.append(content[4 : 4 + missing])
            missing -= len(content) - 4
        return rowid, b"".join(parts), False

    def _overflow_page(self, number: int, view: dict[int, int]) -> bytes:
        if number in view:
            return _read(self._log, view[number], self.page_bytes)
        page = _read(self._database, (number - 1) * self.page_bytes, self.page_bytes) if number else b""
        if len(page) != self.page_bytes:
            raise ValueError
        return page


@contextmanager
def open_pages(files: StoreFiles) -> Iterator[PageFile]:
    """Open a database and its log, read-only. A missing file is empty. Raises: OSError."""
    with ExitStack() as stack:
        yield PageFile(_open(stack, files.database), _open(stack, files.log))


def holds_journal_rows(database: Path) -> bool:
    """Return True if a file that SQLite rejects has rows of a store on its first pages. Raises: OSError."""
    with open_pages(StoreFiles.of(database)) as pages:
        return any(is_entry(row) or is_match(row) for row in islice(pages.rows(), MAX_ROWS_LOOKED_AT))


MAX_ROWS_LOOKED_AT = 10_000


# Tables of a store, told by the types of their columns.


def is_match(row: PageRow) -> bool:
    """Return True for a row of `matches`: id, game, epoch, header, created, ended, then what later versions added."""
    found = row.columns
    texts = len(found) >= 6 and all(isinstance(found[number], bytes) for number in (0, 1, 3, 4))
    return row.rowid is None and texts and len(found[0]) == ID_CHARS and isinstance(found[2], int)


def is_entry(row: PageRow) -> bool:
    """Return True for a row of `entries`: match, seq, fields, at, and the sum of later versions."""
    found = row.columns
    if row.rowid is not None or len(found) not in (4, 5) or not isinstance(found[1], int) or found[1] < 1:
        return False
    return all(isinstance(found[number], bytes) for number in (0, 2, 3)) and len(found[0]) == ID_CHARS


def is_picture(row: PageRow) -> bool:
    """Return True for a row of `pictures`: id (the row id), match, seq, die, what, image, and the sum."""
    found = row.columns
    if row.rowid is None or len(found) not in (6, 7) or found[0] is not None:
        return False
    texts = isinstance(found[1], bytes) and isinstance(found[4], bytes)
    return texts and len(found[1]) == ID_CHARS and isinstance(found[2], int)


ID_CHARS = 36
"""Length of a match's id, a UUID."""


# The file format.


def _open(stack: ExitStack, path: Path) -> IO[bytes] | None:
    try:
        return stack.enter_context(path.open("rb"))
    except FileNotFoundError:
        return None


def _read(file: IO[bytes] | None, offset: int, size: int) -> bytes:
    return b"" if file is None else os.pread(file.fileno(), size, offset)


def _length(file: IO[bytes] | None) -> int:
    return 0 if file is None else os.fstat(file.fileno()).st_size


def _page_bytes(in_database: bytes, in_log: bytes) -> int:
    """Return the page size that the header of the database tells, else that of the log, else the usual one."""
    sizes = (65536 if size == 1 else size for size in map(int.from_bytes, (in_database, in_log)))
    return next((size for size in sizes if 512 <= size <= 65536 and size & (size - 1) == 0), PAGE_BYTES)


def _committed_frames(log: IO[bytes] | None, page_bytes: int) -> list[tuple[int, int]]:
    """Return page number and offset of the frames up to the last one that ends a transaction.

    Takes frames after a damaged one too. Frames of an earlier use of the log have another salt.
    """
    frames: list[tuple[int, int]] = []
    committed, newest_salt = 0, _read(log, LOG_HEADER_BYTES + 8, 8)
    end = _length(log) - FRAME_HEADER_BYTES - page_bytes
    for at in range(LOG_HEADER_BYTES, end + 1, FRAME_HEADER_BYTES + page_bytes):
        number, pages_after_commit, salt = struct.unpack(">II8s", _read(log, at, 16))
        if salt != newest_salt:
            continue
        frames.append((number, at + FRAME_HEADER_BYTES))
        if pages_after_commit:
            committed = len(frames)
    return frames[:committed]


def _cell_offsets(page: bytes, start: int, layout: int) -> Iterator[int]:
    """Yield the offsets of a page's cells, also those that its damaged count does not include."""
    at = start + (12 if layout == INDEX_INTERIOR else 8)
    first_cell = len(page)
    while at + 2 <= first_cell:
        offset = int.from_bytes(page[at : at + 2])
        at += 2
        if at <= offset < len(page):
            first_cell = min(first_cell, offset)
            yield offset


def _local_bytes(size: int, page_bytes: int, layout: int) -> int:
    """Return how many bytes of a payload are on its page."""
    largest = page_bytes - 35 if layout == TABLE_LEAF else (page_bytes - 12) * 64 // 255 - 23
    if size <= largest:
        return size
    least = (page_bytes - 12) * 32 // 255 - 23
    local = least + (size - least) % (page_bytes - 4)
    return local if local <= largest else least


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, and the offset after it."""
    value = 0
    for offset in range(at, at + 8):
        byte = content[offset]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, offset + 1
    return value << 8 | content[at + 8], at + 9


_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _columns(payload: bytes) -> tuple[Value, ...]:
    """Return the columns of a record. Raises: ValueError or IndexError for one that is damaged."""
    header_bytes, at = _varint(payload, 0)
    if not 1 < header_bytes <= min(len(payload), 9 * MAX_COLUMNS):
        raise ValueError
    body = header_bytes
    found: list[Value] = []
    while at < header_bytes:
        kind, at = _varint(payload, at)
        size = _INTEGER_BYTES.get(kind, 8 if kind == 7 else max(0, kind - 12) // 2)
        content = payload[body : body + size]
        if len(content) != size or kind in (10, 11) or len(found) == MAX_COLUMNS:
            raise ValueError
        body += size
        found.append(_value(kind, content))
    if body != len(payload):
        raise ValueError
    return tuple(found)


def _value(kind: int, content: bytes) -> Value:
    if kind >= 12:
        return content
    if kind in (8, 9):
        return kind - 8
    return int.from_bytes(content, signed=True) if kind in _INTEGER_BYTES else None
