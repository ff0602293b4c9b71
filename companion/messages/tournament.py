"""What a tournament tells its tables: the match called to one, the board of standings and next matches."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.base import Message
from companion.games.registry import SPECS
from companion.messages.wire import Board, CalledMatch, ComingMatch, StandingRow, StandingTable
from companion.tournament.course import Match, StageCourse, course, match_title, name_of
from companion.tournament.facts import State
from companion.tournament.headers import MARK, Mark, names, setup, sides
from companion.tournament.schedule import schedule
from companion.tournament.standings import Row

MAX_COMING_MATCHES = 24
"""Next matches on a board."""

PageOf = Callable[[str, str], str | None]
"""The address of a match's public page, by tournament and match."""


def called_match(tournament: str, state: State, match: Match, *, page: PageOf, again: int = 0) -> CalledMatch:
    """A match that was called to a table, with what its journal's header takes from the tournament.

    `again` is how many games were counted for it before.
    """
    home, away = SPECS[state.plan.game].home_sides
    call = state.calls.get(match.id)
    return CalledMatch(
        tournament=tournament,
        match=match.id,
        game=state.plan.game,
        home=name_of(state, match.home),
        away=name_of(state, match.away),
        home_side=home,
        away_side=away,
        header={
            "sides": names(state, match),
            "setup": setup(state, match),
            MARK: Mark(tournament, match.id, frozenset(sides(state, match).items()), again).header(),
        },
        title=match_title(state, match),
        called=None if call is None else call.clock,
        page=page(tournament, match.id),
    )


def board(tournament: str, state: State, *, hub: str, now: int, frozen: bool, page: PageOf) -> Board:
    """The standings of the newest stage that has any, and the next matches; `now` in seconds since 1970."""
    return Board(
        hub=hub,
        tournament=tournament,
        name=state.plan.name,
        told=now,
        frozen=frozen,
        standings=standing_tables(state),
        coming=_coming_matches(tournament, state, now, page),
    )


def standing_tables(state: State) -> tuple[StandingTable, ...]:
    """The standings of the newest stage that has any, of each of its groups."""
    for stage in reversed(course(state).stages):
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


def _coming_matches(tournament: str, state: State, now: int, page: PageOf) -> tuple[ComingMatch, ...]:
    """Those that are played first, then those to come in their order; without an open table no time is known."""
    matches = course(state).matches
    slots = sorted(schedule(state, now).slots, key=lambda each: (not each.playing, each.starts))
    return tuple(
        ComingMatch(
            match=slot.match,
            home=name_of(state, matches[slot.match].home),
            away=name_of(state, matches[slot.match].away),
            title=match_title(state, matches[slot.match]),
            table=slot.table,
            starts=slot.starts,
            playing=slot.playing,
            page=page(tournament, slot.match),
        )
        for slot in slots[:MAX_COMING_MATCHES]
    )
