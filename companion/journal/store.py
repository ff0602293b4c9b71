"""The store: all matches of this table in one SQLite file. `append` returns once the event is on disk."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import apsw
import msgspec

from companion.clock import Clock
from companion.games.base import Fields, JsonObject
from companion.journal.codec import HEADER_LINE, JournalLine, encode, encode_file
from companion.journal.database import (
    BUSY_TIMEOUT_MS,
    LineDamaged,
    StoreBusy,
    StoreDamaged,
    StoreError,
    UnknownMatch,
    WrongLine,
    open_database,
    transaction,
    translate_errors,
)
from companion.journal.ledger import Games, Replay, replay_lines
from companion.journal.lock import LockHeldError, WriterLock
from companion.language import quoted, reason_of
from vision.files import write_atomically

log = logging.getLogger(__name__)

REMOVED_RETENTION = timedelta(days=7)
"""How long a removed match can be restored."""

READING = "reading"
"""Kind of a "picture" that holds JSON text: the positions and readings of the dice."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture stored with an event: of one die (its index in the event's dice) or of the whole tray (None).

    `what` is the kind of picture. `image` is the encoded file (JPEG or PNG), None once deleted to save space.
    """

    what: str
    image: bytes | None
    die: int | None = None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the list of matches. `lines` counts every entry, including undone events and undos."""

    id: str
    game: str
    epoch: int
    header: Fields
    created: datetime
    ended: datetime | None
    lines: int


class Store:
    """All matches of one table. Only one instance, in any process, may have the file open. Call `close()` when done."""

    def __init__(self, path: Path, clock: Clock, connection: apsw.Connection, lock: WriterLock) -> None:
        self.path = path
        self.clock = clock
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: Path, clock: Clock) -> Store:
        """Open the store, creating the file if it is missing. Raises: StoreError (StoreBusy, StoreNewer, …)."""
        with translate_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                lock = WriterLock(path.with_name(path.name + ".lock"))
            except LockHeldError as held:
                raise StoreBusy("busy", path, holder=held.holder) from None
            try:
                return cls(path, clock, open_database(path), lock)
            except BaseException:
                lock.release()
                raise

    def close(self) -> None:
        """Close the file and release the writer lock."""
        try:
            with translate_errors(self.path):
                self._connection.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def create(self, header: Fields, events: Iterable[Fields] = (), *, ended: bool = False) -> str:
        """Create a match, with the unchanged events of an imported one. Returns its id, a UUID.

        Epochs number the matches of a table and only increase, even after the file was lost and recreated: each is at
        least the Unix time of its creation in seconds.
        """
        id, now = str(uuid4()), self.clock.now()
        written = now.isoformat(timespec="milliseconds")
        rows = [(id, seq, _encode_fields(self.path, fields), written) for seq, fields in enumerate(events, start=1)]
        with translate_errors(self.path), transaction(self._connection):
            last_epoch = _rows(self._connection, "SELECT max(epoch) FROM matches")[0][0]
            epoch = max((last_epoch or 0) + 1, int(now.timestamp()))
            self._connection.execute(
                "INSERT INTO matches (id, game, epoch, header, created, ended) VALUES (?, ?, ?, ?, ?, ?)",
                (id, header["game"], epoch, _encode_fields(self.path, header), written, written if ended else None),
            )
            self._connection.executemany("INSERT INTO entries (match, seq, fields, at) VALUES (?, ?, ?, ?)", rows)
        return id

    def append(
        self,
        match: str,
        fields: Fields,
        pictures: Sequence[Picture] = (),
        *,
        line: int | None = None,
        ended: bool | None = None,
    ) -> int:
        """Append one event with its pictures and the time, in one transaction. Durable on return.

        Args:
            line: expected line of the event; None accepts the next one.
            ended: True if the match is over after the event; None leaves the status unchanged.

        Returns the line of the event in the match's journal.
        Raises: WrongLine if `line` is not the next one; DiskFull; UnknownMatch.
        """
        now = self.clock.now().isoformat(timespec="milliseconds")
        stamped = fields if "at" in fields else {**fields, "at": now}
        text = _encode_fields(self.path, stamped)
        with translate_errors(self.path), transaction(self._connection):
            seq = self._last_seq(match) + 1
            if line is not None and line != seq + HEADER_LINE:
                raise WrongLine("line", self.path, expected=line, line=seq + HEADER_LINE)
            self._connection.execute(
                "INSERT INTO entries (match, seq, fields, at) VALUES (?, ?, ?, ?)", (match, seq, text, now)
            )
            self._connection.executemany(
                "INSERT INTO pictures (match, seq, die, what, image) VALUES (?, ?, ?, ?, ?)",
                [(match, seq, picture.die, picture.what, picture.image) for picture in pictures],
            )
            if ended is not None:
                mark = "UPDATE matches SET ended = CASE WHEN ? THEN coalesce(ended, ?) END WHERE id = ?"
                self._connection.execute(mark, (ended, now, match))
        return seq + HEADER_LINE

    def header(self, match: str) -> JsonObject:
        """Return the header of a match. Raises: UnknownMatch."""
        with translate_errors(self.path):
            rows = _rows(self._connection, "SELECT header FROM matches WHERE id = ?", (match,))
        if not rows:
            raise UnknownMatch("no_match", self.path, match=match)
        return _decode_fields(self.path, rows[0][0])

    def events(self, match: str, after_line: int = HEADER_LINE, until_line: int | None = None) -> list[JournalLine]:
        """Return the entries of a match after one line and up to another, numbered as in its exported file.

        Raises: StoreError; LineDamaged at the first entry that cannot be read.
        """
        self.header(match)
        with translate_errors(self.path):
            rows = _rows(
                self._connection,
                "SELECT seq, fields FROM entries WHERE match = ? AND seq > ? AND seq <= coalesce(?, seq) ORDER BY seq",
                (match, after_line - HEADER_LINE, None if until_line is None else until_line - HEADER_LINE),
            )
        return [_decode_line(self.path, seq + HEADER_LINE, text) for seq, text in rows]

    def matches(self) -> list[StoredMatch]:
        """Return all matches except removed ones, newest first.

        Skips a match with a damaged header; it stays on disk.
        """
        with translate_errors(self.path):
            rows = _rows(
                self._connection,
                "SELECT id, game, epoch, header, created, ended,"
                " coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
                " FROM matches WHERE removed IS NULL ORDER BY epoch DESC",
            )
        return [match for row in rows if (match := _decode_match(self.path, row)) is not None]

    def pictures(self, match: str, line: int) -> tuple[Picture, ...]:
        """Return the pictures stored with the event on a line, in insertion order."""
        with translate_errors(self.path):
            rows = _rows(
                self._connection,
                "SELECT what, image, die FROM pictures WHERE match = ? AND seq = ? ORDER BY id",
                (match, line - HEADER_LINE),
            )
        return tuple(Picture(*row) for row in rows)

    def lines_with_pictures(self, match: str) -> frozenset[int]:
        """Return the lines of a match whose events have pictures, including deleted ones."""
        with translate_errors(self.path):
            rows = _rows(self._connection, "SELECT DISTINCT seq FROM pictures WHERE match = ?", (match,))
        return frozenset(seq + HEADER_LINE for (seq,) in rows)

    def purge_pictures(self, max_bytes: int = 0) -> int:
        """Delete the oldest pictures until the rest fits in `max_bytes`.

        Returns the number deleted; their rows stay, empty.
        Keeps each READING: without it, dice still in the tray would be counted again after a restart.
        """
        with translate_errors(self.path):
            with transaction(self._connection):
                self._connection.execute(
                    "UPDATE pictures SET image = NULL WHERE id IN (SELECT id FROM ("
                    "SELECT id, sum(length(image)) OVER (ORDER BY id DESC) AS newer FROM pictures"
                    " WHERE image IS NOT NULL AND what <> ?) WHERE newer > ?)",
                    (READING, max_bytes),
                )
                deleted_count = self._connection.changes()
            _rows(self._connection, "PRAGMA incremental_vacuum")
        return deleted_count

    def purge_old_pictures(self, before: datetime) -> int:
        """Delete the pictures of events before a date, as `purge_pictures` does. Returns the number deleted.

        Compares times as text, so a change of time zone shifts the limit by hours.
        """
        with translate_errors(self.path):
            with transaction(self._connection):
                self._connection.execute(
                    "UPDATE pictures SET image = NULL WHERE image IS NOT NULL AND what <> ? AND EXISTS (SELECT 1 FROM"
                    " entries WHERE entries.match = pictures.match AND entries.seq = pictures.seq AND entries.at < ?)",
                    (READING, before.isoformat(timespec="milliseconds")),
                )
                deleted_count = self._connection.changes()
            _rows(self._connection, "PRAGMA incremental_vacuum")
        return deleted_count

    def resume(self, match: str, games: Games) -> Replay:
        """Replay a match up to its last event. Raises: InvalidLine if the rules refuse a recorded event."""
        return replay_lines(self.header(match), self.events(match), games)

    def export(self, match: str, path: Path) -> None:
        """Write a match as a journal file, on disk (or USB drive) on return. Raises: StoreError."""
        content = encode_file(self.header(match), (entry.fields for entry in self.events(match)))
        try:
            write_atomically(path, content)
        except OSError as error:
            raise StoreError("not_exported", path, reason=reason_of(error)) from None

    def remove(self, match: str) -> None:
        """Mark a match as removed. Deletes no data yet. Raises: StoreError (UnknownMatch)."""
        now = self.clock.now().isoformat(timespec="milliseconds")
        self._set_removed(match, "UPDATE matches SET removed = coalesce(removed, ?) WHERE id = ?", now)

    def restore(self, match: str) -> None:
        """Restore a removed match. Raises: StoreError (UnknownMatch)."""
        self._set_removed(match, "UPDATE matches SET removed = ? WHERE id = ?", None)

    def purge_removed(self) -> int:
        """Delete the events and pictures of matches removed longer ago than `REMOVED_RETENTION`.

        Returns the number of matches.
        The row of a match is never deleted: its epoch must not be reused.
        """
        limit = (self.clock.now() - REMOVED_RETENTION).isoformat(timespec="milliseconds")
        with translate_errors(self.path):
            with transaction(self._connection):
                matches = _rows(
                    self._connection,
                    "SELECT id FROM matches WHERE julianday(removed) < julianday(?)"
                    " AND EXISTS (SELECT 1 FROM entries WHERE match = matches.id)",
                    (limit,),
                )
                self._connection.executemany("DELETE FROM pictures WHERE match = ?", matches)
                self._connection.executemany("DELETE FROM entries WHERE match = ?", matches)
            _rows(self._connection, "PRAGMA incremental_vacuum")
        return len(matches)

    def check(self) -> tuple[str, ...]:
        """Return the faults of the file, in SQLite's words; empty if there are none."""
        faults: list[str] = []
        try:
            faults += [row[0] for row in _rows(self._connection, "PRAGMA integrity_check") if row[0] != "ok"]
            faults += [f"{row[0]}: lost its {row[2]}" for row in _rows(self._connection, "PRAGMA foreign_key_check")]
            gaps = _rows(self._connection, "SELECT match FROM entries GROUP BY match HAVING max(seq) != count(*)")
            faults += [f"entries: a gap in {row[0]}" for row in gaps]
        except (apsw.CorruptError, apsw.IOError) as error:
            faults.append(str(error))
        return tuple(faults)

    def _set_removed(self, match: str, statement: str, at: str | None) -> None:
        with translate_errors(self.path), transaction(self._connection):
            self._connection.execute(statement, (at, match))
            if not self._connection.changes():
                raise UnknownMatch("no_match", self.path, match=match)

    def _last_seq(self, match: str) -> int:
        if not _rows(self._connection, "SELECT 1 FROM matches WHERE id = ?", (match,)):
            raise UnknownMatch("no_match", self.path, match=match)
        last: int | None = _rows(self._connection, "SELECT max(seq) FROM entries WHERE match = ?", (match,))[0][0]
        return last or 0


def _rows(connection: apsw.Connection, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    return list(connection.execute(query, values))


def _encode_fields(path: Path, fields: Fields) -> str:
    try:
        return encode(fields).decode()
    except (ValueError, TypeError) as error:
        raise StoreError("unwritable", path, reason=quoted(str(error))) from None


def _decode_line(path: Path, line: int, text: str) -> JournalLine:
    try:
        return JournalLine(line, _decode_fields(path, text))
    except StoreDamaged as fault:
        raise LineDamaged(path, line, fault.message.args["reason"]) from None


def _decode_fields(path: Path, text: str) -> dict[str, Any]:
    """Decode a JSON object column. In a damaged file a column may hold anything."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, TypeError, RecursionError) as error:
        raise StoreDamaged("damaged", path, reason=quoted(str(error))) from None


def _decode_match(path: Path, row: Sequence[Any]) -> StoredMatch | None:
    """Return a match for the list; None if its row no longer holds a valid header."""
    id, game, epoch, text, created, ended, lines = row
    try:
        header = _decode_fields(path, text)
        created_at = datetime.fromisoformat(created)
        ended_at = None if ended is None else datetime.fromisoformat(ended)
        names = [side["name"] for side in header["sides"].values()]
    except (StoreDamaged, KeyError, TypeError, AttributeError, ValueError) as fault:
        log.warning("match %s left out of the list: %s", id, fault)
        return None
    if not all(isinstance(name, str) for name in names):
        log.warning("match %s left out of the list: a side without a name", id)
        return None
    return StoredMatch(id, game, epoch, header, created_at, ended_at, lines)


# Read access for a second process or thread: journal lines to upload, byte for byte, during writes.


@dataclass(frozen=True, slots=True)
class StoredJournal:
    """A journal in the store: id and epoch of its match, header as text, number of lines including the header."""

    id: str
    epoch: int
    header: str
    lines: int
    ended: bool


class JournalReader:
    """Reads a store's file while another connection writes. Use from one thread; call `close()` when done."""

    def __init__(self, path: Path) -> None:
        """Open the file read-only. Raises: StoreError."""
        self.path = path
        with translate_errors(path):
            self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            self._connection.set_busy_timeout(BUSY_TIMEOUT_MS)

    def close(self) -> None:
        self._connection.close()

    def version(self) -> int:
        """Return a number that changes whenever another connection has written."""
        with translate_errors(self.path):
            return int(self._connection.pragma("data_version"))

    def journals(self, after: int = 0) -> list[StoredJournal]:
        """Return the journals with an epoch above `after`, including removed ones: their upload continues."""
        return [
            StoredJournal(id, epoch, header, lines + HEADER_LINE, ended is not None)
            for id, epoch, header, ended, lines in self._rows(
                "SELECT id, epoch, header, ended, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
                " FROM matches WHERE epoch > ? ORDER BY epoch",
                (after,),
            )
        ]

    def length(self, id: str) -> tuple[int, bool]:
        """Return the number of lines of a journal, and whether its match is over."""
        row = self._rows(
            "SELECT ended, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0) FROM matches"
            " WHERE id = ?",
            (id,),
        )
        return (row[0][1] + HEADER_LINE, row[0][0] is not None) if row else (0, False)

    def lines(self, id: str, after: int, max_lines: int, max_bytes: int) -> list[bytes]:
        """Return the lines of a journal after one (0: from the header), without newlines, as stored.

        Returns at most `max_lines` lines and `max_bytes` bytes in total; a longer first line is returned alone.
        """
        texts: list[str] = []
        if after < HEADER_LINE:
            texts += [row[0] for row in self._rows("SELECT header FROM matches WHERE id = ?", (id,))]
        rows = self._rows(
            "SELECT fields FROM entries WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?",
            (id, max(after - HEADER_LINE, 0), max_lines - len(texts)),
        )
        found: list[bytes] = []
        remaining_bytes = max_bytes
        for line in (text.encode() for text in [*texts, *(row[0] for row in rows)]):
            remaining_bytes -= len(line)
            if found and remaining_bytes < 0:
                break
            found.append(line)
        return found

    def pictures(self, id: str, line: int) -> list[tuple[str, bytes, int | None]]:
        """Return the pictures stored with the event on a line: kind, image and die of each."""
        return [
            (what, image, die)
            for what, image, die in self._rows(
                "SELECT what, image, die FROM pictures WHERE match = ? AND seq = ? AND image IS NOT NULL ORDER BY id",
                (id, line - HEADER_LINE),
            )
        ]

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        with translate_errors(self.path):
            return list(self._connection.execute(query, tuple(values)))
