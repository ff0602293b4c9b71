"""Evaluate the shipped reader on labelled photographs.

`python -m tools train evaluate MANIFEST [--curve] [--wrong] [--json]`.

Prints for each source, and as a mean over the sources, the share of images that are read exactly, wrong although
certain, or asked about, the share whose best guess is right, the share of dice that are found, and the share of found
dice that are read correctly.
"""

from __future__ import annotations

import argparse
import collections
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tools.benchmarks.scores import DIE_OUTCOMES, ReadingTally, mean
from tools.training.manifests import dice_in, load_checked
from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie, outcome_of
from vision.decision.reader import Reader, Thresholds
from vision.pictures import UnreadablePicture, load_picture, silence_opencv
from vision.roll import DieReading, Doubt, Roll, RollRequest, Status

THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
"""Points of the curve: minimum probability of a face to be certain."""

MEANS = (
    *("exact", "wrong", "asked", "best_guess_right", "found", "of_said_dice", "value_right_when_found"),
    *(f"dice_{name}" for name in (*DIE_OUTCOMES, "best_guess_right")),
)


@dataclass(frozen=True, slots=True)
class Read:
    """A photograph with its true dice (boxes in its pixels), its roll, and its roll with every face accepted."""

    labelled: Labelled
    truth: tuple[TrueDie, ...]
    roll: Roll
    lenient: Roll | None


class ReaderCache:
    """A cache of readers, one for each dice set of a manifest, created on demand."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._strictness = thresholds
        self._made: dict[str, Reader] = {}

    def get(self, dice_set: str) -> Reader:
        """Return the reader of a dice set. Raises DiceSetError."""
        if dice_set not in self._made:
            self._made[dice_set] = Reader(dice_sets.load(dice_set), thresholds=self._strictness)
        return self._made[dice_set]


def recorded_request(labelled: Labelled) -> RollRequest | None:
    """Return the request that was active when the image was taken, according to its manifest."""
    return labelled.request


def read_all(
    pictures: Sequence[Labelled],
    curve: bool,
    on_error: Callable[[str], None],
    request_of: Callable[[Labelled], RollRequest | None] = recorded_request,
) -> list[Read]:
    """Read every photograph, and with `curve` once more with every face accepted.

    `request_of` returns the request for the reader. An image that cannot be opened is reported to `on_error` and counts
    as an error.

    Raises DiceSetError.
    """
    usual, lenient = ReaderCache(), ReaderCache(replace(Thresholds(), sure=0.0))
    done = []
    for labelled in pictures:
        try:
            picture = load_picture(labelled.path)
        except UnreadablePicture as error:
            on_error(str(error))
            done.append(Read(labelled, labelled.dice, Roll(Status.ERROR), None))
            continue
        request = request_of(labelled)
        roll = usual.get(labelled.dice_set).read(picture, request)
        second = lenient.get(labelled.dice_set).read(picture, request) if curve else None
        done.append(Read(labelled, dice_in(labelled, picture.shape[1]), roll, second))
    return done


def with_min_confidence(roll: Roll, min_confidence: float) -> Roll:
    """Return the roll with faces less likely than `min_confidence` marked as doubtful.

    The checks against the request stay unchanged.
    """
    dice = tuple(_doubted(die) if die.certain and die.confidence < min_confidence else die for die in roll.dice)
    asked = roll.status is Status.OK and not all(die.certain for die in dice)
    return replace(roll, status=Status.ASK if asked else roll.status, dice=dice)


def _doubted(die: DieReading) -> DieReading:
    return replace(die, doubt=Doubt.FACE)


def by_source(done: Sequence[Read], roll_of: Callable[[Read], Roll] = lambda read: read.roll) -> dict[str, Any]:
    """Return the scores of each source and their mean, with equal weight for each source."""
    tallies: dict[str, ReadingTally] = collections.defaultdict(ReadingTally)
    for read in done:
        tallies[read.labelled.source].add(roll_of(read), read.truth)
    rows = {source: tally.shares() for source, tally in sorted(tallies.items())}
    return {"sources": rows, "mean": mean(rows.values(), MEANS)}


def curve_of(done: Sequence[Read]) -> list[dict[str, float | None]]:
    """Return wrong and asked shares (means of the sources) for each point of the curve, from lenient to strict."""
    points: list[dict[str, float | None]] = []
    for sure in THRESHOLDS:
        shares = by_source(done, partial(_at, sure))["mean"]
        points.append({"sure": sure} | {name: shares[name] for name in ("wrong", "asked", "exact")})
    return points


def _at(sure: float, read: Read) -> Roll:
    return with_min_confidence(read.lenient or read.roll, sure)


def select_pictures(manifest: Path, part: str = "") -> list[Labelled]:
    """Return the images of a manifest whose source name contains `part`. Raises ManifestError."""
    pictures = [labelled for labelled in load_checked(manifest) if part in labelled.source]
    if not pictures:
        raise ManifestError(f"{manifest}: no pictures" + (f" of a source with {part!r} in its name" if part else ""))
    return pictures


def main() -> None:
    """Parse the arguments and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--source", default="", help="only sources with this in their names")
    parser.add_argument("--curve", action="store_true", help="wrong against asked for other thresholds")
    parser.add_argument("--wrong", action="store_true", help="list what was not read exactly")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    args = parser.parse_args()
    silence_opencv()
    try:
        done = read_all(select_pictures(args.manifest, args.source), args.curve, print)
    except (ManifestError, dice_sets.DiceSetError) as error:
        parser.error(str(error))
    figures = by_source(done)
    points = curve_of(done) if args.curve else []
    if args.json:
        print(json.dumps(figures | ({"curve": points} if args.curve else {})))
        return
    _print_figures(figures)
    if args.wrong:
        _print_wrong(done)
    for point in points:
        print(" ".join(f"{name} {_format_figure(name, figure)}" for name, figure in point.items()))


def _print_figures(figures: dict[str, Any]) -> None:
    for source, row in (*figures["sources"].items(), ("mean", figures["mean"])):
        print(f"{source:40}", " ".join(f"{name} {_format_figure(name, figure)}" for name, figure in row.items()))


def _print_wrong(done: Iterable[Read]) -> None:
    """Print the images that were not read exactly."""
    for read in done:
        if (came_to := outcome_of(read.roll, read.truth)) != "exact":
            wanted, got = (sorted(str(die.face) for die in dice) for dice in (read.truth, read.roll.dice))
            print(came_to, read.labelled.image, wanted, got, [str(die.doubt) for die in read.roll.dice if die.doubt])


def _format_figure(name: str, figure: float | None) -> str:
    if figure is None:
        return "-"
    return f"{figure:g}" if isinstance(figure, int) or name == "sure" else f"{100 * figure:.1f}%"


if __name__ == "__main__":
    main()
