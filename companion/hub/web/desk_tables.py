"""The tables of a tournament as the desk sees them now: free, closed, called, in play, or waiting for a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.hub.models import LiveMatch
from companion.hub.web.localization import Names
from companion.tournament.progress import Match
from companion.tournament.schedule import Schedule

MAX_TILES = 64

TableState = Literal["free", "closed", "called", "playing", "to_confirm", "review"]


@dataclass(frozen=True, slots=True)
class TableTile:
    """A table with its match, score, and the time of its call (Unix time in seconds)."""

    number: int
    state: TableState
    closed: bool
    match: Match | None = None
    score: tuple[int, ...] = ()
    since: int | None = None

    @property
    def alert(self) -> bool:
        """Whether the organiser has to look at it."""
        return self.state in ("to_confirm", "review")


def table_tiles(names: Names, lives: Mapping[str, LiveMatch]) -> list[TableTile]:
    """Return the tables by number, also those above the plan's number that have a match."""
    state, progress = names.state, names.progress
    called = {call.table: call for call in state.calls.values()}
    numbers = sorted({*range(1, min(state.plan.tables, MAX_TILES) + 1), *called})
    found = []
    for number in numbers:
        closed, call = number in state.closed, called.get(number)
        if call is None:
            found.append(TableTile(number, "closed" if closed else "free", closed))
            continue
        live = lives.get(call.match)
        score = () if live is None else tuple(live.score.values())
        found.append(TableTile(number, _state(live), closed, progress.matches[call.match], score, call.clock))
    return found


def _state(live: LiveMatch | None) -> TableState:
    if live is None:
        return "called"
    return "review" if live.review else "to_confirm" if live.over else "playing"


@dataclass(frozen=True, slots=True)
class NextCall:
    """When the next match can be called (Unix time in seconds), and what it waits for: a table, or rested players."""

    at: int
    waits_for: Literal["table", "rest"]


def next_call(tiles: Sequence[TableTile], schedule: Schedule, now: int) -> NextCall | None:
    """Return what the next match waits for; None if one can be called now or nothing is planned."""
    starts = [slot.starts for slot in schedule.slots if not slot.playing]
    if not starts or min(starts) <= now:
        return None
    return NextCall(min(starts), "rest" if any(tile.state == "free" for tile in tiles) else "table")


def next_round(names: Names, schedule: Schedule) -> int | None:
    """Return when the next Swiss round can be drawn (Unix time in seconds); None if there is none to wait for."""
    stage = next((each for each in names.progress.stages if not each.over), None)
    drawn = len(names.state.draws)
    if stage is None or stage.plan.kind != "swiss" or not 0 < drawn < stage.plan.rounds:
        return None
    return max((slot.ends for slot in schedule.slots), default=None)
