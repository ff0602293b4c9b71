"""Exact probabilities of rolls whose best dice are kept (chapter 14), by counting, never by sampling.

Small tables are cached. This module knows only faces, neither a match nor a side. The state, the advice and the solo
opponent all use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb
from typing import Final, Literal

from companion.games.nba.tables import COLOURS, UNKNOWN_COLOUR

Face = tuple[int, str | None]
"""A face's value and the colour of its number: None on an empty face, `unknown` if it was never seen (NBA-2.2)."""

Law = tuple[tuple[int, int], ...]
"""The distribution of one die: each counted value with its weight, values falling."""

TotalCounts = tuple[tuple[int, int], ...]
"""Totals, rising, each with its number of equally likely rolls."""

Reading = Literal["low", "even", "high"]
"""How a face of unknown colour counts (NBA-14.2).

- `low`: never
- `even`: by its share of the colours
- `high`: always
"""

READINGS: Final[tuple[Reading, ...]] = ("low", "even", "high")
COLOUR_SHARES: Final = len(COLOURS)
"""A number of unknown colour is equally likely blue, yellow or red."""
NONE_KEPT: Final[TotalCounts] = ((0, 1),)
MEAN_CACHE_SIZE: Final = 4096
TABLE_CACHE_SIZE: Final = 256
"""The cache sizes for single values and for whole tables: enough for the frequent requests of a match."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice of one kind rolled together: the distribution of each, their number, the number kept."""

    law: Law
    dice: int
    keep: int


def _law(weights: Iterable[tuple[int, int]]) -> Law:
    summed: dict[int, int] = {}
    for value, weight in weights:
        if weight:
            summed[value] = summed.get(value, 0) + weight
    return tuple(sorted(summed.items(), reverse=True))


@lru_cache(MEAN_CACHE_SIZE)
def scoring_law(faces: tuple[Face, ...]) -> Law:
    """Return the distribution of an offence die: every face counts its value."""
    return _law((value, 1) for value, _ in faces)


@lru_cache(MEAN_CACHE_SIZE)
def counting_law(faces: tuple[Face, ...], colours: frozenset[str], reading: Reading) -> Law:
    """Return the distribution of a defence die against attacks of these colours (NBA-14.2).

    Against no attack every face counts 0.
    """
    share = {"low": 0, "even": len(colours), "high": COLOUR_SHARES if colours else 0}[reading]
    weights: list[tuple[int, int]] = []
    for value, colour in faces:
        counts = share if colour == UNKNOWN_COLOUR else COLOUR_SHARES if colour in colours else 0
        weights += [(value, counts), (0, COLOUR_SHARES - counts)]
    return _law(weights)


@lru_cache(TABLE_CACHE_SIZE)
def best_totals(law: Law, dice: int, keep: int, fixed_dice: tuple[int, ...] = ()) -> TotalCounts:
    """Return the total of the best `keep` dice, by counts of each value.

    The dice are `dice` dice to be rolled and those `fixed_dice`. The counts add up to (weight of the law) to the power
    of `dice`.
    """
    weights = dict(law)
    states = {(dice, 0): 1}
    """Dice whose value is still open and the kept total so far, with the number of ways to reach that state."""
    higher = 0
    for value in sorted({*weights, *fixed_dice}, reverse=True):
        here = fixed_dice.count(value)
        weight = weights.get(value, 0)
        then: dict[tuple[int, int], int] = {}
        for (left, total), ways in states.items():
            free = keep - min(keep, dice - left + higher)
            for count in range(left + 1 if weight else 1):
                key = left - count, total + value * min(free, count + here)
                then[key] = then.get(key, 0) + ways * comb(left, count) * weight**count
        states, higher = then, higher + here
    return tuple(sorted((total, ways) for (left, total), ways in states.items() if not left))


@lru_cache(MEAN_CACHE_SIZE)
def mean_of_best(law: Law, dice: int, keep: int, fixed_dice: tuple[int, ...] = ()) -> Fraction:
    """Return E of NBA-14.1: the exact mean of the best `keep`, including the dice already on the table."""
    ways = best_totals(law, dice, keep, fixed_dice)
    return Fraction(sum(total * count for total, count in ways), sum(count for _, count in ways))


def _both(one: TotalCounts, other: TotalCounts) -> TotalCounts:
    sums: dict[int, int] = {}
    for first, ways in one:
        for second, more in other:
            sums[first + second] = sums.get(first + second, 0) + ways * more
    return tuple(sorted(sums.items()))


@lru_cache(TABLE_CACHE_SIZE)
def _together(pools: tuple[Pool, ...]) -> TotalCounts:
    return reduce(_both, (best_totals(pool.law, pool.dice, pool.keep) for pool in pools), NONE_KEPT)


def distribution(pools: Sequence[Pool]) -> tuple[tuple[int, Fraction], ...]:
    """Return every possible total of dice of several kinds, rising, with its probability."""
    ways = _together(tuple(pools))
    throws = sum(count for _, count in ways)
    return tuple((total, Fraction(count, throws)) for total, count in ways if count)


def expected_total(pools: Iterable[Pool]) -> Fraction:
    """Return the mean total of dice of several kinds."""
    return sum((mean_of_best(pool.law, pool.dice, pool.keep) for pool in pools), Fraction(0))


def chances_at_least(low: Sequence[Pool], high: Sequence[Pool]) -> tuple[tuple[int, Fraction, Fraction], ...]:
    """Return for each total from 1 that `high` can reach the probability of at least that total, in `low` and
    `high`."""
    rarely, often = distribution(low), distribution(high)
    return tuple((total, _reach(rarely, total), _reach(often, total)) for total in range(1, often[-1][0] + 1))


def _reach(chances: Iterable[tuple[int, Fraction]], least: int) -> Fraction:
    return sum((chance for total, chance in chances if total >= least), Fraction(0))
