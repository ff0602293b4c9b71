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
from vision.messages import Message, Notify, VisionError
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


def warn_of_strange_faces(dice_set: DiceSet, notify: Notify) -> None:
    """Says which faces of a set nobody taught the reader: dice that show one are asked about."""
    for kind in dice_set.kinds:
        for number, face in enumerate(kind.faces, 1):
            if class_of(kind, face) is None:
                args = {"dice_set": dice_set.name, "kind": kind.name, "n": number, "face": str(face)}
                notify(Message("vision.strange_face", args))


def run_read(
    images: Sequence[str],
    dice_set_name: str,
    count: int | None,
    out: TextIO,
    notify: Notify,
    explain: Path | None = None,
) -> int:
    """Reads pictures in the order given, one JSON line each, flushed; gives the exit status of the command.

    `explain` is a folder for a picture of each reading's stages. 0: all done. 1: some could not be opened, or not
    explained (told). 2: the dice set is unknown or wrong, or the folder cannot be written.
    """
    quieten()
    try:
        known = dice_sets.load(dice_set_name)
        warn_of_strange_faces(known, notify)
        reader = Reader(known)
        if explain is not None:
            explaining.prepare(explain)
    except dice_sets.DiceSetError as error:
        notify(error.message)
        return 2
    except OSError as error:
        notify(Message("vision.picture.system", {"path": explain, "reason": error}))
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
            notify(error.message)
            failed = True
        except OSError as error:
            notify(Message("vision.not_explained", {"image": image, "folder": explain, "reason": error}))
            failed = True
        print(line_of({"image": image} | roll_object(roll)), file=out, flush=True)
    return 1 if failed else 0


MANIFEST = "cases.jsonl"
"""The file of a misreads folder that names its pictures; the table writes it (companion.table.misreads)."""


def run_regressions(folder: Path, named: bool, out: TextIO, notify: Notify) -> int:
    """Reads every case of `folder`, one JSON line each, the oldest first; gives the exit status of the command.

    0: none is wrong with certainty. 1: some are, or could not be read, or name what their dice set has not. 2: the
    folder holds no manifest that can be read. A line that is not right is told, and the others are read. A folder that
    is not there is refused if a player `named` it; the usual one is only not made yet.
    """
    quieten()
    if not named and not (folder / MANIFEST).exists():
        notify(Message("vision.misreads.none", {"folder": folder}))
        return 0
    try:
        cases, faults = load_lines(folder / MANIFEST)
    except ManifestError as error:
        notify(error.message)
        return 2
    for fault in faults:
        notify(fault.message)
    counted: Counter[str] = Counter(error=len(faults))
    readers = functools.cache(partial(_reader, folder))
    for case in cases:
        roll = _read_case(case, readers, notify)
        came_to = outcome(roll, case.dice)
        counted[came_to] += 1
        shown = {"image": str(case.path)} | roll_object(roll)
        shown |= {"truth": [die.shown() for die in case.dice], "outcome": came_to}
        print(line_of(shown), file=out, flush=True)
    numbers = {name: counted[name] for name in ("exact", "asked", "wrong", "error")}
    id = "vision.misreads.done_but" if counted["error"] else "vision.misreads.done"
    notify(Message(id, {"all": counted.total(), **numbers}))
    return 1 if counted["wrong"] or counted["error"] else 0


def _reader(folder: Path, dice_set: str) -> Reader:
    """The reader of a set; that of a file lies beside the manifest, or where its name says. Raises DiceSetError."""
    beside = os.path.join(folder, dice_set)
    there = dice_set.endswith(".toml") and os.path.isfile(beside)  # False, not an error, for a name that none can have
    return Reader(dice_sets.load(beside if there else dice_set))


def _read_case(case: Labelled, readers: Callable[[str], Reader], notify: Notify) -> Roll:
    try:
        reader = readers(case.dice_set)
        check_names(case, reader.dice_set)
        return reader.read(load_picture(case.path), case.request)
    except (UnreadablePicture, ManifestError) as error:
        notify(error.message)
    except dice_sets.DiceSetError as error:
        notify(Message("vision.manifest.set", {"where": case.where, "fault": error.message}))
    return Roll(Status.ERROR)


DONE, FAILED, REFUSED = 0, 1, 2
PATIENCE = 30
"""So many times in a row two seconds without a frame are waited for before a camera is given up."""


class _GaveUp(VisionError):
    """The camera did not come back."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """How many dice are due, after how many rolls it ends, and frames a second of a folder or clip; None: any, never,
    its own."""

    count: int | None = None
    max_rolls: int | None = None
    fps: float | None = None


def run_watch(source: str, dice_set: str, options: WatchOptions, out: TextIO, notify: Notify) -> int:
    """Prints the settled rolls of a source as JSON lines, flushed one by one; gives the exit status of the command.

    0: the source is over, `max_rolls` were printed, or somebody pressed Ctrl-C. 1: a camera went away for good, or a
    frame of a folder could not be read. 2: the source or the dice set is not there or is wrong.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # its own words about a broken clip would stand beside ours
    quieten()
    complaints: list[Message] = []

    def complain(message: Message) -> None:
        complaints.append(message)
        notify(message)

    try:
        known = dice_sets.load(dice_set)
        warn_of_strange_faces(known, notify)
        camera = camera_of(source, known, fps=options.fps, count=options.count, complain=complain)
        with camera:
            rolls = watch(
                camera,
                Reader(known, one_tray=True),
                request_of=lambda: awaiting(dice_set, options.count),
                on_loss=partial(_on_loss, notify),
            )
            for settled in islice(rolls, options.max_rolls):
                print(line_of(roll_object(settled.roll)), file=out, flush=True)
    except (dice_sets.DiceSetError, SourceError) as error:
        notify(error.message)
        return REFUSED
    except _GaveUp as error:
        notify(error.message)
        return FAILED
    except KeyboardInterrupt:
        return DONE
    return FAILED if complaints else DONE


def _on_loss(notify: Notify, loss: CameraLost, in_a_row: int) -> None:
    if in_a_row == 1:
        notify(Message("vision.loss.waiting", {"loss": loss.message}))
    if in_a_row >= PATIENCE:
        raise _GaveUp("vision.loss.given_up", loss=loss.message)
