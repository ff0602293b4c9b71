"""Where lines go: onto the journal they continue, apart if they differ from kept ones, aside if others are missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update

from companion.games.base import Message
from companion.hub import playing as playings
from companion.hub.heads import MOST_BRANCHES, NONE, Head, raw_lines
from companion.hub.line_rows import insert_links, retell
from companion.hub.notices import open_notice
from companion.hub.playing import Playing, Told
from companion.hub.schema import LINES, STANDS, WAITING
from companion.hub.settling import NumberOf
from companion.hub.shelf import Number, Shelf
from companion.journal import chain as chains
from companion.messages.wire import JournalLines

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

    head: Head
    same: int
    apart: bool


class Taking:
    """Puts batches where they belong, within one transaction."""

    def __init__(self, shelf: Shelf, number_of: NumberOf) -> None:
        self._shelf, self._number_of = shelf, number_of
        self._work = shelf.work
        self.repeated: dict[Point, None] = {}
        """The ends of the batches that brought nothing new and lie within a longer journal."""

    def take(self, batch: JournalLines) -> None:
        """Keeps what is new of a batch and plays it, then what has waited for it. Raises TooManyBranches."""
        number = batch.table, batch.epoch
        if not self._place(batch):
            _wait(self._shelf.connection, batch)
            self._shelf.mark(number, waits=True)
        elif self._shelf.epoch(number).waits:
            self._take_waiting(number)

    def _take_waiting(self, number: Number) -> None:
        table, epoch = number
        of_it = (WAITING.c.table_id == table, WAITING.c.epoch == epoch)
        connection = self._shelf.connection
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
            self._shelf.mark(number, waits=False)

    def _place(self, batch: JournalLines) -> bool:
        """False if the lines before it are not there yet."""
        heads = self._shelf.epoch((batch.table, batch.epoch)).heads
        if not heads:
            if batch.seq != 1:
                return False
            self._extend(self._shelf.add(_new(batch, self._work.now)), batch.lines, batch.before)
            return True
        links: list[bytes] | None = None
        fits = []
        for head in heads:
            if batch.seq - 1 < head.seq:
                links = links or chains.links(batch.before, batch.lines)
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

    def _fit(self, head: Head, batch: JournalLines, links: list[bytes]) -> _Fit | None:
        """None if the lines before it are others. Where the chain is the same, so is all before it: a repeat that goes
        to the end of the journal or beyond it, as most do, is known without a look into the database."""
        last = min(head.seq, batch.seq + len(batch.lines) - 1)
        count = last - batch.seq + 1
        if self._shelf.chain_at(head, last) == links[count - 1]:
            return _Fit(head, count, False)
        if self._shelf.chain_at(head, batch.seq - 1) != batch.before:
            return None
        kept = self._shelf.connection.scalars(_CHAINS, {"j": head.id, "a": batch.seq, "b": last})
        same = 0
        for theirs, ours in zip(links, kept, strict=False):
            if theirs != bytes(ours):
                break
            same += 1
        return _Fit(head, same, True)

    def _fork(self, fit: _Fit, batch: JournalLines, branches: int) -> Head:
        """A journal of its own for what a copied card wrote, from the lines that both have in common."""
        if branches >= MOST_BRANCHES:
            raise TooManyBranches
        work = self._work
        common = batch.seq - 1 + fit.same
        chain = self._shelf.chain_at(fit.head, common) or chains.START
        fresh = replace(_new(batch, work.now), branch=branches, seq=common, chain=chain, forgotten=fit.head.forgotten)
        fork = self._shelf.add(fresh)
        copied = select(literal(fork.id), LINES.c.seq, LINES.c.line, LINES.c.chain, LINES.c.told, LINES.c.fate)
        copied = copied.where(LINES.c.journal == fit.head.id, LINES.c.seq <= common)
        names = ["journal", "seq", "line", "chain", "told", "fate"]
        self._shelf.connection.execute(insert(LINES).from_select(names, copied))
        if common and fork.forgotten is None:
            fork = self._shelf.put(_marked(fork, self._shelf.playing(fork)))
            self._retell(fork)
        args = {"table": self._number_of(batch.table) or batch.table, "line": common + 1}
        open_notice(work, "copied_card", fork, Message("tournament.hub.notice.copied_card", args))
        return fork

    def _retell(self, fork: Head) -> None:
        """What lines came to on the other card by later corrections is not what they came to on this one."""
        told: dict[int, Told] = {}
        now: Playing | None = None
        kept = raw_lines(self._shelf.connection, fork.id, fork.seq)
        for at, raw in enumerate(kept):
            now, rows = self._step(now, raw, kept[:at])
            told |= {each.line: each for each in rows}
        retell(self._shelf.connection, fork.id, told.values())

    def _step(self, now: Playing | None, raw: bytes, before: Sequence[bytes]) -> tuple[Playing, tuple[Told, ...]]:
        if now is None:
            return playings.begin(raw, self._shelf.games), (Told(1, None, STANDS),)
        return playings.play(now, raw, self._shelf.games, lambda: before)

    def _extend(self, head: Head, lines: Sequence[bytes], before: bytes) -> None:
        """Writes the lines after the head, with what is told of them, and moves the cursor on."""
        links = chains.links(before, lines)
        seq, now = head.seq + len(lines), self._work.now
        if head.forgotten is not None:
            insert_links(self._shelf.connection, head.id, head.seq + 1, links)
            self._shelf.put(replace(head, seq=seq, chain=links[-1], last=now))
            return
        rows = self._shelf.rows
        playing = self._shelf.playing(head) if head.seq else None
        told: tuple[Told, ...]
        for raw, link in zip(lines, links, strict=True):
            if playing is None:
                playing, told = playings.begin(raw, self._shelf.games), (Told(1, None, STANDS),)
            else:
                playing, told = playings.play(
                    playing, raw, self._shelf.games, lambda: raw_lines(self._shelf.connection, head.id, _EVERY_LINE)
                )
            rows.add(head.id, raw, link, told)
        assert playing is not None  # there is at least one line
        moved = replace(
            head,
            seq=seq,
            chain=links[-1],
            last=now,
            over=playing.over,
            refused_line=None if playing.refused is None else playing.refused.line,
            revision=self._work.revision,
        )
        if head.refused_line is None and playing.refused is not None:
            open_notice(self._work, "refused_line", moved, playing.refused.message)
        if head.seq:
            self._shelf.move(moved)
        else:
            self._shelf.put(_marked(moved, playing))
        self._shelf.put_playing(moved, playing)


def _new(batch: JournalLines, now: str) -> Head:
    """The head of a journal without a line."""
    return Head(
        id=0,
        table_id=batch.table,
        epoch=batch.epoch,
        branch=0,
        seq=0,
        chain=chains.START,
        game=None,
        tournament=None,
        match=None,
        entries=None,
        bound_by=None,
        over=False,
        confirmed=0,
        outcome=NONE,
        counted=None,
        refused_line=None,
        begun=now,
        last=now,
        forgotten=None,
        revision=0,
    )


def _marked(head: Head, playing: Playing) -> Head:
    """With what the header says: the game, and the match of a tournament that it is of."""
    if playing.game is None:
        return head
    head = replace(head, game=playing.game.id)
    mark = playing.mark
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
