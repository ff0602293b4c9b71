"""Chapter 10: tokens, dice and points of the mini-game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.nba.kit import Match, dice, full, header

ON = {"mismatch": 2}


def mismatch(
    side: str = "ann", position: str = "sg", attack: str = "", defence: str = "", **more: Any
) -> dict[str, Any]:
    return {"side": side, "position": position, "attack": dice(attack), "defence": dice(defence), **more}


def test_off_unless_the_variant_is_played() -> None:
    assert Match().refused("mismatch", **mismatch()) == "NBA-10.1"


def test_the_colour_rule_holds_and_points_count_at_once() -> None:
    match = Match(header(variants=ON))
    outcome = match.play("mismatch", **mismatch("ben", "sg", "three_points 6, penetration 3", "stop 3b 3y 0"))
    assert outcome == {"attack": 9, "defence": 3, "why": ["match", "colour", "blank"], "points": 6}
    assert match.view["score"] == {"ann": 0, "ben": 6}
    assert match.view["tokens"] == {"ann": [], "ben": ["sg"]}
    assert match.view["attack"] == {"ann": None, "ben": None}
    assert match.view["phase"] == "adjust"


def test_points_are_never_below_nothing() -> None:
    outcome = Match(header(variants=ON)).play("mismatch", **mismatch(attack="three_points 2", defence="stop 3b 3b"))
    assert (outcome["defence"], outcome["points"]) == (6, 0)


def test_without_an_attack_nothing_counts() -> None:
    outcome = Match(header(variants=ON)).play("mismatch", **mismatch(defence="stop 3b 0"))
    assert outcome == {"attack": 0, "defence": 0, "why": ["no_attack", "blank"], "points": 0}


def test_tokens_are_one_a_position_and_as_many_as_agreed() -> None:
    match = Match(header(variants=ON))
    match.play("mismatch", **mismatch(position="c"))
    assert match.refused("mismatch", **mismatch(position="c")) == "NBA-10.2"
    match.play("mismatch", **mismatch(position="pg"))
    assert match.refused("mismatch", **mismatch(position="sf")) == "NBA-10.2"
    assert match.refused("mismatch", **mismatch("ben", position="c")) is None


def test_not_while_a_roll_is_open() -> None:
    match = Match(full(variants=ON))
    match.play("prepare", tactics=["t-out"])
    match.play("activate", tactic="t-out", dice=dice("three_points 0 2 9"))
    assert match.refused("mismatch", **mismatch()) == "NBA-4.5"


def test_not_while_tied_or_over() -> None:
    match = Match(header(market_cards=6, variants=ON)).pass_turns(11)
    assert match.view["phase"] == "tied"
    assert match.refused("mismatch", **mismatch()) == "NBA-8.6"
    match.play("accept_draw")
    assert match.refused("mismatch", **mismatch()) == "NBA-1.4"


def test_in_the_other_sides_turn_after_an_activation() -> None:
    match = Match(header(variants=ON))
    match.play("attack", dice=dice("inside 7"))
    match.play("mismatch", **mismatch("ben", attack="inside 4"))
    assert match.view["score"] == {"ann": 0, "ben": 4}
    assert (match.view["phase"], match.view["done"]) == ("activation", ["offence"])


@pytest.mark.parametrize(
    ("attack", "defence", "rule"),
    [
        ("three_points 2 9", "interception 2b, stop 0", None),
        ("three_points 2", "interception 2b, stop 0", "NBA-10.3"),
        ("three_points 2 9 0", "interception 2b, stop 0", "NBA-10.3"),
        ("three_points 2, inside 2", "interception 2b, stop 0", "NBA-10.3"),
        ("three_points 2 9", "interception 2b 0", "NBA-10.3"),
        ("three_points 2 9", "", "NBA-10.3"),
        ("three_points 2 9, stop 0", "interception 2b", "NBA-10.3"),
        ("three_points 3 9", "interception 2b, stop 0", "NBA-2.4"),
    ],
)
def test_on_full_courts_exactly_the_dice_of_the_two_players(attack: str, defence: str, rule: str | None) -> None:
    match = Match(full(variants=ON))
    assert match.refused("mismatch", **mismatch("ann", "sg", attack, defence)) == rule


def test_at_level_scores_the_dice_are_of_the_right_type_and_at_most_ten_of_a_kind() -> None:
    match = Match(header(variants=ON))
    assert match.refused("mismatch", **mismatch(attack="stop 0")) == "NBA-10.3"
    assert match.refused("mismatch", **mismatch(defence="inside 0")) == "NBA-10.3"
    assert match.refused("mismatch", **mismatch(attack="inside" + " 0" * 11)) == "NBA-2.5"


def test_with_three_sides_the_defender_is_named() -> None:
    match = Match(header("ann", "ben", "cat", variants=ON))
    assert match.refused("mismatch", **mismatch()) == "NBA-1.2"
    match.play("mismatch", **mismatch(attack="inside 6", against="cat"))
    assert match.view["matches"] == [{"ann": 0, "ben": 0}, {"ann": 6, "cat": 0}, {"ben": 0, "cat": 0}]


@pytest.mark.parametrize("wrong", [{"side": "dan"}, {"against": "ann"}, {"against": "dan"}, {"against": None}])
def test_sides_that_cannot_be(wrong: dict[str, Any]) -> None:
    assert Match(header(variants=ON)).refused("mismatch", **{**mismatch(), **wrong}) == "NBA-1.2"


def test_the_asked_nine_of_an_unmarked_set() -> None:
    match = Match(header(variants=ON, dice_set={"six_nine": "unmarked"}))
    assert match.refused("mismatch", **mismatch(attack="three_points 9")) == "NBA-2.6"
    asked = [{"die": "three_points", "value": 9, "asked": True}]
    assert match.refused("mismatch", side="ann", position="c", attack=asked, defence=[]) is None
