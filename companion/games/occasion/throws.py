"""Dice and events: this game has no dice and no randomness, so no dice make an event and no event comes of dice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Die, Fields, JsonObject
from companion.games.occasion.state import State


def throw(state: State, dice: Sequence[Die]) -> JsonObject | None:
    """None whatever lies on the table: no dice are ever awaited."""
    return None


def dice(fields: Fields) -> tuple[Die, ...]:
    """The dice that made an event: none."""
    return ()


def faces(state: State, kind: str) -> tuple[Die, ...]:
    """What a die of a kind can show: there are no dice."""
    return ()
