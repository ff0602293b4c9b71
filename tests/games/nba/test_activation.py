"""Chapter 7 with 9.4 to 9.6: activate, roll again, keep."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.nba.kit import CARDS, COURT, ROSTER, Match, dice, full, player

ALL = ("t-out", "t-post", "t-trap", "t-hard")


def prepared(*tactics: str, **setup: Any) -> Match:
    return Match(full(**setup)).reshape("ann", prepared=tactics or ALL)


def test_from_the_first_roll_to_the_zone() -> None:
    match = prepared()
    out = match.play("activate", tactic="t-out", dice=dice("three_points 9 0 2"))
    assert out == {"type": "offence", "rerolls": 0, "coach_reroll": None}
    roll = match.view["roll"]
    assert (roll["keep"], roll["rerolled"], roll["rerolls"]) == ({"three_points": 2}, [], 0)
    assert (match.view["phase"], match.view["done"]) == ("roll", ["offence"])
    kept = match.play("keep", dice=[2, 0])
    nine, two = ({"die": "three_points", "value": value, "colour": "blue"} for value in (9, 2))
    assert kept == {"type": "offence", "kept": [nine, two], "value": 11}
    assert match.view["attack"]["ann"] == {"dice": [nine, two], "value": 11, "colours": ["blue"], "tactic": "t-out"}
    assert match.view["teams"]["ann"]["prepared"]["offence"] == ["t-post", "t-hard"]
    assert match.view["phase"] == "activation"


def test_one_of_each_type_and_only_what_is_prepared() -> None:
    match = prepared()
    assert match.refused("activate", tactic="t-drive", dice=dice("penetration 2 2 2")) == "NBA-7.1"
    match.play("activate", tactic="t-out", dice=dice("three_points 9 0 2"))
    match.play("keep", dice=[])
    assert match.view["attack"]["ann"] is None
    assert match.refused("activate", tactic="t-post", dice=dice("inside 4 4 4")) == "NBA-7.1"
    assert match.refused("activate", tactic="t-trap", dice=dice("block 0 0, stop 0 0 0")) is None


def test_the_collective_level() -> None:
    four = dice("three_points 0 0 0, inside 0 0 0")
    assert prepared().refused("activate", tactic="t-hard", dice=four) == "NBA-7.2"
    coach = {"ann": {"power": "collective"}}
    assert prepared(coaches=coach).refused("activate", tactic="t-hard", dice=four) is None


@pytest.mark.parametrize(
    ("thrown", "rule"),
    [
        ("three_points 9 0", "NBA-7.3"),
        ("three_points 9 0 0 0", "NBA-7.3"),
        ("three_points 9 0 0, inside 0", "NBA-7.3"),
        ("three_points 9 0, inside 0", "NBA-7.3"),
        ("three_points 9 0 1", "NBA-2.4"),
        ("three_points 0 0 0 0 0 0 0 0 0 0 0", "NBA-2.5"),
    ],
)
def test_exactly_the_dice_of_the_tactic(thrown: str, rule: str) -> None:
    assert prepared().refused("activate", tactic="t-out", dice=dice(thrown)) == rule


def strong(**setup: Any) -> Match:
    """Return a match in which Anne has six rebounds more than Benoît: two dice may be rolled again."""
    rosters = {"ann": {**ROSTER, "court": {**COURT, "c": "n-wall"}, "bench": None}, "ben": ROSTER}
    match = prepared("t-out", "t-trap", rosters=rosters, **setup)
    assert match.view["teams"]["ann"]["rebounds"] == 9
    return match


def test_rebounds_give_rerolls() -> None:
    match = strong()
    assert (match.view["teams"]["ann"]["rerolls"], match.view["teams"]["ben"]["rerolls"]) == (2, 0)
    assert match.play("activate", tactic="t-out", dice=dice("three_points 9 0 2"))["rerolls"] == 2
    assert match.refused("reroll", dice=[0, 1, 2], to=dice("three_points 0 0 0")) == "NBA-7.4"
    assert match.refused("reroll", dice=[3], to=dice("three_points 0")) == "NBA-1.2"
    assert match.refused("reroll", dice=[1, 1], to=dice("three_points 0 0")) == "NBA-1.2"
    assert match.refused("reroll", dice=[], to=[]) == "NBA-1.2"
    assert match.refused("reroll", dice=[1], to=dice("three_points 0 0")) == "NBA-1.2"
    assert match.refused("reroll", dice=[1], to=dice("inside 0")) == "NBA-7.6"
    assert match.refused("reroll", dice=[1], to=dice("three_points 5")) == "NBA-2.4"
    out = match.play("reroll", dice=[2, 1], to=dice("three_points 6 2"))
    assert out["fatigue"] == 0
    assert [die["value"] for die in out["dice"]] == [9, 2, 6]
    roll = match.view["roll"]
    assert (roll["rerolled"], roll["rerolls"]) == ([1, 2], 0)
    assert match.refused("reroll", dice=[0], to=dice("three_points 0")) == "NBA-7.6"
    assert match.refused("keep", dice=[0, 1, 2]) == "NBA-7.7"
    assert match.refused("keep", dice=[0, 0]) == "NBA-1.2"
    assert match.refused("keep", dice=[3]) == "NBA-1.2"


@pytest.mark.parametrize(("least", "rerolls"), [(4, 0), (5, 1), (7, 1), (8, 2)])
def test_every_third_rebound_begun_is_a_die(least: int, rerolls: int) -> None:
    cards = {**CARDS, "n-tall": player("c", rebounds=least - 2)}
    tall = {**ROSTER, "court": {**COURT, "c": "n-tall"}}
    match = Match(full(cards=cards, rosters={"ann": tall, "ben": ROSTER}))
    assert match.view["teams"]["ann"]["rebounds"] == least
    assert match.view["teams"]["ann"]["rerolls"] == rerolls


def test_three_sides_look_at_the_best_in_rebounds() -> None:
    wall = {**ROSTER, "court": {**COURT, "c": "n-wall"}, "bench": None}
    rosters = {"ann": wall, "ben": ROSTER, "cat": {**ROSTER, "court": {**COURT, "pf": "b-pf"}, "bench": None}}
    match = Match(full("ann", "ben", "cat", rosters=rosters))
    assert [match.view["teams"][side]["rebounds"] for side in ("ann", "ben", "cat")] == [9, 4, 6]
    assert match.view["teams"]["ann"]["rerolls"] == 1


def test_a_coach_for_rebounds() -> None:
    match = Match(full(coaches={"ann": {"power": "rebounds"}}))
    assert (match.view["teams"]["ann"]["rebounds"], match.view["teams"]["ann"]["rerolls"]) == (5, 1)


TRAP = "block 3r 0 0 0 0, stop 1y 0 0 0"


def test_defence_takes_a_fatigue_card_for_each_die() -> None:
    match = strong(fatigue={"cards": 2})
    out = match.play("activate", tactic="t-trap", dice=dice(TRAP))
    assert (out["type"], out["rerolls"]) == ("defence", 2)
    assert match.refused("reroll", dice=[1, 5, 6], to=dice("block 0, stop 0 0")) == "NBA-7.5"
    assert match.play("reroll", dice=[1, 5], to=dice("block 1r, stop 3b"))["fatigue"] == 2
    assert (match.view["fatigue"]["pile"], match.view["fatigue"]["held"]["ann"]) == (0, 2)
    kept = match.play("keep", dice=[0, 5])
    assert (kept["against"], kept["fatigue"]) == ({"ben": 0}, 2)
    assert match.view["defence"]["ann"]["tactic"] == "t-trap"


def test_in_money_time_two_dice_are_free() -> None:
    match = strong(market_cards=6, variants={"money_time": True}, fatigue={"cards": 0}).pass_turns(4)
    assert match.play("activate", tactic="t-trap", dice=dice(TRAP))["rerolls"] == 2
    assert match.refused("reroll", dice=[1, 5, 6], to=dice("block 0, stop 0 0")) == "NBA-7.5"
    assert match.play("reroll", dice=[5, 6], to=dice("stop 0 0"))["fatigue"] == 0


def test_a_coach_for_one_die_more() -> None:
    match = strong(coaches={"ann": {"power": "reroll", "die": "three_points"}})
    out = match.play("activate", tactic="t-out", dice=dice("three_points 9 0 2"))
    assert (out["rerolls"], out["coach_reroll"]) == (2, "three_points")
    match.play("reroll", dice=[0, 1, 2], to=dice("three_points 9 9 9"))
    assert match.view["roll"]["coach_reroll"] is None
    match.play("keep", dice=[0, 1])
    out = match.play("activate", tactic="t-trap", dice=dice(TRAP))
    assert out["coach_reroll"] is None


def test_a_coach_for_one_defence_die_without_fatigue() -> None:
    match = strong(coaches={"ann": {"power": "reroll", "die": "stop"}}, fatigue={"cards": 1})
    match.play("activate", tactic="t-trap", dice=dice(TRAP))
    assert match.refused("reroll", dice=[0, 1], to=dice("block 0 0")) == "NBA-7.5"
    assert match.play("reroll", dice=[1, 6], to=dice("block 0, stop 0"))["fatigue"] == 1
    late = strong(
        coaches={"ann": {"power": "reroll", "die": "stop"}},
        market_cards=6,
        variants={"money_time": True},
    ).pass_turns(4)
    late.play("activate", tactic="t-trap", dice=dice(TRAP))
    assert late.refused("reroll", dice=[1, 5, 6, 7], to=dice("block 0, stop 0 0 0")) == "NBA-7.5"
    assert late.play("reroll", dice=[1, 5, 6], to=dice("block 0, stop 0 0"))["fatigue"] == 0


def test_decisive_players_count_at_the_close_only() -> None:
    rosters = {"ann": {**ROSTER, "court": {**COURT, "sg": "n-star"}, "bench": None}, "ben": ROSTER}
    match = Match(full(rosters=rosters, market_cards=6, variants={"decisive": True}))
    assert match.view["teams"]["ann"]["rerolls"] == 0
    match.pass_turns(4)
    assert match.view["teams"]["ann"]["rerolls"] == 1
    assert Match(full(rosters=rosters, market_cards=6)).pass_turns(4).view["teams"]["ann"]["rerolls"] == 0


def test_no_more_than_ten_dice_of_a_kind() -> None:
    rosters = {"ann": {**ROSTER, "court": {**COURT, "c": "n-tower"}}, "ben": ROSTER}
    cards = full()["setup"]["cards"]
    tower = {**cards["s-c"], "inside": 14}
    match = Match(full(cards={**cards, "n-tower": tower}, rosters=rosters)).reshape("ann", prepared=("t-post",))
    team = match.view["teams"]["ann"]
    assert (team["skills"]["inside"], team["dice"]["inside"]) == (15, 10)
    assert match.refused("activate", tactic="t-post", dice=dice("inside 0 0 0 0 0 0 0 0 0 0")) is None
