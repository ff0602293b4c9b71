"""Evaluate the shipped reader on drawn dice.

`python -m tools train throws [SET ...] [--dice 3000] [--empty 500]`.

Every image has its own dice, bodies, positions, sizes, view, ground and light, from seeds that training never uses.
Prints one JSON object on each line, with scores for dice and throws, by tilt, size and contrast, each with the
confidence bound of its sample size.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count as count_from
from math import ceil, floor
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from tools.benchmarks.scores import (
    DIE_OUTCOMES,
    die_outcome,
    lower_confidence_bound,
    match_by_position,
    share,
    upper_confidence_bound,
)
from tools.games import SETTINGS
from tools.training.drawn_table import CameraViews, SeenDie, draw_dice, draw_empty
from vision import dice_sets
from vision.decision.labels import outcome_of
from vision.decision.reader import Reader
from vision.dice_sets import DiceSet, DiceSetError
from vision.pictures import Picture, UnreadablePicture, load_picture
from vision.roll import Roll, RollRequest, Status

FIRST_SEED = 1_000_000
"""First seed for evaluation. Training uses smaller seeds."""

SETS = tuple(SETTINGS["training"]["thrown"])

_BINS: dict[str, tuple[float, ...]] = {
    "tilt_degrees": (0, 15, 30, 45, 60),
    "edge_pixels": (16, 24, 32, 48, 70, 100),
    "contrast": (0, 40, 80, 120, 160, 256),
}

Save = Callable[[str, Picture], None]


@dataclass(slots=True)
class ThrowCounts:
    """Counts of throws: outcomes of the true dice and of whole throws."""

    die_outcomes: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    by_bin: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    best: int = 0
    false_certain: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, roll: Roll, dice: Sequence[SeenDie]) -> str:
        """Count one throw and return its outcome."""
        truth = tuple(seen.die for seen in dice)
        readings = match_by_position(truth, roll.dice)
        for seen, reading in zip(dice, readings, strict=True):
            came_to = die_outcome(seen.die, reading)
            self.die_outcomes[came_to] += 1
            self.best += reading is not None and reading.face == seen.die.face and reading.kind == seen.die.kind
            for name, place in _places(seen):
                self.by_bin.setdefault(name, {}).setdefault(place, Counter())[came_to] += 1
        placed = {id(reading) for reading in readings}
        self.false_certain += sum(die.certain and id(die) not in placed for die in roll.dice)
        came_out = outcome_of(roll, truth)
        self.outcomes[came_out] += 1
        self.times.append(roll.ms)
        return came_out

    def figures(self) -> dict[str, Any]:
        """Return the shares and their 95 % confidence bounds."""
        dice, throws = self.die_outcomes.total(), self.outcomes.total()
        wrong = self.die_outcomes["wrong"] + self.false_certain
        return {
            "throws": throws,
            **{name: share(self.outcomes[name], throws) for name in ("exact", "wrong", "asked")},
            "exact_at_least": _floor(lower_confidence_bound(self.outcomes["exact"], throws)),
            "dice": dice,
            "per_die": {
                **{name: share(self.die_outcomes[name], dice) for name in DIE_OUTCOMES},
                "right_at_least": _floor(lower_confidence_bound(self.die_outcomes["right"], dice)),
                "best_guess_right": share(self.best, dice),
                "best_guess_right_at_least": _floor(lower_confidence_bound(self.best, dice)),
                "false_certain": self.false_certain,
                "wrong_or_false": share(wrong, dice),
                "wrong_or_false_at_most": _ceiling(upper_confidence_bound(min(wrong, dice), dice)),
            },
            "by": {
                name: {place: _row(counts) for place, counts in _sorted(rows)} for name, rows in self.by_bin.items()
            },
            "ms": round(median(self.times), 1) if self.times else None,
        }


def _sorted(rows: dict[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    """Sort kinds by name and bins by their lower end."""
    return sorted(rows.items(), key=lambda row: (int(row[0].split("-")[0]) if row[0][0].isdigit() else 0, row[0]))


def _row(counts: Counter[str]) -> dict[str, float | int | None]:
    return {"dice": counts.total()} | {name: share(counts[name], counts.total()) for name in DIE_OUTCOMES}


def _places(seen: SeenDie) -> Iterable[tuple[str, str]]:
    """Return the bins of a die. A face without a mark has no contrast."""
    yield "kind", seen.die.kind or "?"
    for name, value in zip(_BINS, (seen.tilt, seen.edge, seen.contrast), strict=True):
        if name == "contrast" and seen.die.face.symbol is None and not seen.die.face.value:
            continue
        edges = _BINS[name]
        place = min(max(int(np.searchsorted(edges, value, "right")) - 1, 0), len(edges) - 2)
        yield name, f"{edges[place]:g}-{edges[place + 1]:g}"


def _floor(value: float) -> float:
    return floor(value * 1e5) / 1e5


def _ceiling(value: float) -> float:
    return ceil(value * 1e5) / 1e5


@dataclass(frozen=True, slots=True)
class ThrowPlan:
    """The settings for drawn throws.

    - `each`: minimum and maximum number of dice.
    - `awaited`: the reader gets the number of dice of each kind as its request.
    - `tray`: number of consecutive throws on one table, whose light a single-tray reader remembers. 0: a new table for
      each throw.
    """

    each: tuple[int, int] = (1, 6)
    seed: int = FIRST_SEED
    views: CameraViews | None = None
    awaited: bool = False
    tray: int = 0


def drawn_throws(made: DiceSet, plan: ThrowPlan = ThrowPlan()) -> Iterator[tuple[Picture, list[SeenDie]]]:
    """Yield throws of the set as planned, without end."""
    each, tray = plan.each, plan.tray
    for number in count_from():
        rng = np.random.default_rng([plan.seed, number])
        table_rng = np.random.default_rng([plan.seed, 2, number // tray]) if tray else None
        count = int((table_rng or rng).integers(each[0], each[1] + 1))
        yield draw_dice(made.kinds, count, rng, plan.views, table_rng)


def measure_set(reader: Reader, dice: int, plan: ThrowPlan = ThrowPlan(), save: Save | None = None) -> dict[str, Any]:
    """Read at least `dice` drawn dice. `save` receives each image that was not read exactly, with a name."""
    made: DiceSet = reader.dice_set
    throws = ThrowCounts()
    for number, (picture, seen_dice) in enumerate(drawn_throws(made, plan)):
        if plan.tray and number % plan.tray == 0:
            reader = Reader(made, one_tray=True)
        due = Counter(seen.die.kind or "" for seen in seen_dice)
        request = RollRequest(made.name, tuple(due.items())) if plan.awaited else None
        came_to = throws.add(reader.read(picture, request), seen_dice)
        if save is not None and came_to != "exact":
            save(f"{made.name}_{came_to}_{number}", picture)
        if throws.die_outcomes.total() >= dice:
            break
    planned = {"each": list(plan.each), "awaited": plan.awaited, "tray": plan.tray, "seed": plan.seed}
    return {"set": made.name, **planned, **throws.figures()}


def measure_empty(
    reader: Reader, pictures: Iterable[tuple[str, Picture | None]], save: Save | None = None
) -> dict[str, Any]:
    """Read images without dice.

    Counts the images with a die read as certain, those that raise a question, and those that ask about `several`
    things. Images that could not be opened (None) are counted separately.
    """
    counts: Counter[str] = Counter()
    lost = several = 0
    for name, picture in pictures:
        if picture is None:
            lost += 1
            continue
        roll = reader.read(picture)
        asked = sum(not die.certain for die in roll.dice)
        doubted = asked or roll.status is Status.ASK
        answer = "certain" if any(die.certain for die in roll.dice) else "asked" if doubted else "empty"
        counts[answer] += 1
        several += asked > 1
        if save is not None and answer != "empty":
            save(f"{reader.dice_set.name}_{answer}_{name}", picture)
    of = counts.total()
    return {
        "set": reader.dice_set.name,
        "pictures": of,
        "not_read": lost,
        **{name: share(counts[name], of) for name in ("certain", "asked", "empty")},
        "several": share(several, of),
        "certain_at_most": _ceiling(upper_confidence_bound(counts["certain"], of)),
    }


def drawn_empty(count: int, seed: int = FIRST_SEED) -> Iterable[tuple[str, Picture]]:
    """Yield drawn tables without dice."""
    for number in range(count):
        yield f"drawn{number}", draw_empty(np.random.default_rng([seed, 1, number]))


def pictures_in(folder: Path, on_error: Callable[[str], None]) -> Iterable[tuple[str, Picture | None]]:
    """Yield every image below a folder, or None for one that cannot be opened, which is reported to `on_error`.

    Raises UnreadablePicture if there is none.
    """
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    if not paths:
        raise UnreadablePicture(f"{folder}: no pictures there")
    return ((path.stem, open_picture(path, on_error)) for path in paths)


def open_picture(path: Path, on_error: Callable[[str], None]) -> Picture | None:
    """Return the image in a file, or None if it cannot be opened, which is reported to `on_error`."""
    try:
        return load_picture(path)
    except UnreadablePicture as error:
        on_error(str(error))
        return None


def main() -> None:
    """Parse the arguments and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS, help="dice sets, by name or TOML file")
    parser.add_argument("--dice", type=int, default=3000, help="dice of each set")
    parser.add_argument("--each", type=int, nargs=2, default=(1, 6), help="least and most dice of a throw")
    parser.add_argument("--awaited", action="store_true", help="tells the reader how many dice of each kind are due")
    parser.add_argument("--tray", type=int, default=0, help="throws on one table, whose light is remembered")
    parser.add_argument("--edges", type=float, nargs=2, default=CameraViews().edges, help="pixels")
    parser.add_argument(
        "--steepest", type=float, default=CameraViews().max_tilt, help="view, degrees from the vertical"
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--empty", type=int, default=0, help="drawn pictures without dice, for each set")
    parser.add_argument("--negatives", type=Path, help="a folder of pictures without dice")
    parser.add_argument("--save", type=Path, help="folder for the pictures that were not read exactly")
    args = parser.parse_args()
    if args.save:
        args.save.mkdir(parents=True, exist_ok=True)
    save = partial(_write, args.save) if args.save else None
    try:
        for name in args.sets:
            reader = Reader(dice_sets.load(name))
            views = CameraViews((args.edges[0], args.edges[1]), args.steepest)
            each = (args.each[0], args.each[1])
            if args.dice:
                plan = ThrowPlan(each, args.seed, views, args.awaited, args.tray)
                _print_figures(measure_set(reader, args.dice, plan, save))
            if args.empty:
                _print_figures({"empty": "drawn"} | measure_empty(reader, drawn_empty(args.empty, args.seed), save))
            if args.negatives:
                _print_figures(
                    {"empty": str(args.negatives)}
                    | measure_empty(reader, pictures_in(args.negatives, partial(print, file=sys.stderr)), save)
                )
    except (DiceSetError, UnreadablePicture) as error:
        parser.error(str(error))


def _write(folder: Path, name: str, picture: Picture) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), picture)


def _print_figures(figures: dict[str, Any]) -> None:
    print(json.dumps(figures, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
