"""The commands `read`, `read --regressions` and `watch`: readings as JSON lines (docs/CONTRACT.md)."""

from __future__ import annotations

import functools
import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TextIO

from vision import dice_sets
from vision.cameras.protocol import CameraLost, SourceError
from vision.cameras.sources import camera_of
from vision.classification.face_probabilities import class_of
from vision.decision import explain as explaining
from vision.decision.labels import Labelled, ManifestError, check_names, load_lines, outcome
from vision.decision.reader import Reader
from vision.dice_sets import DiceSet
from vision.pictures import UnreadablePicture, load_picture, quieten
from vision.roll import DieReading, Roll, RollRequest, Status
from vision.watching.watcher import watch


def die_object(die: DieReading) -> dict[str, object]:
    """One die as it is printed."""
    return {
        "kind": die.kind,
        "value": die.face.value,
        "colour": die.face.colour,
        "symbol": die.face.symbol,
        "body": die.body,
        "box": [round(part, 1) for part in die.box],
        "confidence": round(die.confidence, 4),
        "doubt": None if die.doubt is None else str(die.doubt),
    }


def roll_object(roll: Roll) -> dict[str, object]:
    """Status, dice and time of a reading; with `t` and `again` where they apply (`watch`)."""
    line: dict[str, object] = {} if roll.t is None else {"t": round(roll.t, 3)}
    line |= {"status": str(roll.status), "dice": [die_object(die) for die in roll.dice], "ms": round(roll.ms, 1)}
    if roll.notes:
        line["notes"] = [str(note) for note in roll.notes]
    if roll.again:
        line["again"] = True
    return line


def line_of(shown: dict[str, object]) -> str:
    """One line of output, in ASCII: a file's name may hold what the terminal's encoding, or UTF-8, cannot write."""
    return json.dumps(shown, ensure_ascii=True)


def awaiting(dice_set: str, count: int | None) -> RollRequest | None:
    """The request behind `--count`: so many dice of any kind."""
    return None if count is None else RollRequest(dice_set, (("any", count),))


def warn_of_strange_faces(dice_set: DiceSet, err: TextIO) -> None:
    """Says which faces of a set nobody taught the reader: dice that show one are asked about."""
    for kind in dice_set.kinds:
        for number, face in enumerate(kind.faces, 1):
            if class_of(kind, face) is None:
                shown = f"{dice_set.name}: [kinds.{kind.name}] faces, number {number}: {face}"
                print(f"{shown}: the reader does not know it, and will ask about a die that shows it", file=err)


def run_read(
    images: Sequence[str], dice_set_name: str, count: int | None, out: TextIO, err: TextIO, explain: Path | None = None
) -> int:
    """Reads pictures in the order given, one JSON line each, flushed; gives the exit status of the command.

    `explain` is a folder for a picture of each reading's stages. 0: all done. 1: some could not be opened, or not
    explained (said on `err`). 2: the dice set is unknown or wrong, or the folder cannot be written.
    """
    quieten()
    try:
        known = dice_sets.load(dice_set_name)
        warn_of_strange_faces(known, err)
        reader = Reader(known)
        if explain is not None:
            explaining.prepare(explain)
    except dice_sets.DiceSetError as error:
        print(error, file=err)
        return 2
    except OSError as error:
        print(f"{explain}: {error.strerror}", file=err)
        return 2
    request = awaiting(dice_set_name, count)
    failed = False
    taken = set() if explain is None else explaining.names_in(explain, images)
    for image in images:
        roll = Roll(Status.ERROR)
        try:
            picture = load_picture(image)
            if explain is None:
                roll = reader.read(picture, request)
            else:
                roll, shown = explaining.explained(reader, picture, request, image)
                explaining.save(explain, image, shown, taken)
        except UnreadablePicture as error:
            print(error, file=err, flush=True)
            failed = True
        except OSError as error:
            print(f"{image}: not explained, {explain}: {error.strerror}", file=err, flush=True)
            failed = True
        print(line_of({"image": image} | roll_object(roll)), file=out, flush=True)
    return 1 if failed else 0


MANIFEST = "cases.jsonl"
"""The file of a misreads folder that names its pictures; the table writes it (companion.table.misreads)."""


def run_regressions(folder: Path, named: bool, out: TextIO, err: TextIO) -> int:
    """Reads every case of `folder`, one JSON line each, the oldest first; gives the exit status of the command.

    0: none is wrong with certainty. 1: some are, or could not be read, or name what their dice set has not. 2: the
    folder holds no manifest that can be read. A line that is not right is told, and the others are read. A folder that
    is not there is refused if a player `named` it; the usual one is only not made yet.
    """
    quieten()
    if not named and not (folder / MANIFEST).exists():
        print(f"{folder}: no misreadings were kept yet", file=err)
        return 0
    try:
        cases, faults = load_lines(folder / MANIFEST)
    except ManifestError as error:
        print(error, file=err)
        return 2
    for fault in faults:
        print(fault, file=err, flush=True)
    counted: Counter[str] = Counter(error=len(faults))
    readers = functools.cache(partial(_reader, folder))
    for case in cases:
        roll = _read_case(case, readers, err)
        came_to = outcome(roll, case.dice)
        counted[came_to] += 1
        shown = {"image": str(case.path)} | roll_object(roll)
        shown |= {"truth": [die.shown() for die in case.dice], "outcome": came_to}
        print(line_of(shown), file=out, flush=True)
    parts = ", ".join(f"{counted[name]} {name}" for name in ("exact", "asked", "wrong"))
    lost = f", {counted['error']} not readable" if counted["error"] else ""
    print(f"misreadings read again: {counted.total()} ({parts}{lost})", file=err)
    return 1 if counted["wrong"] or counted["error"] else 0


def _reader(folder: Path, dice_set: str) -> Reader:
    """The reader of a set; that of a file lies beside the manifest, or where its name says. Raises DiceSetError."""
    beside = os.path.join(folder, dice_set)
    there = dice_set.endswith(".toml") and os.path.isfile(beside)  # False, not an error, for a name that none can have
    return Reader(dice_sets.load(beside if there else dice_set))


def _read_case(case: Labelled, readers: Callable[[str], Reader], err: TextIO) -> Roll:
    try:
        reader = readers(case.dice_set)
        check_names(case, reader.dice_set)
        return reader.read(load_picture(case.path), case.request)
    except (UnreadablePicture, ManifestError) as error:
        print(error, file=err, flush=True)
    except dice_sets.DiceSetError as error:
        print(f"{case.where}: set: {error}", file=err, flush=True)
    return Roll(Status.ERROR)


DONE, FAILED, REFUSED = 0, 1, 2
PATIENCE = 30
"""So many times in a row two seconds without a frame are waited for before a camera is given up."""


class _GaveUp(Exception):
    """The camera did not come back."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """How many dice are due, after how many rolls it ends, and frames a second of a folder or clip; None: any, never,
    its own."""

    count: int | None = None
    max_rolls: int | None = None
    fps: float | None = None


def run_watch(source: str, dice_set: str, options: WatchOptions, out: TextIO, err: TextIO) -> int:
    """Prints the settled rolls of a source as JSON lines, flushed one by one; gives the exit status of the command.

    0: the source is over, `max_rolls` were printed, or somebody pressed Ctrl-C. 1: a camera went away for good, or a
    frame of a folder could not be read. 2: the source or the dice set is not there or is wrong.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # its own words about a broken clip would stand beside ours
    quieten()
    complaints: list[str] = []

    def complain(sentence: str) -> None:
        complaints.append(sentence)
        print(sentence, file=err, flush=True)

    try:
        known = dice_sets.load(dice_set)
        warn_of_strange_faces(known, err)
        camera = camera_of(source, known, fps=options.fps, count=options.count, complain=complain)
        with camera:
            rolls = watch(
                camera,
                Reader(known, one_tray=True),
                request_of=lambda: awaiting(dice_set, options.count),
                on_loss=partial(_on_loss, err),
            )
            for settled in islice(rolls, options.max_rolls):
                print(line_of(roll_object(settled.roll)), file=out, flush=True)
    except (dice_sets.DiceSetError, SourceError) as error:
        print(error, file=err)
        return REFUSED
    except _GaveUp as error:
        print(error, file=err)
        return FAILED
    except KeyboardInterrupt:
        return DONE
    return FAILED if complaints else DONE


def _on_loss(err: TextIO, loss: CameraLost, in_a_row: int) -> None:
    if in_a_row == 1:
        print(f"{loss}; waiting for it", file=err, flush=True)
    if in_a_row >= PATIENCE:
        raise _GaveUp(f"{loss}; given up")
