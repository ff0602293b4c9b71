"""Benchmark of the reader's accuracy and speed.

Covers drawn sets, tables without dice, photographs (if present) by view with and without a request, time and memory.
The baselines are the networks alone, and the method of most tutorials: counting round blobs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.benchmarks.photographs import default_manifest, measure_photographs, unreadable_count
from tools.benchmarks.reader_speed import FEW_DICE_SIZE, draw_pip_tray, measure_speed
from tools.benchmarks.scores import share
from tools.training.manifests import load_checked
from tools.training.throws import SETS, drawn_empty, measure_empty, measure_set, pictures_in
from vision import dice_sets
from vision.decision.labels import ManifestError
from vision.decision.reader import Reader
from vision.dice_sets import DiceSetError
from vision.pictures import UnreadablePicture, silence_opencv

Picture = NDArray[np.uint8]

DICE = 60
"""Default number of drawn dice of each set: enough to notice a defect, too few to prove a limit."""

RUNS = 3
BLOB_PICTURES = 20


def measure(
    photos: Path | None = None, negatives: Path | None = None, dice: int = DICE, runs: int = RUNS
) -> dict[str, Any]:
    """Run all measurements. `photos`: default is the manifest beside the project, if it exists.

    An image that cannot be opened is reported, counted separately, and not `kept`.

    Raises ManifestError for an invalid manifest or a folder without images.
    """
    silence_opencv()
    log = partial(print, file=sys.stderr)
    photos = photos or default_manifest()
    if photos is not None:
        load_checked(photos)  # fails before minutes of measurement
    try:
        found = pictures_in(negatives, log) if negatives is not None else None
        figures: dict[str, Any] = {"runs": runs, "speed": measure_speed(runs, time.perf_counter, time.process_time)}
        readers = {name: Reader(dice_sets.load(name)) for name in SETS}
        figures["drawn"] = {name: measure_set(reader, dice) for name, reader in readers.items()}
        figures["empty"] = measure_empty(readers["pips"], drawn_empty(max(10, dice // 4)))
        if found is not None:
            figures["negatives"] = measure_empty(readers["pips"], found)
        if photos is not None:
            figures["photos"] = measure_photographs(photos, log)
    except (UnreadablePicture, DiceSetError) as error:
        raise ManifestError(str(error)) from error
    figures["blobs"] = _blobs()
    lost = figures.get("negatives", {}).get("not_read", 0)
    lost += unreadable_count(figures.get("photos", {}))
    figures["kept"] = {"every_picture_read": not lost}
    return figures


def _blobs() -> dict[str, Any]:
    """Return the scores of blob counting on simple trays: one to five dice straight below the camera."""
    chance = np.random.default_rng(5)
    exact, times = 0, []
    for number in range(BLOB_PICTURES):
        picture, dice = draw_pip_tray(1 + number % 5, FEW_DICE_SIZE, chance)
        start = time.perf_counter()
        values = blob_values(picture)
        times.append(1000 * (time.perf_counter() - start))
        exact += Counter(values) == Counter(die.face for die in dice)
    return {
        "pictures": BLOB_PICTURES,
        "exact": share(exact, BLOB_PICTURES),
        "wrong": share(BLOB_PICTURES - exact, BLOB_PICTURES),
        "ms": round(float(np.median(times)), 1),
    }


def blob_values(picture: Picture) -> list[int]:
    """Read dice by blob counting: nearby round blobs, dark or light, form a group; a group of one to six is a die."""
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
