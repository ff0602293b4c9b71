"""Chapter 12: rulings for cases that the rules do not cover, and concession."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way


def test_points_alone_leave_the_phase() -> None:
    match = shooting()
    before = match.view
    assert match.play("ruling", text="faute", points={"white": 2}) == {"score": {"orange": 0, "white": 2}, "pawn": 9}
    assert match.view == {**before, "score": {"orange": 0, "white": 2}}


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"points": {"orange": -1}}, "HB-12.1"),
        ({"restart": "throw", "section": 0}, "HB-12.1"),
        ({"restart": "throw", "section": 17}, "HB-12.1"),
        ({"restart": "throw", "section": -1}, "HB-12.1"),
        ({"restart": "inbound", "team": "white", "section": 99}, None),
        ({"section": 99}, None),
        ({"points": {}}, None),
        ({"points": {"orange": 2, "white": 0}, "token": "orange"}, None),
    ],
)
def test_what_a_ruling_may_say(fields: dict[str, Any], rule: str | None) -> None:
    assert under_way().refused("ruling", text="x", **fields) == rule


def test_points_taken_back_never_below_nought() -> None:
    match = under_way()
    match.play("ruling", text="x", points={"orange": 2})
    assert match.refused("ruling", text="x", points={"orange": -3}) == "HB-12.1"
    match.play("ruling", text="x", points={"orange": -2})
    assert match.state.score == (0, 0)


def test_points_may_end_the_match_and_the_token_is_set_all_the_same() -> None:
    match = under_way(target=3)
    outcome = match.play("ruling", text="x", points={"orange": 3, "white": 4}, token="orange", restart="jump_ball")
    assert outcome == {"score": {"orange": 3, "white": 4}, "pawn": 9}
    assert (match.state.winner, match.state.token, match.state.attack) == ("orange", "orange", "orange")
    assert match.phase == "over"


@pytest.mark.parametrize(("section", "attack"), [(1, "white"), (8, "white"), (9, "orange"), (16, "orange")])
def test_restart_with_a_throw(section: int, attack: str) -> None:
    match = under_way()
    match.throw("pppbsf", MIXED)
    assert match.play("ruling", text="x", restart="throw", section=section)["pawn"] == section
    assert (match.phase, match.state.attack, match.view["dice_next"]) == ("throw", attack, {"orange": 6, "white": 6})


def test_restart_with_inbounding() -> None:
    match = shooting()
    assert match.play("ruling", text="x", restart="inbound", team="orange", token="orange")["pawn"] == 1
    assert match.view["inbound"] == {"team": "orange", "set_aside": 0, "to_cross": 8}
    assert (match.state.attack, match.state.token) == ("orange", "orange")


def test_restart_with_a_jump_ball_takes_the_pawn_off() -> None:
    match = under_way()
    match.throw(MIXED, "fffbps")
    assert match.play("ruling", text="x", restart="jump_ball")["pawn"] is None
    assert (match.phase, match.state.attack, match.view["free_throws"]) == ("jump_ball", None, None)


def test_a_restart_clears_what_was_pending() -> None:
    for orange, white in (("bbbpsf", MIXED), ("pppbsf", "sssbbf"), (MIXED, "fffbps")):
        match = under_way()
        match.throw(orange, white)
        match.place(9)
        assert (match.state.contest, match.state.free_throws, match.state.set_aside) == (None, None, None)


def test_before_anybody_holds_the_token_it_must_be_named() -> None:
    match = Match()
    assert match.refused("ruling", text="x", restart="throw", section=9) == "HB-12.1"
    assert match.refused("ruling", text="x", restart="inbound", team="white") == "HB-12.1"
    assert match.refused("ruling", text="x", restart="jump_ball") is None
    match.play("ruling", text="x", token="white", restart="throw", section=3)
    assert (match.phase, match.state.attack, match.state.token) == ("throw", "white", "white")


def test_a_token_given_before_the_jump_ball_stays() -> None:
    match = Match()
    match.play("ruling", text="x", token="orange")
    assert (match.phase, match.state.token) == ("jump_ball", "orange")
    match.jump_ball("bbbpsf", MIXED)
    assert (match.state.attack, match.state.token) == ("orange", "orange")


def test_on_a_tie_the_new_holder_decides() -> None:
    match = under_way()
    match.throw("pppbsf", "sssbbf")
    match.play("ruling", text="x", token="orange")
    assert match.view["waiting_for"] == ["orange"]
    assert match.play("token", use=True)["winner"] == "orange"


def test_while_a_reroll_is_open_the_token_stays_unless_play_restarts() -> None:
    match = under_way(**ADVANCED)
    match.throw("pppbsf", MIXED)
    assert match.phase == "reroll"
    assert match.refused("ruling", text="x", token="white") == "HB-12.1"
    assert match.refused("ruling", text="x", points={"orange": 1}) is None
    assert match.refused("ruling", text="x", token="orange", restart="jump_ball") is None


@pytest.mark.parametrize("team", ["orange", "white"])
def test_conceding_leaves_the_score(team: str) -> None:
    match = under_way()
    match.throw(MIXED, "pppbsf")
    winner = "white" if team == "orange" else "orange"
    assert match.play("concede", team=team) == {"winner": winner}
    assert (match.phase, match.state.winner, match.state.score) == ("over", winner, (0, 0))
    assert match.view["dice_next"] == {"orange": 6, "white": 6}
    assert match.refused("throw", orange=dice(MIXED), white=dice(MIXED)) == "HB-1.4"
