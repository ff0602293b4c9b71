"""The store: all matches of this table in one SQLite file. `append` returns once the event is on disk."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import apsw

from companion.clock import FIRST_PLAUSIBLE, Clock
from companion.games.base import Fields, JsonObject, Message
from companion.journal.codec import HEADER_LINE, JournalLine, encode, encode_file
from companion.journal.database import (
    LineDamaged,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreReplaced,
    UnknownMatch,
    WrongLine,
    create_database,
    open_database,
    open_for_reading,
    read_rows,
    transaction,
    translate_errors,
)
from companion.journal.integrity import (
    CHANGED,
    ENTRY_COLUMNS,
    MATCH_COLUMNS,
    PICTURE_COLUMNS,
    DamagedMatch,
    StoredMatchRow,
    count_lines,
    decode_object,
    entry_fits,
    find_damaged_matches,
    find_damaged_pictures,
    line_faults,
    picture_fits,
    side_names,
    state_faults,
)
from companion.journal.last_line import LastLine, LastLineNote, read_note
from companion.journal.ledger import Games, Replay, replay_lines
from companion.journal.lock import (
    OPEN_FILES,
    FileLock,
    FileReplaced,
    Identity,
    LockHeldError,
    WriterLock,
    check_identity,
    identity_of,
)
from companion.journal.store_files import StoreFiles
from companion.journal.sums import entry_sum, match_sum, picture_sum, state_sum
from companion.language import quoted, reason_of
from vision.files import sync_folder, write_atomically

log = logging.getLogger(__name__)

_FIRST_PLAUSIBLE = FIRST_PLAUSIBLE.isoformat(timespec="milliseconds")

REMOVED_RETENTION = timedelta(days=7)
"""How long a removed match can be restored."""

READING = "reading"
"""Kind of a "picture" that holds JSON text: the positions and readings of the dice."""


_STEPS_PER_CLOCK_CHECK = 100_000
"""SQLite steps between two looks at the clock."""


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
    """A match in the list of matches. `lines` counts every entry, including undone events and undos.

    `header_fits`: the header is as recorded. Otherwise it may be unreadable, and then has no sides.
    """

    id: str
    game: str
    epoch: int
    header: Fields
    created: datetime
    ended: datetime | None
    lines: int
    header_fits: bool = True


class StoreGuard:
    """The locks of an open store, and the check that its files are still the ones that are locked."""

    def __init__(self, files: StoreFiles) -> None:
        """Lock the name of the store. Raises: LockHeldError, OSError."""
        self.files = files
        self._name_lock = WriterLock(files.lock)
        self._file_lock: FileLock | None = None
        self._log: Identity | None = None

    def lock_file(self) -> None:
        """Lock the database itself, whatever other names it has. Raises: LockHeldError, OSError."""
        self._file_lock = FileLock(self.files.database)

    def watch_log(self) -> None:
        """Take the log that the open connection uses as the one to be checked."""
        self._log = identity_of(self.files.log) if self.files.log.exists() else None

    def check_in_place(self) -> None:
        """Check that database and log were not deleted or replaced. Raises: FileReplaced."""
        if self._file_lock is not None:
            self._file_lock.check_in_place()
        if self._log is not None:
            check_identity(self.files.log, self._log)

    def release(self) -> None:
        """Release the locks, after the connection is closed."""
        if self._file_lock is not None:
            self._file_lock.release()
        self._name_lock.release()


@dataclass(frozen=True, slots=True)
class LostLines:
    """Lines that were acknowledged and are not in the store any more: how many, and the match of the last one."""

    count: int
    names: str

    def message(self) -> Message:
        return Message("journal.recovery.lost", {"n": self.count, "names": self.names})


class Store:
    """All matches of one table. Only one instance, in any process, may have the file open. Call `close()` when done."""

    def __init__(self, path: Path, clock: Clock, connection: apsw.Connection, guard: StoreGuard) -> None:
        self.path = path
        self.clock = clock
        self._connection = connection
        self._guard = guard
        self.notices: tuple[Message, ...] = ()
        """What happened to the files while the store was opened."""
        self._id = _store_id(path, connection)
        self._total = count_lines(connection)
        self._names: dict[str, str] = {}
        guard.watch_log()
        self.lost = self._find_lost(read_note(guard.files.note))
        self._note = LastLineNote(guard.files.note)

    @classmethod
    def open(cls, path: Path, clock: Clock) -> Self:
        """Open the store, creating the file if it is missing. Raises: StoreError (StoreBusy, StoreNewer, …)."""
        with translate_errors(path):
            files = StoreFiles.of(path)
            files.database.parent.mkdir(parents=True, exist_ok=True)
            try:
                guard = StoreGuard(files)
            except LockHeldError as held:
                raise StoreBusy("busy", path, holder=held.holder) from None
            try:
                notices = _prepare_files(files)
                guard.lock_file()
                connection = open_database(files.database)
                try:
                    store = cls(path, clock, connection, guard)
                except BaseException:
                    connection.close()
                    raise
            except LockHeldError as held:
                guard.release()
                raise StoreBusy("busy", path, holder=held.holder) from None
            except BaseException:
                guard.release()
                raise
            store.notices = notices
            return store

    def close(self, *, keep_log: bool = False) -> None:
        """Close the file and release the writer lock. `keep_log`: leave a damaged log as it is, for recovery."""
        try:
            with translate_errors(self.path):
                if keep_log:
                    self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                self._connection.close()
        finally:
            self._note.close()
            self._guard.release()

    def __enter__(self) -> Self:
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
        texts = [_encode_fields(self.path, fields) for fields in events]
        rows = [(id, seq, text, written, _entry_sum(id, seq, text, written)) for seq, text in enumerate(texts, 1)]
        head = _encode_fields(self.path, header)
        end = written if ended else None
        with translate_errors(self.path):
            self._check_in_place()
            with transaction(self._connection):
                last_epoch = read_rows(self._connection, "SELECT max(+epoch) FROM matches")[0][0]
                epoch = max((last_epoch or 0) + 1, int(now.timestamp()))
                values = (id, header["game"], epoch, head, written)
                sum = match_sum(id.encode(), str(header["game"]).encode(), epoch, head.encode(), written.encode())
                state = _state_sum(id, end, None, len(rows))
                self._connection.execute(
                    "INSERT INTO matches (id, game, epoch, header, created, sum, ended, lines, state_sum)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*values, sum, end, len(rows), state),
                )
                self._connection.executemany(
                    "INSERT INTO entries (match, seq, fields, at, sum) VALUES (?, ?, ?, ?, ?)", rows
                )
            self._check_in_place()
        self._acknowledge(id, len(rows), 1 + len(rows))
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
        Raises: WrongLine if `line` is not the next one; DiskFull; UnknownMatch; LineDamaged; StoreReplaced.
        """
        now = self.clock.now().isoformat(timespec="milliseconds")
        stamped = fields if "at" in fields else {**fields, "at": now}
        text = _encode_fields(self.path, stamped)
        with translate_errors(self.path):
            self._check_in_place()
            with transaction(self._connection):
                end, removed, last = self._state_of(match)
                seq = last + 1
                if line is not None and line != seq + HEADER_LINE:
                    raise WrongLine("line", self.path, expected=line, line=seq + HEADER_LINE)
                self._connection.execute(
                    "INSERT INTO entries (match, seq, fields, at, sum) VALUES (?, ?, ?, ?, ?)",
                    (match, seq, text, now, _entry_sum(match, seq, text, now)),
                )
                self._connection.executemany(
                    "INSERT INTO pictures (match, seq, die, what, image, sum) VALUES (?, ?, ?, ?, ?, ?)",
                    [_picture_row(match, seq, picture) for picture in pictures],
                )
                if ended is not None:
                    end = (end or now) if ended else None
                self._write_state(match, end, removed, seq)
            self._check_in_place()
        self._acknowledge(match, seq, 1)
        return seq + HEADER_LINE

    def header(self, match: str) -> JsonObject:
        """Return the header of a match. Raises: UnknownMatch; LineDamaged if it is not as recorded."""
        row = self._match_row(match)
        header = decode_object(row.header) if row.header_fits() else None
        if header is None:
            raise LineDamaged(self.path, HEADER_LINE, CHANGED)
        return header

    def events(self, match: str, after_line: int = HEADER_LINE, until_line: int | None = None) -> list[JournalLine]:
        """Return the entries of a match after one line and up to another, numbered as in its exported file.

        Raises: StoreError; LineDamaged at the first entry that is missing or not as recorded.
        """
        self.header(match)
        last = after_line - HEADER_LINE
        with translate_errors(self.path):
            rows = read_rows(
                self._connection,
                f"SELECT {ENTRY_COLUMNS} FROM entries WHERE match = ? AND seq > ? AND seq <= coalesce(?, seq)"
                " ORDER BY seq",
                (match, last, None if until_line is None else until_line - HEADER_LINE),
            )
        lines = []
        for row in rows:
            for line, problem in line_faults(row, last):
                raise LineDamaged(self.path, line, problem)
            fields = decode_object(row[2])
            if fields is None:
                raise LineDamaged(self.path, row[1] + HEADER_LINE, CHANGED)
            lines.append(JournalLine(row[1] + HEADER_LINE, fields))
            last = row[1]
        if until_line is None:
            for line, problem in state_faults(self._match_row(match), last):
                raise LineDamaged(self.path, line, problem)
        return lines

    def matches(self) -> list[StoredMatch]:
        """Return all matches except removed ones, newest first, damaged ones included."""
        with translate_errors(self.path):
            rows = read_rows(
                self._connection,
                f"SELECT {MATCH_COLUMNS},"
                " coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
                " FROM matches WHERE removed IS NULL ORDER BY +epoch DESC",
            )
        return [_stored_match(StoredMatchRow(*row[:-1]), row[-1]) for row in rows]

    def pictures(self, match: str, line: int) -> tuple[Picture, ...]:
        """Return the pictures stored with the event on a line, in insertion order. A damaged one has no image."""
        with translate_errors(self.path):
            rows = read_rows(
                self._connection,
                f"SELECT {PICTURE_COLUMNS} FROM pictures WHERE match = ? AND seq = ? ORDER BY id",
                (match, line - HEADER_LINE),
            )
        return tuple(_picture(row) for row in rows)

    def lines_with_pictures(self, match: str) -> frozenset[int]:
        """Return the lines of a match whose events have pictures, including deleted ones."""
        with translate_errors(self.path):
            rows = read_rows(self._connection, "SELECT DISTINCT seq FROM pictures WHERE match = ?", (match,))
        return frozenset(seq + HEADER_LINE for (seq,) in rows)

    def purge_pictures(self, max_bytes: int = 0) -> int:
        """Delete the oldest pictures until the rest fits in `max_bytes`.

        Returns the number deleted; their rows stay, empty.
        Keeps each READING: without it, dice still in the tray would be counted again after a restart.
        """
        with translate_errors(self.path), self._large_deletion():
            self._connection.execute(
                "UPDATE pictures SET image = NULL, sum = NULL WHERE id IN (SELECT id FROM ("
                "SELECT id, sum(length(image)) OVER (ORDER BY id DESC) AS newer FROM pictures"
                " WHERE image IS NOT NULL AND what <> ?) WHERE newer > ?)",
                (READING, max_bytes),
            )
            deleted_count = self._connection.changes()
        return deleted_count

    def purge_old_pictures(self, before: datetime) -> int:
        """Delete the pictures of events before a date, as `purge_pictures` does. Returns the number deleted.

        Compares times as text, so a change of time zone shifts the limit by hours.
        """
        with translate_errors(self.path), self._large_deletion():
            self._connection.execute(
                "UPDATE pictures SET image = NULL, sum = NULL WHERE image IS NOT NULL AND what <> ? AND EXISTS ("
                "SELECT 1 FROM entries AS entry"
                " WHERE entry.match = pictures.match AND entry.seq = pictures.seq"
                " AND entry.at >= ? AND entry.at < ?)",
                (READING, _FIRST_PLAUSIBLE, before.isoformat(timespec="milliseconds")),
            )
            deleted_count = self._connection.changes()
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
        self._set_removed(match, self.clock.now().isoformat(timespec="milliseconds"))

    def restore(self, match: str) -> None:
        """Restore a removed match. Raises: StoreError (UnknownMatch)."""
        self._set_removed(match, None)

    def purge_removed(self) -> int:
        """Delete the events and pictures of matches removed longer ago than `REMOVED_RETENTION`.

        Returns the number of matches.
        The row of a match is never deleted: its epoch must not be reused.
        """
        limit = (self.clock.now() - REMOVED_RETENTION).isoformat(timespec="milliseconds")
        with translate_errors(self.path), self._large_deletion():
            matches = read_rows(
                self._connection,
                "SELECT id FROM matches"
                " WHERE julianday(removed) >= julianday(?) AND julianday(removed) < julianday(?)"
                " AND EXISTS (SELECT 1 FROM entries WHERE match = matches.id)",
                (_FIRST_PLAUSIBLE, limit),
            )
            self._connection.executemany("DELETE FROM pictures WHERE match = ?", matches)
            self._connection.executemany("DELETE FROM entries WHERE match = ?", matches)
        return len(matches)

    def rewrite_headers(self, change: Callable[[JsonObject], JsonObject | None]) -> int:
        """Replace the headers of matches, removed ones included, for example to erase a name. Returns their number.

        `change` returns the new header, or None to leave it. Damaged headers stay as they are. Events do not change.
        Nothing of the old headers stays in the file or its log. Raises: StoreError; then nothing has changed.
        """
        headers = []
        with translate_errors(self.path):
            self._check_in_place()
            for columns in read_rows(self._connection, f"SELECT {MATCH_COLUMNS} FROM matches"):
                row = StoredMatchRow(*columns)
                header = decode_object(row.header) if row.header_fits() else None
                changed = None if header is None else change(header)
                if changed is not None:
                    headers.append(_row_of_header(row, _encode_fields(self.path, changed)))
            if headers:
                self._rebuild_matches(headers)
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._check_in_place()
        self._names.clear()
        last = read_note(self._guard.files.note)
        if headers and last is not None:
            self._note.write(replace(last, names=self._names_of(last.match)))
        return len(headers)

    def _rebuild_matches(self, headers: Sequence[tuple[str, bytes, str]]) -> None:
        """Replace headers, and write all rows of `matches` again, in pages that are overwritten first.

        SQLite moves rows between pages and leaves copies in the room between them. Only an emptied table has none: its
        pages are overwritten with zeros (`secure_delete`). A VACUUM would write the pictures three times as well.
        """
        execute = self._connection.execute
        self._connection.pragma("foreign_keys", False)  # otherwise the rows would be deleted one by one
        self._connection.pragma("temp_store", "MEMORY")
        try:
            with transaction(self._connection):
                execute("CREATE TEMP TABLE renewed AS SELECT * FROM matches")
                self._connection.executemany("UPDATE renewed SET header = ?, sum = ? WHERE id = ?", headers)
                execute("DELETE FROM matches")
                execute("INSERT INTO matches SELECT * FROM renewed ORDER BY id")
                execute("DROP TABLE renewed")
        finally:
            self._connection.pragma("temp_store", "DEFAULT")
            self._connection.pragma("foreign_keys", True)
        read_rows(self._connection, "PRAGMA incremental_vacuum")

    @contextmanager
    def _large_deletion(self) -> Iterator[None]:
        """Run the block as a transaction, then cut the pages that it freed off the file.

        They are not overwritten first: on a full disk their zeros would not fit in the log, and they contain no names.
        """
        self._connection.pragma("secure_delete", False)
        try:
            with transaction(self._connection):
                yield
        finally:
            self._connection.pragma("secure_delete", True)
        read_rows(self._connection, "PRAGMA incremental_vacuum")

    def check(self) -> tuple[str, ...]:
        """Return the faults of the file and of every row, in SQLite's words or in English; empty if there are none."""
        faults: list[str] = []
        try:
            with translate_errors(self.path):
                query = "SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check"
                found = [row[0].decode(errors="replace") for row in read_rows(self._connection, query)]
                faults += [fault for fault in found if fault != "ok"]
                lost = read_rows(self._connection, "PRAGMA foreign_key_check")
                faults += [f"{row[0]}: lost its {row[2]}" for row in lost]
                faults += [f"{match.id}: line {match.line} is {match.problem}" for match in self.damaged_matches()]
                pictures = find_damaged_pictures(self._connection)
                faults += [f"pictures: {pictures} changed"] if pictures else []
        except StoreError as fault:
            faults.append(str(fault))
        return tuple(faults)

    def damaged_matches(self) -> tuple[DamagedMatch, ...]:
        """Verify headers and lines of all matches. Raises: StoreDamaged if the file's structure is damaged."""
        with translate_errors(self.path):
            return find_damaged_matches(self._connection)

    def check_structure(self, max_seconds: float = inf) -> None:
        """Check the file's structure with SQLite, for at most `max_seconds`. Raises: StoreDamaged."""
        end = self.clock.monotonic() + max_seconds
        self._connection.set_progress_handler(lambda: self.clock.monotonic() > end, _STEPS_PER_CLOCK_CHECK)
        query = "SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check LIMIT 1"
        try:
            with translate_errors(self.path):
                ((found,),) = read_rows(self._connection, query)
        except apsw.InterruptError:
            return
        finally:
            self._connection.set_progress_handler(None)
        if found != b"ok":
            fault = found.decode(errors="replace").splitlines()[-1]
            raise StoreDamaged("damaged", self.path, reason=quoted(fault))

    def _set_removed(self, match: str, at: str | None) -> None:
        """Mark a match as removed; None restores it. A match keeps its first mark."""
        with translate_errors(self.path), transaction(self._connection):
            ended, removed, last = self._state_of(match)
            self._write_state(match, ended, at and (removed or at), last)

    def _match_row(self, match: str) -> StoredMatchRow:
        with translate_errors(self.path):
            rows = read_rows(self._connection, f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (match,))
        if not rows:
            raise UnknownMatch("no_match", self.path, match=match)
        return StoredMatchRow(*rows[0])

    def _state_of(self, match: str) -> tuple[str | None, str | None, int]:
        """Return end, removal and last entry of a match. Raises: LineDamaged if they are not as recorded."""
        query = (
            "SELECT CAST(ended AS BLOB), CAST(removed AS BLOB), lines, state_sum,"
            " coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0) FROM matches WHERE id = ?"
        )
        rows = read_rows(self._connection, query, (match,))
        if not rows:
            raise UnknownMatch("no_match", self.path, match=match)
        ended, removed, lines, sum, last = rows[0]
        row = StoredMatchRow(match.encode(), None, None, None, None, None, ended, removed, lines, sum)
        for line, problem in state_faults(row, last):
            raise LineDamaged(self.path, line, problem)
        return _text(row.ended), _text(row.removed), row.lines

    def _write_state(self, match: str, ended: str | None, removed: str | None, lines: int) -> None:
        self._connection.execute(
            "UPDATE matches SET ended = ?, removed = ?, lines = ?, state_sum = ? WHERE id = ?",
            (ended, removed, lines, _state_sum(match, ended, removed, lines), match),
        )

    def _check_in_place(self) -> None:
        try:
            self._guard.check_in_place()
        except FileReplaced:
            raise StoreReplaced("replaced", self.path) from None

    def _acknowledge(self, match: str, seq: int, count: int) -> None:
        """Note the last durable line, for the message after a damage of the log."""
        self._total += count
        if match not in self._names:
            self._names[match] = self._names_of(match)
        self._note.write(LastLine(self._id, match, seq + HEADER_LINE, self._names[match], self._total))

    def _names_of(self, match: str) -> str:
        """Return the names of a match's sides; empty if its header does not tell them. Raises: nothing."""
        try:
            header = decode_object(self._match_row(match).header)
        except StoreError:
            return ""
        return " – ".join(side_names(header or {}) or ())

    def _find_lost(self, last: LastLine | None) -> LostLines | None:
        """Compare the note with the store. A note of another store says nothing."""
        if last is None or last.store != self._id or last.total <= self._total:
            return None
        return LostLines(last.total - self._total, last.names)


def _store_id(path: Path, connection: apsw.Connection) -> str:
    rows = read_rows(connection, "SELECT CAST(id AS BLOB) FROM store")
    if len(rows) != 1 or not rows[0][0]:
        raise StoreDamaged("damaged", path, reason=Message("journal.store.header"))
    return str(rows[0][0], errors="replace")


def _prepare_files(files: StoreFiles) -> tuple[Message, ...]:
    """Finish an interrupted recovery, set orphaned files aside and create a missing database.

    Returns what the players should know.
    """
    if files.database.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    notices: list[Message] = []
    if files.recovered.exists():
        finish_recovery(files)
        notices.append(Message("journal.recovery.finished"))
    elif files.is_orphaned():
        last = read_note(files.note)
        files.set_aside()
        if last is None:
            notices.append(Message("journal.recovery.orphans"))
        else:
            notices.append(Message("journal.recovery.gone", {"n": last.total, "names": last.names}))
    if not files.database.exists() or files.database.stat().st_size == 0:
        create_database(files, files.database)
    return tuple(notices)


def finish_recovery(files: StoreFiles) -> Path | None:
    """Set the damaged database aside and move the recovered one to its place. Returns the old one's new path.

    A power cut in between is harmless: the next start calls this again. Raises: OSError.
    """
    aside = files.set_aside() if files.database.exists() or files.side_files() else None
    files.recovered.replace(files.database)
    sync_folder(files.database.parent)
    return aside


def _entry_sum(match: str, seq: int, text: str, at: str) -> bytes:
    return entry_sum(match.encode(), seq, text.encode(), at.encode())


def _state_sum(match: str, ended: str | None, removed: str | None, lines: int) -> bytes:
    end, removal = (None if text is None else text.encode() for text in (ended, removed))
    return state_sum(match.encode(), end, removal, lines)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _picture_row(match: str, seq: int, picture: Picture) -> tuple[Any, ...]:
    """Return the columns of a picture. A deleted image has no sum."""
    sum = None
    if picture.image is not None:
        sum = picture_sum(match.encode(), seq, picture.die, picture.what.encode(), bytes(memoryview(picture.image)))
    return match, seq, picture.die, picture.what, picture.image, sum


def _picture(row: Sequence[Any]) -> Picture:
    _, _, die, what, image, _ = row
    if not picture_fits(*row):
        log.warning("a picture is damaged: entry %s", row[1])
        image = None
    kind = what.decode(errors="replace") if isinstance(what, bytes) else ""
    return Picture(kind, image if isinstance(image, bytes) else None, die if isinstance(die, int) else None)


def _encode_fields(path: Path, fields: Fields) -> str:
    try:
        return encode(fields).decode()
    except (ValueError, TypeError) as error:
        raise StoreError("unwritable", path, reason=quoted(str(error))) from None


def _stored_match(row: StoredMatchRow, last: int) -> StoredMatch:
    """Return a match for the list. What is unreadable in a damaged row is replaced: no sides, no time."""
    header, fits = decode_object(row.header), row.header_fits()
    if header is None or side_names(header) is None:
        header, fits = {"sides": {}}, False
    id, game = (str(value or b"", errors="replace") for value in (row.id, row.game))
    epoch = row.epoch if isinstance(row.epoch, int) else 0
    created = _time(row.created) or datetime.fromtimestamp(0, UTC)
    return StoredMatch(id, game, epoch, header, created, _time(row.ended), last, fits)


def _time(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(value.decode())
    except (ValueError, AttributeError):
        return None


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
            self._connection = open_for_reading(path)
        OPEN_FILES.connection_opened()
        self._is_open = True

    def close(self) -> None:
        self._connection.close()
        if self._is_open:
            OPEN_FILES.connection_closed()
        self._is_open = False

    def version(self) -> int:
        """Return a number that changes whenever another connection has written."""
        with translate_errors(self.path):
            return int(self._connection.pragma("data_version"))

    def journals(self, after: int = 0) -> list[StoredJournal]:
        """Return the journals with an epoch above `after`, including removed ones: their upload continues.

        Skips a match whose header is not as recorded.
        """
        found = []
        for *columns, lines in self._rows(
            f"SELECT {MATCH_COLUMNS}, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
            " FROM matches WHERE epoch > ? ORDER BY epoch",
            (after,),
        ):
            row = StoredMatchRow(*columns)
            if row.header_fits():
                id, header = row.id.decode(), row.header.decode()
                found.append(StoredJournal(id, row.epoch, header, lines + HEADER_LINE, row.ended is not None))
        return found

    def length(self, id: str) -> tuple[int, bool]:
        """Return the number of lines of a journal, and whether its match is over."""
        row = self._rows(
            "SELECT ended IS NOT NULL, coalesce((SELECT max(seq) FROM entries WHERE match = matches.id), 0)"
            " FROM matches WHERE id = ?",
            (id,),
        )
        return (row[0][1] + HEADER_LINE, bool(row[0][0])) if row else (0, False)

    def lines(self, id: str, after: int, max_lines: int, max_bytes: int) -> list[bytes]:
        """Return the lines of a journal after one (0: from the header), without newlines, as stored.

        Returns at most `max_lines` lines and `max_bytes` bytes in total; a longer first line is returned alone. Stops
        before a line that is missing or not as recorded.
        """
        lines: list[bytes] = []
        if after < HEADER_LINE:
            rows = self._rows(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (id,))
            if not rows or not StoredMatchRow(*rows[0]).header_fits():
                return []
            lines.append(rows[0][3])
        last = max(after - HEADER_LINE, 0)
        query = f"SELECT {ENTRY_COLUMNS} FROM entries WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?"
        for row in self._rows(query, (id, last, max_lines - len(lines))):
            if row[1] != last + 1 or not entry_fits(*row):
                break
            lines.append(row[2])
            last += 1
        found: list[bytes] = []
        remaining_bytes = max_bytes
        for line in lines:
            remaining_bytes -= len(line)
            if found and remaining_bytes < 0:
                break
            found.append(line)
        return found

    def pictures(self, id: str, line: int) -> list[tuple[str, bytes, int | None]]:
        """Return the pictures stored with the event on a line: kind, image and die of each. Skips damaged ones."""
        rows = self._rows(
            f"SELECT {PICTURE_COLUMNS} FROM pictures WHERE match = ? AND seq = ? AND image IS NOT NULL ORDER BY id",
            (id, line - HEADER_LINE),
        )
        pictures = [_picture(row) for row in rows]
        return [(picture.what, picture.image, picture.die) for picture in pictures if picture.image is not None]

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        with translate_errors(self.path):
            return read_rows(self._connection, query, values)


def _row_of_header(row: StoredMatchRow, header: str) -> tuple[str, bytes, str]:
    """Return another header with its sum, and the id of the match."""
    id, game, epoch, created = row.id, row.game, row.epoch, row.created
    assert isinstance(id, bytes)
    assert isinstance(game, bytes)
    assert isinstance(epoch, int)
    assert isinstance(created, bytes)  # as in every row whose header fits
    return header, match_sum(id, game, epoch, header.encode(), created), id.decode()
