"""Pictures that were once misread, read again: what players corrected at the table is a test from then on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TextIO

from vision import dice_sets
from vision.pictures import UnreadablePicture, load_picture, quieten
from vision.pipeline import Reader
from vision.reading_json import line_of, roll_object
from vision.roll import Roll, Status
from vision.truth import Labelled, ManifestError, load_manifest, outcome

MANIFEST = "cases.jsonl"
"""The file of a misreads folder that names its pictures; the table writes it (companion.table.misreads)."""


def run_regressions(folder: Path, named: bool, out: TextIO, err: TextIO) -> int:
    """Reads every case of `folder`, one JSON line each, the oldest first; gives the exit status of the command.

    0: none is wrong with certainty. 1: some are, or could not be opened. 2: the folder or its manifest is not right.
    A folder that is not there is refused if a player `named` it; the usual one is only not made yet.
    """
    quieten()
    if not named and not (folder / MANIFEST).exists():
        print(f"{folder}: no misreadings were kept yet", file=err)
        return 0
    try:
        cases = load_manifest(folder / MANIFEST)
        readers = {name: Reader(dice_sets.load(name)) for name in dict.fromkeys(case.dice_set for case in cases)}
    except (ManifestError, dice_sets.DiceSetError) as error:
        print(error, file=err)
        return 2
    counted: Counter[str] = Counter()
    for case in cases:
        roll = _read(case, readers[case.dice_set], err)
        came_to = outcome(roll, case.dice)
        counted[came_to] += 1
        shown = {"image": str(case.path)} | roll_object(roll)
        shown |= {"truth": [die.shown() for die in case.dice], "outcome": came_to}
        print(line_of(shown), file=out, flush=True)
    parts = ", ".join(f"{counted[name]} {name}" for name in ("exact", "asked", "wrong"))
    lost = f", {counted['error']} not readable" if counted["error"] else ""
    print(f"{len(cases)} misreadings read again: {parts}{lost}", file=err)
    return 1 if counted["wrong"] or counted["error"] else 0


def _read(case: Labelled, reader: Reader, err: TextIO) -> Roll:
    try:
        return reader.read(load_picture(case.path), case.request)
    except UnreadablePicture as error:
        print(error, file=err, flush=True)
        return Roll(Status.ERROR)
