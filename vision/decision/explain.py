"""One image that explains a reading: finder candidates, face network crops and answers, and the decision for each."""

from __future__ import annotations

import errno
import os
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.classification.classes import DIGITS, FIRST_SYMBOL, NOTHING, PLAIN, SIX_OR_NINE, SYMBOLS, UNKNOWN
from vision.classification.face_nets import Classification, near_crop
from vision.decision.reader import Reader
from vision.decision.thresholds import evidence
from vision.detection.finder import Candidate
from vision.files import write_atomically
from vision.pictures import Picture
from vision.roll import Box, DieReading, Roll, RollRequest

WIDTH = 720
"""Width of the strip in pixels. At the width of a phone screen its letters are about 2 mm high."""

_TALLEST = 2 * WIDTH
"""Maximum height in pixels of a tall, narrow image."""

COLUMNS = 2
CARD = 176
"""Height of a candidate's card in pixels."""

CROP = 152
"""Edge of the displayed crop in pixels."""

OUTCOMES = ("certain", "asked", "overlapped", "nothing")
"""Outcomes of a candidate. The last two are dropped: part of another die, or not a die."""

_COLOURS = dict(zip(OUTCOMES, ((90, 200, 60), (40, 170, 250), (220, 130, 200), (150, 150, 150)), strict=True))
_PAPER, _TEXT_COLOUR, _FAINT = (34, 30, 28), (240, 240, 240), (175, 175, 175)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class ExplainedCandidate:
    """One candidate: its number in the strip, the networks' output, its outcome, and its reading if it has one."""

    number: int
    candidate: Candidate
    classification: Classification
    outcome: str
    die: DieReading | None


def explain_reading(reader: Reader, picture: Picture, request: RollRequest | None, name: str) -> tuple[Roll, Picture]:
    """Read `picture` (height, width, 3, BGR). Return the roll and the strip that explains it."""
    roll = reader.read(picture, request)
    normalised, candidates, classifications, _ = reader.detect_normalised(picture, request)
    return roll, render_strip(normalised, roll, explain_candidates(normalised, candidates, classifications, roll), name)


def explain_candidates(
    picture: Picture, candidates: Sequence[Candidate], classifications: Sequence[Classification], roll: Roll
) -> list[ExplainedCandidate]:
    """Return the candidates sorted by outcome (order of OUTCOMES), then by evidence."""
    boxes = [_within(picture, candidate.box) for candidate in candidates]
    owned: dict[int, DieReading] = {}
    for die in roll.dice:
        free = [index for index in range(len(boxes)) if index not in owned]
        if free:
            owned[min(free, key=lambda index: _box_distance(boxes[index], die.box))] = die
    seen = []
    for index, (candidate, classification) in enumerate(zip(candidates, classifications, strict=True)):
        own = owned.get(index)
        if own is not None:
            outcome = "certain" if own.certain else "asked"
        else:
            outcome = "overlapped" if any(_inside(candidate, die.box) for die in roll.dice) else "nothing"
        seen.append((outcome, candidate, classification, own))
    seen.sort(key=lambda one: (OUTCOMES.index(one[0]), -evidence(one[1], one[2])))
    return [
        ExplainedCandidate(number, candidate, classification, outcome, own)
        for number, (outcome, candidate, classification, own) in enumerate(seen, 1)
    ]


def class_name(index: int) -> str:
    """Return the name of a face network class."""
    named = {NOTHING: "nothing", UNKNOWN: "unknown", PLAIN: "plain", SIX_OR_NINE: "6 or 9"}
    if index in named:
        return named[index]
    if index >= FIRST_SYMBOL:
        return SYMBOLS[index - FIRST_SYMBOL].replace("_", " ")
    return f"digit {index - DIGITS}" if index >= DIGITS else f"{index} pip" + "s" * (index > 1)


def render_strip(picture: Picture, roll: Roll, found: Sequence[ExplainedCandidate], name: str) -> Picture:
    """Build the strip: title, legend, the image with its candidates, and a card for each, from top to bottom."""
    parts = [_title(roll, found, name), _marked(picture, found)]
    for start in range(0, len(found), COLUMNS):
        row = np.full((CARD, WIDTH, 3), _PAPER, np.uint8)
        for column, step in enumerate(found[start : start + COLUMNS]):
            left = column * WIDTH // COLUMNS
            row[:, left : left + WIDTH // COLUMNS] = _card(picture, step)
        parts.append(row)
    return np.concatenate(parts)


def names_in(folder: Path, images: Iterable[str]) -> set[str]:
    """Return the names of those `images` that are in `folder`. No strip may overwrite one of them."""
    there = folder.resolve()
    return {Path(image).name for image in images if "\0" not in image and Path(image).parent.resolve() == there}


def save_strip(folder: Path, image: str, strip: Picture, taken: set[str]) -> None:
    """Write the strip of `image` into `folder` atomically, under a unique name. `taken` collects the names.

    Raises: OSError.
    """
    stem = Path(image).stem
    names = (f"{stem}{'' if number == 1 else f'-{number}'}.explained.png" for number in range(1, len(taken) + 2))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    _, data = cv2.imencode(".png", strip)
    write_atomically(folder / name, data.tobytes())


def prepare_folder(folder: Path) -> None:
    """Create `folder` if needed and check that it is writable. Raises: OSError."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _within(picture: Picture, box: tuple[float, float, float, float]) -> Box:
    """Clip a candidate's box (left, top, right, bottom) to the image. Return x, y, width, height."""
    left, top = max(0.0, box[0]), max(0.0, box[1])
    return left, top, min(picture.shape[1], box[2]) - left, min(picture.shape[0], box[3]) - top


def _box_distance(one: Box, other: Box) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _inside(candidate: Candidate, box: Box) -> bool:
    return box[0] <= candidate.x <= box[0] + box[2] and box[1] <= candidate.y <= box[1] + box[3]


def _title(roll: Roll, found: Sequence[ExplainedCandidate], name: str) -> Picture:
    paper = np.full((112, WIDTH, 3), _PAPER, np.uint8)
    _write(paper, Path(name).name, (14, 34), 0.8, _TEXT_COLOUR, WIDTH - 28)
    dice = "1 die" if len(roll.dice) == 1 else f"{len(roll.dice)} dice"
    notes = "".join(f"   {note.replace('_', ' ')}" for note in roll.notes)
    _write(paper, f"{roll.status}   {dice}   {roll.ms:.0f} ms{notes}", (14, 68), 0.7, _TEXT_COLOUR, WIDTH - 28)
    left = 14
    for outcome in OUTCOMES:
        text = f"{sum(step.outcome == outcome for step in found)} {outcome}"
        cv2.rectangle(paper, (left, 84), (left + 18, 102), _COLOURS[outcome], -1)
        _write(paper, text, (left + 26, 101), 0.6, _TEXT_COLOUR, 200)
        left += 46 + cv2.getTextSize(text, _FONT, 0.6, 1)[0][0]
    return paper


def _marked(picture: Picture, found: Sequence[ExplainedCandidate]) -> Picture:
    """Scale the image to the strip and draw a box for each candidate in the colour of its outcome, dropped ones first.

    A tall image is narrower than the strip.
    """
    scale = min(WIDTH / picture.shape[1], _TALLEST / picture.shape[0])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    canvas = np.full((size[1], WIDTH, 3), _PAPER, np.uint8)
    canvas[:, : size[0]] = cv2.resize(picture, size, interpolation=kind)
    for step in reversed(found):
        colour, thick = _COLOURS[step.outcome], 3 if step.die else 1
        left, top, right, bottom = (round(edge * scale) for edge in step.candidate.box)
        cv2.rectangle(canvas, (left, top), (right, bottom), colour, thick, cv2.LINE_AA)
        middle = (round(step.candidate.x * scale), round(step.candidate.y * scale))
        cv2.circle(canvas, middle, 2, colour, -1, cv2.LINE_AA)
        width = cv2.getTextSize(str(step.number), _FONT, 0.6, 2)[0][0]
        x, y = min(max(0, left), WIDTH - width - 6), min(max(20, top), size[1])
        cv2.rectangle(canvas, (x, y - 20), (x + width + 6, y), colour, -1)
        cv2.putText(canvas, str(step.number), (x + 3, y - 4), _FONT, 0.6, (0, 0, 0), 2, cv2.LINE_AA)
    return canvas


def _card(picture: Picture, step: ExplainedCandidate) -> Picture:
    """Draw a candidate's card: crop, three most likely classes, evidence, doubt and decision."""
    card = np.full((CARD, WIDTH // COLUMNS, 3), _PAPER, np.uint8)
    colour = _COLOURS[step.outcome]
    crop = cv2.resize(near_crop(picture, step.candidate), (CROP, CROP), interpolation=cv2.INTER_CUBIC)
    card[12 : 12 + CROP, 12 : 12 + CROP] = crop
    cv2.rectangle(card, (10, 10), (13 + CROP, 13 + CROP), colour, 3)
    max_width = card.shape[1] - CROP - 34
    for line, (text, ink) in enumerate(_lines(step, colour)):
        _write(card, text, (CROP + 26, 32 + 26 * line), 0.58, ink, max_width)
    return card


def _lines(step: ExplainedCandidate, colour: tuple[int, int, int]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    yield f"{step.number}  {step.outcome}", colour
    for index in np.argsort(-step.classification.classes)[:3]:
        yield f"{class_name(int(index))} {100 * float(step.classification.classes[index]):.1f} %", _TEXT_COLOUR
    body = f"  {step.die.body}" if step.die is not None and step.die.body else ""
    yield f"evidence {evidence(step.candidate, step.classification):.2f}{body}", _FAINT
    if step.die is not None:
        doubt = f"  ({step.die.doubt})" if step.die.doubt else ""
        yield f"= {step.die.face}{doubt}", colour


def _write(
    paper: Picture, text: str, at: tuple[int, int], size: float, ink: tuple[int, int, int], max_width: int
) -> None:
    """Draw text in OpenCV's built-in font, smaller if space is short.

    The font is always available but supports ASCII only, so accents are removed.
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    plain = bare.encode("ascii", "replace").decode()
    width = cv2.getTextSize(plain, _FONT, size, 1)[0][0]
    fitted = size * min(1.0, max_width / max(width, 1))
    if fitted < 0.4:
        plain = plain[: max(1, int(len(plain) * fitted / 0.4) - 3)] + "..."
    cv2.putText(paper, plain, at, _FONT, max(fitted, 0.4), ink, 1, cv2.LINE_AA)
