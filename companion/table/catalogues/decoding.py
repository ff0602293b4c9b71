"""From the bytes of a table file to records of cells: which letters, and which mark stands between the cells."""

from __future__ import annotations

import codecs
import csv
import io

from companion.games.base import Message
from companion.table.squad_text import is_sound

LARGEST = 1_000_000
"""Bytes of the largest catalogue: a thousand cards are a tenth of that."""
_LONGEST_SHOWN = 40


class Unreadable(Exception):
    """Bytes that are no table; `place` is the row and the column, as near as can be told."""

    def __init__(self, row: int, column: str, case: str, **args: object) -> None:
        self.place = (row, column)
        self.reason = Message(f"catalogues.fault.{case}", args)
        super().__init__(str(self.reason))


def decoded(content: bytes) -> tuple[str, tuple[Message, ...]]:
    """The text, and what is to be said of its letters. Raises Unreadable."""
    if len(content) > LARGEST:
        raise Unreadable(1, "1", "too_large", most=LARGEST // 1000)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded(content, "utf-16"), (Message("catalogues.note.utf16"),)
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return _decoded(content, "cp1252"), (Message("catalogues.note.windows"),)


def _decoded(content: bytes, letters: str) -> str:
    try:
        return content.decode(letters)
    except UnicodeDecodeError as trouble:
        before = content[: trouble.start]
        row = before.count(b"\n") + 1
        line = before[before.rfind(b"\n") + 1 :]
        column = 1 + max(line.count(mark) for mark in (b",", b";", b"\t"))
        raise Unreadable(row, str(column), "letters") from trouble


def table_of(text: str, mark: str) -> list[tuple[int, list[str]]]:
    """The records that are not empty, with their numbers as a spreadsheet counts them. Raises csv.Error."""
    records = enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 1)
    return [(number, cells) for number, cells in records if any(cell.strip() for cell in cells)]


def shown_cell(text: str) -> str:
    """A heading of a file as a sentence can show it."""
    short = " ".join(text.split())[:_LONGEST_SHOWN]
    return short if is_sound(short) else ascii(short)[1:-1]
