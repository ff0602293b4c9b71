"""The chi-square distribution, central and not: tails and limits as the tests of dice need them.

Formulas: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 6.5.29, 6.5.31 and 26.4.25.
"""

from __future__ import annotations

from math import exp, lgamma, log

_SMALL = 1e-15
_MOST_TERMS = 10_000


def tail(x: float, freedom: int) -> float:
    """The chance that a chi-square variable of so many degrees of freedom exceeds x."""
    return _upper_gamma(freedom / 2, x / 2) if x > 0 else 1.0


def noncentral_tail(x: float, freedom: int, shift: float) -> float:
    """The chance of exceeding x when the variable is not central: a Poisson mixture of central ones (26.4.25)."""
    if shift <= 0:
        return tail(x, freedom)
    half = shift / 2
    total = 0.0
    for term in range(_MOST_TERMS):
        weight = exp(-half + term * log(half) - lgamma(term + 1))
        total += weight * tail(x, freedom + 2 * term)
        if term > half and weight < _SMALL:
            break
    return min(1.0, total)


def critical(level: float, freedom: int) -> float:
    """The value that is exceeded with chance `level`."""
    low, high = 0.0, 1.0
    while tail(high, freedom) > level:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > level else (low, middle)
    return (low + high) / 2


def shift_for(power: float, level: float, freedom: int) -> float:
    """How far from central a variable must be for a test at `level` to find it with chance `power`."""
    limit = critical(level, freedom)
    low, high = 0.0, 1.0
    while noncentral_tail(limit, freedom, high) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if noncentral_tail(limit, freedom, middle) < power else (low, middle)
    return (low + high) / 2


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function: its series for small x, its continued fraction for large."""
    front = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _MOST_TERMS):
            term *= x / (a + n)
            total += term
            if term < total * _SMALL:
                break
        return max(0.0, 1 - front * total)
    return front * _continued(a, x)


def _continued(a: float, x: float) -> float:
    """Lentz's way through the continued fraction 6.5.31."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    found = d
    for n in range(1, _MOST_TERMS):
        step = -n * (n - a)
        b += 2
        d = step * d + b
        d = 1 / (d if abs(d) > tiny else tiny)
        c = b + step / c
        c = c if abs(c) > tiny else tiny
        found *= c * d
        if abs(c * d - 1) < _SMALL:
            break
    return found
