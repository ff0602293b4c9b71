"""Simple readers and moving scenes for tests of the watcher that do not depend on real reading."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Camera, EndOfSource, Frame
from vision.cameras.simulated_effects import MARGIN, grain
from vision.cameras.simulated_tray import SimulatedTray
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Face, Roll, RollRequest, Status
from vision.watching.rest_detector import RestTimings
from vision.watching.watcher import DiceReader, watch

HUES = {1: 0, 2: 25, 3: 50, 4: 80, 5: 115, 6: 150}
"""OpenCV hue (0 to 179) of the coloured squares that represent dice, by value."""

Square = tuple[int, float, float]
"""Value, x and y of the centre."""


def scene(squares: Sequence[Square], *, edge: int = 40, ground: int = 90) -> Picture:
    """Return a grey tray with coloured squares."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    for value, x, y in squares:
        colour = cv2.cvtColor(np.uint8([[[HUES[value], 220, 200]]]), cv2.COLOR_HSV2BGR)[0, 0]
        left, top = round(x - edge / 2), round(y - edge / 2)
        cv2.rectangle(picture, (left, top), (left + edge - 1, top + edge - 1), colour.tolist(), -1)
    return picture


class BlobReader:
    """Reads the coloured squares of `scene` and counts its calls."""

    def __init__(self) -> None:
        self.reads = 0
        self.requests: list[RollRequest | None] = []

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        self.reads += 1
        self.requests.append(request)
        hsv = cv2.cvtColor(cv2.medianBlur(picture, 5), cv2.COLOR_BGR2HSV)
        mask = (hsv[..., 1] > 110).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        dice = []
        for label in range(1, count):
            x, y, width, height, area = (int(number) for number in stats[label])
            if area < 200:
                continue
            hue = float(np.median(hsv[..., 0][labels == label]))
            value = min(HUES, key=lambda v: min(abs(HUES[v] - hue), 180 - abs(HUES[v] - hue)))
            dice.append(certain(value, (x, y, width, height)))
        return Roll(Status.OK if dice else Status.EMPTY, tuple(dice), ms=1.0)


class TruthReader:
    """Returns the true dice of a rendered tray, so that a test of the watcher does not depend on the reading."""

    def __init__(self, tray: SimulatedTray) -> None:
        self._tray = tray

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        boxes = [(die, (die.x - die.edge / 2, die.y - die.edge / 2, die.edge, die.edge)) for die in self._tray.dice]
        dice = tuple(certain(die.face, box, die.kind) if not die.turning else blurred(box) for die, box in boxes)
        status = Status.EMPTY if not dice else Status.OK if all(die.certain for die in dice) else Status.ASK
        return Roll(status, dice, ms=1.0)


def certain(value: int, box: tuple[float, float, float, float], kind: str = "pips") -> DieReading:
    """Return a certain reading of a die."""
    face = Face(value=value)
    return DieReading(kind, face, box, 0.99, possible=((face, 0.99),))


def blurred(box: tuple[float, float, float, float]) -> DieReading:
    """Return a reading of a die that still spins."""
    return DieReading("pips", Face(), box, 0.3, doubt=Doubt.BLURRED)


class Film(Camera):
    """Pictures at given times, made by the test."""

    def __init__(self, shots: Sequence[tuple[float, Picture]]) -> None:
        self._shots = shots
        self._next = 0

    @property
    def is_recorded(self) -> bool:
        return True

    def open(self) -> None:
        self._next = 0

    def frame(self, timeout: float) -> Frame:
        if self._next == len(self._shots):
            raise EndOfSource
        t, picture = self._shots[self._next]
        self._next += 1
        return Frame(picture, t, self._next - 1)

    def close(self) -> None:
        self._next = 0

    def describe(self) -> str:
        return "a film of the test's own"


def noisy(picture: Picture, sheet: NDArray[np.int8], number: int) -> Picture:
    """Return the picture with a different part of a noise sheet for each number."""
    height, width = picture.shape[:2]
    x, y = 17 * number % MARGIN, 29 * number % MARGIN
    return np.asarray(cv2.add(picture, sheet[y : y + height, x : x + width], dtype=cv2.CV_8U), np.uint8)


def film(*parts: tuple[Sequence[Square], float], fps: float = 30.0, noise: float = 2.0, seed: int = 0) -> Film:
    """Return a film of scenes, each shown for its number of seconds."""
    shots: list[tuple[float, Picture]] = []
    sheet = grain(np.random.default_rng(seed), noise)
    for squares, seconds in parts:
        picture = scene(squares)
        shots += [((len(shots) + i) / fps, noisy(picture, sheet, len(shots) + i)) for i in range(round(seconds * fps))]
    return Film(shots)


def write_clip(path: Path, pictures: Sequence[Picture], fps: float = 30.0) -> None:
    """Write the pictures to a clip file."""
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), fps, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()


BOX = (180.0, 180.0, 40.0, 40.0)


def ok(value: int) -> Roll:
    return Roll(Status.OK, (certain(value, BOX),), ms=10.0)


class PreparedReader:
    """A reader that returns prepared rolls, the last one repeatedly."""

    def __init__(self, *rolls: Roll) -> None:
        self._rolls = list(rolls)
        self.reads = 0

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        self.reads += 1
        return self._rolls.pop(0) if len(self._rolls) > 1 else self._rolls[0]


def rolls(source: Camera, reader: DiceReader | None = None, patience: RestTimings | None = None) -> list[Roll]:
    """Return all rolls reported for a source until it ends."""
    with source:
        return [result.roll for result in watch(source, reader or BlobReader(), timings=patience)]
