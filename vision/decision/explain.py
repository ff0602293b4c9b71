"""A reading shown as one picture: what the finder found, what the face net saw and said, and what came of each."""

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
from vision.classification.face_nets import Look, near_crop
from vision.decision.reader import Reader
from vision.decision.thresholds import evidence
from vision.detection.finder import Candidate
from vision.pictures import Picture, write_whole
from vision.roll import Box, DieReading, Roll, RollRequest

WIDTH = 720
"""Of the strip in pixels: at the width of a phone's screen its letters are about 2 mm high."""

_TALLEST = 2 * WIDTH
"""Height in pixels to which a tall, narrow picture is brought."""

COLUMNS = 2
CARD = 176
"""Height of a candidate's card in pixels."""

CROP = 152
"""Edge of the shown crop in pixels."""

FATES = ("certain", "asked", "overlapped", "nothing")
"""What becomes of a candidate; the last two are dropped: part of another die, or no die."""

_COLOURS = dict(zip(FATES, ((90, 200, 60), (40, 170, 250), (220, 130, 200), (150, 150, 150)), strict=True))
_PAPER, _WORDS, _FAINT = (34, 30, 28), (240, 240, 240), (175, 175, 175)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class Step:
    """One candidate on its way: its number in the strip, what the nets said, its fate, its reading if it has one."""

    number: int
    candidate: Candidate
    look: Look
    fate: str
    die: DieReading | None


def explained(reader: Reader, picture: Picture, request: RollRequest | None, name: str) -> tuple[Roll, Picture]:
    """Reads `picture` (height, width, 3, BGR) and gives the roll and the strip that explains it."""
    roll = reader.read(picture, request)
    shown, candidates, looks, _ = reader.seen(picture, request)
    return roll, strip(shown, roll, steps(shown, candidates, looks, roll), name)


def steps(picture: Picture, candidates: Sequence[Candidate], looks: Sequence[Look], roll: Roll) -> list[Step]:
    """The candidates by fate, in the order of FATES, then by evidence."""
    boxes = [_within(picture, candidate.box) for candidate in candidates]
    owned: dict[int, DieReading] = {}
    for die in roll.dice:
        free = [index for index in range(len(boxes)) if index not in owned]
        if free:
            owned[min(free, key=lambda index: _apart(boxes[index], die.box))] = die
    seen = []
    for index, (candidate, look) in enumerate(zip(candidates, looks, strict=True)):
        own = owned.get(index)
        if own is not None:
            fate = "certain" if own.certain else "asked"
        else:
            fate = "overlapped" if any(_inside(candidate, die.box) for die in roll.dice) else "nothing"
        seen.append((fate, candidate, look, own))
    seen.sort(key=lambda one: (FATES.index(one[0]), -evidence(one[1], one[2])))
    return [Step(number, candidate, look, fate, own) for number, (fate, candidate, look, own) in enumerate(seen, 1)]


def class_name(index: int) -> str:
    """A class of the face net in a word or two."""
    named = {NOTHING: "nothing", UNKNOWN: "unknown", PLAIN: "plain", SIX_OR_NINE: "6 or 9"}
    if index in named:
        return named[index]
    if index >= FIRST_SYMBOL:
        return SYMBOLS[index - FIRST_SYMBOL].replace("_", " ")
    return f"digit {index - DIGITS}" if index >= DIGITS else f"{index} pip" + "s" * (index > 1)


def strip(picture: Picture, roll: Roll, found: Sequence[Step], name: str) -> Picture:
    """Title, legend, the picture with its candidates, and a card for each of them, one below the other."""
    parts = [_title(roll, found, name), _marked(picture, found)]
    for start in range(0, len(found), COLUMNS):
        row = np.full((CARD, WIDTH, 3), _PAPER, np.uint8)
        for column, step in enumerate(found[start : start + COLUMNS]):
            left = column * WIDTH // COLUMNS
            row[:, left : left + WIDTH // COLUMNS] = _card(picture, step)
        parts.append(row)
    return np.concatenate(parts)


def names_in(folder: Path, images: Iterable[str]) -> set[str]:
    """The names of those `images` that lie in `folder` themselves: no strip may take one of them."""
    there = folder.resolve()
    return {Path(image).name for image in images if "\0" not in image and Path(image).parent.resolve() == there}


def save(folder: Path, image: str, shown: Picture, taken: set[str]) -> None:
    """Writes the strip of `image` into `folder`, whole or not at all, under a name of its own (`taken` collects them).
    Raises OSError."""
    stem = Path(image).stem
    names = (f"{stem}{'' if turn == 1 else f'-{turn}'}.explained.png" for turn in range(1, len(taken) + 2))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    _, data = cv2.imencode(".png", shown)
    write_whole(folder / name, data.tobytes())


def prepare(folder: Path) -> None:
    """Makes `folder` if need be, and proves that files can be written there. Raises OSError."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _within(picture: Picture, box: tuple[float, float, float, float]) -> Box:
    """A candidate's box (left, top, right, bottom) as far as it lies in the picture, as a reading has it."""
    left, top = max(0.0, box[0]), max(0.0, box[1])
    return left, top, min(picture.shape[1], box[2]) - left, min(picture.shape[0], box[3]) - top


def _apart(one: Box, other: Box) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _inside(candidate: Candidate, box: Box) -> bool:
    return box[0] <= candidate.x <= box[0] + box[2] and box[1] <= candidate.y <= box[1] + box[3]


def _title(roll: Roll, found: Sequence[Step], name: str) -> Picture:
    paper = np.full((112, WIDTH, 3), _PAPER, np.uint8)
    _write(paper, Path(name).name, (14, 34), 0.8, _WORDS, WIDTH - 28)
    dice = "1 die" if len(roll.dice) == 1 else f"{len(roll.dice)} dice"
    notes = "".join(f"   {note.replace('_', ' ')}" for note in roll.notes)
    _write(paper, f"{roll.status}   {dice}   {roll.ms:.0f} ms{notes}", (14, 68), 0.7, _WORDS, WIDTH - 28)
    left = 14
    for fate in FATES:
        words = f"{sum(step.fate == fate for step in found)} {fate}"
        cv2.rectangle(paper, (left, 84), (left + 18, 102), _COLOURS[fate], -1)
        _write(paper, words, (left + 26, 101), 0.6, _WORDS, 200)
        left += 46 + cv2.getTextSize(words, _FONT, 0.6, 1)[0][0]
    return paper


def _marked(picture: Picture, found: Sequence[Step]) -> Picture:
    """The picture in the strip's width, a tall one narrower, each candidate boxed in the colour of its fate; the
    dropped ones first."""
    scale = min(WIDTH / picture.shape[1], _TALLEST / picture.shape[0])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    shown = np.full((size[1], WIDTH, 3), _PAPER, np.uint8)
    shown[:, : size[0]] = cv2.resize(picture, size, interpolation=kind)
    for step in reversed(found):
        colour, thick = _COLOURS[step.fate], 3 if step.die else 1
        left, top, right, bottom = (round(edge * scale) for edge in step.candidate.box)
        cv2.rectangle(shown, (left, top), (right, bottom), colour, thick, cv2.LINE_AA)
        middle = (round(step.candidate.x * scale), round(step.candidate.y * scale))
        cv2.circle(shown, middle, 2, colour, -1, cv2.LINE_AA)
        width = cv2.getTextSize(str(step.number), _FONT, 0.6, 2)[0][0]
        x, y = min(max(0, left), WIDTH - width - 6), min(max(20, top), size[1])
        cv2.rectangle(shown, (x, y - 20), (x + width + 6, y), colour, -1)
        cv2.putText(shown, str(step.number), (x + 3, y - 4), _FONT, 0.6, (0, 0, 0), 2, cv2.LINE_AA)
    return shown


def _card(picture: Picture, step: Step) -> Picture:
    """A candidate: its crop, the three likeliest classes, evidence, doubt and decision."""
    card = np.full((CARD, WIDTH // COLUMNS, 3), _PAPER, np.uint8)
    colour = _COLOURS[step.fate]
    crop = cv2.resize(near_crop(picture, step.candidate), (CROP, CROP), interpolation=cv2.INTER_CUBIC)
    card[12 : 12 + CROP, 12 : 12 + CROP] = crop
    cv2.rectangle(card, (10, 10), (13 + CROP, 13 + CROP), colour, 3)
    room = card.shape[1] - CROP - 34
    for line, (words, ink) in enumerate(_lines(step, colour)):
        _write(card, words, (CROP + 26, 32 + 26 * line), 0.58, ink, room)
    return card


def _lines(step: Step, colour: tuple[int, int, int]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    yield f"{step.number}  {step.fate}", colour
    for index in np.argsort(-step.look.classes)[:3]:
        yield f"{class_name(int(index))} {100 * float(step.look.classes[index]):.1f} %", _WORDS
    body = f"  {step.die.body}" if step.die is not None and step.die.body else ""
    yield f"evidence {evidence(step.candidate, step.look):.2f}{body}", _FAINT
    if step.die is not None:
        doubt = f"  ({step.die.doubt})" if step.die.doubt else ""
        yield f"= {step.die.face}{doubt}", colour


def _write(paper: Picture, words: str, at: tuple[int, int], size: float, ink: tuple[int, int, int], room: int) -> None:
    """Words in the one font that is always there, which knows ASCII only (accents are left out); smaller where the room
    is short."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", words) if not unicodedata.combining(sign))
    plain = bare.encode("ascii", "replace").decode()
    width = cv2.getTextSize(plain, _FONT, size, 1)[0][0]
    fitted = size * min(1.0, room / max(width, 1))
    if fitted < 0.4:
        plain = plain[: max(1, int(len(plain) * fitted / 0.4) - 3)] + "..."
    cv2.putText(paper, plain, at, _FONT, max(fitted, 0.4), ink, 1, cv2.LINE_AA)
