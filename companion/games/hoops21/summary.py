"""The figures of hoops21's boards: throws won, shots made of those tried, dunks, steals."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.hoops21.messages import word
from companion.games.hoops21.state import State
from companion.games.hoops21.tables import SIDES
from companion.games.summary import CountRow, MatchFigures, PlayedEvent, count_row, share_row, without_empty

_SHOTS = (("two_points", "two"), ("three_points", "three"), ("free_throws", "ft"))
"""The label of each kind of shot, and the prefix of its statistics."""


def summary(events: Sequence[PlayedEvent[State]]) -> MatchFigures:
    """Return the counts of the events so far."""
    return MatchFigures(rows=_rows(events[-1].after)) if events else MatchFigures()


def _rows(state: State) -> tuple[CountRow, ...]:
    def of(name: str) -> dict[str, int]:
        return {side: getattr(stats, name) for side, stats in zip(SIDES, state.stats, strict=True)}

    rows = [share_row(word("summary", label), of(f"{name}_made"), of(f"{name}_tried"), SIDES) for label, name in _SHOTS]
    counts = [count_row(word("summary", name), of(name), SIDES) for name in ("dunks", "slam_dunks", "steals")]
    return without_empty([*rows, *counts, count_row(word("summary", "throws_won"), of("throws_won"), SIDES)])
