"""Chapter 17: conversion of dice on the table into events, and of events into dice."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.base import Die
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.state import balls
from tests.games.hoops21.kit import ADVANCED, MIXED, Match, dice, shooting, under_way


def team_dice(side: str, letters: str) -> list[Die]:
    return [Die(side, symbol=symbol) for symbol in dice(letters)]


def made(match: Match, *dice: list[Die]) -> Any:
    return HOOPS21.event_from_dice(match.state, [die for some in dice for die in some])


def test_dice_of_both_teams_in_any_order() -> None:
    orange, white = team_dice("orange", "bbpssf"), team_dice("white", "pppssf")
    six = {"orange": dice("bbpssf"), "white": dice("pppssf")}
    for match, event in ((Match(), "jump_ball"), (under_way(), "throw"), (shooting(), "shot")):
        assert made(match, white, orange) == {"event": event, **six}
        assert made(match, orange) is None
        assert made(match, orange, white[:5]) is None
        assert made(match, orange, white, white[:1]) is None
        assert made(match, orange, [Die("white")] * 6) is None
        assert made(match, orange, [Die("pips", 3)] * 6) is None
        assert made(match) is None


def test_a_team_that_holds_a_die_back_throws_five() -> None:
    match = under_way()
    match.throw("pppbsf", MIXED)
    assert made(match, team_dice("orange", MIXED), team_dice("white", MIXED)) is None
    assert made(match, team_dice("orange", MIXED), team_dice("white", "bbpss")) is not None


def test_dice_of_one_team_at_the_free_throw() -> None:
    match = under_way()
    match.throw("fffbps", MIXED)
    assert made(match, team_dice("orange", MIXED)) == {"event": "free_throw", "orange": dice(MIXED)}
    assert made(match, team_dice("white", MIXED)) is None
    assert made(match, team_dice("orange", MIXED), team_dice("white", MIXED)) is None


def test_each_team_at_its_own_pace_in_the_race() -> None:
    match = shooting()
    match.shot("pssssf", "pssssf")
    assert made(match, team_dice("white", MIXED)) == {"event": "inbound_throw", "team": "white", "dice": dice(MIXED)}
    match.inbound("orange", MIXED)
    assert made(match, team_dice("orange", MIXED)) is None
    assert made(match, team_dice("orange", "sspf"))["team"] == "orange"
    assert made(match, team_dice("orange", "sspf"), team_dice("white", MIXED)) is None
    awaited = HOOPS21.decision(match.state).dice
    assert [(one.side, one.count, one.independent) for one in awaited] == [("white", 6, True), ("orange", 4, True)]


def behind() -> Match:
    match = under_way(**ADVANCED)
    match.throw("pppbsf", "bbpssf")
    return match


def test_dice_thrown_again_as_they_lie_after() -> None:
    match = behind()
    event = made(match, team_dice("white", "sssspb"))
    assert event == {"event": "reroll", "team": "white", "kept": dice("bpss"), "rolled": dice("ss")}
    assert made(match, team_dice("orange", "sssspb")) is None
    assert made(match, team_dice("white", "ssss")) is None
    assert HOOPS21.dice_from_event(event) == tuple(team_dice("white", "bpssss"))
    unchanged = made(match, team_dice("white", "fssbbp"))
    assert (unchanged["kept"], unchanged["rolled"]) == (dice("bpssf"), dice("b"))


def test_what_was_kept_does_not_change_what_it_comes_to() -> None:
    random = Random(3)
    for _ in range(50):
        match = behind()
        counts = match.state.open_contest.counts_of("white")
        assert balls(counts) == 2
        kept = random.sample(dice("bbpssf"), random.randint(0, 5))
        rolled = random.choices(dice("bpsf"), k=6 - len(kept))
        read = made(match, [Die("white", symbol=symbol) for symbol in (*rolled, *kept)])
        expected = behind()
        match.play(**read)
        expected.play("reroll", kept=kept, rolled=rolled)
        assert match.state == expected.state


def test_no_dice_in_a_basic_tie() -> None:
    match = under_way()
    match.throw("pppbsf", "sssbbf")
    assert made(match, team_dice("white", MIXED)) is None
    assert HOOPS21.decision(match.state).dice == ()


def test_the_dice_of_an_event() -> None:
    event = {"event": "throw", "orange": dice("bb"), "white": dice("s")}
    assert HOOPS21.dice_from_event(event) == tuple(team_dice("orange", "bb") + team_dice("white", "s"))
    assert HOOPS21.dice_from_event({"event": "free_throw", "white": dice("bp")}) == tuple(team_dice("white", "bp"))
    assert HOOPS21.dice_from_event({"event": "inbound_throw", "team": "white", "dice": dice("f")}) == tuple(
        team_dice("white", "f")
    )
    assert HOOPS21.dice_from_event({"event": "inbound_end", "stolen": False}) == ()
    assert HOOPS21.dice_from_event({"event": "reroll", "kept": [], "rolled": dice("b")}) == ()


def test_the_dice_of_every_random_event_make_it_again() -> None:
    """Rerolls give the same state, the others the same event."""
    for seed in range(6):
        random = Random(seed)
        state = HOOPS21.initial_state(HOOPS21.random_header(random))
        while not HOOPS21.finished(state):
            fields = HOOPS21.random_event(state, random)
            thrown = HOOPS21.dice_from_event(fields)
            after, _ = HOOPS21.apply(state, HOOPS21.parse(fields))
            if thrown:
                again = HOOPS21.event_from_dice(state, thrown)
                assert again is not None
                assert again == fields or fields["event"] == "reroll"
                assert HOOPS21.apply(state, HOOPS21.parse(again))[0] == after
            state = after
