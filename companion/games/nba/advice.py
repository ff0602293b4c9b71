"""Which dice to roll again (14.3, 14.4): every allocation of the rerolls to the kinds, by its exact mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.nba.odds import READINGS, Law, Reading, mean


@dataclass(frozen=True, slots=True)
class Part:
    """The dice of one kind in an open roll: those lying as (index, what it counts) in roll order, how many are kept.

    `laws` says what a die of the kind counts when it is thrown again, for each reading of unknown faces; offence
    dice have one law for all three.
    """

    keep: int
    dice: tuple[tuple[int, int], ...]
    laws: tuple[Law, Law, Law]

    def lowest(self, count: int) -> tuple[int, ...]:
        """The indices of the lowest dice; of equal ones the earlier in the roll."""
        return tuple(index for index, _ in sorted(self.dice, key=lambda die: die[1])[:count])

    def after(self, count: int, reading: Reading) -> Fraction:
        """The mean of the best total once the `count` lowest dice have been thrown again."""
        staying = tuple(sorted(value for _, value in self.dice)[count:])
        return mean(self.laws[READINGS.index(reading)], count, self.keep, staying)


@dataclass(frozen=True, slots=True)
class OffenceAdvice:
    """What can be kept now, the dice that are best rolled again (indices rising), the mean total after that."""

    now: Fraction
    dice: tuple[int, ...]
    expected: Fraction


@dataclass(frozen=True, slots=True)
class DefenceAdvice:
    """The best dice for a given number of rerolls, and the mean that counts for each reading of unknown faces."""

    dice: tuple[int, ...]
    low: Fraction
    even: Fraction
    high: Fraction


def offence_advice(parts: Sequence[Part], rerolls: int) -> OffenceAdvice:
    """NBA-14.3. `parts` in the order of the table of dice; `rerolls` dice may be thrown again at most."""
    means = _means(parts, "even")
    now = _total(means, (0,) * len(parts))
    chosen = max(
        (_best(means, count) for count in range(rerolls + 1)),
        key=lambda counts: _total(means, counts),
    )
    return OffenceAdvice(now, _indices(parts, chosen), _total(means, chosen))


def defence_advice(parts: Sequence[Part], rerolls: int) -> tuple[DefenceAdvice, ...]:
    """NBA-14.4: one entry for each number of dice from none to `rerolls`."""
    low, even, high = (_means(parts, reading) for reading in READINGS)
    advice = []
    for count in range(rerolls + 1):
        chosen = _best(even, count)
        totals = [_total(means, chosen) for means in (low, even, high)]
        advice.append(DefenceAdvice(_indices(parts, chosen), *totals))
    return tuple(advice)


Means = tuple[tuple[Fraction, ...], ...]
"""For each part the mean after 0, 1, … of its dice were thrown again."""


def _means(parts: Sequence[Part], reading: Reading) -> Means:
    return tuple(tuple(part.after(count, reading) for count in range(len(part.dice) + 1)) for part in parts)


def _total(means: Means, counts: Sequence[int]) -> Fraction:
    return sum((mean[count] for mean, count in zip(means, counts, strict=True)), Fraction(0))


def _best(means: Means, count: int) -> tuple[int, ...]:
    """The allocation of exactly `count` dice with the highest mean; of equal ones more dice of the earlier kind."""
    return max(_allocations([len(mean) - 1 for mean in means], count), key=lambda counts: _total(means, counts))


def _allocations(most: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Every way to take `count` dice of kinds that have so many, more of the earlier kind first."""
    if not most:
        if count == 0:
            yield ()
        return
    for first in range(min(most[0], count), -1, -1):
        for rest in _allocations(most[1:], count - first):
            yield (first, *rest)


def _indices(parts: Sequence[Part], counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(index for part, count in zip(parts, counts, strict=True) for index in part.lowest(count)))
