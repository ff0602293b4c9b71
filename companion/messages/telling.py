"""From a tournament's state to what tables are told: the match that is called to one, the board that all may show."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.messages.wire import Board, Called, Coming, Standings
from companion.tournament.bulletin import bulletin, match_title, name_of
from companion.tournament.headers import names, setup, sides
from companion.tournament.mark import MARK, Mark
from companion.tournament.outcomes import Match
from companion.tournament.state import State
from companion.tournament.tables import GAME_SIDES

PageOf = Callable[[str, str], str | None]
"""The address of a match's public page, by tournament and match."""


def no_page(tournament: str, match: str) -> None:
    """Where there are no pages."""


def called(
    tournament: str, state: State, match: Match, *, referee: bool, review: bool, page: PageOf, again: int = 0
) -> Called:
    """A match that was called to a table, with what its journal's header takes from the tournament.

    `again` is how many games were counted for it before.
    """
    home, away = GAME_SIDES[state.plan.game]
    call = state.calls.get(match.id)
    return Called(
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
        referee=referee,
        called=None if call is None else call.clock,
        review=review,
        page=page(tournament, match.id),
    )


def board(tournament: str, state: State, *, hub: str, now: int, frozen: bool, page: PageOf) -> Board:
    """The standings and the next matches; `now` in seconds since 1970."""
    shown = bulletin(state, now)
    return Board(
        hub=hub,
        tournament=tournament,
        name=shown.name,
        told=now,
        frozen=frozen,
        standings=tuple(msgspec.convert(table, Standings, from_attributes=True) for table in shown.standings),
        coming=tuple(
            msgspec.structs.replace(
                msgspec.convert(each, Coming, from_attributes=True), page=page(tournament, each.match)
            )
            for each in shown.coming
        ),
    )
