"""How right readings are: dice matched by place, tallies, shares, and the bounds that a sample of that size allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log, log1p

import numpy as np

from vision.decision.labels import Outcome, TrueDie, is_same, outcome
from vision.roll import Box, DieReading, Roll

CONFIDENCE = 0.95
"""Of the bounds, one-sided."""


def most_likely_share(hits: int, of: int) -> float:
    """The largest share that `hits` out of `of` still allow with 95 % confidence (Clopper and Pearson 1934, one-sided).

    For no hits it is about 3 / `of`, the rule of three. 1.0 for a sample of none.
    """
    if hits >= of:
        return 1.0
    k = np.arange(hits + 1)
    ways = np.cumsum(np.log((of - k + 1) / np.maximum(k, 1))) - log(of + 1)  # logarithms of `of` over k
    low, high = hits / of, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        at_most = float(np.exp(ways + k * log(middle) + (of - k) * log1p(-middle)).sum())
        low, high = (middle, high) if at_most > 1 - CONFIDENCE else (low, middle)
    return high


def least_likely_share(hits: int, of: int) -> float:
    """The smallest share that `hits` out of `of` still allow with 95 % confidence."""
    return 1.0 - most_likely_share(of - hits, of) if of else 0.0


def matched(truth: Sequence[TrueDie], dice: Sequence[DieReading]) -> list[DieReading | None]:
    """For each true die (all with boxes) the reading in its place, None if it was not found; each reading once."""
    found: list[DieReading | None] = [None] * len(truth)
    pairs = sorted(
        (gap, place, index)
        for place, die in enumerate(truth)
        for index, reading in enumerate(dice)
        if die.box is not None and (gap := _gap(die.box, reading.box)) < 0.6
    )
    taken: set[int] = set()
    for _, place, index in pairs:
        if found[place] is None and index not in taken:
            found[place] = dice[index]
            taken.add(index)
    return found


def _gap(one: Box, other: Box) -> float:
    """How far apart the middles of two boxes lie, in sides of the larger one."""
    x = one[0] + one[2] / 2 - other[0] - other[2] / 2
    y = one[1] + one[3] / 2 - other[1] - other[3] / 2
    return float((x * x + y * y) ** 0.5 / max(*one[2:], *other[2:], 1.0))


def fate(die: TrueDie, reading: DieReading | None) -> str:
    """What became of one true die: `right` and `wrong` with certainty, `asked`, or `missed`."""
    if reading is None:
        return "missed"
    if not reading.certain:
        return "asked"
    return "right" if reading.face == die.face and die.kind in (None, reading.kind) else "wrong"


@dataclass(slots=True)
class Tally:
    """Pictures and dice of one source, counted.

    `values_right` of `values` are dice found and read right whether asked about or not; `found` of `true` dice were
    found at all, `said` are the readings. For pictures without boxes dice are paired by what they show. A picture that
    was not read (`error`) says nothing of a reader: it is counted apart, and no share is taken of it.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    best: int = 0
    true: int = 0
    said: int = 0
    found: int = 0
    values_right: int = 0
    false_certain: int = 0

    @property
    def pictures(self) -> int:
        """Those that were read."""
        return self.outcomes.total() - self.outcomes["error"]

    def add(self, roll: Roll, truth: tuple[TrueDie, ...]) -> Outcome:
        """Counts one reading."""
        came_to = outcome(roll, truth)
        self.outcomes[came_to] += 1
        if came_to == "error":
            return came_to
        self.best += is_same(truth, roll.dice)
        self.true += len(truth)
        self.said += len(roll.dice)
        if all(die.box is not None for die in truth):
            pairs = list(zip(truth, matched(truth, roll.dice), strict=True))
            self.found += sum(reading is not None for _, reading in pairs)
            self.values_right += sum(reading is not None and reading.face == die.face for die, reading in pairs)
            placed = {id(reading) for _, reading in pairs}
            self.false_certain += sum(die.certain and id(die) not in placed for die in roll.dice)
        else:
            self.found += min(len(truth), len(roll.dice))
            faces = Counter(die.face for die in truth) & Counter(die.face for die in roll.dice)
            self.values_right += faces.total()
            self.false_certain += max(0, sum(die.certain for die in roll.dice) - len(truth))
        return came_to

    def shares(self) -> dict[str, float | int | None]:
        """As figures: shares of the pictures, and of the dice."""
        return {
            "pictures": self.pictures,
            "not_read": self.outcomes["error"],
            **{name: share(self.outcomes[name], self.pictures) for name in ("exact", "wrong", "asked")},
            "best_guess_right": share(self.best, self.pictures),
            "dice": self.true,
            "found": share(self.found, self.true),
            "of_said_dice": share(self.found, self.said),
            "value_right_when_found": share(self.values_right, self.found),
            "false_certain_dice": self.false_certain,
        }


def share(part: int, whole: int) -> float | None:
    """A share to four places, None of nothing."""
    return round(part / whole, 4) if whole else None


def mean(rows: Iterable[dict[str, float | int | None]], names: Sequence[str]) -> dict[str, float | None]:
    """Sources count equally; one that cannot say a figure is left out of it."""
    given = list(rows)
    figures: dict[str, float | None] = {}
    for name in names:
        found = [figure for row in given if (figure := row.get(name)) is not None]
        figures[name] = round(sum(found) / len(found), 4) if found else None
    return figures
