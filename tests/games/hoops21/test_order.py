"""Chapter 1 and HB-1.7: order of the checks, and the rule for each invalid field."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.rulebook import RULEBOOK
from companion.journal.ledger import Ledger
from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, header, shooting, under_way

SIX = dice(MIXED)


def over() -> Match:
    match = under_way()
    match.play("concede", team="white")
    return match


@pytest.mark.parametrize("event", ["kick_off", "", None, 3, "undo"])
def test_an_unknown_event_comes_first(event: Any) -> None:
    assert over().refused(event) == "HB-1.2"


@pytest.mark.parametrize("event", RULEBOOK.events)
def test_nothing_after_the_end(event: str) -> None:
    assert over().refused(event) == "HB-1.4"


@pytest.mark.parametrize("event", sorted(set(RULEBOOK.events) - {"jump_ball", "ruling", "concede"}))
def test_the_phase_comes_before_the_fields(event: str) -> None:
    assert Match().refused(event) == "HB-1.3"


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "HB-1.2"),
        ({"orange": SIX[:3]}, "HB-1.2"),
        ({"orange": SIX[:3], "white": None}, "HB-1.2"),
        ({"orange": "ball", "white": SIX}, "HB-1.2"),
        ({"orange": SIX[:5], "white": SIX}, "HB-1.6"),
        ({"orange": SIX, "white": [*SIX, "ball"]}, "HB-1.6"),
        ({"orange": [*SIX[:5], "goal"], "white": SIX}, "HB-1.6"),
        ({"orange": [*SIX[:5], None], "white": SIX}, "HB-1.6"),
        ({"orange": [*SIX[:5], {}], "white": SIX}, "HB-1.6"),
        ({"orange": SIX, "white": SIX, "other": 1, "at": "now"}, None),
    ],
)
@pytest.mark.parametrize("event", ["jump_ball", "throw", "shot"])
def test_dice_of_two_teams(event: str, fields: dict[str, Any], rule: str | None) -> None:
    match = {"jump_ball": Match, "throw": under_way, "shot": shooting}[event]()
    assert match.refused(event, **fields) == rule


@pytest.mark.parametrize("use", [None, 1, "yes"])
def test_the_token_is_used_or_not(use: Any) -> None:
    match = under_way()
    match.throw("pppbsf", "sssbbf")
    assert match.refused("token", use=use) == "HB-1.2"
    assert match.refused("token") == "HB-1.2"
    assert match.refused("token", use=False) is None


@pytest.mark.parametrize("field", ["symbol", "action"])
def test_null_counts_as_absent_in_choose_only(field: str) -> None:
    match = under_way()
    match.throw("bbbpsf", MIXED)
    assert match.refused("choose", action="advance", symbol=None) is None
    assert match.refused("choose", action=None) == "HB-6.2"
    assert match.refused("choose", **{"action": "advance", field: "goal"}) == "HB-1.2"
    assert match.refused("choose", **{"action": "advance", field: 1}) == "HB-1.2"
    assert match.refused("ruling", text="x", token=None) == "HB-1.2"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": ""},
        {"text": " \t"},
        {"text": 1},
        {"text": "x", "points": []},
        {"text": "x", "points": {"red": 1}},
        {"text": "x", "points": {"orange": True}},
        {"text": "x", "points": {"orange": 1.0}},
        {"text": "x", "token": "red"},
        {"text": "x", "restart": "kick_off"},
        {"text": "x", "restart": None},
        {"text": "x", "restart": "throw"},
        {"text": "x", "restart": "throw", "section": "9"},
        {"text": "x", "restart": "inbound"},
        {"text": "x", "restart": "inbound", "team": "red"},
        {"text": "x", "section": None},
        {"text": "x", "team": 1},
    ],
)
def test_fields_of_a_ruling(fields: dict[str, Any]) -> None:
    assert under_way().refused("ruling", **fields) == "HB-1.2"


@pytest.mark.parametrize("team", [None, "red", 1])
def test_who_concedes(team: Any) -> None:
    assert under_way().refused("concede", team=team) == "HB-1.2"


def test_an_advanced_event_in_a_basic_match_comes_before_its_fields() -> None:
    for setup, rule in (({}, "HB-11.1"), (ADVANCED, "HB-1.2")):
        match = under_way(**setup)
        match.throw("pppbsf", "sssbbf")
        assert match.refused("reroll") == rule


def ledger_after(*events: dict[str, Any]) -> Ledger[Any, Any]:
    ledger = Ledger(HOOPS21, header())
    for fields in events:
        ledger.commit(ledger.propose(fields))
    return ledger


JUMP = {"event": "jump_ball", "orange": dice("bbbbsf"), "white": SIX}
AGAIN = {"event": "jump_ball", "orange": SIX, "white": SIX}


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"event": "correct", "line": 3, "with": AGAIN}, "HB-1.5"),
        ({"event": "correct", "line": 1, "with": AGAIN}, "HB-1.5"),
        ({"event": "correct", "with": AGAIN}, "HB-1.2"),
        ({"event": "correct", "line": True, "with": AGAIN}, "HB-1.2"),
        ({"event": "correct", "line": 2, "with": []}, "HB-1.2"),
        ({"event": "correct", "line": 2, "with": {"event": "undo"}}, "HB-1.2"),
        ({"event": "correct", "line": 2, "with": {"event": 1}}, "HB-1.2"),
        ({"event": "correct", "line": 2, "with": {"event": "goal"}}, "HB-1.2"),
        ({"event": "correct", "line": 2, "with": {"event": "stand"}}, "HB-1.3"),
        ([], "HB-1.2"),
    ],
)
def test_bad_corrections(fields: Any, rule: str) -> None:
    with pytest.raises(Refusal) as refused:
        ledger_after(JUMP).propose(fields)
    assert refused.value.rule == rule


def test_undo_with_nothing_standing() -> None:
    ledger = ledger_after(JUMP, {"event": "undo"})
    with pytest.raises(Refusal) as refused:
        ledger.propose({"event": "undo"})
    assert refused.value.rule == "HB-1.5"


def test_undo_and_correct_after_the_end() -> None:
    ledger = ledger_after(JUMP, {"event": "concede", "team": "orange"})
    ledger.commit(ledger.propose({"event": "correct", "line": 3, "with": {"event": "concede", "team": "white"}}))
    assert ledger.state.winner == "orange"
    ledger.commit(ledger.propose({"event": "undo"}))
    assert ledger.state.phase == "throw"
