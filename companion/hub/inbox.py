"""The inbox: stores the tables' journal lines, replays them and advances the cursors, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import msgspec
from msgspec import structs
from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update

from companion.games.base import Message
from companion.games.registry import SPECS
from companion.hub import match_replay
from companion.hub.database import Database, UnitOfWork, get_value, set_value
from companion.hub.journals import (
    LINE_COLUMNS,
    MAX_BRANCHES,
    JournalKey,
    JournalStore,
    head_columns,
    head_of,
    insert_links,
    raw_lines,
    store_picture,
    update_lines,
)
from companion.hub.match_replay import LineUpdate, MatchReplay
from companion.hub.models import RESULT_NONE, JournalHead
from companion.hub.results import (
    NumberOf,
    SharedState,
    close_notices,
    is_repeated_notice,
    open_notice,
    subject_of,
)
from companion.hub.schema import CONFIRMATIONS, JOURNALS, LINES, NOTICES, STANDS, WAITING
from companion.journal.codec import CHAIN_SIZE, CHAIN_START, MAX_LINE_BYTES, chain_links
from companion.messages.wire import (
    Confirmation,
    Dispute,
    DisputeReason,
    Hello,
    JournalLines,
    Problem,
    Receipt,
    RollPicture,
)
from companion.tournament.values import SIDES

MAX_WAITING_BATCHES = 64
"""Maximum number of batches per journal that wait for earlier lines. The table sends again what is dropped."""

MAX_ID_LENGTH = 64
_MAX_LINE = 2**31 - 1

ChainPoint = tuple[JournalKey, int, bytes]
"""A point in a journal: the journal's number, the line number, and the hash chain after that line."""

_CHAINS = (
    select(LINES.c.chain)
    .where(LINES.c.journal == bindparam("j"), LINES.c.seq >= bindparam("a"), LINES.c.seq <= bindparam("b"))
    .order_by(LINES.c.seq)
)


class TooManyBranches(Exception):
    """The journal of a copied card has more branches than allowed."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A journal that a batch continues. Its first `same` lines are stored already; `diverges` if the next line
    differs."""

    head: JournalHead
    same: int
    diverges: bool


class BatchIntake:
    """Assigns batches to their journals, within one transaction."""

    def __init__(self, journals: JournalStore, number_of: NumberOf) -> None:
        self._journals, self._number_of = journals, number_of
        self._work = journals.work
        self.repeated: dict[ChainPoint, None] = {}
        """Ends of the batches that contained nothing new and are part of a longer journal."""

    def accept(self, batch: JournalLines) -> None:
        """Store and replay the new lines of a batch, then the batches that waited for it. Raises: TooManyBranches."""
        key = batch.table, batch.epoch
        if not self._place(batch):
            _store_waiting(self._journals.connection, batch)
            self._journals.mark_waiting(key, has_waiting_lines=True)
        elif self._journals.branches(key).has_waiting_lines:
            self._accept_waiting(key)

    def _accept_waiting(self, key: JournalKey) -> None:
        table, epoch = key
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
            self._journals.mark_waiting(key, has_waiting_lines=False)

    def _place(self, batch: JournalLines) -> bool:
        """Place a batch. Returns False if earlier lines are missing."""
        heads = self._journals.branches((batch.table, batch.epoch)).heads
        if not heads:
            if batch.seq != 1:
                return False
            self._extend(self._journals.add(_new_head(batch, self._work.now)), batch.lines, batch.before)
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
        best = max(fits, key=lambda fit: (not fit.diverges, fit.same))
        head = self._fork(best, batch, len(heads)) if best.diverges else best.head
        if best.same < len(batch.lines):
            self._extend(head, batch.lines[best.same :], head.chain)
        elif links is not None and (end := batch.seq + len(batch.lines) - 1) < head.seq:
            self.repeated[(batch.table, batch.epoch), end, links[-1]] = None
        return True

    def _fit(self, head: JournalHead, batch: JournalLines, links: list[bytes]) -> _Fit | None:
        """Compare a batch with a journal. Returns None if the lines before the batch differ.

        Equal chains mean that all earlier lines are equal. Most repeats reach the end of the journal and need no
        database query.
        """
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
        """Create a branch for the lines of a copied card, starting with the common lines."""
        if branches >= MAX_BRANCHES:
            raise TooManyBranches
        work = self._work
        common = batch.seq - 1 + fit.same
        chain = self._journals.chain_at(fit.head, common) or CHAIN_START
        fresh = replace(
            _new_head(batch, work.now), branch=branches, seq=common, chain=chain, forgotten=fit.head.forgotten
        )
        fork = self._journals.add(fresh)
        columns = [LINES.c[name] for name in LINE_COLUMNS if name != "journal"]
        copied = select(literal(fork.id), *columns).where(LINES.c.journal == fit.head.id, LINES.c.seq <= common)
        self._journals.connection.execute(insert(LINES).from_select(LINE_COLUMNS, copied))
        if common and fork.forgotten is None:
            fork = self._journals.put(_with_header_fields(fork, self._journals.replay(fork)))
            self._update_fork(fork)
        args = {"table": self._number_of(batch.table) or batch.table}
        open_notice(work, "copied_card", fork, Message("tournament.hub.notice.copied_card", args))
        return fork

    def _update_fork(self, fork: JournalHead) -> None:
        """Recompute the effects of the common lines: later corrections on the other card do not apply to this one."""
        updates: dict[int, LineUpdate] = {}
        now: MatchReplay | None = None
        kept = raw_lines(self._journals.connection, fork.id, fork.seq)
        for at, raw in enumerate(kept):
            now, rows = self._step(now, raw, kept[:at])
            updates |= {each.line: each for each in rows}
        update_lines(self._journals.connection, fork.id, updates.values())

    def _step(
        self, now: MatchReplay | None, raw: bytes, before: Sequence[bytes]
    ) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
        if now is None:
            return match_replay.start_replay(raw, self._journals.games), (LineUpdate(1, None, STANDS),)
        return match_replay.replay_line(now, raw, self._journals.games, lambda: before)

    def _extend(self, head: JournalHead, lines: Sequence[bytes], before: bytes) -> None:
        """Append lines after the head with their effects, and advance the cursor."""
        links = chain_links(before, lines)
        seq, now = head.seq + len(lines), self._work.now
        if head.forgotten is not None:
            insert_links(self._journals.connection, head.id, head.seq + 1, links)
            self._journals.put(replace(head, seq=seq, chain=links[-1], last=now))
            return
        rows = self._journals.line_writer
        replay = self._journals.replay(head) if head.seq else None
        updates: tuple[LineUpdate, ...]
        for raw, link in zip(lines, links, strict=True):
            if replay is None:
                replay, updates = match_replay.start_replay(raw, self._journals.games), (LineUpdate(1, None, STANDS),)
            else:
                replay, updates = match_replay.replay_line(
                    replay,
                    raw,
                    self._journals.games,
                    lambda: raw_lines(self._journals.connection, head.id, _MAX_LINE),
                )
            rows.add(head.id, raw, link, updates)
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
            self._journals.put(_with_header_fields(moved, replay))
        self._journals.put_replay(moved, replay)


def _new_head(batch: JournalLines, now: str) -> JournalHead:
    """Return the head of an empty journal."""
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
        result=RESULT_NONE,
        counted_result=None,
        refused_line=None,
        begun=now,
        last=now,
        forgotten=None,
        revision=0,
    )


def _with_header_fields(head: JournalHead, replay: MatchReplay) -> JournalHead:
    """Return the head with the game and tournament match named in the journal's header."""
    if replay.game is None:
        return head
    head = replace(head, game=replay.game.id)
    mark = replay.mark
    if mark is None or not _is_id(mark.tournament) or not _is_id(mark.match):
        return head
    named = json.dumps(dict(mark.entries), ensure_ascii=False, sort_keys=True) if mark.entries else None
    return replace(head, tournament=mark.tournament, match=mark.match, entries=named)


def _is_id(value: str) -> bool:
    return 0 < len(value) <= MAX_ID_LENGTH and "\0" not in value


def _store_waiting(connection: Connection, batch: JournalLines) -> None:
    """Store a waiting batch. Of two with the same start the longer one is kept."""
    of_epoch = (WAITING.c.table_id == batch.table, WAITING.c.epoch == batch.epoch)
    this = (*of_epoch, WAITING.c.seq == batch.seq, WAITING.c.before == batch.before)
    lines = b"\n".join(batch.lines)
    kept = connection.scalar(select(WAITING.c.lines).where(*this))
    if kept is not None:
        if len(kept) < len(lines):
            connection.execute(update(WAITING).where(*this).values(lines=lines))
        return
    if (connection.scalar(select(func.count()).select_from(WAITING).where(*of_epoch)) or 0) >= MAX_WAITING_BATCHES:
        return
    values = {"table_id": batch.table, "epoch": batch.epoch, "seq": batch.seq, "before": batch.before, "lines": lines}
    connection.execute(insert(WAITING).values(values))


MAX_EPOCH = 2**53
"""Upper bound of epochs, beyond any real time in seconds; the largest integer that the wire format holds exactly."""

MAX_CONFIRMATIONS = 16
"""Maximum number of confirmations per journal. A journal has several if a finished match is reopened."""


class Inbox:
    """Receives the tables' journals. Safe to call from any thread; each call is one transaction."""

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared

    def accept(
        self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation] = ()
    ) -> tuple[Receipt, ...]:
        """Store, replay and count new lines.

        Returns one receipt per journal and branch, in the order of the batches, then one for the end of each
        batch and confirmation that is part of a longer journal.

        - Repeats are harmless.
        - Batches that arrive too early wait for the lines before them.
        - Lines that differ from the stored ones go to a separate branch.

        The result survives a crash of the program. A power cut may lose the newest batches; the next receipts
        then ask for them again.

        Raises: DatabaseUnavailable, if the database is not available; then nothing was stored.
        """
        with self._database.writing(durable=False) as work:
            return _IntakeRound(self._shared, work).run(batches, confirmations)

    def store_picture(self, picture: RollPicture) -> bool:
        """Store a picture of a journal's newest roll and drop the older ones.

        Returns False if the picture is not wanted.
        """
        with self._database.writing(durable=False) as work:
            return store_picture(work, self._shared.transaction(work).journals, picture)

    def record_signers(self, table: str, hello: Hello) -> bool:
        """Record who confirms the result of the called match, and open a notice if a side does not agree with it.

        Closes the notice of a side that agrees after all. Returns False if the disputed journal is not here yet; then
        call again.
        """
        with self._database.writing(durable=False) as work:
            return SignerIntake(self._shared, work, table).run(hello)

    def receipts(self, table: str) -> tuple[Receipt, ...]:
        """Return the state of each journal of a table, for a table that reconnects."""
        rows = select(*head_columns()).where(JOURNALS.c.table_id == table).order_by(JOURNALS.c.epoch, JOURNALS.c.branch)
        with self._database.reading() as connection:
            return tuple(head_of(row).receipt for row in connection.execute(rows))


class _IntakeRound:
    """One call of `accept`."""

    def __init__(self, shared: SharedState, work: UnitOfWork) -> None:
        self._transaction = shared.transaction(work)
        self._journals = self._transaction.journals
        self._known = shared.is_known
        self._intake = BatchIntake(self._journals, shared.number_of)
        self._touched: dict[JournalKey, None] = {}
        self._refused: list[Receipt] = []
        self._confirmed: dict[ChainPoint, None] = {}

    def run(self, batches: Sequence[JournalLines], confirmations: Sequence[Confirmation]) -> tuple[Receipt, ...]:
        for batch in batches:
            self._accept_batch(batch)
        self._journals.line_writer.flush()
        for confirmation in confirmations:
            self._accept_confirmation(confirmation)
        for number in self._touched:
            self._finish_journal(number)
        for tournament in self._transaction.tournaments.changed:
            self._transaction.count_pending(tournament)
        receipts = [head.receipt for number in self._touched for head in self._journals.branches(number).heads]
        empty = [number for number in self._touched if not self._journals.branches(number).heads]
        none = [Receipt(epoch, 0, CHAIN_START, table=table) for table, epoch in empty]
        return (*receipts, *none, *self._prefix_receipts(), *self._refused)

    def _prefix_receipts(self) -> Iterator[Receipt]:
        """Yield receipts for cards whose journal is a prefix of a longer one.

        Such a card does not know the end of the longer journal. This happens if a copy of the card wrote more
        lines, or if the card was restored to an older state.
        """
        for number, seq, chain in dict.fromkeys([*self._intake.repeated, *self._confirmed]):
            for head in self._heads(number):
                if head.seq > seq and self._has_line(head, seq, chain):
                    yield structs.replace(head.receipt, seq=seq, chain=chain, confirmed=min(head.confirmed, seq))
                    break

    def _accept_batch(self, batch: JournalLines) -> None:
        problem = _batch_problem(batch)
        if problem is None and not self._known(batch.table):
            problem = "unknown_table"
        if problem is None:
            try:
                self._intake.accept(batch)
                self._touched[batch.table, batch.epoch] = None
                return
            except TooManyBranches:
                problem = "too_many_branches"
        self._refused.append(Receipt(batch.epoch, 0, CHAIN_START, problem=problem, table=batch.table))

    def _accept_confirmation(self, confirmation: Confirmation) -> None:
        key = confirmation.table, confirmation.epoch
        if (
            not self._known(confirmation.table)
            or not 0 < confirmation.epoch < MAX_EPOCH
            or not 0 < confirmation.seq < 2**31
        ):
            self._refused.append(
                Receipt(confirmation.epoch, 0, CHAIN_START, problem="malformed", table=confirmation.table)
            )
            return
        self._touched[key] = None
        self._confirmed[key, confirmation.seq, confirmation.chain] = None
        if any(
            self._has_line(head, confirmation.seq, confirmation.chain) and head.confirmed >= confirmation.seq
            for head in self._heads(key)
        ):
            return
        _store_confirmation(self._transaction.work, confirmation)
        self._journals.mark_waiting(key, has_waiting_confirmations=True)

    def _finish_journal(self, key: JournalKey) -> None:
        """Match the waiting confirmations with new lines, then count the result of the journal that counts."""
        if self._journals.branches(key).has_waiting_confirmations:
            self._match_confirmations(key)
        for head in self._journals.branches(key).heads[:1]:
            self._transaction.count_result(head)

    def _match_confirmations(self, key: JournalKey) -> None:
        connection = self._transaction.work.connection
        table, epoch = key
        rows = select(CONFIRMATIONS.c.seq, CONFIRMATIONS.c.chain).where(
            CONFIRMATIONS.c.table_id == table, CONFIRMATIONS.c.epoch == epoch
        )
        left = False
        for seq, chain in connection.execute(rows.order_by(CONFIRMATIONS.c.seq)).all():
            left = not self._confirm(key, seq, bytes(chain)) or left
        self._journals.mark_waiting(key, has_waiting_confirmations=left)

    def _confirm(self, key: JournalKey, seq: int, chain: bytes) -> bool:
        """Confirm a line. Returns whether a journal contains it with this chain."""
        for head in self._heads(key):
            if self._has_line(head, seq, chain):
                if head.confirmed < seq:
                    self._journals.put(replace(head, confirmed=seq))
                return True
        return False

    def _heads(self, key: JournalKey) -> Sequence[JournalHead]:
        return self._journals.branches(key).heads

    def _has_line(self, head: JournalHead, seq: int, chain: bytes) -> bool:
        """Return whether the journal contains this line.

        The journal of a copied card may have a different one there.
        """
        return head.seq >= seq and self._journals.chain_at(head, seq) == chain


class SignerIntake:
    """Records who agrees with the result of a match and who does not, within one transaction."""

    def __init__(self, shared: SharedState, work: UnitOfWork, table: str) -> None:
        self._transaction, self._number_of, self._table = shared.transaction(work), shared.number_of, table
        self._work = work

    def run(self, hello: Hello) -> bool:
        """Record the signers and disputes of a hello message."""
        for match, signers in hello.confirmed.items():
            if record_signers(self._work, match, signers):
                self._touch(match)
        disputed = {dispute.epoch for dispute in hello.disputes.values()}
        for head in self._disputed_heads():
            if head.epoch not in disputed:
                close_notices(self._work, head, ("disputed",), self._table)
                self._transaction.journals.put(head)
        here = [self._dispute(dispute) for dispute in hello.disputes.values()]
        return all(here)

    def _disputed_heads(self) -> list[JournalHead]:
        """Return the journals of this table with an open dispute."""
        epochs = self._work.connection.scalars(
            select(NOTICES.c.epoch).where(
                NOTICES.c.table_id == self._table, NOTICES.c.kind == "disputed", NOTICES.c.closed.is_(None)
            )
        )
        return [head for epoch in list(epochs) for head in self._heads(epoch)]

    def _heads(self, epoch: int) -> Sequence[JournalHead]:
        """Return the journal of this number that counts, if it is here."""
        return self._transaction.journals.branches((self._table, epoch)).heads[:1]

    def _dispute(self, dispute: Dispute) -> bool:
        """Open the notice of a dispute. Returns False if its journal is not here yet."""
        head = next(iter(self._heads(dispute.epoch)), None)
        if head is None or head.seq < dispute.seq:
            return False
        replay = self._transaction.journals.replay(head) if head.forgotten is None else None
        if replay is None or not replay.over or head.confirmed >= dispute.seq or head.match_ref is None:
            return True
        message = self._message(head, replay, dispute)
        if is_repeated_notice(self._work.connection, "disputed", head, message) and not _is_closed_by(
            self._work.connection, head, self._table
        ):
            return True  # open already, or the organiser has dealt with it
        open_notice(self._work, "disputed", head, message)
        self._transaction.journals.put(head)  # pages of the match show it
        return True

    def _message(self, head: JournalHead, replay: MatchReplay, dispute: Dispute) -> Message:
        assert replay.game is not None  # a finished match has a game
        sides = SPECS[replay.game.id].home_sides
        score = replay.game.view(replay.state)["score"]
        reason = dispute.why if dispute.why in get_args(DisputeReason) else "other"
        home, away = (int(score[side]) for side in sides)
        args = {"name": replay.names[sides[SIDES.index(dispute.by)]], "home": home, "away": away}
        args |= {"table": self._number_of(self._table) or self._table, "why": Message(f"common.dispute.{reason}")}
        return Message("tournament.hub.notice.disputed", args)

    def _touch(self, key: str) -> None:
        """Mark the newest journal of a match as changed."""
        tournament, _, match = key.partition("/")
        rows = select(*head_columns()).where(
            JOURNALS.c.tournament == tournament, JOURNALS.c.match == match, JOURNALS.c.table_id == self._table
        )
        newest = self._work.connection.execute(rows.order_by(JOURNALS.c.epoch.desc()).limit(1)).first()
        if newest is not None:
            self._transaction.journals.put(head_of(newest))


def _is_closed_by(connection: Connection, head: JournalHead, by: str) -> bool:
    """Return whether the dispute about a journal was closed by this table, not by the organiser."""
    about = (NOTICES.c.kind == "disputed", NOTICES.c.subject == subject_of(head))
    return connection.scalar(select(NOTICES.c.closed_by).where(*about)) == by


SIGNERS_KEY = "signers"
"""Key of the stored times of confirmations."""
MAX_SIGNED_MATCHES = 500


def read_signers(connection: Connection) -> dict[str, dict[str, int]]:
    """Return who confirmed the result of each match, and when: side or referee to seconds since 1970."""
    stored = get_value(connection, SIGNERS_KEY)
    return {} if stored is None else _SIGNERS.decode(stored)


def record_signers(work: UnitOfWork, match: str, signers: Mapping[str, int]) -> bool:
    """Record who has confirmed the result of a match. Returns False if that was known."""
    known = read_signers(work.connection)
    if known.get(match, {}) == dict(signers):
        return False
    known.pop(match, None)
    newest = dict([*known.items(), (match, dict(signers))][-MAX_SIGNED_MATCHES:])
    set_value(work.connection, SIGNERS_KEY, msgspec.json.encode(newest).decode())
    work.changed = True
    return True


_SIGNERS = msgspec.json.Decoder(
    dict[str, dict[str, int]]
)  # at import: creating the first decoder in two threads at once crashes the library


def _batch_problem(batch: JournalLines) -> Problem | None:
    """Return the problem of a malformed batch, independent of the stored data."""
    whole = 0 < batch.epoch < MAX_EPOCH and batch.seq > 0 and batch.seq + len(batch.lines) < 2**31
    if not whole or not batch.lines or len(batch.before) != CHAIN_SIZE:
        return "malformed"
    if (batch.seq == 1) != (batch.before == CHAIN_START):
        return "malformed"
    if any(b"\n" in line or not line.strip() for line in batch.lines):
        return "malformed"
    if any(len(line) > MAX_LINE_BYTES for line in batch.lines):
        return "too_long"
    return None


def _store_confirmation(work: UnitOfWork, confirmation: Confirmation) -> None:
    """Store a confirmation. If there are too many, the earliest is deleted."""
    of_epoch = (CONFIRMATIONS.c.table_id == confirmation.table, CONFIRMATIONS.c.epoch == confirmation.epoch)
    this = (*of_epoch, CONFIRMATIONS.c.seq == confirmation.seq, CONFIRMATIONS.c.chain == confirmation.chain)
    connection = work.connection
    if connection.scalar(select(CONFIRMATIONS.c.seq).where(*this)) is not None:
        return
    if (connection.scalar(select(func.count()).select_from(CONFIRMATIONS).where(*of_epoch)) or 0) >= MAX_CONFIRMATIONS:
        first = connection.scalar(select(func.min(CONFIRMATIONS.c.seq)).where(*of_epoch))
        connection.execute(delete(CONFIRMATIONS).where(*of_epoch, CONFIRMATIONS.c.seq == first))
    values = {
        "table_id": confirmation.table,
        "epoch": confirmation.epoch,
        "seq": confirmation.seq,
        "chain": confirmation.chain,
        "at": work.now,
    }
    connection.execute(insert(CONFIRMATIONS).values(by=json.dumps(list(confirmation.by), ensure_ascii=False), **values))
