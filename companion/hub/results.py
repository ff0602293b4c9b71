"""Results: from a confirmed journal to the facts of its tournament, with notices of what cannot be counted."""

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
from companion.hub.database import Database, UnknownTournament, Work
from companion.hub.journals import JournalCache, JournalStore, LruCache, columns, games_counted, head_of, storable
from companion.hub.match_replay import MatchReplay
from companion.hub.models import COUNTED, NONE, PENDING, REPLACED, Bound, JournalHead, Notice, NoticeKind
from companion.hub.schema import CONFIRMATIONS, FACTS, JOURNALS, NOTICES
from companion.hub.tournament_storage import LoadedTournament, TournamentCache, TournamentStore
from companion.journal.ledger import Games
from companion.tournament import facts as fa
from companion.tournament import headers
from companion.tournament.course import Match, course, match_name, standing_report
from companion.tournament.validation import refusal
from companion.tournament.values import winner_by_score


def subject_of(head: JournalHead) -> str:
    """The subject of notices about a journal."""
    return f"{head.table}/{head.epoch}"


def open_notice(work: Work, kind: NoticeKind, head: JournalHead, message: Message) -> None:
    """Tells the organiser of a journal's trouble; one that is open already is counted and says the newest."""
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


def told_before(connection: Connection, kind: NoticeKind, head: JournalHead, message: Message) -> bool:
    """Whether the newest notice of a kind about a journal says just this."""
    said = select(NOTICES.c.message).where(NOTICES.c.kind == kind, NOTICES.c.subject == subject_of(head))
    return connection.scalar(said) == journals.message_text(message)


def is_told(connection: Connection, kinds: tuple[NoticeKind, ...], head: JournalHead) -> bool:
    """Whether a notice of some kinds about a journal is open."""
    about = (NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
    return connection.scalar(select(NOTICES.c.id).where(*about).limit(1)) is not None


def close_notices(work: Work, head: JournalHead, kinds: tuple[NoticeKind, ...], by: str) -> None:
    """What is settled needs nobody's attention any more."""
    closed = work.connection.execute(
        update(NOTICES)
        .where(NOTICES.c.subject == subject_of(head), NOTICES.c.kind.in_(kinds), NOTICES.c.closed.is_(None))
        .values(closed=work.now, closed_by=storable(by), revision=work.revision)
    )
    work.changed |= closed.rowcount > 0


def dismiss(database: Database, notice: int, by: str) -> bool:
    """The organiser has seen it and lets it be. False if there is no such open notice."""
    with database.writing() as work:
        closed = work.connection.execute(
            update(NOTICES)
            .where(NOTICES.c.id == notice, NOTICES.c.closed.is_(None))
            .values(closed=work.now, closed_by=storable(by), revision=work.revision)
        )
        work.changed = closed.rowcount > 0
    return work.changed


def notices(connection: Connection, closed: bool) -> tuple[Notice, ...]:
    """The notices, those seen last first."""
    rows = select(NOTICES).order_by(NOTICES.c.last.desc(), NOTICES.c.id.desc())
    if not closed:
        rows = rows.where(NOTICES.c.closed.is_(None))
    return tuple(_notice(row) for row in connection.execute(rows))


def _notice(row: Any) -> Notice:
    bound = Bound(row.tournament, row.match) if row.tournament and row.match else None
    return Notice(
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


TROUBLES: tuple[NoticeKind, ...] = ("not_called_here", "result_refused", "result_differs")

NumberOf = Callable[[str], int | None]
"""The number of a table by its id."""


class Trouble(Exception):
    """Why a result is not counted: what the organiser is told."""

    def __init__(self, kind: NoticeKind, message: Message) -> None:
        super().__init__(str(message))
        self.kind = kind
        self.message = message


MOST_TOURNAMENTS = 32
"""Tournaments kept in memory."""


@dataclass(frozen=True)
class SharedState:
    """What inbox, tournament service, views and retention share: the games, the tables, and what is kept in memory."""

    games: Games
    known: Callable[[str], bool]
    number_of: NumberOf
    journals: JournalCache = field(default_factory=JournalCache)
    tournaments: TournamentCache = field(default_factory=lambda: LruCache(MOST_TOURNAMENTS))

    def forget(self) -> None:
        """After a transaction that failed: everything is asked of the database anew."""
        self.journals.forget()
        self.tournaments.clear()

    def transaction(self, work: Work) -> Transaction:
        """One transaction on what is shared."""
        return Transaction(work, self)


class Transaction:
    """One transaction on journals and tournaments; what a journal comes to is counted in its tournament."""

    def __init__(self, work: Work, shared: SharedState) -> None:
        self.work = work
        self.journals = JournalStore(work, shared.journals, shared.games)
        self.tournaments = TournamentStore(work, shared.tournaments)
        self._number_of = shared.number_of

    def count_result(self, head: JournalHead, asked: bool = False) -> JournalHead:
        """Counts what the journal came to, if it is confirmed, over, and of a match; the head as it is then.

        What the organiser decided since it was counted stands; `asked` is that the organiser has it count for a match
        that is open again.
        """
        if head.branch != 0 or head.bound is None or not head.confirmed:
            return head
        if head.forgotten is not None:
            return self._deleted(head)
        replay = self.journals.replay(head)
        if replay.refused is not None or not replay.over:
            return head
        try:
            changed = self._counted(head, replay, asked)
        except Trouble as trouble:
            return self._put_off(head, trouble)
        if changed is head:
            return head
        close_notices(self.work, changed, TROUBLES, changed.table)
        return self.journals.put(changed)

    def count_pending(self, tournament: str) -> None:
        """Looks again at all that waits in a tournament, until nothing more can be counted."""
        waiting = select(*columns()).where(JOURNALS.c.tournament == tournament, JOURNALS.c.outcome == PENDING)
        going = True
        while going:
            heads = [head_of(row) for row in self.work.connection.execute(waiting.order_by(JOURNALS.c.id))]
            outcomes = [self.count_result(head).result for head in heads]
            going = COUNTED in outcomes

    def _deleted(self, head: JournalHead) -> JournalHead:
        """What is deleted cannot be played: the organiser is told what a table confirmed and enters it by hand."""
        try:
            loaded, match = self._match(head)
        except Trouble:
            return head  # not even the organiser could have it count
        args = {"match": match_name(loaded.state, match), "table": self._number_of(head.table) or head.table}
        if head.counted is None and not match.over:
            return self._put_off(head, Trouble("result_refused", Message("tournament.hub.notice.deleted", args)))
        if loaded.told(head) and head.confirmed > self._told_line(head):
            return self._put_off(head, Trouble("result_refused", Message("tournament.hub.notice.deleted_since", args)))
        if head.result != PENDING:
            return head
        close_notices(self.work, head, TROUBLES, head.table)
        return self.journals.put(replace(head, result=NONE if head.counted is None else COUNTED))

    def _told_line(self, head: JournalHead) -> int:
        """The last line of a journal of which the tournament has the result."""
        ours = (FACTS.c.tournament == head.tournament, FACTS.c.table_id == head.table, FACTS.c.epoch == head.epoch)
        return self.work.connection.scalar(select(func.max(FACTS.c.line)).where(*ours)) or 0

    def _put_off(self, head: JournalHead, trouble: Trouble) -> JournalHead:
        if head.result != NONE and told_before(self.work.connection, trouble.kind, head, trouble.message):
            return head  # the organiser has this very trouble on the desk, or dismissed it
        open_notice(self.work, trouble.kind, head, trouble.message)
        return head if head.result == REPLACED else self.journals.put(replace(head, result=PENDING))

    def _counted(self, head: JournalHead, replay: MatchReplay, asked: bool) -> JournalHead:
        """The head with its result counted, or as it was if nothing is new. Raises Trouble."""
        loaded, match = self._match(head)
        self._check_sides(loaded, match, head, replay)
        assert replay.game is not None  # a match that is over has one
        view = replay.game.view(replay.state)
        found = headers.result(replay.game.id, view, match, self._clock(replay))
        if found is None:
            return head
        shown = _shown(found)
        if shown == head.counted and not (asked and not match.over):
            return replace(head, result=COUNTED) if head.result == PENDING else head
        if not asked:
            self._check_game(head, match, replay)
        self._record(head, loaded, match, found)
        for other in self._others(head):
            self.journals.put(replace(other, result=REPLACED))
        return replace(head, result=COUNTED, counted=shown)

    def _match(self, head: JournalHead) -> tuple[LoadedTournament, Match]:
        assert head.tournament is not None  # settle asked
        assert head.match is not None
        try:
            loaded = self.tournaments.loaded(head.tournament)
        except UnknownTournament:
            raise Trouble("result_refused", Message("tournament.hub.notice.no_tournament")) from None
        match = course(loaded.state).matches.get(head.match)
        if match is None:
            raise Trouble("result_refused", refusal("unknown_match", match=head.match).message)
        number = self._number_of(head.table)
        if head.bound_by is None and number not in loaded.called.get(match.id, ()):
            args = {"match": match_name(loaded.state, match), "table": number or head.table}
            raise Trouble("not_called_here", Message("tournament.hub.notice.not_called_here", args))
        return loaded, match

    def _check_sides(self, loaded: LoadedTournament, match: Match, head: JournalHead, replay: MatchReplay) -> None:
        """Those who played must be those who sit there now. Raises Trouble."""
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
            raise Trouble("result_refused", refusal("other_sides", match=match_name(loaded.state, match)).message)

    def _check_game(self, head: JournalHead, match: Match, replay: MatchReplay) -> None:
        """A game from before the match was to be played again does not count for the one after. Raises Trouble."""
        if head.result == REPLACED:
            raise Trouble("result_differs", Message("tournament.hub.notice.replaced"))
        if match.over:
            return
        earlier = head.counted is not None
        if not earlier and head.bound_by is None and replay.mark is not None:
            games = games_counted(self.work.connection, str(head.tournament)).get(str(head.match), 0)
            earlier = replay.mark.again < games
        if earlier:
            raise Trouble("result_differs", Message("tournament.hub.notice.earlier_game"))

    def _record(self, head: JournalHead, loaded: LoadedTournament, match: Match, found: fa.Result) -> None:
        """As a correction if the result that stands is this journal's. Raises Trouble."""
        report = standing_report(loaded.state, match.id, match.home, match.away)
        if match.over and report is not None and _told(found) == (report.score, report.winner, report.by, report.carry):
            return  # entered by hand before the table's own came, and both agree
        by = self._confirmed_by(head)
        try:
            if match.over and report is not None and loaded.told(head):
                self.tournaments.record(loaded.id, headers.correction(found), by, source=head)
            else:
                self.tournaments.record(loaded.id, found, by, source=head)
        except Refusal as reason:
            if reason.rule != "over_already":
                raise Trouble("result_refused", reason.message) from None
            named = match_name(loaded.state, match)
            args = {"match": named, "home": found.score[0], "away": found.score[1]}
            raise Trouble("result_differs", Message("tournament.hub.notice.result_differs", args)) from None

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
        """Journals of the same match that were counted before this one, also if they wait since they changed."""
        rows = select(*columns()).where(
            JOURNALS.c.tournament == head.tournament,
            JOURNALS.c.match == head.match,
            JOURNALS.c.outcome.in_((COUNTED, PENDING)),
            JOURNALS.c.counted.is_not(None),
            JOURNALS.c.id != head.id,
        )
        return [head_of(row) for row in self.work.connection.execute(rows)]

    def _clock(self, replay: MatchReplay) -> int:
        """When the match ended, in seconds since 1970: by its last event, by the hub's clock if that says nothing."""
        at = replay.newest[-1].fields.get("at") if replay.newest else None
        for written in (at, self.work.now):
            try:
                return max(0, int(datetime.fromisoformat(str(written)).timestamp()))
            except (ValueError, OverflowError, OSError):
                continue
        return 0


def _told(found: fa.Result) -> tuple[Any, ...]:
    """What a report of it would say, besides when."""
    winner = winner_by_score(found.score) if found.winner == "score" else found.winner
    return found.score, winner, found.by, found.carry


def _shown(found: fa.Result) -> str:
    """What counts of a result, to tell whether a later one is another: not when it was."""
    return json.dumps(fa.printed(replace(found, clock=None)), sort_keys=True, ensure_ascii=False)
