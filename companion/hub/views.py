"""What pages ask for: live matches, stories, journals, and what changed since they last asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, func, select

from companion.hub import journals
from companion.hub.database import Database, UnknownJournal
from companion.hub.journals import columns, head_of, numbers_of, picture_of, raw_lines
from companion.hub.match_replay import MatchReplay, live, resume
from companion.hub.models import COUNTED, PENDING, Changes, JournalHead, Live, Notice, StoryLine
from companion.hub.results import TROUBLES, SharedState, is_told, notices
from companion.hub.schema import AMENDS, FATES, JOURNALS, LINES, NOTICES, TABLES, TOURNAMENTS


def changes_after(connection: Connection, revision: int | None, newest: int) -> Changes:
    """What changed after a revision; everything without one."""
    after = -1 if revision is None else revision
    tables = connection.scalars(select(TABLES.c.id).where(TABLES.c.revision > after))
    journals = connection.execute(select(JOURNALS.c.table_id, JOURNALS.c.epoch).where(JOURNALS.c.revision > after))
    tournaments = connection.scalars(select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.revision > after))
    notices = connection.scalar(select(NOTICES.c.id).where(NOTICES.c.revision > after).limit(1)) is not None
    return Changes(
        newest,
        revision is None,
        frozenset(tables),
        frozenset((table, epoch) for table, epoch in journals),
        frozenset(tournaments),
        notices,
    )


class _At(msgspec.Struct):
    """The one field of a line that a story shows besides the sentence."""

    at: Any = None


_AT = msgspec.json.Decoder(_At)  # made here: two threads that make the first one at once crash the library


class Views:
    """Reads only. Safe to call from any thread; a page that follows a match asks at most a few times a second."""

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared
        self._lives = shared.journals.lives

    def live(self, table: str) -> Live | None:
        """The newest match of a table, None if it has none."""
        with self._database.reading() as connection:
            row = connection.execute(_newest_first(select(*columns()).where(JOURNALS.c.table_id == table))).first()
            return None if row is None else self._live(connection, head_of(row))

    def lives(self, tournament: str | None = None) -> tuple[Live, ...]:
        """The newest match of every table (of a tournament alone), by the tables' numbers."""
        of_table = select(JOURNALS.c.table_id, func.max(JOURNALS.c.epoch).label("epoch")).where(JOURNALS.c.branch == 0)
        if tournament is not None:
            of_table = of_table.where(JOURNALS.c.tournament == tournament)
        newest = of_table.group_by(JOURNALS.c.table_id).subquery()
        rows = (
            select(*columns())
            .join(newest, and_(newest.c.table_id == JOURNALS.c.table_id, newest.c.epoch == JOURNALS.c.epoch))
            .join(TABLES, TABLES.c.id == JOURNALS.c.table_id)
            .where(JOURNALS.c.branch == 0, TABLES.c.number.is_not(None))
            .order_by(TABLES.c.number)
        )
        with self._database.reading() as connection:
            return tuple(self._live(connection, head_of(row)) for row in connection.execute(rows).all())

    def lives_by_match(self, tournament: str) -> dict[str, Live]:
        """The newest match of every table that plays a tournament, by the match's id."""
        return {live.journal.bound.match: live for live in self.lives(tournament) if live.journal.bound}

    def match(self, tournament: str, match: str) -> Live | None:
        """A match of a tournament, live or over; None before its first line has come."""
        rows = select(*columns()).where(JOURNALS.c.tournament == tournament, JOURNALS.c.match == match)
        with self._database.reading() as connection:
            heads = [head_of(row) for row in connection.execute(_newest_first(rows))]
            counted = [head for head in heads if head.result == COUNTED]
            return self._live(connection, (counted or heads)[0]) if heads else None

    def story(self, table: str, epoch: int, after: int = 0, most: int = 500) -> tuple[StoryLine, ...]:
        """What is told of a match after a line, the oldest first. After an undo or correction ask anew from 0.

        Raises UnknownJournal.
        """
        with self._database.reading() as connection:
            head = _head(connection, table, epoch)
            rows = (
                select(LINES.c.seq, LINES.c.line, LINES.c.told, LINES.c.fate)
                .where(LINES.c.journal == head.id, LINES.c.seq > after, LINES.c.told.is_not(None))
                .where(LINES.c.fate != AMENDS)
                .order_by(LINES.c.seq)
                .limit(most)
            )
            return tuple(_story_line(row) for row in connection.execute(rows))

    def picture(self, table: str, epoch: int, number: int) -> bytes | None:
        """A picture of the newest roll, None if it was deleted or may not be shown."""
        with self._database.reading() as connection:
            head = _found(connection, table, epoch)
            return None if head is None else picture_of(connection, head.id, number)

    def journal(self, table: str, epoch: int, branch: int = 0) -> bytes:
        """A whole journal file, byte for byte as the table exports it. Raises UnknownJournal."""
        with self._database.reading() as connection:
            head = _head(connection, table, epoch, branch)
            return b"".join(line + b"\n" for line in raw_lines(connection, head.id, head.seq))

    def journals(self, table: str | None = None) -> tuple[JournalHead, ...]:
        """Every journal that is kept, by table and epoch."""
        rows = select(*columns()).order_by(JOURNALS.c.table_id, JOURNALS.c.epoch, JOURNALS.c.branch)
        if table is not None:
            rows = rows.where(JOURNALS.c.table_id == table)
        with self._database.reading() as connection:
            return tuple(head_of(row) for row in connection.execute(rows))

    def notices(self, closed: bool = False) -> tuple[Notice, ...]:
        """What the organiser should look at, the newest first; with `closed` also what was settled."""
        with self._database.reading() as connection:
            return notices(connection, closed)

    def revision(self) -> int:
        """The number of the newest change; grows over restarts and restored backups too, fits a JavaScript number."""
        return self._database.revision

    def changes_after(self, revision: int) -> Changes:
        """What changed after a revision, merged: never longer than what there is to show."""
        newest = self._database.revision
        known = revision if self._database.knows(revision) else None
        with self._database.reading() as connection:
            return changes_after(connection, known, newest)

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:
        """Calls `told` with the revision after each change, in the writing thread, so briefly; returns the way out."""
        return self._database.listen(told)

    def _live(self, connection: Connection, head: JournalHead) -> Live:
        # The organiser who dismisses the notice has looked at the result, and leaves it as it is.
        waits = head.result == PENDING and is_told(connection, TROUBLES, head)
        review = head.counted is not None and (not head.over or waits)
        if head.forgotten is not None:
            self._lives.drop([head.id])
        kept = self._lives.get(head.id)
        if kept is None or kept[0] != head.seq:
            replay = self._replay(connection, head)
            kept = head.seq, live(head, replay)
            if head.forgotten is None and (replay is None or replay.seq == head.seq):
                self._lives.put({head.id: kept})
        shown = replace(kept[1], journal=head, review=review)
        if shown.roll is None:
            return shown
        return replace(shown, roll=replace(shown.roll, pictures=numbers_of(connection, head.id, shown.roll.line)))

    def _replay(self, connection: Connection, head: JournalHead) -> MatchReplay | None:
        if head.forgotten is not None or head.seq == 0:
            return None
        found = self._shared.journals.replays.get(head)
        if found is None or found.seq < head.seq:
            return resume(raw_lines(connection, head.id, head.seq), self._shared.games)
        return found


def _newest_first(rows: Select[Any]) -> Select[Any]:
    return rows.where(JOURNALS.c.branch == 0).order_by(JOURNALS.c.epoch.desc(), JOURNALS.c.table_id)


def _found(connection: Connection, table: str, epoch: int, branch: int = 0) -> JournalHead | None:
    this = (JOURNALS.c.table_id == table, JOURNALS.c.epoch == epoch, JOURNALS.c.branch == branch)
    row = connection.execute(select(*columns()).where(*this)).first()
    return None if row is None else head_of(row)


def _head(connection: Connection, table: str, epoch: int, branch: int = 0) -> JournalHead:
    found = _found(connection, table, epoch, branch)
    if found is None:
        raise UnknownJournal(table, epoch, branch)
    return found


def _story_line(row: Any) -> StoryLine:
    fate: Any = FATES[row.fate]
    return StoryLine(row.seq, journals.parse_message(row.told), fate, _at(row.line))


def _at(line: bytes | None) -> str | None:
    if line is None:
        return None
    try:
        at = _AT.decode(bytes(line)).at
    except msgspec.DecodeError:
        return None
    return at if isinstance(at, str) else None
