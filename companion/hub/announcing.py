"""What the hub says to the tables: the match called to each, each tournament's board; again only if it is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.clock import Clock
from companion.hub.desk import Desk
from companion.hub.tables import Tables
from companion.messages import subjects
from companion.messages.tournament import PageOf, board, called
from companion.messages.wire import Board, Called, State, encode
from companion.tournament.course import course
from companion.tournament.outcomes import Match
from companion.tournament.state import State as Standing


@dataclass(frozen=True, slots=True)
class Habits:
    """What the organiser chose: whether the referee confirms too, whether pictures of rolls may be shown; pages."""

    referee: Callable[[str], bool] = lambda tournament: False
    pictures: bool = False
    page: PageOf = lambda tournament, match: None
    pages: str | None = None
    """The address of the public pages."""


Outgoing = tuple[str, bytes]
"""A subject and what is said on it."""


class Announcer:
    """For one thread at a time."""

    def __init__(self, desk: Desk, tables: Tables, clock: Clock, hub: str, habits: Habits) -> None:
        self._desk, self._tables, self._clock, self._habits = desk, tables, clock, habits
        self.hub = hub
        """Drawn at random at each start of the hub."""
        self._states: dict[str, State] = {}
        self._boards: dict[str, Board] = {}

    def news(self, changed: frozenset[str] | None, twins: frozenset[str]) -> Iterator[Outgoing]:
        """What is another than when it was last said, where these tournaments have changed (None: all may have)."""
        # Both before anything counts as said: a database that goes away in between leaves all of it to be said again.
        boards, states = self._new_boards(changed), self._all_states(twins)
        for tournament, shown in boards.items():
            if self._said(self._boards.get(tournament)) != self._said(shown):
                self._boards[tournament] = shown
                yield subjects.all_board(tournament), encode(shown)
        for table, state in states.items():
            if self._states.get(table) != state:
                self._states[table] = state
                yield subjects.down(table, subjects.STATE), encode(state)

    def everything_for(self, table: str) -> Iterator[Outgoing]:
        """What a table that comes is told."""
        state = self._states.get(table)
        if state is not None:
            yield subjects.down(table, subjects.STATE), encode(state)
            shown = self._boards.get(state.tournament or "")
            if shown is not None:
                yield subjects.down(table, subjects.BOARD), encode(shown)

    def _said(self, shown: Board | None) -> Board | None:
        """A board but for the time at which it is told."""
        return None if shown is None else replace(shown, told=0)

    def _new_boards(self, changed: frozenset[str] | None) -> dict[str, Board]:
        now = int(self._clock.now().timestamp())
        found = {}
        for row in self._desk.tournaments():
            if row.archived:
                self._boards.pop(row.id, None)
            elif row.forgotten is None and (changed is None or row.id in changed):
                state, frozen = self._desk.public(row.id)
                found[row.id] = board(row.id, state, hub=self.hub, now=now, frozen=frozen, page=self._habits.page)
        return found

    def _all_states(self, twins: frozenset[str]) -> dict[str, State]:
        calls = self._calls()
        newest = self._newest()
        found = {}
        for table in self._tables.all():
            match = calls.get(table.number)
            tournament = match.tournament if match is not None else self._last_of(table.id) or newest
            found[table.id] = State(
                hub=self.hub,
                table=table.number,
                tournament=tournament,
                name=None if tournament is None else self._desk.state(tournament).plan.name,
                match=match,
                pictures=self._habits.pictures,
                pages=self._habits.pages,
                twin=table.id in twins,
            )
        return found

    def _last_of(self, table: str) -> str | None:
        """The tournament that a table last played in, as long as it is there."""
        last = self._states.get(table)
        return last.tournament if last is not None and last.tournament in self._boards else None

    def _newest(self) -> str | None:
        """The newest tournament that is not over; of several that one, for a table without a match."""
        rows = [row for row in self._desk.tournaments() if row.forgotten is None and not row.archived]
        return next((row.id for row in rows if not row.over), rows[0].id if rows else None)

    def _calls(self) -> dict[int, Called]:
        """The match called to each table; of several tournaments' the one that was called last."""
        found: dict[int, tuple[int, Called]] = {}
        for row in self._desk.tournaments():
            if row.archived:
                continue
            state = self._desk.state(row.id)
            matches = course(state).matches
            games = self._desk.games_counted(row.id) if state.calls else {}
            for call in state.calls.values():
                match = matches[call.match]
                told = replace(
                    called(row.id, state, match, page=self._habits.page, again=games.get(match.id, 0)),
                    referee=self._habits.referee(row.id),
                    review=_asked(state, match),
                )
                if call.table not in found or found[call.table][0] < call.clock:
                    found[call.table] = call.clock, told
        return {table: told for table, (_, told) in found.items()}


def _asked(state: Standing, match: Match) -> bool:
    """Whether the organiser is asked about this very match, or about the draw that it comes from."""
    return any(
        question.subject in (match.tie, match.id)
        or (question.kind == "redraw" and question.subject == str(match.round) and match.kind == "swiss")
        for question in course(state).questions
    )
