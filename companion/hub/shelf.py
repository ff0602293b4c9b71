"""Heads and matches as they are within one transaction, and what is kept of them in memory after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, func, select

from companion.hub.database import Work
from companion.hub.heads import Head, Newest, heads_of, insert_head, raw_lines, read_chain, update_head
from companion.hub.line_rows import Rows
from companion.hub.playing import Playing, resume
from companion.hub.schema import CONFIRMATIONS, WAITING
from companion.hub.words import Live
from companion.journal.chain import START
from companion.journal.replay import Games

MOST_EPOCHS = 1024
MOST_PLAYINGS = 1024
MOST_LIVES = 1024
"""What is kept in memory of the journals used last: their heads, and the match that each table plays. Several hundred
tables have one each under way; what was played before is read anew when it is asked for. The same of what pages show of
a match."""

Number = tuple[str, int]
"""A table's id and an epoch."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The journals of one number, the one that counts first; whether lines or confirmations wait for them."""

    heads: tuple[Head, ...] = ()
    waits: bool = False
    asks: bool = False


class Playings:
    """Of each table its newest match as it is played; one for each copy of its card."""

    def __init__(self, most: int = MOST_PLAYINGS) -> None:
        self._kept: Newest[tuple[str, int], tuple[Head, Playing]] = Newest(most)

    def get(self, head: Head) -> Playing | None:
        """The journal as it is played, if it is its table's newest."""
        kept = self._kept.get((head.table_id, head.branch))
        return None if kept is None or kept[0].id != head.id else kept[1]

    def put(self, played: Iterable[tuple[Head, Playing]]) -> None:
        """Keeps those that are the newest, each in the place of what its table played before."""
        for head, playing in played:
            key = head.table_id, head.branch
            kept = self._kept.get(key)
            if kept is None or kept[0].epoch <= head.epoch:
                self._kept.put({key: (head, playing)})

    def drop(self, heads: Iterable[Head]) -> None:
        """Forgets what the tables of some journals play."""
        self._kept.drop((head.table_id, head.branch) for head in heads)

    def clear(self) -> None:
        """Forgets everything."""
        self._kept.clear()


@dataclass(frozen=True)
class Memory:
    """What is kept between transactions. All of it can be made anew from the database."""

    epochs: Newest[Number, Epoch] = field(default_factory=lambda: Newest(MOST_EPOCHS))
    playings: Playings = field(default_factory=Playings)
    lives: Newest[int, tuple[int, Live]] = field(default_factory=lambda: Newest(MOST_LIVES))

    def forget(self) -> None:
        """After a transaction that failed."""
        self.epochs.clear()
        self.playings.clear()
        self.lives.clear()


class Shelf:
    """The journals within one transaction."""

    def __init__(self, work: Work, memory: Memory, games: Games) -> None:
        self.work = work
        self.games = games
        self._memory = memory
        self._epochs: dict[Number, Epoch] = {}
        self._playings: dict[int, tuple[Head, Playing]] = {}
        self.rows = Rows(work.connection)
        work.after.append(self._publish)

    @property
    def connection(self) -> Connection:
        """For reading: what was to be written together is written first."""
        self.rows.flush()
        return self.work.connection

    def chain_at(self, head: Head, seq: int) -> bytes | None:
        """The chain after a line of a journal; None after its end."""
        if seq == 0:
            return START
        return head.chain if seq == head.seq else read_chain(self.connection, head, seq)

    def epoch(self, number: Number) -> Epoch:
        """The journals of one number as they are in this transaction."""
        found = self._epochs.get(number) or self._memory.epochs.get(number)
        if found is None:
            found = _load(self.work.connection, number)
            self._epochs[number] = found
        return found

    def put(self, head: Head) -> Head:
        """Writes a head that has changed."""
        head = replace(head, revision=self.work.revision)
        update_head(self.work.connection, head)
        self.rows.written(head)
        self._keep(head)
        return head

    def move(self, head: Head) -> Head:
        """A head of which only cursor, chain, time and standing have changed; its revision is set already."""
        self.rows.move(head)
        self._keep(head)
        return head

    def add(self, head: Head) -> Head:
        """Writes a new head; returns it with its id."""
        head = replace(head, revision=self.work.revision)
        head = replace(head, id=insert_head(self.work.connection, head))
        self._keep(head)
        return head

    def mark(self, number: Number, *, waits: bool | None = None, asks: bool | None = None) -> None:
        """Notes whether something waits for the journals of a number."""
        epoch = self.epoch(number)
        self._epochs[number] = replace(
            epoch,
            waits=epoch.waits if waits is None else waits,
            asks=epoch.asks if asks is None else asks,
        )

    def playing(self, head: Head) -> Playing:
        """The journal as it is played up to its head. Not for one that was forgotten."""
        played = self._playings.get(head.id)
        found = self._memory.playings.get(head) if played is None else played[1]
        if found is None or found.seq != head.seq:
            found = resume(raw_lines(self.connection, head.id, head.seq), self.games)
            self.put_playing(head, found)
        return found

    def put_playing(self, head: Head, playing: Playing) -> None:
        """The journal as it is played now."""
        self._playings[head.id] = head, playing

    def _keep(self, head: Head) -> None:
        number = head.table_id, head.epoch
        epoch = self.epoch(number)
        others = [each for each in epoch.heads if each.id != head.id]
        heads = (head, *others) if not others else tuple(sorted([head, *others], key=lambda each: each.branch))
        self._epochs[number] = Epoch(heads, epoch.waits, epoch.asks)
        self.work.changed = True

    def _publish(self) -> None:
        self._memory.epochs.put(self._epochs)
        self._memory.playings.put(self._playings.values())


def _load(connection: Connection, number: Number) -> Epoch:
    table, epoch = number
    heads = heads_of(connection, table, epoch)
    waiting = select(func.count()).where(WAITING.c.table_id == table, WAITING.c.epoch == epoch)
    known = max((head.confirmed for head in heads), default=0)
    asking = select(func.count()).where(
        CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch, CONFIRMATIONS.c.seq > known
    )
    return Epoch(heads, bool(connection.scalar(waiting)), bool(connection.scalar(asking)))
