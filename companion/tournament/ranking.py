"""The final ranking of a whole tournament: of its last stage, then of those who did not get that far."""

from __future__ import annotations

from dataclasses import dataclass

from companion.tournament.progress import StageProgress, Tie, TournamentProgress
from companion.tournament.values import NOBODY


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An entry with its rank; entries with the same rank are level."""

    rank: int
    entry: str


def final_ranking(progress: TournamentProgress) -> tuple[RankedEntry, ...]:
    """Return the final ranking, or nothing before the end and where several groups are the last stage.

    A bracket ranks by the round of the last defeat: the two who lost the semi-finals are both third unless they
    played for it. Entries that did not get into the bracket follow by their rank in the stage before.
    """
    if not progress.over:
        return ()
    last = progress.stages[-1]
    if last.plan.table:
        tables = list(last.tables.values())
        return tuple(RankedEntry(row.rank, row.entry) for row in tables[0]) if len(tables) == 1 else ()
    depths = _depths(last)
    if progress.champion is not None:
        depths[progress.champion] = _CHAMPION
    order = sorted(depths, key=lambda entry: depths[entry])
    values = [depths[entry] for entry in order]
    found = [RankedEntry(values.index(value) + 1, entry) for entry, value in zip(order, values, strict=True)]
    for stage in progress.stages[-2::-1]:
        known = {each.entry for each in found}
        rest = [row for rows in stage.tables.values() for row in rows if row.entry not in known]
        start = len(found) + 1
        found += [
            RankedEntry(start + sum(other.rank < row.rank for other in rest), row.entry)
            for row in sorted(rest, key=lambda row: row.rank)
        ]
    return tuple(found)


PODIUM_RANKS = (1, 2, 3)


def podium(progress: TournamentProgress) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the first ranks of a tournament that has a champion, each with its entries; otherwise nothing."""
    ranked = final_ranking(progress) if progress.champion is not None else ()
    steps = {rank: tuple(each.entry for each in ranked if each.rank == rank) for rank in PODIUM_RANKS}
    return tuple((rank, entries) for rank, entries in steps.items() if entries)


_CHAMPION = (0, 0)
_FINALS = {"final": 1, "reset": 1, "third": 2}
_BEHIND = 10
"""Depth of those who lost in a round of a bracket: behind the final and the match for the third place."""


def _depths(stage: StageProgress) -> dict[str, tuple[int, int]]:
    """Return how deep in the ranking each entry of a bracket is: the smaller, the better."""
    double = stage.plan.kind == "double_knock_out"
    depths: dict[str, tuple[int, int]] = {}
    for tie in stage.ties:
        for entry in (tie.winner, tie.loser):
            if entry is None or entry == NOBODY:
                continue
            depth = _depth(tie, entry == tie.loser, double)
            if depth is not None:
                depths[entry] = min(depth, depths.get(entry, depth))
    return depths


def _depth(tie: Tie, lost: bool, double: bool) -> tuple[int, int] | None:
    """Return the depth of a side of a tie; None where the tie eliminates nobody and ranks nobody."""
    kind = tie.node.kind
    if kind in _FINALS:
        return (_FINALS[kind], int(lost))
    if not lost or (double and kind == "winners"):
        return None
    return (_BEHIND, -tie.node.round)
