"""Chances as whole percentages that sum to a hundred, and totals of a throw grouped by what they come to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.figures import RulerCell


def percentages(chances: Sequence[Fraction]) -> tuple[int, ...]:
    """Whole percentages of parts of one whole; largest remainders are rounded up so that the sum stays right.

    A chance that is not nothing never shows as 0, nor one that is not certain as 100, where another part can give way.
    """
    exact = [chance * 100 for chance in chances]
    shown = [int(value) for value in exact]
    due = round(sum(exact)) - sum(shown)
    by_remainder = sorted(range(len(exact)), key=lambda index: shown[index] - exact[index])
    for index in by_remainder[:due]:
        shown[index] += 1
    for index, value in enumerate(exact):
        largest = max(range(len(shown)), key=shown.__getitem__)
        if value > 0 and shown[index] == 0 and shown[largest] > 1:
            shown[index], shown[largest] = 1, shown[largest] - 1
    return tuple(shown)


def fractions(texts: Iterable[str]) -> tuple[Fraction, ...]:
    """Exact fractions from their texts, such as `5/12`."""
    return tuple(Fraction(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring totals that come to the same for the same side, and their chance together."""

    result: str
    side: str | None
    totals: tuple[int, ...]
    chance: Fraction


def runs(cells: Sequence[RulerCell]) -> tuple[Run, ...]:
    """The cells of a ruler, neighbours of one kind put together."""
    found: list[Run] = []
    for cell in cells:
        chance = Fraction(cell.chance)
        last = found[-1] if found else None
        if last and (last.result, last.side) == (cell.result, cell.side):
            found[-1] = Run(last.result, last.side, (*last.totals, cell.total), last.chance + chance)
        else:
            found.append(Run(cell.result, cell.side, (cell.total,), chance))
    return tuple(found)
