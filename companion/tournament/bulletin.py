"""What a table and a wall show of a tournament: standings and next matches, with names instead of ids."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message
from companion.tournament.course import Course, StageCourse, course
from companion.tournament.outcomes import Match
from companion.tournament.schedule import schedule
from companion.tournament.standings import Row
from companion.tournament.state import State
from companion.tournament.values import NOBODY, Seat

ROUNDS_BY_NAME = {2: "semi_final", 4: "quarter_final", 8: "round_of_16"}
"""Rounds of a knock-out that have a name, by their number of ties."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A row of the standings (`standings.Row`) with the entry's name. Those that nothing parts share their `rank`."""

    rank: int
    entry: str
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int
    points: int

    @property
    def difference(self) -> int:
        """Scored less conceded."""
        return self.scored - self.conceded


@dataclass(frozen=True, slots=True)
class StandingTable:
    """The standings of a stage, or of one of its groups. The first `advance` go on to what follows; 0: nobody does."""

    title: Message
    rows: tuple[StandingRow, ...]
    advance: int = 0


@dataclass(frozen=True, slots=True)
class Coming:
    """A match that is played or will be; `starts` in seconds as the schedule counts them, None where not known yet."""

    match: str
    home: str
    away: str
    title: Message
    table: int | None
    starts: int | None
    playing: bool


@dataclass(frozen=True, slots=True)
class Bulletin:
    """The tournament at a glance."""

    name: str
    standings: tuple[StandingTable, ...]
    coming: tuple[Coming, ...]


def bulletin(state: State, now: int, most: int = 24) -> Bulletin:
    """The tournament as it stands, with the standings of the newest stage that has any and the next `most` matches."""
    standing = course(state)
    return Bulletin(state.plan.name, _standings(state, standing), _coming(state, standing, now)[:most])


def name_of(state: State, seat: Seat) -> str:
    """The name of who sits there, empty where nobody does or it is not known yet."""
    return state.entries[seat].name if seat in state.entries and seat not in (None, NOBODY) else ""


def match_title(state: State, match: Match) -> Message:
    """What a match is called: its round, its group, its leg."""
    title = _round_title(state, match)
    return Message(f"bulletin.leg{match.leg}", {"title": title}) if match.leg else title


def _round_title(state: State, match: Match) -> Message:
    plan = state.plan.stages[match.stage - 1]
    if match.kind == "group":
        if plan.groups > 1:
            return Message("bulletin.group_round", {"group": match.group, "round": match.round})
        return Message("bulletin.matchday", {"round": match.round})
    if match.kind == "winners" and plan.kind == "knock_out":
        ties = sum(1 for tie in course(state).stages[match.stage - 1].ties if _same_round(tie.matches[0], match))
        if ties in ROUNDS_BY_NAME:
            return Message(f"bulletin.{ROUNDS_BY_NAME[ties]}", {"number": match.number})
        return Message("bulletin.knock_out_round", {"round": match.round})
    return Message(f"bulletin.{match.kind}", {"round": match.round})


def _same_round(first: Match, second: Match) -> bool:
    return (first.kind, first.round) == (second.kind, second.round)


def _standings(state: State, standing: Course) -> tuple[StandingTable, ...]:
    for stage in reversed(standing.stages):
        if stage.tables and stage.ties:
            return tuple(
                StandingTable(_table_title(stage, group), tuple(_row(state, row) for row in rows), stage.plan.advance)
                for group, rows in stage.tables.items()
            )
    return ()


def _table_title(stage: StageCourse, group: str) -> Message:
    return Message("bulletin.group", {"group": group}) if stage.plan.groups > 1 else Message("bulletin.standings")


def _row(state: State, row: Row) -> StandingRow:
    return StandingRow(
        row.rank,
        row.entry,
        name_of(state, row.entry),
        row.played,
        row.won,
        row.drawn,
        row.lost,
        row.scored,
        row.conceded,
        row.points,
    )


def _coming(state: State, standing: Course, now: int) -> tuple[Coming, ...]:
    """Those that are played first, then those to come in their order; without an open table no time is known."""
    found = []
    for slot in sorted(schedule(state, now).slots, key=lambda each: (not each.playing, each.starts)):
        match = standing.matches[slot.match]
        home, away = name_of(state, match.home), name_of(state, match.away)
        found.append(Coming(match.id, home, away, match_title(state, match), slot.table, slot.starts, slot.playing))
    return tuple(found)
