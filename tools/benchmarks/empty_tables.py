"""Benchmark of tables without dice: drawn ones with objects that resemble dice, and photographs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmarks.photographs import default_manifest, pictures_with_views
from tools.training.evaluate import ReaderCache
from tools.training.scenes import bare_scene
from tools.training.throws import SETS, measure_empty, open_picture
from vision.decision.labels import ManifestError
from vision.dice_sets import DiceSetError
from vision.pictures import Picture, silence_opencv

PICTURES = 500
"""Default number of drawn tables."""

SEED, SIZE = 33_000_000, 640
"""Seed and size of the drawn tables. No other benchmark uses this seed."""


def measure(photos: Path | None = None, limit: int = PICTURES) -> dict[str, Any]:
    """Return the scores of each set's reader on tables without dice.

    They are `limit` drawn tables and the photographs without dice in a manifest. An image that cannot be opened is
    reported and counted separately. Raises ManifestError.
    """
    silence_opencv()
    photos = photos or default_manifest()
    log = partial(print, file=sys.stderr, flush=True)
    paths = (
        [] if photos is None else [labelled.path for labelled, view in pictures_with_views(photos) if view == "no_dice"]
    )
    readers, groups = ReaderCache(), dict[str, dict[str, dict[str, Any]]]()
    try:
        for name in SETS:
            reader = readers.get(name)
            groups.setdefault("drawn", {})[name] = measure_empty(reader, bare_tables(limit))
            if paths:
                pictures = ((path.stem, open_picture(path, log)) for path in paths)
                groups.setdefault("photographs", {})[name] = measure_empty(reader, pictures)
            log(f"{name} read")
    except DiceSetError as error:
        raise ManifestError(str(error)) from error
    rows = [row for sets in groups.values() for row in sets.values()]
    limits = {"certain": 0.0, "several": 0.0}
    return {**groups, "limits": limits, "kept": {what: not any(row[what] for row in rows) for what in limits}}


def bare_tables(count: int) -> Iterator[tuple[str, Picture]]:
    """Yield drawn tables without dice."""
    for number in range(count):
        yield f"bare{number}", bare_scene(SIZE, np.random.default_rng([SEED, number]))[0]
