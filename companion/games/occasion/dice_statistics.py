"""Luck in the game of chances: it has no dice, and the content of cards is secret (OC-11.2)."""

from __future__ import annotations

from fractions import Fraction

from companion.games.base import DieOutcome, ExpectedVsActual, Fields, Outcome
from companion.games.occasion.state import State


def expected_vs_actual(before: State, fields: Fields, outcome: Outcome, after: State) -> tuple[ExpectedVsActual, ...]:
    """Return nothing: no probabilities are known before a card is revealed."""
    return ()


def die_outcomes(before: State, fields: Fields) -> tuple[DieOutcome, ...]:
    """Return nothing: the game has no dice."""
    return ()


def face_probabilities(state: State, kind: str) -> dict[str, Fraction]:
    """Return nothing: the game has no dice."""
    return {}
