"""Parsing of journal events: FC-18.1 and FC-18.2 (and FC-1.8, which does not concern the format)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.rulebook import RULEBOOK

SIDE = {"side": "blue"}
GOOD: list[dict[str, Any]] = [
    {"event": "market_staff", **SIDE, "coach": "a", "goalkeeper": "b"},
    {"event": "market_open", "first": "red", "pairs": [["a", "b"], ["c", "d"], ["e", "f"]]},
    {"event": "market_pick", **SIDE, "revealed": ["a", "b"], "take": "a", "pair": ["c", "d"], "next_pair": ["e", "f"]},
    {"event": "market_pick", **SIDE, "revealed": ["a", "b"], "take": "a", "pair": ["c", "d"]},
    {"event": "market_transfer", **SIDE, "offered": ["a", "b", "c", "d", "e"], "take": ["a", "b"]},
    {"event": "team_sheet", **SIDE, "lineup": {"cb": ["a"], "fb": []}, "captain": "a"},
    {"event": "tactics", **SIDE},
    {"event": "tactics", **SIDE, "cards": {"tackle": 99}},
    {"event": "ball", "colour": "violet"},
    {"event": "supporter", **SIDE},
    {"event": "change", **SIDE, "subs": []},
    {"event": "change", **SIDE, "subs": [{"out": "a", "in": "b"}], "lineup": {}, "captain": "c"},
    {"event": "permute", **SIDE, "players": ["a", "b"]},
    {"event": "captain", **SIDE, "player": ""},
    {"event": "press", **SIDE, "card": 42},
    {"event": "press", **SIDE, "section": ["fw_l", "fw_r"], "pay": ["kop", "supporter"]},
    {"event": "tackle", **SIDE, "section": "fw_l", "mode": "aggressive"},
    {"event": "leave", **SIDE},
    {"event": "roll", "dice": [1, 6]},
    {"event": "offensive", **SIDE, "kind": "solo_effort", "section": "fw_l", "skill": "none"},
    {"event": "attacking_support", **SIDE},
    {"event": "spend", **SIDE, "supporters": 1},
    {"event": "spend", **SIDE, "supporters": 0, "kop": True},
    {"event": "defensive_support", **SIDE, "section": "fw_l"},
    {"event": "shot", "defence": 1},
    {"event": "shot", "attack": 6, "player": "a"},
    {"event": "recover", **SIDE, "card": "tackle"},
    {"event": "no_offensive", **SIDE},
    {"event": "no_counter", **SIDE},
    {"event": "green_light", **SIDE},
    {"event": "discard", **SIDE, "cards": ["tackle"]},
    {"event": "extra_time", "play": False},
    {"event": "shooters", **SIDE, "players": ["a", "b", "c", "d", "e"]},
    {"event": "shootout", "first": "blue"},
    {"event": "forfeit", **SIDE},
]
OPTIONAL = {
    ("market_pick", "next_pair"),
    ("tactics", "cards"),
    ("change", "lineup"),
    ("change", "captain"),
    ("press", "pay"),
    ("tackle", "mode"),
    ("defensive_support", "mode"),
    ("offensive", "skill"),
    ("spend", "supporters"),
    ("spend", "kop"),
    ("shot", "defence"),
    ("shot", "attack"),
    ("shot", "player"),
}


def rule(fields: dict[str, Any]) -> str | None:
    try:
        FOOTCLUB.parse(fields)
    except Refusal as refusal:
        return refusal.rule
    return None


def test_every_event_has_an_example() -> None:
    assert {fields["event"] for fields in GOOD} == set(RULEBOOK.events)


@pytest.mark.parametrize("fields", GOOD, ids=lambda fields: fields["event"])
def test_well_formed_events_are_read(fields: dict[str, Any]) -> None:
    assert rule(fields) is None
    assert rule({**fields, "at": None, "by": 3, "note": ["x"]}) is None
    assert FOOTCLUB.parse(fields) == FOOTCLUB.parse(dict(reversed(fields.items())))
    assert hash(FOOTCLUB.parse(fields)) == hash(FOOTCLUB.parse(fields))


@pytest.mark.parametrize("fields", GOOD, ids=lambda fields: fields["event"])
def test_FC_18_2_an_unlisted_field_is_refused(fields: dict[str, Any]) -> None:
    assert rule({**fields, "weather": "rain"}) == "FC-18.2"


@pytest.mark.parametrize("fields", GOOD, ids=lambda fields: fields["event"])
def test_FC_18_2_a_field_left_out_is_refused_unless_optional(fields: dict[str, Any]) -> None:
    for key in fields.keys() - {"event"}:
        rest = {name: value for name, value in fields.items() if name != key}
        alone = fields["event"] in ("spend", "shot") and not {"supporters", "kop", "defence", "attack"} & rest.keys()
        optional = (fields["event"], key) in OPTIONAL and not alone and rest.get("supporters") != 0
        assert rule(rest) == (None if optional else "FC-18.2"), key


@pytest.mark.parametrize("fields", GOOD, ids=lambda fields: fields["event"])
def test_FC_18_2_null_and_other_types_are_wrong_values(fields: dict[str, Any]) -> None:
    for key in fields.keys() - {"event", "section"}:
        for wrong in (None, 1.5, {"x": 1}, [], "strange-value" if key in ("side", "first", "colour", "kind") else 0):
            if (key, wrong) in (("subs", []), ("supporters", 0)):
                continue
            assert rule({**fields, key: wrong}) == "FC-18.2", (key, wrong)


@pytest.mark.parametrize("name", [None, 3, "", "goal", "undo", "correct", ["roll"], {}, True])
def test_FC_18_1_an_unknown_event(name: Any) -> None:
    assert rule({"event": name}) == "FC-18.1"


def test_FC_18_1_an_event_without_a_name() -> None:
    assert rule({"side": "blue"}) == "FC-18.1"


WRONG: list[dict[str, Any]] = [
    {"event": "roll", "dice": [1, 7]},
    {"event": "roll", "dice": [0, 1]},
    {"event": "roll", "dice": [1, True]},
    {"event": "roll", "dice": [1, 2.0]},
    {"event": "roll", "dice": [1]},
    {"event": "roll", "dice": [1, 2, 3]},
    {"event": "shot", "defence": True},
    {"event": "shot", "player": "a"},
    {"event": "tactics", **SIDE, "cards": {"tackle": -1}},
    {"event": "tactics", **SIDE, "cards": {"tackle": True}},
    {"event": "tactics", **SIDE, "cards": {"kop": 1}},
    {"event": "discard", **SIDE, "cards": []},
    {"event": "discard", **SIDE, "cards": ["kop"]},
    {"event": "permute", **SIDE, "players": ["a", "a"]},
    {"event": "shooters", **SIDE, "players": ["a", "b", "c", "d", "a"]},
    {"event": "change", **SIDE, "subs": [{"out": "a"}]},
    {"event": "change", **SIDE, "subs": [{"out": "a", "in": "b", "post": "cb"}]},
    {"event": "change", **SIDE, "subs": [{"out": "a", "in": 1}]},
    {"event": "change", **SIDE, "subs": [], "lineup": {"gk": []}},
    {"event": "change", **SIDE, "subs": [], "lineup": {"cb": "a"}},
    {"event": "spend", **SIDE},
    {"event": "spend", **SIDE, "supporters": 0},
    {"event": "spend", **SIDE, "supporters": 0, "kop": False},
    {"event": "spend", **SIDE, "supporters": -1, "kop": True},
    {"event": "extra_time", "play": 1},
    {"event": "press", **SIDE, "card": 1, "pay": ["token"]},
    {"event": "press", **SIDE, "card": 1, "pay": ["token", "stars"]},
    {"event": "offensive", **SIDE, "kind": "pressing", "section": "fw_l"},
    {"event": "market_open", "first": "red", "pairs": [["a", "b"], ["c", "d"]]},
    {"event": "tackle", **SIDE},
    {"event": "tackle", **SIDE, "card": 1, "section": "fw_l"},
    {"event": "tackle", **SIDE, "card": 0},
    {"event": "tackle", **SIDE, "card": 43},
    {"event": "tackle", **SIDE, "card": True},
    {"event": "tackle", **SIDE, "card": "1"},
    {"event": "tackle", **SIDE, "card": None},
    {"event": "tackle", **SIDE, "ribbon": None, "section": None},
]


@pytest.mark.parametrize("fields", WRONG, ids=repr)
def test_FC_18_2_wrong_values(fields: dict[str, Any]) -> None:
    assert rule(fields) == "FC-18.2"


@pytest.mark.parametrize("section", [None, 3, "gk_l", "fw", [], ["fw_l"], {"a": 1}, True, ["fw_l", "fw_r"]], ids=repr)
def test_FC_1_8_a_malformed_section_is_left_to_the_events_own_checks(section: Any) -> None:
    assert rule({"event": "tackle", **SIDE, "section": section}) is None
    assert rule({"event": "tackle", **SIDE, "ribbon": section}) is None
