"""What the virtual camera is to see: throws at a drawn tray as numbered pictures, with the truth about each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.simulated_tray import Die, Sensor, SimulatedTray
from vision.pictures import Picture

QUALITY = 92


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw, its dice sorted by what they show; it lies still from picture `rests` on, and is gone at `gone`."""

    faces: tuple[tuple[str, int], ...]
    rests: int
    gone: int


@dataclass(frozen=True, slots=True)
class Reel:
    """Pictures `0.jpg`, `1.jpg`, … of a folder, so many a second."""

    folder: Path
    count: int
    rate: float
    throws: tuple[Throw, ...]


def shoot(folder: Path, seed: int, throws: Iterable[Sequence[Die]], *, rate: float, stays: float) -> Reel:
    """Each throw lies for `stays` seconds, then a hand takes it out. The tray is empty at both ends."""
    folder.mkdir(parents=True)
    tray = SimulatedTray(seed, sensor=Sensor(rate=rate))
    shown, made = 0, []

    def show(seconds: float) -> None:
        """Pictures until all has lain still for so long."""
        nonlocal shown
        still = 0
        while still < seconds * rate:
            picture = _as_video(tray.frame(0.0).picture)
            cv2.imwrite(str(folder / f"{shown}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            shown += 1
            still = still + 1 if tray.at_rest else 0

    show(0.8)
    for dice in throws:
        tray.throw(dice)
        show(stays)
        rests = shown - round(stays * rate)
        tray.clear()
        show(0.6)
        made.append(Throw(tuple(sorted((_name(die[0]), die[1]) for die in dice)), rests, shown))
    return Reel(folder, shown, rate, tuple(made))


def _as_video(picture: Picture) -> Picture:
    """The picture in the range of video, black at 16 and white at 235: the camera hands the numbers on as they are."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=219 / 255, beta=16), np.uint8)


def _name(kind: object) -> str:
    return kind if isinstance(kind, str) else str(getattr(kind, "name", kind))
