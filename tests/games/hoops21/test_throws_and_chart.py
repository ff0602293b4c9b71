"""Chapters 3, 4 and 6: the jump ball, the winner of a throw, and the effect of the winner's symbol."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.hoops21.kit import MIXED, Match, dice, under_way


def test_a_tied_jump_ball_is_thrown_again() -> None:
    match = Match()
    assert match.jump_ball("bbpssf", "bbffff") == {"balls": {"orange": 2, "white": 2}, "winner": None, "pawn": None}
    assert match.view["waiting_for"] == ["orange", "white"]
    assert (match.phase, match.state.token, match.view["attack"]) == ("jump_ball", None, None)
    assert match.jump_ball("bpssff", "bbbbbb") == {"balls": {"orange": 1, "white": 6}, "winner": "white", "pawn": 8}
    assert (match.phase, match.state.token, match.state.score) == ("throw", "orange", (0, 0))


def test_a_jump_ball_after_a_ruling_leaves_the_token() -> None:
    match = under_way()
    match.play("ruling", text="x", restart="jump_ball")
    assert (match.state.attack, match.state.pawn, match.state.token) == (None, None, "white")
    match.jump_ball("bpssff", "bbpssf")
    assert (match.state.attack, match.state.token) == ("white", "white")


def test_the_higher_count_wins_whatever_the_symbols() -> None:
    outcome = under_way().throw("bbpssf", "fffpsb")
    assert outcome["orange"] == {"count": 2, "symbols": ["ball", "steal"]}
    assert outcome["white"] == {"count": 3, "symbols": ["free_throw"]}
    assert (outcome["leader"], outcome["winner"], outcome["effect"]) == ("white", "white", "free_throws")


def test_only_the_winner_is_asked_for_its_symbol() -> None:
    match = under_way()
    outcome = match.throw("bbbsss", "ffppbs")
    assert (outcome["play"], outcome["effect"], outcome["pawn"], outcome["points"]) == (None, "choose", 9, 0)
    assert match.view["choose"] == {"team": "orange", "symbols": ["ball", "steal"]}
    assert match.view["waiting_for"] == ["orange"]
    assert match.stats("orange") == {"throws_won": 1}
    assert match.refused("choose") == "HB-4.4"
    assert match.refused("choose", action="advance") == "HB-4.4"
    assert match.refused("choose", symbol="pass") == "HB-4.4"
    assert match.refused("choose", symbol="pass", action="shoot") == "HB-4.4"
    assert match.refused("choose", symbol="ball") == "HB-6.2"
    assert match.refused("choose", symbol="steal", action="shoot") == "HB-6.2"
    assert match.play("choose", symbol="steal") == {
        "winner": "orange",
        "play": "steal",
        "effect": "shot",
        "pawn": 9,
        "points": 0,
    }
    assert match.stats("orange") == {"throws_won": 1}
    assert match.view["choose"] is None


def test_an_action_only_with_the_balls_of_the_attack() -> None:
    match = under_way()
    outcome = match.throw(MIXED, "bbbfff")
    assert (outcome["winner"], outcome["effect"]) == ("white", "choose")
    assert match.refused("choose", symbol="ball", action="advance") == "HB-6.2"
    assert match.play("choose", symbol="ball")["effect"] == "push_back"


@pytest.mark.parametrize(
    ("section", "orange", "white", "expected"),
    [
        (9, "pppbsf", MIXED, {"effect": "blind_pass", "pawn": 12, "dunk": False, "points": 0}),
        (14, "pppbsf", MIXED, {"effect": "blind_pass", "pawn": 16, "dunk": True, "points": 2}),
        (13, "pppbsf", MIXED, {"effect": "blind_pass", "pawn": 16, "dunk": True, "points": 2}),
        (12, MIXED, "pppbsf", {"effect": "deflected_pass", "pawn": 9, "intercepted": False, "points": 0}),
        (11, MIXED, "pppbsf", {"effect": "deflected_pass", "pawn": 8, "intercepted": True, "points": 0}),
        (12, MIXED, "bbbpsf", {"effect": "push_back", "pawn": 9, "intercepted": False, "points": 0}),
        (9, MIXED, "bbbbbf", {"effect": "push_back", "pawn": 4, "intercepted": True, "points": 0}),
        (12, MIXED, "sssbpf", {"effect": "steal", "pawn": 8, "points": 0}),
        (12, MIXED, "fffbps", {"effect": "free_throws", "pawn": 12, "points": 0}),
        (12, "fffbps", MIXED, {"effect": "free_throws", "pawn": 12, "points": 0}),
        (12, "sssbpf", MIXED, {"effect": "shot", "pawn": 12, "points": 0}),
        (12, "bbbbbb", MIXED, {"effect": "slam_dunk", "pawn": 16, "points": 2}),
        (12, MIXED, "bbbbbb", {"effect": "slam_dunk", "pawn": 1, "points": 2}),
        (5, MIXED, "pppbsf", {"effect": "blind_pass", "pawn": 2, "dunk": False, "points": 0}),
        (4, MIXED, "pppbsf", {"effect": "blind_pass", "pawn": 1, "dunk": True, "points": 2}),
        (7, "pppbsf", MIXED, {"effect": "deflected_pass", "pawn": 10, "intercepted": True, "points": 0}),
        (2, "sssbpf", MIXED, {"effect": "steal", "pawn": 9, "points": 0}),
    ],
)
def test_the_dice_chart(section: int, orange: str, white: str, expected: dict[str, Any]) -> None:
    outcome = under_way(section).throw(orange, white)
    fixed = {"orange", "white", "leader", "winner", "play"}
    assert {key: value for key, value in outcome.items() if key not in fixed} == expected


@pytest.mark.parametrize(("section", "pawn", "dunk"), [(9, 12, False), (12, 15, False), (13, 16, True), (15, 16, True)])
def test_balls_advance_up_to_the_basket(section: int, pawn: int, dunk: bool) -> None:
    match = under_way(section)
    outcome = match.throw("bbbpsf", MIXED)
    assert (outcome["play"], outcome["effect"]) == ("ball", "choose")
    assert match.view["choose"] == {"team": "orange", "symbols": ["ball"]}
    assert match.refused("choose") == "HB-6.2"
    outcome = match.play("choose", action="advance")
    assert outcome["dunk"] is dunk
    assert outcome["points"] == 2 * dunk
    assert outcome["pawn"] == (16 if dunk else pawn)
    assert match.state.attack == ("white" if dunk else "orange")
    assert match.stats("orange") == {"throws_won": 1, **({"dunks": 1} if dunk else {})}
    assert match.phase == ("inbound" if dunk else "throw")


def test_choosing_to_shoot_with_balls() -> None:
    match = under_way()
    match.throw("bbbpsf", MIXED)
    assert match.play("choose", action="shoot")["effect"] == "shot"
    assert match.phase == "shot"


def test_who_intercepts_attacks_from_that_very_section() -> None:
    match = under_way(10)
    match.throw(MIXED, "bbbbsf")
    assert (match.state.attack, match.state.pawn, match.phase) == ("white", 6, "throw")
    assert match.stats("white") == {"throws_won": 1, "steals": 1}


def test_pushed_to_the_far_end_and_dunked_from_there() -> None:
    match = under_way(4, court={"sections": 6, "arc": 1})
    outcome = match.throw(MIXED, "bbbbsf")
    assert (outcome["pawn"], outcome["intercepted"], outcome["points"]) == (1, True, 0)
    assert match.state.score == (0, 0)
    assert match.throw("bpssff", "bbbpsf")["effect"] == "choose"
    assert match.play("choose", action="advance")["dunk"] is True
    assert match.state.score == (0, 2)


def test_a_pass_holds_one_die_of_the_others_back_for_one_throw() -> None:
    match = under_way()
    match.throw("pppbsf", MIXED)
    assert match.view["dice_next"] == {"orange": 6, "white": 5}
    assert match.refused("throw", orange=dice(MIXED), white=dice(MIXED)) == "HB-1.6"
    match.throw(MIXED, "pppbs")
    assert match.view["dice_next"] == {"orange": 5, "white": 6}
    match.throw("pppbs", "sssbbf")
    assert (match.phase, match.view["dice_next"]) == ("tie", {"orange": 6, "white": 6})


@pytest.mark.parametrize(("section", "orange", "white"), [(14, "pppbsf", MIXED), (16, "pppbsf", MIXED)])
def test_a_die_less_is_forgotten_when_inbounding_follows(section: int, orange: str, white: str) -> None:
    match = under_way(section)
    match.throw(orange, white)
    assert match.phase == "inbound"
    assert match.view["dice_next"] == {"orange": 6, "white": 6}


def test_five_balls_of_five_dice_are_no_slam_dunk() -> None:
    match = under_way()
    match.throw(MIXED, "pppbsf")
    assert match.view["dice_next"] == {"orange": 5, "white": 6}
    match.place(9)
    assert match.view["dice_next"] == {"orange": 6, "white": 6}
    match.throw(MIXED, "pppbsf")
    outcome = match.throw("bbbbb", "bpssff")
    assert (outcome["winner"], outcome["effect"], outcome["intercepted"]) == ("orange", "push_back", True)
