"""How often the reader asks about dice that it knows: those asked about whose best guess is right, of all dice.

Dice drawn and rendered in ordinary light, the number of dice not told; by set and by doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.benchmarks.scores import is_best_guess_right, paired, share
from tools.training.evaluate import Readers, chosen
from tools.training.manifests import dice_in
from tools.training.rendered import MANIFEST
from tools.training.rendered_fates import read_as_watched, rows_of
from tools.training.throws import SETS, ThrowPlan, drawn_throws
from vision.decision.labels import ManifestError, TrueDie
from vision.decision.reader import Reader
from vision.dice_sets import DiceSetError
from vision.pictures import UnreadablePicture, load_picture, quieten
from vision.roll import DieReading, Roll, Status

DICE = 500
"""Drawn dice of each set unless more are asked for."""

PLAN = ThrowPlan(seed=32_000_000)
"""No other measure has this seed."""

MOST_TIMID = 0.03
"""Share of the dice."""

Found = tuple[Roll, Sequence[TrueDie]]


@dataclass(slots=True)
class Timid:
    """Dice of one set, or of all, counted: by why they were asked about, and whether the best guess is right."""

    dice: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, roll: Roll, truth: Sequence[TrueDie]) -> None:
        """Counts one throw."""
        self.dice += len(truth)
        for die, reading in zip(truth, paired(truth, roll.dice), strict=True):
            doubt = doubt_of(roll, reading)
            if doubt is not None:
                self.asked[doubt] += 1
                self.right[doubt] += is_best_guess_right(die, reading)

    def figures(self) -> dict[str, Any]:
        """`timid`: dice asked about whose best guess is right, a share of all dice."""
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
    """Why a die is asked about: its own doubt or, where all dice are certain and the roll is asked about, the roll's
    last note. None for a die that is missing or certain."""
    if reading is None:
        return None
    if reading.doubt is not None:
        return str(reading.doubt)
    if roll.status is Status.ASK and all(die.certain for die in roll.dice):
        return f"roll: {roll.notes[-1] if roll.notes else 'asked'}"
    return None


def measure(dice: int = DICE, rendered: Path | None = None) -> dict[str, Any]:
    """Every figure. `rendered`: a folder that `python -m tools train rendered` has filled, each throw of it read as
    under the product's camera, in less light where a die is burnt out. Raises ManifestError."""
    quieten()
    manifests = [] if rendered is None else sorted(rendered.glob(f"*/{MANIFEST}"))
    if rendered is not None and not manifests:
        raise ManifestError(f"{rendered}: no rendered pictures there")
    readers = Readers()
    try:
        groups = {"drawn": {name: count(drawn(readers.of(name), dice)) for name in SETS}}
        groups["rendered"] = {path.parent.name: count(watched(readers, path)) for path in manifests}
    except (DiceSetError, UnreadablePicture) as error:
        raise ManifestError(str(error)) from error
    whole = summed([timid for sets in groups.values() for timid in sets.values()]).figures()
    figures = {name: _group(sets) for name, sets in groups.items() if sets}
    return {**whole, **figures, "limits": {"timid": MOST_TIMID}, "kept": {"timid": whole["timid"] < MOST_TIMID}}


def drawn(reader: Reader, dice: int) -> Iterator[Found]:
    """Readings of drawn throws until there were `dice`."""
    for picture, lying in drawn_throws(reader.dice_set, PLAN):
        yield reader.read(picture), [seen.die for seen in lying]
        dice -= len(lying)
        if dice <= 0:
            return


def watched(readers: Readers, manifest: Path) -> Iterator[Found]:
    """Readings of rendered throws. Raises ManifestError, DiceSetError, UnreadablePicture."""
    for labelled, (_, darker) in zip(chosen(manifest), rows_of(manifest), strict=True):
        picture = load_picture(labelled.path)
        roll = read_as_watched(readers.of(labelled.dice_set), picture, darker, None)
        yield roll, dice_in(labelled, picture.shape[1])


def count(found: Iterator[Found]) -> Timid:
    """All of them."""
    timid = Timid()
    for roll, truth in found:
        timid.add(roll, truth)
    return timid


def summed(parts: Sequence[Timid]) -> Timid:
    """Their dice together."""
    whole = Timid()
    for part in parts:
        whole.dice += part.dice
        whole.asked += part.asked
        whole.right += part.right
    return whole


def _group(sets: dict[str, Timid]) -> dict[str, Any]:
    return summed(list(sets.values())).figures() | {"sets": {name: timid.figures() for name, timid in sets.items()}}
