"""Lines on their way into the database, with what is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, update

from companion.hub import messages
from companion.hub.heads import Head, moved_row
from companion.hub.playing import Told
from companion.hub.quick import insert_lines, move_heads
from companion.hub.schema import LINES, STANDS

_RETELL = (
    update(LINES)
    .where(LINES.c.journal == bindparam("j"), LINES.c.seq == bindparam("s"))
    .values(told=bindparam("t"), fate=bindparam("f"))
)


class Rows:
    """What a transaction is to write of many journals: together, since a statement costs more than its rows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._new: list[tuple[Any, ...]] = []
        self._retold: list[dict[str, Any]] = []
        self._moved: dict[int, Head] = {}

    def add(self, journal: int, raw: bytes, link: bytes, told: tuple[Told, ...]) -> None:
        """One more line and what it changes in those before it."""
        first, *others = told
        self._new.append((journal, first.line, raw, link, _text(first), first.fate))
        self._retold += [_retold(journal, each) for each in others]

    def move(self, head: Head) -> None:
        """A head of which only what every line changes is another."""
        self._moved[head.id] = head

    def written(self, head: Head) -> None:
        """A head that was written by other means, whole."""
        self._moved.pop(head.id, None)

    def flush(self) -> None:
        """Writes what has come together."""
        if self._new:
            insert_lines(self._connection, self._new)
            self._new = []
        if self._retold:
            self._connection.execute(_RETELL, self._retold)
            self._retold = []
        if self._moved:
            move_heads(self._connection, [moved_row(head) for head in self._moved.values()])
            self._moved = {}


def retell(connection: Connection, journal: int, told: Iterable[Told]) -> None:
    """Writes anew what is told of some lines."""
    rows = [_retold(journal, each) for each in told]
    if rows:
        connection.execute(_RETELL, rows)


def insert_links(connection: Connection, journal: int, first: int, links: Sequence[bytes]) -> None:
    """Lines of which only the links of the chain are kept."""
    insert_lines(connection, [(journal, seq, None, link, None, STANDS) for seq, link in enumerate(links, first)])


def _retold(journal: int, told: Told) -> dict[str, Any]:
    return {"j": journal, "s": told.line, "t": _text(told), "f": told.fate}


def _text(told: Told) -> str | None:
    return None if told.message is None else messages.written(told.message)
