"""Conversion between dice and events (chapter 17): dice give an event, or none if two are possible."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.base import Die
from companion.games.nba import NBA, throws
from companion.games.nba.tables import SKILLS
from tests.games.nba.kit import Match, dice, full, header


def dice_of(text: str) -> tuple[Die, ...]:
    return tuple(Die(die["die"], die["value"], die.get("colour")) for die in dice(text))


def test_kept_dice_at_level_scores() -> None:
    match = Match()
    assert NBA.event_from_dice(match.state, dice_of("inside 7, three_points 0")) == {
        "event": "attack",
        "dice": dice("inside 7, three_points 0"),
    }
    assert NBA.event_from_dice(match.state, dice_of("stop 3y 0")) == {"event": "defend", "dice": dice("stop 3y 0")}
    assert NBA.event_from_dice(match.state, dice_of("stop 3y, inside 7")) is None
    assert NBA.event_from_dice(match.state, dice_of("stop 2b")) is None
    assert NBA.event_from_dice(match.state, ()) is None
    assert NBA.event_from_dice(match.state, (Die("pips", 3),)) is None
    assert NBA.event_from_dice(match.state, (Die("inside"),)) is None


def test_the_dice_tell_the_tactic() -> None:
    match = Match(full()).reshape("ann", prepared=("t-out", "t-post", "t-trap", "t-hard"))
    thrown = NBA.event_from_dice(match.state, dice_of("inside 7 0 0"))
    assert thrown == {"event": "activate", "tactic": "t-post", "dice": dice("inside 7 0 0")}
    assert NBA.event_from_dice(match.state, dice_of("inside 7 0")) is None
    match.reshape("ann", prepared=("t-out", "t-five"))
    assert NBA.event_from_dice(match.state, dice_of("three_points 9 0 0")) is None


def test_dice_thrown_again_are_the_lowest() -> None:
    match = Match(full()).reshape("ann", prepared=("t-trap",))
    match.play("activate", tactic="t-trap", dice=dice("block 3r 0, stop 1y 0 0"))
    thrown = NBA.event_from_dice(match.state, dice_of("stop 3b, block 1r"))
    assert thrown == {"event": "reroll", "dice": [0, 2], "to": dice("block 1r, stop 3b")}
    assert NBA.event_from_dice(match.state, dice_of("block 0 0 0")) is None


def test_an_unmarked_six_was_asked_before_it_counts() -> None:
    match = Match(header(dice_set={"six_nine": "unmarked"}))
    thrown = NBA.event_from_dice(match.state, dice_of("three_points 6 2"))
    assert thrown is not None
    assert [die.get("asked") for die in thrown["dice"]] == [True, None]


def test_faces_are_those_of_the_match() -> None:
    state = Match().state
    assert [(die.value, die.colour) for die in NBA.faces(state, "block")] == [
        (0, None),
        (1, "red"),
        (2, "yellow"),
        (2, "blue"),
        (2, "red"),
        (3, "red"),
    ]
    assert {kind: len(NBA.faces(state, kind)) for kind in (*SKILLS, "pips")} == {
        "three_points": 4,
        "inside": 5,
        "penetration": 5,
        "interception": 10,
        "block": 6,
        "stop": 7,
        "pips": 0,
    }


@pytest.mark.parametrize("seed", range(6))
def test_the_dice_of_an_event_make_it_again(seed: int) -> None:
    random = Random(seed)
    state = NBA.initial_state(NBA.random_header(random))
    made = 0
    while not NBA.finished(state):
        fields = NBA.random_event(state, random)
        thrown = NBA.event_from_dice(state, NBA.dice_from_event(fields))
        if thrown is not None:
            assert thrown["event"] == fields["event"]
            assert sorted(map(str, NBA.dice_from_event(thrown))) == sorted(map(str, NBA.dice_from_event(fields)))
            made += 1
        event = NBA.parse(fields)
        state = NBA.apply(state, event)[0]
    assert made


def test_one_die_of_an_event_is_mended() -> None:
    dice_set = Match().state.setup.dice_set
    event = {"event": "defend", "dice": dice("stop 3y 3y 0"), "fatigue": 1}
    mended = throws.with_corrected_die(dice_set, event, Die("stop", 3, "yellow"), Die("stop", 3, "blue"))
    assert mended == {"event": "defend", "dice": dice("stop 3b 3y 0"), "fatigue": 1}
    blank = throws.with_corrected_die(dice_set, event, Die("stop", 0), Die("stop", 1, "red"))
    assert blank["dice"] == dice("stop 3y 3y 1r")
    attack = {"event": "attack", "dice": dice("inside 7 2")}
    assert throws.with_corrected_die(dice_set, attack, Die("inside", 2), Die("inside", 4))["dice"] == dice("inside 7 4")
    assert throws.with_corrected_die(dice_set, attack, Die("inside", 6), Die("inside", 4)) == attack
