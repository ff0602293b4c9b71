"""Chapter 21: the tables of the rules, checked by an independent enumeration of the dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.games.footclub import odds

SHOT = """-5 1/72 1/72 35/36 | -4 1/18 1/36 11/12 | -3 1/8 1/24 5/6 | -2 2/9 1/18 13/18 | -1 25/72 5/72 7/12
| 0 1/2 1/12 5/12 | 1 47/72 5/72 5/18 | 2 7/9 1/18 1/6 | 3 7/8 1/24 1/12 | 4 17/18 1/36 1/36 | 5 71/72 1/72 0"""
KNOWN = """-5 1/12·1/12·5/6 0·0·1 0·0·1 0·0·1 0·0·1 0·0·1 | -4 1/4·1/12·2/3 1/12·1/12·5/6 0·0·1 0·0·1 0·0·1 0·0·1
| -3 5/12·1/12·1/2 1/4·1/12·2/3 1/12·1/12·5/6 0·0·1 0·0·1 0·0·1
| -2 7/12·1/12·1/3 5/12·1/12·1/2 1/4·1/12·2/3 1/12·1/12·5/6 0·0·1 0·0·1
| -1 3/4·1/12·1/6 7/12·1/12·1/3 5/12·1/12·1/2 1/4·1/12·2/3 1/12·1/12·5/6 0·0·1
| 0 11/12·1/12·0 3/4·1/12·1/6 7/12·1/12·1/3 5/12·1/12·1/2 1/4·1/12·2/3 1/12·1/12·5/6
| 1 1·0·0 11/12·1/12·0 3/4·1/12·1/6 7/12·1/12·1/3 5/12·1/12·1/2 1/4·1/12·2/3
| 2 1·0·0 1·0·0 11/12·1/12·0 3/4·1/12·1/6 7/12·1/12·1/3 5/12·1/12·1/2
| 3 1·0·0 1·0·0 1·0·0 11/12·1/12·0 3/4·1/12·1/6 7/12·1/12·1/3
| 4 1·0·0 1·0·0 1·0·0 1·0·0 11/12·1/12·0 3/4·1/12·1/6
| 5 1·0·0 1·0·0 1·0·0 1·0·0 1·0·0 11/12·1/12·0"""
DUELS = """regular -1 1 5/12 7/12 1/36 0 | regular 0 1 7/12 5/12 1/36 0 | regular 1 1 13/18 5/18 1/36 0
| aggressive -1 1 125/216 91/216 175/432 7/432 | aggressive 0 1 109/144 35/144 25/108 5/432
| aggressive 1 1 191/216 25/216 35/324 5/648 | aggressive -1 2 5/18 13/18 25/36 1/36
| aggressive 0 2 5/12 7/12 5/9 1/36 | aggressive 1 2 7/12 5/12 7/18 1/36"""


def rows(table: str) -> list[list[str]]:
    return [row.split() for row in table.replace("\n", " ").split("|")]


@pytest.mark.parametrize("row", rows(SHOT), ids=lambda row: row[0])
def test_the_shot_by_final_bonus(row: list[str]) -> None:
    chances = odds.shot(int(row[0]))
    assert [str(chances[key]) for key in ("goal", "corner", "save")] == row[1:]


@pytest.mark.parametrize("row", rows(KNOWN), ids=lambda row: row[0])
def test_the_shot_once_the_defence_die_lies(row: list[str]) -> None:
    for die, cell in enumerate(row[1:], start=1):
        chances = odds.shot(int(row[0]), 1, die)
        assert [str(chances[key]) for key in ("goal", "corner", "save")] == cell.split("·"), die


@pytest.mark.parametrize("die", range(1, 7))
def test_the_second_throw_once_the_defence_die_lies(die: int) -> None:
    chances = odds.shot(3, 2, die)
    assert chances["goal"] == Fraction(6 - die, 6) + Fraction(1, 12)
    assert chances["corner"] == Fraction(die - 1, 6) + Fraction(1, 12)
    assert chances["save"] == 0


def test_the_second_throw_is_even() -> None:
    assert odds.shot(-4, 2) == {"goal": Fraction(1, 2), "corner": Fraction(1, 2), "save": 0}


@pytest.mark.parametrize("row", rows(DUELS), ids=" ".join)
def test_tackles_and_supports(row: list[str]) -> None:
    chances = odds.duel(row[0], int(row[1]), int(row[2]))
    assert [str(chances[key]) for key in ("success", "foul", "yellow", "red")] == row[3:]


@pytest.mark.parametrize("modifier", [-1, 0, 1])
def test_aggressive_chances_by_walking_both_throws(modifier: int) -> None:
    pairs = list(product(range(1, 7), repeat=2))
    totals = {"success": Fraction(0), "yellow": Fraction(0), "red": Fraction(0)}
    for first in pairs:
        if first != (1, 1) and sum(first) + modifier >= 7:
            totals["success"] += Fraction(1, 36)
            continue
        for second in pairs:
            won = second != (1, 1) and sum(second) + modifier >= 8
            result = "success" if won else "red" if second == (1, 1) else "yellow"
            totals[result] += Fraction(1, 36 * 36)
    chances = odds.duel("aggressive", modifier)
    assert {key: chances[key] for key in totals} == totals


@pytest.mark.parametrize("bonus", range(-5, 6))
@pytest.mark.parametrize("die", [None, 1, 2, 3, 4, 5, 6])
def test_every_row_sums_to_one(bonus: int, die: int | None) -> None:
    for throw in (1, 2):
        assert sum(odds.shot(bonus, throw, die).values()) == 1
