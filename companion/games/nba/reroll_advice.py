"""Which dice to reroll (14.3, 14.4): compares all allocations of the rerolls to the kinds by their exact mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.nba.odds import READINGS, Law, Reading, mean_of_best

FATIGUE_PRICE = Fraction(3, 4)
"""The minimum gain in points for a fatigue card: it takes the place of a card in a later hand."""


@dataclass(frozen=True, slots=True)
class RollPart:
    """The dice of one kind in an open roll.

    - `dice`: each die as (index, counted value), in roll order
    - `keep`: the number of dice kept
    - `laws`: the distribution of a rerolled die of this kind, for each reading of unknown faces; offence dice have
      the same one for all three
    """

    keep: int
    dice: tuple[tuple[int, int], ...]
    laws: tuple[Law, Law, Law]

    def lowest(self, count: int) -> tuple[int, ...]:
        """Return the indices of the lowest dice; of equal ones the earlier in the roll."""
        return tuple(index for index, _ in sorted(self.dice, key=lambda die: die[1])[:count])

    def mean_after(self, count: int, reading: Reading) -> Fraction:
        """Return the mean of the best total after a reroll of the `count` lowest dice."""
        staying = tuple(sorted(value for _, value in self.dice)[count:])
        return mean_of_best(self.laws[READINGS.index(reading)], count, self.keep, staying)


@dataclass(frozen=True, slots=True)
class OffenceAdvice:
    """The current best total, the dice to reroll (indices rising) and the mean total after the reroll."""

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


def offence_advice(parts: Sequence[RollPart], rerolls: int) -> OffenceAdvice:
    """Return the advice of NBA-14.3.

    `parts` are in the order of the table of dice; `rerolls` is the maximum number of dice.
    """
    means = _means(parts, "even")
    now = _total(means, (0,) * len(parts))
    chosen = max(
        (_best(means, count) for count in range(rerolls + 1)),
        key=lambda counts: _total(means, counts),
    )
    return OffenceAdvice(now, _indices(parts, chosen), _total(means, chosen))


def defence_advice(parts: Sequence[RollPart], rerolls: int) -> tuple[DefenceAdvice, ...]:
    """Return the advice of NBA-14.4: one entry for each number of dice from 0 to `rerolls`."""
    low, even, high = (_means(parts, reading) for reading in READINGS)
    advice = []
    for count in range(rerolls + 1):
        chosen = _best(even, count)
        totals = [_total(means, chosen) for means in (low, even, high)]
        advice.append(DefenceAdvice(_indices(parts, chosen), *totals))
    return tuple(advice)


Means = tuple[tuple[Fraction, ...], ...]
"""For each part, the means after a reroll of 0, 1, … of its dice."""


def _means(parts: Sequence[RollPart], reading: Reading) -> Means:
    return tuple(tuple(part.mean_after(count, reading) for count in range(len(part.dice) + 1)) for part in parts)


def _total(means: Means, counts: Sequence[int]) -> Fraction:
    return sum((mean[count] for mean, count in zip(means, counts, strict=True)), Fraction(0))


def _best(means: Means, count: int) -> tuple[int, ...]:
    """Return the allocation of exactly `count` dice with the highest mean; in a tie, more dice of the earlier kind."""
    return max(_allocations([len(mean) - 1 for mean in means], count), key=lambda counts: _total(means, counts))


def _allocations(most: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Yield all allocations of `count` dice to kinds with the given limits, more dice of the earlier kind first."""
    if not most:
        if count == 0:
            yield ()
        return
    for first in range(min(most[0], count), -1, -1):
        for rest in _allocations(most[1:], count - first):
            yield (first, *rest)


def _indices(parts: Sequence[RollPart], counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(index for part, count in zip(parts, counts, strict=True) for index in part.lowest(count)))
