"""The schedule: tables, rests, calls, conflicts, expected end; and the effect of a finished match on the tournament."""

from __future__ import annotations

from dataclasses import replace

from companion.tournament import facts as fa
from companion.tournament.facts import TournamentState
from companion.tournament.headers import correction
from companion.tournament.headers import result as result_of
from companion.tournament.progress import progress_of
from companion.tournament.rules import propose_draw
from companion.tournament.schedule import MINUTE, match_length, next_calls, ready_matches, schedule
from tests.tournament import plans
from tests.tournament.playing import ready, refused, started, with_facts

HOUR = 3600


def league(places: int = 2) -> TournamentState:
    plan = replace(plans.round_robin("R", "hoops21"), tables=places, minutes=30, rest=5)
    return started(plan, 4)


def test_matches_follow_each_other_as_tables_players_and_rest_allow() -> None:
    plan = schedule(league(), 1000)
    assert [(slot.table, slot.starts) for slot in plan.slots] == [
        (1, 1000),
        (2, 1000),
        (1, 1000 + 35 * MINUTE),
        (2, 1000 + 35 * MINUTE),
        (1, 1000 + 70 * MINUTE),
        (2, 1000 + 70 * MINUTE),
    ]
    assert plan.ends == 1000 + 100 * MINUTE
    assert schedule(league(1), 0).ends == (6 * 30 + 2 * 5) * MINUTE, "twice a round begins with one who just played"
    for slot in plan.slots:
        seats = progress_of(league()).matches[slot.match].seats
        others = [each for each in plan.slots if each is not slot and each.starts == slot.starts]
        assert not any(set(seats) & set(progress_of(league()).matches[each.match].seats) for each in others)


def test_a_call_takes_the_table_and_the_players() -> None:
    state = league()
    first, second, third = ready_matches(state)[:3]
    assert [slot.match for slot in next_calls(state, 0)] == [first.id, second.id]
    state = with_facts(state, fa.Call(first.id, 1, 0))
    assert refused(state, fa.Call(second.id, 1, 0)) == "table_busy"
    assert refused(state, fa.Call(third.id, 2, 0)) == "entry_busy"
    assert refused(state, fa.Call(second.id, 3, 0)) == "unknown_table"
    assert refused(state, fa.Call(first.id, 2, 0)) == "not_ready"
    closed = with_facts(state, fa.Table(2, False))
    assert refused(closed, fa.Call(second.id, 2, 0)) == "table_closed"
    assert [slot.match for slot in next_calls(closed, 0)] == []
    assert decided_again(with_facts(closed, fa.Table(2, True)), second.id)
    assert with_facts(state, fa.Uncall(first.id)).calls == {}
    assert schedule(with_facts(league(1), fa.Table(1, False)), 0).ends is None


def decided_again(state: TournamentState, match: str) -> bool:
    return [slot.match for slot in next_calls(state, 0)] == [match]


def test_observed_lengths_move_the_expected_end() -> None:
    state = league()
    before = schedule(state, 0).ends
    for match in ready_matches(state)[:2]:
        table = 1 + len(state.calls)
        state = with_facts(state, fa.Call(match.id, table, 0))
    for match in ready(state)[:2]:
        state = with_facts(state, fa.Result(match.id, str(match.home), str(match.away), (1, 0), clock=HOUR))
    assert state.lengths == dict.fromkeys(state.reports, (0, HOUR))
    assert match_length(state) == 45 * MINUTE
    later = schedule(state, HOUR)
    assert before is not None
    assert later.ends is not None
    assert later.ends > before
    assert min(slot.starts for slot in later.slots) == HOUR + 5 * MINUTE


def test_conflicts_name_what_to_look_at() -> None:
    state = league()
    first = ready_matches(state)[0]
    state = with_facts(state, fa.Call(first.id, 1, 0), fa.Table(1, False))
    assert [(each.kind, each.match) for each in schedule(state, 3 * HOUR).conflicts] == [
        ("closed", first.id),
        ("overdue", first.id),
    ]
    state = with_facts(
        state, fa.Result(first.id, str(first.home), str(first.away), (1, 0), clock=HOUR), fa.Table(1, True)
    )
    tired = next(match for match in ready_matches(state) if first.home in match.seats)
    state = with_facts(state, fa.Call(tired.id, 1, HOUR + MINUTE))
    assert [(each.kind, each.entries) for each in schedule(state, HOUR + MINUTE).conflicts] == [
        ("rest", (str(first.home),))
    ]


def test_rounds_that_are_not_drawn_count_towards_the_end() -> None:
    state = started(replace(plans.swiss("S", "hoops21", 3), tables=2), 4)
    assert schedule(state, 0).unplaced == 6
    assert schedule(with_facts(state, propose_draw(state)), 0).unplaced == 4
    assert schedule(state, 0).ends == 3 * 30 * MINUTE


def test_the_end_of_a_game_becomes_a_result_and_a_corrected_roll_a_correction() -> None:
    state = started(plans.footclub_league("L"), 4)
    match = ready_matches(state)[0]
    view = {"phase": "attack", "score": {"blue": 2, "red": 1}, "result": None, "carry_over": None}
    assert result_of("footclub", view, match) is None
    found = result_of("footclub", {**view, "result": {"winner": "blue", "by": "goals"}}, match, 50)
    assert found == fa.Result(match.id, str(match.home), str(match.away), (2, 1), "home", "goals", 50)
    state = with_facts(state, found)
    drawn = result_of(
        "footclub", {**view, "score": {"blue": 1, "red": 1}, "result": {"winner": None, "by": "draw"}}, match
    )
    assert drawn is not None
    state = with_facts(state, correction(drawn, "dé relu"))
    assert progress_of(state).matches[match.id].winner is None
    assert [report.clock for report in state.reports[match.id]] == [50, 50]
    over = {"phase": "over", "score": {"orange": 21, "white": 15}, "winner": "orange"}
    assert (result_of("hoops21", over, match) or found).winner == "home"
    nba = {"phase": "tied", "over": True, "score": {"home": 60, "away": 60}, "winner": None}
    assert (result_of("nba", nba, match) or found).winner is None
