"""Benchmark of the reader's stability: photographs and drawn rolls, original and with twelve mild augmentations.

Reports wrong `ok` readings per 10,000, and the share of readings that differ from the reading of the original. Images
of one throw are not independent samples, so there are no confidence bounds.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmarks.perturbations import PERTURBATIONS, ROTATIONS
from tools.benchmarks.photographs import default_manifest, pictures_with_views
from tools.benchmarks.scores import share
from tools.training.drawn_table import CameraViews
from tools.training.evaluate import ReaderCache
from tools.training.manifests import load_checked
from tools.training.throws import SETS, ThrowPlan, drawn_throws
from vision import dice_sets
from vision.decision.labels import ManifestError, TrueDie, matches_truth
from vision.dice_sets import DiceSetError
from vision.pictures import Picture, UnreadablePicture, load_picture, silence_opencv
from vision.roll import Roll, Status

THROWS = 40
"""Default number of drawn throws of each set."""

PLAN = ThrowPlan(seed=31_000_000, views=CameraViews((32.0, 100.0), 55.0))
"""Plan of drawn throws: dice are at least 16 pixels large at half the image size. No other benchmark uses this seed."""

MOST_OK_WRONG, MOST_CHANGED = 10, 0.04
"""Maximum of wrong `ok` readings per 10,000, and maximum share of changed readings."""

_ABOVE = 20.0
"""Maximum view angle of all dice, in degrees, for a drawn throw to count as seen from above."""

Answer = tuple[Status, Counter[tuple[str, str]], int]


@dataclass(frozen=True, slots=True)
class Case:
    """An image, its true dice, and whether it is seen from above. `group`: `photographs` or `drawn`."""

    group: str
    dice_set: str
    picture: Picture
    truth: tuple[TrueDie, ...]
    from_above: bool


@dataclass(slots=True)
class Count:
    """Counts of readings. `changed` and `status_changed` are relative to the original images."""

    readings: int = 0
    ok_wrong: int = 0
    empty_wrong: int = 0
    asked: int = 0
    changed: int = 0
    status_changed: int = 0

    def add(self, roll: Roll, truth: tuple[TrueDie, ...], untouched: Roll) -> None:
        """Count one reading."""
        right = matches_truth(truth, roll.dice)
        self.readings += 1
        self.ok_wrong += roll.status is Status.OK and not right
        self.empty_wrong += roll.status is Status.EMPTY and not right
        self.asked += roll.status is Status.ASK
        self.changed += answer(roll) != answer(untouched)
        self.status_changed += roll.status is not untouched.status

    def figures(self) -> dict[str, Any]:
        """Return shares, and wrong readings per 10,000."""
        return {
            "readings": self.readings,
            "ok_wrong": self.ok_wrong,
            "ok_wrong_of_10000": _of_10000(self.ok_wrong, self.readings),
            "empty_wrong_of_10000": _of_10000(self.empty_wrong, self.readings),
            "asked": share(self.asked, self.readings),
            "changed": share(self.changed, self.readings),
            "status_changed": share(self.status_changed, self.readings),
        }


@dataclass(slots=True)
class GroupResults:
    """All readings of one group: of the original images, and of the augmented ones, by augmentation and in total."""

    pictures: int = 0
    untouched: Count = field(default_factory=Count)
    perturbed: Count = field(default_factory=Count)
    by_perturbation: dict[str, Count] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """Return the scores as printed."""
        return {
            "pictures": self.pictures,
            "untouched": self.untouched.figures(),
            "disguised": self.perturbed.figures(),
            "by_disguise": {name: count.figures() for name, count in self.by_perturbation.items()},
        }


def answer(roll: Roll) -> Answer:
    """Return the comparable part of a roll: status, certain dice by kind and face, and number of dice asked about."""
    certain = Counter((die.kind, str(die.face)) for die in roll.dice if die.certain)
    return roll.status, certain, len(roll.dice) - certain.total()


def measure(photos: Path | None = None, throws: int = THROWS, limit: int | None = None) -> dict[str, Any]:
    """Return the scores of `throws` drawn throws of each set and of all photographs, or `limit` of them, evenly spread.

    An image that cannot be opened is reported and skipped. Raises ManifestError.
    """
    silence_opencv()
    photos = photos or default_manifest()
    if photos is not None:
        load_checked(photos)  # fails before minutes of measurement
    log = partial(print, file=sys.stderr, flush=True)
    cases = [] if photos is None else [photographed(photos, limit, log)]
    cases.append(drawn(throws))
    readers, groups, everything = ReaderCache(), dict[str, GroupResults](), GroupResults()
    try:
        for number, case in enumerate(case for given in cases for case in given):
            _read(readers, case, number, (everything, groups.setdefault(case.group, GroupResults())))
            if number % 50 == 49:
                log(f"{number + 1} pictures read in every disguise")
    except DiceSetError as error:
        raise ManifestError(str(error)) from error
    whole = everything.figures()
    kept = {
        "ok_wrong": whole["disguised"]["ok_wrong_of_10000"] <= MOST_OK_WRONG,
        "changed": whole["disguised"]["changed"] < MOST_CHANGED,
    }
    limits = {"ok_wrong_of_10000": MOST_OK_WRONG, "changed": MOST_CHANGED}
    of_groups = {name: group.figures() for name, group in groups.items()}
    return {**whole, "groups": of_groups, "limits": limits, "kept": kept}


def photographed(manifest: Path, limit: int | None, on_error: Callable[[str], None]) -> Iterator[Case]:
    """Yield the photographs of a manifest, or `limit` of them, evenly spread."""
    pictures = list(pictures_with_views(manifest))
    for place in evenly_spaced(len(pictures), limit):
        labelled, view = pictures[place]
        try:
            picture = load_picture(labelled.path)
        except UnreadablePicture as error:
            on_error(str(error))
            continue
        yield Case("photographs", labelled.dice_set, picture, labelled.dice, view in ("above", "crops", "no_dice"))


def evenly_spaced(count: int, limit: int | None) -> list[int]:
    """Return all indices below `count`, or `limit` evenly spaced ones."""
    most = count if limit is None else min(limit, count)
    return [place * count // most for place in range(most)]


def drawn(throws: int) -> Iterator[Case]:
    """Yield `throws` throws of each set."""
    for name in SETS:
        for picture, seen_dice in islice(drawn_throws(dice_sets.load(name), PLAN), throws):
            above = max((seen.tilt for seen in seen_dice), default=0.0) < _ABOVE
            yield Case("drawn", name, picture, tuple(seen.die for seen in seen_dice), above)


def _read(readers: ReaderCache, case: Case, number: int, into: Sequence[GroupResults]) -> None:
    reader = readers.get(case.dice_set)
    untouched = reader.read(case.picture)
    for group in into:
        group.pictures += 1
        group.untouched.add(untouched, case.truth, untouched)
    for place, (name, disguise) in enumerate(PERTURBATIONS.items()):
        if name in ROTATIONS and not case.from_above:
            continue
        roll = reader.read(disguise(case.picture, np.random.default_rng([number, place])))
        for group in into:
            for count in (group.perturbed, group.by_perturbation.setdefault(name, Count())):
                count.add(roll, case.truth, untouched)


def _of_10000(part: int, whole: int) -> float | None:
    return round(10_000 * part / whole, 1) if whole else None
