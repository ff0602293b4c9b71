"""Chapter 2 and HB-1.1: headers, setups, the court."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Refusal
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.court import Court
from tests.games.hoops21.kit import header, rule_of_header, under_way

HB_1_1 = "HB-1.1"


def test_defaults() -> None:
    head = header()
    del head["setup"]
    setup = HOOPS21.initial_state(head).setup
    assert (setup.target, setup.advanced, setup.faces) == (21, False, (2, 1, 2, 1))
    assert (setup.court.sections, setup.court.arc, set(setup.court.marks)) == (16, 4, {0})
    assert HOOPS21.initial_state(head) == HOOPS21.initial_state(header())
    assert HOOPS21.initial_state(header(future={"x": 1}, court={"paint": "red"})) == HOOPS21.initial_state(header())


@pytest.mark.parametrize(
    "change",
    [
        {"journal": True},
        {"journal": 2},
        {"game": "footclub"},
        {"sides": None},
        {"sides": {"orange": {"name": "a"}}},
        {"sides": {"orange": {"name": "a"}, "white": {"name": "b"}, "red": {"name": "c"}}},
        {"sides": {"orange": {"name": "a"}, "white": {"name": 1}}},
        {"sides": {"orange": {"name": "a"}, "white": "b"}},
        {"setup": None},
        {"setup": []},
    ],
)
def test_bad_headers(change: dict[str, Any]) -> None:
    assert rule_of_header({**header(), **change}) == HB_1_1


@pytest.mark.parametrize(
    "setup",
    [
        {"target": 0},
        {"target": True},
        {"target": 21.0},
        {"target": None},
        {"advanced_token": 1},
        {"advanced_token": None},
        {"dice_faces": {"ball": 2, "pass": 1, "steal": 2}},
        {"dice_faces": {"ball": 2, "pass": 1, "steal": 2, "free_throw": 2}},
        {"dice_faces": {"ball": 0, "pass": 2, "steal": 2, "free_throw": 2}},
        {"dice_faces": {"ball": 7, "pass": -1, "steal": 0, "free_throw": 0}},
        {"dice_faces": {"ball": 2, "pass": True, "steal": 2, "free_throw": 1}},
        {"dice_faces": {"ball": 2, "pass": 1, "steal": 2, "free_throw": 1, "other": 0}},
        {"court": []},
        {"court": {"sections": 15}},
        {"court": {"sections": 2}},
        {"court": {"sections": 42}},
        {"court": {"arc": 7}},
        {"court": {"arc": -1}},
        {"court": {"arc": None}},
        {"court": {"sections": 8}},
        {"court": {"modifiers": []}},
        {"court": {"modifiers": {"8": 1}}},
        {"court": {"modifiers": {"01": 1}}},
        {"court": {"modifiers": {"1": 2}}},
        {"court": {"modifiers": {"1": True}}},
        {"court": {"modifiers": {"1": None}}},
    ],
)
def test_bad_setups(setup: dict[str, Any]) -> None:
    assert rule_of_header(header(**setup)) == HB_1_1


@pytest.mark.parametrize(
    "setup",
    [
        {"target": 1},
        {"court": {"sections": 8, "arc": 2}},
        {"court": {"sections": 4, "arc": 0, "modifiers": {"0": 1, "1": -1}}},
        {"court": {"sections": 40, "arc": 18}},
        {"dice_faces": {"ball": 6, "pass": 0, "steal": 0, "free_throw": 0}},
    ],
)
def test_good_setups(setup: dict[str, Any]) -> None:
    assert rule_of_header(header(**setup)) is None


def test_the_court_as_each_side_sees_it() -> None:
    court = Court()
    assert (court.beyond_half_line("orange"), court.beyond_half_line("white")) == (9, 8)
    assert (court.under_own_basket("orange"), court.under_own_basket("white")) == (1, 16)
    assert (court.distance("orange", 16), court.distance("white", 1)) == (0, 0)
    assert [court.section(side, 4) for side in ("orange", "white")] == [12, 5]
    assert [court.attacker(section) for section in (1, 8, 9, 16)] == ["white", "white", "orange", "orange"]
    assert [court.points(distance) for distance in (0, 4, 5, 7)] == [2, 2, 3, 3]


def test_marks_add_to_the_range_for_both_teams_alike() -> None:
    court = {"modifiers": {"0": 1, "7": -1}}
    assert under_way(court=court).state.setup.court.modifier(7) == -2
    assert under_way(court=court).state.setup.court.modifier(0) == 2
    for attack in ("orange", "white"):
        match = under_way(attack=attack, court=court)
        match.throw(*(("ssssbf", "bbpssf") if attack == "orange" else ("bbpssf", "ssssbf")))
        assert match.shot("bbpssf", "bbpssf")["modifier"] == -2


def test_HB_1_1_an_arc_that_leaves_no_room_says_how_large_it_may_be() -> None:
    with pytest.raises(Refusal) as refused:
        HOOPS21.initial_state(header(court={"sections": 8, "arc": 3}))
    assert refused.value.message.args == {"sections": 8, "most": 2}
