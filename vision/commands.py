"""Implementation of `read`, `read --regressions` and `watch`: readings as JSON lines (docs/CONTRACT.md)."""

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
from vision.classification.face_probabilities import class_of_face
from vision.decision import explain as explaining
from vision.decision.labels import Labelled, ManifestError, check_names, load_lines, outcome_of
from vision.decision.reader import Reader
from vision.dice_sets import DiceSet
from vision.messages import Notify, ReaderMessage, VisionError
from vision.pictures import UnreadablePicture, load_picture, silence_opencv
from vision.roll import DieReading, Roll, RollRequest, Status
from vision.watching.watcher import watch


def die_json(die: DieReading) -> dict[str, object]:
    """Return the JSON object of one die."""
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


def roll_json(roll: Roll) -> dict[str, object]:
    """Return the JSON object of a roll: status, dice and time, with `t` and `again` where they apply (`watch`)."""
    line: dict[str, object] = {} if roll.t is None else {"t": round(roll.t, 3)}
    line |= {"status": str(roll.status), "dice": [die_json(die) for die in roll.dice], "ms": round(roll.ms, 1)}
    if roll.notes:
        line["notes"] = [str(note) for note in roll.notes]
    if roll.again:
        line["again"] = True
    return line


def json_line(value: dict[str, object]) -> str:
    """Format one line of output in ASCII.

    File names may contain characters that the terminal's encoding, or UTF-8, cannot represent.
    """
    return json.dumps(value, ensure_ascii=True)


def request_for_count(dice_set: str, count: int | None) -> RollRequest | None:
    """Return the request for `--count`: `count` dice of any kind."""
    return None if count is None else RollRequest(dice_set, (("any", count),))


def warn_about_untrained_faces(dice_set: DiceSet, notify: Notify) -> None:
    """Warn about faces of a set that the reader was not trained on. A die that shows one becomes a question."""
    for kind in dice_set.kinds:
        for number, face in enumerate(kind.faces, 1):
            if class_of_face(kind, face) is None:
                args = {"dice_set": dice_set.name, "kind": kind.name, "n": number, "face": str(face)}
                notify(ReaderMessage("vision.strange_face", args))


def run_read(
    images: Sequence[str],
    dice_set_name: str,
    count: int | None,
    out: TextIO,
    notify: Notify,
    explain: Path | None = None,
) -> int:
    """Read images in the given order and print one JSON line each, flushed. Return the exit status of the command.

    `explain` is a folder for one image per reading that shows its stages. Exit status:
    - 0: all images were read.
    - 1: some could not be opened or explained (reported to `notify`).
    - 2: the dice set is unknown or invalid, or the folder is not writable.
    """
    silence_opencv()
    try:
        known = dice_sets.load(dice_set_name)
        warn_about_untrained_faces(known, notify)
        reader = Reader(known)
        if explain is not None:
            explaining.prepare_folder(explain)
    except dice_sets.DiceSetError as error:
        notify(error.message)
        return 2
    except OSError as error:
        notify(ReaderMessage("vision.picture.system", {"path": explain, "reason": error}))
        return 2
    request = request_for_count(dice_set_name, count)
    failed = False
    taken = set() if explain is None else explaining.names_in(explain, images)
    for image in images:
        roll, picture = Roll(Status.ERROR), None  # frees the last picture before the next one is decoded
        try:
            picture = load_picture(image)
            if explain is None:
                roll = reader.read(picture, request)
            else:
                roll, strip = explaining.explain_reading(reader, picture, request, image)
                explaining.save_strip(explain, image, strip, taken)
        except UnreadablePicture as error:
            notify(error.message)
            failed = True
        except OSError as error:
            notify(ReaderMessage("vision.not_explained", {"image": image, "folder": explain, "reason": error}))
            failed = True
        print(json_line({"image": image} | roll_json(roll)), file=out, flush=True)
    return 1 if failed else 0


MANIFEST = "cases.jsonl"
"""Manifest of a misreads folder; it lists the images. The table writes it (companion.table.misreads)."""


def run_regressions(folder: Path, named: bool, out: TextIO, notify: Notify) -> int:
    """Read every case of `folder`, oldest first, and print one JSON line each. Return the exit status of the command.

    - 0: no certain reading is wrong.
    - 1: some are wrong, could not be read, or name something that their dice set does not have.
    - 2: the folder has no readable manifest.

    An invalid manifest line is reported and skipped. A missing folder is an error only if the user `named` it; the
    default folder may not exist yet.
    """
    silence_opencv()
    if not named and not (folder / MANIFEST).exists():
        notify(ReaderMessage("vision.misreads.none", {"folder": folder}))
        return 0
    try:
        cases, faults = load_lines(folder / MANIFEST)
    except ManifestError as error:
        notify(error.message)
        return 2
    for fault in faults:
        notify(fault.message)
    counts: Counter[str] = Counter(error=len(faults))
    readers = functools.cache(partial(_reader, folder))
    for case in cases:
        roll = _read_case(case, readers, notify)
        came_to = outcome_of(roll, case.dice)
        counts[came_to] += 1
        line = {"image": str(case.path)} | roll_json(roll)
        line |= {"truth": [die.as_json() for die in case.dice], "outcome": came_to}
        print(json_line(line), file=out, flush=True)
    numbers = {name: counts[name] for name in ("exact", "asked", "wrong", "error")}
    id = "vision.misreads.done_but" if counts["error"] else "vision.misreads.done"
    notify(ReaderMessage(id, {"all": counts.total(), **numbers}))
    return 1 if counts["wrong"] or counts["error"] else 0


def _reader(folder: Path, dice_set: str) -> Reader:
    """Create the reader of a set. A TOML file is looked up beside the manifest first, then at its own path.

    Raises: DiceSetError.
    """
    beside = os.path.join(folder, dice_set)
    there = dice_set.endswith(".toml") and os.path.isfile(beside)  # False, not an error, for an impossible name
    return Reader(dice_sets.load(beside if there else dice_set))


def _read_case(case: Labelled, readers: Callable[[str], Reader], notify: Notify) -> Roll:
    try:
        reader = readers(case.dice_set)
        check_names(case, reader.dice_set)
        return reader.read(load_picture(case.path), case.request)
    except (UnreadablePicture, ManifestError) as error:
        notify(error.message)
    except dice_sets.DiceSetError as error:
        notify(ReaderMessage("vision.manifest.set", {"where": case.where, "fault": error.message}))
    return Roll(Status.ERROR)


DONE, FAILED, REFUSED = 0, 1, 2
MAX_LOSSES = 30
"""Consecutive two-second timeouts without a frame before the camera is given up."""


class _CameraGivenUp(VisionError):
    """The camera did not come back."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """Options of `watch`: expected number of dice, maximum number of rolls, and frames per second of a folder or clip.

    None means: any number, no limit, the recording's own rate.
    """

    count: int | None = None
    max_rolls: int | None = None
    fps: float | None = None


def run_watch(source: str, dice_set: str, options: WatchOptions, out: TextIO, notify: Notify) -> int:
    """Print the settled rolls of a source as JSON lines, each flushed. Return the exit status of the command.

    - 0: the source ended, `max_rolls` were printed, or the user pressed Ctrl-C.
    - 1: a camera was lost permanently, or a frame of a folder could not be read.
    - 2: the source or the dice set is missing or invalid.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # silence FFmpeg's own messages on broken clips
    silence_opencv()
    complaints: list[ReaderMessage] = []

    def complain(message: ReaderMessage) -> None:
        complaints.append(message)
        notify(message)

    try:
        known = dice_sets.load(dice_set)
        warn_about_untrained_faces(known, notify)
        camera = camera_of(source, known, fps=options.fps, count=options.count, complain=complain)
        with camera:
            rolls = watch(
                camera,
                Reader(known, one_tray=True),
                request_of=lambda: request_for_count(dice_set, options.count),
                on_loss=partial(_on_loss, notify),
            )
            for settled_roll in islice(rolls, options.max_rolls):
                print(json_line(roll_json(settled_roll.roll)), file=out, flush=True)
    except (dice_sets.DiceSetError, SourceError) as error:
        notify(error.message)
        return REFUSED
    except _CameraGivenUp as error:
        notify(error.message)
        return FAILED
    except KeyboardInterrupt:
        return DONE
    return FAILED if complaints else DONE


def _on_loss(notify: Notify, loss: CameraLost, in_a_row: int) -> None:
    if in_a_row == 1:
        notify(ReaderMessage("vision.loss.waiting", {"loss": loss.message}))
    if in_a_row >= MAX_LOSSES:
        raise _CameraGivenUp("vision.loss.given_up", loss=loss.message)
