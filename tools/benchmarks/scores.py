"""Scores of readings: dice matched by position, tallies, shares, and confidence bounds for the sample size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log, log1p

import numpy as np

from vision.decision.labels import Outcome, TrueDie, matches_truth, outcome_of
from vision.roll import Box, DieReading, Roll

DIE_OUTCOMES = ("right", "asked", "wrong", "missed")
"""Possible outcomes of a true die (`die_outcome`)."""

CONFIDENCE = 0.95
"""Confidence of the bounds, one-sided."""


def upper_confidence_bound(hits: int, total: int) -> float:
    """Return the upper 95 % confidence bound of a share with `hits` out of `total` (Clopper and Pearson 1934,
    one-sided).

    Without hits it is about 3 / `total`, the rule of three. 1.0 for an empty sample.
    """
    if hits >= total:
        return 1.0
    k = np.arange(hits + 1)
    ways = np.cumsum(np.log((total - k + 1) / np.maximum(k, 1))) - log(
        total + 1
    )  # logarithms of the binomial coefficients
    low, high = hits / total, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        at_most = float(np.exp(ways + k * log(middle) + (total - k) * log1p(-middle)).sum())
        low, high = (middle, high) if at_most > 1 - CONFIDENCE else (low, middle)
    return high


def lower_confidence_bound(hits: int, total: int) -> float:
    """Return the lower 95 % confidence bound of a share with `hits` out of `total`."""
    return 1.0 - upper_confidence_bound(total - hits, total) if total else 0.0


def match_by_position(truth: Sequence[TrueDie], dice: Sequence[DieReading]) -> list[DieReading | None]:
    """Return for each true die (all with boxes) the reading at its position, or None. Each reading is used once."""
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
    """Return the distance of the centres of two boxes relative to the longer side of the larger one."""
    x = one[0] + one[2] / 2 - other[0] - other[2] / 2
    y = one[1] + one[3] / 2 - other[1] - other[3] / 2
    return float((x * x + y * y) ** 0.5 / max(*one[2:], *other[2:], 1.0))


def pair_dice(truth: Sequence[TrueDie], dice: Sequence[DieReading]) -> list[DieReading | None]:
    """Return the reading of each true die: by position if all have boxes, else by face, certain readings first."""
    if all(die.box is not None for die in truth):
        return match_by_position(truth, dice)
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


def die_outcome(die: TrueDie, reading: DieReading | None) -> str:
    """Return the outcome of one true die: certain and `right` or `wrong`, `asked`, or `missed`."""
    if reading is None:
        return "missed"
    if not reading.certain:
        return "asked"
    return "right" if is_best_guess_right(die, reading) else "wrong"


@dataclass(slots=True)
class ReadingTally:
    """Counts of the images and dice of one source.

    - `true_dice`: true dice. `found`: true dice that were found. `readings`: readings.
    - `values_right`: found dice whose face was read correctly, asked about or not.
    - `dice_best_guess_right`: dice whose best guess (face and kind) is right.
    - `die_outcomes`: outcomes of the dice.
    - `error`: images that could not be read. They are counted separately and are not part of any share.

    In images without boxes, dice are paired by face.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    die_outcomes: Counter[str] = field(default_factory=Counter)
    best_guess_right: int = 0
    dice_best_guess_right: int = 0
    true_dice: int = 0
    readings: int = 0
    found: int = 0
    values_right: int = 0
    false_certain: int = 0

    @property
    def pictures(self) -> int:
        """Return the number of images that were read."""
        return self.outcomes.total() - self.outcomes["error"]

    def add(self, roll: Roll, truth: tuple[TrueDie, ...]) -> Outcome:
        """Count one reading."""
        came_to = outcome_of(roll, truth)
        self.outcomes[came_to] += 1
        if came_to == "error":
            return came_to
        self.best_guess_right += matches_truth(truth, roll.dice)
        self.true_dice += len(truth)
        self.readings += len(roll.dice)
        readings = pair_dice(truth, roll.dice)
        for die, reading in zip(truth, readings, strict=True):
            self.die_outcomes[die_outcome(die, reading)] += 1
            self.found += reading is not None
            self.values_right += reading is not None and reading.face == die.face
            self.dice_best_guess_right += is_best_guess_right(die, reading)
        placed = {id(reading) for reading in readings}
        self.false_certain += sum(die.certain and id(die) not in placed for die in roll.dice)
        return came_to

    def shares(self) -> dict[str, float | int | None]:
        """Return the shares of the images and of the dice."""
        return {
            "pictures": self.pictures,
            "not_read": self.outcomes["error"],
            **{name: share(self.outcomes[name], self.pictures) for name in ("exact", "wrong", "asked")},
            "best_guess_right": share(self.best_guess_right, self.pictures),
            "dice": self.true_dice,
            "found": share(self.found, self.true_dice),
            "of_said_dice": share(self.found, self.readings),
            "value_right_when_found": share(self.values_right, self.found),
            **{f"dice_{name}": share(self.die_outcomes[name], self.true_dice) for name in DIE_OUTCOMES},
            "dice_best_guess_right": share(self.dice_best_guess_right, self.true_dice),
            "false_certain_dice": self.false_certain,
        }


def share(part: int, whole: int) -> float | None:
    """Return a share rounded to four places, or None if `whole` is zero."""
    return round(part / whole, 4) if whole else None


def mean(rows: Iterable[dict[str, float | int | None]], names: Sequence[str]) -> dict[str, float | None]:
    """Return the mean of the sources with equal weight. A source without a value is left out of that mean."""
    given = list(rows)
    figures: dict[str, float | None] = {}
    for name in names:
        found = [figure for row in given if (figure := row.get(name)) is not None]
        figures[name] = round(sum(found) / len(found), 4) if found else None
    return figures
