"""Entries and matches as a refusal names them: by the names that people know, not by ids."""

from __future__ import annotations

from companion.games.base import Message
from companion.tournament.bulletin import match_title, name_of
from companion.tournament.outcomes import Match
from companion.tournament.state import State


def entry_name(state: State, entry: str) -> str:
    """The name of an entry; of one that is not there what was given."""
    return name_of(state, entry) or entry


def match_name(state: State, match: Match) -> str | Message:
    """The two who play it; its place in the tournament while they are not both known."""
    home, away = (name_of(state, seat) for seat in match.seats)
    return f"{home} \N{EN DASH} {away}" if home and away else match_title(state, match)
