"""What a board tells about a match besides its score: who scored and when, and counts by side. Pure.

A game computes them from its events (`GameSpec.summary`); the board of half-time and of the end shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.games.base import Fields, Message, Outcome

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class PlayedEvent(Generic[State]):
    """An event that counts, with the states around it."""

    before: State
    fields: Fields
    outcome: Outcome
    after: State


@dataclass(frozen=True, slots=True)
class Scorer:
    """A goal or another score: its side, who scored (None: not known or nobody) and when."""

    side: str
    when: Message
    name: str | None = None


@dataclass(frozen=True, slots=True)
class CountRow:
    """One count, as text by side."""

    label: Message
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """The scorers in the order of the match, and the counts in the order of their weight."""

    scorers: tuple[Scorer, ...] = ()
    rows: tuple[CountRow, ...] = ()


def no_summary(_: Sequence[PlayedEvent[State]]) -> MatchFigures:
    """Return nothing: the game counts nothing besides the score."""
    return MatchFigures()


def count_row(label: Message, counts: Mapping[str, int], sides: Sequence[str]) -> CountRow:
    """Return a row of whole numbers; a side without a count has 0."""
    return CountRow(label, {side: str(counts.get(side, 0)) for side in sides})


def share_row(label: Message, hits: Mapping[str, int], tries: Mapping[str, int], sides: Sequence[str]) -> CountRow:
    """Return a row of hits out of tries, as `3/7`."""
    return CountRow(label, {side: f"{hits.get(side, 0)}/{tries.get(side, 0)}" for side in sides})


def without_empty(rows: Sequence[CountRow]) -> tuple[CountRow, ...]:
    """Return the rows in which some side has more than nothing."""
    return tuple(row for row in rows if any(value not in ("0", "0/0") for value in row.values.values()))


Counts = Counter[str]
"""A count by side."""
