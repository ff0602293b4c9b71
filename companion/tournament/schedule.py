"""The schedule: next matches and their tables, rest times, conflicts, and the expected end.

All times are in seconds of the caller's clock. The length of a match is the median of the observed lengths, in
which the plan's estimate counts like two matches; a single outlier has little effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush, heapreplace
from statistics import median
from typing import Literal

from companion.tournament.facts import TournamentState
from companion.tournament.progress import Match, StageProgress, StateKey, TournamentProgress, progress_of

MINUTE = 60
GUESS_WEIGHT = 2
"""Weight of the plan's estimate, in observed matches."""


@dataclass(frozen=True, slots=True)
class ScheduleSlot:
    """A match with its table and expected times; `playing` if it has been called."""

    match: str
    table: int
    starts: int
    ends: int
    playing: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """A problem for the organiser: a call to a closed table, an overdue match, or too short a rest."""

    kind: Literal["closed", "overdue", "rest"]
    match: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """Matches in play and to come in order, the conflicts, and the expected end (None if no table is open).

    `unplaced` counts future matches whose sides or pairings are unknown; the expected end includes them.
    """

    slots: tuple[ScheduleSlot, ...]
    conflicts: tuple[Conflict, ...]
    unplaced: int
    length: int
    ends: int | None


def match_length(state: TournamentState) -> int:
    """Return the expected length of a match in seconds."""
    seen = [end - start for start, end in state.lengths.values()]
    return int(median([state.plan.minutes * MINUTE] * GUESS_WEIGHT + seen))


def ready_matches(state: TournamentState) -> tuple[Match, ...]:
    """Return the matches that may be called, next first: earlier rounds before later ones, across groups."""
    found = [match for match in progress_of(state).matches.values() if match.status == "ready"]
    return tuple(sorted(found, key=lambda match: (match.stage, match.leg > 1, _depth(match), match.number)))


def _depth(match: Match) -> int:
    """Return the order of a round: one round of winners takes as long as two of losers."""
    return match.round if match.kind == "losers" else 2 * match.round if match.kind == "winners" else match.round


def schedule(state: TournamentState, now: int) -> Schedule:
    """Return the schedule from now on. Each match starts as soon as a table, its players and their rest allow."""
    return _compute_schedule(StateKey(state), now)


@lru_cache(maxsize=4)
def _compute_schedule(key: StateKey, now: int) -> Schedule:
    state = key.state
    takes, rest = match_length(state), state.plan.rest * MINUTE
    standing = progress_of(state)
    tables = {table: now for table in range(1, state.plan.tables + 1) if table not in state.closed}
    free = _rested(state, standing, rest)
    slots = []
    for call in state.calls.values():
        ends = max(now, call.clock + takes)
        slots.append(ScheduleSlot(call.match, call.table, call.clock, ends, playing=True))
        if call.table in tables:
            tables[call.table] = ends
        for seat in standing.matches[call.match].seats:
            free[seat or ""] = ends + rest
    conflicts = _conflicts(state, standing, now, takes)
    if not tables:
        return Schedule(tuple(slots), conflicts, _to_come(state, standing), takes, None)
    for match, starts, table in _placed(ready_matches(state), tables, free, takes, rest):
        slots.append(ScheduleSlot(match.id, table, starts, starts + takes, playing=False))
    unplaced = _to_come(state, standing)
    return Schedule(tuple(slots), conflicts, unplaced, takes, _end(slots, tables, unplaced, takes, now))


def next_calls(state: TournamentState, now: int) -> tuple[ScheduleSlot, ...]:
    """Return the matches that can be called now, each with a free table."""
    return tuple(slot for slot in schedule(state, now).slots if not slot.playing and slot.starts <= now)


def _rested(state: TournamentState, standing: TournamentProgress, rest: int) -> dict[str, int]:
    """Return for each entry the time from which it may play again."""
    free: dict[str, int] = {}
    for id, (_, end) in state.lengths.items():
        match = standing.matches.get(id)
        for seat in match.seats if match else ():
            free[seat or ""] = max(free.get(seat or "", 0), end + rest)
    return free


def _placed(
    waiting: tuple[Match, ...], tables: dict[int, int], free: dict[str, int], takes: int, rest: int
) -> list[tuple[Match, int, int]]:
    """Place the matches: always the one that can start first, then by queue order; at the table that is free first.

    Times only grow, so each match waits in one of two heaps: by the time when its players have rested, or by queue
    order once they have. A match whose players were placed meanwhile goes back to the first.
    """
    by_table = [(at, table) for table, at in tables.items()]
    resting = [(_rested_at(match, free), place) for place, match in enumerate(waiting)]
    rested: list[int] = []
    heapify(by_table)
    heapify(resting)
    placed = []
    while resting or rested:
        now, table = by_table[0]
        while resting and resting[0][0] <= now:
            heappush(rested, heappop(resting)[1])
        start, place = (now, heappop(rested)) if rested else heappop(resting)
        match = waiting[place]
        ready = _rested_at(match, free)
        if ready > start:
            heappush(resting, (ready, place))
            continue
        tables[table] = start + takes
        heapreplace(by_table, (tables[table], table))
        for seat in match.seats:
            free[seat or ""] = start + takes + rest
        placed.append((match, start, table))
    return placed


def _rested_at(match: Match, free: dict[str, int]) -> int:
    """Return the time from which both sides may play; 0 if they may at once."""
    return max(free.get(seat or "", 0) for seat in match.seats)


def _to_come(state: TournamentState, standing: TournamentProgress) -> int:
    """Return the number of future matches that cannot be called yet: unknown sides, undrawn rounds, unseeded stages."""
    waiting = sum(match.status == "waiting" for match in standing.matches.values())
    return waiting + sum(_undrawn(state, stage) for stage in standing.stages)


def _undrawn(state: TournamentState, stage: StageProgress) -> int:
    if stage.plan.kind == "swiss":
        field = len([entry for entry in state.entries if entry not in state.withdrawn])
        return (stage.plan.rounds - len(state.draws)) * (field // 2)
    return 0


def _end(slots: list[ScheduleSlot], tables: dict[int, int], unplaced: int, takes: int, now: int) -> int:
    """Return the expected end: the last placed match, then the unplaced ones distributed over the tables."""
    last = max((slot.ends for slot in slots), default=now)
    if unplaced == 0:
        return last
    filled = list(tables.values())
    heapify(filled)
    for _ in range(unplaced):
        heapreplace(filled, filled[0] + takes)
    return max(last, *filled)


def _conflicts(state: TournamentState, standing: TournamentProgress, now: int, takes: int) -> tuple[Conflict, ...]:
    found = []
    rest = state.plan.rest * MINUTE
    for call in state.calls.values():
        seats = tuple(seat for seat in standing.matches[call.match].seats if seat)
        if call.table in state.closed:
            found.append(Conflict("closed", call.match))
        if now > call.clock + 2 * takes:
            found.append(Conflict("overdue", call.match))
        tired = tuple(seat for seat in seats if _ended(state, standing, seat, call.clock) > call.clock - rest)
        if tired:
            found.append(Conflict("rest", call.match, tired))
    return tuple(found)


def _ended(state: TournamentState, standing: TournamentProgress, entry: str, before: int) -> int:
    """Return when the entry's last match before a time ended; far in the past if there was none."""
    ends = [
        end
        for id, (_, end) in state.lengths.items()
        if end <= before and id in standing.matches and entry in standing.matches[id].seats
    ]
    return max(ends, default=before - 10**9)
