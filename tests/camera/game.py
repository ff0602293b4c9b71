"""A game of throws only: every throw of three dice counts, and touch events continue meanwhile; uses real sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.base import Decision, DiceRequest, Die, Fields, Message, Outcome
from companion.journal.ledger import Ledger
from companion.journal.store import Store
from companion.table.dice import DiceSource
from companion.table.ports import ReaderPort
from companion.table.session import Session
from tests.journal.counting_game import Count, CountingGame, Move, add, header

DICE = 3


@dataclass(frozen=True, slots=True)
class Thrown(Move):
    dice: tuple[int, ...] = ()


class ThrowingGame(CountingGame):
    """Left counts the throws, right counts the touch events."""

    id = "throwing"

    def parse(self, fields: Fields) -> Move:
        if fields.get("event") == "throw":
            return Thrown("throw", "left", 1, tuple(fields["dice"]))
        return super().parse(fields)

    def apply(self, state: Count, event: Move) -> tuple[Count, Outcome]:
        return super().apply(state, Move("add", "left", 1) if event.name == "throw" else event)

    def decision(self, state: Count) -> Decision:
        return Decision(Message("common.literal", {"text": "throw"}), dice=(DiceRequest(None, "pips", DICE),))

    def event_from_dice(self, state: Count, dice: Sequence[Die]) -> Fields | None:
        if len(dice) != DICE:
            return None
        return {"event": "throw", "dice": sorted(die.value or 0 for die in dice)}

    def dice_from_event(self, fields: Fields) -> tuple[Die, ...]:
        return tuple(Die("pips", value) for value in fields.get("dice", ()))

    def describe(self, state: Count, fields: Fields, outcome: Outcome) -> Message:
        return Message("common.literal", {"text": str(dict(fields))})


def start_session(store: Store, reader: ReaderPort) -> Session:
    """Start a match whose dice are read by `reader` and whose events are recorded in `store`."""
    game = ThrowingGame()
    head: dict[str, Any] = {**header(target=1000), "game": game.id}
    return Session(game, store, store.create(head), Ledger(game, head), DiceSource(reader, "pips"))


def touch(session: Session) -> None:
    """Record a touch event."""
    session.record(add("right", 1))


def thrown(session: Session) -> list[list[int]]:
    """Return the recorded throws in order."""
    return [list(entry.fields["dice"]) for entry in session.ledger.events if entry.fields["event"] == "throw"]


def touched(session: Session) -> int:
    """Return the number of touch events."""
    return sum(entry.fields["event"] == "add" for entry in session.ledger.events)
