"""A match as its facts: the rows of the timeline, and what a correction would change in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields, Game, Message, Outcome
from companion.journal.ledger import Ledger, Proposal


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One fact. An undone one no longer stands; a corrected one shows its present form."""

    line: int
    fields: Fields
    outcome: Outcome | None
    text: Message
    stands: bool
    corrected: bool
    at: str | None
    by: str | None
    has_pictures: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """What a correction changes in one fact: the line as it is told now, and as it would be told."""

    line: int
    before: Message
    after: Message


def timeline(game: Game[Any, Any], ledger: Ledger[Any, Any], with_pictures: Collection[int]) -> tuple[TimelineRow, ...]:
    """Every fact in the order in which it was written; undo and correct show through the facts they changed."""
    rows = []
    for entry in ledger.entries:
        if entry.fate == "amends":
            continue
        standing = entry.standing
        fields = standing.fields if standing else entry.fields
        outcome = standing.outcome if standing else None
        state = standing.state_after if standing else ledger.state
        rows.append(
            TimelineRow(
                line=entry.line,
                fields=fields,
                outcome=outcome,
                text=game.describe(state, fields, outcome or {}),
                stands=standing is not None,
                corrected=entry.fate == "corrected",
                at=entry.fields.get("at"),
                by=entry.fields.get("by"),
                has_pictures=entry.line in with_pictures,
            )
        )
    return tuple(rows)


def differences(game: Game[Any, Any], ledger: Ledger[Any, Any], proposal: Proposal[Any, Any]) -> tuple[Difference, ...]:
    """The corrected fact first, then every later fact that comes to something else."""
    replaced = ledger.standing[proposal.keep :]
    found = []
    for old, new in zip(replaced, proposal.tail, strict=True):
        before = game.describe(old.state_after, old.fields, old.outcome)
        after = game.describe(new.state_after, new.fields, new.outcome)
        if before != after:
            found.append(Difference(old.line, before, after))
    return tuple(found)
