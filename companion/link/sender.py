"""Upload scheduling: a cursor for each journal, a window of lines in flight, and retransmission after a timeout.

While lines of a journal are in flight, new ones are collected and go as one batch after the acknowledgement. This
module knows nothing of the network. After each new connection, or when another hub answers, nothing is sent until the
hub has reported what it has (`ask`). This refills a hub that was restored from an older backup.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion.journal.codec import chain_links
from companion.journal.store import READING, JournalReader, StoredJournal
from companion.link.link_state import Cursor, SharedLinkState, encode_state, save_state
from companion.messages.wire import JournalLines, Receipt, Receipts, RollPicture
from companion.tournament.headers import parse_mark

MAX_BATCH_LINES, MAX_BATCH_BYTES = 200, 256 * 1024
"""Limits of one message. A single line may be longer."""
MAX_LINES_IN_FLIGHT = 1000
"""Maximum number of unacknowledged lines."""
MIN_RETRY_INTERVAL_S, MAX_RETRY_INTERVAL_S = 3.0, 60.0
"""Retransmission timeout: seconds without progress after which lines are sent again.

Doubles with each timeout. It is at least twice the last round-trip time, so that a hub under load gets fewer repeats.
Lines sent twice are not timed, because the acknowledgement does not say which copy it is for (Karn and Partridge
1987).
"""

ReadLines = Callable[[str, int, int, int], list[bytes]]
"""Reads lines of a journal. Arguments: journal id, line to start after, maximum lines, maximum bytes."""


class JournalSender:
    """Journals to upload, newest first: spectators follow the match in play."""

    def __init__(self, read_lines: ReadLines) -> None:
        self._read_lines = read_lines
        self._cursors: dict[int, Cursor] = {}
        self.newest_epoch = 0
        self.is_awaiting_receipts = True
        self.has_foreign_lines = False
        """True if the hub has lines under this table's name that are not in this store."""
        self._retry_interval, self._progressed_at = MIN_RETRY_INTERVAL_S, 0.0

    @property
    def cursors(self) -> tuple[Cursor, ...]:
        """The journals, newest first."""
        return tuple(sorted(self._cursors.values(), key=lambda each: -each.epoch))

    @property
    def waiting(self) -> int:
        """Number of lines that the hub has not acknowledged."""
        return sum(cursor.length - cursor.acknowledged for cursor in self._cursors.values() if not cursor.problem)

    def add_journals(self, journals: Iterable[StoredJournal]) -> None:
        """Add new journals of the store. Journals outside tournaments are skipped and never sent."""
        for journal in journals:
            self.newest_epoch = max(self.newest_epoch, journal.epoch)
            if _is_tournament_journal(journal.header):
                cursor = Cursor(journal.id, journal.epoch, journal.lines, journal.ended)
                self._cursors.setdefault(journal.epoch, cursor)

    def extend(self, epoch: int, length: int, ended: bool) -> None:
        """Update the length of a journal."""
        cursor = self._cursors[epoch]
        cursor.length, cursor.ended = max(length, cursor.length), ended

    def request_receipts(self) -> None:
        """Ask the hub what it has before sending, after a new connection or a change of hub."""
        self.is_awaiting_receipts = True

    def accept_receipts(self, receipts: Receipts, now: float) -> None:
        """Process the hub's report of the lines it has."""
        if receipts.all:
            self.is_awaiting_receipts, self.has_foreign_lines = False, False
            for cursor in self._cursors.values():
                cursor.acknowledged, cursor.confirmed, cursor.problem = 0, 0, None
        for receipt in receipts.receipts:
            known = self._cursors.get(receipt.epoch)
            if known is not None and self._accept_receipt(known, receipt) and not receipts.all:
                self._progressed_at = now
                if known.acknowledged > known.resent_until:
                    self._retry_interval = min(
                        max(MIN_RETRY_INTERVAL_S, 2 * (now - known.sent_at)), MAX_RETRY_INTERVAL_S
                    )
        if receipts.all:
            self._retry_interval = MIN_RETRY_INTERVAL_S
            self._rewind(now)

    def next_lines(self, now: float) -> list[JournalLines]:
        """Return the messages to send now."""
        if self.is_awaiting_receipts:
            return []
        in_flight = sum(max(0, each.sent - each.acknowledged) for each in self._cursors.values() if not each.problem)
        if in_flight == 0:
            self._progressed_at = now
        elif now - self._progressed_at >= self._retry_interval:
            self._retry_interval = min(2 * self._retry_interval, MAX_RETRY_INTERVAL_S)
            self._rewind(now)
            in_flight = 0
        messages = []
        for cursor in self.cursors:
            if cursor.sent > cursor.acknowledged:
                continue  # wait for the acknowledgement: a slow hub gets fewer, longer messages (Nagle, RFC 896)
            while in_flight < MAX_LINES_IN_FLIGHT and cursor.sent < cursor.length and not cursor.problem:
                message = self._next_batch(cursor, MAX_LINES_IN_FLIGHT - in_flight)
                if message is None:
                    break
                cursor.sent_at = now
                messages.append(message)
                in_flight += len(message.lines)
        return messages

    def chain_at(self, cursor: Cursor, line: int) -> bytes | None:
        """Return the chain value after a line of this store's journal; None beyond its end."""
        while len(cursor.chain) <= line:
            lines = self._read_lines(cursor.id, len(cursor.chain) - 1, MAX_BATCH_LINES, MAX_BATCH_BYTES)
            if not lines:
                return None
            cursor.chain += chain_links(cursor.chain[-1], lines)
        return cursor.chain[line]

    def cursor_of(self, id: str) -> Cursor | None:
        """Return the cursor of a journal by its id in the store."""
        return next((cursor for cursor in self._cursors.values() if cursor.id == id), None)

    def mark_problem(self, epoch: int, problem: str) -> None:
        """Mark a journal that cannot be sent. Cleared when the hub is asked again."""
        self._cursors[epoch].problem = problem

    def _accept_receipt(self, cursor: Cursor, receipt: Receipt) -> bool:
        """Process one receipt. Returns True if more lines are acknowledged."""
        before = cursor.acknowledged
        if receipt.problem is not None:
            cursor.problem = receipt.problem
        elif receipt.seq == 0 or self.chain_at(cursor, receipt.seq) == receipt.chain:
            cursor.acknowledged = max(cursor.acknowledged, receipt.seq)
            cursor.sent = max(cursor.sent, cursor.acknowledged)
            cursor.confirmed = max(cursor.confirmed, receipt.confirmed)
            cursor.length = max(cursor.length, receipt.seq)
            self.has_foreign_lines = self.has_foreign_lines or receipt.branch > 0
        else:
            self.has_foreign_lines = True
        return cursor.acknowledged > before

    def _rewind(self, now: float) -> None:
        """Send unacknowledged lines again, after a timeout or after the hub has reported what it has."""
        for cursor in self._cursors.values():
            cursor.resent_until, cursor.sent = max(cursor.resent_until, cursor.sent), cursor.acknowledged
        self._progressed_at = now

    def _next_batch(self, cursor: Cursor, max_lines: int) -> JournalLines | None:
        before = self.chain_at(cursor, cursor.sent)
        lines = self._read_lines(cursor.id, cursor.sent, min(MAX_BATCH_LINES, max_lines), MAX_BATCH_BYTES)
        if before is None or not lines:
            return None
        message = JournalLines(epoch=cursor.epoch, seq=cursor.sent + 1, before=before, lines=tuple(lines))
        if len(cursor.chain) == message.seq:
            cursor.chain += chain_links(before, lines)
        cursor.sent += len(lines)
        return message


def _is_tournament_journal(header: str) -> bool:
    try:
        fields = json.loads(header)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and parse_mark(fields) is not None


# The store and the link state as the link thread uses them: detects new lines, selects pictures, saves the state.


MAX_SNAPSHOT_BYTES = 200_000
"""Maximum size of an uploaded picture, in bytes."""
SAVE_RETRY_S = 10.0
"""Seconds until the link state is written again after a failed write."""
SNAPSHOT_LOOKBACK_EVENTS = 4
"""Number of newest lines searched for the last roll with pictures."""


class JournalOutbox:
    """Reads new journal lines for upload. Owned by the link thread; call `close()` when done."""

    def __init__(self, store: Path, folder: Path, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Open the store for reading. Raises: StoreError."""
        self._journals, self._folder, self._monotonic = JournalReader(store), folder, monotonic
        self._save_again_at = float("-inf")
        self._version: int | None = None
        self._last_sent_roll: tuple[int, int] | None = None
        self.sender = JournalSender(self._journals.lines)
        self.scan()

    def close(self) -> None:
        self._journals.close()

    def scan(self, append_count: int = 0) -> None:
        """Scan for lines written since the last call. `append_count`: notifications up to now. Raises: StoreError."""
        self._append_count = append_count
        version = self._journals.version()
        if version == self._version:
            return
        self._version = version
        for cursor in self.sender.cursors:
            length, ended = self._journals.length(cursor.id)
            self.sender.extend(cursor.epoch, length, ended)
        self.sender.add_journals(self._journals.journals(self.sender.newest_epoch))

    def new_roll_pictures(self) -> Iterator[RollPicture]:
        """Yield the pictures of the newest acknowledged roll of the match in play, each once."""
        newest = next(iter(self.sender.cursors), None)
        if newest is None or newest.ended or self._last_sent_roll == (newest.epoch, newest.acknowledged):
            return
        self._last_sent_roll = (newest.epoch, newest.acknowledged)
        for line in range(newest.acknowledged, max(newest.acknowledged - SNAPSHOT_LOOKBACK_EVENTS, 1), -1):
            found = self._journals.pictures(newest.id, line)
            if found:
                for what, image, die in found:
                    if what != READING and len(image) <= MAX_SNAPSHOT_BYTES:
                        yield RollPicture(epoch=newest.epoch, seq=line, what=what, image=image, die=die)
                return

    def report_progress(self, shared: SharedLinkState) -> None:
        """Report the upload progress."""
        shared.update_progress(self.sender.waiting, self.sender.cursors, self._append_count)

    def save(self, shared: SharedLinkState) -> None:
        """Write the link state if it has changed. A failed write is tried again every `SAVE_RETRY_S` seconds."""
        with shared.lock:
            if not shared.is_dirty or self._monotonic() < self._save_again_at:
                return
            shared.is_dirty = False
            content = encode_state(shared.persisted)
        if not save_state(self._folder, content):
            self._save_again_at = self._monotonic() + SAVE_RETRY_S
            with shared.lock:
                shared.is_dirty = True
