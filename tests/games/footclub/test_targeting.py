"""Chapter 5: ball, places, ribbons."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.footclub.targeting import player_at_place
from tests.games.footclub.kit import Match, under_way

BLUE_PLACES = {
    "fb_l": "b-fb1",
    "fb_r": "b-fb2",
    "cb_l": "b-cb1",
    "cb_r": "b-cb2",
    "dm_l": "b-dm1",
    "dm_r": "b-dm2",
    "am_l": "b-am1",
    "am_r": "b-am2",
    "fw_l": "b-fw1",
    "fw_r": "b-fw2",
}


@pytest.mark.parametrize(("place", "id"), BLUE_PLACES.items())
def test_FC_5_3_a_section_names_a_player(place: str, id: str) -> None:
    assert under_way().play("tackle", side="blue", section=place)["player"] == id


def test_FC_5_4_of_three_the_middle_one_is_never_named() -> None:
    red = under_way().state.club("red")
    assert (player_at_place(red, "am_l"), player_at_place(red, "am_r")) == ("r-am1", "r-am3")


def test_FC_5_4_one_player_is_both_left_and_right() -> None:
    match = under_way()
    match.play(
        "change",
        side="blue",
        subs=[{"out": "b-dm2", "in": "b-s2"}],
        lineup={**match.club("blue")["lineup"], "dm": ["b-dm1"], "fw": ["b-fw1", "b-fw2", "b-s2"]},
    )
    blue = match.state.club("blue")
    assert (player_at_place(blue, "dm_l"), player_at_place(blue, "dm_r")) == ("b-dm1", "b-dm1")
    assert (player_at_place(blue, "fw_l"), player_at_place(blue, "fw_r")) == ("b-fw1", "b-s2")


def test_FC_5_5_without_full_backs_the_centre_back_of_that_side() -> None:
    red = under_way().state.club("red")
    assert (player_at_place(red, "fb_l"), player_at_place(red, "fb_r")) == ("r-cb1", "r-cb3")


def without_forwards(**setup: Any) -> Match:
    """Return a match in which blue, without the ball, has no forwards left."""
    return under_way(**setup).status("sent_off", "b-fw1", "b-fw2")


def test_FC_5_7_a_section_that_cannot_be_filled_needs_the_whole_ribbon() -> None:
    match = without_forwards()
    assert match.refused("tackle", side="blue", section="fw_r") == "FC-5.7"
    assert match.refused("press", side="blue", section=["dm_l", "fw_r"]) == "FC-5.7"
    assert match.refused("tackle", side="blue", section="dm_r") is None


def test_FC_5_6_a_card_that_names_nobody_cannot_be_played() -> None:
    match = without_forwards()
    assert match.refused("tackle", side="blue", ribbon=["fw_l", "fw_r"] * 3) == "FC-5.6"
    assert match.refused("press", side="blue", ribbon=[["fw_l", "dm_r"]] * 6) == "FC-5.6"


def test_FC_5_6_comes_after_the_hand() -> None:
    match = without_forwards(blue={"pressing": 6, "supporters": 3, "attacking_support": 5})
    assert match.refused("tackle", side="blue", ribbon=["fw_l"] * 6) == "FC-4.7"


DOUBLE = [["dm_l", "fw_l"], ["fw_l", "dm_l"], ["dm_l", "dm_r"], ["fw_l", "fw_l"], ["am_l", "am_r"], ["fb_l", "fw_l"]]


@pytest.mark.parametrize(
    ("colour", "read", "id"),
    [
        ("red", "red", "b-dm1"),
        ("orange", "yellow", "b-am1"),
        ("yellow", "yellow", "b-am1"),
        ("green", "red", "b-dm1"),
        ("violet", "red", "b-dm1"),
    ],
)
def test_FC_5_6_the_section_to_the_right_is_read_and_violet_is_followed_by_red(colour: str, read: str, id: str) -> None:
    match = without_forwards(colour=colour)
    outcome = match.play("tackle", side="blue", ribbon=["dm_l", "fw_l", "am_l", "fw_r", "fw_l", "fw_r"])
    assert (outcome["section"], outcome["player"]) == (read, id)


@pytest.mark.parametrize(
    ("colour", "read"), [("red", "yellow"), ("yellow", "yellow"), ("green", "blue"), ("violet", "yellow")]
)
def test_FC_5_6_a_pressing_section_is_skipped_as_a_whole(colour: str, read: str) -> None:
    outcome = without_forwards(colour=colour).play("press", side="blue", ribbon=DOUBLE)
    players = {"yellow": ["b-dm1", "b-dm2"], "blue": ["b-am1", "b-am2"]}
    assert outcome == {"players": players[read], "holder": players[read][0], "section": read}


def test_FC_5_5_comes_before_FC_5_6() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    ribbon = ["fb_l", "am_l", "am_l", "am_l", "am_l", "am_l"]
    outcome = match.play("tackle", side="red", ribbon=ribbon)
    assert (outcome["player"], outcome["section"]) == ("r-cb1", "red")


def test_FC_5_1_the_colour_lasts_a_half() -> None:
    match = under_way(colour="green")
    match.idle_turn()
    assert match.view["ball_colour"] == "green"
    ribbon = ["fw_l", "fw_l", "fw_l", "dm_r", "fw_l", "fw_l"]
    assert match.play("tackle", side="blue", ribbon=ribbon) == {
        "player": "b-dm2",
        "target": "r-dm1",
        "mode": "aggressive",
        "section": "green",
    }


def test_FC_5_8_the_ball_goes_to_captains() -> None:
    match = under_way()
    assert (match.view["possession"], match.view["ball_holder"]) == ("red", "r-dm1")
    match.attack("red")
    assert match.view["ball_holder"] == "r-fw1"
    match.play("shot", defence=6, attack=1)
    assert (match.view["possession"], match.view["ball_holder"]) == ("blue", "b-am1")
    match.attack("blue")
    match.play("shot", defence=1, attack=6)
    assert (match.view["possession"], match.view["ball_holder"]) == ("red", "r-dm1")
