"""Names of entries and titles of matches, as people know them."""

from __future__ import annotations

from companion.games.base import Message
from companion.tournament.course import course
from companion.tournament.outcomes import Match
from companion.tournament.state import State
from companion.tournament.values import NOBODY, Seat

ROUNDS_BY_NAME = {2: "semi_final", 4: "quarter_final", 8: "round_of_16"}
"""Rounds of a knock-out that have a name, by their number of ties."""


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


def entry_name(state: State, entry: str) -> str:
    """The name of an entry; of one that is not there what was given."""
    return name_of(state, entry) or entry


def match_name(state: State, match: Match) -> str | Message:
    """The two who play it; its place in the tournament while they are not both known."""
    home, away = (name_of(state, seat) for seat in match.seats)
    return f"{home} \N{EN DASH} {away}" if home and away else match_title(state, match)
