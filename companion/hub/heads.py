"""The head of each journal: whose it is, how far it is whole, what came of it; as rows and, for a while, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from threading import Lock
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, bindparam, func, insert, select, update

from companion.hub.schema import JOURNALS, LINES
from companion.hub.words import Bound, JournalRow
from companion.messages.wire import Receipt

MOST_BRANCHES = 8
"""Journals that a copied card may add under one number; more is mischief."""

NONE, PENDING, COUNTED, REPLACED = "none", "pending", "counted", "replaced"
"""What came of a journal's result: not confirmed yet, waiting for the organiser or for other facts, counted in the
tournament, or counted until another journal of the same match was."""


@dataclass(frozen=True, slots=True)
class Head:
    """A row of `journals`."""

    id: int
    table_id: str
    epoch: int
    branch: int
    seq: int
    chain: bytes
    game: str | None
    tournament: str | None
    match: str | None
    entries: str | None
    bound_by: str | None
    over: bool
    confirmed: int
    outcome: str
    counted: str | None
    refused_line: int | None
    begun: str
    last: str
    forgotten: str | None
    revision: int

    @property
    def bound(self) -> Bound | None:
        """The match that it is of."""
        if self.tournament is None or self.match is None:
            return None
        return Bound(self.tournament, self.match)

    @property
    def receipt(self) -> Receipt:
        """What the table is told."""
        return Receipt(self.epoch, self.seq, self.chain, self.branch, self.confirmed, table=self.table_id)

    @property
    def row(self) -> JournalRow:
        """What pages are told."""
        return JournalRow(
            self.table_id,
            self.epoch,
            self.branch,
            self.game,
            self.bound,
            self.seq,
            self.chain,
            self.over,
            self.confirmed,
            self.outcome,
            self.refused_line,
            self.begun,
            self.forgotten,
            self.revision,
            self.last,
            self.id,
        )


_NAMES = tuple(each.name for each in fields(Head))
_COLUMNS = [JOURNALS.c[name] for name in _NAMES]
_OF_EPOCH = (
    select(*_COLUMNS)
    .where(JOURNALS.c.table_id == bindparam("t"), JOURNALS.c.epoch == bindparam("e"))
    .order_by(JOURNALS.c.branch)
)
_CHAIN = select(LINES.c.chain).where(LINES.c.journal == bindparam("j"), LINES.c.seq == bindparam("s"))
_RAW = (
    select(LINES.c.line).where(LINES.c.journal == bindparam("j"), LINES.c.seq <= bindparam("s")).order_by(LINES.c.seq)
)
_INSERT = insert(JOURNALS)
_UPDATE = (
    update(JOURNALS)
    .where(JOURNALS.c.id == bindparam("the_id"))
    .values({name: bindparam(name) for name in _NAMES if name != "id"})
)


def read(row: Any) -> Head:
    """The head in a row that was selected with `columns`."""
    return Head(*row)


def columns() -> list[Any]:
    """The columns of a head, in its order."""
    return list(_COLUMNS)


def heads_of(connection: Connection, table: str, epoch: int) -> tuple[Head, ...]:
    """The journals of one number: the one that counts first, then those of a copied card."""
    return tuple(read(row) for row in connection.execute(_OF_EPOCH, {"t": table, "e": epoch}))


def insert_head(connection: Connection, head: Head) -> int:
    """A new row; returns its id (that of `head` does not matter)."""
    values = {name: getattr(head, name) for name in _NAMES if name != "id"}
    made = connection.execute(_INSERT, values).inserted_primary_key
    assert made is not None  # a plain insert into a table with such a key tells it
    return int(made[0])


def update_head(connection: Connection, head: Head) -> None:
    """The row as it is now."""
    connection.execute(_UPDATE, {"the_id": head.id} | {name: getattr(head, name) for name in _NAMES if name != "id"})


def moved_row(head: Head) -> tuple[Any, ...]:
    """What changes with every line, as `quick.move_heads` takes it."""
    return head.seq, head.chain, head.over, head.refused_line, head.last, head.revision, head.id


def read_chain(connection: Connection, head: Head, seq: int) -> bytes | None:
    """The chain after a line of a journal; None after its end."""
    found: bytes | None = connection.scalar(_CHAIN, {"j": head.id, "s": seq})
    return None if found is None else bytes(found)


def games_counted(connection: Connection, tournament: str) -> dict[str, int]:
    """How many games of each match of a tournament were ever counted; matches without one are left out."""
    # The journals of a copied card are one game, whichever of them counted.
    games = (
        select(JOURNALS.c.match, JOURNALS.c.table_id, JOURNALS.c.epoch)
        .where(JOURNALS.c.tournament == tournament, JOURNALS.c.counted.is_not(None))
        .distinct()
        .subquery()
    )
    rows = select(games.c.match, func.count()).group_by(games.c.match)
    return {str(match): int(games) for match, games in connection.execute(rows)}


def raw_lines(connection: Connection, journal: int, until: int) -> list[bytes]:
    """The lines of a journal up to one, without those that were deleted."""
    return [bytes(line) for (line,) in connection.execute(_RAW, {"j": journal, "s": until}) if line is not None]


Key = TypeVar("Key")
Value = TypeVar("Value")


class Newest(Generic[Key, Value]):
    """Keeps the values that were used last, so that memory does not grow. Any thread may read and write it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._turn = Lock()

    def get(self, key: Key) -> Value | None:
        """The value of a key, if it is still there."""
        with self._turn:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def put(self, values: Mapping[Key, Value]) -> None:
        """Keeps some values, each in the place of the one before it."""
        with self._turn:
            for key, value in values.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, keys: Iterable[Key]) -> None:
        """Forgets some values."""
        with self._turn:
            for key in keys:
                self._kept.pop(key, None)

    def clear(self) -> None:
        """Forgets everything."""
        with self._turn:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)
