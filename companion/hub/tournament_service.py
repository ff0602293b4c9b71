"""The organiser's operations on tournaments: events, proposals, assignments, and the choice between journals."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from uuid import uuid4

import msgspec
from sqlalchemy import select

from companion.games.base import Fields, Message, Refusal
from companion.hub.database import Database, UnknownJournal
from companion.hub.journals import games_counted, sanitize_text
from companion.hub.models import (
    RESULT_NONE,
    RESULT_REPLACED,
    Assignment,
    JournalHead,
    MatchRef,
    RecordedFact,
    TournamentRow,
)
from companion.hub.results import SharedState, Transaction, close_disputes, close_notices, dismiss
from companion.hub.schema import FACTS, TOURNAMENTS
from companion.hub.tournament_storage import LoadedTournament, MatchRuling, load
from companion.tournament import facts as fa
from companion.tournament import headers, rules
from companion.tournament.facts import TournamentState
from companion.tournament.progress import TournamentProgress, match_name, progress_of
from companion.tournament.rules import find_match
from companion.tournament.schedule import Schedule, next_calls, schedule
from companion.tournament.validation import refusal

_NO_BRANCH = -1


def choose_branch(transaction: Transaction, counting: JournalHead, chosen: JournalHead, by: str) -> JournalHead:
    """Make another journal of the same number the one that counts, and return its head. Both are kept byte for byte.

    Once the new journal is finished and confirmed, it corrects what the tournament took from the previous one.
    """
    journals = transaction.journals
    close_notices(transaction.work, counting, ("copied_card",), by)
    if chosen.id == counting.id:
        return chosen
    journals.put(replace(counting, branch=_NO_BRANCH))
    took_over = replace(
        chosen,
        branch=0,
        tournament=chosen.tournament or counting.tournament,
        match=chosen.match or counting.match,
        entries=chosen.entries or counting.entries,
        bound_by=chosen.bound_by or counting.bound_by,
        result=counting.result,
        counted_result=counting.counted_result,
    )
    winner = journals.put(took_over)
    outcome = RESULT_NONE if counting.result == RESULT_NONE else RESULT_REPLACED
    journals.put(replace(counting, branch=chosen.branch, result=outcome))
    return winner


# The organiser's desk: tournament events with time, author and reason. The rules decide what may be recorded.


class TournamentService:
    """The tournaments of the hub. Safe to call from any thread; states are immutable."""

    def __init__(self, database: Database, shared: SharedState, archived: Callable[[str], bool]) -> None:
        self._database, self._archived = database, archived
        self._shared = shared

    def create(self, plan: Fields, by: str) -> str:
        """Create a tournament from its plan (JSON) and return its id. Raises: Refusal, if the plan is invalid."""
        id = uuid4().hex[:12]
        with self._database.writing() as work:
            self._shared.transaction(work).tournaments.create(id, plan, by)
        return id

    def all(self) -> tuple[TournamentRow, ...]:
        """Return all tournaments, newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(select(TOURNAMENTS.c.id).order_by(TOURNAMENTS.c.begun.desc(), TOURNAMENTS.c.id))
            ids = list(rows.scalars())
        return tuple(_row(self._loaded(id), self._archived(id)) for id in ids)

    def state(self, tournament: str) -> TournamentState:
        """Return the current state. Raises: UnknownTournament."""
        return self._loaded(tournament).state

    def progress(self, tournament: str) -> TournamentProgress:
        """Return the current course, including the questions to the organiser (`progress.questions`)."""
        return progress_of(self.state(tournament))

    def public_state(self, tournament: str) -> tuple[TournamentState, bool]:
        """Return the public state, which during a review is the one before it, and whether a review is open."""
        loaded = self._loaded(tournament)
        return loaded.public_state, loaded.under_review

    def schedule(self, tournament: str) -> Schedule:
        """Return the current schedule: the next matches with place and time."""
        return schedule(self.state(tournament), _seconds(self._database))

    def decide(self, tournament: str, fact: fa.Fact | Sequence[fa.Fact], by: str, why: str = "") -> int:
        """Record one or several events in one durable transaction. Returns the number of the last one.

        Raises: Refusal; then nothing has changed.
        """
        seq = 0
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            for each in fact if isinstance(fact, Sequence) else (fact,):
                seq = transaction.tournaments.record(tournament, each, by, why)
                if isinstance(each, fa.Outcome | fa.Forfeit | fa.DoubleForfeit):
                    close_disputes(work, tournament, each.match, by)
            transaction.count_pending(tournament)
        return seq

    def proposals(self, tournament: str) -> tuple[fa.Fact, ...]:
        """Return the decisions that need no choice: the next draw, the seeds of a stage, the calls to tables."""
        state = self.state(tournament)
        found: list[fa.Fact] = []
        for propose in (rules.propose_draw, rules.propose_seed):
            try:
                found.append(propose(state))
            except (Refusal, IndexError):
                continue
        now = _seconds(self._database)
        if state.started:
            found += [fa.Call(slot.match, slot.table, now) for slot in next_calls(state, now)]
        return tuple(found)

    def trace(self, tournament: str, after: int = 0) -> tuple[RecordedFact, ...]:
        """Return the events after a number, with time, author and reason."""
        rows = select(FACTS).where(FACTS.c.tournament == tournament, FACTS.c.seq > after).order_by(FACTS.c.seq)
        with self._database.reading() as connection:
            return tuple(
                RecordedFact(
                    row.seq,
                    fa.parse(msgspec.json.decode(row.fact)),
                    row.at,
                    row.by,
                    row.why,
                    row.table_id,
                    row.epoch,
                    row.line,
                )
                for row in connection.execute(rows)
            )

    def assignment(self, table: str) -> Assignment | None:
        """Return the match called to a table, or None. With several tournaments the latest call wins.

        Archived tournaments are ignored.
        """
        number = self._shared.number_of(table)
        called = [
            (call.clock, row.id, call.match)
            for row in self.all()
            for call in self.state(row.id).calls.values()
            if call.table == number and not row.archived
        ]
        if not called:
            return None
        clock, tournament, id = max(called)
        state = self.state(tournament)
        match = progress_of(state).matches[id]
        sides, setup = headers.names(state, match), headers.setup(state, match)
        entries = headers.sides(state, match)
        again = self.games_counted(tournament).get(id, 0)
        return Assignment(table, tournament, id, state.plan.game, sides, entries, setup, clock, again)

    def games_counted(self, tournament: str) -> dict[str, int]:
        """Return the number of counted games of each match. A match that is called again is replayed."""
        with self._database.reading() as connection:
            return games_counted(connection, tournament)

    def rulings(self, tournament: str) -> Mapping[int, MatchRuling]:
        """Return what the organiser decided about the match that was called to a table last, by table number."""
        return self._loaded(tournament).rulings

    def count_journal(self, journal: tuple[str, int], match: MatchRef, by: str, why: str = "") -> None:
        """Assign a journal (table and epoch) to a match by the organiser's decision and count its current result.

        The journal may have been played anywhere.

        Raises: Refusal, if there is no such match, or the journal was deleted or is the result of another match;
        UnknownJournal; UnknownTournament.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            _count_journal(transaction, _head(transaction, *journal), match, by, why)
            transaction.count_pending(match.tournament)

    def replay_match(self, journal: tuple[str, int], match: MatchRef, by: str, why: str) -> None:
        """Order another game of a match whose journal does not stand, at the same table.

        The journal is counted and its result annulled, so that the next game of the match is known as another one.

        Raises: Refusal; UnknownJournal; UnknownTournament.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            call = transaction.tournaments.loaded(match.tournament).state.calls.get(match.match)
            if call is None:
                raise refusal("not_called", match=match.match)
            _count_journal(transaction, _head(transaction, *journal), match, by, why)
            clock = _seconds(self._database)
            for fact in (fa.Annul(match.match, why), fa.Call(match.match, call.table, clock)):
                transaction.tournaments.record(match.tournament, fact, by, why)

    def choose_branch(self, table: str, epoch: int, branch: int, by: str, seen: int | None = None) -> None:
        """Choose which journal of a copied card counts. Does nothing if it counts already.

        `seen` is the journal (`JournalHead.id`) that had the branch's number when the organiser saw it.

        Raises: UnknownJournal; Refusal, if another journal has that number now.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            counting, chosen = _head(transaction, table, epoch), _head(transaction, table, epoch, branch)
            if seen is not None and seen == counting.id:
                chosen = counting
            elif seen is not None and seen != chosen.id:
                raise Refusal("chosen_otherwise", Message("tournament.hub.refusal.chosen_otherwise"))
            transaction.count_result(choose_branch(transaction, counting, chosen, by))
            for tournament in transaction.tournaments.changed:
                transaction.count_pending(tournament)

    def dismiss(self, notice: int, by: str) -> bool:
        """Close a notice at the organiser's request. Returns False if no such notice is open."""
        return dismiss(self._database, notice, by)

    def _loaded(self, tournament: str) -> LoadedTournament:
        found = self._shared.tournaments.get(tournament)
        if found is None:
            # Under the writer's lock: otherwise a reader could cache a state older than an event just recorded.
            with self._database.write_lock():
                found = self._shared.tournaments.get(tournament)
                if found is None:
                    with self._database.reading() as connection:
                        found = load(connection, tournament)
                    self._shared.tournaments.put({tournament: found})
        return found


def _head(transaction: Transaction, table: str, epoch: int, branch: int = 0) -> JournalHead:
    for head in transaction.journals.branches((table, epoch)).heads:
        if head.branch == branch:
            return head
    raise UnknownJournal(table, epoch, branch)


def _count_journal(transaction: Transaction, head: JournalHead, match: MatchRef, by: str, why: str) -> None:
    """Assign a journal to a match and count its result. Raises: Refusal; UnknownTournament."""
    _check_countable(transaction, head, match)
    state = transaction.tournaments.loaded(match.tournament).state
    seated = headers.sides(state, find_match(state, match.match))
    bound = replace(
        head,
        tournament=match.tournament,
        match=match.match,
        entries=json.dumps(seated, ensure_ascii=False, sort_keys=True),
        bound_by=sanitize_text(by),
        confirmed=head.seq,
    )
    bound = replace(bound, result=RESULT_NONE, counted_result=None) if match != head.match_ref else bound
    transaction.count_result(transaction.journals.put(bound), by_organiser=True, why=why)


def _check_countable(transaction: Transaction, head: JournalHead, wanted: MatchRef) -> None:
    """Check that a journal can count for a match: not deleted, not counted for another. Raises: Refusal."""
    if head.forgotten is not None:
        raise Refusal("journal_deleted", Message("tournament.hub.refusal.journal_deleted"))
    now = head.match_ref
    if now is None or now == wanted or head.counted_result is None:
        return
    loaded = transaction.tournaments.loaded(now.tournament)
    if loaded.is_result_source(head):
        args = {"match": match_name(loaded.state, progress_of(loaded.state).matches[now.match])}
        raise Refusal("counted_elsewhere", Message("tournament.hub.refusal.counted_elsewhere", args))


def _row(loaded: LoadedTournament, archived: bool) -> TournamentRow:
    plan = loaded.state.plan
    return TournamentRow(
        loaded.id,
        plan.name,
        plan.game,
        loaded.begun,
        loaded.state.seq,
        loaded.under_review,
        loaded.over is not None,
        loaded.forgotten,
        loaded.revision,
        archived,
    )


def _seconds(database: Database) -> int:
    """Return the hub's clock as Unix time in seconds."""
    return int(database.clock.now().timestamp())
