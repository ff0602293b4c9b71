"""The chi-square distribution compared with printed tables."""

from __future__ import annotations

from math import erfc, exp, sqrt

import pytest

from companion.statistics.fairness import chi_square_tail, critical_value, noncentral_chi_square_tail, noncentrality_for


@pytest.mark.parametrize(
    ("freedom", "level", "limit"),
    [(1, 0.05, 3.841459), (3, 0.05, 7.814728), (5, 0.05, 11.070498), (5, 0.01, 15.086272), (10, 0.95, 3.940299)],
)
def test_limits_are_those_of_the_tables(freedom: int, level: float, limit: float) -> None:
    assert critical_value(level, freedom) == pytest.approx(limit, abs=2e-6)
    assert chi_square_tail(limit, freedom) == pytest.approx(level, abs=1e-6)


@pytest.mark.parametrize("x", [0.01, 0.5, 2.0, 7.0, 40.0])
def test_tails_with_a_formula_of_their_own(x: float) -> None:
    """One degree of freedom is the square of a normal variable, two degrees are an exponential variable."""
    assert chi_square_tail(x, 1) == pytest.approx(erfc(sqrt(x / 2)), rel=1e-10)
    assert chi_square_tail(x, 2) == pytest.approx(exp(-x / 2), rel=1e-10)


@pytest.mark.parametrize(("freedom", "shift"), [(1, 7.8489), (2, 9.6347), (3, 10.9026), (5, 12.8276)])
def test_shifts_for_a_power_of_four_fifths_are_those_of_the_tables(freedom: int, shift: float) -> None:
    assert noncentrality_for(0.8, 0.05, freedom) == pytest.approx(shift, abs=2e-3)


def test_without_a_shift_the_power_is_the_level() -> None:
    assert noncentral_chi_square_tail(critical_value(0.05, 5), 5, 0.0) == pytest.approx(0.05)
