"""Misreads corrected by players, stored as pictures with their ground truth: regression tests for the reader.

`companion read --regressions` reads them again. Errors here never stop the table: a failed write is only logged.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from companion.games.base import Die, JsonObject
from companion.table.dice import PendingRoll, Pictures
from vision.files import DECODE_ERRORS, read_state, write_atomically
from vision.roll import Box, DieReading, Doubt, Face, RollRequest

FOLDER = "misreads"
"""Folder name, beside the matches."""

MANIFEST_FILE = "cases.jsonl"
"""Manifest: one JSON object for each picture, oldest first."""

_MAX_MANIFEST_BYTES = 16_000_000
"""Maximum size of the manifest. 500 cases have about 500,000 bytes."""

MAX_CASES = 500
"""Maximum number of cases; beyond it the oldest are deleted."""

log = logging.getLogger(__name__)

TrueDie = tuple[Die, Box | None]
"""The true face of a die and its box; None for a die that the reader missed."""


@dataclass(frozen=True, slots=True)
class Misread:
    """A misread picture. `name` identifies it: a later correction of the same picture replaces it.

    `picture` is a JPEG of the whole tray. Boxes are in pixels of a picture of `size` (width, height).
    """

    name: str
    picture: bytes
    size: tuple[int, int]
    truth: tuple[TrueDie, ...]
    read: tuple[DieReading, ...]
    request: RollRequest
    at: str = ""

    def manifest_entry(self, image: str, versions: Mapping[str, str]) -> JsonObject:
        """Return the manifest entry."""
        return {
            "image": image,
            "source": "misread",
            "set": self.request.dice_set,
            "count": self.request.count,
            "due": dict(self.request.kinds),
            "dice": [{**_face(die), **({} if box is None else {"box": box})} for die, box in self.truth],
            "read": [
                {**_face(_die(die, die.face)), "box": die.box, "confidence": die.confidence, "doubt": die.doubt}
                for die in self.read
            ],
            "size": self.size,
            "at": self.at,
            "versions": dict(versions),
        }


def truth_from_answers(pending: PendingRoll) -> tuple[TrueDie, ...] | None:
    """Return the true dice of a roll according to the players' answers.

    None if every answer was the reader's best guess, or if some die remains unknown.
    """
    now = {die.box: die for die in pending.dice}
    no_dice = {die.box for die in pending.false_detections}
    truth: list[TrueDie] = []
    misread = False
    for die in pending.seen.roll.dice:
        answered = now.get(die.box, die)
        if die.box in no_dice:
            misread = True
        elif answered.certain:
            truth.append((_die(answered, answered.face), answered.box))
            misread |= answered.face != _best_guess(die)
        elif answered.doubt is not Doubt.FOREIGN:
            return None
    return tuple(truth) if misread else None


def truth_from_correction(
    pictures: Pictures, before: Sequence[Die], after: Sequence[Die]
) -> tuple[TrueDie, ...] | None:
    """Return the true dice when the dice of an event are corrected from `before` to `after`.

    None if there is no picture, or if another die in it is unknown.
    """
    if not pictures.tray:
        return None
    rest, boxes = list(pictures.dice), []
    for die in before:
        own = _matching_reading(die, rest)
        if own is None:
            return None
        rest.remove(own)
        boxes.append(own.box)
    if any(not die.certain and die.doubt is not Doubt.FOREIGN for die in rest):
        return None
    positions: list[Box | None] = list(boxes) if len(after) == len(boxes) else [None] * len(after)
    others = [(_die(die, die.face), die.box) for die in rest if die.certain]
    return (*zip(after, positions, strict=True), *others)


def _matching_reading(die: Die, readings: Sequence[DieReading]) -> DieReading | None:
    """Return the reading that became this die: one with the same face, else an uncertain one that a player answered."""
    alike = [reading for reading in readings if reading.kind == die.kind and reading.doubt is not Doubt.FOREIGN]
    same = [reading for reading in alike if _die(reading, reading.face) == die]
    return next(iter([*same, *(reading for reading in alike if not reading.certain)]), None)


def _best_guess(die: DieReading) -> Face:
    return die.possible[0][0] if die.possible else die.face


def _die(reading: DieReading, face: Face) -> Die:
    return Die(reading.kind, face.value, face.colour, face.symbol)


def _face(die: Die) -> JsonObject:
    return {"kind": die.kind, "value": die.value, "colour": die.colour, "symbol": die.symbol}


def run_in_thread(work: Callable[[], None]) -> None:
    """Run the work in its own thread."""
    threading.Thread(target=work, name="misreads").start()


@dataclass
class Misreads:
    """The folder of misreads, with at most `max_cases` pictures.

    - `versions`: versions of the program and its models
    - `run_task`: runs the writes in the background
    """

    folder: Path
    versions: Mapping[str, str]
    max_cases: int = MAX_CASES
    run_task: Callable[[Callable[[], None]], None] = run_in_thread
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add_answered(self, name: str, pending: PendingRoll, request: RollRequest, at: str) -> None:
        """Save a roll with answered questions if an answer differs from the reader's best guess."""
        truth, seen = truth_from_answers(pending), pending.seen
        if truth is not None and seen.picture:
            self.save(Misread(name, seen.picture, seen.size, truth, seen.roll.dice, request, at))

    def add_corrected(
        self, name: str, pictures: Pictures, dice: tuple[Sequence[Die], Sequence[Die]], request: RollRequest, at: str
    ) -> None:
        """Save a corrected event if it was misread, else delete its case.

        `dice`: as first written, and as corrected.
        """
        truth = truth_from_correction(pictures, *dice)
        if truth is None or not pictures.tray:
            return
        read = Counter(_die(die, _best_guess(die)) for die in pictures.dice if die.doubt is not Doubt.FOREIGN)
        misread = Misread(name, pictures.tray, pictures.size, truth, pictures.dice, request, at)
        if read != Counter(die for die, _ in truth):
            self.save(misread)
        else:
            self.run_task(lambda: self._write(name, None))

    def save(self, misread: Misread) -> None:
        """Save a misread in the background. A full or broken disk is logged."""
        self.run_task(lambda: self._write(misread.name, misread))

    def _write(self, name: str, misread: Misread | None) -> None:
        """Replace the case of this name with `misread`; None deletes it."""
        image = f"{name}.jpg"
        with self._lock:
            try:
                known_cases = self._cases()
                cases = [case for case in known_cases if case["image"] != image]
                if misread is not None:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    write_atomically(self.folder / image, misread.picture)
                    cases.append(misread.manifest_entry(image, self.versions))
                if cases != known_cases:
                    self._replace(known_cases, cases[-self.max_cases :], image)
            except OSError as fault:
                log.warning("a misreading was not kept: %s", fault)

    def _replace(self, known_cases: Sequence[JsonObject], cases: Sequence[JsonObject], image: str) -> None:
        """Rewrite the manifest and delete the pictures no longer listed. Raises: OSError."""
        old, new = ({case["image"] for case in lines} for lines in (known_cases, cases))
        try:
            write_atomically(self.folder / MANIFEST_FILE, b"".join(msgspec.json.encode(case) + b"\n" for case in cases))
        except OSError:
            if image not in old:
                (self.folder / image).unlink(missing_ok=True)
            raise
        for deleted in old - new:
            (self.folder / Path(deleted).name).unlink(missing_ok=True)

    def _cases(self) -> list[JsonObject]:
        """Return the manifest's entries. Skips lines damaged by a power cut or an editor."""
        cases = []
        lines = read_state(self.folder / MANIFEST_FILE, bytes.splitlines, _MAX_MANIFEST_BYTES) or []
        for line in lines:
            with contextlib.suppress(*DECODE_ERRORS):
                case = msgspec.json.decode(line)
                if isinstance(case, dict) and isinstance(case.get("image"), str):
                    cases.append(case)
        return cases
