"""Numbers of dice that complete a throw, and the default where nobody chooses a number."""

from __future__ import annotations

import pytest

from companion.games.base import Decision, DiceRequest, Message
from companion.games.hoops21 import HOOPS21
from companion.table.throws import dice_to_throw, due_counts, groups, max_dice_at_once
from tests.games.hoops21.kit import Match, dice

TITLE = Message("common.literal", {"text": "dice"})


def test_dice_thrown_one_after_the_other_are_complete_with_each_order() -> None:
    one, both = groups([DiceRequest("a", "pips", 1), DiceRequest("b", "pips", 1, order=1)])
    assert one.accepts({"pips": 1})
    assert not one.accepts({"pips": 2})
    assert both.accepts({"pips": 2})


@pytest.mark.parametrize(
    ("seen", "complete"),
    [({"red": 2}, True), ({"red": 3, "blue": 4}, True), ({"red": 1, "blue": 4}, False), ({"blue": 5, "red": 2}, False)],
)
def test_players_may_choose_how_many(seen: dict[str, int], complete: bool) -> None:
    (group,) = groups([DiceRequest("a", "red", 3, min_count=2), DiceRequest("a", "blue", 4, min_count=0)])
    assert group.accepts(seen) is complete


def test_no_dice_are_no_throw() -> None:
    (group,) = groups([DiceRequest("a", "red", 3, min_count=0)])
    assert not group.accepts({"red": 0})


def test_each_side_of_a_race_is_a_throw_of_its_own() -> None:
    found = groups([DiceRequest("a", "red", 6, independent=True), DiceRequest("b", "blue", 5, independent=True)])
    assert [group.accepts({"blue": 5}) for group in found] == [False, True]


def test_a_race_brings_the_dice_of_one_side_at_once() -> None:
    assert (
        max_dice_at_once([DiceRequest("a", "red", 6, independent=True), DiceRequest("b", "blue", 5, independent=True)])
        == 6
    )
    assert max_dice_at_once([DiceRequest("a", "red", 6), DiceRequest("b", "blue", 5)]) == 11
    assert max_dice_at_once([]) == 0


def test_the_reader_is_told_a_number_only_where_there_is_one() -> None:
    assert due_counts([DiceRequest("a", "red", 6), DiceRequest("b", "blue", 5)]) == (("red", 6), ("blue", 5))
    assert due_counts([DiceRequest("a", "red", 6, min_count=1), DiceRequest("a", "blue", 5)]) == (
        ("red", None),
        ("blue", None),
    )


def test_in_a_race_that_side_throws_whose_dice_do_not_lie_there() -> None:
    match = Match()
    match.play("jump_ball", orange=dice("bbbppp"), white=dice("bppppp"))
    match.play("ruling", text="x", restart="inbound", team="orange")
    decision = HOOPS21.decision(match.state)
    assert [a.kind for a in dice_to_throw(HOOPS21, match.state, decision)] == ["orange"]
    assert [a.kind for a in dice_to_throw(HOOPS21, match.state, decision, ["orange"])] == ["white"]


def test_nothing_is_thrown_where_nothing_is_awaited() -> None:
    assert dice_to_throw(HOOPS21, Match().state, Decision(TITLE)) == ()
