"""Pictures for the virtual camera: throws in a rendered tray as numbered files, with the true dice of each throw."""

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
    """A throw with its dice sorted by face; the dice are still from picture `rests` and removed at picture `gone`."""

    faces: tuple[tuple[str, int], ...]
    rests: int
    gone: int


@dataclass(frozen=True, slots=True)
class Reel:
    """Pictures `0.jpg`, `1.jpg`, … in a folder, with their frame rate."""

    folder: Path
    count: int
    rate: float
    throws: tuple[Throw, ...]


def shoot(folder: Path, seed: int, throws: Iterable[Sequence[Die]], *, rate: float, stays: float) -> Reel:
    """Render throws; each lies for `stays` seconds, then a hand removes it. The tray is empty at the start and the
    end."""
    folder.mkdir(parents=True)
    tray = SimulatedTray(seed, sensor=Sensor(rate=rate))
    frame_count, made = 0, []

    def show(seconds: float) -> None:
        """Add pictures until all dice have been still for this many seconds."""
        nonlocal frame_count
        still = 0
        while still < seconds * rate:
            picture = _as_video(tray.frame(0.0).picture)
            cv2.imwrite(str(folder / f"{frame_count}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            frame_count += 1
            still = still + 1 if tray.at_rest else 0

    show(0.8)
    for dice in throws:
        tray.throw(dice)
        show(stays)
        rests = frame_count - round(stays * rate)
        tray.clear()
        show(0.6)
        made.append(Throw(tuple(sorted((_name(die[0]), die[1]) for die in dice)), rests, frame_count))
    return Reel(folder, frame_count, rate, tuple(made))


def _as_video(picture: Picture) -> Picture:
    """Convert a picture to video range (black 16, white 235): the camera passes the values on unchanged."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=219 / 255, beta=16), np.uint8)


def _name(kind: object) -> str:
    return kind if isinstance(kind, str) else str(getattr(kind, "name", kind))
