"""The option `consent`: the answer before a counter-attack (FC-8.11) and the green light (FC-9.8)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Die
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.throws import event_from_dice
from tests.games.footclub.kit import Match, header, rule_of_header, under_way

CONSENT = {"consent": True}


def attacking(**setup: Any) -> Match:
    """Return a match with consent in which red attacks."""
    match = under_way(options=CONSENT, **setup)
    match.attack("red", section="am_r")
    return match


def saved() -> Match:
    """Return a match with consent in which blue's goalkeeper has just saved."""
    match = attacking()
    match.play("green_light", side="red")
    match.play("shot", defence=6, attack=1)
    return match


def choice(match: Match, event: str) -> Any:
    return next((one for one in FOOTCLUB.decision(match.state).choices if one.event["event"] == event), None)


@pytest.mark.parametrize("value", [1, "yes", None, []])
def test_FC_1_11_consent_is_true_or_false(value: object) -> None:
    assert rule_of_header(header(options={"consent": value})) == "FC-1.11"
    assert rule_of_header(header(options={"consent": True})) is None


def test_FC_9_8_the_defence_die_needs_a_green_light() -> None:
    match = attacking()
    assert match.refused("shot", defence=3) == "FC-9.8"
    assert match.refused("shot", defence=3, attack=3) == "FC-9.8"
    assert match.refused("shot", attack=3) == "FC-11.1"
    assert match.view["offensive"]["green_light"] is False
    assert match.refused("green_light", side="blue") == "FC-18.5"
    assert match.play("green_light", side="red") == {"final": match.view["offensive"]["final"]}
    assert match.view["offensive"]["green_light"] is True
    assert match.refused("green_light", side="red") == "FC-9.8"
    match.play("shot", defence=3)
    assert match.refused("green_light", side="red") == "FC-9.6"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("spend", {"side": "red", "supporters": 1}),
        ("spend", {"side": "blue", "supporters": 1}),
        ("attacking_support", {"side": "red"}),
    ],
)
def test_FC_9_8_an_addition_takes_the_light_back(event: str, fields: dict[str, Any]) -> None:
    match = attacking()
    match.play("green_light", side="red")
    match.play(event, **fields)
    assert match.view["offensive"]["green_light"] is False
    assert match.refused("shot", defence=3) == "FC-9.8"


def test_FC_9_8_a_defensive_support_takes_the_light_back() -> None:
    match = attacking()
    match.play("green_light", side="red")
    match.play("defensive_support", side="blue", section="cb_r")
    match.play("roll", dice=[6, 6])
    assert match.view["phase"] == "offensive"
    assert match.refused("shot", defence=3) == "FC-9.8"


def test_FC_9_8_the_second_throw_needs_no_other_light() -> None:
    match = attacking()
    match.play("green_light", side="red")
    match.play("shot", defence=1, attack=1 - match.view["offensive"]["final"])
    assert match.view["offensive"]["throw"] == 2
    assert match.refused("shot", defence=3, attack=3) is None


def test_without_consent_the_events_do_not_exist() -> None:
    match = under_way()
    match.attack("red", section="am_r")
    assert match.refused("green_light", side="red") == "FC-18.4"
    assert "green_light" not in match.view["offensive"]
    match.play("shot", defence=6, attack=1)
    assert match.refused("no_counter", side="blue") == "FC-18.4"
    assert match.refused("leave", side="red") is None


def test_FC_8_11_nobody_forestalls_a_counter_attack() -> None:
    match = saved()
    assert match.view["counter_for"] == "blue"
    for event, fields in (("press", {"section": ["dm_l", "dm_r"]}), ("tackle", {"section": "dm_l"}), ("leave", {})):
        assert match.refused(event, side="red", **fields) == "FC-8.11"
    assert match.refused("no_counter", side="red") == "FC-18.5"
    assert match.play("no_counter", side="blue") == {}
    assert (match.view["phase"], match.view["counter_for"]) == ("possession", None)
    assert match.refused("leave", side="red") is None


def test_FC_8_11_a_club_that_can_have_no_counter_attack_is_not_awaited() -> None:
    match = attacking()
    match.play("green_light", side="red")
    match.reshape("blue", hand=0)
    match.play("shot", defence=6, attack=1)
    assert (match.view["phase"], match.view["counter_for"]) == ("possession", None)


def test_the_choices_are_offered_and_the_others_barred_with_the_reason() -> None:
    match = saved()
    assert choice(match, "no_counter").disabled_reason is None
    for event in ("leave", "press", "tackle"):
        assert choice(match, event).disabled_reason.rule == "FC-8.11"
    assert FOOTCLUB.decision(match.state).sides == ("blue",)


def test_the_green_light_is_filled_once_nothing_more_is_likely_to_be_added() -> None:
    match = attacking()
    assert choice(match, "green_light").prominence == 2
    match.play("spend", side="red", supporters=1)
    assert choice(match, "green_light").prominence == 1
    filled = [one for one in FOOTCLUB.decision(match.state).choices if one.prominence == 1 and not one.disabled_reason]
    assert [one.event["event"] for one in filled] == ["green_light"]
    match.play("green_light", side="red")
    assert choice(match, "green_light") is None


def test_dice_thrown_before_the_light_wait_for_it() -> None:
    match = attacking()
    decision = FOOTCLUB.decision(match.state)
    assert event_from_dice(match.state, (Die("pips", 4),)) is None
    assert decision.required_before_dice is not None
    assert decision.required_before_dice.event == {"event": "green_light", "side": "red"}
    match.play(**decision.required_before_dice.event)
    assert FOOTCLUB.decision(match.state).required_before_dice is None
    assert event_from_dice(match.state, (Die("pips", 4),)) == {"event": "shot", "defence": 4}
