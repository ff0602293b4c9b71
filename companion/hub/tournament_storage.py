"""Tournaments in the database: their facts within a transaction, which are archived, and the deletion of names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import msgspec
from sqlalchemy import Connection, insert, select, update

from companion.games.base import Fields
from companion.hub.database import Database, UnknownTournament, Work, keep_value, kept_value
from companion.hub.journals import LruCache, storable
from companion.hub.models import JournalHead
from companion.hub.schema import FACTS, KEPT, TOURNAMENTS
from companion.tournament import facts as fa
from companion.tournament import planning, rules, validation
from companion.tournament.course import course
from companion.tournament.facts import State, begin


def erase_names(work: Work, tournament: str, entries: frozenset[str] | None) -> None:
    """Entries become numbers, in the order in which they came; remarks and who confirmed go too. None: all entries."""
    rows = select(FACTS.c.seq, FACTS.c.fact, FACTS.c.table_id).where(FACTS.c.tournament == tournament)
    number = 0
    for row in work.connection.execute(rows.order_by(FACTS.c.seq)).all():
        fact = fa.parse(msgspec.json.decode(row.fact))
        number += isinstance(fact, fa.Enter)
        if entries is not None and not _about(fact, entries):
            continue
        plain = without_names(fact, number)
        values = {"fact": json.dumps(fa.printed(plain), ensure_ascii=False), "by": row.table_id or "", "why": ""}
        this = (FACTS.c.tournament == tournament, FACTS.c.seq == row.seq)
        work.connection.execute(update(FACTS).where(*this).values(**values))


def _about(fact: fa.Fact, entries: frozenset[str]) -> bool:
    if isinstance(fact, fa.Enter | fa.Withdraw | fa.Readmit | fa.Keep):
        return fact.entry in entries
    return isinstance(fact, fa.Outcome) and bool({fact.home, fact.away} & entries)


def without_names(fact: fa.Fact, number: int) -> fa.Fact:
    """A fact without free text; an entry becomes the number, those before it being counted."""
    if isinstance(fact, fa.Enter):
        return replace(fact, name=f"#{number}")
    if isinstance(fact, fa.Withdraw | fa.Correct | fa.Forfeit | fa.DoubleForfeit | fa.Annul | fa.Rule):
        return replace(fact, why="")
    return fact


# One transaction at the desk: facts are decided on the state as it is in this transaction, and recorded.


TournamentCache = LruCache[str, "LoadedTournament"]


@dataclass(frozen=True)
class LoadedTournament:
    """A tournament in memory. `shown` is the state after the last fact that left no question open.

    `called` are the tables that each match was ever called to; `told_by` is the journal (table and epoch) that the
    newest word on how a match ended came from, None where that was the organiser's.
    """

    id: str
    begun: str
    state: State
    shown: State
    over: str | None
    forgotten: str | None
    revision: int
    called: Mapping[str, frozenset[int]] = field(default_factory=dict)
    told_by: Mapping[str, tuple[str, int] | None] = field(default_factory=dict)

    @property
    def under_review(self) -> bool:
        """Whether something waits for the organiser's answer, so that the public sees what was before."""
        return self.shown is not self.state

    def told(self, head: JournalHead) -> bool:
        """Whether a journal has the newest word on how its match ended: the organiser has decided nothing since."""
        return head.match is not None and self.told_by.get(head.match) == (head.table, head.epoch)


def after_fact(loaded: LoadedTournament, fact: fa.Fact, journal: tuple[str, int] | None) -> LoadedTournament:
    """The tournament after a fact that was decided; it came from that journal, or from the organiser."""
    state = rules.apply(loaded.state, fact)
    called = loaded.called
    if isinstance(fact, fa.Call):
        called = {**called, fact.match: called.get(fact.match, frozenset()) | {fact.table}}
    told_by = loaded.told_by
    if isinstance(fact, fa.Outcome | fa.Forfeit | fa.DoubleForfeit | fa.Annul):
        told_by = {**told_by, fact.match: journal}
    return replace(loaded, state=state, called=called, told_by=told_by)


def load(connection: Connection, id: str) -> LoadedTournament:
    """A tournament from its facts. Raises UnknownTournament."""
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == id)).first()
    if row is None:
        raise UnknownTournament(id)
    plan = planning.parse(msgspec.json.decode(row.plan))
    state = begin(plan)
    loaded = LoadedTournament(id, row.begun, state, state, row.over, row.forgotten, row.revision)
    shown = state
    columns = (FACTS.c.seq, FACTS.c.fact, FACTS.c.table_id, FACTS.c.epoch)
    told = select(*columns).where(FACTS.c.tournament == id).order_by(FACTS.c.seq)
    for seq, text, table, epoch in connection.execute(told):
        journal = None if table is None else (table, epoch)
        loaded = after_fact(loaded, fa.parse(msgspec.json.decode(text)), journal)
        if seq == row.shown:
            shown = loaded.state
    return replace(loaded, shown=shown)


class TournamentStore:
    """What happens at the desk within one transaction; others see it when `work` is done."""

    def __init__(self, work: Work, memory: TournamentCache) -> None:
        self.work = work
        self._memory = memory
        self._now: dict[str, LoadedTournament] = {}
        work.after.append(self._publish)

    @property
    def changed(self) -> Iterable[str]:
        """The tournaments in which something was recorded."""
        return tuple(self._now)

    def loaded(self, id: str) -> LoadedTournament:
        """The tournament as it is in this transaction. Raises UnknownTournament."""
        found = self._now.get(id) or self._memory.get(id)
        if found is None:
            found = load(self.work.connection, id)
            self._memory.put({id: found})
        return found

    def begin(self, id: str, fields: Fields, by: str) -> None:
        """A new tournament. Raises `Refusal` for what is no plan."""
        plan = planning.parse(fields)
        state = begin(plan)
        work = self.work
        work.connection.execute(
            insert(TOURNAMENTS).values(
                id=id,
                plan=json.dumps(planning.fields(plan), ensure_ascii=False),
                begun=work.now,
                begun_by=storable(by),
                facts=0,
                shown=0,
                revision=work.revision,
            )
        )
        work.changed = True
        self._now[id] = LoadedTournament(id, work.now, state, state, None, None, work.revision)

    def record(self, id: str, fact: fa.Fact, by: str, why: str = "", source: JournalHead | None = None) -> int:
        """Records a fact, from a journal's head if one is given. Raises `Refusal` for one that cannot be.

        Of a tournament whose names are deleted no name and no reason is kept, nor who decided.
        """
        validation.checked(why, fa.NAMES[type(fact)], "why")
        before = self.loaded(id)
        reason = rules.decide(before.state, fact)
        if reason is not None:
            raise reason
        if before.forgotten is not None:
            fact, why = without_names(fact, len(before.state.entries) + 1), ""
            by = source.table if source else ""
        work = self.work
        journal = (source.table, source.epoch) if source else None
        loaded = replace(after_fact(before, fact, journal), revision=work.revision)
        now = course(loaded.state)
        # Without a question the public sees all; the very state then, so that identity tells.
        loaded = replace(
            loaded,
            shown=before.shown if now.questions else loaded.state,
            over=(before.over or work.now) if now.over else None,
        )
        seq = loaded.state.seq
        work.connection.execute(
            insert(FACTS).values(
                tournament=id,
                seq=seq,
                fact=json.dumps(fa.printed(fact), ensure_ascii=False),
                at=work.now,
                by=storable(by),
                why=why,
                table_id=source.table if source else None,
                epoch=source.epoch if source else None,
                line=source.seq if source else None,
            )
        )
        work.connection.execute(
            update(TOURNAMENTS)
            .where(TOURNAMENTS.c.id == id)
            .values(facts=seq, shown=loaded.shown.seq, over=loaded.over, revision=work.revision)
        )
        work.changed = True
        self._now[id] = loaded
        return seq

    def _publish(self) -> None:
        self._memory.put(self._now)


# Tournaments that the organiser took off the public pages, made by mistake say; when, by whom and why.


_KEY = "archive."
"""Begins the name of what is kept for a tournament."""


@dataclass(frozen=True, slots=True)
class Step:
    """It was taken off the public pages, or brought back: when (ISO 8601), by whom, why."""

    archived: bool
    at: str
    by: str
    why: str


_READS = msgspec.json.Decoder(
    tuple[Step, ...]
)  # made here: two threads that make the first one at once crash the library


class Archive:
    """Which tournaments nobody but the organiser sees. Nothing of them is lost. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[Step, ...]] | None = None
        database.remembers(self._forget)

    def holds(self, tournament: str) -> bool:
        """Whether it is archived."""
        steps = self.steps(tournament)
        return bool(steps) and steps[-1].archived

    def steps(self, tournament: str) -> tuple[Step, ...]:
        """What was done with it, the oldest first."""
        return self._all().get(tournament, ())

    def put(self, tournament: str, archived: bool, by: str, why: str) -> bool:
        """Takes it off the public pages, or brings it back; whether it was not so before. Raises UnknownTournament.

        Raises `Refusal` without a reason, and for one that cannot be seen (`texts`).
        """
        validation.checked(why, "archive", "why", empty=False)
        with self._database.writing() as work:
            known = select(TOURNAMENTS.c.forgotten).where(TOURNAMENTS.c.id == tournament)
            row = work.connection.execute(known).first()
            if row is None:
                raise UnknownTournament(tournament)
            steps = _read(work, tournament)
            if archived == (bool(steps) and steps[-1].archived):
                return False
            step = Step(archived, work.now, storable(by), why)
            _keep(work, tournament, (*steps, step if row.forgotten is None else replace(step, by="", why="")))
            changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament)
            work.connection.execute(changed.values(revision=work.revision))
            work.changed = True
            work.after.append(self._forget)
        return True

    def _all(self) -> dict[str, tuple[Step, ...]]:
        known = self._known
        if known is None:
            # In the writer's turn: otherwise what was read before a change could be put back after it.
            with self._database.turn(), self._database.reading() as connection:
                rows = connection.execute(select(KEPT).where(KEPT.c.key.startswith(_KEY)))
                known = {row.key.removeprefix(_KEY): _READS.decode(row.value) for row in rows}
                self._known = known
        return known

    def _forget(self) -> None:
        self._known = None


def erase_words(work: Work, tournament: str) -> None:
    """Who and why go from the steps of a tournament whose names are deleted."""
    steps = _read(work, tournament)
    if steps:
        _keep(work, tournament, tuple(replace(each, by="", why="") for each in steps))


def _read(work: Work, tournament: str) -> tuple[Step, ...]:
    kept = kept_value(work.connection, _KEY + tournament)
    return () if kept is None else _READS.decode(kept)


def _keep(work: Work, tournament: str, steps: tuple[Step, ...]) -> None:
    keep_value(work.connection, _KEY + tournament, msgspec.json.encode(steps).decode())
