"""Which lines go next: a cursor a journal, a window of lines under way, and going back when nothing is answered.

What comes while lines of a journal are under way goes together once they are answered.

Nothing of the network is known here. After each new connection, and when another hub answers than before, nothing is
sent until the hub has said what it has (`ask`); so a hub that was restored from an older backup is filled again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion.journal.codec import chain_links
from companion.journal.store import READING, Kept, OutgoingJournals
from companion.link.notes import Cursor, TableNotes, encoded, save
from companion.messages.wire import JournalLines, Receipt, Receipts, RollPicture
from companion.tournament.headers import mark_of

BATCH_LINES, BATCH_BYTES = 200, 256 * 1024
"""Of one message; one line alone may be longer."""
WINDOW = 1000
"""Lines under way without an answer."""
LEAST_PATIENCE, MOST_PATIENCE = 3.0, 60.0
"""Seconds without progress after which lines are sent again; doubled each time, and twice what the last answer took: a
hub under load is not loaded with repeats. Answers to lines that went twice are not timed, for nobody knows which of
them was answered (Karn and Partridge 1987)."""

ReadLines = Callable[[str, int, int, int], list[bytes]]
"""Of the journal of an id: lines after one, at most so many, at most so many bytes."""


class Sender:
    """The journals that the hub is to have, the newest first: what is played now is what people look at."""

    def __init__(self, read: ReadLines) -> None:
        self._read = read
        self._cursors: dict[int, Cursor] = {}
        self.newest_epoch = 0
        self.asking = True
        self.foreign = False
        """Whether the hub has lines under this table's name that are not from this card."""
        self._patience, self._moved = LEAST_PATIENCE, 0.0

    @property
    def cursors(self) -> tuple[Cursor, ...]:
        """The journals, the newest first."""
        return tuple(sorted(self._cursors.values(), key=lambda each: -each.epoch))

    @property
    def waiting(self) -> int:
        """Lines that the hub has not acknowledged."""
        return sum(cursor.length - cursor.acknowledged for cursor in self._cursors.values() if not cursor.problem)

    def grew(self, kept: Iterable[Kept]) -> None:
        """New journals of the store; those of no tournament's match are passed over and never sent."""
        for journal in kept:
            self.newest_epoch = max(self.newest_epoch, journal.epoch)
            if _of_tournament(journal.header):
                cursor = Cursor(journal.id, journal.epoch, journal.lines, journal.ended)
                self._cursors.setdefault(journal.epoch, cursor)

    def longer(self, epoch: int, length: int, ended: bool) -> None:
        """A journal is so long now."""
        cursor = self._cursors[epoch]
        cursor.length, cursor.ended = max(length, cursor.length), ended

    def ask(self) -> None:
        """A new connection, or another hub: first of all it is asked what it has."""
        self.asking = True

    def answered(self, told: Receipts, now: float) -> None:
        """The hub says how far it has the journals."""
        if told.all:
            self.asking, self.foreign = False, False
            for cursor in self._cursors.values():
                cursor.acknowledged, cursor.confirmed, cursor.problem = 0, 0, None
        for receipt in told.receipts:
            answered = self._cursors.get(receipt.epoch)
            if answered is not None and self._take(answered, receipt) and not told.all:
                self._moved = now
                if answered.acknowledged > answered.twice:
                    self._patience = min(max(LEAST_PATIENCE, 2 * (now - answered.sent_at)), MOST_PATIENCE)
        if told.all:
            self._patience = LEAST_PATIENCE
            self._send_again(now)

    def next_lines(self, now: float) -> list[JournalLines]:
        """What goes now."""
        if self.asking:
            return []
        under_way = sum(max(0, each.sent - each.acknowledged) for each in self._cursors.values() if not each.problem)
        if under_way == 0:
            self._moved = now
        elif now - self._moved >= self._patience:
            self._patience = min(2 * self._patience, MOST_PATIENCE)
            self._send_again(now)
            under_way = 0
        found = []
        for cursor in self.cursors:
            if cursor.sent > cursor.acknowledged:
                continue  # once that is answered: a hub that is slow gets fewer and longer messages (Nagle, RFC 896)
            while under_way < WINDOW and cursor.sent < cursor.length and not cursor.problem:
                message = self._batch(cursor, WINDOW - under_way)
                if message is None:
                    break
                cursor.sent_at = now
                found.append(message)
                under_way += len(message.lines)
        return found

    def chain_at(self, cursor: Cursor, line: int) -> bytes | None:
        """The chain after a line of this card's journal, None beyond its end."""
        while len(cursor.chain) <= line:
            lines = self._read(cursor.id, len(cursor.chain) - 1, BATCH_LINES, BATCH_BYTES)
            if not lines:
                return None
            cursor.chain += chain_links(cursor.chain[-1], lines)
        return cursor.chain[line]

    def of_journal(self, id: str) -> Cursor | None:
        """The cursor of a journal, by its id in the store."""
        return next((cursor for cursor in self._cursors.values() if cursor.id == id), None)

    def give_up(self, epoch: int, problem: str) -> None:
        """A journal cannot be sent; asked anew when the hub is."""
        self._cursors[epoch].problem = problem

    def _take(self, cursor: Cursor, receipt: Receipt) -> bool:
        """Whether more lines are acknowledged now."""
        had = cursor.acknowledged
        if receipt.problem is not None:
            cursor.problem = receipt.problem
        elif receipt.seq == 0 or self.chain_at(cursor, receipt.seq) == receipt.chain:
            cursor.acknowledged = max(cursor.acknowledged, receipt.seq)
            cursor.sent = max(cursor.sent, cursor.acknowledged)
            cursor.confirmed = max(cursor.confirmed, receipt.confirmed)
            cursor.length = max(cursor.length, receipt.seq)
            self.foreign = self.foreign or receipt.branch > 0
        else:
            self.foreign = True
        return cursor.acknowledged > had

    def _send_again(self, now: float) -> None:
        """What is under way goes again: nothing was answered for long, or the hub has said what it has."""
        for cursor in self._cursors.values():
            cursor.twice, cursor.sent = max(cursor.twice, cursor.sent), cursor.acknowledged
        self._moved = now

    def _batch(self, cursor: Cursor, room: int) -> JournalLines | None:
        before = self.chain_at(cursor, cursor.sent)
        lines = self._read(cursor.id, cursor.sent, min(BATCH_LINES, room), BATCH_BYTES)
        if before is None or not lines:
            return None
        message = JournalLines(epoch=cursor.epoch, seq=cursor.sent + 1, before=before, lines=tuple(lines))
        if len(cursor.chain) == message.seq:
            cursor.chain += chain_links(before, lines)
        cursor.sent += len(lines)
        return message


def _of_tournament(header: str) -> bool:
    try:
        fields = json.loads(header)
    except ValueError:
        return False
    return isinstance(fields, dict) and mark_of(fields) is not None


# The store and the notes as the link's thread works with them: new lines noticed, pictures picked, notes written.


LARGEST_SHOT = 200_000
"""Bytes of a picture that is sent."""
SHOT_LINES = 4
"""Newest lines among which the last roll with pictures is looked for."""


class LinkStorage:
    """For the link's thread alone; close it when done."""

    def __init__(self, store: Path, folder: Path) -> None:
        """Raises StoreError."""
        self._journals, self._folder = OutgoingJournals(store), folder
        self._version: int | None = None
        self._shown: tuple[int, int] | None = None
        self.sender = Sender(self._journals.lines)
        self.scan()

    def close(self) -> None:
        self._journals.close()

    def scan(self, grown: int = 0) -> None:
        """Notices what was written since; `grown` is the side's before. Raises StoreError."""
        self._grown = grown
        version = self._journals.version()
        if version == self._version:
            return
        self._version = version
        for cursor in self.sender.cursors:
            length, ended = self._journals.length(cursor.id)
            self.sender.longer(cursor.epoch, length, ended)
        self.sender.grew(self._journals.journals(self.sender.newest_epoch))

    def shots(self) -> Iterator[RollPicture]:
        """The pictures of the newest roll that the hub has, of the match that is played, each once."""
        newest = next(iter(self.sender.cursors), None)
        if newest is None or newest.ended or self._shown == (newest.epoch, newest.acknowledged):
            return
        self._shown = (newest.epoch, newest.acknowledged)
        for line in range(newest.acknowledged, max(newest.acknowledged - SHOT_LINES, 1), -1):
            found = self._journals.pictures(newest.id, line)
            if found:
                for what, image, die in found:
                    if what != READING and len(image) <= LARGEST_SHOT:
                        yield RollPicture(epoch=newest.epoch, seq=line, what=what, image=image, die=die)
                return

    def tell(self, side: TableNotes) -> None:
        """How far the journals are."""
        side.progressed(self.sender.waiting, self.sender.cursors, self._grown)

    def save(self, side: TableNotes) -> None:
        """Writes the notes if they have changed."""
        with side.lock:
            if not side.changed:
                return
            side.changed = False
            written = encoded(side.notes)
        save(self._folder, written)
