"""How well and how fast the reader reads drawn trays, beside the peer of most tutorials: counting round blobs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import dice_sets
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pipeline import Reader

Picture = NDArray[np.uint8]
PICTURES = 60
RUNS = 3
BODIES = ("white", "ivory", "red", "blue", "green", "black")
LIMIT_MS = 100.0
"""Milliseconds a 640 x 480 picture on one thread."""


def measure() -> dict[str, Any]:
    """Exact readings and milliseconds a picture of both, on the same pictures in the same run."""
    scenes = _scenes(np.random.default_rng(5))
    reader = Reader(dice_sets.load("pips"))

    def ours(picture: Picture) -> tuple[list[int | None], bool]:
        roll = reader.read(picture)
        return [die.face.value for die in roll.dice], roll.status == "ok"

    def peer(picture: Picture) -> tuple[list[int | None], bool]:
        return list(blob_values(picture)), True

    return {
        "pictures": len(scenes),
        "dice": sum(len(values) for _, values in scenes),
        "runs": RUNS,
        "reader": _measured(scenes, ours),
        "blobs": _measured(scenes, peer),
        "limit_ms": LIMIT_MS,
    }


def _scenes(chance: np.random.Generator) -> list[tuple[Picture, Counter[int | None]]]:
    scenes = []
    for _ in range(PICTURES):
        places = [(120.0 + 130 * column, 130.0 + 130 * row) for column in range(4) for row in range(2)]
        chosen = chance.permutation(len(places))[: int(chance.integers(1, 6))]
        dice = [
            DrawnDie(
                "pips",
                str(chance.choice(BODIES)),
                int(chance.integers(1, 7)),
                places[index][0] + chance.uniform(-25, 25),
                places[index][1] + chance.uniform(-25, 25),
                float(chance.uniform(0, 6.28)),
            )
            for index in chosen
        ]
        scenes.append((draw_tray(dice, chance), Counter[int | None](die.face for die in dice)))
    return scenes


def _measured(
    scenes: Sequence[tuple[Picture, Counter[int | None]]], read: Callable[[Picture], tuple[list[int | None], bool]]
) -> dict[str, Any]:
    exact = wrong = 0
    times = []
    for run in range(RUNS):
        for picture, truth in scenes:
            start = time.perf_counter()
            values, certain = read(picture)
            times.append(1000 * (time.perf_counter() - start))
            if run == 0 and certain:
                exact += Counter(values) == truth
                wrong += Counter(values) != truth
    low, high = np.percentile(times, (10, 90))
    return {
        "exact": round(exact / len(scenes), 4),
        "wrong_when_certain": round(wrong / len(scenes), 4),
        "asked": round(1 - (exact + wrong) / len(scenes), 4),
        "ms": {"median": round(median(times), 2), "p10": round(float(low), 2), "p90": round(float(high), 2)},
    }


def blob_values(picture: Picture) -> list[int]:
    """The usual tutorial: round blobs, dark or light, grouped by nearness; a group of one to six is a die."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    spots: list[tuple[float, float, float]] = []
    for light in (0, 255):
        settings = cv2.SimpleBlobDetector_Params()  # type: ignore[attr-defined]
        settings.filterByInertia, settings.minInertiaRatio = True, 0.6
        settings.filterByColor, settings.blobColor = True, light
        settings.minArea = 12
        for found in cv2.SimpleBlobDetector_create(settings).detect(grey):  # type: ignore[attr-defined]
            spots.append((found.pt[0], found.pt[1], found.size))
    groups: list[list[tuple[float, float, float]]] = []
    for spot in spots:
        near = [group for group in groups if any(_near(spot, other) for other in group)]
        groups = [group for group in groups if group not in near] + [[spot, *(s for group in near for s in group)]]
    return [len(group) for group in groups if len(group) <= 6]


def _near(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return bool(np.hypot(one[0] - other[0], one[1] - other[1]) < 2.6 * max(one[2], other[2]))
