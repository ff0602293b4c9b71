"""How steady the reader is: photographs and drawn rolls read as they are and in twelve mild disguises.

`ok`-and-wrong readings of 10,000, and the share of readings whose answer is not that of the untouched picture. Pictures
of one throw are no independent sample, so there are no bounds.
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

from tools.benchmarks.disguises import DISGUISES, TURNED
from tools.benchmarks.photographs import usual_manifest, viewed
from tools.benchmarks.scores import share
from tools.training.drawn_table import Views
from tools.training.evaluate import Readers
from tools.training.manifests import load_checked
from tools.training.throws import SETS, ThrowPlan, drawn_throws
from vision import dice_sets
from vision.decision.labels import ManifestError, TrueDie, is_same
from vision.dice_sets import DiceSetError
from vision.pictures import Picture, UnreadablePicture, load_picture, quieten
from vision.roll import Roll, Status

THROWS = 40
"""Drawn throws of each set unless more are asked for."""

PLAN = ThrowPlan(seed=31_000_000, views=Views((32.0, 100.0), 55.0))
"""Drawn throws whose dice are at least 16 pixels large when the picture is halved; no other measure has this seed."""

MOST_OK_WRONG, MOST_CHANGED = 10, 0.04
"""`ok`-and-wrong readings of 10,000, and the share of answers that change."""

_ABOVE = 20.0
"""Degrees: a drawn throw whose dice are all seen less askew than this is seen from above."""

Answer = tuple[Status, Counter[tuple[str, str]], int]


@dataclass(frozen=True, slots=True)
class Case:
    """A picture, what lies in it, and whether it is seen from above. `group`: `photographs` or `drawn`."""

    group: str
    dice_set: str
    picture: Picture
    truth: tuple[TrueDie, ...]
    from_above: bool


@dataclass(slots=True)
class Count:
    """Readings counted, `changed` and `status_changed` beside those of the untouched pictures."""

    readings: int = 0
    ok_wrong: int = 0
    empty_wrong: int = 0
    asked: int = 0
    changed: int = 0
    status_changed: int = 0

    def add(self, roll: Roll, truth: tuple[TrueDie, ...], untouched: Roll) -> None:
        """Counts one reading."""
        right = is_same(truth, roll.dice)
        self.readings += 1
        self.ok_wrong += roll.status is Status.OK and not right
        self.empty_wrong += roll.status is Status.EMPTY and not right
        self.asked += roll.status is Status.ASK
        self.changed += answer(roll) != answer(untouched)
        self.status_changed += roll.status is not untouched.status

    def figures(self) -> dict[str, Any]:
        """Shares, and wrong readings of 10,000."""
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
class Steadiness:
    """All readings of one group of pictures: the untouched ones, and the disguised ones by disguise and together."""

    pictures: int = 0
    untouched: Count = field(default_factory=Count)
    disguised: Count = field(default_factory=Count)
    by_disguise: dict[str, Count] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """As printed."""
        return {
            "pictures": self.pictures,
            "untouched": self.untouched.figures(),
            "disguised": self.disguised.figures(),
            "by_disguise": {name: count.figures() for name, count in self.by_disguise.items()},
        }


def answer(roll: Roll) -> Answer:
    """What is said: the status, each certain die by kind and face, and the number of dice asked about."""
    certain = Counter((die.kind, str(die.face)) for die in roll.dice if die.certain)
    return roll.status, certain, len(roll.dice) - certain.total()


def measure(photos: Path | None = None, throws: int = THROWS, limit: int | None = None) -> dict[str, Any]:
    """Every figure of `throws` drawn throws of each set and of the photographs, or `limit` of them, spread evenly.

    A picture that cannot be opened is told and passed over. Raises ManifestError.
    """
    quieten()
    photos = photos or usual_manifest()
    if photos is not None:
        load_checked(photos)  # refused before minutes of measuring
    tell = partial(print, file=sys.stderr, flush=True)
    cases = [] if photos is None else [photographed(photos, limit, tell)]
    cases.append(drawn(throws))
    readers, groups, everything = Readers(), dict[str, Steadiness](), Steadiness()
    try:
        for number, case in enumerate(case for given in cases for case in given):
            _read(readers, case, number, (everything, groups.setdefault(case.group, Steadiness())))
            if number % 50 == 49:
                tell(f"{number + 1} pictures read in every disguise")
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


def photographed(manifest: Path, limit: int | None, err: Callable[[str], None]) -> Iterator[Case]:
    """The photographs of a manifest, or `limit` of them, as far apart in it as may be."""
    pictures = list(viewed(manifest))
    for place in spread(len(pictures), limit):
        labelled, view = pictures[place]
        try:
            picture = load_picture(labelled.path)
        except UnreadablePicture as error:
            err(str(error))
            continue
        yield Case("photographs", labelled.dice_set, picture, labelled.dice, view in ("above", "crops", "no_dice"))


def spread(count: int, limit: int | None) -> list[int]:
    """All places below `count`, or `limit` at even distances."""
    most = count if limit is None else min(limit, count)
    return [place * count // most for place in range(most)]


def drawn(throws: int) -> Iterator[Case]:
    """So many throws of each set."""
    for name in SETS:
        for picture, lying in islice(drawn_throws(dice_sets.load(name), PLAN), throws):
            above = max((seen.tilt for seen in lying), default=0.0) < _ABOVE
            yield Case("drawn", name, picture, tuple(seen.die for seen in lying), above)


def _read(readers: Readers, case: Case, number: int, into: Sequence[Steadiness]) -> None:
    reader = readers.of(case.dice_set)
    untouched = reader.read(case.picture)
    for group in into:
        group.pictures += 1
        group.untouched.add(untouched, case.truth, untouched)
    for place, (name, disguise) in enumerate(DISGUISES.items()):
        if name in TURNED and not case.from_above:
            continue
        roll = reader.read(disguise(case.picture, np.random.default_rng([number, place])))
        for group in into:
            for count in (group.disguised, group.by_disguise.setdefault(name, Count())):
                count.add(roll, case.truth, untouched)


def _of_10000(part: int, whole: int) -> float | None:
    return round(10_000 * part / whole, 1) if whole else None
