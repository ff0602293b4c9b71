"""Tournament messages for tables: the called match, and the board of standings and next matches."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from companion.games.base import Message
from companion.games.registry import SPECS
from companion.messages.wire import CalledMatch, ComingMatch, PodiumStep, StandingRow, StandingsBoard, StandingTable
from companion.tournament.clock import CLOCK
from companion.tournament.facts import TournamentState
from companion.tournament.headers import MARK, TournamentMark, names, setup, sides
from companion.tournament.match_choices import CHOICES
from companion.tournament.progress import (
    Match,
    StageProgress,
    TournamentProgress,
    match_title,
    name_of,
    progress_of,
)
from companion.tournament.ranking import podium
from companion.tournament.schedule import schedule
from companion.tournament.standings import StandingsRow

MAX_COMING_MATCHES = 24
"""Maximum number of next matches on a board."""

PageOf = Callable[[str, str], str | None]
"""Returns the address of a match's public page, given tournament and match."""


def called_match(tournament: str, state: TournamentState, match: Match, *, page: PageOf, again: int = 0) -> CalledMatch:
    """Return the message for a called match, with the journal header fields that the tournament sets.

    `again` is the number of earlier games of this match.
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
            MARK: TournamentMark(tournament, match.id, frozenset(sides(state, match).items()), again).header(),
            **({} if not state.plan.match else {CHOICES: dict(state.plan.match)}),
            **({} if state.plan.clock is None else {CLOCK: state.plan.clock.fields()}),
        },
        title=match_title(state, match),
        called=None if call is None else call.clock,
        page=page(tournament, match.id),
    )


def board(tournament: str, state: TournamentState, *, hub: str, now: int, frozen: bool, page: PageOf) -> StandingsBoard:
    """Return the standings of the newest stage that has any, the next matches, and the podium at the end.

    `now`: seconds since 1970.
    """
    progress = progress_of(state)
    return StandingsBoard(
        hub=hub,
        tournament=tournament,
        name=state.plan.name,
        told=now,
        frozen=frozen,
        standings=standing_tables(state),
        coming=_coming_matches(tournament, state, now, page),
        podium=_podium(state, progress) if progress.over else UNSET,
    )


def _podium(state: TournamentState, progress: TournamentProgress) -> tuple[PodiumStep, ...]:
    return tuple(
        PodiumStep(rank, tuple(name_of(state, entry) for entry in entries)) for rank, entries in podium(progress)
    )


def standing_tables(state: TournamentState) -> tuple[StandingTable, ...]:
    """Return the standings of the newest stage that has any, one table per group."""
    for stage in reversed(progress_of(state).stages):
        if stage.tables and stage.ties:
            return tuple(
                StandingTable(_table_title(stage, group), tuple(_row(state, row) for row in rows), stage.plan.advance)
                for group, rows in stage.tables.items()
            )
    return ()


def _table_title(stage: StageProgress, group: str) -> Message:
    return Message("bulletin.group", {"group": group}) if stage.plan.groups > 1 else Message("bulletin.standings")


def _row(state: TournamentState, row: StandingsRow) -> StandingRow:
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


def _coming_matches(tournament: str, state: TournamentState, now: int, page: PageOf) -> tuple[ComingMatch, ...]:
    """Return the matches in play, then the next ones in order. Without an open table, start times are unknown."""
    matches = progress_of(state).matches
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
