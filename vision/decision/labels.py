"""Labelled images: manifests, and the comparison of a reading with the true dice."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vision.dice_sets import BODIES, DiceSet
from vision.files import FileTooLarge, read_limited
from vision.messages import ReaderMessage, VisionError
from vision.roll import Box, DieReading, Face, Roll, RollRequest, Status

Outcome = Literal["exact", "asked", "wrong", "error"]


class ManifestError(VisionError, ValueError):
    """A manifest that cannot be read or is invalid. The message names file, line and field."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The true state of a die. `kind` and `box` are None if the manifest does not give them."""

    face: Face
    kind: str | None = None
    box: Box | None = None

    def as_json(self) -> dict[str, object]:
        """Return the manifest entry of this die."""
        face = {"value": self.face.value, "colour": self.face.colour, "symbol": self.face.symbol}
        kind = {} if self.kind is None else {"kind": self.kind}
        return kind | face | ({} if self.box is None else {"box": [round(part, 1) for part in self.box]})


_MAX_MANIFEST_BYTES, _MAX_LINE_CHARS = 32_000_000, 1_000_000
"""Maximum size of a manifest in bytes, and of a line: an image with its dice. A hundred dice have 30,000."""

_MAX_FAULTS = 1000
"""Maximum number of invalid lines; the rest is not read."""

NOWHERE = ReaderMessage("")
"""`where` of images that do not come from a file."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An image file and the dice in it.

    - `image`: the name in the manifest.
    - `due`: the expected number of each kind.
    - `width`: width of the image that the boxes refer to, 0 if it is the file's own.
    - `where`: file and line.
    """

    path: Path
    image: str
    source: str
    dice_set: str
    dice: tuple[TrueDie, ...]
    due: tuple[tuple[str, int | None], ...] = ()
    width: int = 0
    where: ReaderMessage = NOWHERE

    @property
    def request(self) -> RollRequest | None:
        """The request when the image was taken, None if unknown."""
        return RollRequest(self.dice_set, self.due) if self.due else None


def load_lines(path: Path) -> tuple[list[Labelled], list[ManifestError]]:
    """Load the images of a manifest. Return them with one error for each invalid line, at most `_MAX_FAULTS`.

    Raises: ManifestError if the manifest cannot be read at all.
    """
    try:
        text = read_limited(path, _MAX_MANIFEST_BYTES).decode("utf-8-sig")
    except FileTooLarge as error:
        most = ReaderMessage("vision.manifest.too_large", {"most": _MAX_MANIFEST_BYTES // 10**6})
        raise ManifestError("vision.manifest.unreadable", path=path, reason=most) from error
    except (OSError, ValueError) as error:
        reason = error if isinstance(error, OSError) else ReaderMessage("vision.manifest.not_utf8")
        raise ManifestError("vision.manifest.unreadable", path=path, reason=reason) from error
    pictures: list[Labelled] = []
    faults: list[ManifestError] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                pictures.append(
                    _labelled(path, line, ReaderMessage("vision.manifest.line", {"path": path, "line": number}))
                )
        except ManifestError as error:
            faults.append(error)
            if len(faults) == _MAX_FAULTS:
                break
    return pictures, faults


def _labelled(path: Path, line: str, where: ReaderMessage) -> Labelled:
    try:
        entry = json.loads(line) if len(line) <= _MAX_LINE_CHARS else None
    except (ValueError, RecursionError) as error:
        raise ManifestError("vision.manifest.not_json", where=where, reason=error) from error
    if not isinstance(entry, dict):
        raise ManifestError("vision.manifest.object", where=where)
    image = _text(entry, "image", where)
    if not image:
        raise ManifestError("vision.manifest.no_image", where=where)
    if "\0" in image:
        raise ManifestError("vision.manifest.image", where=where, image=image)
    dice = entry.get("dice")
    if not isinstance(dice, list):
        raise ManifestError("vision.manifest.dice", where=where)
    return Labelled(
        path.parent / image,
        image,
        _text(entry, "source", where) or "unnamed",
        _text(entry, "set", where) or "pips",
        tuple(
            _die(die, ReaderMessage("vision.manifest.die", {"where": where, "n": place}))
            for place, die in enumerate(dice, 1)
        ),
        _due(entry, where),
        _width(entry, where),
        where,
    )


def check_names(labelled: Labelled, dice_set: DiceSet) -> None:
    """Check that a label's kinds and colours exist in the dice set. Raises: ManifestError."""
    kinds = [kind.name for kind in dice_set.kinds]
    for name, _ in labelled.due:
        if name not in (*kinds, "any"):
            raise ManifestError("vision.manifest.due", where=labelled.where, fault=_strange(name, dice_set, kinds))
    for place, die in enumerate(labelled.dice, 1):
        if die.kind is not None and die.kind not in kinds:
            fault = _strange(die.kind, dice_set, kinds)
            raise ManifestError("vision.manifest.kind", where=labelled.where, n=place, fault=fault)
        if die.face.colour is not None and die.face.colour not in BODIES:
            known = ", ".join(BODIES)
            raise ManifestError(
                "vision.manifest.colour", where=labelled.where, n=place, value=die.face.colour, known=known
            )


def _strange(kind: str, dice_set: DiceSet, kinds: list[str]) -> ReaderMessage:
    return ReaderMessage(
        "vision.manifest.no_kind", {"kind": kind, "dice_set": dice_set.name, "known": ", ".join(kinds)}
    )


def _width(entry: Mapping[str, Any], where: ReaderMessage) -> int:
    size = entry.get("size")
    if size is None:
        return 0
    if not (isinstance(size, list) and len(size) == 2 and all(isinstance(side, int) and side >= 0 for side in size)):
        raise ManifestError("vision.manifest.size", where=where)
    return int(size[0])


def _text(entry: Mapping[str, Any], key: str, where: ReaderMessage) -> str:
    text = entry.get(key)
    if text is not None and not isinstance(text, str):
        raise ManifestError("vision.manifest.text", where=where, key=key)
    return text or ""


def _due(entry: Mapping[str, Any], where: ReaderMessage) -> tuple[tuple[str, int | None], ...]:
    """Return the expected dice: `due` by kind, null where any number is allowed, or `count` of any kind."""
    due = {} if entry.get("due") is None else entry["due"]
    if not isinstance(due, dict) or not all(count is None or _whole(count) for count in due.values()):
        raise ManifestError("vision.manifest.due_kinds", where=where)
    if not any(due.values()):
        due = dict.fromkeys(due)  # an earlier table version wrote 0 of each kind for "any number"
    count = entry.get("count")
    if count is not None and not _whole(count):
        raise ManifestError("vision.manifest.count", where=where)
    if due:
        return tuple(due.items())
    return () if count is None else (("any", count),)


def _whole(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= 1000


def _die(die: object, where: ReaderMessage) -> TrueDie:
    if not isinstance(die, dict):
        raise ManifestError("vision.manifest.object", where=where)
    value, box = die.get("value"), die.get("box")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ManifestError("vision.manifest.value", where=where)
    if box is not None and not (isinstance(box, list) and len(box) == 4 and all(_number(part) for part in box)):
        raise ManifestError("vision.manifest.box", where=where)
    colour, symbol, kind = (_text(die, key, where) or None for key in ("colour", "symbol", "kind"))
    return TrueDie(Face(value, colour, symbol), kind, None if box is None else (box[0], box[1], box[2], box[3]))


def _number(part: object) -> bool:
    return isinstance(part, int | float) and not isinstance(part, bool) and math.isfinite(part)


def matches_truth(truth: tuple[TrueDie, ...], dice: tuple[DieReading, ...]) -> bool:
    """Return True if the dice read are the true ones, in any order. Kinds count where the labels name them."""
    if Counter(die.face for die in truth) != Counter(die.face for die in dice):
        return False
    named = Counter((die.kind, die.face) for die in truth if die.kind is not None)
    return not named - Counter((die.kind, die.face) for die in dice)


def outcome_of(roll: Roll, truth: tuple[TrueDie, ...]) -> Outcome:
    """Return `exact` or `wrong` for a certain reading, `asked`, or `error` for an image that was not read."""
    if roll.status is Status.ERROR:
        return "error"
    if roll.status is Status.ASK:
        return "asked"
    return "exact" if matches_truth(truth, roll.dice) else "wrong"
