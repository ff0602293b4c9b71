"""What is deleted, on demand and after a set time: names, journals, pictures.

Of a deleted journal the chain stays, so that a table that sends it again is told that all of it was there, and the
result that the tournament took. The names of entries become numbers; what they won stays.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, delete, func, or_, select, update

from companion.hub.database import DELETED, Database, Work, keep_value, kept_value
from companion.hub.journals import columns, head_of
from companion.hub.models import JournalHead
from companion.hub.results import SharedState, Transaction
from companion.hub.schema import CONFIRMATIONS, FACTS, JOURNALS, LINES, NOTICES, PICTURES, TOURNAMENTS, WAITING
from companion.hub.tournament_storage import erase_names, erase_words
from companion.tournament.course import course

log = logging.getLogger(__name__)

_TERMS = "terms"


@dataclass(frozen=True, slots=True)
class Terms:
    """Days that names and journals stay after a tournament's last fact or a match's last line, and pictures.

    0: for ever.
    """

    names_days: int = 365
    pictures_days: int = 30


_READS_TERMS = msgspec.json.Decoder(Terms)  # made here: two threads that make the first one at once crash the library


class Retention:
    """Deletes for good. What is deleted does not come back when a table sends it again."""

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared

    def terms(self) -> Terms:
        """The set times."""
        with self._database.reading() as connection:
            kept = kept_value(connection, _TERMS)
        return Terms() if kept is None else _READS_TERMS.decode(kept)

    def set_terms(self, terms: Terms) -> None:
        """Sets the times."""
        with self._database.writing() as work:
            keep_value(work.connection, _TERMS, msgspec.json.encode(asdict(terms)).decode())

    def sweep(self) -> int:
        """Deletes what is older than the set times; to be called once in a while. Returns how many things went."""
        terms = self.terms()
        gone = 0
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            if terms.pictures_days:
                gone += _delete_pictures(work, PICTURES.c.at < self._limit(terms.pictures_days))
            if terms.names_days:
                limit = self._limit(terms.names_days)
                for tournament in _old_tournaments(work, limit):
                    self._forget_tournament(transaction, tournament)
                    gone += 1
                forgotten = self._forget_heads(transaction, _old_journals(work, limit))
                gone += forgotten
                if forgotten:
                    _note_deletion(work)
        self._database.vacuum()
        return gone

    def forget_entry(self, tournament: str, entry: str, by: str) -> None:
        """An entry's name goes from the facts, and the journals of its matches lose their lines; results stay.

        Raises UnknownTournament.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            state = transaction.tournaments.loaded(tournament).state
            matches = [match.id for match in course(state).matches.values() if entry in match.seats]
            ever = [id for id, reports in state.reports.items() if any(entry in (r.home, r.away) for r in reports)]
            erase_names(work, tournament, frozenset({entry}))
            which = (JOURNALS.c.tournament == tournament, JOURNALS.c.match.in_({*matches, *ever}))
            self._forget_heads(transaction, _heads(work, *which))
            self._reload(work, tournament)
            _note_deletion(work)
        self._done("an entry of tournament %s", tournament, by)

    def forget_tournament(self, tournament: str, by: str) -> None:
        """All names of a tournament go, with the journals of its matches. Raises UnknownTournament."""
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            transaction.tournaments.loaded(tournament)
            self._forget_tournament(transaction, tournament)
        self._done("tournament %s", tournament, by)

    def forget_pictures(self, tournament: str | None, by: str) -> int:
        """All pictures (of a tournament) go; returns how many."""
        with self._database.writing() as work:
            own = select(JOURNALS.c.id).where(JOURNALS.c.tournament == tournament)
            gone = _delete_pictures(work, *([] if tournament is None else [PICTURES.c.journal.in_(own)]))
        self._done("the pictures of %s", tournament or "all tournaments", by)
        return gone

    def _forget_tournament(self, transaction: Transaction, tournament: str) -> None:
        work = transaction.work
        erase_names(work, tournament, None)
        erase_words(work, tournament)
        self._forget_heads(transaction, _heads(work, JOURNALS.c.tournament == tournament))
        mark = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament)
        work.connection.execute(mark.values(forgotten=work.now, begun_by=""))
        _note_deletion(work)
        self._reload(work, tournament)

    def _forget_heads(self, transaction: Transaction, heads: list[JournalHead]) -> int:
        """Returns how many were not deleted before."""
        for head in heads:
            _delete_notices(transaction.work, head)
        fresh = [head for head in heads if head.forgotten is None]
        for head in fresh:
            _delete_lines(transaction.work, head)
            transaction.journals.put(replace(head, forgotten=transaction.work.now, bound_by=None))
        transaction.work.after += (
            lambda: self._shared.journals.replays.drop(fresh),
            lambda: self._shared.journals.lives.drop(head.id for head in fresh),
        )
        return len(fresh)

    def _reload(self, work: Work, tournament: str) -> None:
        changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(revision=work.revision)
        work.connection.execute(changed)
        work.changed = True
        work.after.append(lambda: self._shared.tournaments.drop([tournament]))

    def _limit(self, days: int) -> str:
        """Times are compared as they are written: a journey to another zone moves the limit by hours."""
        return (self._database.clock.now() - timedelta(days=days)).isoformat(timespec="milliseconds")

    def _done(self, what: str, whose: str, by: str) -> None:
        """What was asked for is gone from the disk too, and the log says who asked."""
        self._database.vacuum()
        log.info(f"deleted on demand of %s: {what}", by, whose)


def _note_deletion(work: Work) -> None:
    """Backups made before have what was deleted; who keeps them sees by this that they are to go."""
    keep_value(work.connection, DELETED, str(int(datetime.fromisoformat(work.now).timestamp())))


def _old_tournaments(work: Work, limit: str) -> list[str]:
    newest = select(FACTS.c.tournament, func.max(FACTS.c.at).label("at")).group_by(FACTS.c.tournament).subquery()
    rows = (
        select(TOURNAMENTS.c.id)
        .outerjoin(newest, newest.c.tournament == TOURNAMENTS.c.id)
        .where(TOURNAMENTS.c.forgotten.is_(None), func.coalesce(newest.c.at, TOURNAMENTS.c.begun) < limit)
    )
    return list(work.connection.scalars(rows))


def _old_journals(work: Work, limit: str) -> list[JournalHead]:
    """Those of a tournament that is still remembered stay as long as it is."""
    remembered = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.forgotten.is_(None))
    free = or_(JOURNALS.c.tournament.is_(None), JOURNALS.c.tournament.not_in(remembered))
    return _heads(work, JOURNALS.c.forgotten.is_(None), JOURNALS.c.last < limit, free)


def _heads(work: Work, *which: ColumnElement[bool]) -> list[JournalHead]:
    rows = select(*columns()).where(*which).order_by(JOURNALS.c.id)
    return [head_of(row) for row in work.connection.execute(rows)]


def _delete_lines(work: Work, head: JournalHead) -> None:
    connection = work.connection
    connection.execute(update(LINES).where(LINES.c.journal == head.id).values(line=None, told=None))
    connection.execute(delete(PICTURES).where(PICTURES.c.journal == head.id))
    for waiting in (WAITING, CONFIRMATIONS):
        of_epoch = (waiting.c.table_id == head.table, waiting.c.epoch == head.epoch)
        connection.execute(delete(waiting).where(*of_epoch))


def _delete_notices(work: Work, head: JournalHead) -> None:
    """What is said of a line or of a result names players, also what was said since the journal was deleted."""
    of_it = (NOTICES.c.table_id == head.table, NOTICES.c.epoch == head.epoch, NOTICES.c.kind != "copied_card")
    work.connection.execute(delete(NOTICES).where(*of_it))


def _delete_pictures(work: Work, *which: ColumnElement[bool]) -> int:
    gone = work.connection.execute(delete(PICTURES).where(*which)).rowcount
    work.changed |= gone > 0
    return gone
