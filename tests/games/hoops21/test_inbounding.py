"""Chapter 9: the race, throw by throw and entered in one line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.hoops21.kit import MIXED, Match, dice, shooting


def racing(team: str = "white", **setup: Any) -> Match:
    """Return a match in which the other team has missed a shot and this one inbounds."""
    match = shooting(None, "white" if team == "orange" else "orange", **setup)
    match.shot("pssssf", "pssssf")
    return match


def test_the_race_begins_under_the_own_basket() -> None:
    for team, pawn in (("white", 16), ("orange", 1)):
        match = racing(team)
        assert (match.phase, match.state.attack, match.state.pawn) == ("inbound", team, pawn)
        assert match.view["waiting_for"] == ["orange", "white"]
        assert match.view["odds"] == {}


def test_over_the_line_and_the_rest_is_lost() -> None:
    match = racing()
    assert match.inbound("white", "bbbbsf") == {
        "team": "white",
        "moved": 4,
        "set_aside": 0,
        "stolen": False,
        "crossed": False,
        "pawn": 12,
    }
    assert match.view["inbound"] == {"team": "white", "set_aside": 0, "to_cross": 4}
    assert match.inbound("orange", "sspppf")["set_aside"] == 2
    outcome = match.inbound("white", "bbbbbb")
    assert (outcome["moved"], outcome["crossed"], outcome["pawn"], outcome["set_aside"]) == (4, True, 8, 2)
    assert (match.phase, match.state.attack, match.view["inbound"]) == ("throw", "white", None)


def test_six_s_set_aside_steal_the_ball() -> None:
    match = racing()
    match.inbound("white", "bbpssf")
    match.inbound("orange", "sssspf")
    assert match.refused("inbound_throw", team="orange", dice=dice(MIXED)) == "HB-1.6"
    assert match.inbound("orange", "pf")["moved"] == 0
    assert match.inbound("orange", "ss") == {
        "team": "orange",
        "moved": 0,
        "set_aside": 6,
        "stolen": True,
        "crossed": False,
        "pawn": 14,
    }
    assert (match.phase, match.state.attack, match.state.pawn) == ("throw", "orange", 14)
    assert match.stats("orange") == {"throws_won": 1, "three_tried": 1, "steals": 1}
    assert match.state.score == (0, 0)


def test_a_ball_stolen_under_the_basket_scores_with_the_next_forward_move() -> None:
    match = racing()
    match.play("inbound_end", stolen=True, section=16)
    assert (match.state.attack, match.state.pawn, match.state.score) == ("orange", 16, (0, 0))
    assert match.throw("pppbsf", MIXED)["dunk"] is True


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"team": "red", "dice": []}, "HB-1.2"),
        ({"dice": []}, "HB-1.2"),
        ({"team": "white"}, "HB-1.2"),
        ({"team": "white", "dice": dice("bbpss")}, "HB-1.6"),
        ({"team": "white", "dice": [*dice("bbpss"), "x"]}, "HB-1.6"),
        ({"team": "orange", "dice": dice("bbpssff")}, "HB-1.6"),
    ],
)
def test_refused_throws(fields: dict[str, Any], rule: str) -> None:
    assert racing().refused("inbound_throw", **fields) == rule


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "HB-1.2"),
        ({"stolen": 1}, "HB-1.2"),
        ({"stolen": True}, "HB-1.2"),
        ({"stolen": True, "section": None}, "HB-1.2"),
        ({"stolen": False, "section": None}, "HB-1.2"),
        ({"stolen": False, "section": "8"}, "HB-1.2"),
        ({"stolen": False, "section": 8}, "HB-9.6"),
        ({"stolen": True, "section": 15}, "HB-9.6"),
        ({"stolen": True, "section": 8}, "HB-9.6"),
        ({"stolen": True, "section": 0}, "HB-9.6"),
        ({"stolen": True, "section": -5}, "HB-9.6"),
        ({"stolen": True, "section": 17}, "HB-9.6"),
        ({"stolen": True, "section": 14}, None),
        ({"stolen": True, "section": 9}, None),
        ({"stolen": False}, None),
    ],
)
def test_the_end_in_one_line(fields: dict[str, Any], rule: str | None) -> None:
    match = racing()
    match.inbound("white", MIXED)
    assert match.state.pawn == 14
    assert match.refused("inbound_end", **fields) == rule


@pytest.mark.parametrize(("section", "rule"), [(1, "HB-9.6"), (3, None), (8, None), (9, "HB-9.6")])
def test_where_white_can_steal(section: int, rule: str | None) -> None:
    match = racing("orange")
    match.inbound("orange", MIXED)
    assert match.refused("inbound_end", stolen=True, section=section) == rule


def test_the_ends_of_a_race() -> None:
    match = racing()
    assert match.play("inbound_end", stolen=False) == {"stolen": False, "crossed": True, "pawn": 8}
    assert (match.phase, match.state.attack) == ("throw", "white")
    match = racing("orange")
    assert match.play("inbound_end", stolen=True, section=5) == {"stolen": True, "crossed": False, "pawn": 5}
    assert (match.phase, match.state.attack, match.stats("white")["steals"]) == ("throw", "white", 1)
    assert match.state.set_aside is None
