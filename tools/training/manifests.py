"""Manifests of images with known dice. They are read completely: one invalid line rejects a manifest."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie, check_names, load_lines
from vision.dice_sets import DiceSetError


def load_manifest(path: Path) -> list[Labelled]:
    """Load every image of a manifest, one JSON object a line, paths relative to its folder. Raises ManifestError."""
    pictures, faults = load_lines(path)
    if faults:
        raise faults[0]
    return pictures


def load_checked(path: Path) -> list[Labelled]:
    """Load a manifest as `load_manifest` does and check every line against its dice set. Raises ManifestError."""
    pictures = load_manifest(path)
    known = functools.cache(dice_sets.load)
    for labelled in pictures:
        try:
            check_names(labelled, known(labelled.dice_set))
        except DiceSetError as error:
            raise ManifestError(f"{labelled.where}: set: {error}") from error
    return pictures


def dice_in(labelled: Labelled, width: int) -> tuple[TrueDie, ...]:
    """Return the dice of an image with their boxes in pixels of a file of that width."""
    scale = width / (labelled.width or width)
    if scale == 1.0:
        return labelled.dice
    boxes = (None if die.box is None else [part * scale for part in die.box] for die in labelled.dice)
    return tuple(
        replace(die, box=None if box is None else (box[0], box[1], box[2], box[3]))
        for die, box in zip(labelled.dice, boxes, strict=True)
    )
