"""Chapters 5 and 11: the power token in ties, and spent to throw dice again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way


def tied(**setup: Any) -> Match:
    """Return a match with three passes against three S; white, which defends, holds the token."""
    match = under_way(**setup)
    outcome = match.throw("pppbsf", "sssbpf")
    assert (outcome["leader"], outcome["winner"], match.phase) == (None, None, "tie")
    return match


def behind(**setup: Any) -> Match:
    """Return a match in which orange leads by three passes to two; white holds the token and may throw again."""
    match = under_way(**setup, **ADVANCED)
    match.throw("pppbsf", MIXED)
    assert match.phase == "reroll"
    return match


def test_the_holder_wins_and_hands_the_token_over() -> None:
    match = tied()
    assert match.view["waiting_for"] == ["white"]
    assert match.play("token", use=True) == {
        "holder": "white",
        "token": "orange",
        "winner": "white",
        "play": "steal",
        "effect": "steal",
        "pawn": 8,
        "points": 0,
    }


def test_the_holder_keeps_the_token_and_loses() -> None:
    match = tied()
    outcome = match.play("token", use=False)
    assert (outcome["winner"], outcome["token"], outcome["pawn"], outcome["dunk"]) == ("orange", "white", 12, False)


def test_a_tie_won_may_still_leave_a_choice() -> None:
    match = under_way()
    match.throw("pppbsf", "sssbbb")
    assert match.play("token", use=True)["effect"] == "choose"
    assert match.view["choose"] == {"team": "white", "symbols": ["ball", "steal"]}


def test_six_balls_on_both_sides_are_a_tie_and_then_a_slam_dunk() -> None:
    match = under_way()
    match.throw("bbbbbb", "bbbbbb")
    assert match.play("token", use=False)["effect"] == "slam_dunk"
    assert match.state.score == (2, 0)


def test_in_a_basic_match_who_is_behind_is_not_asked() -> None:
    match = under_way()
    match.throw("pppbsf", MIXED)
    assert match.phase == "throw"
    assert tied().refused("reroll", kept=[], rolled=dice(MIXED)) == "HB-11.1"
    assert tied().refused("reroll", kept=None) == "HB-11.1"


def test_the_holder_who_is_ahead_is_not_asked() -> None:
    match = under_way(**ADVANCED)
    match.throw(MIXED, "pppbsf")
    assert match.phase == "throw"


def test_standing_leaves_everything_as_it_lies() -> None:
    match = behind()
    assert match.view["waiting_for"] == ["white"]
    outcome = match.play("stand")
    assert (outcome["winner"], outcome["effect"], match.state.token) == ("orange", "blind_pass", "white")
    assert match.view["dice_next"] == {"orange": 6, "white": 5}
    assert set(outcome) == {"winner", "play", "effect", "pawn", "points", "dunk"}


def test_a_reroll_that_wins() -> None:
    match = behind()
    assert match.reroll("ss", "sspf") == {
        "team": "white",
        "token": "orange",
        "orange": {"count": 3, "symbols": ["pass"]},
        "white": {"count": 4, "symbols": ["steal"]},
        "leader": "white",
        "winner": "white",
        "play": "steal",
        "effect": "steal",
        "pawn": 8,
        "points": 0,
    }
    assert match.state.token == "orange"


@pytest.mark.parametrize(("kept", "rolled", "leader"), [("ss", "sbpf", None), ("bb", "pssf", "orange")])
def test_still_or_newly_tied_loses(kept: str, rolled: str, leader: str | None) -> None:
    match = behind()
    outcome = match.reroll(kept, rolled)
    assert (outcome["leader"], outcome["winner"], outcome["effect"]) == (leader, "orange", "blind_pass")
    assert (outcome["token"], match.phase) == ("orange", "throw")


def test_a_tie_can_be_thrown_again_or_settled_by_the_token() -> None:
    match = tied(**ADVANCED)
    assert match.refused("token", use=True) is None
    assert match.refused("stand") == "HB-1.3"
    outcome = match.reroll("sss", "sbp")
    assert (outcome["winner"], outcome["token"], outcome["effect"]) == ("white", "orange", "steal")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "HB-1.2"),
        ({"kept": []}, "HB-1.2"),
        ({"kept": "ball", "rolled": []}, "HB-1.2"),
        ({"kept": dice("ss"), "rolled": ["goal"] * 4}, "HB-1.6"),
        ({"kept": [None, "steal"], "rolled": dice("ssss")}, "HB-1.6"),
        ({"kept": dice("ss"), "rolled": dice("sss")}, "HB-1.6"),
        ({"kept": dice("fff"), "rolled": dice("ssss")}, "HB-1.6"),
        ({"kept": dice("bbpssf"), "rolled": []}, "HB-11.2"),
        ({"kept": dice("sss"), "rolled": dice("sss")}, "HB-11.2"),
        ({"kept": dice("bbpss"), "rolled": dice("f")}, None),
        ({"kept": [], "rolled": dice("ffffff")}, None),
    ],
)
def test_what_may_be_kept(fields: dict[str, Any], rule: str | None) -> None:
    assert behind().refused("reroll", **fields) == rule


def test_dice_held_back_are_not_thrown_again_either() -> None:
    match = under_way(**ADVANCED)
    match.play("ruling", text="x", token="orange")
    match.throw("pppbsf", MIXED)
    assert match.view["dice_next"] == {"orange": 6, "white": 5}
    match.play("ruling", text="x", token="white")
    match.throw("pppbsf", "ssbpf")
    assert match.refused("reroll", kept=dice("ss"), rolled=dice("ssss")) == "HB-1.6"
    assert match.reroll("ss", "sss")["white"] == {"count": 5, "symbols": ["steal"]}


def test_the_new_holder_does_not_answer() -> None:
    match = behind()
    match.reroll("ss", "ssss")
    assert (match.state.token, match.phase) == ("orange", "throw")


def shot_by_the_holder(**setup: Any) -> Match:
    match = shooting(**setup, **ADVANCED)
    match.play("ruling", text="x", token="orange")
    return match


def test_a_shot_behind_is_thrown_again() -> None:
    match = shot_by_the_holder()
    assert match.shot("bbbpsf", "bbbpsf")["winner"] is None
    assert match.phase == "reroll"
    outcome = match.reroll("bbb", "bbs")
    assert outcome == {
        "team": "orange",
        "token": "white",
        "attack_total": 4,
        "defence_total": 3,
        "leader": "orange",
        "winner": "orange",
        "made": True,
        "points": 3,
        "pawn": 16,
    }


def test_the_defence_may_throw_again_against_a_shot() -> None:
    match = shooting(**ADVANCED)
    match.shot("bbbbsf", "bbpssf")
    assert (match.phase, match.view["waiting_for"]) == ("reroll", ["white"])
    outcome = match.reroll("bb", "bbff")
    assert (outcome["leader"], outcome["made"], outcome["token"]) == ("white", False, "orange")


def test_standing_on_a_shot() -> None:
    match = shot_by_the_holder()
    match.shot("bbbpsf", "bbbpsf")
    assert match.play("stand") == {"winner": "white", "made": False, "points": 0, "pawn": 16}
    assert match.stats("orange") == {"throws_won": 1, "three_tried": 1}


def missed(**setup: Any) -> Match:
    """Return a match in which white defends, wins free throws, holds the token and misses."""
    match = under_way(**setup, **ADVANCED)
    match.throw(MIXED, "fffbps")
    outcome = match.free_throw("white", MIXED)
    assert (outcome["made"], outcome["points"], outcome["pawn"]) == (None, 0, 9)
    assert (match.phase, match.view["free_throws"]) == ("reroll", {"team": "white", "number": 1})
    return match


def test_an_own_missed_free_throw_is_thrown_again() -> None:
    match = missed()
    assert "ft_tried" not in match.stats("white")
    assert match.reroll("bb", "bpsf") == {
        "team": "white",
        "token": "orange",
        "number": 1,
        "balls": 3,
        "made": True,
        "points": 1,
        "pawn": 9,
    }
    assert (match.phase, match.view["free_throws"]) == ("free_throw", {"team": "white", "number": 2})
    assert match.free_throw("white", MIXED)["made"] is False
    assert match.phase == "inbound"


def test_a_missed_free_throw_left_as_it_lies() -> None:
    match = missed()
    outcome = match.play("stand")
    assert outcome == {"team": "white", "number": 1, "balls": 2, "made": False, "points": 0, "pawn": 1}
    assert match.stats("white") == {"throws_won": 1, "ft_tried": 1}
    assert (match.phase, match.state.token) == ("inbound", "white")


def test_a_missed_free_throw_of_the_others_is_not_the_holders() -> None:
    match = under_way(**ADVANCED)
    match.throw("fffbps", "bpssff")
    match.play("stand")
    assert match.free_throw("orange", MIXED)["made"] is False
    assert match.phase == "inbound"
