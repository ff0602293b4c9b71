"""What the header of a match's journal takes from the tournament: the names, and what each game's `setup` must know."""

from __future__ import annotations

from typing import Any

from companion.tournament import legacy
from companion.tournament.course import Match, course, standing_report
from companion.tournament.facts import State
from companion.tournament.tables import GAME_SIDES


def sides(state: State, match: Match) -> dict[str, str]:
    """The game's sides and the entry of each; the side that plays at home is the game's first."""
    home, away = GAME_SIDES[state.plan.game]
    return {home: match.home or "", away: match.away or ""}


def names(state: State, match: Match) -> dict[str, dict[str, str]]:
    """`sides` of the header."""
    return {side: {"name": state.entries[entry].name} for side, entry in sides(state, match).items()}


def setup(state: State, match: Match) -> dict[str, Any]:
    """The keys of `setup` that the tournament decides; squads, cards and all else are the table's own."""
    seated = sides(state, match)
    if state.plan.game == "footclub":
        return _footclub(state, match, seated)
    carried = legacy.setup(state, match, seated) if state.plan.game == "nba" else None
    return {} if carried is None else {"legacy": carried}


def _footclub(state: State, match: Match, seated: dict[str, str]) -> dict[str, Any]:
    """A draw stands in a table (FC-17.2); of two legs the second knows the first (FC-16.1)."""
    home = GAME_SIDES["footclub"][0]
    if match.leg == 0:
        table = state.plan.stages[match.stage - 1].table
        return {"home": home, "format": "league" if table else "single"}
    if match.leg == 1:
        return {"home": home, "format": "leg1"}
    first = course(state).ties[match.tie].matches[0]
    report = standing_report(state, first.id, first.home, first.away)
    told: dict[str, Any] = {"home": home, "format": "leg2"}
    if report is not None:
        goals = {report.home: report.score[0], report.away: report.score[1]}
        told["first_leg"] = {
            **(report.carry or {"suspended": [], "booked": [], "injured": []}),
            "score": {side: goals[entry] for side, entry in seated.items()},
        }
    return told
