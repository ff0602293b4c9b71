"""Counts what becomes of every die of labelled pictures: `python -m tools train rendered_fates MANIFEST ...
[--awaited] [--dims] [--save FOLDER]`.

One JSON object a source: whole pictures, dice that were right, asked about, wrong though certain or missed, also by
kind and by the manifest's tags. `--save` keeps an enlarged crop of each die that was not right; its name says what it
is and what it was read as. With `--awaited` the reader is told how many dice of each kind lie there, as by a game. With
`--dims` pictures with dice that are burnt out are read again in less light where the manifest names some `darker` ones,
as under the product's camera (`vision.watching.watcher`).
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

from tools.benchmarks.scores import FATES, fate, matched, share
from tools.training.evaluate import Readers
from tools.training.manifests import dice_in, load_checked
from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie, outcome
from vision.detection.exposure import is_overexposed
from vision.pictures import Picture, UnreadablePicture, load_picture, quieten
from vision.roll import Box, DieReading, Roll, RollRequest
from vision.watching.watcher import ReadsDice

_CROP = 192


@dataclass(slots=True)
class Fates:
    """The dice and pictures of one source, counted."""

    pictures: Counter[str] = field(default_factory=Counter)
    dice: Counter[str] = field(default_factory=Counter)
    by: dict[str, Counter[str]] = field(default_factory=dict)
    best: int = 0
    false_certain: int = 0
    false_asked: int = 0

    def add(self, roll: Roll, truth: Sequence[TrueDie], tags: Iterable[str]) -> list[tuple[TrueDie, DieReading | None]]:
        """Counts a picture, whose dice all have boxes; gives those that were not right, with how they were read."""
        readings = matched(truth, roll.dice)
        self.pictures[outcome(roll, tuple(truth))] += 1
        placed = {id(reading) for reading in readings}
        strays = [die for die in roll.dice if id(die) not in placed]
        self.false_certain += sum(die.certain for die in strays)
        self.false_asked += sum(not die.certain for die in strays)
        bad = []
        for die, reading in zip(truth, readings, strict=True):
            came_to = fate(die, reading)
            self.dice[came_to] += 1
            self.best += reading is not None and reading.face == die.face
            for name in (die.kind or "?", *tags):
                self.by.setdefault(name, Counter())[came_to] += 1
            if came_to != "right":
                bad.append((die, reading))
        return bad

    def figures(self) -> dict[str, Any]:
        """Counts of pictures, shares of dice."""
        return {
            "pictures": dict(self.pictures),
            **_row(self.dice),
            "best_guess_right": share(self.best, self.dice.total()),
            "false_certain": self.false_certain,
            "false_asked": self.false_asked,
            "by": {name: _row(counted) for name, counted in sorted(self.by.items())},
        }


def _row(counted: Counter[str]) -> dict[str, float | int | None]:
    return {"dice": counted.total()} | {name: share(counted[name], counted.total()) for name in FATES}


def rows_of(manifest: Path) -> Iterator[tuple[tuple[str, ...], list[Path]]]:
    """The tags of each picture of a manifest, in its order, and the same pictures in less and less light."""
    for line in manifest.read_text("utf-8-sig").split("\n"):
        if line.strip():
            row = json.loads(line)
            darker = [manifest.parent / str(name) for name in row.get("darker") or ()]
            yield tuple(str(tag) for tag in row.get("tags") or ()), darker


def read_as_watched(reader: ReadsDice, picture: Picture, darker: Iterable[Path], request: RollRequest | None) -> Roll:
    """What is read once no die is burnt out any more, or in the least light. Raises UnreadablePicture."""
    roll = reader.read(picture, request)
    for path in darker:
        if not is_overexposed(picture, roll.dice):
            break
        picture = load_picture(path)
        roll = reader.read(picture, request)
    return roll


def request_of(labelled: Labelled) -> RollRequest:
    """As if a game awaited just what lies there."""
    return RollRequest(labelled.dice_set, tuple(Counter(die.kind or "any" for die in labelled.dice).items()))


def crop_of(picture: Picture, box: Box) -> Picture:
    """A die with what is about it, enlarged."""
    x, y, reach = box[0] + box[2] / 2, box[1] + box[3] / 2, 0.75 * max(box[2], box[3])
    matrix = np.array([[_CROP / 2 / reach, 0, _CROP / 2 * (1 - x / reach)], [0, 0, 0]])
    matrix[1] = [0, _CROP / 2 / reach, _CROP / 2 * (1 - y / reach)]
    return np.asarray(cv2.warpAffine(picture, matrix, (_CROP, _CROP), flags=cv2.INTER_CUBIC), np.uint8)


def _said(reading: DieReading | None) -> str:
    if reading is None:
        return "missed"
    return f"{reading.kind}_{reading.face}" + ("" if reading.certain else f"_{reading.doubt}")


def measure(manifest: Path, *, awaited: bool, dims: bool = False, save: Path | None = None) -> dict[str, Fates]:
    """Reads every picture of a manifest. Raises ManifestError, DiceSetError, UnreadablePicture."""
    readers, sources = Readers(), dict[str, Fates]()
    for labelled, (tags, darker) in zip(load_checked(manifest), rows_of(manifest), strict=True):
        picture = load_picture(labelled.path)
        request = request_of(labelled) if awaited else labelled.request
        roll = read_as_watched(readers.of(labelled.dice_set), picture, darker if dims else (), request)
        truth = dice_in(labelled, picture.shape[1])
        bad = sources.setdefault(labelled.source, Fates()).add(roll, truth, tags)
        for number, (die, reading) in enumerate(bad if save is not None else ()):
            came_to = f"{fate(die, reading)}_{labelled.dice_set}_{labelled.path.stem}_{number}"
            name = f"{came_to}_{die.kind}_{die.face}_as_{_said(reading)}.png".replace(" ", "-").replace("/", "-")
            cv2.imwrite(str((save or manifest.parent) / name), crop_of(picture, die.box or (0, 0, 1, 1)))
    return sources


def main() -> None:
    """Reads the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifests", type=Path, nargs="+")
    parser.add_argument("--awaited", action="store_true", help="tells the reader how many dice of each kind are due")
    parser.add_argument("--dims", action="store_true", help="reads what is burnt out again in less light")
    parser.add_argument("--save", type=Path, help="folder for crops of the dice that were not right")
    args = parser.parse_args()
    quieten()
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
