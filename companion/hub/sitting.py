"""One transaction at the desk: facts are decided on the state as it is in this transaction, and recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import msgspec
from sqlalchemy import Connection, insert, select, update

from companion.games.base import Fields
from companion.hub.database import UnknownTournament, Work
from companion.hub.erasing import without_names
from companion.hub.heads import Head, Newest
from companion.hub.messages import storable
from companion.hub.schema import FACTS, TOURNAMENTS
from companion.tournament import facts as fa
from companion.tournament import planning, rules, texts
from companion.tournament.course import course
from companion.tournament.state import State, begin

Standings = Newest[str, "Standing"]


@dataclass(frozen=True)
class Standing:
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

    def told(self, head: Head) -> bool:
        """Whether a journal has the newest word on how its match ended: the organiser has decided nothing since."""
        return head.match is not None and self.told_by.get(head.match) == (head.table_id, head.epoch)


def after_fact(standing: Standing, fact: fa.Fact, journal: tuple[str, int] | None) -> Standing:
    """The tournament after a fact that was decided; it came from that journal, or from the organiser."""
    state = rules.apply(standing.state, fact)
    called = standing.called
    if isinstance(fact, fa.Call):
        called = {**called, fact.match: called.get(fact.match, frozenset()) | {fact.table}}
    told_by = standing.told_by
    if isinstance(fact, fa.Outcome | fa.Forfeit | fa.DoubleForfeit | fa.Annul):
        told_by = {**told_by, fact.match: journal}
    return replace(standing, state=state, called=called, told_by=told_by)


def load(connection: Connection, id: str) -> Standing:
    """A tournament from its facts. Raises UnknownTournament."""
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == id)).first()
    if row is None:
        raise UnknownTournament(id)
    plan = planning.parse(msgspec.json.decode(row.plan))
    state = begin(plan)
    standing = Standing(id, row.begun, state, state, row.over, row.forgotten, row.revision)
    shown = state
    columns = (FACTS.c.seq, FACTS.c.fact, FACTS.c.table_id, FACTS.c.epoch)
    told = select(*columns).where(FACTS.c.tournament == id).order_by(FACTS.c.seq)
    for seq, text, table, epoch in connection.execute(told):
        journal = None if table is None else (table, epoch)
        standing = after_fact(standing, fa.parse(msgspec.json.decode(text)), journal)
        if seq == row.shown:
            shown = standing.state
    return replace(standing, shown=shown)


class Sitting:
    """What happens at the desk within one transaction; others see it when `work` is done."""

    def __init__(self, work: Work, memory: Standings) -> None:
        self.work = work
        self._memory = memory
        self._now: dict[str, Standing] = {}
        work.after.append(self._publish)

    @property
    def changed(self) -> Iterable[str]:
        """The tournaments in which something was recorded."""
        return tuple(self._now)

    def standing(self, id: str) -> Standing:
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
        self._now[id] = Standing(id, work.now, state, state, None, None, work.revision)

    def record(self, id: str, fact: fa.Fact, by: str, why: str = "", source: Head | None = None) -> int:
        """Records a fact, from a journal's head if one is given. Raises `Refusal` for one that cannot be.

        Of a tournament whose names are deleted no name and no reason is kept, nor who decided.
        """
        texts.checked(why, fa.NAMES[type(fact)], "why")
        before = self.standing(id)
        reason = rules.decide(before.state, fact)
        if reason is not None:
            raise reason
        if before.forgotten is not None:
            fact, why = without_names(fact, len(before.state.entries) + 1), ""
            by = source.table_id if source else ""
        work = self.work
        journal = (source.table_id, source.epoch) if source else None
        standing = replace(after_fact(before, fact, journal), revision=work.revision)
        now = course(standing.state)
        # Without a question the public sees all; the very state then, so that identity tells.
        standing = replace(
            standing,
            shown=before.shown if now.questions else standing.state,
            over=(before.over or work.now) if now.over else None,
        )
        seq = standing.state.seq
        work.connection.execute(
            insert(FACTS).values(
                tournament=id,
                seq=seq,
                fact=json.dumps(fa.printed(fact), ensure_ascii=False),
                at=work.now,
                by=storable(by),
                why=why,
                table_id=source.table_id if source else None,
                epoch=source.epoch if source else None,
                line=source.seq if source else None,
            )
        )
        work.connection.execute(
            update(TOURNAMENTS)
            .where(TOURNAMENTS.c.id == id)
            .values(facts=seq, shown=standing.shown.seq, over=standing.over, revision=work.revision)
        )
        work.changed = True
        self._now[id] = standing
        return seq

    def _publish(self) -> None:
        self._memory.put(self._now)
