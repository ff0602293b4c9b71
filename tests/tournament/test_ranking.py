"""The final ranking of every format."""

from __future__ import annotations

from companion.tournament.progress import progress_of
from companion.tournament.ranking import final_ranking, podium
from companion.tournament.values import Plan
from tests.tournament import plans
from tests.tournament.playing import Score, better_seed, play_all, started


def steps(plan: Plan, entries: int, score: Score = better_seed) -> list[tuple[int, set[str]]]:
    """Return the podium of a tournament that has been played."""
    return [(rank, set(level)) for rank, level in podium(progress_of(play_all(started(plan, entries), score)))]


def ranks(plan: Plan, entries: int) -> list[tuple[int, str]]:
    """Return the final ranking of a tournament in which the better seed always wins."""
    found = final_ranking(progress_of(play_all(started(plan, entries), better_seed)))
    return [(each.rank, each.entry) for each in found]


def test_before_the_end_nobody_is_ranked() -> None:
    assert final_ranking(progress_of(started(plans.swiss("S", "hoops21", 2), 4))) == ()


def test_a_single_table_is_the_final_ranking() -> None:
    assert ranks(plans.round_robin("R", "hoops21"), 4) == [(1, "e1"), (2, "e2"), (3, "e3"), (4, "e4")]


def test_a_knock_out_ranks_by_the_round_of_the_defeat() -> None:
    found = ranks(plans.knock_out("K", "hoops21"), 8)
    assert found[:4] == [(1, "e1"), (2, "e2"), (3, "e3"), (4, "e4")]
    assert [rank for rank, _ in found[4:]] == [5] * 4


def test_without_a_match_for_the_third_place_two_are_third() -> None:
    found = ranks(plans.knock_out("K", "hoops21", third_place=False), 8)
    assert [rank for rank, _ in found] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert {entry for _, entry in found[2:4]} == {"e3", "e4"}


def test_byes_do_not_count_as_defeats() -> None:
    assert [rank for rank, _ in ranks(plans.knock_out("K", "hoops21"), 5)] == [1, 2, 3, 4, 5]


def test_a_double_knock_out_ranks_by_the_second_defeat() -> None:
    found = ranks(plans.double_knock_out("D", "hoops21"), 8)
    assert [rank for rank, _ in found] == [1, 2, 3, 4, 5, 5, 7, 7]
    assert [entry for _, entry in found[:4]] == ["e1", "e2", "e3", "e4"]


def test_those_who_did_not_qualify_follow_by_their_rank_in_the_group() -> None:
    found = ranks(plans.groups_then_knock_out("G", "hoops21", 2, 2), 8)
    assert [rank for rank, _ in found] == [1, 2, 3, 4, 5, 5, 7, 7]
    assert {entry for _, entry in found} == {f"e{number}" for number in range(1, 9)}


def test_the_podium_has_the_first_three_ranks() -> None:
    assert steps(plans.double_knock_out("D", "hoops21"), 6) == [(1, {"e1"}), (2, {"e2"}), (3, {"e3"})]
    assert steps(plans.knock_out("K", "hoops21", third_place=False), 4) == [(1, {"e1"}), (2, {"e2"}), (3, {"e3", "e4"})]
    assert steps(plans.knock_out("K", "hoops21"), 2) == [(1, {"e1"}), (2, {"e2"})]


def test_without_a_champion_there_is_no_podium() -> None:
    assert podium(progress_of(started(plans.round_robin("R", "hoops21"), 4))) == ()
    assert steps(plans.round_robin("R", "footclub"), 4, lambda match: (1, 1)) == []
