"""The tournaments as the organiser works on them: facts, proposals, assignments, and the choice between journals."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import uuid4

import msgspec
from sqlalchemy import select

from companion.games.base import Fields, Message, Refusal
from companion.hub.database import Database, UnknownJournal
from companion.hub.journals import games_counted, storable
from companion.hub.models import NONE, REPLACED, Assignment, Bound, JournalHead, Recorded, TournamentRow
from companion.hub.results import SharedState, Transaction, close_notices, dismiss
from companion.hub.schema import FACTS, TOURNAMENTS
from companion.hub.tournament_storage import LoadedTournament, load
from companion.tournament import facts as fa
from companion.tournament import headers, rules
from companion.tournament.course import Course, course, match_name
from companion.tournament.facts import State
from companion.tournament.rules import match_of
from companion.tournament.schedule import Schedule, next_calls, schedule

_NOWHERE = -1


def choose(transaction: Transaction, counting: JournalHead, chosen: JournalHead, by: str) -> JournalHead:
    """Lets another journal count under its number; returns its head. Both stay, byte for byte.

    What the tournament took from the one before is corrected by the one that counts now, once it is over and confirmed.
    """
    journals = transaction.journals
    close_notices(transaction.work, counting, ("copied_card",), by)
    if chosen.id == counting.id:
        return chosen
    journals.put(replace(counting, branch=_NOWHERE))
    took_over = replace(
        chosen,
        branch=0,
        tournament=chosen.tournament or counting.tournament,
        match=chosen.match or counting.match,
        entries=chosen.entries or counting.entries,
        bound_by=chosen.bound_by or counting.bound_by,
        result=counting.result,
        counted=counting.counted,
    )
    winner = journals.put(took_over)
    outcome = NONE if counting.result == NONE else REPLACED
    journals.put(replace(counting, branch=chosen.branch, result=outcome))
    return winner


# The desk: the facts of the tournaments, each with when, by whom and why; what may be recorded the rules decide.


class TournamentService:
    """The tournaments of the hub. Safe to call from any thread; states are frozen values."""

    def __init__(self, database: Database, shared: SharedState, archived: Callable[[str], bool]) -> None:
        self._database, self._archived = database, archived
        self._shared = shared

    def create(self, plan: Fields, by: str) -> str:
        """A new tournament from its plan as JSON; returns its id. Raises `Refusal` for what is no plan."""
        id = uuid4().hex[:12]
        with self._database.writing() as work:
            self._shared.transaction(work).tournaments.begin(id, plan, by)
        return id

    def all(self) -> tuple[TournamentRow, ...]:
        """All tournaments, the newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(select(TOURNAMENTS.c.id).order_by(TOURNAMENTS.c.begun.desc(), TOURNAMENTS.c.id))
            ids = list(rows.scalars())
        return tuple(_row(self._standing(id), self._archived(id)) for id in ids)

    def state(self, tournament: str) -> State:
        """All facts as they are now. Raises UnknownTournament."""
        return self._standing(tournament).state

    def course(self, tournament: str) -> Course:
        """How it stands now, with the questions to the organiser (`course.questions`)."""
        return course(self.state(tournament))

    def public(self, tournament: str) -> tuple[State, bool]:
        """What the public sees: the state before anything was under review, and whether something is."""
        loaded = self._standing(tournament)
        return loaded.shown, loaded.under_review

    def schedule(self, tournament: str) -> Schedule:
        """Who plays next, where and when, by the clock of now."""
        return schedule(self.state(tournament), _seconds(self._database))

    def decide(self, tournament: str, fact: fa.Fact | Sequence[fa.Fact], by: str, why: str = "") -> int:
        """Records a fact, or some at once, on the disk on return; returns the number of the last one.

        Raises `Refusal`, then nothing has changed.
        """
        seq = 0
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            for each in fact if isinstance(fact, Sequence) else (fact,):
                seq = transaction.tournaments.record(tournament, each, by, why)
            transaction.count_pending(tournament)
        return seq

    def proposals(self, tournament: str) -> tuple[fa.Fact, ...]:
        """What could be decided now without a choice: the next draw, the seeds of a stage, the calls to tables."""
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

    def trace(self, tournament: str, after: int = 0) -> tuple[Recorded, ...]:
        """The facts after a number, with when, by whom and why."""
        rows = select(FACTS).where(FACTS.c.tournament == tournament, FACTS.c.seq > after).order_by(FACTS.c.seq)
        with self._database.reading() as connection:
            return tuple(
                Recorded(
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
        """The match that is called to a table, None if there is none; of several tournaments that called last.

        An archived tournament calls nobody.
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
        match = course(state).matches[id]
        sides, setup = headers.names(state, match), headers.setup(state, match)
        entries = headers.sides(state, match)
        again = self.games_counted(tournament).get(id, 0)
        return Assignment(table, tournament, id, state.plan.game, sides, entries, setup, clock, again)

    def games_counted(self, tournament: str) -> dict[str, int]:
        """How many games of each match were counted: a match that is called all the same is played again."""
        with self._database.reading() as connection:
            return games_counted(connection, tournament)

    def count(self, table: str, epoch: int, tournament: str, match: str, by: str) -> None:
        """The organiser says that a journal is that match's, wherever it was played, and ended as it stands.

        Raises `Refusal` if there is no such match, if the journal was deleted or is the result of another match;
        UnknownJournal, UnknownTournament.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            head = _head(transaction, table, epoch)
            _check_free(transaction, head, Bound(tournament, match))
            state = transaction.tournaments.loaded(tournament).state
            seated = headers.sides(state, match_of(state, match))
            entries = json.dumps(seated, ensure_ascii=False, sort_keys=True)
            fresh = (tournament, match) != (head.tournament, head.match)
            bound = replace(
                head, tournament=tournament, match=match, entries=entries, bound_by=storable(by), confirmed=head.seq
            )
            bound = replace(bound, result=NONE, counted=None) if fresh else bound
            transaction.count_result(transaction.journals.put(bound), asked=True)
            transaction.count_pending(tournament)

    def choose(self, table: str, epoch: int, branch: int, by: str, seen: int | None = None) -> None:
        """The organiser says which of a copied card's journals counts; nothing happens if it does already.

        `seen` is the journal (`JournalHead.id`) that had the branch's number when the organiser looked. Raises
        UnknownJournal, and `Refusal` if another journal has that number now.
        """
        with self._database.writing() as work:
            transaction = self._shared.transaction(work)
            counting, chosen = _head(transaction, table, epoch), _head(transaction, table, epoch, branch)
            if seen is not None and seen == counting.id:
                chosen = counting
            elif seen is not None and seen != chosen.id:
                raise Refusal("chosen_otherwise", Message("tournament.hub.refusal.chosen_otherwise"))
            transaction.count_result(choose(transaction, counting, chosen, by))
            for tournament in transaction.tournaments.changed:
                transaction.count_pending(tournament)

    def dismiss(self, notice: int, by: str) -> bool:
        """The organiser has seen a notice and lets it be. False if there is no such open one."""
        return dismiss(self._database, notice, by)

    def _standing(self, tournament: str) -> LoadedTournament:
        found = self._shared.tournaments.get(tournament)
        if found is None:
            # In the writer's turn: a reader could put back what is older than a fact just recorded.
            with self._database.turn():
                found = self._shared.tournaments.get(tournament)
                if found is None:
                    with self._database.reading() as connection:
                        found = load(connection, tournament)
                    self._shared.tournaments.put({tournament: found})
        return found


def _head(transaction: Transaction, table: str, epoch: int, branch: int = 0) -> JournalHead:
    for head in transaction.journals.epoch((table, epoch)).heads:
        if head.branch == branch:
            return head
    raise UnknownJournal(table, epoch, branch)


def _check_free(transaction: Transaction, head: JournalHead, wanted: Bound) -> None:
    """Raises `Refusal` for a journal that cannot count for a match: it is deleted, or counts already."""
    if head.forgotten is not None:
        raise Refusal("journal_deleted", Message("tournament.hub.refusal.journal_deleted"))
    now = head.bound
    if now is None or now == wanted or head.counted is None:
        return
    loaded = transaction.tournaments.loaded(now.tournament)
    if loaded.told(head):
        args = {"match": match_name(loaded.state, course(loaded.state).matches[now.match])}
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
    """Since 1970, by the hub's clock."""
    return int(database.clock.now().timestamp())
