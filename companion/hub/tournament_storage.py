"""Tournaments in the database: their events within a transaction, archiving, and deletion of names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import msgspec
from sqlalchemy import Connection, insert, select, update

from companion.games.base import Fields
from companion.hub.database import Database, UnitOfWork, UnknownTournament, get_value, set_value
from companion.hub.journals import LruCache, sanitize_text
from companion.hub.models import JournalHead
from companion.hub.schema import FACTS, KEY_VALUES, TOURNAMENTS
from companion.tournament import facts as fa
from companion.tournament import planning, rules, validation
from companion.tournament.facts import TournamentState, initial_state
from companion.tournament.progress import progress_of


def erase_names(work: UnitOfWork, tournament: str, entries: frozenset[str] | None) -> None:
    """Replace entries' names by numbers in order of registration, and delete remarks and confirmers.

    None: all entries.
    """
    rows = select(FACTS.c.seq, FACTS.c.fact, FACTS.c.table_id).where(FACTS.c.tournament == tournament)
    numbers: dict[str, int] = {}
    for row in work.connection.execute(rows.order_by(FACTS.c.seq)).all():
        fact = fa.parse(msgspec.json.decode(row.fact))
        if isinstance(fact, fa.Enter):
            numbers[fact.entry] = len(numbers) + 1
        if entries is not None and not _concerns(fact, entries):
            continue
        plain = without_names(fact, _number_of(fact, numbers))
        values = {"fact": json.dumps(fa.to_json(plain), ensure_ascii=False), "by": row.table_id or "", "why": ""}
        this = (FACTS.c.tournament == tournament, FACTS.c.seq == row.seq)
        work.connection.execute(update(FACTS).where(*this).values(**values))


def _concerns(fact: fa.Fact, entries: frozenset[str]) -> bool:
    if isinstance(fact, fa.Enter | fa.Edit | fa.Withdraw | fa.Readmit | fa.Keep):
        return fact.entry in entries
    return isinstance(fact, fa.Outcome) and bool({fact.home, fact.away} & entries)


def _number_of(fact: fa.Fact, numbers: Mapping[str, int]) -> int:
    """Return the number of an event's entry in order of registration: that of the next one if it is new."""
    return numbers.get(getattr(fact, "entry", ""), len(numbers) + 1)


def without_names(fact: fa.Fact, number: int) -> fa.Fact:
    """Return an event without free text. An entry gets its number as name."""
    if isinstance(fact, fa.Enter | fa.Edit):
        return replace(fact, name=f"#{number}", club="")
    if isinstance(fact, fa.Withdraw | fa.Correct | fa.Forfeit | fa.DoubleForfeit | fa.Annul | fa.Rule):
        return replace(fact, why="")
    return fact


# One transaction at the desk: events are decided on the state within this transaction, and recorded.


TournamentCache = LruCache[str, "LoadedTournament"]


@dataclass(frozen=True, slots=True)
class MatchRuling:
    """A decision of the organiser about a match that was called to a table, with its reason."""

    match: str
    why: str


@dataclass(frozen=True)
class LoadedTournament:
    """A tournament in memory.

    - `public_state`: the state after the last event that left no question open
    - `called`: the tables that each match was ever called to
    - `result_sources`: the journal (table and epoch) of the newest report on a match's outcome, None for the organiser
    - `rulings`: what the organiser decided about the match that was called to a table last, by table number
    """

    id: str
    begun: str
    state: TournamentState
    public_state: TournamentState
    over: str | None
    forgotten: str | None
    revision: int
    called: Mapping[str, frozenset[int]] = field(default_factory=dict)
    result_sources: Mapping[str, tuple[str, int] | None] = field(default_factory=dict)
    rulings: Mapping[int, MatchRuling] = field(default_factory=dict)

    @property
    def under_review(self) -> bool:
        """Whether a question awaits the organiser's answer, so that the public sees an earlier state."""
        return self.public_state is not self.state

    def is_result_source(self, head: JournalHead) -> bool:
        """Return whether the newest report on the match came from this journal, not from the organiser."""
        return head.match is not None and self.result_sources.get(head.match) == (head.table, head.epoch)


def after_fact(
    loaded: LoadedTournament, fact: fa.Fact, journal: tuple[str, int] | None, why: str = ""
) -> LoadedTournament:
    """Return the tournament after a decided event from a journal or, without one, from the organiser.

    `why`: the organiser's reason, also for counting a journal.
    """
    state = rules.apply(loaded.state, fact)
    called = loaded.called
    if isinstance(fact, fa.Call):
        called = {**called, fact.match: called.get(fact.match, frozenset()) | {fact.table}}
    result_sources = loaded.result_sources
    if isinstance(fact, fa.Outcome | fa.Forfeit | fa.DoubleForfeit | fa.Annul):
        result_sources = {**result_sources, fact.match: journal}
    rulings = _rulings_after(loaded, fact, None if journal is not None and not why else why)
    return replace(loaded, state=state, called=called, result_sources=result_sources, rulings=rulings)


def _rulings_after(loaded: LoadedTournament, fact: fa.Fact, why: str | None) -> Mapping[int, MatchRuling]:
    """Return the rulings by table after an event; without `why` the event came from a table."""
    rulings = loaded.rulings
    if isinstance(fact, fa.Call):
        return {table: ruling for table, ruling in rulings.items() if table != fact.table or ruling.match == fact.match}
    if not isinstance(fact, fa.Outcome | fa.Forfeit | fa.DoubleForfeit | fa.Annul):
        return rulings
    before = next((table for table, ruling in rulings.items() if ruling.match == fact.match), None)
    call = loaded.state.calls.get(fact.match)
    table = before if call is None else call.table
    if table is None:
        return rulings
    if why is None:
        return {at: ruling for at, ruling in rulings.items() if at != table}
    return {**rulings, table: MatchRuling(fact.match, why)}


def load(connection: Connection, id: str) -> LoadedTournament:
    """Load a tournament from its events. Raises: UnknownTournament."""
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == id)).first()
    if row is None:
        raise UnknownTournament(id)
    plan = planning.parse(msgspec.json.decode(row.plan))
    state = initial_state(plan)
    loaded = LoadedTournament(id, row.begun, state, state, row.over, row.forgotten, row.revision)
    public_state = state
    columns = (FACTS.c.seq, FACTS.c.fact, FACTS.c.table_id, FACTS.c.epoch, FACTS.c.why)
    query = select(*columns).where(FACTS.c.tournament == id).order_by(FACTS.c.seq)
    for seq, text, table, epoch, why in connection.execute(query):
        journal = None if table is None else (table, epoch)
        loaded = after_fact(loaded, fa.parse(msgspec.json.decode(text)), journal, why)
        if seq == row.shown:
            public_state = loaded.state
    return replace(loaded, public_state=public_state)


class TournamentStore:
    """Tournament changes within one transaction. They become visible to others when `work` is committed."""

    def __init__(self, work: UnitOfWork, cache: TournamentCache) -> None:
        self.work = work
        self._cache = cache
        self._loaded: dict[str, LoadedTournament] = {}
        work.after.append(self._publish)

    @property
    def changed(self) -> Iterable[str]:
        """The tournaments with new events."""
        return tuple(self._loaded)

    def loaded(self, id: str) -> LoadedTournament:
        """Return the tournament as of this transaction. Raises: UnknownTournament."""
        found = self._loaded.get(id) or self._cache.get(id)
        if found is None:
            found = load(self.work.connection, id)
            self._cache.put({id: found})
        return found

    def create(self, id: str, fields: Fields, by: str) -> None:
        """Create a tournament. Raises: Refusal, if the plan is invalid."""
        plan = planning.parse(fields)
        state = initial_state(plan)
        work = self.work
        work.connection.execute(
            insert(TOURNAMENTS).values(
                id=id,
                plan=json.dumps(planning.to_json(plan), ensure_ascii=False),
                begun=work.now,
                begun_by=sanitize_text(by),
                facts=0,
                shown=0,
                revision=work.revision,
            )
        )
        work.changed = True
        self._loaded[id] = LoadedTournament(id, work.now, state, state, None, None, work.revision)

    def record(self, id: str, fact: fa.Fact, by: str, why: str = "", source: JournalHead | None = None) -> int:
        """Record an event, optionally from a journal's head. Raises: Refusal, if the rules do not allow it.

        If the tournament's names were deleted, names, reasons and authors are not stored.
        """
        validation.check_text(why, fa.FACT_NAMES[type(fact)], "why")
        before = self.loaded(id)
        reason = rules.decide(before.state, fact)
        if reason is not None:
            raise reason
        if before.forgotten is not None:
            numbers = {entry: number for number, entry in enumerate(before.state.entered, 1)}
            fact, why = without_names(fact, _number_of(fact, numbers)), ""
            by = source.table if source else ""
        work = self.work
        journal = (source.table, source.epoch) if source else None
        loaded = replace(after_fact(before, fact, journal, why), revision=work.revision)
        now = progress_of(loaded.state)
        # Without a question the public sees everything. The same object, because `under_review` compares
        # identity.
        loaded = replace(
            loaded,
            public_state=before.public_state if now.questions else loaded.state,
            over=(before.over or work.now) if now.over else None,
        )
        seq = loaded.state.seq
        work.connection.execute(
            insert(FACTS).values(
                tournament=id,
                seq=seq,
                fact=json.dumps(fa.to_json(fact), ensure_ascii=False),
                at=work.now,
                by=sanitize_text(by),
                why=why,
                table_id=source.table if source else None,
                epoch=source.epoch if source else None,
                line=source.seq if source else None,
            )
        )
        work.connection.execute(
            update(TOURNAMENTS)
            .where(TOURNAMENTS.c.id == id)
            .values(facts=seq, shown=loaded.public_state.seq, over=loaded.over, revision=work.revision)
        )
        work.changed = True
        self._loaded[id] = loaded
        return seq

    def _publish(self) -> None:
        self._cache.put(self._loaded)


# Tournaments that the organiser removed from the public pages, for example created by mistake; with time, author
# and reason.


_ARCHIVE_KEY_PREFIX = "archive."
"""Prefix of the keys of archive data in the key-value store."""


@dataclass(frozen=True, slots=True)
class ArchiveStep:
    """An archiving or restoration of a tournament: when (ISO 8601), by whom, why."""

    archived: bool
    at: str
    by: str
    why: str


_STEPS_DECODER = msgspec.json.Decoder(
    tuple[ArchiveStep, ...]
)  # at import: creating the first decoder in two threads at once crashes the library


class Archive:
    """The tournaments that only the organiser sees. Their data is kept. Safe to call from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[ArchiveStep, ...]] | None = None
        database.on_invalidate(self._invalidate)

    def is_archived(self, tournament: str) -> bool:
        """Return whether a tournament is archived."""
        steps = self.steps(tournament)
        return bool(steps) and steps[-1].archived

    def steps(self, tournament: str) -> tuple[ArchiveStep, ...]:
        """Return the archive history of a tournament, oldest first."""
        return self._all().get(tournament, ())

    def set_archived(self, tournament: str, archived: bool, by: str, why: str) -> bool:
        """Archive or restore a tournament. Returns False if nothing changed.

        Raises: UnknownTournament; Refusal, without a reason or for an invalid one (`validation.fits`).
        """
        validation.check_text(why, "archive", "why", empty=False)
        with self._database.writing() as work:
            known = select(TOURNAMENTS.c.forgotten).where(TOURNAMENTS.c.id == tournament)
            row = work.connection.execute(known).first()
            if row is None:
                raise UnknownTournament(tournament)
            steps = _read_steps(work, tournament)
            if archived == (bool(steps) and steps[-1].archived):
                return False
            step = ArchiveStep(archived, work.now, sanitize_text(by), why)
            _write_steps(work, tournament, (*steps, step if row.forgotten is None else replace(step, by="", why="")))
            changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament)
            work.connection.execute(changed.values(revision=work.revision))
            work.changed = True
            work.after.append(self._invalidate)
        return True

    def _all(self) -> dict[str, tuple[ArchiveStep, ...]]:
        known = self._known
        if known is None:
            # Under the writer's lock: otherwise an outdated read could be cached after a change.
            with self._database.write_lock(), self._database.reading() as connection:
                rows = connection.execute(select(KEY_VALUES).where(KEY_VALUES.c.key.startswith(_ARCHIVE_KEY_PREFIX)))
                known = {row.key.removeprefix(_ARCHIVE_KEY_PREFIX): _STEPS_DECODER.decode(row.value) for row in rows}
                self._known = known
        return known

    def _invalidate(self) -> None:
        self._known = None


def erase_archive_reasons(work: UnitOfWork, tournament: str) -> None:
    """Delete authors and reasons from the archive history of a tournament whose names are deleted."""
    steps = _read_steps(work, tournament)
    if steps:
        _write_steps(work, tournament, tuple(replace(each, by="", why="") for each in steps))


def _read_steps(work: UnitOfWork, tournament: str) -> tuple[ArchiveStep, ...]:
    kept = get_value(work.connection, _ARCHIVE_KEY_PREFIX + tournament)
    return () if kept is None else _STEPS_DECODER.decode(kept)


def _write_steps(work: UnitOfWork, tournament: str, steps: tuple[ArchiveStep, ...]) -> None:
    set_value(work.connection, _ARCHIVE_KEY_PREFIX + tournament, msgspec.json.encode(steps).decode())
