"""Whether a die is fair: an exact test of few throws, a chi-square test of many, and how much either can find."""

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
    """The chance that a chi-square variable of so many degrees of freedom exceeds x."""
    return _upper_gamma(degrees_of_freedom / 2, x / 2) if x > 0 else 1.0


def noncentral_chi_square_tail(x: float, degrees_of_freedom: int, noncentrality: float) -> float:
    """The chance of exceeding x when the variable is not central: a Poisson mixture of central ones (26.4.25)."""
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
    """The value that is exceeded with chance `level`."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees_of_freedom) > level:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees_of_freedom) > level else (low, middle)
    return (low + high) / 2


def noncentrality_for(power: float, level: float, degrees_of_freedom: int) -> float:
    """How far from central a variable must be for a test at `level` to find it with chance `power`."""
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
    """The regularised upper incomplete gamma function: its series for small x, its continued fraction for large."""
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
    """Lentz's way through the continued fraction 6.5.31."""
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
"""A fair die is called unfair so often."""

MIN_POWER = 0.8
"""The chance with which a loaded die should be found before a test says much."""

LOADED_EXCESS = Fraction(1, 2)
"""What a loaded die is taken for: one face comes half as often again as it should."""

MAX_EXACT_OUTCOMES = 60_000
"""Outcomes that the exact test looks at: 20 throws of six faces. Beyond it the chi-square test is close enough."""

_LIKELIHOOD_TOLERANCE = 1e-7
"""Relative difference of two chances that counts as none."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """How a die fell. `chance` is that of a fair die falling at least so oddly, `power` that of finding a loaded one
    in so many throws, `needed` the throws still needed for POWER.
    """

    throws: int
    test: Literal["exact", "chi_square"]
    p_value: float
    power: float
    throws_needed: int

    def is_suspicious(self, tests: int = 1) -> bool:
        """Whether this stands out among so many tests made at once (Bonferroni's correction)."""
        return self.p_value * tests < SIGNIFICANCE_LEVEL


def fairness(seen: Mapping[str, int], shares: Mapping[str, Fraction]) -> Fairness:
    """The test of how often each face came against its share. Raises ValueError for a face that has no share."""
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
    """The chance of an outcome that is no likelier than this one (exact multinomial test)."""
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
