"""Recovery of a damaged store: every readable row, event by event, into a new store. The damaged files stay whole."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from companion.clock import Clock
from companion.games.base import Message
from companion.journal.database import (
    DiskFull,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreForeign,
    create_database,
    translate_errors,
)
from companion.journal.integrity import (
    DamagedMatch,
    StoredMatchRow,
    count_lines,
    decode_object,
    entry_fits,
    picture_fits,
    side_names,
)
from companion.journal.last_line import read_note
from companion.journal.lock import LockHeldError
from companion.journal.pages import PageFile, PageRow, is_entry, is_match, is_picture, open_pages
from companion.journal.store import READING, LostLines, Store, StoreGuard, finish_recovery
from companion.journal.store_files import StoreFiles
from companion.journal.sums import entry_sum, match_sum, picture_sum, state_sum

log = logging.getLogger(__name__)

MAX_CHECK_S = 2.0
"""Seconds for the check of the file's structure at the start of the app."""
MAX_MESSAGES = 4
"""Damaged matches that are named one by one at the start of the app."""

_OLD_MATCH_COLUMNS, _OLD_ENTRY_COLUMNS, _OLD_PICTURE_COLUMNS = (6, 7), 4, 6
"""Columns of the rows of a store without sums."""


@dataclass(frozen=True, slots=True)
class RecoveredMatch:
    """A recovered match: number of lines that are as recorded, missing and changed ones. The header is line 1."""

    id: str
    names: str
    day: str
    lines: int
    missing: int
    changed: int
    header_fits: bool

    @property
    def is_whole(self) -> bool:
        return self.header_fits and not self.missing and not self.changed


@dataclass(frozen=True, slots=True)
class Recovery:
    """The result of a recovery: the matches, newest first.

    - `homeless`: lines whose match cannot be told; they are not in the new store
    - `total`: number of lines in the new store, as `LastLine.total` counts them
    - `lost`: lines that were acknowledged and not found anywhere
    """

    matches: tuple[RecoveredMatch, ...]
    homeless: int
    total: int
    lost: LostLines | None


def recover(source: StoreFiles, target: Path, *, pictures: bool = True) -> Recovery:
    """Write every readable row of a store into a new one at `target`. `pictures`: False leaves out all but readings.

    Raises: StoreForeign if there is no row of a store; DiskFull; StoreError. The source is only read.
    """
    with translate_errors(source.database), open_pages(source) as pages:
        rows = _RowCollection()
        rows.add_all(pages.rows())
        if not rows.entries and not rows.matches:
            raise StoreForeign("foreign", source.database)
        rows.assign_ids()

        def fill(connection: apsw.Connection) -> None:
            rows.write(connection)
            _write_pictures(connection, pages, rows, pictures)

        files = StoreFiles(target)
        try:
            create_database(files, target, fill)
        except BaseException:
            files.delete_new()
            raise
        total = _count(target)
        last = read_note(source.note)
        lost = LostLines(last.total - total, last.names) if last is not None and last.total > total else None
        return Recovery(rows.summaries(), rows.homeless, total, lost)


def _count(database: Path) -> int:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return count_lines(connection)
    finally:
        connection.close()


# The rows: of several copies of a row the best one counts.


Quality = tuple[int, bool, int]
"""Quality of a copy: its sum fits (2), it has none (1) or it does not fit (0); it is current; number of lines."""


def _fit(fits: bool, has_sum: bool) -> int:
    return 2 if fits else 0 if has_sum else 1


@dataclass(slots=True)
class _Match:
    """The best copy of a match's fixed columns, and of its state."""

    row: StoredMatchRow
    quality: Quality
    state: StoredMatchRow
    state_quality: Quality


@dataclass(slots=True)
class _Entry:
    """The best copy of a line."""

    fields: bytes
    at: bytes
    sum: Any
    quality: Quality


@dataclass(slots=True)
class _RowCollection:
    """The best copies of all matches and lines, by match id and number."""

    matches: dict[bytes, _Match] = field(default_factory=dict)
    entries: dict[bytes, dict[int, _Entry]] = field(default_factory=dict)
    homeless: int = 0

    def add_all(self, rows: Iterable[PageRow]) -> None:
        for row in rows:
            if is_entry(row):
                self._add_entry(row)
            elif is_match(row):
                self._add_match(row)

    def _add_entry(self, row: PageRow) -> None:
        match, seq, fields, at, *rest = row.columns
        sum = rest[0] if rest else None
        quality = (_fit(entry_fits(match, seq, fields, at, sum), bool(rest)), row.is_current, 0)
        known = self.entries.setdefault(match, {}).get(seq)
        if known is None or quality >= known.quality:
            self.entries[match][seq] = _Entry(fields, at, sum, quality)

    def _add_match(self, row: PageRow) -> None:
        id, game, epoch, header, created, ended, *rest = row.columns
        has_sums = len(row.columns) not in _OLD_MATCH_COLUMNS
        removed, sum, lines, state = (*rest, None, None, None, None)[:4]
        found = StoredMatchRow(id, game, epoch, header, created, sum, ended, removed, lines, state)
        quality = (_fit(found.header_fits(), has_sums), row.is_current, 0)
        count = lines if isinstance(lines, int) else 0
        state_quality = (_fit(found.state_fits(), has_sums), row.is_current, count)
        if state_quality[0] == 2:  # of valid states the one with the most lines is the newest
            state_quality = (2, True, count)
        known = self.matches.setdefault(id, _Match(found, quality, found, state_quality))
        if quality >= known.quality:
            known.row, known.quality = found, quality
        if state_quality >= known.state_quality:
            known.state, known.state_quality = found, state_quality

    def assign_ids(self) -> None:
        """Give lines without a match row one: a row whose damaged id can be told, else a new row without a header."""
        for id in self.entries.keys() - self.matches.keys():
            if not any(entry.quality[0] for entry in self.entries[id].values()):
                self.homeless += sum(entry.quality[1] for entry in self.entries.pop(id).values())
                continue
            self.matches[id] = self._match_with_damaged_id(id) or _headless_match(id, self.entries[id])

    def _match_with_damaged_id(self, id: bytes) -> _Match | None:
        for other, match in self.matches.items():
            repaired = replace(match.row, id=id)
            if other not in self.entries and repaired.header_fits():
                del self.matches[other]
                return _Match(repaired, (2, True, 0), replace(match.state, id=id), match.state_quality)
        return None

    def lines_of(self, id: bytes) -> int:
        """Return how many entries a match has to have."""
        match, entries = self.matches[id], self.entries.get(id, {})
        stated = match.state.lines if match.state.state_fits() else 0
        valid = (seq for seq, entry in entries.items() if entry.quality[0] > 0 or seq <= stated)
        return max(stated, max(valid, default=0))

    def write(self, connection: apsw.Connection) -> None:
        """Write all rows. Text is written as its bytes: a damaged one stays as it is."""
        epochs: set[int] = set()
        for id in self.matches:
            connection.execute(
                "INSERT INTO matches (id, game, epoch, header, created, ended, removed, sum, lines, state_sum) VALUES"
                " (CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),"
                " CAST(? AS TEXT), ?, ?, ?)",
                self._match_values(id, epochs),
            )
            connection.executemany(
                "INSERT INTO entries (match, seq, fields, at, sum)"
                " VALUES (CAST(? AS TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)",
                [
                    (id, seq, entry.fields, entry.at, _sum_of_entry(id, seq, entry))
                    for seq, entry in self._kept_entries(id)
                ],
            )

    def _kept_entries(self, id: bytes) -> list[tuple[int, _Entry]]:
        count = self.lines_of(id)
        return sorted((seq, entry) for seq, entry in self.entries.get(id, {}).items() if seq <= count)

    def _match_values(self, id: bytes, epochs: set[int]) -> tuple[Any, ...]:
        match = self.matches[id]
        row, state = match.row, match.state
        epoch = row.epoch
        while epoch in epochs:  # only a damaged one is there twice
            epoch += 1
        epochs.add(epoch)
        sum = row.sum if isinstance(row.sum, bytes) else None
        if match.quality[0] == 1 and decode_object(row.header) is not None:
            sum = match_sum(id, row.game, row.epoch, row.header, row.created)
        ended, removed = (text if isinstance(text, bytes) else None for text in (state.ended, state.removed))
        lines = self.lines_of(id)
        return (
            id,
            row.game,
            epoch,
            row.header,
            row.created,
            ended,
            removed,
            sum,
            lines,
            state_sum(id, ended, removed, lines),
        )

    def summaries(self) -> tuple[RecoveredMatch, ...]:
        """Return the matches, newest first. A removed match whose lines are deleted is whole."""
        found = []
        for id, match in sorted(self.matches.items(), key=lambda item: item[1].row.epoch, reverse=True):
            kept = self._kept_entries(id)
            changed = sum(_is_changed(entry) for _, entry in kept)
            is_deleted = match.state.removed is not None and not kept
            missing = 0 if is_deleted else self.lines_of(id) - len(kept)
            names = " – ".join(side_names(decode_object(match.row.header) or {}) or ())
            day = match.row.created.decode(errors="replace")[:10]
            fits = match.quality[0] == 2 or (match.quality[0] == 1 and bool(names))
            name = id.decode(errors="replace")
            found.append(RecoveredMatch(name, names, day, len(kept) - changed, missing, changed, fits))
        return tuple(found)


def _is_changed(entry: _Entry) -> bool:
    return entry.quality[0] == 0 or (entry.quality[0] == 1 and decode_object(entry.fields) is None)


def _sum_of_entry(id: bytes, seq: int, entry: _Entry) -> bytes | None:
    """Return the sum as stored, so that a changed line stays known as such. A store without sums gets new ones."""
    if entry.quality[0] == 1 and decode_object(entry.fields) is not None:
        return entry_sum(id, seq, entry.fields, entry.at)
    return entry.sum if isinstance(entry.sum, bytes) else None


def _headless_match(id: bytes, entries: dict[int, _Entry]) -> _Match:
    """Return a row for lines whose match row is lost. It has no header and counts as damaged."""
    created = entries[min(entries)].at
    try:
        epoch = int(datetime.fromisoformat(created.decode()).timestamp())
    except ValueError:
        epoch = 1
    row = StoredMatchRow(id, b"", epoch, b"", created, None, None, None, max(entries), None)
    return _Match(row, (0, False, 0), row, (0, False, 0))


def _write_pictures(connection: apsw.Connection, pages: PageFile, rows: _RowCollection, all_kinds: bool) -> None:
    """Write the pictures of the recovered lines, one by one: they may be larger than the memory."""
    qualitys: dict[int, tuple[bool, bool]] = {}
    for row in pages.rows():
        if not is_picture(row):
            continue
        _, match, seq, die, what, image, *rest = row.columns
        sum = rest[0] if rest else None
        fits = picture_fits(match, seq, die, what, image, sum)
        known_line = isinstance(match, bytes) and seq in rows.entries.get(match, {}) and match in rows.matches
        if not known_line or not fits or not isinstance(image, bytes | None):
            continue
        if not all_kinds and what != READING.encode():
            continue
        quality = (row.is_current, image is not None)
        if quality < qualitys.get(row.rowid or 0, (False, False)) or not isinstance(die, int | None):
            continue
        qualitys[row.rowid or 0] = quality
        connection.execute(
            "INSERT OR REPLACE INTO pictures (id, match, seq, die, what, image, sum)"
            " VALUES (?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?, ?)",
            (row.rowid, match, seq, die, what, image, _sum_of_picture(match, seq, die, what, image)),
        )


def _sum_of_picture(match: bytes, seq: int, die: int | None, what: bytes, image: bytes | None) -> bytes | None:
    return None if image is None else picture_sum(match, seq, die, what, image)


# The start of the app: a damaged store is recovered by itself.


def open_or_recover(
    path: Path, clock: Clock, maintain: Callable[[Store], None] = lambda store: None
) -> tuple[Store, tuple[Message, ...]]:
    """Open the store. A damaged one is recovered first and set aside whole, in the same folder.

    `maintain` runs on the open store, for example to delete old pictures; if it finds damage, the store is recovered
    too. Returns the store and messages for the players: what was damaged, and what is lost.
    Raises: StoreError if it cannot be opened for another reason: in use, newer, not writable, disk full.
    """
    try:
        store = Store.open(path, clock)
    except StoreForeign:
        return _open_empty(path, clock, "foreign")
    except StoreDamaged as damage:
        return _open_recovered(path, clock, damage)
    if store.lost is not None:
        return _with_lost_lines(store)
    try:
        maintain(store)
        damaged = store.damaged_matches()
        store.check_structure(MAX_CHECK_S)
    except StoreDamaged as damage:
        _close_damaged(store)
        return _open_recovered(path, clock, damage)
    except BaseException:
        store.close()
        raise
    return store, (*store.notices, *_damage_messages(damaged))


def recover_in_place(path: Path) -> tuple[Recovery, Path | None]:
    """Recover a store, set it aside whole and put the new one in its place.

    Returns the result and the new path of the damaged database. Raises: StoreError (StoreBusy if it is in use).
    """
    with translate_errors(path):
        files = StoreFiles.of(path)
        try:
            guard = StoreGuard(files)
        except LockHeldError as held:
            raise StoreBusy("busy", path, holder=held.holder) from None
        try:
            try:
                recovery = recover(files, files.recovered)
            except DiskFull:
                recovery = recover(files, files.recovered, pictures=False)
            return recovery, finish_recovery(files)
        finally:
            guard.release()


def recover_to(path: Path, out: Path) -> Recovery:
    """Recover a store that is not in use into a new file, and leave it untouched. Raises: StoreError."""
    with translate_errors(path):
        files = StoreFiles.of(path)
        try:
            guard = StoreGuard(files)
        except LockHeldError as held:
            raise StoreBusy("busy", path, holder=held.holder) from None
        try:
            return recover(files, out)
        finally:
            guard.release()


def _open_recovered(path: Path, clock: Clock, damage: StoreDamaged) -> tuple[Store, tuple[Message, ...]]:
    try:
        recovery, aside = recover_in_place(path)
    except StoreForeign:
        return _open_empty(path, clock, "nothing")
    log.warning("%s was damaged (%s): set aside as %s", path, damage, aside)
    store = Store.open(path, clock)
    messages = [_done_message(recovery)]
    messages += [recovery.lost.message()] if recovery.lost else []
    return store, (*messages, *_damage_messages(store.damaged_matches()))


def _with_lost_lines(store: Store) -> tuple[Store, tuple[Message, ...]]:
    """Look for lost lines in the log after the place where SQLite stops to read it."""
    lost, path = store.lost, store.path
    store.close(keep_log=True)
    recovery = _find_more_lines(path, lost.count if lost else 0)
    store = Store.open(path, store.clock)
    messages = [*store.notices]
    if recovery is not None:
        messages.append(_done_message(recovery))
        lost = recovery.lost
    messages += [lost.message()] if lost else []
    return store, (*messages, *_damage_messages(store.damaged_matches()))


def _find_more_lines(path: Path, lost_count: int) -> Recovery | None:
    """Recover a store that SQLite reads without its newest lines. Returns None if that finds no more of them."""
    try:
        with translate_errors(path):
            files = StoreFiles.of(path)
            guard = StoreGuard(files)
            try:
                recovery = recover(files, files.recovered)
                if recovery.lost is not None and recovery.lost.count >= lost_count:
                    files.recovered.unlink()
                    return None
                aside = finish_recovery(files)
            finally:
                guard.release()
    except (LockHeldError, StoreError) as fault:
        log.warning("the lost lines of %s were not looked for: %s", path, fault)
        return None
    log.warning("the log of %s was damaged: set aside as %s", path, aside)
    return recovery


def _done_message(recovery: Recovery) -> Message:
    lines = sum(match.lines for match in recovery.matches)
    return Message("journal.recovery.done", {"n": len(recovery.matches), "lines": lines})


def _open_empty(path: Path, clock: Clock, reason: str) -> tuple[Store, tuple[Message, ...]]:
    """Set a file without a readable line aside and open an empty store. `reason`: `foreign` or `nothing`."""
    with translate_errors(path):
        aside = StoreFiles.of(path).set_aside()
    log.warning("%s holds no line of a match: set aside as %s", path, aside)
    return Store.open(path, clock), (Message(f"journal.recovery.{reason}"),)


def _close_damaged(store: Store) -> None:
    try:
        store.close(keep_log=True)
    except StoreDamaged as fault:
        log.warning("%s closed with a fault: %s", store.path, fault)


def _damage_messages(damaged: Iterable[DamagedMatch]) -> tuple[Message, ...]:
    messages = [match.message() for match in damaged]
    if len(messages) > MAX_MESSAGES:
        more = Message("journal.damage.more", {"n": len(messages) - MAX_MESSAGES})
        return (*messages[:MAX_MESSAGES], more)
    return tuple(messages)
