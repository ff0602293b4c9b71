"""Readings as the JSON lines that the commands `read` and `watch` print (CONTRACT.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from vision import dice_sets
from vision import explain as explaining
from vision.chances import class_of
from vision.dice_sets import DiceSet
from vision.pictures import UnreadablePicture, load_picture, quieten
from vision.pipeline import Reader
from vision.roll import DieReading, Roll, RollRequest, Status


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
