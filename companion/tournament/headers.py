"""What the header of a match's journal takes from the tournament: the names, and what each game's `setup` must know."""

from __future__ import annotations

from typing import Any

from companion.games.registry import SPECS
from companion.games.spec import FirstLeg, Fixture
from companion.tournament import legacy
from companion.tournament.course import Match, course, standing_report
from companion.tournament.facts import State


def sides(state: State, match: Match) -> dict[str, str]:
    """The game's sides and the entry of each; the side that plays at home is the game's first."""
    home, away = SPECS[state.plan.game].home_sides
    return {home: match.home or "", away: match.away or ""}


def names(state: State, match: Match) -> dict[str, dict[str, str]]:
    """`sides` of the header."""
    return {side: {"name": state.entries[entry].name} for side, entry in sides(state, match).items()}


def setup(state: State, match: Match) -> dict[str, Any]:
    """The keys of `setup` that the tournament decides; squads, cards and all else are the table's own."""
    seated = sides(state, match)
    spec = SPECS[state.plan.game]
    fixture = Fixture(
        spec.home_sides[0],
        state.plan.stages[match.stage - 1].table,
        match.leg,
        _first_leg(state, match, seated) if match.leg == 2 else None,
        legacy.kept(state, match, seated),
    )
    return spec.tournament.set_up(fixture)


def _first_leg(state: State, match: Match, seated: dict[str, str]) -> FirstLeg | None:
    """The first leg of a second one, if it has a result."""
    first = course(state).ties[match.tie].matches[0]
    report = standing_report(state, first.id, first.home, first.away)
    if report is None:
        return None
    goals = {report.home: report.score[0], report.away: report.score[1]}
    return FirstLeg({side: goals[entry] for side, entry in seated.items()}, report.carry)
