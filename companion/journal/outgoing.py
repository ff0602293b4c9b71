"""The store as a second reader sees it: journals as lines to be sent, byte for byte, while somebody else writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from companion.journal.database import BUSY_MS
from companion.journal.envelope import HEADER_LINE
from companion.journal.store_errors import translated


@dataclass(frozen=True, slots=True)
class Kept:
    """A journal in the store: the id and epoch of its match, its header as text, its lines counted with the header."""

    id: str
    epoch: int
    header: str
    lines: int
    ended: bool


class OutgoingJournals:
    """Reads a store's file beside its writer. For one thread; close it when done."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError."""
        self.path = path
        with translated(path):
            self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            self._connection.set_busy_timeout(BUSY_MS)

    def close(self) -> None:
        self._connection.close()

    def version(self) -> int:
        """A number that differs from the last one if somebody has written since."""
        with translated(self.path):
            return int(self._connection.pragma("data_version"))

    def journals(self, after: int = 0) -> list[Kept]:
        """The journals with an epoch above `after`, removed ones too: what was sent of them does not end there."""
        return [
            Kept(id, epoch, header, lines + HEADER_LINE, ended is not None)
            for id, epoch, header, ended, lines in self._rows(
                "SELECT id, epoch, header, ended, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
                " FROM matches WHERE epoch > ? ORDER BY epoch",
                (after,),
            )
        ]

    def length(self, id: str) -> tuple[int, bool]:
        """How many lines a journal has, and whether its match is over."""
        row = self._rows(
            "SELECT ended, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0) FROM matches"
            " WHERE id = ?",
            (id,),
        )
        return (row[0][1] + HEADER_LINE, row[0][0] is not None) if row else (0, False)

    def lines(self, id: str, after: int, most: int, most_bytes: int) -> list[bytes]:
        """The lines of a journal after one (0: from the header on), without newlines, as the store holds them.

        At most `most`, and no more than `most_bytes` together unless the first alone is longer.
        """
        texts: list[str] = []
        if after < HEADER_LINE:
            texts += [row[0] for row in self._rows("SELECT header FROM matches WHERE id = ?", (id,))]
        rows = self._rows(
            "SELECT fields FROM entries WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?",
            (id, max(after - HEADER_LINE, 0), most - len(texts)),
        )
        found: list[bytes] = []
        room = most_bytes
        for line in (text.encode() for text in [*texts, *(row[0] for row in rows)]):
            room -= len(line)
            if found and room < 0:
                break
            found.append(line)
        return found

    def pictures(self, id: str, line: int) -> list[tuple[str, bytes, int | None]]:
        """The pictures kept with the event on a line: what each shows, the image, the die."""
        return [
            (what, image, die)
            for what, image, die in self._rows(
                "SELECT what, image, die FROM pictures WHERE match = ? AND seq = ? AND image IS NOT NULL ORDER BY id",
                (id, line - HEADER_LINE),
            )
        ]

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        with translated(self.path):
            return list(self._connection.execute(query, tuple(values)))
