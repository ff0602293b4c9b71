"""Manifests of pictures whose dice are known, read whole: a line that is not right refuses them."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie, check_names, load_lines
from vision.dice_sets import DiceSetError


def load_manifest(path: Path) -> list[Labelled]:
    """Every picture of a manifest, one JSON object a line, paths from the manifest's folder. Raises ManifestError."""
    pictures, faults = load_lines(path)
    if faults:
        raise faults[0]
    return pictures


def load_checked(path: Path) -> list[Labelled]:
    """As `load_manifest`, every line held against its dice set. Raises ManifestError."""
    pictures = load_manifest(path)
    known = functools.cache(dice_sets.load)
    for labelled in pictures:
        try:
            check_names(labelled, known(labelled.dice_set))
        except DiceSetError as error:
            raise ManifestError(f"{labelled.where}: set: {error}") from error
    return pictures


def dice_in(labelled: Labelled, width: int) -> tuple[TrueDie, ...]:
    """The dice of a picture with their boxes in pixels of the file, which is so wide."""
    scale = width / (labelled.width or width)
    if scale == 1.0:
        return labelled.dice
    boxes = (None if die.box is None else [part * scale for part in die.box] for die in labelled.dice)
    return tuple(
        replace(die, box=None if box is None else (box[0], box[1], box[2], box[3]))
        for die, box in zip(labelled.dice, boxes, strict=True)
    )
