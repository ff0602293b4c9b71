"""Chapters 7 and 10: tackles and defensive supports, their throws, and fouls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.footclub.kit import DEFENSIVE, Match, under_way

Dice = list[int]


def tackle(section: str = "dm_l", **fields: Any) -> Match:
    """Return a match in which blue tackles red's captain r-dm1."""
    match = under_way()
    match.play("tackle", side="blue", section=section, **fields)
    return match


def rolled(match: Match, dice: Dice) -> dict[str, Any]:
    """Roll, and return the outcome without who was in the duel."""
    duel = ("side", "kind", "player", "target")
    return {key: value for key, value in match.play("roll", dice=dice).items() if key not in duel}


def outcome(result: str, total: int, throw: int = 1, **rest: Any) -> dict[str, Any]:
    empty = {"card": None, "sent_off": False, "injury": None, "set_piece": None}
    return {"throw": throw, "total": total, "result": result, **empty, **rest}


@pytest.mark.parametrize("dice", [[3, 4], [6, 6], [1, 6]])
def test_FC_7_3_and_FC_7_6_seven_or_more_wins_the_ball(dice: Dice) -> None:
    match = tackle()
    assert match.view["duel"] == {
        "kind": "tackle",
        "side": "blue",
        "player": "b-dm1",
        "target": "r-dm1",
        "mode": "regular",
        "throw": 1,
        "modifier": 0,
    }
    assert rolled(match, dice) == outcome("success", sum(dice))
    view = match.view
    assert (view["phase"], view["possession"], view["ball_holder"], view["duel"]) == (
        "possession",
        "blue",
        "b-dm1",
        None,
    )
    assert match.refused("tackle", side="red", section="dm_l") is None


@pytest.mark.parametrize("dice", [[1, 2], [3, 3], [2, 4]])
def test_FC_7_3_and_FC_7_7_six_or_less_is_a_foul_without_a_card(dice: Dice) -> None:
    match = tackle()
    assert rolled(match, dice) == outcome("foul", sum(dice))
    view = match.view
    assert (view["phase"], view["possession"], view["ball_holder"]) == ("attack", "red", "r-dm1")
    assert view["change_window"] is False
    assert match.refused("tackle", side="blue", section="dm_l") == "FC-14.7"


def test_FC_7_3_and_FC_7_8_two_ones_are_a_yellow_card_and_a_light_injury() -> None:
    match = tackle()
    assert rolled(match, [1, 1]) == outcome("foul", 2, card="yellow", injury="light")
    assert match.player("b-dm1")["yellow"] == 1
    assert (match.player("r-dm1")["injury"], match.player("r-dm1")["level"]) == (1, 3)
    assert (match.view["phase"], match.view["change_window"]) == ("attack", True)


@pytest.mark.parametrize("dice", [[1, 1], [1, 2], [3, 3]])
def test_FC_7_3_an_aggressive_failure_is_thrown_again(dice: Dice) -> None:
    match = tackle(mode="aggressive")
    assert rolled(match, dice) == outcome("second_throw", sum(dice))
    assert (match.view["phase"], match.view["duel"]["throw"], match.player("b-dm1")["yellow"]) == ("duel", 2, 0)


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ([4, 4], outcome("success", 8, 2)),
        ([3, 4], outcome("foul", 7, 2, card="yellow", injury="light")),
        ([1, 2], outcome("foul", 3, 2, card="yellow", injury="light")),
        ([1, 1], outcome("foul", 2, 2, card="red", sent_off=True, injury="serious")),
    ],
)
def test_FC_7_4_the_second_throw(dice: Dice, expected: dict[str, Any]) -> None:
    match = tackle(mode="aggressive")
    match.play("roll", dice=[1, 2])
    assert rolled(match, dice) == expected


def test_FC_7_5_a_rugged_tackler_is_aggressive_and_adds_one() -> None:
    match = under_way()
    assert match.refused("tackle", side="blue", section="dm_r", mode="regular") == "FC-7.5"
    assert match.refused("tackle", side="blue", section="dm_r", mode="aggressive") is None
    assert match.play("tackle", side="blue", section="dm_r")["mode"] == "aggressive"
    assert match.view["duel"]["modifier"] == 1
    assert rolled(match, [2, 3]) == outcome("second_throw", 6)
    assert rolled(match, [3, 4]) == outcome("success", 8, 2)


def test_FC_7_5_two_ones_stay_two_ones() -> None:
    match = tackle("dm_r")
    assert rolled(match, [1, 1]) == outcome("second_throw", 2)
    assert match.play("roll", dice=[1, 1])["card"] == "red"


def test_FC_7_9_a_serious_injury_takes_the_player_off() -> None:
    match = tackle(mode="aggressive")
    match.play("roll", dice=[1, 1])
    match.play("roll", dice=[1, 1])
    assert (match.player("b-dm1")["status"], match.player("r-dm1")["status"]) == ("sent_off", "injured_off")
    assert (match.club("blue")["reds"], match.club("red")["reds"]) == (1, 0)
    assert (match.club("red")["captain"], match.view["ball_holder"], match.view["possession"]) == (None, None, "red")
    assert match.refused("captain", side="red", player="r-cb1") is None
    match.play("captain", side="red", player="r-am1")
    assert match.view["ball_holder"] == "r-am1"


def test_FC_7_8_further_light_injuries_add_up_to_the_end_of_the_half() -> None:
    match = under_way()
    match.play("press", side="blue", section=["fw_r", "am_l"])
    for throw in range(4):
        match.reshape("red", cards_left=(6,) * 8)
        match.play("tackle", side="red", section=("dm_l", "dm_r", "fw_l", "fw_r")[throw])
        match.play("roll", dice=[1, 1])
        match.play("no_offensive", side="blue")
        match.discard()
        if match.view["phase"] == "half_time":
            break
        assert (match.player("b-fw2")["injury"], match.player("b-fw2")["level"]) == (throw + 1, max(0, 2 - throw))
    match.idle_half()
    assert match.view["phase"] == "half_time"
    assert (match.player("b-fw2")["injury"], match.player("b-fw2")["level"]) == (0, 3)


def support(section: str = "fb_l", attacker: str = "fw_r", cards: Any = DEFENSIVE, **fields: Any) -> Match:
    """Return a match in which blue supports its defence against red's positional attack by r-fw2 (skilful)."""
    match = under_way(blue=cards)
    match.attack("red", section=attacker)
    match.play("defensive_support", side="blue", section=section, **fields)
    return match


def test_FC_10_1_and_FC_10_4_a_support_takes_two_from_the_bonus() -> None:
    match = support()
    assert match.view["offensive"]["defensive_supports"] == 1
    assert rolled(match, [3, 4]) == outcome("success", 7)
    offensive = match.view["offensive"]
    assert (match.view["phase"], offensive["defence_bonus"], offensive["bonus"]) == ("offensive", 2, -3 + 1 - 2)
    match.play("defensive_support", side="blue", section="cb_l")
    assert match.refused("defensive_support", side="blue", section="cb_r") == "FC-18.4"
    assert match.refused("shot", defence=1) == "FC-18.4"


def test_FC_10_4_and_FC_10_7_the_first_foul_is_a_free_kick() -> None:
    match = support()
    assert rolled(match, [3, 3]) == outcome("foul", 6, set_piece="free_kick")
    view = match.view
    assert (view["phase"], view["ball_holder"], view["change_window"]) == ("set_piece", "r-fw2", False)
    offensive = view["offensive"]
    assert (offensive["set_piece"], offensive["bonus"], offensive["final"]) == ("free_kick", 0, 0)
    assert (offensive["initial"], offensive["attack_bonus"], offensive["spent"]) == (-3, 1, {"blue": 0, "red": 0})
    assert match.club("red")["discard"] == {"positional_attack": 1}
    assert match.club("blue")["discard"] == {"defensive_support": 1}


def test_FC_10_7_the_second_is_a_penalty_even_if_the_first_succeeded() -> None:
    match = support()
    match.play("roll", dice=[6, 6])
    match.play("defensive_support", side="blue", section="fb_r")
    assert match.play("roll", dice=[2, 4])["set_piece"] == "penalty"
    assert (match.view["offensive"]["bonus"], match.view["offensive"]["final"]) == (2, 2)


def test_FC_10_4_two_ones_are_a_yellow_card_and_no_injury() -> None:
    match = support()
    assert rolled(match, [1, 1]) == outcome("foul", 2, card="yellow", set_piece="free_kick")
    assert (match.view["phase"], match.view["change_window"]) == ("set_piece", True)


@pytest.mark.parametrize(("dice", "card"), [([4, 3], "yellow"), ([1, 1], "red"), ([4, 4], None)])
def test_FC_10_5_the_second_throw(dice: Dice, card: str | None) -> None:
    match = support(mode="aggressive")
    match.play("roll", dice=[1, 1])
    found = match.play("roll", dice=dice)
    assert (found["card"], found["injury"], found["throw"]) == (card, None, 2)
    assert found["result"] == ("foul" if card else "success")


def test_FC_10_6_an_unyielding_defender_is_aggressive_and_adds_one() -> None:
    match = under_way(blue=DEFENSIVE)
    match.attack("red", section="fw_r")
    assert match.refused("defensive_support", side="blue", section="cb_l", mode="regular") == "FC-10.6"
    found = match.play("defensive_support", side="blue", section="cb_l")
    assert found == {"player": "b-cb1", "mode": "aggressive", "modifier": 1, "section": "red"}


@pytest.mark.parametrize(("section", "modifier"), [("cb_l", 0), ("fb_l", -1)])
def test_FC_10_6_the_accelerators_minus_one_is_added(section: str, modifier: int) -> None:
    match = support(section, attacker="fw_l")
    assert match.view["duel"]["modifier"] == modifier


def test_FC_10_6_a_two_and_a_one_with_minus_one_are_not_two_ones() -> None:
    match = support("fb_l", attacker="fw_l")
    assert rolled(match, [2, 1]) == outcome("foul", 2, set_piece="free_kick")


def test_FC_10_6_a_rugged_player_is_nothing_special_in_defence() -> None:
    assert support("fb_r").view["duel"]["mode"] == "regular"
    assert under_way().play("tackle", side="blue", section="cb_l")["mode"] == "regular"


def test_FC_10_2_not_on_a_counter_attack() -> None:
    match = under_way(blue=DEFENSIVE, red={"counter_attack": 3, "defensive_support": 5, "tackle": 6})
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    match.attack("blue", section="am_l")
    match.play("shot", defence=6, attack=1)
    match.play("offensive", side="red", kind="counter_attack", section="fw_l")
    assert match.refused("defensive_support", side="blue", section="fb_l") == "FC-10.2"
    match.play("shot", defence=3)
    assert match.refused("defensive_support", side="red", section="zz") == "FC-10.2"


def test_FC_10_8_on_a_set_piece_nothing_is_played() -> None:
    match = support()
    match.play("roll", dice=[3, 3])
    assert match.refused("spend", side="red", supporters=1) == "FC-10.8"
    assert match.refused("attacking_support", side="red") == "FC-10.8"
    assert match.refused("defensive_support", side="blue", section="fb_l") == "FC-10.8"
    assert match.refused("leave", side="blue") == "FC-18.4"


def test_FC_10_9_a_set_piece_is_a_shot_with_a_counter_attack_after_a_save() -> None:
    match = support()
    match.play("roll", dice=[3, 3])
    assert match.play("shot", defence=3)["result"] == "pending"
    assert match.view["phase"] == "set_piece"
    assert match.play("shot", attack=2)["result"] == "save"
    assert (match.view["phase"], match.view["counter_for"], match.view["ball_holder"]) == ("counter", "blue", "b-am1")
    assert match.club("red")["discard"] == {"positional_attack": 1}


def test_FC_18_5_a_support_is_for_the_defenders() -> None:
    match = under_way(blue=DEFENSIVE, red=DEFENSIVE)
    match.attack("red")
    assert match.refused("defensive_support", side="red", section="fb_l") == "FC-18.5"
    assert match.refused("defensive_support", side="blue", section=7) == "FC-1.8"


def test_a_tackle_needs_the_club_without_the_ball() -> None:
    assert under_way().refused("tackle", side="red", section="dm_l") == "FC-18.5"
