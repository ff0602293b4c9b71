"""Chance in the card game of chances: there are no dice, and what the cards hold is secret (OC-11.2)."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import Fallen, Fields, Luck, Outcome
from companion.games.occasion.state import State


def luck(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[Luck, ...]:
    """Nothing: no odds are known before a card is turned."""
    return ()


def fallen(before: State, fields: Fields) -> tuple[Fallen, ...]:
    """No dice."""
    return ()


def shares(state: State, kind: str) -> dict[str, Fraction]:
    """No dice."""
    return {}
