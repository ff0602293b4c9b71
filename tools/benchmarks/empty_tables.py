"""What the reader says of tables without dice, drawn with things that may be taken for dice, and photographed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmarks.photographs import usual_manifest, viewed
from tools.training.evaluate import Readers
from tools.training.scenes import bare_scene
from tools.training.throws import SETS, measure_empty, opened
from vision.decision.labels import ManifestError
from vision.dice_sets import DiceSetError
from vision.pictures import Picture, quieten

PICTURES = 500
"""Drawn tables unless another number is asked for."""

SEED, SIZE = 33_000_000, 640
"""Of the drawn tables; no other measure has this seed."""


def measure(photos: Path | None = None, limit: int = PICTURES) -> dict[str, Any]:
    """Every figure, for readers of every set: `limit` drawn tables and the photographs of a manifest in which no dice
    lie. A picture that cannot be opened is told and counted apart. Raises ManifestError."""
    quieten()
    photos = photos or usual_manifest()
    tell = partial(print, file=sys.stderr, flush=True)
    paths = [] if photos is None else [labelled.path for labelled, view in viewed(photos) if view == "no_dice"]
    readers, groups = Readers(), dict[str, dict[str, dict[str, Any]]]()
    try:
        for name in SETS:
            reader = readers.of(name)
            groups.setdefault("drawn", {})[name] = measure_empty(reader, bare_tables(limit))
            if paths:
                pictures = ((path.stem, opened(path, tell)) for path in paths)
                groups.setdefault("photographs", {})[name] = measure_empty(reader, pictures)
            tell(f"{name} read")
    except DiceSetError as error:
        raise ManifestError(str(error)) from error
    rows = [row for sets in groups.values() for row in sets.values()]
    limits = {"certain": 0.0, "several": 0.0}
    return {**groups, "limits": limits, "kept": {what: not any(row[what] for row in rows) for what in limits}}


def bare_tables(count: int) -> Iterator[tuple[str, Picture]]:
    """Drawn tables without dice, one after the other."""
    for number in range(count):
        yield f"bare{number}", bare_scene(SIZE, np.random.default_rng([SEED, number]))[0]
