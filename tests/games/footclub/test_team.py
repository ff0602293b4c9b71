"""Chapter 3: the team, its style, its sums, its captain."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.games.footclub.tables import FORMATIONS, SHORT_FORMATIONS
from companion.games.footclub.team import fits_style
from tests.games.footclub.kit import BLUE_LINEUP, RED_LINEUP, Match, coach, player, squads, under_way

PRINTED = """0-3-1-3-3, 0-3-2-2-3, 0-3-2-3-2, 0-3-3-1-3, 0-3-3-2-2, 0-3-3-3-1, 2-1-1-3-3, 2-1-2-2-3,
2-1-2-3-2, 2-1-3-1-3, 2-1-3-2-2, 2-1-3-3-1, 2-2-1-2-3, 2-2-1-3-2, 2-2-2-1-3, 2-2-2-2-2,
2-2-2-3-1, 2-2-3-1-2, 2-2-3-2-1, 2-3-1-1-3, 2-3-1-2-2, 2-3-1-3-1, 2-3-2-1-2, 2-3-2-2-1"""


def test_FC_3_3_there_are_24_formations() -> None:
    assert {tuple(map(int, text.split("-"))) for text in PRINTED.replace("\n", " ").split(", ")} == FORMATIONS


def test_FC_3_2_the_conditions_allow_these_and_no_others() -> None:
    for counts in product(range(5), repeat=5):
        fb, cb, dm, am, fw = counts
        allowed = (
            sum(counts) == 10
            and all(1 <= count <= 3 for count in counts[1:])
            and am + fw >= 3
            and fb in (0, 2)
            and (fb > 0 or cb == 3)
            and fb + cb + dm <= 7
        )
        assert (counts in FORMATIONS) == allowed


def test_FC_13_7_a_short_team_is_a_formation_with_players_taken_away() -> None:
    for counts in product(range(4), repeat=5):
        below = any(all(a <= b for a, b in zip(counts, full, strict=True)) for full in FORMATIONS) and sum(counts) < 10
        assert (counts in SHORT_FORMATIONS) == below


def sheet(match: Match, lineup: Any = BLUE_LINEUP, captain: str = "b-am1") -> str | None:
    return match.refused("team_sheet", side="blue", lineup=lineup, captain=captain)


def test_FC_18_6_a_team_sheet_is_given_once() -> None:
    assert sheet(Match().sheets(), lineup={}) == "FC-18.6"


@pytest.mark.parametrize("id", ["nobody", "r-cb1", "b-gk", "b-coach"])
def test_FC_3_1_only_outfield_players_of_the_squad(id: str) -> None:
    assert sheet(Match(), {**BLUE_LINEUP, "fw": ["b-fw1", id]}) == "FC-3.1"


def test_FC_3_1_ten_different_players() -> None:
    assert sheet(Match(), {**BLUE_LINEUP, "fw": ["b-fw1", "b-fw1"]}) == "FC-3.1"
    assert sheet(Match(), {**BLUE_LINEUP, "fw": ["b-fw1"]}) == "FC-3.1"
    assert sheet(Match(), {**BLUE_LINEUP, "fw": ["b-fw1", "b-fw2", "b-s2"]}) == "FC-3.1"


def test_FC_16_3_comes_after_the_squad_and_before_the_number() -> None:
    leg = {"score": {"blue": 0, "red": 0}, "suspended": ["b-fb1"]}
    match = Match(format="leg2", first_leg=leg)
    assert sheet(match) == "FC-16.3"
    assert sheet(match, {"fb": ["b-fb1"]}) == "FC-16.3"
    assert sheet(match, {"fb": ["b-fb1", "nobody"]}) == "FC-3.1"


def test_FC_3_6_a_player_stands_at_a_post_of_his_card() -> None:
    assert sheet(Match(), {**BLUE_LINEUP, "fb": ["b-fb1", "b-cb1"], "cb": ["b-cb2", "b-fb2"]}) == "FC-3.6"
    assert sheet(Match(), {**BLUE_LINEUP, "fb": ["b-fb1", "b-s1"]}) is None


def test_FC_3_6_comes_before_FC_3_2() -> None:
    assert sheet(Match(), {**BLUE_LINEUP, "fb": ["b-fb1"], "cb": ["b-cb1", "b-cb2", "b-fb2"]}) == "FC-3.6"
    assert sheet(Match(), {**BLUE_LINEUP, "fb": ["b-fb1"], "cb": ["b-cb1", "b-cb2", "b-s5"]}) == "FC-3.2"


def test_FC_3_8_the_captain_has_level_and_profile() -> None:
    assert sheet(Match(), captain="b-fw1") is None
    for id in ("b-cb1", "b-cb2", "b-dm1", "b-s2", "nobody", "b-gk"):
        assert sheet(Match(), captain=id) == "FC-3.8"


def test_FC_3_8_without_such_a_player_anybody_on_the_pitch_may_be_captain() -> None:
    weak = squads()
    weak["blue"]["coach"] = coach("b-coach", 1, 1, 8)
    weak["blue"]["players"][4]["level"] = 3
    match = Match(squads=weak)
    assert sheet(match, captain="b-fb1") is None
    assert sheet(match, captain="b-s1") == "FC-3.8"


def test_FC_3_8_two_profiles_count_as_either() -> None:
    double = squads()
    double["blue"]["players"][3] = player("b-cb2", "cb", 4, "physical technical")
    assert sheet(Match(squads=double), captain="b-cb2") is None


def test_FC_3_4_att_and_def() -> None:
    match = Match()
    outcome = match.play("team_sheet", side="blue", lineup=BLUE_LINEUP, captain="b-am1")
    assert outcome == {"formation": "2-2-2-2-2", "att": 20, "def": 25, "optimised": True, "captain": "b-am1"}
    outcome = match.play("team_sheet", side="red", lineup=RED_LINEUP, captain="r-dm1")
    assert (outcome["att"], outcome["def"], outcome["formation"]) == (22, 23, "0-3-2-3-2")
    assert (match.club("blue")["initial_bonus"], match.club("red")["initial_bonus"]) == (-3, -3)


@pytest.mark.parametrize(
    ("style", "profiles", "fits"),
    [
        ((5, 3, 2), ["technical"] * 5 + ["physical"] * 3 + ["tactical"] * 2, True),
        ((5, 3, 2), ["technical"] * 6 + ["physical"] * 2 + ["tactical"] * 2, False),
        ((5, 3, 2), ["technical"] * 4 + ["technical physical"] * 4 + ["tactical"] * 2, True),
        ((0, 5, 5), ["technical physical"] * 5 + ["tactical technical"] * 5, True),
        ((0, 6, 4), ["technical physical"] * 5 + ["tactical technical"] * 5, False),
        ((4, 3, 3), ["technical physical"] * 4 + ["physical tactical"] * 3 + ["tactical technical"] * 3, True),
    ],
)
def test_FC_3_5_profiles_are_counted_to_match_the_style(style: Any, profiles: list[str], fits: bool) -> None:
    assert fits_style(style, tuple(tuple(player_profiles.split()) for player_profiles in profiles)) == fits


def test_FC_3_5_is_checked_anew_after_a_change() -> None:
    match = under_way()
    assert match.club("blue")["optimised"]
    outcome = match.play("change", side="blue", subs=[{"out": "b-dm2", "in": "b-s3"}])
    assert (outcome["optimised"], outcome["att"], outcome["def"]) == (False, 19, 24)


def test_FC_3_7_and_FC_5_4_places_are_read_from_left_to_right() -> None:
    view = under_way().view["clubs"]
    assert view["blue"]["lineup"] == BLUE_LINEUP
    assert view["red"]["lineup"] == {**RED_LINEUP, "fb": []}


def test_FC_3_10_the_armband_does_not_move() -> None:
    match = Match()
    assert match.refused("captain", side="blue", player="b-fw1") == "FC-3.10"
    match.sheets()
    assert match.refused("captain", side="blue", player="b-fw1") == "FC-3.10"
    match.kick_off()
    assert match.refused("captain", side="red", player="r-dm2") == "FC-3.10"
    change: dict[str, Any] = {"side": "blue", "subs": [{"out": "b-fw2", "in": "b-s4"}]}
    assert match.refused("change", **change, captain="b-fw1") == "FC-3.10"
    assert match.refused("change", **change, captain="b-am1") == "FC-3.10"


def vacant() -> Match:
    """Return a match in which blue's captain was replaced without a successor; red has the ball."""
    match = under_way()
    match.play("change", side="blue", subs=[{"out": "b-am1", "in": "b-s2"}])
    return match


def test_FC_3_9_while_an_armband_is_vacant_little_is_legal() -> None:
    match = vacant()
    assert match.club("blue")["captain"] is None
    for event, fields in (
        ("press", {"side": "blue", "section": ["fw_l", "fw_r"]}),
        ("leave", {"side": "red"}),
        ("supporter", {"side": "red"}),
        ("permute", {"side": "red", "players": ["r-am1", "r-am2"]}),
        ("roll", {"dice": [1, 1]}),
        ("ball", {"colour": "red"}),
        ("tactics", {"side": "blue"}),
        ("offensive", {"side": "blue", "kind": "counter_attack", "section": "fw_l"}),
    ):
        assert match.refused(event, **fields) == "FC-3.9", event
    assert match.refused("captain", side="red", player="r-dm1") == "FC-3.10"
    assert match.refused("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}]) == "FC-14.4"
    assert match.refused("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}]) is None
    assert match.refused("forfeit", side="red") is None
    assert match.refused("captain", side="blue", player="b-dm2") == "FC-3.8"
    assert match.play("captain", side="blue", player="b-s2") == {"captain": "b-s2"}
    assert match.refused("leave", side="blue") is None


def test_FC_3_9_a_change_names_the_new_captain() -> None:
    match = under_way()
    change: dict[str, Any] = {"side": "blue", "subs": [{"out": "b-am1", "in": "b-s2"}]}
    assert match.refused("change", **change, captain="b-am1") == "FC-3.8"
    assert match.refused("change", **change, captain="b-am2") == "FC-3.8"
    match.play("change", **change, captain="b-s2")
    assert match.club("blue")["captain"] == "b-s2"
    match = vacant()
    match.play("change", side="blue", subs=[{"out": "b-fw2", "in": "b-s4"}], captain="b-fw1")
    assert match.club("blue")["captain"] == "b-fw1"


def test_FC_12_11_the_captain_named_takes_the_ball_that_nobody_holds() -> None:
    for named_by_change in (False, True):
        match = under_way()
        assert match.view["ball_holder"] == "r-dm1"
        match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}])
        assert (match.view["possession"], match.view["ball_holder"]) == ("red", None)
        if named_by_change:
            match.play("change", side="red", subs=[{"out": "r-fw2", "in": "r-s5"}], captain="r-am1")
        else:
            match.play("captain", side="red", player="r-am1")
        assert match.view["ball_holder"] == "r-am1"
