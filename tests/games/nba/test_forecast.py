"""Sections 14.3 to 14.5 in a match: the odds of prepared tactics, the advice for the open roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from companion.games.nba.dice_set import NbaFace
from companion.games.nba.teams import LaidDice
from tests.games.nba.kit import CARDS, ROSTER, Match, dice, full, header, player, tactic


def prepared(*tactics: str, **setup: Any) -> Match:
    """Return Anne's first turn with these tactics on her board."""
    match = Match(full(**setup))
    match.play("prepare", tactics=list(tactics))
    return match


def attacked(*sides: str) -> Match:
    """Return the last side's turn, after each earlier side has made a yellow attack of 11."""
    match = Match(full(*sides))
    for _ in sides[:-1]:
        match.play("prepare", tactics=["t-post"])
        match.play("activate", tactic="t-post", dice=dice("inside 7 4 0"))
        match.play("keep", dice=[0, 1])
        match.pass_turns()
    return match


def test_the_odds_of_an_offence_sum_to_one_and_to_its_mean() -> None:
    odds = prepared("t-post").view["odds"]["t-post"]
    assert (odds["type"], odds["dice"], odds["usable"]) == ("offence", {"inside": 3}, True)
    chances = [(total, Fraction(chance)) for total, chance in odds["distribution"]]
    assert sum(chance for _, chance in chances) == 1
    assert str(sum(total * chance for total, chance in chances)) == odds["expected"]


def best_of(dice: int, *faces: int) -> Fraction:
    """Return the mean of the highest of `dice` dice, over every throw."""
    throws = list(product(faces, repeat=dice))
    return Fraction(sum(map(max, throws)), len(throws))


def test_a_defence_looks_at_the_colours_of_all_attacks_together() -> None:
    match = attacked("ann", "ben", "cat")
    match.play("prepare", tactics=["t-switch"])
    odds = match.view["odds"]["t-switch"]
    assert odds["low"] == str(best_of(3, 0, 0, 0, 2, 3, 0)), "only the yellow numbers of the three brown dice"
    blue = LaidDice((NbaFace("three_points", 9, "blue"),))
    odds = match.reshape("ben", attack=blue).view["odds"]["t-switch"]
    assert odds["low"] == str(best_of(2, 0, 0, 0, 2, 0, 0) + best_of(3, 0, 0, 0, 2, 3, 3))
    assert odds["high"] == str(best_of(2, 0, 1, 1, 2, 2, 4) + best_of(3, 0, 0, 1, 2, 3, 3))
    assert [row[0] for row in odds["at_least"]] == [1, 2, 3, 4, 5, 6, 7]


def test_against_nothing_a_defence_promises_nothing() -> None:
    odds = prepared("t-switch").view["odds"]["t-switch"]
    assert (odds["low"], odds["even"], odds["high"], odds["at_least"]) == ("0", "0", "0", [])


def test_what_is_usable() -> None:
    odds = prepared("t-out", "t-hard", "t-trap").view["odds"]
    assert {id: entry["usable"] for id, entry in odds.items()} == {"t-out": True, "t-hard": False, "t-trap": True}
    match = prepared("t-out", "t-post")
    match.play("activate", tactic="t-out", dice=dice("three_points 9 2 0"))
    assert match.view["odds"] == {}
    match.play("keep", dice=[0, 1])
    assert match.view["odds"]["t-post"]["usable"] is False


def test_copies_stand_once_and_other_sides_are_not_told() -> None:
    assert list(prepared("t-out", "t-out").view["odds"]) == ["t-out"]
    assert prepared("t-out").pass_turns().view["odds"] == {}
    assert Match(header()).view["odds"] == {}


def test_in_an_ultimate_turn_no_offence_is_usable() -> None:
    match = Match(full(market_cards=6))
    match.play("prepare", tactics=["t-out", "t-trap"])
    match.pass_turns(10)
    assert match.view["ultimate"]
    assert [entry["usable"] for entry in match.view["odds"].values()] == [False, True]


def test_the_advice_for_an_offence_of_two_skills() -> None:
    """Red is kept once and already shows a 6, so both rerolls go to the blank yellow dice."""
    strong = {**CARDS, "s-c": player("c", "starter", 0, 2, iq=1, inside=2, stop=1, rebounds=5)}
    match = Match(full(cards=strong, rosters={"ann": ROSTER, "ben": {"court": {**ROSTER["court"], "c": "b-c"}}}))
    match.play("prepare", tactics=["t-mixed"])
    match.play("activate", tactic="t-mixed", dice=dice("penetration 6 0 0, inside 4 0 0"))
    roll = match.view["roll"]
    assert (roll["rerolls"], roll["keep"]) == (2, {"inside": 2, "penetration": 1})
    advice = roll["advice"]
    assert (advice["now"], advice["dice"]) == ("10", [4, 5])
    faces = (0, 0, 2, 4, 6, 7)
    yellow = Fraction(sum(sum(sorted((4, a, b))[1:]) for a in faces for b in faces), 36)
    assert advice["expected"] == str(6 + yellow)


def test_the_advice_for_a_defence_counts_what_lies_by_its_colour() -> None:
    match = attacked("ann", "ben")
    match.play("prepare", tactics=["t-switch"])
    match.play("activate", tactic="t-switch", dice=dice("interception 4b 2y, stop 3y 1r 0"))
    first, second, *_, last = match.view["roll"]["advice"]
    assert first == {"dice": [], "low": "5", "even": "5", "high": "5"}
    assert second["dice"] == [0]
    assert len(last["dice"]) == 5


def test_after_the_reroll_nothing_is_left_to_choose() -> None:
    match = attacked("ann", "ben")
    match.play("prepare", tactics=["t-switch"])
    match.play("activate", tactic="t-switch", dice=dice("interception 4b 2y, stop 3y 1r 0"))
    match.play("reroll", dice=[0], to=dice("interception 4y"))
    roll = match.view["roll"]
    assert (roll["rerolls"], roll["advice"]) == (0, [{"dice": [], "low": "7", "even": "7", "high": "7"}])


def test_a_skill_without_dice_is_no_fault() -> None:
    cards = {**CARDS, "t-none": tactic("offence", 1, penetration=1, three_points=1)}
    court = {**ROSTER["court"], "pg": "b-pg", "sf": "b-sf"}
    cards["b-pg"] = player("pg", "substitute", iq=2)
    match = Match(full(cards=cards, rosters={"ann": {"court": court}, "ben": ROSTER}))
    match.play("prepare", tactics=["t-none"])
    assert match.view["odds"]["t-none"]["dice"] == {"three_points": 2, "penetration": 0}
    match.play("activate", tactic="t-none", dice=dice("three_points 2 9"))
    assert match.view["roll"]["advice"] == {"dice": [], "expected": "9", "now": "9"}
