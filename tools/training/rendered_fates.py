"""Count the outcome of every die in labelled images.

`python -m tools train rendered_fates MANIFEST ... [--awaited] [--dims] [--save FOLDER]`.

Prints one JSON object for each source: whole images, and dice that were right, asked about, wrong although certain, or
missed, also by kind and by the manifest's tags. `--save` saves an enlarged crop of each die that was not right; its
name gives the true and the read face. With `--awaited` the reader gets the true number of dice of each kind as its
request, as in a game. With `--dims` images with overexposed dice are read again at lower exposure if the manifest lists
`darker` images, as with the product's camera (`vision.watching.watcher`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tools.benchmarks.scores import DIE_OUTCOMES, die_outcome, match_by_position, share
from tools.training.evaluate import ReaderCache
from tools.training.manifests import dice_in, load_checked
from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie, outcome_of
from vision.detection.exposure import is_overexposed
from vision.pictures import Picture, UnreadablePicture, load_picture, silence_opencv
from vision.roll import Box, DieReading, Roll, RollRequest
from vision.watching.watcher import DiceReader

_CROP = 192


@dataclass(slots=True)
class OutcomeCounts:
    """Counts of the dice and images of one source."""

    pictures: Counter[str] = field(default_factory=Counter)
    dice: Counter[str] = field(default_factory=Counter)
    by_group: dict[str, Counter[str]] = field(default_factory=dict)
    best: int = 0
    false_certain: int = 0
    false_asked: int = 0

    def add(self, roll: Roll, truth: Sequence[TrueDie], tags: Iterable[str]) -> list[tuple[TrueDie, DieReading | None]]:
        """Count an image whose dice all have boxes. Return the dice that were not right, with their readings."""
        readings = match_by_position(truth, roll.dice)
        self.pictures[outcome_of(roll, tuple(truth))] += 1
        placed = {id(reading) for reading in readings}
        strays = [die for die in roll.dice if id(die) not in placed]
        self.false_certain += sum(die.certain for die in strays)
        self.false_asked += sum(not die.certain for die in strays)
        bad = []
        for die, reading in zip(truth, readings, strict=True):
            came_to = die_outcome(die, reading)
            self.dice[came_to] += 1
            self.best += reading is not None and reading.face == die.face
            for name in (die.kind or "?", *tags):
                self.by_group.setdefault(name, Counter())[came_to] += 1
            if came_to != "right":
                bad.append((die, reading))
        return bad

    def figures(self) -> dict[str, Any]:
        """Return counts of images and shares of dice."""
        return {
            "pictures": dict(self.pictures),
            **_row(self.dice),
            "best_guess_right": share(self.best, self.dice.total()),
            "false_certain": self.false_certain,
            "false_asked": self.false_asked,
            "by": {name: _row(counts) for name, counts in sorted(self.by_group.items())},
        }


def _row(counts: Counter[str]) -> dict[str, float | int | None]:
    return {"dice": counts.total()} | {name: share(counts[name], counts.total()) for name in DIE_OUTCOMES}


def rows_of(manifest: Path) -> Iterator[tuple[tuple[str, ...], list[Path]]]:
    """Yield the tags of each image of a manifest, in its order, with the paths of its darker exposures."""
    for line in manifest.read_text("utf-8-sig").split("\n"):
        if line.strip():
            row = json.loads(line)
            darker = [manifest.parent / str(name) for name in row.get("darker") or ()]
            yield tuple(str(tag) for tag in row.get("tags") or ()), darker


def read_as_watched(reader: DiceReader, picture: Picture, darker: Iterable[Path], request: RollRequest | None) -> Roll:
    """Return the roll of the first exposure without overexposed dice, or of the darkest one.

    Raises UnreadablePicture.
    """
    roll = reader.read(picture, request)
    for path in darker:
        if not is_overexposed(picture, roll.dice):
            break
        picture = load_picture(path)
        roll = reader.read(picture, request)
    return roll


def request_of(labelled: Labelled) -> RollRequest:
    """Return a request for exactly the dice in the image."""
    return RollRequest(labelled.dice_set, tuple(Counter(die.kind or "any" for die in labelled.dice).items()))


def crop_of(picture: Picture, box: Box) -> Picture:
    """Return an enlarged crop of a die with its surroundings."""
    x, y, reach = box[0] + box[2] / 2, box[1] + box[3] / 2, 0.75 * max(box[2], box[3])
    matrix = np.array([[_CROP / 2 / reach, 0, _CROP / 2 * (1 - x / reach)], [0, 0, 0]])
    matrix[1] = [0, _CROP / 2 / reach, _CROP / 2 * (1 - y / reach)]
    return np.asarray(cv2.warpAffine(picture, matrix, (_CROP, _CROP), flags=cv2.INTER_CUBIC), np.uint8)


def _reading_name(reading: DieReading | None) -> str:
    if reading is None:
        return "missed"
    return f"{reading.kind}_{reading.face}" + ("" if reading.certain else f"_{reading.doubt}")


def measure(manifest: Path, *, awaited: bool, dims: bool = False, save: Path | None = None) -> dict[str, OutcomeCounts]:
    """Read every image of a manifest. Raises ManifestError, DiceSetError, UnreadablePicture."""
    readers, sources = ReaderCache(), dict[str, OutcomeCounts]()
    for labelled, (tags, darker) in zip(load_checked(manifest), rows_of(manifest), strict=True):
        picture = load_picture(labelled.path)
        request = request_of(labelled) if awaited else labelled.request
        roll = read_as_watched(readers.get(labelled.dice_set), picture, darker if dims else (), request)
        truth = dice_in(labelled, picture.shape[1])
        bad = sources.setdefault(labelled.source, OutcomeCounts()).add(roll, truth, tags)
        for number, (die, reading) in enumerate(bad if save is not None else ()):
            came_to = f"{die_outcome(die, reading)}_{labelled.dice_set}_{labelled.path.stem}_{number}"
            name = f"{came_to}_{die.kind}_{die.face}_as_{_reading_name(reading)}.png".replace(" ", "-").replace(
                "/", "-"
            )
            cv2.imwrite(str((save or manifest.parent) / name), crop_of(picture, die.box or (0, 0, 1, 1)))
    return sources


def main() -> None:
    """Parse the arguments and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifests", type=Path, nargs="+")
    parser.add_argument("--awaited", action="store_true", help="tells the reader how many dice of each kind are due")
    parser.add_argument("--dims", action="store_true", help="reads what is burnt out again in less light")
    parser.add_argument("--save", type=Path, help="folder for crops of the dice that were not right")
    args = parser.parse_args()
    silence_opencv()
    if args.save:
        args.save.mkdir(parents=True, exist_ok=True)
    try:
        for manifest in args.manifests:
            for source, fates in measure(manifest, awaited=args.awaited, dims=args.dims, save=args.save).items():
                print(json.dumps({"source": source} | fates.figures(), ensure_ascii=False), flush=True)
    except (ManifestError, dice_sets.DiceSetError, UnreadablePicture) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
