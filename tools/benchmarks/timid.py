"""Benchmark of unnecessary questions: the share of dice that the reader asks about although its best guess is right.

Uses drawn and rendered dice in ordinary light, without a request. Results are by set and by doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.benchmarks.scores import is_best_guess_right, pair_dice, share
from tools.training.evaluate import ReaderCache, select_pictures
from tools.training.manifests import dice_in
from tools.training.rendered import MANIFEST
from tools.training.rendered_fates import read_as_watched, rows_of
from tools.training.throws import SETS, ThrowPlan, drawn_throws
from vision.decision.labels import ManifestError, TrueDie
from vision.decision.reader import Reader
from vision.dice_sets import DiceSetError
from vision.pictures import UnreadablePicture, load_picture, silence_opencv
from vision.roll import DieReading, Roll, Status

DICE = 500
"""Default number of drawn dice of each set."""

PLAN = ThrowPlan(seed=32_000_000)
"""Plan of the drawn throws. No other benchmark uses this seed."""

MOST_TIMID = 0.03
"""Maximum share of the dice."""

Found = tuple[Roll, Sequence[TrueDie]]


@dataclass(slots=True)
class QuestionCounts:
    """Counts of the dice of one or all sets, by the reason for the question and whether the best guess is right."""

    dice: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, roll: Roll, truth: Sequence[TrueDie]) -> None:
        """Count one throw."""
        self.dice += len(truth)
        for die, reading in zip(truth, pair_dice(truth, roll.dice), strict=True):
            doubt = doubt_of(roll, reading)
            if doubt is not None:
                self.asked[doubt] += 1
                self.right[doubt] += is_best_guess_right(die, reading)

    def figures(self) -> dict[str, Any]:
        """Return the scores. `timid`: dice asked about although the best guess is right, as a share of all dice."""
        return {
            "dice": self.dice,
            "asked": share(self.asked.total(), self.dice),
            "timid": share(self.right.total(), self.dice),
            "by_doubt": {
                doubt: {"asked": asked, "best_guess_right": self.right[doubt]}
                for doubt, asked in sorted(self.asked.items())
            },
        }


def doubt_of(roll: Roll, reading: DieReading | None) -> str | None:
    """Return why a die is asked about, or None for a die that is missing or certain.

    This is its own doubt, or the roll's last note if all dice are certain but the roll is asked about.
    """
    if reading is None:
        return None
    if reading.doubt is not None:
        return str(reading.doubt)
    if roll.status is Status.ASK and all(die.certain for die in roll.dice):
        return f"roll: {roll.notes[-1] if roll.notes else 'asked'}"
    return None


def measure(dice: int = DICE, rendered: Path | None = None) -> dict[str, Any]:
    """Run all measurements. `rendered`: a folder written by `python -m tools train rendered`.

    Its throws are read as with the product's camera, at lower exposure if a die is overexposed. Raises ManifestError.
    """
    silence_opencv()
    manifests = [] if rendered is None else sorted(rendered.glob(f"*/{MANIFEST}"))
    if rendered is not None and not manifests:
        raise ManifestError(f"{rendered}: no rendered pictures there")
    readers = ReaderCache()
    try:
        groups = {"drawn": {name: count(drawn_readings(readers.get(name), dice)) for name in SETS}}
        groups["rendered"] = {path.parent.name: count(watched(readers, path)) for path in manifests}
    except (DiceSetError, UnreadablePicture) as error:
        raise ManifestError(str(error)) from error
    whole = merge([timid for sets in groups.values() for timid in sets.values()]).figures()
    figures = {name: _group(sets) for name, sets in groups.items() if sets}
    return {**whole, **figures, "limits": {"timid": MOST_TIMID}, "kept": {"timid": whole["timid"] < MOST_TIMID}}


def drawn_readings(reader: Reader, dice: int) -> Iterator[Found]:
    """Yield readings of drawn throws with at least `dice` dice."""
    for picture, seen_dice in drawn_throws(reader.dice_set, PLAN):
        yield reader.read(picture), [seen.die for seen in seen_dice]
        dice -= len(seen_dice)
        if dice <= 0:
            return


def watched(readers: ReaderCache, manifest: Path) -> Iterator[Found]:
    """Yield readings of rendered throws. Raises ManifestError, DiceSetError, UnreadablePicture."""
    for labelled, (_, darker) in zip(select_pictures(manifest), rows_of(manifest), strict=True):
        picture = load_picture(labelled.path)
        roll = read_as_watched(readers.get(labelled.dice_set), picture, darker, None)
        yield roll, dice_in(labelled, picture.shape[1])


def count(found: Iterator[Found]) -> QuestionCounts:
    """Count all readings."""
    timid = QuestionCounts()
    for roll, truth in found:
        timid.add(roll, truth)
    return timid


def merge(parts: Sequence[QuestionCounts]) -> QuestionCounts:
    """Return the sum of the counts."""
    whole = QuestionCounts()
    for part in parts:
        whole.dice += part.dice
        whole.asked += part.asked
        whole.right += part.right
    return whole


def _group(sets: dict[str, QuestionCounts]) -> dict[str, Any]:
    return merge(list(sets.values())).figures() | {"sets": {name: timid.figures() for name, timid in sets.items()}}
