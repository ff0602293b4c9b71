"""Takes names out of the facts of a tournament: the only thing that ever rewrites one."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
from sqlalchemy import select, update

from companion.hub.database import Work
from companion.hub.schema import FACTS
from companion.tournament import facts as fa


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
