"""Chapter 11: the shot."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.footclub.kit import Match, under_way

SHOT = {"side": "red", "throw": 1, "defence": 3, "attack_total": None, "result": "pending"}


def shooting() -> Match:
    """Return a match in which red attacks at bonus -3 with r-am3, who has no strength."""
    match = under_way()
    match.attack("red", section="am_r")
    return match


def test_FC_11_1_the_defence_throws_first() -> None:
    match = shooting()
    assert match.refused("shot", attack=3) == "FC-11.1"
    assert match.play("shot", defence=3) == SHOT
    assert match.view["offensive"]["defence_die"] == 3
    for dice in ({"defence": 3}, {"defence": 3, "attack": 4}):
        assert match.refused("shot", **dice) == "FC-11.1"
    assert match.play("shot", attack=1) == {**SHOT, "attack_total": -2, "result": "save"}


def test_FC_11_1_one_event_or_two_come_to_the_same() -> None:
    together, apart = shooting(), shooting()
    together.play("shot", defence=2, attack=6)
    apart.play("shot", defence=2)
    apart.play("shot", attack=6)
    assert together.state == apart.state


@pytest.mark.parametrize(
    ("defence", "attack", "result"), [(3, 6, "second_throw"), (4, 6, "save"), (2, 6, "goal"), (1, 3, "save")]
)
def test_FC_11_2_the_first_throw(defence: int, attack: int, result: str) -> None:
    outcome = shooting().play("shot", defence=defence, attack=attack)
    assert (outcome["result"], outcome["attack_total"], outcome["throw"]) == (result, attack - 3, 1)


@pytest.mark.parametrize(("defence", "attack", "result"), [(3, 3, "post"), (4, 3, "corner"), (3, 4, "goal")])
def test_FC_11_3_the_second_throw_is_without_bonus(defence: int, attack: int, result: str) -> None:
    match = shooting()
    match.play("shot", defence=3, attack=6)
    assert match.view["odds"] == {"goal": "1/2", "corner": "1/2", "save": "0"}
    outcome = match.play("shot", defence=defence, attack=attack)
    assert (outcome["result"], outcome["attack_total"], outcome["throw"]) == (result, attack, 2)


def test_FC_11_3_a_post_is_thrown_again() -> None:
    match = shooting()
    match.play("shot", defence=3, attack=6)
    for _ in range(3):
        assert match.play("shot", defence=5, attack=5)["result"] == "post"
    assert (match.view["offensive"]["throw"], match.view["offensive"]["defence_die"]) == (2, None)
    assert match.refused("shot", attack=2) == "FC-11.1"


def test_FC_11_4_after_a_save_the_other_club_has_the_ball() -> None:
    match = shooting()
    match.play("shot", defence=6, attack=1)
    view = match.view
    assert (view["phase"], view["possession"], view["ball_holder"], view["counter_for"]) == (
        "counter",
        "blue",
        "b-am1",
        "blue",
    )
    assert view["offensive"] is None
    assert match.refused("tackle", side="blue", section="dm_l") == "FC-18.5"
    assert match.refused("tackle", side="red", section="dm_l") is None
    assert match.refused("change", side="blue", subs=[]) == "FC-12.1"


def test_FC_11_5_a_goal_ends_the_turn() -> None:
    match = shooting()
    outcome = match.play("shot", defence=1, attack=6)
    assert outcome == {"side": "red", "throw": 1, "defence": 1, "attack_total": 3, "result": "goal", "scorer": "r-am3"}
    view = match.view
    assert view["score"] == {"blue": 0, "red": 1}
    assert view["goals"] == [{"side": "red", "player": "r-am3", "half": 1, "turn": 1, "kind": "positional_attack"}]
    assert (view["phase"], view["possession"], view["ball_holder"]) == ("end_of_turn", "blue", "b-am1")


def corner() -> Match:
    match = shooting()
    match.play("attacking_support", side="red")
    match.play("spend", side="red", supporters=1)
    match.play("shot", defence=3, attack=3)
    match.play("shot", defence=4, attack=3)
    return match


def test_FC_11_6_after_a_corner_a_card_is_taken_back() -> None:
    match = corner()
    view = match.view
    assert (view["phase"], view["possession"], view["ball_holder"]) == ("corner", "red", "r-am3")
    assert match.club("red")["discard"] == {"positional_attack": 1, "attacking_support": 1, "supporters": 1}
    assert match.refused("recover", side="blue", card="tackle") == "FC-18.5"
    assert match.refused("recover", side="red", card="tackle") == "FC-11.6"
    assert match.refused("tackle", side="blue", section="dm_l") == "FC-18.4"
    assert match.play("recover", side="red", card="supporters") == {"card": "supporters", "hand": 5}
    club = match.club("red")
    assert (club["cards_left"]["supporters"], club["discard"]) == (3, {"positional_attack": 1, "attacking_support": 1})
    assert (match.view["phase"], match.view["counter_for"]) == ("possession", None)
    assert match.refused("tackle", side="blue", section="dm_l") is None


def test_FC_11_7_there_may_be_several_offensives_in_a_turn() -> None:
    match = corner()
    match.play("recover", side="red", card="positional_attack")
    match.attack("red")
    match.play("shot", defence=6, attack=1)
    match.play("leave", side="red")
    assert match.refused("offensive", side="blue", kind="positional_attack", section="fw_l") is None


def test_FC_18_2_a_shooter_is_named_in_sudden_death_only() -> None:
    match = shooting()
    assert match.refused("shot", defence=3, player="r-am3") == "FC-18.2"
    assert match.refused("shot", attack=3, player="r-am3") == "FC-18.2"


def test_FC_18_4_no_shot_without_an_offensive() -> None:
    shot: dict[str, Any] = {"defence": 1, "player": "x"}
    assert under_way().refused("shot", **shot) == "FC-18.4"
