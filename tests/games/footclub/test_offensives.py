"""Chapters 8 and 9: offensives, strengths, and all parts of the final bonus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.games.footclub.kit import DEFENSIVE, Match, under_way

SOLO = {"solo_effort": 2, "positional_attack": 4, "attacking_support": 5, "supporters": 3}


def at_home(**setup: Any) -> Match:
    """Return a match in which red is at home, has the kop, and has just won the ball."""
    cards = {"tackle": 4, "solo_effort": 2, "positional_attack": 4, "attacking_support": 1, "supporters": 3}
    match = under_way(red=cards, home="red", **setup)
    match.play("tackle", side="red", section="dm_l")
    match.play("roll", dice=[6, 6])
    return match


def red_attack(kind: str = "positional_attack", section: str = "fw_l", **fields: Any) -> Match:
    match = under_way(blue=DEFENSIVE, red=SOLO)
    if kind == "solo_effort":
        match.reshape("red", supporters=3)
    match.play("leave", side="blue")
    match.play("offensive", side="red", kind=kind, section=section, **fields)
    return match


def test_FC_8_1_and_FC_8_7_it_starts_at_the_initial_bonus() -> None:
    match = under_way(blue=DEFENSIVE, red=SOLO)
    match.play("leave", side="blue")
    outcome = match.play("offensive", side="red", kind="positional_attack", section="am_r")
    assert outcome == {"player": "r-am3", "initial": -3, "bonus": -3, "final": -3, "section": "red"}
    view = match.view
    assert (view["phase"], view["ball_holder"], view["odds"]["goal"]) == ("offensive", "r-am3", "1/8")
    assert view["offensive"] == {
        "side": "red",
        "kind": "positional_attack",
        "player": "r-am3",
        "initial": -3,
        "attack_bonus": 0,
        "defence_bonus": 0,
        "bonus": -3,
        "final": -3,
        "spent": {"blue": 0, "red": 0},
        "defensive_supports": 0,
        "malus": 0,
        "set_piece": None,
        "throw": 1,
        "defence_die": None,
    }


@pytest.mark.parametrize(("supporters", "rule"), [(2, "FC-8.2"), (3, None), (0, "FC-8.2")])
def test_FC_8_2_a_positional_attack_needs_three_in_the_stands(supporters: int, rule: str | None) -> None:
    match = under_way(red=SOLO).reshape("red", supporters=supporters)
    match.play("leave", side="blue")
    assert match.refused("offensive", side="red", kind="positional_attack", section="fw_l") == rule


def test_FC_8_2_and_FC_8_3_the_kop_counts_face_up_or_down() -> None:
    for kop in ("up", "down"):
        match = under_way(red=SOLO).reshape("red", supporters=2, kop=kop)
        match.play("leave", side="blue")
        assert match.refused("offensive", side="red", kind="positional_attack", section="fw_l") is None
        match.reshape("red", supporters=3)
        assert match.refused("offensive", side="red", kind="solo_effort", section="fw_l") == "FC-8.3"


@pytest.mark.parametrize(("supporters", "rule"), [(4, "FC-8.3"), (3, None), (0, None)])
def test_FC_8_3_a_solo_effort_needs_three_or_fewer(supporters: int, rule: str | None) -> None:
    match = under_way(red=SOLO).reshape("red", supporters=supporters)
    match.play("leave", side="blue")
    assert match.refused("offensive", side="red", kind="solo_effort", section="fw_l") == rule


def test_FC_8_5_the_stands_are_checked_only_as_the_card_is_played() -> None:
    match = red_attack()
    match.reshape("red", supporters=3)
    assert match.refused("spend", side="red", supporters=3) is None


@pytest.mark.parametrize(
    ("section", "bonus", "malus"), [("fw_r", 1, 0), ("fw_l", 0, -1), ("am_l", 1, 0), ("am_r", 0, 0), ("cb_l", 0, 0)]
)
def test_FC_8_8_strengths_on_a_positional_attack(section: str, bonus: int, malus: int) -> None:
    offensive = red_attack(section=section).view["offensive"]
    assert (offensive["attack_bonus"], offensive["malus"]) == (bonus, malus)


@pytest.mark.parametrize(("section", "bonus"), [("fw_r", 1), ("fw_l", 2), ("am_r", 0)])
def test_FC_8_8_strengths_on_a_counter_attack(section: str, bonus: int) -> None:
    match = countering()
    match.play("offensive", side="red", kind="counter_attack", section=section)
    offensive = match.view["offensive"]
    assert (offensive["attack_bonus"], offensive["malus"], offensive["kind"]) == (bonus, 0, "counter_attack")


def countering() -> Match:
    """Return a match in which blue has won the ball and missed; red may counter-attack."""
    match = under_way(red={"counter_attack": 3, "pressing": 6, "tackle": 5})
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    match.attack("blue", section="am_l")
    match.play("shot", defence=6, attack=1)
    return match


def test_FC_8_4_a_counter_attack_only_at_once_after_a_save() -> None:
    match = countering()
    assert (match.view["phase"], match.view["counter_for"], match.view["possession"]) == ("counter", "red", "red")
    counter: dict[str, Any] = {"kind": "counter_attack", "section": "fw_l"}
    assert match.refused("offensive", side="blue", **counter) == "FC-18.5"
    assert match.refused("offensive", side="red", **counter) is None
    assert match.refused("offensive", side="red", kind="positional_attack", section="fw_l") == "FC-14.8"
    match.play("leave", side="blue")
    assert match.refused("offensive", side="red", **counter) == "FC-8.4"
    pressed = countering()
    pressed.play("press", side="blue", section=["fw_l", "fw_r"])
    assert pressed.refused("offensive", side="red", **counter) == "FC-8.4"
    assert pressed.view["counter_for"] is None


def test_FC_8_4_in_any_other_phase_too() -> None:
    match = Match()
    assert match.refused("offensive", side="red", kind="counter_attack", section="fw_l") == "FC-8.4"
    match = under_way()
    assert match.refused("offensive", side="blue", kind="counter_attack", section=0) == "FC-8.4"
    match.play("tackle", side="blue", section="dm_l")
    assert match.refused("offensive", side="red", kind="counter_attack", section="fw_l") == "FC-8.4"
    assert match.refused("offensive", side="red", kind="solo_effort", section="fw_l") == "FC-18.4"


@pytest.mark.parametrize(
    ("section", "skill", "bonus", "malus"),
    [("fw_r", "freshness", 2, 0), ("fw_l", "supporter", 1, -1), ("fw_l", "none", 0, 0), ("fw_r", "none", 0, 0)],
)
def test_FC_8_9_a_solo_effort_has_its_strength_only_if_paid(section: str, skill: str, bonus: int, malus: int) -> None:
    match = red_attack("solo_effort", section, skill=skill)
    offensive = match.view["offensive"]
    assert (offensive["attack_bonus"], offensive["malus"]) == (bonus, malus)
    assert offensive["spent"] == {"blue": 0, "red": int(skill == "supporter")}
    assert match.club("red")["supporters"] == 3 - (skill == "supporter")
    assert match.club("red")["discard"] == ({"supporters": 1} if skill == "supporter" else {})
    assert match.player(match.view["ball_holder"])["freshness"] == (0 if skill == "freshness" else 1)


def test_FC_8_9_the_kop_K02_pays_and_counts_as_spent() -> None:
    match = at_home(kop="K02").reshape("red", supporters=2)
    match.attack("red", "solo_effort", "fw_r", skill="kop")
    assert match.view["offensive"]["spent"] == {"blue": 0, "red": 1}
    assert (match.club("red")["kop"], match.club("red")["stands"]) == ("down", 3)


def test_FC_8_9_nobody_else_pays() -> None:
    match = under_way(red=SOLO).reshape("red", supporters=3)
    match.play("leave", side="blue")
    solo_effort: dict[str, Any] = {"side": "red", "kind": "solo_effort"}
    assert match.refused("offensive", **solo_effort, section="am_r", skill="freshness") == "FC-8.9"
    assert match.refused("offensive", **solo_effort, section="fw_r", skill="kop") == "FC-8.9"
    other: dict[str, Any] = {"side": "red", "kind": "positional_attack", "section": "fw_r"}
    assert match.refused("offensive", **other, skill="freshness") == "FC-8.9"
    match.reshape("red", supporters=0)
    assert match.refused("offensive", **solo_effort, section="fw_r", skill="supporter") == "FC-8.9"
    players = match.state.club("red").players
    match.reshape("red", players={id: replace(player, freshness=0) for id, player in players.items()})
    assert match.refused("offensive", **solo_effort, section="fw_r", skill="freshness") == "FC-8.9"


def test_FC_14_8_an_offensive_waits_for_the_end_of_step_3() -> None:
    match = under_way()
    assert match.refused("offensive", side="red", kind="positional_attack", section="fw_l") == "FC-14.8"
    match.play("tackle", side="blue", section="dm_l")
    match.play("roll", dice=[6, 6])
    assert match.refused("offensive", side="red", kind="solo_effort", section="fw_l") == "FC-14.8"


def test_FC_18_5_the_offensive_is_for_the_club_with_the_ball() -> None:
    match = under_way()
    match.play("leave", side="blue")
    assert match.refused("offensive", side="blue", kind="positional_attack", section="fw_l") == "FC-18.5"
    assert match.refused("no_offensive", side="blue") == "FC-18.5"
    assert match.refused("leave", side="blue") == "FC-14.7"


def test_FC_9_2_supporters_add_one_to_either_side() -> None:
    match = red_attack(section="am_r")
    assert match.play("spend", side="red", supporters=2) == {"bonus": -1, "final": -1, "stands": 3}
    assert match.play("spend", side="blue", supporters=1) == {"bonus": -2, "final": -2, "stands": 5}
    offensive = match.view["offensive"]
    assert (offensive["attack_bonus"], offensive["defence_bonus"], offensive["spent"]) == (2, 1, {"blue": 1, "red": 2})
    assert (match.club("red")["discard"], match.club("red")["hand"]) == ({"supporters": 2}, 5)


def test_FC_9_2_not_more_than_there_are() -> None:
    match = red_attack()
    match.reshape("red", supporters=1)
    assert match.refused("spend", side="red", supporters=2) == "FC-9.2"
    assert match.refused("spend", side="red", supporters=1) is None


def test_FC_9_3_three_in_an_offensive_the_kop_included() -> None:
    match = red_attack()
    assert match.refused("spend", side="red", supporters=4) == "FC-9.3"
    match.play("spend", side="red", supporters=2)
    assert match.refused("spend", side="red", supporters=2) == "FC-9.3"
    assert match.refused("spend", side="red", supporters=1, kop=True) == "FC-9.3"
    assert match.refused("spend", side="red", kop=True) == "FC-9.4"
    assert match.refused("spend", side="blue", supporters=3) is None


def test_FC_9_3_the_payment_of_a_solo_effort_counts() -> None:
    match = red_attack("solo_effort", "fw_r", skill="supporter")
    assert match.refused("spend", side="red", supporters=3) == "FC-9.3"
    assert match.refused("spend", side="red", supporters=2) is None


@pytest.mark.parametrize(
    ("options", "added"), [(None, 2), ({"kop_attack_bonus": 1}, 1), ({"kop_attack_bonus": 2}, 2), ({}, 2)]
)
def test_FC_9_4_the_kop_K01_helps_its_attack_once(options: Any, added: int) -> None:
    match = at_home(options=options)
    match.attack("red", section="am_r")
    before = match.view["offensive"]["bonus"]
    assert match.refused("spend", side="blue", kop=True) == "FC-9.4"
    assert match.play("spend", side="red", kop=True) == {"bonus": before + added, "final": before + added, "stands": 6}
    assert match.club("red")["kop"] == "down"
    assert match.view["offensive"]["spent"]["red"] == 1
    assert match.refused("spend", side="red", kop=True) == "FC-9.4"


def test_FC_9_4_K02_adds_nothing_and_defenders_have_no_kop() -> None:
    match = under_way(red=SOLO, kop="K02")
    match.attack("red")
    assert match.refused("spend", side="blue", kop=True) == "FC-9.4"
    assert match.refused("spend", side="red", supporters=1, kop=True) == "FC-9.4"


def test_FC_9_5_attacking_support_adds_two_without_limit() -> None:
    match = red_attack(section="am_r")
    assert [match.play("attacking_support", side="red")["bonus"] for _ in range(4)] == [-1, 1, 3, 5]
    assert match.club("red")["hand"] == 1
    match.play("attacking_support", side="red")
    assert (match.view["offensive"]["bonus"], match.view["offensive"]["final"]) == (7, 5)
    assert match.refused("attacking_support", side="red") == "FC-4.6"
    assert match.refused("attacking_support", side="blue") == "FC-18.5"


def test_FC_9_6_nothing_is_added_once_the_defence_die_lies() -> None:
    match = red_attack(section="am_r")
    match.play("shot", defence=3)
    for event, fields in (
        ("spend", {"side": "red", "supporters": 9}),
        ("attacking_support", {"side": "blue"}),
        ("defensive_support", {"side": "red", "section": "fb_l"}),
    ):
        assert match.refused(event, **fields) == "FC-9.6"
    match.play("shot", attack=6)
    assert match.view["offensive"]["throw"] == 2
    assert match.refused("spend", side="red", supporters=1) == "FC-9.6"


@pytest.mark.parametrize(("supports", "bonus", "final"), [(0, -6, -5), (1, -4, -4)])
def test_FC_9_7_the_final_bonus_is_brought_into_five(supports: int, bonus: int, final: int) -> None:
    match = red_attack(section="am_r")
    for _ in range(supports):
        match.play("attacking_support", side="red")
    assert match.play("spend", side="blue", supporters=3) == {"bonus": bonus, "final": final, "stands": 3}
