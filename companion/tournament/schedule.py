"""When and where: the next matches and their tables, rests, conflicts, and the end to be expected.

Seconds throughout, counted from wherever the clock handed in counts. The length of a match is the median of those
observed, with the plan's guess weighing like two of them; so one odd match turns nothing over.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Literal

from companion.tournament.course import Course, Match, StageCourse, course
from companion.tournament.facts import State

MINUTE = 60
GUESSES = 2
"""How many observed matches the plan's guess weighs like."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A match with its table and its expected times; `playing` when it has been called already."""

    match: str
    table: int
    starts: int
    ends: int
    playing: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something the organiser should look at: a call to a closed table, a match far over its time, too short a rest."""

    kind: Literal["closed", "overdue", "rest"]
    match: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is played, what follows in order, the conflicts, and when all will be over (None if no table is open).

    `unplaced` matches are still to come with sides or pairings that are not known yet; the end reckons with them.
    """

    slots: tuple[Slot, ...]
    conflicts: tuple[Conflict, ...]
    unplaced: int
    length: int
    ends: int | None


def length(state: State) -> int:
    """How long a match takes, in seconds."""
    seen = [end - start for start, end in state.lengths.values()]
    return int(median([state.plan.minutes * MINUTE] * GUESSES + seen))


def queue(state: State) -> tuple[Match, ...]:
    """The matches that may be called, the next first: earlier rounds before later ones, whatever the group."""
    found = [match for match in course(state).matches.values() if match.status == "ready"]
    return tuple(sorted(found, key=lambda match: (match.stage, match.leg > 1, _depth(match), match.number)))


def _depth(match: Match) -> int:
    """Rounds of the losers are two to one of the winners."""
    return match.round if match.kind == "losers" else 2 * match.round if match.kind == "winners" else match.round


def schedule(state: State, now: int) -> Schedule:
    """The plan from now on: each match as early as a table, its players and their rest allow."""
    takes, rest = length(state), state.plan.rest * MINUTE
    standing = course(state)
    tables = {table: now for table in range(1, state.plan.tables + 1) if table not in state.closed}
    free = _rested(state, standing, rest)
    slots = []
    for call in state.calls.values():
        ends = max(now, call.clock + takes)
        slots.append(Slot(call.match, call.table, call.clock, ends, playing=True))
        if call.table in tables:
            tables[call.table] = ends
        for seat in standing.matches[call.match].seats:
            free[seat or ""] = ends + rest
    conflicts = _conflicts(state, standing, now, takes)
    if not tables:
        return Schedule(tuple(slots), conflicts, _to_come(state, standing), takes, None)
    for match, starts, table in _placed(queue(state), tables, free, takes, rest):
        slots.append(Slot(match.id, table, starts, starts + takes, playing=False))
    unplaced = _to_come(state, standing)
    return Schedule(tuple(slots), conflicts, unplaced, takes, _end(slots, tables, unplaced, takes, now))


def next_calls(state: State, now: int) -> tuple[Slot, ...]:
    """The matches that can be called this moment, each to a free table."""
    return tuple(slot for slot in schedule(state, now).slots if not slot.playing and slot.starts <= now)


def _rested(state: State, standing: Course, rest: int) -> dict[str, int]:
    """From when each entry may play again."""
    free: dict[str, int] = {}
    for id, (_, end) in state.lengths.items():
        match = standing.matches.get(id)
        for seat in match.seats if match else ():
            free[seat or ""] = max(free.get(seat or "", 0), end + rest)
    return free


def _placed(
    waiting: tuple[Match, ...], tables: dict[int, int], free: dict[str, int], takes: int, rest: int
) -> list[tuple[Match, int, int]]:
    """Each time the match that can begin first, the earlier in the queue if two can; the table free the longest."""
    left, placed = list(waiting), []
    while left:
        table = min(tables, key=lambda each: (tables[each], each))
        starts = [max(tables[table], *(free.get(seat or "", 0) for seat in match.seats)) for match in left]
        at = starts.index(min(starts))
        match, start = left.pop(at), starts[at]
        tables[table] = start + takes
        for seat in match.seats:
            free[seat or ""] = start + takes + rest
        placed.append((match, start, table))
    return placed


def _to_come(state: State, standing: Course) -> int:
    """Matches that nobody can be called to yet: sides not known, rounds not drawn, later stages not seeded."""
    waiting = sum(match.status == "waiting" for match in standing.matches.values())
    return waiting + sum(_undrawn(state, stage) for stage in standing.stages)


def _undrawn(state: State, stage: StageCourse) -> int:
    if stage.plan.kind == "swiss":
        field = len([entry for entry in state.entries if entry not in state.withdrawn])
        return (stage.plan.rounds - len(state.draws)) * (field // 2)
    return 0


def _end(slots: list[Slot], tables: dict[int, int], unplaced: int, takes: int, now: int) -> int:
    """The last match that is placed, then those to come, shared out among the tables one after the other."""
    last = max((slot.ends for slot in slots), default=now)
    if unplaced == 0:
        return last
    filled = dict(tables)
    for _ in range(unplaced):
        table = min(filled, key=lambda each: (filled[each], each))
        filled[table] += takes
    return max(last, *filled.values())


def _conflicts(state: State, standing: Course, now: int, takes: int) -> tuple[Conflict, ...]:
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


def _ended(state: State, standing: Course, entry: str, before: int) -> int:
    """When the entry's last match before a time ended; far in the past if there was none."""
    ends = [
        end
        for id, (_, end) in state.lengths.items()
        if end <= before and id in standing.matches and entry in standing.matches[id].seats
    ]
    return max(ends, default=before - 10**9)
