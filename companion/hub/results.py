"""Counts the results of confirmed journals in their tournaments, with notices about results that cannot be counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from companion.games.base import Message, Refusal
from companion.hub import journals
from companion.hub.database import Database, UnitOfWork, UnknownTournament
from companion.hub.journals import (
    JournalCache,
    JournalStore,
    LruCache,
    games_counted,
    head_columns,
    head_of,
    sanitize_text,
)
from companion.hub.match_replay import MatchReplay
from companion.hub.models import (
    RESULT_COUNTED,
    RESULT_NONE,
    RESULT_PENDING,
    RESULT_REPLACED,
    JournalHead,
    MatchRef,
    NoticeKind,
    OrganiserNotice,
)
from companion.hub.schema import CONFIRMATIONS, FACTS, JOURNALS, NOTICES
from companion.hub.tournament_storage import LoadedTournament, TournamentCache, TournamentStore
from companion.journal.ledger import Games
from companion.tournament import facts as fa
from companion.tournament import headers
from companion.tournament.match_choices import different_setting
from companion.tournament.progress import Match, match_name, progress_of, valid_report
from companion.tournament.validation import refusal
from companion.tournament.values import winner_by_score


def subject_of(head: JournalHead) -> str:
    """Return the subject of notices about a journal."""
    return f"{head.table}/{head.epoch}"


def open_notice(work: UnitOfWork, kind: NoticeKind, head: JournalHead, message: Message) -> None:
    """Open a notice about a journal. If one of this kind exists, it is reopened, counted and updated."""
    subject = subject_of(head)
    known = work.connection.execute(
        select(NOTICES.c.id, NOTICES.c.times, NOTICES.c.message, NOTICES.c.closed).where(
            NOTICES.c.kind == kind, NOTICES.c.subject == subject
        )
    ).first()
    text = journals.message_text(message)
    values = {
        "message": text,
        "tournament": head.tournament,
        "match": head.match,
        "last": work.now,
        "closed": None,
        "closed_by": None,
        "revision": work.revision,
    }
    work.changed = True
    if known is not None:
        work.connection.execute(update(NOTICES).where(NOTICES.c.id == known.id).values(times=known.times + 1, **values))
        return
    work.connection.execute(
        insert(NOTICES).values(
            kind=kind,
            subject=subject,
            table_id=head.table,
            epoch=head.epoch,
            first=work.now,
            times=1,
            **values,
        )
    )


def is_repeated_notice(connection: Connection, kind: NoticeKind, head: JournalHead, message: Message) -> bool:
    """Return whether the newest notice of a kind about a journal has this message."""
    newest = select(NOTICES.c.message).where(NOTICES.c.kind == kind, NOTICES.c.subject == subject_of(head))
    return connection.scalar(newest) == journals.message_text(message)


def has_open_notice(connection: Connection, kinds: tuple[NoticeKind, ...], head: JournalHead) -> bool:
    """Return whether a notice of one of these kinds about a journal is open."""
    about = (NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
    return connection.scalar(select(NOTICES.c.id).where(*about).limit(1)) is not None


def close_notices(work: UnitOfWork, head: JournalHead, kinds: tuple[NoticeKind, ...], by: str) -> None:
    """Close the notices of some kinds about a journal."""
    closed = work.connection.execute(
        update(NOTICES)
        .where(NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
        .values(closed=work.now, closed_by=sanitize_text(by), revision=work.revision)
    )
    work.changed |= closed.rowcount > 0


def close_disputes(work: UnitOfWork, tournament: str, match: str, by: str) -> None:
    """Close the notices that a side does not agree with the result of a match."""
    about = (NOTICES.c.tournament == tournament, NOTICES.c.match == match)
    closed = work.connection.execute(
        update(NOTICES)
        .where(*about, NOTICES.c.kind == "disputed", NOTICES.c.closed.is_(None))
        .values(closed=work.now, closed_by=sanitize_text(by), revision=work.revision)
    )
    work.changed |= closed.rowcount > 0


def dismiss(database: Database, notice: int, by: str) -> bool:
    """Close a notice at the organiser's request. Returns False if no such notice is open."""
    with database.writing() as work:
        closed = work.connection.execute(
            update(NOTICES)
            .where(NOTICES.c.id == notice, NOTICES.c.closed.is_(None))
            .values(closed=work.now, closed_by=sanitize_text(by), revision=work.revision)
        )
        work.changed = closed.rowcount > 0
    return work.changed


def notices(connection: Connection, closed: bool) -> tuple[OrganiserNotice, ...]:
    """Return the notices, most recent first."""
    rows = select(NOTICES).order_by(NOTICES.c.last.desc(), NOTICES.c.id.desc())
    if not closed:
        rows = rows.where(NOTICES.c.closed.is_(None))
    return tuple(_notice(row) for row in connection.execute(rows))


def _notice(row: Any) -> OrganiserNotice:
    bound = MatchRef(row.tournament, row.match) if row.tournament and row.match else None
    return OrganiserNotice(
        row.id,
        row.kind,
        journals.parse_message(row.message),
        row.table_id,
        row.epoch,
        bound,
        row.first,
        row.last,
        row.times,
        row.closed,
        row.closed_by,
        row.revision,
    )


# From a confirmed journal to the result in the tournament, and from its later corrections to corrections there.


RESULT_NOTICES: tuple[NoticeKind, ...] = ("not_called_here", "result_refused", "result_differs")

NumberOf = Callable[[str], int | None]
"""Function that returns the number of a table by its id."""


class ResultProblem(Exception):
    """The reason why a result is not counted, as shown to the organiser."""

    def __init__(self, kind: NoticeKind, message: Message) -> None:
        super().__init__(str(message))
        self.kind = kind
        self.message = message


MAX_CACHED_TOURNAMENTS = 32
"""Maximum number of tournaments in the cache."""


@dataclass(frozen=True)
class SharedState:
    """State shared by inbox, tournament service, views and retention: the games, the tables, and the caches."""

    games: Games
    is_known: Callable[[str], bool]
    number_of: NumberOf
    journals: JournalCache = field(default_factory=JournalCache)
    tournaments: TournamentCache = field(default_factory=lambda: LruCache(MAX_CACHED_TOURNAMENTS))

    def clear(self) -> None:
        """Clear the caches after a failed transaction."""
        self.journals.clear()
        self.tournaments.clear()

    def transaction(self, work: UnitOfWork) -> Transaction:
        """Return a transaction on the shared state."""
        return Transaction(work, self)


class Transaction:
    """One transaction on journals and tournaments. Counts the results of journals in their tournaments."""

    def __init__(self, work: UnitOfWork, shared: SharedState) -> None:
        self.work = work
        self.journals = JournalStore(work, shared.journals, shared.games)
        self.tournaments = TournamentStore(work, shared.tournaments)
        self._number_of = shared.number_of

    def count_result(self, head: JournalHead, by_organiser: bool = False, why: str = "") -> JournalHead:
        """Count a journal's result if it is confirmed, finished and belongs to a match. Returns the new head.

        Later decisions of the organiser take precedence. With `by_organiser` the organiser wants it counted for a
        reopened match; `why` is then the reason.
        """
        if head.branch != 0 or head.match_ref is None or not head.confirmed:
            return head
        if head.forgotten is not None:
            return self._report_deleted(head)
        replay = self.journals.replay(head)
        if replay.refused is not None or not replay.over:
            return head
        try:
            changed = self._count(head, replay, by_organiser, why)
        except ResultProblem as trouble:
            return self._postpone(head, trouble)
        if changed is head:
            return head
        close_notices(self.work, changed, RESULT_NOTICES, changed.table)
        close_disputes(self.work, head.match_ref.tournament, head.match_ref.match, self._confirmed_by(changed))
        return self.journals.put(changed)

    def count_pending(self, tournament: str) -> None:
        """Try all pending results of a tournament again until no more can be counted."""
        waiting = select(*head_columns()).where(
            JOURNALS.c.tournament == tournament, JOURNALS.c.outcome == RESULT_PENDING
        )
        going = True
        while going:
            heads = [head_of(row) for row in self.work.connection.execute(waiting.order_by(JOURNALS.c.id))]
            outcomes = [self.count_result(head).result for head in heads]
            going = RESULT_COUNTED in outcomes

    def _report_deleted(self, head: JournalHead) -> JournalHead:
        """Open a notice that asks the organiser to enter the result of a deleted journal by hand.

        A deleted journal cannot be replayed.
        """
        try:
            loaded, match = self._match(head)
        except ResultProblem:
            return head  # the organiser could not count it either
        args = {"match": match_name(loaded.state, match), "table": self._number_of(head.table) or head.table}
        if head.counted_result is None and not match.over:
            return self._postpone(head, ResultProblem("result_refused", Message("tournament.hub.notice.deleted", args)))
        if loaded.is_result_source(head) and head.confirmed > self._recorded_line(head):
            return self._postpone(
                head, ResultProblem("result_refused", Message("tournament.hub.notice.deleted_since", args))
            )
        if head.result != RESULT_PENDING:
            return head
        close_notices(self.work, head, RESULT_NOTICES, head.table)
        return self.journals.put(replace(head, result=RESULT_NONE if head.counted_result is None else RESULT_COUNTED))

    def _recorded_line(self, head: JournalHead) -> int:
        """Return the last line of a journal that is included in the tournament's result."""
        ours = (FACTS.c.tournament == head.tournament, FACTS.c.table_id == head.table, FACTS.c.epoch == head.epoch)
        return self.work.connection.scalar(select(func.max(FACTS.c.line)).where(*ours)) or 0

    def _postpone(self, head: JournalHead, trouble: ResultProblem) -> JournalHead:
        if head.result != RESULT_NONE and is_repeated_notice(self.work.connection, trouble.kind, head, trouble.message):
            return head  # the organiser has seen this notice already, open or dismissed
        open_notice(self.work, trouble.kind, head, trouble.message)
        return head if head.result == RESULT_REPLACED else self.journals.put(replace(head, result=RESULT_PENDING))

    def _count(self, head: JournalHead, replay: MatchReplay, by_organiser: bool, why: str) -> JournalHead:
        """Return the head with its result counted, or the same head if nothing is new. Raises: Trouble."""
        loaded, match = self._match(head)
        self._check_sides(loaded, match, head, replay)
        assert replay.game is not None  # a finished match has a game
        view = replay.game.view(replay.state)
        found = headers.result(replay.game.id, view, match, self._clock(replay))
        if found is None:
            return head
        fingerprint = _result_fingerprint(found)
        if fingerprint == head.counted_result and not (by_organiser and not match.over):
            return replace(head, result=RESULT_COUNTED) if head.result == RESULT_PENDING else head
        if not by_organiser:
            self._check_game(head, match, replay)
            self._check_settings(head, loaded, match, replay)
        self._record(head, loaded, match, found, why)
        for other in self._others(head):
            self.journals.put(replace(other, result=RESULT_REPLACED))
        return replace(head, result=RESULT_COUNTED, counted_result=fingerprint)

    def _match(self, head: JournalHead) -> tuple[LoadedTournament, Match]:
        assert head.tournament is not None  # checked in `count_result`
        assert head.match is not None
        try:
            loaded = self.tournaments.loaded(head.tournament)
        except UnknownTournament:
            raise ResultProblem("result_refused", Message("tournament.hub.notice.no_tournament")) from None
        match = progress_of(loaded.state).matches.get(head.match)
        if match is None:
            raise ResultProblem("result_refused", refusal("unknown_match", match=head.match).message)
        number = self._number_of(head.table)
        if head.bound_by is None and number not in loaded.called.get(match.id, ()):
            args = {"match": match_name(loaded.state, match), "table": number or head.table}
            raise ResultProblem("not_called_here", Message("tournament.hub.notice.not_called_here", args))
        return loaded, match

    def _check_sides(self, loaded: LoadedTournament, match: Match, head: JournalHead, replay: MatchReplay) -> None:
        """Check that the entries that played are those in the match now. Raises: Trouble."""
        seated = headers.sides(loaded.state, match)
        if head.entries is not None:
            played: Any = json.loads(head.entries)
        elif all(entry in loaded.state.entries for entry in seated.values()):
            named = headers.names(loaded.state, match)
            same = all(replay.names.get(side) == each["name"] for side, each in named.items())
            played = seated if same else None
        else:
            played = None
        if played != seated:
            raise ResultProblem("result_refused", refusal("other_sides", match=match_name(loaded.state, match)).message)

    def _check_game(self, head: JournalHead, match: Match, replay: MatchReplay) -> None:
        """Check that the game was not played before a replay of the match was ordered. Raises: Trouble."""
        if head.result == RESULT_REPLACED:
            raise ResultProblem("result_differs", Message("tournament.hub.notice.replaced"))
        if match.over:
            return
        earlier = head.counted_result is not None
        if not earlier and head.bound_by is None and replay.mark is not None:
            games = games_counted(self.work.connection, str(head.tournament)).get(str(head.match), 0)
            earlier = replay.mark.again < games
        if earlier:
            raise ResultProblem("result_differs", Message("tournament.hub.notice.earlier_game"))

    def _check_settings(self, head: JournalHead, loaded: LoadedTournament, match: Match, replay: MatchReplay) -> None:
        """Check that the match was played with the tournament's settings: an older table lets its players choose.

        A journal that the organiser let count is not asked about again. Raises: Trouble.
        """
        if head.bound_by is not None or head.counted_result is not None:
            return
        plan = loaded.state.plan
        found = different_setting(plan.game, plan.match, replay.settings)
        if found is None:
            return
        args = {"match": match_name(loaded.state, match), "table": self._number_of(head.table) or head.table}
        args |= {"setting": found.label, "played": found.played, "fixed": found.fixed}
        raise ResultProblem("not_called_here", Message("tournament.hub.notice.other_settings", args))

    def _record(self, head: JournalHead, loaded: LoadedTournament, match: Match, found: fa.Result, why: str) -> None:
        """Record the result, as a correction if the current result came from this journal. Raises: Trouble."""
        report = valid_report(loaded.state, match.id, match.home, match.away)
        if (
            match.over
            and report is not None
            and _reported_outcome(found) == (report.score, report.winner, report.by, report.carry)
        ):
            return  # entered by hand before the table's result, and both agree
        by = self._confirmed_by(head)
        try:
            if match.over and report is not None and loaded.is_result_source(head):
                self.tournaments.record(loaded.id, headers.correction(found), by, why, source=head)
            else:
                self.tournaments.record(loaded.id, found, by, why, source=head)
        except Refusal as reason:
            if reason.rule != "over_already":
                raise ResultProblem("result_refused", reason.message) from None
            named = match_name(loaded.state, match)
            args = {"match": named, "home": found.score[0], "away": found.score[1]}
            raise ResultProblem("result_differs", Message("tournament.hub.notice.result_differs", args)) from None

    def _confirmed_by(self, head: JournalHead) -> str:
        found = self.work.connection.scalar(
            select(CONFIRMATIONS.c.by).where(
                CONFIRMATIONS.c.table_id == head.table,
                CONFIRMATIONS.c.epoch == head.epoch,
                CONFIRMATIONS.c.seq == head.confirmed,
            )
        )
        named = ", ".join(msgspec.json.decode(found, type=list[str])) if found else (head.bound_by or "")
        return named or head.table

    def _others(self, head: JournalHead) -> list[JournalHead]:
        """Return earlier counted journals of the same match, including those pending after a change."""
        rows = select(*head_columns()).where(
            JOURNALS.c.tournament == head.tournament,
            JOURNALS.c.match == head.match,
            JOURNALS.c.outcome.in_((RESULT_COUNTED, RESULT_PENDING)),
            JOURNALS.c.counted.is_not(None),
            JOURNALS.c.id != head.id,
        )
        return [head_of(row) for row in self.work.connection.execute(rows)]

    def _clock(self, replay: MatchReplay) -> int:
        """Return the end of the match as Unix time in seconds: from its last event, or else from the hub's clock."""
        at = replay.newest[-1].fields.get("at") if replay.newest else None
        for written in (at, self.work.now):
            try:
                return max(0, int(datetime.fromisoformat(str(written)).timestamp()))
            except (ValueError, OverflowError, OSError):
                continue
        return 0


def _reported_outcome(found: fa.Result) -> tuple[Any, ...]:
    """Return the content of a result's report without the time."""
    winner = winner_by_score(found.score) if found.winner == "score" else found.winner
    return found.score, winner, found.by, found.carry


def _result_fingerprint(found: fa.Result) -> str:
    """Return a result as text without the time, to detect changes."""
    return json.dumps(fa.to_json(replace(found, clock=None)), sort_keys=True, ensure_ascii=False)
