"""The time limits of a tournament: in its plan, in the header of every called match, and in the table's journal."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.footclub.squads import header, sample_clubs
from companion.games.registry import GAMES
from companion.messages.tournament import called_match
from companion.table.tournament_desk import complete_header
from companion.tournament import facts as fa
from companion.tournament import planning, rules
from companion.tournament.clock import CLOCK, TimeLimits, time_limits
from companion.tournament.progress import progress_of
from tests.tournament import plans

STRICT = TimeLimits("strict", 45, 60)


def test_a_plan_keeps_its_limits_and_one_without_them_stays_as_it_was() -> None:
    plan = plans.round_robin("R", "footclub")
    assert CLOCK not in planning.to_json(plan)
    timed = replace(plan, clock=STRICT)
    assert planning.parse(planning.to_json(timed)) == timed
    assert planning.parse(planning.to_json(plan)).clock is None


@pytest.mark.parametrize(
    "clock",
    [5, {"mode": "loud"}, {"match_minutes": 5}, {"mode": "quiet", "turn_seconds": 3601}, {"mode": "quiet", "x": 1}],
)
def test_limits_that_are_none_are_refused_with_their_field(clock: object) -> None:
    fields = {**planning.to_json(plans.round_robin("R", "footclub")), CLOCK: clock}
    with pytest.raises(Refusal) as refused:
        planning.parse(fields)
    assert refused.value.rule in ("bad_field", "missing_field", "unknown_field")


@pytest.mark.parametrize("limits", [STRICT, TimeLimits("off"), None])
def test_the_journal_of_a_called_match_has_the_limits_of_the_plan(limits: TimeLimits | None) -> None:
    plan = replace(plans.round_robin("R", "footclub"), clock=limits)
    state = rules.replay_facts(plan, [fa.Enter("e1", "Ana", 1), fa.Enter("e2", "Bea", 2), fa.Start()])
    match = next(iter(progress_of(state).matches.values()))
    called = called_match("t", state, match, page=lambda *_: None)
    prepared: dict[str, Any] = header(*sample_clubs()[:2])
    made = complete_header(prepared, called.header)
    assert time_limits(made) == (limits or TimeLimits())
    assert (CLOCK in made) == (limits is not None)
    GAMES["footclub"].initial_state(made)


@pytest.mark.parametrize("game", GAMES)
def test_a_header_with_limits_and_a_season_begins_a_match_of_every_game(game: str) -> None:
    made = {**GAMES[game].random_header(Random(1)), CLOCK: STRICT.fields(), "season": {"id": "a", "name": "A"}}
    assert GAMES[game].initial_state(made) == GAMES[game].initial_state({**made, CLOCK: {}})
