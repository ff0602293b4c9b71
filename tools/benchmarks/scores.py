"""How right readings are: dice matched by place, tallies, shares, and the bounds that a sample of that size allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log, log1p

import numpy as np

from vision.decision.labels import Outcome, TrueDie, is_same, outcome
from vision.roll import Box, DieReading, Roll

FATES = ("right", "asked", "wrong", "missed")
"""What may become of a true die (`fate`)."""

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


def paired(truth: Sequence[TrueDie], dice: Sequence[DieReading]) -> list[DieReading | None]:
    """For each true die its reading: by place where all have boxes, else by face, those that are certain first."""
    if all(die.box is not None for die in truth):
        return matched(truth, dice)
    found: list[DieReading | None] = [None] * len(truth)
    left = sorted(dice, key=lambda reading: not reading.certain)
    for by_face in (True, False):
        for place, die in enumerate(truth):
            fits = [i for i, reading in enumerate(left) if not by_face or reading.face == die.face]
            if found[place] is None and fits:
                found[place] = left.pop(fits[0])
    return found


def is_best_guess_right(die: TrueDie, reading: DieReading | None) -> bool:
    """True if the reading names the true face and, where the truth names one, the kind, certain or not."""
    return reading is not None and reading.face == die.face and die.kind in (None, reading.kind)


def fate(die: TrueDie, reading: DieReading | None) -> str:
    """What became of one true die: `right` and `wrong` with certainty, `asked`, or `missed`."""
    if reading is None:
        return "missed"
    if not reading.certain:
        return "asked"
    return "right" if is_best_guess_right(die, reading) else "wrong"


@dataclass(slots=True)
class Tally:
    """Pictures and dice of one source, counted.

    `values_right` of `found` dice show the face that was read, whether asked about or not; `found` of `true` dice were
    found at all, `said` are the readings, `dice_best` the dice whose best guess is right (face and kind), `fates` what
    became of each. For pictures without boxes dice are paired by what they show. A picture that was not read (`error`)
    says nothing of a reader: it is counted apart, and no share is taken of it.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    best: int = 0
    dice_best: int = 0
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
        readings = paired(truth, roll.dice)
        for die, reading in zip(truth, readings, strict=True):
            self.fates[fate(die, reading)] += 1
            self.found += reading is not None
            self.values_right += reading is not None and reading.face == die.face
            self.dice_best += is_best_guess_right(die, reading)
        placed = {id(reading) for reading in readings}
        self.false_certain += sum(die.certain and id(die) not in placed for die in roll.dice)
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
            **{f"dice_{name}": share(self.fates[name], self.true) for name in FATES},
            "dice_best_guess_right": share(self.dice_best, self.true),
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
