"""Exact chances of dice of which the best are kept (chapter 14), counted and never estimated; small tables are kept.

Everything here knows faces only, neither a match nor a side: the state, the advice and the solo opponent all ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb
from typing import Final, Literal

from companion.games.nba.tables import COLOURS, UNKNOWN

Face = tuple[int, str | None]
"""A face's value and the colour of its number: None on an empty one, `unknown` where it was never seen (NBA-2.2)."""

Law = tuple[tuple[int, int], ...]
"""What one die can count: each value with its weight, values falling."""

Ways = tuple[tuple[int, int], ...]
"""Totals, rising, each with the number of equally likely throws that give it."""

Reading = Literal["low", "even", "high"]
"""How a face of unknown colour is reckoned: it never counts, by the share of the colours, or always (NBA-14.2)."""

READINGS: Final[tuple[Reading, ...]] = ("low", "even", "high")
SHARES: Final = len(COLOURS)
"""A number of unknown colour is as likely blue as yellow or red."""
NONE_KEPT: Final[Ways] = ((0, 1),)
REMEMBERED: Final = 4096
TABLES: Final = 256
"""Single figures and whole tables that are kept once counted: what a match asks for often, and never more."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice of one kind thrown together: what each can count, how many there are, how many of them are kept."""

    law: Law
    dice: int
    keep: int


def _law(weights: Iterable[tuple[int, int]]) -> Law:
    summed: dict[int, int] = {}
    for value, weight in weights:
        if weight:
            summed[value] = summed.get(value, 0) + weight
    return tuple(sorted(summed.items(), reverse=True))


@lru_cache(REMEMBERED)
def scoring_law(faces: tuple[Face, ...]) -> Law:
    """An offence die: every face counts its value."""
    return _law((value, 1) for value, _ in faces)


@lru_cache(REMEMBERED)
def counting_law(faces: tuple[Face, ...], colours: frozenset[str], reading: Reading) -> Law:
    """A defence die against attacks of these colours (NBA-14.2); against none nothing counts."""
    share = {"low": 0, "even": len(colours), "high": SHARES if colours else 0}[reading]
    weights: list[tuple[int, int]] = []
    for value, colour in faces:
        counts = share if colour == UNKNOWN else SHARES if colour in colours else 0
        weights += [(value, counts), (0, SHARES - counts)]
    return _law(weights)


@lru_cache(TABLES)
def best(law: Law, dice: int, keep: int, lying: tuple[int, ...] = ()) -> Ways:
    """The total of the best `keep` among `dice` dice still to be thrown and those `lying`, by counts of each value.

    The ways add up to (weight of the law) to the power of `dice`.
    """
    weights = dict(law)
    states = {(dice, 0): 1}
    """Dice whose value is not settled yet and the total kept so far, with the number of ways to come there."""
    higher = 0
    for value in sorted({*weights, *lying}, reverse=True):
        here = lying.count(value)
        weight = weights.get(value, 0)
        then: dict[tuple[int, int], int] = {}
        for (left, total), ways in states.items():
            free = keep - min(keep, dice - left + higher)
            for count in range(left + 1 if weight else 1):
                key = left - count, total + value * min(free, count + here)
                then[key] = then.get(key, 0) + ways * comb(left, count) * weight**count
        states, higher = then, higher + here
    return tuple(sorted((total, ways) for (left, total), ways in states.items() if not left))


@lru_cache(REMEMBERED)
def mean(law: Law, dice: int, keep: int, lying: tuple[int, ...] = ()) -> Fraction:
    """E of NBA-14.1: the exact mean of the best `keep`, the dice already lying among them."""
    ways = best(law, dice, keep, lying)
    return Fraction(sum(total * count for total, count in ways), sum(count for _, count in ways))


def _both(one: Ways, other: Ways) -> Ways:
    sums: dict[int, int] = {}
    for first, ways in one:
        for second, more in other:
            sums[first + second] = sums.get(first + second, 0) + ways * more
    return tuple(sorted(sums.items()))


@lru_cache(TABLES)
def _together(pools: tuple[Pool, ...]) -> Ways:
    return reduce(_both, (best(pool.law, pool.dice, pool.keep) for pool in pools), NONE_KEPT)


def distribution(pools: Sequence[Pool]) -> tuple[tuple[int, Fraction], ...]:
    """Every total that dice of several kinds can come to, rising, with its chance."""
    ways = _together(tuple(pools))
    throws = sum(count for _, count in ways)
    return tuple((total, Fraction(count, throws)) for total, count in ways if count)


def expected(pools: Iterable[Pool]) -> Fraction:
    """The mean total of dice of several kinds."""
    return sum((mean(pool.law, pool.dice, pool.keep) for pool in pools), Fraction(0))


def at_least(low: Sequence[Pool], high: Sequence[Pool]) -> tuple[tuple[int, Fraction, Fraction], ...]:
    """For each total from 1 that `high` can reach: the chance of at least that much, in `low` and in `high`."""
    rarely, often = distribution(low), distribution(high)
    return tuple((total, _reach(rarely, total), _reach(often, total)) for total in range(1, often[-1][0] + 1))


def _reach(chances: Iterable[tuple[int, Fraction]], least: int) -> Fraction:
    return sum((chance for total, chance in chances if total >= least), Fraction(0))
