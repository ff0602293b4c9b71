"""Deletion of names, journals and pictures, on demand and after a retention period.

A deleted journal keeps its hash chain and the result counted in the tournament. With the chain the hub
acknowledges all lines if a table sends the journal again. Names of entries become numbers; their results are
kept.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, delete, func, or_, select, update

from companion.clock import FIRST_PLAUSIBLE
from companion.hub.database import LAST_DELETION_KEY, Database, UnitOfWork, get_value, set_value
from companion.hub.journals import head_columns, head_of
from companion.hub.models import JournalHead
from companion.hub.results import SharedState, Transaction
from companion.hub.schema import CONFIRMATIONS, FACTS, JOURNALS, LINES, NOTICES, PICTURES, TOURNAMENTS, WAITING
from companion.hub.tournament_storage import erase_archive_reasons, erase_names
from companion.tournament.progress import progress_of

log = logging.getLogger(__name__)

_TERMS_KEY = "terms"


@dataclass(frozen=True, slots=True)
class RetentionTerms:
    """Retention in days: of names and journals after a tournament's last event or a match's last line, and of pictures.

    0: unlimited.
    """

    names_days: int = 365
    pictures_days: int = 30


_TERMS_DECODER = msgspec.json.Decoder(RetentionTerms)  # at import: two threads creating the first decoder crash msgspec


class Retention:
    """Deletes data permanently. Deleted data is not restored when a table sends it again."""

    def __init__(self, database: Database, shared: SharedState) -> None:
        self._database = database
        self._shared = shared

    def terms(self) -> RetentionTerms:
        """Return the retention periods."""
        with self._database.reading() as connection:
            kept = get_value(connection, _TERMS_KEY)
        return RetentionTerms() if kept is None else _TERMS_DECODER.decode(kept)

    def set_terms(self, terms: RetentionTerms) -> None:
        """Set the retention periods."""
        with self._database.writing() as work:
            set_value(work.connection, _TERMS_KEY, msgspec.json.encode(asdict(terms)).decode())

    def sweep(self) -> int:
        """Delete expired data; call it periodically. Returns the number of deleted items."""
        terms = self.terms()
        gone = 0
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            if terms.pictures_days:
                gone += _delete_pictures(work, *_expired(PICTURES.c.at, self._limit(terms.pictures_days)))
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
        """Delete an entry's name from the events and the lines of its matches' journals; results are kept.

        Raises: UnknownTournament.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            state = transaction.tournaments.loaded(tournament).state
            matches = [match.id for match in progress_of(state).matches.values() if entry in match.seats]
            ever = [id for id, reports in state.reports.items() if any(entry in (r.home, r.away) for r in reports)]
            erase_names(work, tournament, frozenset({entry}))
            which = (JOURNALS.c.tournament == tournament, JOURNALS.c.match.in_({*matches, *ever}))
            self._forget_heads(transaction, _heads(work, *which))
            self._reload(work, tournament)
            _note_deletion(work)
        self._done("an entry of tournament %s", tournament, by)

    def forget_tournament(self, tournament: str, by: str) -> None:
        """Delete all names of a tournament and the journals of its matches. Raises: UnknownTournament."""
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            transaction.tournaments.loaded(tournament)
            self._forget_tournament(transaction, tournament)
        self._done("tournament %s", tournament, by)

    def forget_pictures(self, tournament: str | None, by: str) -> int:
        """Delete all pictures (of a tournament). Returns their number."""
        with self._database.writing() as work:
            own = select(JOURNALS.c.id).where(JOURNALS.c.tournament == tournament)
            gone = _delete_pictures(work, *([] if tournament is None else [PICTURES.c.journal.in_(own)]))
        self._done("the pictures of %s", tournament or "all tournaments", by)
        return gone

    def _forget_tournament(self, transaction: Transaction, tournament: str) -> None:
        work = transaction.work
        erase_names(work, tournament, None)
        erase_archive_reasons(work, tournament)
        self._forget_heads(transaction, _heads(work, JOURNALS.c.tournament == tournament))
        mark = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament)
        work.connection.execute(mark.values(forgotten=work.now, begun_by=""))
        _note_deletion(work)
        self._reload(work, tournament)

    def _forget_heads(self, transaction: Transaction, heads: list[JournalHead]) -> int:
        """Delete the content of journals. Returns how many were not deleted before."""
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

    def _reload(self, work: UnitOfWork, tournament: str) -> None:
        changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(revision=work.revision)
        work.connection.execute(changed)
        work.changed = True
        work.after.append(lambda: self._shared.tournaments.drop([tournament]))

    def _limit(self, days: int) -> str:
        """Return the limit as text.

        Stored times are compared as text, so a change of time zone shifts the limit by hours.
        """
        return (self._database.clock.now() - timedelta(days=days)).isoformat(timespec="milliseconds")

    def _done(self, what: str, whose: str, by: str) -> None:
        """Remove the deleted data from the disk and log who requested it."""
        self._database.vacuum()
        log.info(f"deleted on demand of %s: {what}", by, whose)


def _note_deletion(work: UnitOfWork) -> None:
    """Store the time of the deletion: earlier backups still contain the data and must be deleted."""
    set_value(work.connection, LAST_DELETION_KEY, str(int(datetime.fromisoformat(work.now).timestamp())))


def _expired(at: ColumnElement[str], limit: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions that a time is before the limit, and from a clock that was set."""
    return at >= FIRST_PLAUSIBLE.isoformat(timespec="milliseconds"), at < limit


def _old_tournaments(work: UnitOfWork, limit: str) -> list[str]:
    newest = select(FACTS.c.tournament, func.max(FACTS.c.at).label("at")).group_by(FACTS.c.tournament).subquery()
    last = func.coalesce(newest.c.at, TOURNAMENTS.c.begun)
    rows = (
        select(TOURNAMENTS.c.id)
        .outerjoin(newest, newest.c.tournament == TOURNAMENTS.c.id)
        .where(TOURNAMENTS.c.forgotten.is_(None), *_expired(last, limit))
    )
    return list(work.connection.scalars(rows))


def _old_journals(work: UnitOfWork, limit: str) -> list[JournalHead]:
    """Return expired journals. Those of a tournament that is still stored are kept."""
    remembered = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.forgotten.is_(None))
    free = or_(JOURNALS.c.tournament.is_(None), JOURNALS.c.tournament.not_in(remembered))
    return _heads(work, JOURNALS.c.forgotten.is_(None), *_expired(JOURNALS.c.last, limit), free)


def _heads(work: UnitOfWork, *which: ColumnElement[bool]) -> list[JournalHead]:
    rows = select(*head_columns()).where(*which).order_by(JOURNALS.c.id)
    return [head_of(row) for row in work.connection.execute(rows)]


def _delete_lines(work: UnitOfWork, head: JournalHead) -> None:
    connection = work.connection
    connection.execute(update(LINES).where(LINES.c.journal == head.id).values(line=None, told=None, side=None))
    connection.execute(delete(PICTURES).where(PICTURES.c.journal == head.id))
    for waiting in (WAITING, CONFIRMATIONS):
        of_epoch = (waiting.c.table_id == head.table, waiting.c.epoch == head.epoch)
        connection.execute(delete(waiting).where(*of_epoch))


def _delete_notices(work: UnitOfWork, head: JournalHead) -> None:
    """Delete the notices about a journal, including later ones: they may contain players' names."""
    of_it = (NOTICES.c.table_id == head.table, NOTICES.c.epoch == head.epoch, NOTICES.c.kind != "copied_card")
    work.connection.execute(delete(NOTICES).where(*of_it))


def _delete_pictures(work: UnitOfWork, *which: ColumnElement[bool]) -> int:
    gone = work.connection.execute(delete(PICTURES).where(*which)).rowcount
    work.changed |= gone > 0
    return gone
