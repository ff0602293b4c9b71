"""Chapters 7, 8 and 10: shots, the step outside the arc, free throws, the end of a match."""

from __future__ import annotations

import pytest

from tests.games.hoops21.kit import ADVANCED, MIXED, dice, shooting, under_way


@pytest.mark.parametrize(
    ("section", "points", "modifier"),
    [(9, 3, -1), (11, 3, -1), (12, 2, 1), (16, 2, 1), (8, 3, -1), (5, 2, 1), (1, 2, 1)],
)
def test_range_by_the_arc(section: int, points: int, modifier: int) -> None:
    match = shooting(section)
    outcome = match.shot(*(("bbbbsf", "bpssff") if section > 8 else ("bpssff", "bbbbsf")))
    assert (outcome["range"], outcome["modifier"], outcome["attack_total"]) == (points, modifier, 4 + modifier)
    assert (outcome["defence_total"], outcome["made"], outcome["points"]) == (1, True, points)
    word = {2: "two", 3: "three"}[points]
    shooter = "orange" if section > 8 else "white"
    assert outcome["shooter"] == outcome["leader"] == outcome["winner"] == shooter
    tried = {name: count for name, count in match.stats(shooter).items() if name.startswith(word)}
    assert tried == {f"{word}_made": 1, f"{word}_tried": 1}


def test_a_missed_shot_is_inbounded_by_the_defence() -> None:
    match = shooting()
    outcome = match.shot("bbpssf", "bbpssf")
    assert (outcome["attack_total"], outcome["leader"], outcome["made"], outcome["pawn"]) == (1, "white", False, 16)
    assert match.view["inbound"] == {"team": "white", "set_aside": 0, "to_cross": 8}
    assert (match.state.attack, match.state.score) == ("white", (0, 0))
    assert match.stats("orange") == {"throws_won": 1, "three_tried": 1}


def test_six_balls_in_a_shot_are_a_shot() -> None:
    match = shooting()
    assert match.shot("bbbbbb", "bbpssf")["points"] == 3
    assert "slam_dunks" not in match.stats("orange")


def test_a_total_may_be_below_nought() -> None:
    match = shooting(court={"modifiers": {"7": -1}})
    outcome = match.shot("pssssf", "pssssf")
    assert (outcome["modifier"], outcome["attack_total"], outcome["defence_total"]) == (-2, -2, 0)


@pytest.mark.parametrize(("attack", "section", "outside"), [("orange", 14, 11), ("white", 2, 6)])
def test_stepping_outside_the_arc(attack: str, section: int, outside: int) -> None:
    match = shooting(section, attack)
    assert match.play("step_back") == {"pawn": outside, "range": 3}
    assert match.refused("step_back") == "HB-7.5"
    assert match.phase == "shot"
    assert match.shot("bbbbsf", "bbbbsf")["range"] == 3


def test_no_step_from_outside() -> None:
    assert shooting().refused("step_back") == "HB-7.5"


@pytest.mark.parametrize(("use", "made", "token"), [(True, False, "orange"), (False, True, "white")])
def test_a_tied_shot_goes_to_the_token(use: bool, made: bool, token: str) -> None:
    match = shooting()
    outcome = match.shot("bbbpsf", "bbpssf")
    assert (outcome["leader"], outcome["winner"], match.phase) == (None, None, "tie")
    assert match.view["waiting_for"] == ["white"]
    outcome = match.play("token", use=use)
    assert outcome == {
        "holder": "white",
        "token": token,
        "winner": "orange" if made else "white",
        "made": made,
        "points": 3 if made else 0,
        "pawn": 16,
    }


def test_free_throws_of_either_role() -> None:
    match = under_way()
    match.throw(MIXED, "fffbps")
    assert match.view["free_throws"] == {"team": "white", "number": 1}
    assert match.view["waiting_for"] == ["white"]
    assert match.free_throw("white", "bbbpsf") == {
        "team": "white",
        "number": 1,
        "balls": 3,
        "made": True,
        "points": 1,
        "pawn": 9,
    }
    assert match.view["free_throws"] == {"team": "white", "number": 2}
    assert match.free_throw("white", "bbbbsf")["pawn"] == 1
    assert (match.phase, match.state.attack, match.state.score) == ("inbound", "orange", (0, 2))
    assert match.stats("white") == {"throws_won": 1, "ft_made": 2, "ft_tried": 2}
    assert match.view["free_throws"] is None


def test_a_missed_first_free_throw_gives_no_second() -> None:
    match = under_way()
    match.throw("fffbps", MIXED)
    assert match.free_throw("orange", MIXED)["made"] is False
    assert (match.phase, match.state.attack, match.state.pawn) == ("inbound", "white", 16)


def test_only_the_thrower_throws() -> None:
    match = under_way()
    match.throw("fffbps", MIXED)
    six = dice(MIXED)
    assert match.refused("free_throw", orange=six, white=six) == "HB-8.1"
    assert match.refused("free_throw", orange=six, white=None) == "HB-8.1"
    assert match.refused("free_throw", orange=six[:5], white=[]) == "HB-8.1"
    assert match.refused("free_throw", orange=six[:5]) == "HB-1.6"
    assert match.refused("free_throw", white=six) == "HB-1.2"
    assert match.refused("free_throw", orange=3, white=six) == "HB-1.2"
    assert match.refused("free_throw", orange=six) is None


def test_the_match_ends_at_the_target_at_once() -> None:
    match = under_way(14, target=2)
    match.throw("bbbpsf", MIXED)
    assert match.play("choose", action="advance")["pawn"] == 16
    view = match.view
    assert (view["phase"], view["winner"], view["score"]) == ("over", "orange", {"orange": 2, "white": 0})
    assert (view["pawn"], view["attack"], view["token"], view["waiting_for"]) == (16, "orange", "white", [])
    assert (view["inbound"], view["choose"], view["free_throws"], view["odds"]) == (None, None, None, {})


def test_a_match_won_between_two_free_throws() -> None:
    match = under_way(12, target=1)
    match.throw("fffbps", MIXED)
    assert match.free_throw("orange", "bbbpsf")["pawn"] == 12
    assert (match.phase, match.view["free_throws"], match.state.attack) == ("over", None, "orange")


def test_the_score_may_exceed_the_target() -> None:
    match = shooting(target=2)
    match.shot("bbbbbb", MIXED)
    assert (match.phase, match.state.score, match.state.pawn) == ("over", (3, 0), 9)


def test_a_pass_that_wins_holds_no_die_back() -> None:
    match = under_way(15, target=2)
    match.throw("pppbsf", MIXED)
    assert (match.phase, match.view["dice_next"]) == ("over", {"orange": 6, "white": 6})


def test_a_slam_dunk_by_the_defence_ends_the_match_where_the_pawn_lies() -> None:
    match = under_way(12, target=2)
    assert match.throw(MIXED, "bbbbbb")["pawn"] == 12
    assert (match.state.winner, match.state.attack) == ("white", "orange")
    assert match.stats("white") == {"throws_won": 1, "slam_dunks": 1}


def test_a_reroll_that_wins_the_match_has_cost_the_token() -> None:
    match = shooting(target=3, **ADVANCED)
    match.play("ruling", text="x", token="orange")
    match.shot("bbpssf", "bbpssf")
    outcome = match.reroll("bb", "bbbb")
    assert (outcome["made"], outcome["token"], match.phase, match.state.token) == (True, "white", "over", "white")
