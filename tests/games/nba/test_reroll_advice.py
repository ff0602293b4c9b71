"""Advice for an open roll (14.3, 14.4): the example of the rules, its ties, and small rolls checked by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from companion.games.nba.odds import READINGS, Face, counting_law, scoring_law
from companion.games.nba.reroll_advice import RollPart, defence_advice, offence_advice
from companion.games.nba.tables import RULEBOOK_FACES

BLUE, INSIDE, BEIGE, BROWN = (RULEBOOK_FACES[die] for die in ("three_points", "inside", "interception", "stop"))


def offence(faces: tuple[Face, ...], keep: int, values: list[int], start: int = 0) -> RollPart:
    return RollPart(keep, tuple(enumerate(values, start)), (scoring_law(faces),) * 3)


def defence(faces: tuple[Face, ...], keep: int, values: list[int], colours: str, start: int = 0) -> RollPart:
    low, even, high = (counting_law(faces, frozenset(colours.split()), reading) for reading in READINGS)
    return RollPart(keep, tuple(enumerate(values, start)), (low, even, high))


def thrown(part: RollPart, faces: tuple[Face, ...], indices: tuple[int, ...]) -> Fraction:
    """Return the mean of the best total after these dice were thrown again, over every throw."""
    staying = [value for index, value in part.dice if index not in indices]
    again = sum(index in indices for index, _ in part.dice)
    throws = list(product([value for value, _ in faces], repeat=again))
    return Fraction(sum(sum(sorted((*throw, *staying))[-part.keep :]) for throw in throws), len(throws))


def test_the_example_of_the_rules() -> None:
    advice = offence_advice([offence(BLUE, 3, [0, 2, 9, 0])], 1)
    assert (advice.now, advice.dice, advice.expected) == (11, (0,), Fraction(83, 6))


def test_without_rerolls_the_best_is_kept() -> None:
    advice = offence_advice([offence(BLUE, 2, [6, 9, 6]), offence(INSIDE, 1, [4, 7], 3)], 0)
    assert (advice.now, advice.dice, advice.expected) == (22, (), 22)


def test_dice_that_gain_nothing_stay() -> None:
    """One 9 of three is kept: no throw is better, so among equal options the one without rerolls is chosen."""
    assert offence_advice([offence(BLUE, 1, [0, 9, 0])], 2).dice == ()


def test_of_equal_ways_the_earlier_kind_is_thrown() -> None:
    parts = [offence(BLUE, 1, [0, 0]), offence(BLUE, 1, [0, 0], 2)]
    assert offence_advice(parts, 1).dice == (0,)
    assert offence_advice(parts, 3).dice == (0, 1, 2)


@pytest.mark.parametrize("seed", range(20))
def test_no_choice_of_dice_is_better(seed: int) -> None:
    """Every set of dice is tried, not only the lowest of a kind: the advice must be the best of all."""
    random = Random(seed)
    faces = (BLUE, INSIDE)
    rolls = [[random.choice(face)[0] for _ in range(random.randint(0, 3))] for face in faces]
    parts = [
        offence(face, random.randint(1, 2), roll, start)
        for face, roll, start in zip(faces, rolls, (0, len(rolls[0])), strict=True)
    ]
    rerolls = min(2, sum(map(len, rolls)))
    indices = [index for part in parts for index, _ in part.dice]
    means = {
        chosen: sum(thrown(part, face, chosen) for part, face in zip(parts, faces, strict=True))
        for count in range(rerolls + 1)
        for chosen in combinations(indices, count)
    }
    advice = offence_advice(parts, rerolls)
    assert advice.expected == means[advice.dice] == max(means.values())
    assert len(advice.dice) == min(len(chosen) for chosen, mean in means.items() if mean == advice.expected)
    assert advice.now == means[()]


def test_a_defence_is_told_for_every_number_of_dice() -> None:
    parts = [defence(BEIGE, 1, [2, 0], "blue"), defence(BROWN, 1, [0, 3], "blue", 2)]
    steps = defence_advice(parts, 2)
    assert [step.dice for step in steps] == [(), (1,), (1, 2)]
    assert (steps[0].low, steps[0].even, steps[0].high) == (5, 5, 5)
    for step in steps[1:]:
        assert (step.low, step.even, step.high) == (5, 5 + Fraction(2, 18), 5 + Fraction(2, 6))


def test_a_defence_means_what_is_counted_throw_by_throw() -> None:
    """One beige die is rolled again against blue: its known face always counts, unknown ones never, a third, or
    always."""
    (_, step) = defence_advice([defence(BEIGE, 2, [0, 1], "blue")], 1)
    assert step.dice == (0,)
    assert step.low == 1 + Fraction(2, 6)
    assert step.even == 1 + Fraction(2, 6) + Fraction(1 + 1 + 2 + 4, 18)
    assert step.high == 1 + Fraction(1 + 1 + 2 + 2 + 4, 6)


def test_against_no_attack_dice_of_the_first_kind_are_named() -> None:
    steps = defence_advice([defence(BEIGE, 1, [0, 0], ""), defence(BROWN, 1, [0], "", 2)], 3)
    assert [(step.dice, step.low, step.even, step.high) for step in steps] == [
        ((), 0, 0, 0),
        ((0,), 0, 0, 0),
        ((0, 1), 0, 0, 0),
        ((0, 1, 2), 0, 0, 0),
    ]
