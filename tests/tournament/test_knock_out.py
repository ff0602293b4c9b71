"""Knock-outs of every size: third places, two legs, draws, groups before them, cards carried along."""

from __future__ import annotations

from random import Random

import pytest

from companion.tournament import facts as fa
from companion.tournament.headers import setup
from companion.tournament.pairing import bracket_order, bracket_size
from companion.tournament.progress import progress_of
from companion.tournament.rules import decide, propose_seed
from tests.tournament import plans
from tests.tournament.playing import (
    better_seed,
    chance,
    home_wins,
    play_all,
    ready,
    refused,
    result,
    started,
    with_facts,
)

EVERY_DAY = {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17}
SIZES = [size if size in EVERY_DAY else pytest.param(size, marks=pytest.mark.slow) for size in range(2, 65)]


@pytest.mark.parametrize("entries", SIZES)
def test_a_knock_out_has_one_match_less_than_entries_and_a_third_place(entries: int) -> None:
    state = play_all(started(plans.knock_out("K", "hoops21"), entries), better_seed)
    played = [match for match in progress_of(state).matches.values() if match.status == "done"]
    assert len(played) == entries - 1 + (entries >= 4)
    assert progress_of(state).champion == "e1"
    final = progress_of(state).ties["s1-final"]
    assert {final.home, final.away} == {"e1", "e2"}
    byes = [match for match in progress_of(state).matches.values() if match.by == "bye" and match.kind == "winners"]
    expected = bracket_size(entries) - entries
    assert sorted(str(match.home) for match in byes) == sorted(f"e{n}" for n in range(1, expected + 1))
    if entries >= 4:
        third = progress_of(state).ties["s1-third"]
        assert {third.winner, third.loser} == {"e3", "e4"}


@pytest.mark.parametrize("entries", SIZES)
def test_a_double_knock_out_lets_everyone_lose_twice(entries: int) -> None:
    state = play_all(started(plans.double_knock_out("D", "hoops21"), entries), chance(Random(entries), draws=False))
    played = [match for match in progress_of(state).matches.values() if match.status == "done"]
    lost: dict[str, int] = {f"e{n}": 0 for n in range(1, entries + 1)}
    for match in played:
        lost[str(match.away if match.winner == "home" else match.home)] += 1
    champion = progress_of(state).champion
    assert champion is not None
    assert all(count == 2 for entry, count in lost.items() if entry != champion)
    assert len(played) == 2 * entries - 2 + lost[champion]
    assert lost[champion] <= 1


def test_the_order_of_seeds() -> None:
    assert bracket_order(4) == (1, 4, 2, 3)
    assert [bracket_order(16)[at] + bracket_order(16)[at + 1] for at in range(0, 16, 2)] == [17] * 8


def test_a_drawn_match_asks_who_goes_on() -> None:
    state = started(plans.knock_out("K", "footclub"), 4)
    match = ready(state)[0]
    state = with_facts(state, result(match, (1, 1)))
    asked = progress_of(state).questions[0]
    assert (asked.kind, asked.choices, asked.entries) == ("drawn", ("home", "away", "replay"), match.seats)
    assert progress_of(with_facts(state, fa.Rule(asked.id, "away"))).ties[match.tie].winner == match.away
    again = with_facts(state, fa.Rule(asked.id, "replay"))
    assert progress_of(again).matches[match.id].status == "ready"
    again = with_facts(again, result(match, (0, 2)))
    assert progress_of(again).ties["s1-final"].home == match.away
    assert progress_of(again).questions == ()
    assert refused(state, fa.Rule(asked.id, "keep")) == "unknown_choice"
    assert refused(again, fa.Rule(asked.id, "home")) == "unknown_question"


LEGS = [
    ((2, 0), (0, 1), "score", "e1"),
    ((2, 1), (1, 0), "score", "e2"),
    ((1, 0), (2, 1), "score", "e1"),
    ((1, 1), (1, 1), "home", "e2"),
]
"""First leg, second leg, its shoot-out, and the side that advances; e1 is at home first.

The order of FC-16.2 is: the sum, the goals away, the shoot-out.
"""


@pytest.mark.parametrize(("first", "second", "shootout", "winner"), LEGS)
def test_two_legs_go_by_sum_then_away_goals_then_shoot_out(
    first: tuple[int, int], second: tuple[int, int], shootout: str, winner: str
) -> None:
    state = started(plans.knock_out("K", "footclub", legs=2, final_legs=2, third_place=False), 2)
    one, two = progress_of(state).matches.values()
    assert (one.seats, two.seats) == (("e1", "e2"), ("e2", "e1"))
    carry = {"suspended": ["x"], "booked": [], "injured": []}
    state = with_facts(state, fa.Result(one.id, "e1", "e2", first, carry=carry))
    told_of = setup(state, progress_of(state).matches[two.id])
    assert told_of.pop("catalogue")["team_cards"]["players"]
    assert told_of == {
        "home": "blue",
        "format": "leg2",
        "first_leg": {**carry, "score": {"blue": first[1], "red": first[0]}},
    }
    state = with_facts(state, fa.Result(two.id, "e2", "e1", second, shootout))  # type: ignore[arg-type]
    assert progress_of(state).champion == winner


def test_a_forfeit_in_the_second_leg_loses_the_tie() -> None:
    state = started(plans.knock_out("K", "footclub", legs=2, final_legs=2), 2)
    state = with_facts(state, fa.Result("s1-final/1", "e1", "e2", (9, 0)), fa.Forfeit("s1-final/2", "away"))
    assert progress_of(state).champion == "e2"


def test_groups_then_knock_out_seeds_the_first_of_each_group_apart() -> None:
    plan = plans.groups_then_knock_out("C", "footclub", 4, 2)
    state = started(plan, 16)
    groups = progress_of(state).stages[0].groups
    assert groups["A"] == ("e1", "e8", "e9", "e16")
    for match in ready(state):
        state = with_facts(state, result(match, better_seed(match)))
    seeds = propose_seed(state)
    assert seeds.order == ("e1", "e2", "e3", "e4", "e8", "e7", "e6", "e5")
    assert refused(state, fa.Seed(2, seeds.order[:-1])) == "not_the_qualified"
    state = with_facts(state, seeds)
    of = {id: name for name, members in groups.items() for id in members}
    quarter = [tie for tie in progress_of(state).stages[1].ties if tie.node.round == 1 and tie.node.kind == "winners"]
    assert all(of[str(tie.home)] != of[str(tie.away)] for tie in quarter)
    assert progress_of(play_all(state, better_seed)).champion == "e1"


@pytest.mark.parametrize("groups", range(2, 9))
def test_nobody_meets_his_own_group_in_the_first_round(groups: int) -> None:
    state = started(plans.groups_then_knock_out("C", "hoops21", groups, 2), groups * 3)
    for match in ready(state):
        state = with_facts(state, result(match, better_seed(match)))
    state = with_facts(state, propose_seed(state))
    of = {id: name for name, members in progress_of(state).stages[0].groups.items() for id in members}
    first = [tie for tie in progress_of(state).stages[1].ties if tie.node.round == 1 and tie.node.kind == "winners"]
    met = [(of.get(str(tie.home)), of.get(str(tie.away))) for tie in first or progress_of(state).stages[1].ties]
    assert all(one != other for one, other in met)


def test_level_at_the_cut_is_the_organisers_to_order() -> None:
    plan = plans.groups_then_knock_out("C", "footclub", 1, 2)
    state = started(plan, 3)
    for match in ready(state):
        state = with_facts(state, result(match, (0, 0)))
    asked = progress_of(state).questions[0]
    assert (asked.kind, set(asked.entries)) == ("level", {"e1", "e2", "e3"})
    assert refused(state, fa.Rule(asked.id, "order", ("e1", "e2"))) == "not_the_level"
    assert refused(state, fa.Seed(2, ("e1", "e2"))) == "question_open"
    assert progress_of(state).stages[0].going_on() == set(), "nothing tells yet who does"
    for choice, decided in (("order", "ruling"), ("lot", "lot")):
        decided_state = with_facts(state, fa.Rule(asked.id, choice, ("e3", "e1", "e2")))
        assert propose_seed(decided_state).order == ("e3", "e1")
        stage = progress_of(decided_state).stages[0]
        rows = stage.tables["A"]
        assert [(row.entry, row.rank, row.level, row.decided) for row in rows] == [
            ("e3", 1, False, decided),
            ("e1", 2, False, decided),
            ("e2", 3, False, decided),
        ]
        assert stage.going_on() == {"e3", "e1"}


def test_a_double_forfeit_sends_nobody_on() -> None:
    state = started(plans.knock_out("K", "footclub", third_place=False), 4)
    one, two = ready(state)
    state = with_facts(state, fa.DoubleForfeit(one.id), result(two, (1, 0)))
    assert progress_of(state).champion == two.home


def test_who_withdraws_from_a_bracket_loses_what_is_left() -> None:
    state = started(plans.knock_out("K", "footclub", third_place=False), 4)
    one, two = ready(state)
    state = with_facts(state, result(one, (1, 0)), fa.Withdraw(str(one.home)), result(two, (1, 0)))
    assert progress_of(state).champion == two.home
    assert decide(state, fa.Readmit(str(one.home))) is None


def test_legacy_carries_cards_up_to_each_rounds_threshold() -> None:
    state = started(plans.nba_legacy("T", (2, 4)), 8)
    first = progress_of(state).matches["s1-w1-1"]
    home, away = setup(state, first)["legacy"]["kept"]
    assert setup(state, first) == {"legacy": {"stage": 1, "threshold": 0, "kept": {home: [], away: []}}}
    keep = fa.Keep(first.id, str(first.home), "P9", 2, "T3", 1)
    assert refused(state, keep) == "no_result"
    for match in ready(state):
        state = with_facts(state, result(match, home_wins(match)))
    assert refused(state, fa.Keep(first.id, str(first.home), "P9", 3)) == "over_threshold"
    assert refused(state, fa.Keep(first.id, "e5", "P9", 2)) == "not_theirs"
    state = with_facts(state, keep)
    changed = with_facts(with_facts(state, fa.Keep(first.id, str(first.home))), keep)
    assert changed.kept == state.kept == (keep,)
    semi = progress_of(state).matches["s1-w2-1"]
    assert setup(state, semi)["legacy"] == {"stage": 2, "threshold": 2, "kept": {home: ["P9", "T3"], away: []}}
    for match in ready(state):
        state = with_facts(state, result(match, home_wins(match)))
    assert refused(state, keep) == "kept_already"
    state = with_facts(state, fa.Keep(semi.id, str(semi.home), "P7", 4))
    final = progress_of(state).matches["s1-final"]
    assert setup(state, final)["legacy"]["stage"] == 3
    assert setup(state, final)["legacy"]["threshold"] == 4
    assert refused(play_all(state, home_wins), fa.Keep("s1-final", str(final.home), "P1", 0)) == "nothing_kept"
