"""Pictures whose dice are known: manifests of them, and what a reading of one comes to beside the truth."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vision.dice_sets import BODIES, DiceSet
from vision.roll import Box, DieReading, Face, Roll, RollRequest, Status

Outcome = Literal["exact", "asked", "wrong", "error"]


class ManifestError(ValueError):
    """A manifest that cannot be read or is not right; the message names file, line and field."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die as it truly lies. `kind` and `box` are None where the manifest does not say them."""

    face: Face
    kind: str | None = None
    box: Box | None = None

    def shown(self) -> dict[str, object]:
        """As a manifest writes it."""
        face = {"value": self.face.value, "colour": self.face.colour, "symbol": self.face.symbol}
        kind = {} if self.kind is None else {"kind": self.kind}
        return kind | face | ({} if self.box is None else {"box": [round(part, 1) for part in self.box]})


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture file and what lies in it.

    `image` is as the manifest names it, `due` what was awaited of each kind; `width` that of the picture in whose
    pixels the boxes are, 0 if it is the file's own; `where` file and line.
    """

    path: Path
    image: str
    source: str
    dice_set: str
    dice: tuple[TrueDie, ...]
    due: tuple[tuple[str, int | None], ...] = ()
    width: int = 0
    where: str = ""

    @property
    def request(self) -> RollRequest | None:
        """What was awaited when the picture was taken, None if that is not known."""
        return RollRequest(self.dice_set, self.due) if self.due else None


def load_lines(path: Path) -> tuple[list[Labelled], list[ManifestError]]:
    """The pictures of a manifest, and its lines that are not right, each a fault of its own. Raises ManifestError if
    it cannot be read at all."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not text in UTF-8"
        raise ManifestError(f"{path}: {reason or error}") from error
    pictures: list[Labelled] = []
    faults: list[ManifestError] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                pictures.append(_labelled(path, line, f"{path}, line {number}"))
        except ManifestError as error:
            faults.append(error)
    return pictures, faults


def _labelled(path: Path, line: str, where: str) -> Labelled:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{where}: not JSON ({error})") from error
    if not isinstance(entry, dict):
        raise ManifestError(f"{where}: must be an object")
    image = _text(entry, "image", where)
    if not image:
        raise ManifestError(f"{where}: image: is missing")
    if "\0" in image:
        raise ManifestError(f"{where}: image: {image!r} is no name that a file can have")
    dice = entry.get("dice")
    if not isinstance(dice, list):
        raise ManifestError(f"{where}: dice: must be a list of dice, empty if there are none")
    return Labelled(
        path.parent / image,
        image,
        _text(entry, "source", where) or "unnamed",
        _text(entry, "set", where) or "pips",
        tuple(_die(die, f"{where}: die {place}") for place, die in enumerate(dice, 1)),
        _due(entry, where),
        _width(entry, where),
        where,
    )


def check_names(labelled: Labelled, dice_set: DiceSet) -> None:
    """Refuses what no reading of the set could ever come to. Raises ManifestError for a kind or colour that is none."""
    kinds = [kind.name for kind in dice_set.kinds]
    for name, _ in labelled.due:
        if name not in (*kinds, "any"):
            raise ManifestError(f"{labelled.where}: due: {_strange(name, dice_set, kinds)}")
    for place, die in enumerate(labelled.dice, 1):
        if die.kind is not None and die.kind not in kinds:
            raise ManifestError(f"{labelled.where}: die {place}: kind: {_strange(die.kind, dice_set, kinds)}")
        if die.face.colour is not None and die.face.colour not in BODIES:
            raise ManifestError(
                f"{labelled.where}: die {place}: colour: {die.face.colour!r} is not among {', '.join(BODIES)}"
            )


def _strange(kind: str, dice_set: DiceSet, kinds: list[str]) -> str:
    return f"{kind!r} is no kind of the dice set {dice_set.name}: it has {', '.join(kinds)}"


def _width(entry: Mapping[str, Any], where: str) -> int:
    size = entry.get("size")
    if size is None:
        return 0
    if not (isinstance(size, list) and len(size) == 2 and all(isinstance(side, int) and side >= 0 for side in size)):
        raise ManifestError(f"{where}: size: must be two whole numbers (width, height)")
    return int(size[0])


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    text = entry.get(key)
    if text is not None and not isinstance(text, str):
        raise ManifestError(f"{where}: {key}: must be a text")
    return text or ""


def _due(entry: Mapping[str, Any], where: str) -> tuple[tuple[str, int | None], ...]:
    """What was awaited: `due` by kinds, null where the number was open, or `count` of any kind."""
    due = {} if entry.get("due") is None else entry["due"]
    if not isinstance(due, dict) or not all(count is None or _whole(count) for count in due.values()):
        raise ManifestError(f"{where}: due: must be an object of kinds and whole numbers")
    if not any(due.values()):
        due = dict.fromkeys(due)  # a table of an earlier version wrote 0 of each kind where the number was open
    count = entry.get("count")
    if count is not None and not _whole(count):
        raise ManifestError(f"{where}: count: must be a whole number")
    if due:
        return tuple(due.items())
    return () if count is None else (("any", count),)


def _whole(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= 1000


def _die(die: object, where: str) -> TrueDie:
    if not isinstance(die, dict):
        raise ManifestError(f"{where}: must be an object")
    value, box = die.get("value"), die.get("box")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ManifestError(f"{where}: value: must be a whole number")
    if box is not None and not (isinstance(box, list) and len(box) == 4 and all(_number(part) for part in box)):
        raise ManifestError(f"{where}: box: must be four numbers (x, y, width, height)")
    colour, symbol, kind = (_text(die, key, where) or None for key in ("colour", "symbol", "kind"))
    return TrueDie(Face(value, colour, symbol), kind, None if box is None else (box[0], box[1], box[2], box[3]))


def _number(part: object) -> bool:
    return isinstance(part, int | float) and not isinstance(part, bool) and math.isfinite(part)


def is_same(truth: tuple[TrueDie, ...], dice: tuple[DieReading, ...]) -> bool:
    """Whether the dice read are the true ones, in any order; kinds count where the truth names them."""
    if Counter(die.face for die in truth) != Counter(die.face for die in dice):
        return False
    named = Counter((die.kind, die.face) for die in truth if die.kind is not None)
    return not named - Counter((die.kind, die.face) for die in dice)


def outcome(roll: Roll, truth: tuple[TrueDie, ...]) -> Outcome:
    """`exact` and `wrong` for a reading said with certainty, `asked`, or `error` for a picture that was not read."""
    if roll.status is Status.ERROR:
        return "error"
    if roll.status is Status.ASK:
        return "asked"
    return "exact" if is_same(truth, roll.dice) else "wrong"
