"""Chapter 12 (with FC-14.3, FC-14.4): substitutions, permutations, and the order of step 2."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.footclub.kit import BLUE_LINEUP, DEFENSIVE, EXTRA, RED_LINEUP, Match, under_way


def sub(out: str, entering: str) -> dict[str, str]:
    return {"out": out, "in": entering}


def refused(match: Match, *subs: dict[str, str], **fields: Any) -> str | None:
    return match.refused("change", side="blue", subs=list(subs), **fields)


def test_FC_12_1_changes_are_made_in_step_2_or_a_window() -> None:
    match = Match()
    assert refused(match, sub("b-fw2", "b-s4")) == "FC-12.1"
    match.sheets().kick_off()
    assert refused(match, sub("b-fw2", "b-s4")) is None
    match.play("leave", side="blue")
    assert refused(match, sub("b-fw2", "b-s4")) == "FC-12.1"


def test_a_change_and_its_outcome() -> None:
    match = under_way()
    outcome = match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert outcome == {
        "out": ["b-fw2"],
        "in": ["b-s4"],
        "boost": 0,
        "att": 20,
        "def": 25,
        "optimised": True,
        "replacements_left": 2,
    }
    club = match.club("blue")
    assert club["lineup"] == {**BLUE_LINEUP, "fw": ["b-fw1", "b-s4"]}
    assert club["bench"] == ["b-s1", "b-s2", "b-s3", "b-s5"]
    assert (club["changed"], match.player("b-fw2")["status"], match.player("b-s4")["status"]) == (True, "out", "pitch")


def test_FC_12_2_three_replacements_a_match() -> None:
    match = under_way()
    four = [sub("b-fw2", "b-s4"), sub("b-cb2", "b-s5"), sub("b-dm2", "b-s3"), sub("b-am2", "b-s2")]
    assert refused(match, *four) == "FC-12.2"
    match.play("change", side="blue", subs=four[:2])
    assert refused(match, *four[2:]) == "FC-12.2"
    match.play("change", side="blue", subs=four[2:3])
    assert refused(match, four[3]) == "FC-12.2"


def test_FC_12_3_several_changes_in_one_window() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert refused(match, sub("b-cb2", "b-s5")) is None


@pytest.mark.parametrize(
    ("subs", "rule"),
    [
        ([sub("nobody", "b-s4")], "FC-12.6"),
        ([sub("b-s1", "b-s4")], "FC-12.6"),
        ([sub("b-gk", "b-s4")], "FC-12.6"),
        ([sub("r-fw1", "b-s4")], "FC-12.6"),
        ([sub("b-fw2", "b-s4"), sub("b-fw2", "b-s2")], "FC-12.6"),
        ([sub("b-fw2", "nobody"), sub("b-s1", "b-s2")], "FC-12.6"),
        ([sub("b-fw2", "nobody")], "FC-12.4"),
        ([sub("b-fw2", "r-s5")], "FC-12.4"),
        ([sub("b-fw2", "b-gk")], "FC-12.4"),
        ([sub("b-fw2", "b-fw1")], "FC-12.4"),
        ([sub("b-fw2", "b-s4"), sub("b-fw1", "b-s4")], "FC-12.4"),
        ([sub("b-fw2", "b-s5")], "FC-3.6"),
        ([sub("b-fw2", "b-s2")], None),
    ],
)
def test_FC_12_4_and_FC_12_6_who_leaves_and_who_comes_on(subs: list[dict[str, str]], rule: str | None) -> None:
    assert refused(under_way(), *subs) == rule


def test_FC_12_4_nobody_comes_back() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert refused(match, sub("b-fw1", "b-fw2")) == "FC-12.4"
    assert refused(match, sub("b-fw2", "b-s2")) == "FC-12.6"


def test_FC_16_3_a_suspended_player_does_not_come_on() -> None:
    leg = {"score": {"blue": 0, "red": 0}, "suspended": ["b-s4"]}
    match = under_way(format="leg2", first_leg=leg)
    assert refused(match, sub("b-fw2", "b-s4")) == "FC-16.3"
    assert refused(match, sub("b-fw2", "b-fw1"), sub("b-fw1", "b-s4")) == "FC-16.3"
    assert refused(match, sub("b-fw2", "nobody"), sub("b-fw1", "b-s4")) == "FC-12.4"
    assert match.player("b-s4")["status"] == "suspended"
    assert "b-s4" not in match.club("blue")["bench"]


def test_FC_12_5_reorganised_only_with_a_replacement_in_the_same_window() -> None:
    match = under_way()
    assert refused(match) == "FC-12.5"
    match.play("change", side="blue", subs=[sub("b-fw2", "b-s2")])
    anew = {**BLUE_LINEUP, "am": ["b-am2", "b-s2", "b-am1"], "fw": ["b-fw1"]}
    outcome = match.play("change", side="blue", subs=[], lineup=anew)
    assert (outcome["in"], outcome["replacements_left"]) == ([], 2)
    assert match.club("blue")["formation"] == "2-2-2-3-1"
    assert match.refused("change", side="red", subs=[]) == "FC-14.4"


def test_FC_12_5_not_in_another_turn() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    match.idle_turn()
    assert refused(match) == "FC-12.5"
    assert match.club("blue")["changed"] is False


@pytest.mark.parametrize(
    "lineup",
    [
        BLUE_LINEUP,
        {**BLUE_LINEUP, "fw": ["b-fw1"]},
        {**BLUE_LINEUP, "fw": ["b-fw1", "b-s4", "b-s2"]},
        {**BLUE_LINEUP, "fw": ["b-s4", "b-s4"]},
        {},
    ],
)
def test_FC_12_7_a_line_up_holds_exactly_the_players_on_the_pitch(lineup: Any) -> None:
    assert refused(under_way(), sub("b-fw2", "b-s4"), lineup=lineup) == "FC-12.7"


def test_FC_12_7_only_the_final_line_up_is_checked() -> None:
    match = under_way()
    anew = {**BLUE_LINEUP, "am": ["b-am1", "b-am2", "b-s2"], "fw": ["b-fw1", "b-fw2"], "dm": ["b-dm1"]}
    assert refused(match, sub("b-dm2", "b-s2")) == "FC-3.6"
    assert refused(match, sub("b-dm2", "b-s2"), lineup=anew) is None
    assert refused(match, sub("b-fb1", "b-s2"), lineup={**anew, "fb": ["b-fb2"], "dm": ["b-dm1", "b-dm2"]}) == "FC-3.2"


def test_FC_12_7_the_list_is_worked_through_in_order() -> None:
    match = under_way()
    match.play("change", side="blue", subs=[sub("b-am2", "b-s2"), sub("b-fw2", "b-s4")])
    assert (match.club("blue")["lineup"]["am"], match.club("blue")["lineup"]["fw"]) == (
        ["b-am1", "b-s2"],
        ["b-fw1", "b-s4"],
    )


def test_FC_12_7_an_injured_player_is_replaced_where_he_stood() -> None:
    match = under_way().status("injured_off", "r-am1")
    assert match.club("red")["lineup"]["am"] == ["r-am2", "r-am3"]
    match.play("change", side="red", subs=[sub("r-am1", "r-s3")])
    assert match.club("red")["lineup"]["am"] == ["r-s3", "r-am2", "r-am3"]
    assert match.player("r-am1")["status"] == "out"
    shorter = under_way().status("injured_off", "r-am3").status("sent_off", "r-am1")
    shorter.play("change", side="red", subs=[sub("r-am3", "r-s3")])
    assert shorter.club("red")["lineup"]["am"] == ["r-am2", "r-s3"]
    assert shorter.refused("change", side="red", subs=[sub("r-am3", "r-s5")]) == "FC-12.6"


def test_FC_13_7_a_short_team_may_have_one_full_back_or_none_at_a_post() -> None:
    match = under_way().status("sent_off", "b-fb2")
    assert refused(match, sub("b-fb1", "b-s1")) is None
    four = {
        "fb": ["b-fb1"],
        "cb": ["b-cb1", "b-cb2", "b-s5", "b-s1"],
        "dm": ["b-dm2"],
        "am": ["b-am1", "b-am2"],
        "fw": ["b-fw1"],
    }
    assert refused(match, sub("b-fw2", "b-s1"), sub("b-dm1", "b-s5"), lineup=four) == "FC-13.7"
    assert (
        refused(
            match,
            sub("b-fw2", "b-s5"),
            lineup={**BLUE_LINEUP, "fb": ["b-fb1"], "cb": ["b-cb1", "b-cb2", "b-s5"], "fw": ["b-fw1"]},
        )
        is None
    )


def test_FC_12_8_one_permutation_a_turn_in_step_2_without_a_change() -> None:
    swap: dict[str, Any] = {"side": "blue", "players": ["b-dm2", "b-dm1"]}
    match = Match()
    assert match.refused("permute", **swap) == "FC-12.8"
    match.sheets().kick_off()
    assert match.play("permute", **swap) == {"post": "dm", "line": ["b-dm2", "b-dm1"]}
    assert match.club("blue")["permuted"] is True
    assert match.refused("permute", **swap) == "FC-12.8"
    assert match.refused("permute", side="red", players=["r-am1", "r-am3"]) is None
    match.play("leave", side="blue")
    assert match.refused("permute", side="red", players=["r-am1", "r-am3"]) == "FC-12.8"
    changed = under_way()
    changed.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert changed.refused("permute", **swap) == "FC-12.8"
    assert changed.refused("permute", side="red", players=["r-am1", "r-am3"]) is None


@pytest.mark.parametrize("players", [["b-dm1", "b-am1"], ["b-dm1", "nobody"], ["b-s1", "b-cb1"], ["r-dm1", "r-dm2"]])
def test_FC_12_9_it_swaps_two_players_of_a_post(players: list[str]) -> None:
    assert under_way().refused("permute", side="blue", players=players) == "FC-12.9"


def test_FC_12_9_of_three_any_two() -> None:
    assert under_way().play("permute", side="red", players=["r-am3", "r-am1"])["line"] == ["r-am3", "r-am2", "r-am1"]


def test_FC_14_3_one_supporters_card_a_turn() -> None:
    match = under_way()
    assert match.play("supporter", side="blue") == {"stands": 7}
    club = match.club("blue")
    assert (club["supporters"], club["hand"], club["cards_left"]["supporters"], club["discard"]) == (6, 5, 1, {})
    assert club["supporter_laid"] is True
    assert match.refused("supporter", side="blue") == "FC-14.3"
    assert match.play("supporter", side="red") == {"stands": 6}
    match.idle_turn()
    assert match.club("blue")["supporter_laid"] is False
    assert match.refused("supporter", side="blue") is None


def test_FC_14_3_comes_before_the_hand_and_the_hand_before_FC_14_4() -> None:
    match = under_way(blue=DEFENSIVE | {"supporters": 1, "tackle": 4})
    match.play("supporter", side="blue")
    assert match.refused("supporter", side="blue") == "FC-14.3"
    none = under_way(blue=DEFENSIVE | {"supporters": 0, "tackle": 5})
    none.play("permute", side="red", players=["r-am1", "r-am2"])
    assert none.refused("supporter", side="blue") == "FC-4.7"
    assert none.refused("supporter", side="red") == "FC-14.4"


def test_FC_14_4_the_order_of_step_2() -> None:
    match = under_way()
    match.play("change", side="red", subs=[sub("r-fw2", "r-s5")])
    assert match.refused("supporter", side="blue") == "FC-14.4"
    assert match.refused("change", side="red", subs=[sub("r-dm2", "r-s4")]) is None
    match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert match.refused("change", side="red", subs=[sub("r-dm2", "r-s4")]) == "FC-14.4"
    assert refused(match, sub("b-fw1", "b-s2")) is None
    permuted = under_way()
    permuted.play("permute", side="red", players=["r-am1", "r-am2"])
    assert refused(permuted, sub("b-fw2", "b-s4")) == "FC-14.4"
    assert permuted.refused("change", side="red", subs=[]) == "FC-14.4"
    assert permuted.refused("supporter", side="red") == "FC-14.4"


def test_FC_14_4_begins_anew_in_the_next_turn() -> None:
    match = under_way()
    match.play("permute", side="red", players=["r-am1", "r-am2"])
    match.idle_turn()
    assert match.refused("supporter", side="red") is None
    assert match.refused("change", side="red", subs=[sub("r-fw2", "r-s5")]) is None


def test_FC_12_11_the_ball_goes_to_the_captain() -> None:
    match = under_way()
    match.attack("red", section="fw_r")
    match.play("shot", defence=1, attack=6)
    match.discard()
    match.play("press", side="red", section=["fw_r", "am_l"])
    match.play("leave", side="blue")
    match.play("no_offensive", side="red")
    match.discard()
    assert match.view["ball_holder"] == "r-fw2"
    match.play("change", side="red", subs=[sub("r-fw2", "r-s5")])
    assert match.view["ball_holder"] == "r-dm1"


def test_FC_12_11_the_new_captain_if_he_was_captain() -> None:
    match = under_way()
    match.play("change", side="red", subs=[sub("r-dm1", "r-s4")], captain="r-cb1")
    assert (match.view["ball_holder"], match.club("red")["captain"]) == ("r-cb1", "r-cb1")


def second_half(turns: int = 0) -> Match:
    match = under_way().idle_half().kick_off()
    for _ in range(turns):
        match.idle_turn()
    return match


@pytest.mark.parametrize(("turns", "boost"), [(0, 0), (2, 0), (3, 1), (4, 1)])
def test_FC_12_10_the_late_boost(turns: int, boost: int) -> None:
    match = second_half(turns)
    outcome = match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])
    assert (outcome["boost"], outcome["att"]) == (boost, 20 + boost)
    assert (match.player("b-s4")["boost"], match.player("b-s4")["level"]) == (boost, 3 + boost)


def test_FC_12_10_not_in_the_first_half() -> None:
    match = under_way()
    for _ in range(4):
        match.idle_turn()
    assert match.club("blue")["deck"] == 0
    assert match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])["boost"] == 0


def test_FC_12_10_always_in_extra_time() -> None:
    match = second_half().idle_half()
    match.play("extra_time", play=True)
    match.kick_off(EXTRA, EXTRA)
    assert match.play("change", side="blue", subs=[sub("b-fw2", "b-s4")])["boost"] == 1


def test_the_line_ups_are_what_the_clubs_gave() -> None:
    assert under_way().club("red")["lineup"] == {"fb": [], **RED_LINEUP}
