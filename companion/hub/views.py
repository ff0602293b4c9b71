"""Read-only queries of the pages: live matches, timelines, journals, and changes since a revision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, func, select

from companion.games.base import GameState
from companion.hub import journals
from companion.hub.database import Database, UnknownJournal
from companion.hub.inbox import read_signers
from companion.hub.journals import head_columns, head_of, picture_ids, picture_of, raw_lines
from companion.hub.match_replay import MatchReplay, live_match, resume
from companion.hub.models import (
    RESULT_COUNTED,
    RESULT_PENDING,
    Changes,
    JournalHead,
    LiveMatch,
    OrganiserNotice,
    StoryLine,
)
from companion.hub.results import RESULT_NOTICES, SharedState, has_open_notice, notices
from companion.hub.schema import AMENDS, JOURNALS, LINE_STATUSES, LINES, NOTICES, TABLES, TOURNAMENTS


def changes_after(connection: Connection, revision: int | None, newest: int) -> Changes:
    """Return the changes after a revision; without one, everything."""
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
    """The one field of a line that the timeline shows next to the text."""

    at: Any = None


_AT = msgspec.json.Decoder(_At)  # at import: creating the first decoder in two threads at once crashes the library


class Views:
    """Read-only queries.

    Safe to call from any thread; a page that follows a match queries at most a few times per second.
    """

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared
        self._lives = shared.journals.lives

    def live(self, table: str) -> LiveMatch | None:
        """Return the newest match of a table, or None."""
        with self._database.reading() as connection:
            row = connection.execute(_newest_first(select(*head_columns()).where(JOURNALS.c.table_id == table))).first()
            return None if row is None else self._lives_of(connection, [head_of(row)])[0]

    def lives(self, tournament: str | None = None) -> tuple[LiveMatch, ...]:
        """Return the newest match of every table (optionally of one tournament), ordered by table number."""
        of_table = select(JOURNALS.c.table_id, func.max(JOURNALS.c.epoch).label("epoch")).where(JOURNALS.c.branch == 0)
        if tournament is not None:
            of_table = of_table.where(JOURNALS.c.tournament == tournament)
        newest = of_table.group_by(JOURNALS.c.table_id).subquery()
        rows = (
            select(*head_columns())
            .join(newest, and_(newest.c.table_id == JOURNALS.c.table_id, newest.c.epoch == JOURNALS.c.epoch))
            .join(TABLES, TABLES.c.id == JOURNALS.c.table_id)
            .where(JOURNALS.c.branch == 0, TABLES.c.number.is_not(None))
            .order_by(TABLES.c.number)
        )
        with self._database.reading() as connection:
            return self._lives_of(connection, [head_of(row) for row in connection.execute(rows).all()])

    def lives_by_match(self, tournament: str) -> dict[str, LiveMatch]:
        """Return the newest match of every table in a tournament, by match id."""
        return {live.journal.match_ref.match: live for live in self.lives(tournament) if live.journal.match_ref}

    def match(self, tournament: str, match: str) -> LiveMatch | None:
        """Return a match of a tournament, live or finished, or None before its first line."""
        rows = select(*head_columns()).where(JOURNALS.c.tournament == tournament, JOURNALS.c.match == match)
        with self._database.reading() as connection:
            heads = [head_of(row) for row in connection.execute(_newest_first(rows))]
            counted_heads = [head for head in heads if head.result == RESULT_COUNTED]
            return self._lives_of(connection, (counted_heads or heads)[:1])[0] if heads else None

    def last_state(self, tournament: str, match: str) -> GameState | None:
        """Return the state at the end of a match's journal, or None if no journal can be replayed."""
        live = self.match(tournament, match)
        if live is None:
            return None
        with self._database.reading() as connection:
            replay = self._replay(connection, live.journal)
        return replay.state if replay is not None and replay.initial is not None else None

    def story(self, table: str, epoch: int, after: int = 0, most: int = 500) -> tuple[StoryLine, ...]:
        """Return the timeline of a match after a line, oldest first. After an undo or correction query again from 0.

        Raises: UnknownJournal.
        """
        with self._database.reading() as connection:
            head = _head(connection, table, epoch)
            rows = (
                select(LINES.c.seq, LINES.c.line, LINES.c.told, LINES.c.fate, LINES.c.side)
                .where(LINES.c.journal == head.id, LINES.c.seq > after, LINES.c.told.is_not(None))
                .where(LINES.c.fate != AMENDS)
                .order_by(LINES.c.seq)
                .limit(most)
            )
            return tuple(_story_line(row) for row in connection.execute(rows))

    def picture(self, table: str, epoch: int, number: int) -> bytes | None:
        """Return a picture of the newest roll, or None if it was deleted or may not be shown."""
        with self._database.reading() as connection:
            head = _found(connection, table, epoch)
            return None if head is None else picture_of(connection, head.id, number)

    def journal(self, table: str, epoch: int, branch: int = 0) -> bytes:
        """Return a whole journal file, byte for byte as the table exports it. Raises: UnknownJournal."""
        with self._database.reading() as connection:
            head = _head(connection, table, epoch, branch)
            return b"".join(line + b"\n" for line in raw_lines(connection, head.id, head.seq))

    def journals(self, table: str | None = None) -> tuple[JournalHead, ...]:
        """Return every stored journal, ordered by table and epoch."""
        rows = select(*head_columns()).order_by(JOURNALS.c.table_id, JOURNALS.c.epoch, JOURNALS.c.branch)
        if table is not None:
            rows = rows.where(JOURNALS.c.table_id == table)
        with self._database.reading() as connection:
            return tuple(head_of(row) for row in connection.execute(rows))

    def signers(self, tournament: str, match: str) -> dict[str, int]:
        """Return who confirmed the result of a match at the table, and when (seconds since 1970)."""
        with self._database.reading() as connection:
            return read_signers(connection).get(f"{tournament}/{match}", {})

    def notices(self, closed: bool = False) -> tuple[OrganiserNotice, ...]:
        """Return the organiser's notices, newest first; with `closed` also the closed ones."""
        with self._database.reading() as connection:
            return notices(connection, closed)

    def revision(self) -> int:
        """Return the newest revision.

        It increases across restarts and restored backups and fits a JavaScript number.
        """
        return self._database.revision

    def changes_after(self, revision: int) -> Changes:
        """Return the merged changes after a revision; never more than there is to show."""
        newest = self._database.revision
        known = revision if self._database.has_revision(revision) else None
        with self._database.reading() as connection:
            return changes_after(connection, known, newest)

    def listen(self, on_change: Callable[[int], None]) -> Callable[[], None]:
        """Call `on_change` with the revision after each change, in the writing thread; it must return quickly.

        Returns a function that unsubscribes.
        """
        return self._database.listen(on_change)

    def _lives_of(self, connection: Connection, heads: Sequence[JournalHead]) -> tuple[LiveMatch, ...]:
        """Return the matches of journals, with the pictures of their last rolls."""
        lives = [self._without_pictures(connection, head) for head in heads]
        pictures = picture_ids(connection, [(live.journal.id, live.roll.line) for live in lives if live.roll])
        return tuple(
            replace(live, roll=replace(live.roll, pictures=pictures.get(live.journal.id, ()))) if live.roll else live
            for live in lives
        )

    def _without_pictures(self, connection: Connection, head: JournalHead) -> LiveMatch:
        # A dismissed notice means that the organiser accepts the result unchanged.
        waits = head.result == RESULT_PENDING and has_open_notice(connection, RESULT_NOTICES, head)
        review = head.counted_result is not None and (not head.over or waits)
        if head.forgotten is not None:
            self._lives.drop([head.id])
        kept = self._lives.get(head.id)
        if kept is None or kept[0] != head.seq:
            replay = self._replay(connection, head)
            kept = head.seq, live_match(head, replay)
            if head.forgotten is None and (replay is None or replay.seq == head.seq):
                self._lives.put({head.id: kept})
        return replace(kept[1], journal=head, review=review)

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
    row = connection.execute(select(*head_columns()).where(*this)).first()
    return None if row is None else head_of(row)


def _head(connection: Connection, table: str, epoch: int, branch: int = 0) -> JournalHead:
    found = _found(connection, table, epoch, branch)
    if found is None:
        raise UnknownJournal(table, epoch, branch)
    return found


def _story_line(row: Any) -> StoryLine:
    fate: Any = LINE_STATUSES[row.fate]
    return StoryLine(row.seq, journals.parse_message(row.told), fate, _at(row.line), row.side)


def _at(line: bytes | None) -> str | None:
    if line is None:
        return None
    try:
        at = _AT.decode(bytes(line)).at
    except msgspec.DecodeError:
        return None
    return at if isinstance(at, str) else None
