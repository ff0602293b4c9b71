"""Chapter 22: conversion of dice on the table into events."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import Die
from companion.games.footclub import FOOTCLUB
from tests.games.footclub.kit import DEFENSIVE, Match, under_way
from tests.games.footclub.test_extra_time import shootout


def pips(*values: int) -> list[Die]:
    return [Die("pips", value) for value in values]


def made(match: Match, dice: list[Die]) -> Any:
    return FOOTCLUB.event_from_dice(match.state, dice)


def test_the_ball_before_a_half() -> None:
    ball = [Die("ball", value=4, colour="green")]
    match = Match()
    assert made(match, ball) is None
    match.sheets()
    match.play("tactics", side="blue")
    assert made(match, ball) is None
    match.play("tactics", side="red")
    assert made(match, ball) == {"event": "ball", "colour": "green"}
    assert made(match, ball * 2) is None
    assert made(match, pips(3)) is None
    assert made(match, [Die("ball")]) is None
    match.play("ball", colour="red")
    assert made(match, ball) is None


def test_two_dice_of_a_duel() -> None:
    match = under_way()
    match.play("tackle", side="blue", section="dm_l")
    assert made(match, pips(3, 4)) == {"event": "roll", "dice": [3, 4]}
    assert made(match, pips(3)) is None
    assert made(match, pips(3, 4, 5)) is None
    assert made(match, [Die("pips", 3), Die("pips")]) is None
    assert made(match, [Die("pips", 3), Die("ball", colour="red")]) is None


def test_a_shot_of_one_die_or_two() -> None:
    match = under_way()
    assert made(match, pips(3)) is None
    match.attack("red", section="am_r")
    assert made(match, pips(3)) == {"event": "shot", "defence": 3}
    assert made(match, pips(3, 5)) == {"event": "shot", "defence": 3, "attack": 5}
    match.play("shot", defence=3)
    assert made(match, pips(5)) == {"event": "shot", "attack": 5}
    assert made(match, pips(3, 5)) is None
    assert made(match, []) is None


def test_a_set_piece_and_the_shootout() -> None:
    match = under_way(blue=DEFENSIVE)
    match.attack("red", section="fw_r")
    match.play("defensive_support", side="blue", section="fb_l")
    match.play("roll", dice=[3, 3])
    assert made(match, pips(1)) == {"event": "shot", "defence": 1}
    assert made(shootout(None), pips(1)) is None
    kicks = shootout()
    assert made(kicks, pips(1, 2)) == {"event": "shot", "defence": 1, "attack": 2}
    kicks.play("shot", defence=1)
    assert made(kicks, pips(2)) == {"event": "shot", "attack": 2}


def test_no_dice_count_while_an_armband_is_vacant() -> None:
    match = under_way(blue=DEFENSIVE)
    match.attack("red", section="fw_r")
    match.play("defensive_support", side="blue", section="fb_l")
    match.play("roll", dice=[1, 1])
    match.play("change", side="red", subs=[{"out": "r-dm1", "in": "r-s4"}])
    assert made(match, pips(3)) is None


@pytest.mark.parametrize(
    ("fields", "dice"),
    [
        ({"event": "ball", "colour": "blue"}, (Die("ball", colour="blue"),)),
        ({"event": "roll", "dice": [6, 1]}, (Die("pips", 6), Die("pips", 1))),
        ({"event": "shot", "defence": 2, "attack": 5}, (Die("pips", 2), Die("pips", 5))),
        ({"event": "shot", "attack": 5}, (Die("pips", 5),)),
        ({"event": "leave", "side": "blue"}, ()),
    ],
)
def test_the_dice_that_made_an_event(fields: Any, dice: tuple[Die, ...]) -> None:
    assert FOOTCLUB.dice_from_event(fields) == dice
