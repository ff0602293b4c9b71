"""Chapter 14: the tables of the rules, and small pools of dice checked by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.games.nba import odds
from companion.games.nba.odds import READINGS, Pool
from companion.games.nba.tables import RULEBOOK_FACES

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10)
MEANS = """three_points 1 2.833 4.639 5.829 6.638 7.205 7.613 8.138 8.444
three_points 2 - 5.667 8.088 10.039 11.575 12.779 14.474 15.553
three_points 3 - - 8.500 11.157 13.521 15.557 18.716 20.921
inside 1 3.167 4.694 5.505 5.973 6.264 6.456 6.681 6.802
inside 2 - 6.333 8.579 10.073 11.073 11.762 12.611 13.087
inside 3 - - 9.500 12.121 14.108 15.576 17.481 18.597
penetration 1 3.500 4.694 5.236 5.529 5.701 5.807 5.918 5.964
penetration 2 - 7.000 8.847 9.887 10.540 10.977 11.490 11.745
penetration 3 - - 10.500 12.751 14.179 15.154 16.388 17.089"""
FOUR_BLUE_BEST_THREE = """0: 81, 2: 108, 4: 54, 6: 121, 8: 108, 9: 108, 10: 40, 11: 108, 12: 54, 13: 40, 14: 42,
15: 108, 17: 84, 18: 71, 20: 42, 21: 52, 24: 54, 27: 21"""
DEFENCE = """interception blue 1 1 16.7-83.3 16.7-50.0 0.0-16.7 0.0-0.0 0.333-1.667
interception blue 2 1 30.6-97.2 30.6-75.0 0.0-30.6 0.0-0.0 0.611-2.333
interception blue 3 2 42.1-99.5 42.1-96.8 7.4-84.7 0.0-40.7 0.991-4.287
block yellow 1 1 16.7-50.0 16.7-50.0 0.0-0.0 0.0-0.0 0.333-1.000
block yellow 2 1 30.6-75.0 30.6-75.0 0.0-0.0 0.0-0.0 0.611-1.500
block yellow 3 2 42.1-87.5 42.1-87.5 7.4-50.0 0.0-0.0 0.991-2.750
block red 1 1 33.3-66.7 16.7-50.0 16.7-16.7 0.0-0.0 0.667-1.333
block red 2 1 55.6-88.9 30.6-75.0 30.6-30.6 0.0-0.0 1.167-1.944
block red 3 2 70.4-96.3 48.1-90.7 42.1-76.4 7.4-29.6 1.954-3.574
stop blue 1 1 16.7-33.3 16.7-16.7 16.7-16.7 0.0-0.0 0.500-0.667
stop blue 2 1 30.6-55.6 30.6-30.6 30.6-30.6 0.0-0.0 0.917-1.167
stop blue 3 2 42.1-70.4 42.1-48.1 42.1-42.1 7.4-7.4 1.486-1.954
stop yellow 1 1 33.3-50.0 33.3-33.3 16.7-16.7 0.0-0.0 0.833-1.000
stop yellow 2 1 55.6-75.0 55.6-55.6 30.6-30.6 0.0-0.0 1.417-1.611
stop yellow 3 2 70.4-87.5 70.4-75.0 48.1-57.9 19.9-19.9 2.421-2.833
stop red 1 1 16.7-33.3 0.0-0.0 0.0-0.0 0.0-0.0 0.167-0.333
stop red 2 1 30.6-55.6 0.0-0.0 0.0-0.0 0.0-0.0 0.306-0.556
stop red 3 2 42.1-70.4 7.4-25.9 0.0-0.0 0.0-0.0 0.495-0.963"""


def pool(die: str, dice: int, keep: int) -> Pool:
    return Pool(odds.scoring_law(RULEBOOK_FACES[die]), dice, keep)


def counting_pool(die: str, colours: str, reading: odds.Reading, dice: int, keep: int) -> Pool:
    return Pool(odds.counting_law(RULEBOOK_FACES[die], frozenset(colours.split()), reading), dice, keep)


def spread(ways: odds.TotalCounts) -> dict[int, Fraction]:
    return {total: Fraction(count, sum(each for _, each in ways)) for total, count in ways}


@pytest.mark.parametrize("row", MEANS.splitlines())
def test_the_means_of_the_rules(row: str) -> None:
    die, keep, *cells = row.split()
    for dice, cell in zip(COUNTS, cells, strict=True):
        if cell != "-":
            assert f"{float(odds.expected_total([pool(die, dice, int(keep))])):.3f}" == cell, dice


@pytest.mark.parametrize(("die", "numerator"), [("three_points", 6505), ("inside", 6527), ("penetration", 6407)])
def test_four_dice_of_which_two_are_kept(die: str, numerator: int) -> None:
    assert odds.expected_total([pool(die, 4, 2)]) == Fraction(numerator, 648)


def test_every_total_of_four_blue_dice() -> None:
    table = {int(total): int(ways) for total, ways in (cell.split(":") for cell in FOUR_BLUE_BEST_THREE.split(","))}
    chances = odds.distribution([pool("three_points", 4, 3)])
    assert {total: chance * 1296 for total, chance in chances} == table


@pytest.mark.parametrize("row", DEFENCE.splitlines())
def test_the_ranges_of_the_defence_dice(row: str) -> None:
    die, colour, dice, keep, *cells, means = row.split()
    low, even, high = ([counting_pool(die, colour, reading, int(dice), int(keep))] for reading in READINGS)
    chances = {total: (rare, often) for total, rare, often in odds.chances_at_least(low, high)}
    for total, cell in zip((1, 2, 3, 5), cells, strict=True):
        rare, often = chances.get(total, (Fraction(0), Fraction(0)))
        assert f"{float(100 * rare):.1f}-{float(100 * often):.1f}" == cell, total
    assert f"{float(odds.expected_total(low)):.3f}-{float(odds.expected_total(high)):.3f}" == means
    assert odds.expected_total(low) <= odds.expected_total(even) <= odds.expected_total(high)


@pytest.mark.parametrize("die", RULEBOOK_FACES)
@pytest.mark.parametrize(("dice", "keep"), [(1, 1), (2, 1), (3, 2), (4, 3), (2, 5)])
@pytest.mark.parametrize("fixed_values", [(), (0, 4), (2, 9, 2)])
def test_pools_counted_face_by_face(die: str, dice: int, keep: int, fixed_values: tuple[int, ...]) -> None:
    values = [value for value, _ in RULEBOOK_FACES[die]]
    table: dict[int, Fraction] = {}
    for throw in product(values, repeat=dice):
        total = sum(sorted((*throw, *fixed_values), reverse=True)[:keep])
        table[total] = table.get(total, Fraction(0)) + Fraction(1, len(values) ** dice)
    assert spread(odds.best_totals(odds.scoring_law(RULEBOOK_FACES[die]), dice, keep, fixed_values)) == table


@pytest.mark.parametrize("colours", ["", "red", "blue yellow", "blue yellow red"])
def test_an_unknown_face_counts_by_the_share_of_the_colours(colours: str) -> None:
    """Each unknown face is blue, yellow or red with equal chance, as if a three-sided die were thrown with it."""
    sought = colours.split()
    table: dict[int, Fraction] = {}
    for (value, colour), drawn in product(RULEBOOK_FACES["stop"], ("blue", "yellow", "red")):
        counts = value if (drawn if colour == "unknown" else colour) in sought else 0
        table[counts] = table.get(counts, Fraction(0)) + Fraction(1, 18)
    law = odds.counting_law(RULEBOOK_FACES["stop"], frozenset(sought), "even")
    assert spread(odds.best_totals(law, 1, 1)) == table


def test_against_no_attack_nothing_counts() -> None:
    for reading in READINGS:
        assert odds.distribution([counting_pool("stop", "", reading, 3, 2)]) == ((0, 1),)
    nothing = [counting_pool("interception", "", "high", 3, 2)]
    assert odds.chances_at_least(nothing, nothing) == ()


def test_kinds_thrown_together_are_kept_apart() -> None:
    pools = [pool("three_points", 2, 1), pool("inside", 2, 2)]
    table: dict[int, Fraction] = {}
    for blue, yellow in product(product((0, 0, 0, 2, 6, 9), repeat=2), product((0, 0, 2, 4, 6, 7), repeat=2)):
        total = max(blue) + sum(yellow)
        table[total] = table.get(total, Fraction(0)) + Fraction(1, 6**4)
    assert dict(odds.distribution(pools)) == table
    assert odds.expected_total(pools) == sum(total * chance for total, chance in table.items())


def test_no_dice_come_to_nothing() -> None:
    assert odds.distribution([pool("inside", 0, 2)]) == ((0, 1),)
    assert odds.expected_total([]) == 0
