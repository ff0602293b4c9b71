"""The inbox: takes the tables' lines, plays them and moves the cursors on, all in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs
from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update

from companion.games.base import Message
from companion.hub import match_replay
from companion.hub.database import Database, Work
from companion.hub.journals import (
    MOST_BRANCHES,
    JournalStore,
    Number,
    columns,
    head_of,
    insert_links,
    keep_picture,
    raw_lines,
    retell,
)
from companion.hub.match_replay import LineUpdate, MatchReplay
from companion.hub.models import NONE, JournalHead
from companion.hub.results import NumberOf, SharedState, open_notice
from companion.hub.schema import CONFIRMATIONS, JOURNALS, LINES, STANDS, WAITING
from companion.journal.codec import CHAIN_SIZE, CHAIN_START, MAX_LINE_BYTES, chain_links
from companion.messages.wire import Confirmation, JournalLines, Problem, Receipt, RollPicture

MOST_WAITING = 64
"""Batches that wait for the lines before them, of one journal. What is not kept the table sends again."""

LONGEST_ID = 64
_EVERY_LINE = 2**31 - 1

Point = tuple[Number, int, bytes]
"""A line of a journal: the journal's number, the line's, and the chain after it."""

_CHAINS = (
    select(LINES.c.chain)
    .where(LINES.c.journal == bindparam("j"), LINES.c.seq >= bindparam("a"), LINES.c.seq <= bindparam("b"))
    .order_by(LINES.c.seq)
)


class TooManyBranches(Exception):
    """A card that was copied more often than anybody would."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A journal that a batch continues: the first `same` lines of it are there; the next one differs if `apart`."""

    head: JournalHead
    same: int
    apart: bool


class BatchIntake:
    """Puts batches where they belong, within one transaction."""

    def __init__(self, journals: JournalStore, number_of: NumberOf) -> None:
        self._journals, self._number_of = journals, number_of
        self._work = journals.work
        self.repeated: dict[Point, None] = {}
        """The ends of the batches that brought nothing new and lie within a longer journal."""

    def take(self, batch: JournalLines) -> None:
        """Keeps what is new of a batch and plays it, then what has waited for it. Raises TooManyBranches."""
        number = batch.table, batch.epoch
        if not self._place(batch):
            _wait(self._journals.connection, batch)
            self._journals.mark(number, waits=True)
        elif self._journals.epoch(number).waits:
            self._take_waiting(number)

    def _take_waiting(self, number: Number) -> None:
        table, epoch = number
        of_it = (WAITING.c.table_id == table, WAITING.c.epoch == epoch)
        connection = self._journals.connection
        left, placed = -1, True
        while placed:
            placed = False
            rows = connection.execute(select(WAITING).where(*of_it).order_by(WAITING.c.seq)).all()
            left = len(rows)
            for row in rows:
                before = bytes(row.before)
                lines = tuple(bytes(row.lines).split(b"\n"))
                if self._place(JournalLines(epoch, row.seq, before, lines, table=table)):
                    connection.execute(
                        delete(WAITING).where(*of_it, WAITING.c.seq == row.seq, WAITING.c.before == before)
                    )
                    placed, left = True, left - 1
        if not left:
            self._journals.mark(number, waits=False)

    def _place(self, batch: JournalLines) -> bool:
        """False if the lines before it are not there yet."""
        heads = self._journals.epoch((batch.table, batch.epoch)).heads
        if not heads:
            if batch.seq != 1:
                return False
            self._extend(self._journals.add(_new(batch, self._work.now)), batch.lines, batch.before)
            return True
        links: list[bytes] | None = None
        fits = []
        for head in heads:
            if batch.seq - 1 < head.seq:
                links = links or chain_links(batch.before, batch.lines)
                if (fit := self._fit(head, batch, links)) is not None:
                    fits.append(fit)
            elif batch.seq - 1 == head.seq and batch.before == head.chain:
                fits.append(_Fit(head, 0, False))
        if not fits:
            return False
        best = max(fits, key=lambda fit: (not fit.apart, fit.same))
        head = self._fork(best, batch, len(heads)) if best.apart else best.head
        if best.same < len(batch.lines):
            self._extend(head, batch.lines[best.same :], head.chain)
        elif links is not None and (end := batch.seq + len(batch.lines) - 1) < head.seq:
            self.repeated[(batch.table, batch.epoch), end, links[-1]] = None
        return True

    def _fit(self, head: JournalHead, batch: JournalLines, links: list[bytes]) -> _Fit | None:
        """None if the lines before it are others. Where the chain is the same, so is all before it: a repeat that goes
        to the end of the journal or beyond it, as most do, is known without a look into the database."""
        last = min(head.seq, batch.seq + len(batch.lines) - 1)
        count = last - batch.seq + 1
        if self._journals.chain_at(head, last) == links[count - 1]:
            return _Fit(head, count, False)
        if self._journals.chain_at(head, batch.seq - 1) != batch.before:
            return None
        kept = self._journals.connection.scalars(_CHAINS, {"j": head.id, "a": batch.seq, "b": last})
        same = 0
        for theirs, ours in zip(links, kept, strict=False):
            if theirs != bytes(ours):
                break
            same += 1
        return _Fit(head, same, True)

    def _fork(self, fit: _Fit, batch: JournalLines, branches: int) -> JournalHead:
        """A journal of its own for what a copied card wrote, from the lines that both have in common."""
        if branches >= MOST_BRANCHES:
            raise TooManyBranches
        work = self._work
        common = batch.seq - 1 + fit.same
        chain = self._journals.chain_at(fit.head, common) or CHAIN_START
        fresh = replace(_new(batch, work.now), branch=branches, seq=common, chain=chain, forgotten=fit.head.forgotten)
        fork = self._journals.add(fresh)
        copied = select(literal(fork.id), LINES.c.seq, LINES.c.line, LINES.c.chain, LINES.c.told, LINES.c.fate)
        copied = copied.where(LINES.c.journal == fit.head.id, LINES.c.seq <= common)
        names = ["journal", "seq", "line", "chain", "told", "fate"]
        self._journals.connection.execute(insert(LINES).from_select(names, copied))
        if common and fork.forgotten is None:
            fork = self._journals.put(_marked(fork, self._journals.replay(fork)))
            self._retell(fork)
        args = {"table": self._number_of(batch.table) or batch.table, "line": common + 1}
        open_notice(work, "copied_card", fork, Message("tournament.hub.notice.copied_card", args))
        return fork

    def _retell(self, fork: JournalHead) -> None:
        """What lines came to on the other card by later corrections is not what they came to on this one."""
        told: dict[int, LineUpdate] = {}
        now: MatchReplay | None = None
        kept = raw_lines(self._journals.connection, fork.id, fork.seq)
        for at, raw in enumerate(kept):
            now, rows = self._step(now, raw, kept[:at])
            told |= {each.line: each for each in rows}
        retell(self._journals.connection, fork.id, told.values())

    def _step(
        self, now: MatchReplay | None, raw: bytes, before: Sequence[bytes]
    ) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
        if now is None:
            return match_replay.begin(raw, self._journals.games), (LineUpdate(1, None, STANDS),)
        return match_replay.play(now, raw, self._journals.games, lambda: before)

    def _extend(self, head: JournalHead, lines: Sequence[bytes], before: bytes) -> None:
        """Writes the lines after the head, with what is told of them, and moves the cursor on."""
        links = chain_links(before, lines)
        seq, now = head.seq + len(lines), self._work.now
        if head.forgotten is not None:
            insert_links(self._journals.connection, head.id, head.seq + 1, links)
            self._journals.put(replace(head, seq=seq, chain=links[-1], last=now))
            return
        rows = self._journals.rows
        replay = self._journals.replay(head) if head.seq else None
        told: tuple[LineUpdate, ...]
        for raw, link in zip(lines, links, strict=True):
            if replay is None:
                replay, told = match_replay.begin(raw, self._journals.games), (LineUpdate(1, None, STANDS),)
            else:
                replay, told = match_replay.play(
                    replay,
                    raw,
                    self._journals.games,
                    lambda: raw_lines(self._journals.connection, head.id, _EVERY_LINE),
                )
            rows.add(head.id, raw, link, told)
        assert replay is not None  # there is at least one line
        moved = replace(
            head,
            seq=seq,
            chain=links[-1],
            last=now,
            over=replay.over,
            refused_line=None if replay.refused is None else replay.refused.line,
            revision=self._work.revision,
        )
        if head.refused_line is None and replay.refused is not None:
            open_notice(self._work, "refused_line", moved, replay.refused.message)
        if head.seq:
            self._journals.move(moved)
        else:
            self._journals.put(_marked(moved, replay))
        self._journals.put_replay(moved, replay)


def _new(batch: JournalLines, now: str) -> JournalHead:
    """The head of a journal without a line."""
    return JournalHead(
        id=0,
        table=batch.table,
        epoch=batch.epoch,
        branch=0,
        seq=0,
        chain=CHAIN_START,
        game=None,
        tournament=None,
        match=None,
        entries=None,
        bound_by=None,
        over=False,
        confirmed=0,
        result=NONE,
        counted=None,
        refused_line=None,
        begun=now,
        last=now,
        forgotten=None,
        revision=0,
    )


def _marked(head: JournalHead, replay: MatchReplay) -> JournalHead:
    """With what the header says: the game, and the match of a tournament that it is of."""
    if replay.game is None:
        return head
    head = replace(head, game=replay.game.id)
    mark = replay.mark
    if mark is None or not _is_id(mark.tournament) or not _is_id(mark.match):
        return head
    named = json.dumps(dict(mark.entries), ensure_ascii=False, sort_keys=True) if mark.entries else None
    return replace(head, tournament=mark.tournament, match=mark.match, entries=named)


def _is_id(value: str) -> bool:
    return 0 < len(value) <= LONGEST_ID and "\0" not in value


def _wait(connection: Connection, batch: JournalLines) -> None:
    """Puts a batch aside; of two that begin alike the longer one is of more use."""
    of_epoch = (WAITING.c.table_id == batch.table, WAITING.c.epoch == batch.epoch)
    this = (*of_epoch, WAITING.c.seq == batch.seq, WAITING.c.before == batch.before)
    lines = b"\n".join(batch.lines)
    kept = connection.scalar(select(WAITING.c.lines).where(*this))
    if kept is not None:
        if len(kept) < len(lines):
            connection.execute(update(WAITING).where(*this).values(lines=lines))
        return
    if (connection.scalar(select(func.count()).select_from(WAITING).where(*of_epoch)) or 0) >= MOST_WAITING:
        return
    values = {"table_id": batch.table, "epoch": batch.epoch, "seq": batch.seq, "before": batch.before, "lines": lines}
    connection.execute(insert(WAITING).values(values))


MOST_EPOCH = 2**53
"""Beyond any second; what a number of the wire holds exactly."""

MOST_CONFIRMATIONS = 16
"""Confirmations kept of one journal; more than one come when a finished match is opened again."""


class Inbox:
    """Where the tables' journals arrive. Safe to call from any thread; one call is one transaction."""

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared

    def take(self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation] = ()) -> tuple[Receipt, ...]:
        """Keeps, plays and counts what is new; one receipt a journal and branch, in the order of the batches;
        after them one for the end of each batch and confirmation that lies within a longer journal.

        Repeats are harmless, what comes before its turn waits, lines that differ from kept ones are kept apart.
        Durable against a crash of the program on return; against a power cut the newest batches may be lost, the next
        receipts then ask for them again. Raises HubGone when the database is: then nothing was taken.
        """
        with self._database.writing(durable=False) as work:
            return _Round(self._shared, work).run(batches, confirmations)

    def keep_picture(self, picture: RollPicture) -> bool:
        """Keeps a picture of a journal's newest roll, the older ones go. False if it is not wanted."""
        with self._database.writing(durable=False) as work:
            return keep_picture(work, self._shared.transaction(work).journals, picture)

    def receipts(self, table: str) -> tuple[Receipt, ...]:
        """How far the hub has each journal of a table, for a table that comes back."""
        rows = select(*columns()).where(JOURNALS.c.table_id == table).order_by(JOURNALS.c.epoch, JOURNALS.c.branch)
        with self._database.reading() as connection:
            return tuple(head_of(row).receipt for row in connection.execute(rows))


class _Round:
    """What one call of `take` does."""

    def __init__(self, shared: SharedState, work: Work) -> None:
        self._transaction = shared.transaction(work)
        self._journals = self._transaction.journals
        self._known = shared.known
        self._taking = BatchIntake(self._journals, shared.number_of)
        self._touched: dict[Number, None] = {}
        self._refused: list[Receipt] = []
        self._confirmed: dict[Point, None] = {}

    def run(self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation]) -> tuple[Receipt, ...]:
        for batch in batches:
            self._batch(batch)
        self._journals.rows.flush()
        for confirmation in confirmations:
            self._confirmation(confirmation)
        for number in self._touched:
            self._after(number)
        for tournament in self._transaction.tournaments.changed:
            self._transaction.count_pending(tournament)
        receipts = [head.receipt for number in self._touched for head in self._journals.epoch(number).heads]
        empty = [number for number in self._touched if not self._journals.epoch(number).heads]
        none = [Receipt(epoch, 0, CHAIN_START, table=table) for table, epoch in empty]
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
        self._refused.append(Receipt(batch.epoch, 0, CHAIN_START, problem=problem, table=batch.table))

    def _confirmation(self, told: Confirmation) -> None:
        number = told.table, told.epoch
        if not self._known(told.table) or not 0 < told.epoch < MOST_EPOCH or not 0 < told.seq < 2**31:
            self._refused.append(Receipt(told.epoch, 0, CHAIN_START, problem="malformed", table=told.table))
            return
        self._touched[number] = None
        self._confirmed[number, told.seq, told.chain] = None
        if any(self._has(head, told.seq, told.chain) and head.confirmed >= told.seq for head in self._heads(number)):
            return
        _keep(self._transaction.work, told)
        self._journals.mark(number, asks=True)

    def _after(self, number: Number) -> None:
        """Confirmations that have their lines now, then the result of the journal that counts."""
        if self._journals.epoch(number).asks:
            self._match_confirmations(number)
        for head in self._journals.epoch(number).heads[:1]:
            self._transaction.count_result(head)

    def _match_confirmations(self, number: Number) -> None:
        connection = self._transaction.work.connection
        table, epoch = number
        rows = select(CONFIRMATIONS.c.seq, CONFIRMATIONS.c.chain).where(
            CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch
        )
        left = False
        for seq, chain in connection.execute(rows.order_by(CONFIRMATIONS.c.seq)).all():
            left = not self._confirm(number, seq, bytes(chain)) or left
        self._journals.mark(number, asks=left)

    def _confirm(self, number: Number, seq: int, chain: bytes) -> bool:
        """Whether a journal has that line as it was confirmed."""
        for head in self._heads(number):
            if self._has(head, seq, chain):
                if head.confirmed < seq:
                    self._journals.put(replace(head, confirmed=seq))
                return True
        return False

    def _heads(self, number: Number) -> Sequence[JournalHead]:
        return self._journals.epoch(number).heads

    def _has(self, head: JournalHead, seq: int, chain: bytes) -> bool:
        """Whether the journal has that line: one of a copied card has another one in its place."""
        return head.seq >= seq and self._journals.chain_at(head, seq) == chain


def _problem(batch: JournalLines) -> Problem | None:
    """What is wrong with a batch whatever the hub holds."""
    whole = 0 < batch.epoch < MOST_EPOCH and batch.seq > 0 and batch.seq + len(batch.lines) < 2**31
    if not whole or not batch.lines or len(batch.before) != CHAIN_SIZE:
        return "malformed"
    if (batch.seq == 1) != (batch.before == CHAIN_START):
        return "malformed"
    if any(b"\n" in line or not line.strip() for line in batch.lines):
        return "malformed"
    if any(len(line) > MAX_LINE_BYTES for line in batch.lines):
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
