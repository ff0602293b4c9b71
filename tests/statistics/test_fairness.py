"""Fairness tests of dice: exact for few throws, with a stated detection power."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from companion.statistics.fairness import SIGNIFICANCE_LEVEL, exact_p_value, fairness

SIX = {str(face): Fraction(1, 6) for face in range(1, 7)}
COIN = (Fraction(1, 2), Fraction(1, 2))


def test_the_exact_test_of_a_coin_is_the_binomial_one() -> None:
    """9 heads of 10: (1 + 10 + 10 + 1) / 1024."""
    assert exact_p_value((9, 1), COIN) == pytest.approx(22 / 1024)
    assert exact_p_value((5, 5), COIN) == pytest.approx(1.0)


def test_the_same_face_six_times() -> None:
    """6 of the 6^6 outcomes are as unlikely: 6 / 6^6."""
    found = fairness({"6": 6}, SIX)
    assert found.test == "exact"
    assert found.p_value == pytest.approx(6 / 6**6)
    assert found.is_suspicious()
    assert not found.is_suspicious(tests=10**9)


def test_many_throws_are_judged_by_chi_square() -> None:
    """A textbook example of 60 throws: chi-square 13.6, p-value 0.0184."""
    found = fairness(dict(zip(SIX, (16, 5, 9, 7, 6, 17), strict=True)), SIX)
    assert found.test == "chi_square"
    assert found.p_value == pytest.approx(0.0184, abs=2e-4)


def test_how_many_throws_are_needed_to_find_a_loaded_die() -> None:
    """Effect 1/4 x (1/6) / (5/6) = 1/20; a shift of 12.83 is needed, so 257 throws."""
    assert fairness({"1": 57}, SIX).throws_needed == 200
    enough = fairness(dict.fromkeys(SIX, 50), SIX)
    assert enough.throws_needed == 0
    assert enough.power > 0.8


def test_no_throws_say_nothing() -> None:
    found = fairness({}, SIX)
    assert (found.throws, found.p_value, found.throws_needed) == (0, pytest.approx(1.0), 257)
    assert found.power == pytest.approx(SIGNIFICANCE_LEVEL)


def test_an_impossible_face_is_refused() -> None:
    with pytest.raises(ValueError, match="without a share"):
        fairness({"7": 1}, SIX)


@pytest.mark.parametrize("throws", [8, 120])
def test_fair_dice_are_seldom_called_unfair(throws: int) -> None:
    random = Random(throws)
    wrong = 0
    for _ in range(120):
        counts: dict[str, int] = {}
        for face in random.choices(list(SIX), k=throws):
            counts[face] = counts.get(face, 0) + 1
        wrong += fairness(counts, SIX).is_suspicious()
    assert wrong <= 14
