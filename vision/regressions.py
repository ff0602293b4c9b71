"""Pictures that were once misread, read again: what players corrected at the table is a test from then on."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

from vision import dice_sets
from vision.pictures import UnreadablePicture, load_picture, quieten
from vision.pipeline import Reader
from vision.reading_json import line_of, roll_object
from vision.roll import Roll, Status
from vision.truth import Labelled, ManifestError, check_names, load_lines, outcome

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
        roll = _read(case, readers, err)
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


def _read(case: Labelled, readers: Callable[[str], Reader], err: TextIO) -> Roll:
    try:
        reader = readers(case.dice_set)
        check_names(case, reader.dice_set)
        return reader.read(load_picture(case.path), case.request)
    except (UnreadablePicture, ManifestError) as error:
        print(error, file=err, flush=True)
    except dice_sets.DiceSetError as error:
        print(f"{case.where}: set: {error}", file=err, flush=True)
    return Roll(Status.ERROR)
