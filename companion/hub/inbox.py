"""The inbox: takes the tables' lines, plays them and moves the cursors on, all in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import structs
from sqlalchemy import delete, func, insert, select

from companion.hub.database import Database, Work
from companion.hub.doing import Parts
from companion.hub.heads import Head, columns, read
from companion.hub.pictures import keep_picture
from companion.hub.schema import CONFIRMATIONS, JOURNALS
from companion.hub.shelf import Number
from companion.hub.taking import Point, Taking, TooManyBranches
from companion.journal import chain as chains
from companion.journal.codec import LONGEST_LINE
from companion.messages.wire import Confirmation, JournalLines, Problem, Receipt, RollPicture

MOST_EPOCH = 2**53
"""Beyond any second; what a number of the wire holds exactly."""

MOST_CONFIRMATIONS = 16
"""Confirmations kept of one journal; more than one come when a finished match is opened again."""


class Inbox:
    """Where the tables' journals arrive. Safe to call from any thread; one call is one transaction."""

    def __init__(self, database: Database, parts: Parts) -> None:
        self._database = database
        self._parts = parts

    def take(self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation] = ()) -> tuple[Receipt, ...]:
        """Keeps, plays and counts what is new; one receipt a journal and branch, in the order of the batches;
        after them one for the end of each batch and confirmation that lies within a longer journal.

        Repeats are harmless, what comes before its turn waits, lines that differ from kept ones are kept apart.
        Durable against a crash of the program on return; against a power cut the newest batches may be lost, the next
        receipts then ask for them again. Raises HubGone when the database is: then nothing was taken.
        """
        with self._database.writing(durable=False) as work:
            return _Round(self._parts, work).run(batches, confirmations)

    def keep_picture(self, picture: RollPicture) -> bool:
        """Keeps a picture of a journal's newest roll, the older ones go. False if it is not wanted."""
        with self._database.writing(durable=False) as work:
            return keep_picture(work, self._parts.doing(work).shelf, picture)

    def receipts(self, table: str) -> tuple[Receipt, ...]:
        """How far the hub has each journal of a table, for a table that comes back."""
        rows = select(*columns()).where(JOURNALS.c.table_id == table).order_by(JOURNALS.c.epoch, JOURNALS.c.branch)
        with self._database.reading() as connection:
            return tuple(read(row).receipt for row in connection.execute(rows))


class _Round:
    """What one call of `take` does."""

    def __init__(self, parts: Parts, work: Work) -> None:
        self._doing = parts.doing(work)
        self._shelf = self._doing.shelf
        self._known = parts.known
        self._taking = Taking(self._shelf, parts.number_of)
        self._touched: dict[Number, None] = {}
        self._refused: list[Receipt] = []
        self._confirmed: dict[Point, None] = {}

    def run(self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation]) -> tuple[Receipt, ...]:
        for batch in batches:
            self._batch(batch)
        self._shelf.rows.flush()
        for confirmation in confirmations:
            self._confirmation(confirmation)
        for number in self._touched:
            self._after(number)
        for tournament in self._doing.sitting.changed:
            self._doing.settling.settle_pending(tournament)
        receipts = [head.receipt for number in self._touched for head in self._shelf.epoch(number).heads]
        empty = [number for number in self._touched if not self._shelf.epoch(number).heads]
        none = [Receipt(epoch, 0, chains.START, table=table) for table, epoch in empty]
        return (*receipts, *none, *self._within(), *self._refused)

    def _within(self) -> Iterator[Receipt]:
        """Receipts that a card knows whose journal is the beginning of a longer one: it cannot tell the other's end.

        So it is when its copy wrote more lines, or when the card was put back to an older day.
        """
        for number, seq, chain in dict.fromkeys([*self._taking.repeated, *self._confirmed]):
            for head in self._heads(number):
                if head.seq > seq and self._has(head, seq, chain):
                    yield structs.replace(head.receipt, seq=seq, chain=chain, confirmed=min(head.confirmed, seq))
                    break

    def _batch(self, batch: JournalLines) -> None:
        problem = _problem(batch)
        if problem is None and not self._known(batch.table):
            problem = "unknown_table"
        if problem is None:
            try:
                self._taking.take(batch)
                self._touched[batch.table, batch.epoch] = None
                return
            except TooManyBranches:
                problem = "too_many_branches"
        self._refused.append(Receipt(batch.epoch, 0, chains.START, problem=problem, table=batch.table))

    def _confirmation(self, told: Confirmation) -> None:
        number = told.table, told.epoch
        if not self._known(told.table) or not 0 < told.epoch < MOST_EPOCH or not 0 < told.seq < 2**31:
            self._refused.append(Receipt(told.epoch, 0, chains.START, problem="malformed", table=told.table))
            return
        self._touched[number] = None
        self._confirmed[number, told.seq, told.chain] = None
        if any(self._has(head, told.seq, told.chain) and head.confirmed >= told.seq for head in self._heads(number)):
            return
        _keep(self._doing.work, told)
        self._shelf.mark(number, asks=True)

    def _after(self, number: Number) -> None:
        """Confirmations that have their lines now, then the result of the journal that counts."""
        if self._shelf.epoch(number).asks:
            self._match_confirmations(number)
        for head in self._shelf.epoch(number).heads[:1]:
            self._doing.settling.settle(head)

    def _match_confirmations(self, number: Number) -> None:
        connection = self._doing.work.connection
        table, epoch = number
        rows = select(CONFIRMATIONS.c.seq, CONFIRMATIONS.c.chain).where(
            CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch
        )
        left = False
        for seq, chain in connection.execute(rows.order_by(CONFIRMATIONS.c.seq)).all():
            left = not self._confirm(number, seq, bytes(chain)) or left
        self._shelf.mark(number, asks=left)

    def _confirm(self, number: Number, seq: int, chain: bytes) -> bool:
        """Whether a journal has that line as it was confirmed."""
        for head in self._heads(number):
            if self._has(head, seq, chain):
                if head.confirmed < seq:
                    self._shelf.put(replace(head, confirmed=seq))
                return True
        return False

    def _heads(self, number: Number) -> Sequence[Head]:
        return self._shelf.epoch(number).heads

    def _has(self, head: Head, seq: int, chain: bytes) -> bool:
        """Whether the journal has that line: one of a copied card has another one in its place."""
        return head.seq >= seq and self._shelf.chain_at(head, seq) == chain


def _problem(batch: JournalLines) -> Problem | None:
    """What is wrong with a batch whatever the hub holds."""
    whole = 0 < batch.epoch < MOST_EPOCH and batch.seq > 0 and batch.seq + len(batch.lines) < 2**31
    if not whole or not batch.lines or len(batch.before) != chains.SIZE:
        return "malformed"
    if (batch.seq == 1) != (batch.before == chains.START):
        return "malformed"
    if any(b"\n" in line or not line.strip() for line in batch.lines):
        return "malformed"
    if any(len(line) > LONGEST_LINE for line in batch.lines):
        return "too_long"
    return None


def _keep(work: Work, told: Confirmation) -> None:
    """The confirmation as a row; of too many the earliest goes."""
    of_epoch = (CONFIRMATIONS.c.table_id == told.table, CONFIRMATIONS.c.epoch == told.epoch)
    this = (*of_epoch, CONFIRMATIONS.c.seq == told.seq, CONFIRMATIONS.c.chain == told.chain)
    connection = work.connection
    if connection.scalar(select(CONFIRMATIONS.c.seq).where(*this)) is not None:
        return
    if (connection.scalar(select(func.count()).select_from(CONFIRMATIONS).where(*of_epoch)) or 0) >= MOST_CONFIRMATIONS:
        first = connection.scalar(select(func.min(CONFIRMATIONS.c.seq)).where(*of_epoch))
        connection.execute(delete(CONFIRMATIONS).where(*of_epoch, CONFIRMATIONS.c.seq == first))
    values = {"table_id": told.table, "epoch": told.epoch, "seq": told.seq, "chain": told.chain, "at": work.now}
    connection.execute(insert(CONFIRMATIONS).values(by=json.dumps(list(told.by), ensure_ascii=False), **values))
