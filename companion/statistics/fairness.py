"""Fairness tests of a die: exact multinomial for few throws, chi-square for many, and their power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb, exp, lgamma, log
from typing import Literal

_EPSILON = 1e-15
_MAX_TERMS = 10_000


def chi_square_tail(x: float, degrees_of_freedom: int) -> float:
    """Return the probability that a chi-square variable exceeds x."""
    return _upper_gamma(degrees_of_freedom / 2, x / 2) if x > 0 else 1.0


def noncentral_chi_square_tail(x: float, degrees_of_freedom: int, noncentrality: float) -> float:
    """Return the tail of the noncentral chi-square distribution: a Poisson mixture of central ones.

    Abramowitz and Stegun, 26.4.25.
    """
    if noncentrality <= 0:
        return chi_square_tail(x, degrees_of_freedom)
    half = noncentrality / 2
    total = 0.0
    for term in range(_MAX_TERMS):
        weight = exp(-half + term * log(half) - lgamma(term + 1))
        total += weight * chi_square_tail(x, degrees_of_freedom + 2 * term)
        if term > half and weight < _EPSILON:
            break
    return min(1.0, total)


def critical_value(level: float, degrees_of_freedom: int) -> float:
    """Return the value that is exceeded with probability `level`."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees_of_freedom) > level:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees_of_freedom) > level else (low, middle)
    return (low + high) / 2


def noncentrality_for(power: float, level: float, degrees_of_freedom: int) -> float:
    """Return the noncentrality at which a test at `level` has this power."""
    limit = critical_value(level, degrees_of_freedom)
    low, high = 0.0, 1.0
    while noncentral_chi_square_tail(limit, degrees_of_freedom, high) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if noncentral_chi_square_tail(limit, degrees_of_freedom, middle) < power else (low, middle)
        )
    return (low + high) / 2


def _upper_gamma(a: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function: series for small x, continued fraction for large x."""
    front = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _MAX_TERMS):
            term *= x / (a + n)
            total += term
            if term < total * _EPSILON:
                break
        return max(0.0, 1 - front * total)
    return front * _continued_fraction(a, x)


def _continued_fraction(a: float, x: float) -> float:
    """Evaluate the continued fraction of Abramowitz and Stegun, 6.5.31, with Lentz's algorithm."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    found = d
    for n in range(1, _MAX_TERMS):
        step = -n * (n - a)
        b += 2
        d = step * d + b
        d = 1 / (d if abs(d) > tiny else tiny)
        c = b + step / c
        c = c if abs(c) > tiny else tiny
        found *= c * d
        if abs(c * d - 1) < _EPSILON:
            break
    return found


SIGNIFICANCE_LEVEL = 0.05
"""Probability that a fair die is reported as unfair."""

MIN_POWER = 0.8
"""Required probability of detecting a loaded die. Below it, a test result says little."""

LOADED_EXCESS = Fraction(1, 2)
"""Effect size of a loaded die: one face comes up half as often again as expected."""

MAX_EXACT_OUTCOMES = 60_000
"""Maximum number of outcomes in the exact test: 20 throws of six faces. Above it, chi-square is accurate enough."""

_LIKELIHOOD_TOLERANCE = 1e-7
"""Relative difference below which two likelihoods count as equal."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """Result of a fairness test.

    - `p_value`: probability of a result at least as extreme with a fair die
    - `power`: probability of detecting a loaded die with this number of throws
    - `throws_needed`: additional throws to reach MIN_POWER
    """

    throws: int
    test: Literal["exact", "chi_square"]
    p_value: float
    power: float
    throws_needed: int

    def is_suspicious(self, tests: int = 1) -> bool:
        """Return True if the result is significant among `tests` simultaneous tests (Bonferroni correction)."""
        return self.p_value * tests < SIGNIFICANCE_LEVEL


def fairness(seen: Mapping[str, int], shares: Mapping[str, Fraction]) -> Fairness:
    """Test the count of each face against its expected share. Raises: ValueError for a face without a share."""
    if not seen.keys() <= {face for face, share in shares.items() if share}:
        raise ValueError(f"a face without a share among {', '.join(seen)}")
    chances = tuple(share for share in shares.values() if share)
    counts = tuple(seen.get(face, 0) for face, share in shares.items() if share)
    throws, degrees_of_freedom = sum(counts), len(chances) - 1
    effect = float(min(LOADED_EXCESS**2 * share / (1 - share) for share in chances))
    is_exact = comb(throws + degrees_of_freedom, degrees_of_freedom) <= MAX_EXACT_OUTCOMES
    p_value = (
        exact_p_value(counts, chances)
        if is_exact
        else chi_square_tail(_chi_square(counts, chances), degrees_of_freedom)
    )
    power = noncentral_chi_square_tail(_critical_at_level(degrees_of_freedom), degrees_of_freedom, throws * effect)
    throws_needed = max(0, ceil(_noncentrality_at_power(degrees_of_freedom) / effect) - throws)
    return Fairness(throws, "exact" if is_exact else "chi_square", p_value, power, throws_needed)


def exact_p_value(counts: tuple[int, ...], chances: tuple[Fraction, ...]) -> float:
    """Return the total probability of all outcomes at most as likely as this one (exact multinomial test)."""
    logs = [log(share) for share in chances]
    own = _log_likelihood(counts, logs)
    likelihoods = (_log_likelihood(other, logs) for other in _all_outcomes(sum(counts), len(chances)))
    return min(1.0, sum(exp(other) for other in likelihoods if other <= own + _LIKELIHOOD_TOLERANCE))


def _chi_square(counts: tuple[int, ...], chances: tuple[Fraction, ...]) -> float:
    throws = sum(counts)
    expected = [float(share) * throws for share in chances]
    return sum((count - due) ** 2 / due for count, due in zip(counts, expected, strict=True))


def _log_likelihood(counts: tuple[int, ...], logs: list[float]) -> float:
    ways = lgamma(sum(counts) + 1) - sum(lgamma(count + 1) for count in counts)
    return ways + sum(count * each for count, each in zip(counts, logs, strict=True))


def _all_outcomes(throws: int, faces: int) -> Iterator[tuple[int, ...]]:
    if faces == 1:
        yield (throws,)
        return
    for first in range(throws + 1):
        for rest in _all_outcomes(throws - first, faces - 1):
            yield (first, *rest)


@cache
def _critical_at_level(degrees_of_freedom: int) -> float:
    return critical_value(SIGNIFICANCE_LEVEL, degrees_of_freedom)


@cache
def _noncentrality_at_power(degrees_of_freedom: int) -> float:
    return noncentrality_for(MIN_POWER, SIGNIFICANCE_LEVEL, degrees_of_freedom)
