"""Benchmark of cocked dice: the share of cocked dice read as flat, and of flat dice read as cocked.

Each drawn table has its own camera, which looks down at a slight angle. It is read twice: by a reader that learns the
camera's position from the table's rolls, and image by image.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tools.benchmarks.scores import share
from tools.training.drawn_table import lit, random_body, random_light
from tools.training.grounds import random_ground
from tools.training.labels import Label
from tools.training.leaning_scenes import lay_die
from tools.training.own_dice import random_make_of
from tools.training.own_scenes import simulate_photograph
from tools.training.random_dice import RandomDie
from tools.training.scenes import DiePlacement, TrainingScene, Viewpoint
from tools.training.throws import SETS
from vision import dice_sets
from vision.decision.reader import Reader
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Light
from vision.drawing.tray import tray_ground
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Roll, Status

DEFAULT_TABLES = 60
"""Default number of tables."""

LEANS = (8, 14, 20, 26, 32, 40, 50)
"""Tilt of the cocked die of a throw, in degrees."""

COUNTS = (1, 2, 3, 6)

_SHAPE = (480, 640)
_SEED = 37_000_000
_TEACHING = 2
"""Number of rolls with flat dice at the start of a table."""

_BARS = {"known": {20: 0.08, 26: 0.02, 32: 0.02, 40: 0.02}, "unknown": {26: 0.15, 32: 0.05, 40: 0.05}}
_FLAT_BAR = 0.003


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A drawn table: its camera, light, ground and dice."""

    name: str
    view: Viewpoint
    light: Light
    ground: FloatImage
    dice: Sequence[RandomDie]

    @classmethod
    def random(cls, number: int, seed: int) -> DrawnTable:
        """Return the table with that number. The tables of all sets take turns."""
        rng = np.random.default_rng([_SEED, seed, number])
        name = SETS[number % len(SETS)]
        height, width = _SHAPE
        edge = float(np.exp(rng.uniform(np.log(24), np.log(58))))
        pitch = float(np.deg2rad(min(abs(rng.normal(0, 6)), 16)))
        focal = width * float(rng.uniform(0.85, 1.7))
        middle = (width / 2, height / 2)
        view = Viewpoint(focal, middle, pitch, float(rng.uniform(-np.pi, np.pi)), float(focal / edge * np.cos(pitch)))
        light = random_light(rng)
        ground = tray_ground(_SHAPE, rng) if rng.random() < 0.5 else random_ground(_SHAPE, rng)
        kinds = dice_sets.load(name).kinds
        made = [kinds[int(rng.integers(len(kinds)))] for _ in range(4)]
        dice = [random_make_of(kind, rng, random_body(kind, rng), coloured=True) for kind in made]
        return cls(name, view, light, lit(np.ascontiguousarray(ground, np.float32), light), dice)

    def throw(self, leans: Sequence[float], rng: np.random.Generator) -> tuple[Picture, list[Label]]:
        """Return an image with one die for each tilt in `leans` (degrees), and the labels.

        Objects lie beside flat dice too.
        """
        scene = TrainingScene(self.ground.copy(), self.view, self.light, [], [])
        dice = [(place, lean) for place, lean in zip(self._places(len(leans), rng), leans, strict=False)]
        for place, lean in sorted(dice, key=lambda one: -float(np.hypot(*one[0]))):
            die = DiePlacement(float(place[0]), float(place[1]), 1.0, float(rng.uniform(0, 2 * np.pi)))
            kind = self.dice[int(rng.integers(len(self.dice)))]
            lay_die(scene, die, kind, rng, lean, alone=len(leans) == 1)
        edge = float(self.view.focal / self.view.height * np.cos(self.view.pitch))
        return simulate_photograph(scene.canvas, edge, rng), scene.visible_labels()

    def _places(self, count: int, rng: np.random.Generator) -> list[np.ndarray]:
        found: list[np.ndarray] = []
        height, width = _SHAPE
        for _ in range(400):
            ray = self.view.ray(float(rng.uniform(0.12, 0.88) * width), float(rng.uniform(0.14, 0.86) * height))
            place = (ray * (self.view.height - 0.5) / -ray[2])[:2]
            if len(found) < count and all(np.hypot(*(place - other)) > 2.2 for other in found):
                found.append(place)
        return found


@dataclass(frozen=True, slots=True)
class ReadThrow:
    """The result of a throw.

    Fields: largest tilt of a die (degrees), number of dice, whether the roll was `ok`, number of flat dice, how many of
    these were read as cocked, and whether the cocked one was.
    """

    lean: float
    count: int
    ok: bool
    flat: int
    flagged: int
    cocked_detected: bool


def compare_reading(roll: Roll, labels: Sequence[Label], lean: float, count: int) -> ReadThrow:
    """Return the result of a drawn throw from its roll."""
    cocked = [die for die in roll.dice if die.doubt is Doubt.COCKED]
    flat = [label for label in labels if label.pose is not None and label.pose.lean == 0 and label.seen > 0.6]
    tilted = [label for label in labels if label.pose is not None and label.pose.lean > 0]
    flagged = sum(any(_is_at(die, label) for die in cocked) for label in flat)
    cocked_detected = any(_is_at(die, label) for die in cocked for label in tilted)
    return ReadThrow(lean, count, roll.status is Status.OK, len(flat), flagged, cocked_detected)


def _is_at(die: DieReading, label: Label) -> bool:
    x, y, width, height = die.box
    return bool(np.hypot(x + width / 2 - label.x, y + height / 2 - label.y) < 0.7 * label.edge)


def table_throws(table: DrawnTable, number: int, seed: int) -> Iterator[tuple[float, int, Picture, list[Label]]]:
    """Yield the rolls of a table.

    They are two throws of flat dice, then for each number of dice one cocked and one flat throw.
    """
    rng = np.random.default_rng([_SEED, seed, number, 1])
    for _ in range(_TEACHING):
        yield -1.0, 3, *table.throw([0.0] * 3, rng)
    for count in COUNTS:
        lean = float(LEANS[int(rng.integers(len(LEANS)))])
        yield lean, count, *table.throw([lean, *[0.0] * (count - 1)], rng)
        yield 0.0, count, *table.throw([0.0] * count, rng)


def measure(tables: int = DEFAULT_TABLES, seed: int = 0, log: Callable[[str], None] = print) -> dict[str, Any]:
    """Return the share of undetected throws by tilt and number of dice, and of flat dice read as cocked."""
    seen: dict[str, list[ReadThrow]] = {"known": [], "unknown": []}
    readers: dict[str, Reader] = {}
    by_set: dict[str, list[ReadThrow]] = defaultdict(list)
    for number in range(tables):
        table = DrawnTable.random(number, seed)
        found = dice_sets.load(table.name)
        any_view = readers.setdefault(table.name, Reader(found))
        fixed = Reader(found, one_tray=True)
        for lean, count, picture, labels in table_throws(table, number, seed):
            known = compare_reading(fixed.read(picture), labels, lean, count)
            if lean < 0:
                continue
            seen["known"].append(known)
            by_set[table.name].append(known)
            seen["unknown"].append(compare_reading(any_view.read(picture), labels, lean, count))
        if number % 10 == 9:
            log(f"{number + 1} of {tables} tables")
    figures: dict[str, Any] = {name: figures_of(throws) for name, throws in seen.items()}
    figures["sets"] = {name: figures_of(throws) for name, throws in by_set.items()}
    figures["tables"] = tables
    figures["kept"] = {
        f"{name}_{lean}": _silent(figures[name], lean) <= bar
        for name, bars in _BARS.items()
        for lean, bar in bars.items()
    }
    figures["kept"]["flat"] = (figures["known"]["flat_flagged"]["share"] or 0.0) <= _FLAT_BAR
    return figures


def _silent(figures: dict[str, Any], lean: int) -> float:
    return float(figures["silent"].get(str(lean), {}).get("share") or 0.0)


def figures_of(throws: Sequence[ReadThrow]) -> dict[str, Any]:
    """Return the share of undetected throws by tilt, by number of dice from 26 degrees on, and of flat dice flagged."""
    by_lean: dict[float, Counter[bool]] = defaultdict(Counter)
    by_count: dict[int, Counter[bool]] = defaultdict(Counter)
    for one in throws:
        by_lean[one.lean][one.ok] += 1
        if one.lean >= 26:
            by_count[one.count][one.ok] += 1
    detected = [one.cocked_detected for one in throws if one.lean >= 26]
    flat, flagged = sum(one.flat for one in throws), sum(one.flagged for one in throws)
    return {
        "silent": {f"{lean:.0f}": _shares(by_lean[lean]) for lean in sorted(by_lean) if lean},
        "silent_from_26_by_count": {str(count): _shares(by_count[count]) for count in sorted(by_count)},
        "told_from_26": share(sum(detected), len(detected)),
        "flat_flagged": {"dice": flat, "flagged": flagged, "share": share(flagged, flat)},
        "flat_ok": _shares(by_lean[0.0]),
    }


def _shares(ok: Counter[bool]) -> dict[str, Any]:
    return {"throws": ok.total(), "share": share(ok[True], ok.total())}
