"""NBA-1.2 to NBA-1.7 and NBA-15: invalid events, the order of checks, and the parsing of dice."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.nba.rulebook import RULEBOOK
from tests.games.nba.kit import Match, dice, full, header


@pytest.mark.parametrize("fields", [{}, {"event": 3}, {"event": "dunk"}, {"event": None}])
def test_an_unknown_event(fields: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        RULEBOOK.parse(fields)
    assert refused.value.rule == "NBA-1.2"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("attack", {}),
        ("attack", {"dice": 3}),
        ("attack", {"dice": [3]}),
        ("attack", {"dice": [{"die": "inside"}]}),
        ("attack", {"dice": [{"die": "inside", "value": True}]}),
        ("attack", {"dice": [{"die": "basket", "value": 2}]}),
        ("attack", {"dice": [{"die": ["inside"], "value": 2}]}),
        ("attack", {"dice": dice("stop 0")}),
        ("attack", {"dice": [], "tactic": 3}),
        ("defend", {"dice": dice("inside 2")}),
        ("defend", {"dice": [], "fatigue": -1}),
        ("defend", {"dice": [], "fatigue": None}),
        ("end_turn", {"eliminated": "all"}),
        ("end_turn", {"eliminated": ["n-ace"]}),
        ("end_turn", {"market_empty": 1}),
        ("ruling", {"text": ""}),
        ("ruling", {"text": "x", "points": [{"side": "ann", "against": "ann", "points": 1}]}),
        ("ruling", {"text": "x", "points": [{"side": "ann", "against": "cat", "points": 1}]}),
        ("ruling", {"text": "x", "points": [{"side": "ann", "against": "ben", "points": 1.5}]}),
        ("concede", {"side": "cat"}),
        ("concede", {}),
    ],
)
def test_malformed_at_level_scores(event: str, fields: dict[str, Any]) -> None:
    assert Match().refused(event, **fields) == "NBA-1.2"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("adjust", {"tactics_replaced": 7}),
        ("adjust", {"revealed": ["t-out"]}),
        ("replace", {"court": {}}),
        ("replace", {"court": {"bench": "b-pg"}}),
        ("replace", {"court": {"pg": "t-out"}}),
        ("replace", {"court": {"pg": "b-pg"}, "fatigue_removed": None}),
        ("prepare", {}),
        ("prepare", {"tactics": ["b-pg"]}),
        ("buy_player", {"card": "n-ace", "paid": []}),
        ("buy_player", {"card": "n-ace", "paid": [], "slot": 7}),
        ("buy_player", {"card": "n-ace", "paid": [], "from": "street", "slot": 1}),
        ("buy_player", {"card": "t-five", "paid": [], "slot": 1}),
        ("buy_player", {"card": "n-ace", "paid": ["t-out"], "slot": 1}),
        ("buy_player", {"card": "n-ace", "paid": ["fatigue"], "slot": 1}),
        ("buy_tactic", {"card": "n-ace", "paid": []}),
        ("buy_tactic", {"card": "t-five", "paid": ["b-pg"]}),
        ("activate", {"tactic": "b-pg", "dice": []}),
        ("end_turn", {"eliminated": ["nobody"]}),
    ],
)
def test_malformed_at_level_full(event: str, fields: dict[str, Any]) -> None:
    assert Match(full()).refused(event, **fields) == "NBA-1.2"


def test_fields_that_are_not_listed_are_ignored() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 4"), tactic=None, colour="green", fatigue="much")
    assert match.view["attack"]["ann"]["value"] == 4


def test_over_then_level_then_phase_then_fields() -> None:
    match = Match()
    assert match.refused("adjust", tactics_replaced=9) == "NBA-1.6"
    assert Match(full()).refused("attack") == "NBA-1.6"
    assert match.refused("overtime") == "NBA-8.6"
    match.play("attack", dice=[])
    assert match.refused("attack", dice=7) == "NBA-7.1"
    match.play("concede", side="ann")
    assert match.refused("adjust") == "NBA-1.4"
    assert match.refused("concede") == "NBA-1.4"


@pytest.mark.parametrize(
    ("die", "right"),
    [
        ({"die": "three_points", "value": 9}, True),
        ({"die": "three_points", "value": 9, "colour": "blue"}, True),
        ({"die": "three_points", "value": 9, "colour": "red"}, False),
        ({"die": "three_points", "value": 4}, False),
        ({"die": "inside", "value": 9}, False),
        ({"die": "inside", "value": -2}, False),
    ],
)
def test_offence_readings(die: dict[str, Any], right: bool) -> None:
    assert Match().refused("attack", dice=[die]) == (None if right else "NBA-2.4")


@pytest.mark.parametrize(
    ("die", "right"),
    [
        ({"die": "block", "value": 0}, True),
        ({"die": "block", "value": 0, "colour": None}, True),
        ({"die": "block", "value": 0, "colour": "red"}, False),
        ({"die": "block", "value": 1, "colour": "red"}, True),
        ({"die": "block", "value": 1, "colour": "blue"}, False),
        ({"die": "block", "value": 1}, False),
        ({"die": "block", "value": 2, "colour": "blue"}, True),
        ({"die": "block", "value": 2, "colour": "green"}, False),
        ({"die": "block", "value": 2, "colour": ["red"]}, False),
        ({"die": "interception", "value": 3, "colour": "blue"}, False),
    ],
)
def test_defence_readings(die: dict[str, Any], right: bool) -> None:
    """An unknown face accepts each of the three colours."""
    assert Match().refused("defend", dice=[die]) == (None if right else "NBA-2.4")


def test_at_most_ten_of_a_kind_after_all_faces() -> None:
    assert Match().refused("attack", dice=dice("inside 4 4 4 4 4 4 4 4 4 4")) is None
    assert Match().refused("attack", dice=dice("inside 4 4 4 4 4 4 4 4 4 4 4")) == "NBA-2.5"
    assert Match().refused("attack", dice=dice("inside 4 4 4 4 4 4 4 4 4 4 3")) == "NBA-2.4"


def test_an_unmarked_six_must_be_asked() -> None:
    match = Match(header(dice_set={"six_nine": "unmarked"}))
    assert match.refused("attack", dice=dice("three_points 6, inside 9")) == "NBA-2.6"
    assert match.refused("attack", dice=dice("inside 9, three_points 6")) == "NBA-2.4"
    assert match.refused("attack", dice=[{"die": "three_points", "value": 6, "asked": 1}]) == "NBA-2.6"
    asked = {"die": "three_points", "value": 6, "asked": True}
    match.play("attack", dice=[asked, *dice("inside 6")])
    assert match.view["attack"]["ann"]["dice"][0] == {"die": "three_points", "value": 6, "colour": "blue"}


def test_rulings() -> None:
    match = Match()
    three = [{"side": "ben", "against": "ann", "points": 3}]
    assert match.play("ruling", text="Filet !", points=three) == {"score": {"ann": 0, "ben": 3}}
    match.play("ruling", text="Moins un", points=[{**three[0], "points": -4}, {**three[0], "points": 3}])
    assert match.view["matches"] == [{"ann": 0, "ben": 2}]
    assert match.view["phase"] == "adjust"
    assert match.refused("ruling", text="Trop", points=[{**three[0], "points": -3}]) == "NBA-15.1"
    assert match.refused("ruling", text="  ") == "NBA-15.1"


def test_conceding() -> None:
    match = Match()
    match.play("attack", dice=dice("inside 7"))
    assert match.play("concede", side="ann") == {"winner": "ben"}
    view = match.view
    assert (view["over"], view["winner"], view["draw"], view["active"]) == (True, "ben", False, None)
    assert view["attack"]["ann"]["value"] == 7
    assert Match(header("ann", "ben", "cat")).refused("concede", side="ann") == "NBA-15.2"
