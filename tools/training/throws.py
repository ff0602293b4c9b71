"""Measures the shipped reader on drawn dice: `python -m tools train throws [SET ...] [--dice 3000] [--empty 500]`.

Every picture has its own dice, bodies, places, sizes, view, ground and light, from seeds that training never uses. One
JSON object a line: per die, per throw, by tilt, size and contrast, each with the bound that the sample allows.
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

from tools.benchmarks.scores import FATES, fate, least_likely_share, matched, most_likely_share, share
from tools.games import SETTINGS
from tools.training.drawn_table import SeenDie, Views, draw_dice, draw_empty
from vision import dice_sets
from vision.decision.labels import outcome
from vision.decision.reader import Reader
from vision.dice_sets import DiceSet, DiceSetError
from vision.pictures import Picture, UnreadablePicture, load_picture
from vision.roll import Roll, RollRequest, Status

FIRST_SEED = 1_000_000
"""Training draws from seeds below it."""

SETS = tuple(SETTINGS["training"]["thrown"])

_BINS: dict[str, tuple[float, ...]] = {
    "tilt_degrees": (0, 15, 30, 45, 60),
    "edge_pixels": (16, 24, 32, 48, 70, 100),
    "contrast": (0, 40, 80, 120, 160, 256),
}

Save = Callable[[str, Picture], None]


@dataclass(slots=True)
class Throws:
    """Counted throws: every true die by its fate, whole throws by their outcome."""

    fates: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    by: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    best: int = 0
    false_certain: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, roll: Roll, dice: Sequence[SeenDie]) -> str:
        """Counts one throw and gives its outcome."""
        truth = tuple(seen.die for seen in dice)
        readings = matched(truth, roll.dice)
        for seen, reading in zip(dice, readings, strict=True):
            came_to = fate(seen.die, reading)
            self.fates[came_to] += 1
            self.best += reading is not None and reading.face == seen.die.face and reading.kind == seen.die.kind
            for name, place in _places(seen):
                self.by.setdefault(name, {}).setdefault(place, Counter())[came_to] += 1
        placed = {id(reading) for reading in readings}
        self.false_certain += sum(die.certain and id(die) not in placed for die in roll.dice)
        came_out = outcome(roll, truth)
        self.outcomes[came_out] += 1
        self.times.append(roll.ms)
        return came_out

    def figures(self) -> dict[str, Any]:
        """Shares, and what the sample allows them to be with 95 % confidence."""
        dice, throws = self.fates.total(), self.outcomes.total()
        wrong = self.fates["wrong"] + self.false_certain
        return {
            "throws": throws,
            **{name: share(self.outcomes[name], throws) for name in ("exact", "wrong", "asked")},
            "exact_at_least": _floor(least_likely_share(self.outcomes["exact"], throws)),
            "dice": dice,
            "per_die": {
                **{name: share(self.fates[name], dice) for name in FATES},
                "right_at_least": _floor(least_likely_share(self.fates["right"], dice)),
                "best_guess_right": share(self.best, dice),
                "best_guess_right_at_least": _floor(least_likely_share(self.best, dice)),
                "false_certain": self.false_certain,
                "wrong_or_false": share(wrong, dice),
                "wrong_or_false_at_most": _ceiling(most_likely_share(min(wrong, dice), dice)),
            },
            "by": {name: {place: _row(counted) for place, counted in _sorted(rows)} for name, rows in self.by.items()},
            "ms": round(median(self.times), 1) if self.times else None,
        }


def _sorted(rows: dict[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    """Kinds by name, bins by their lower end."""
    return sorted(rows.items(), key=lambda row: (int(row[0].split("-")[0]) if row[0][0].isdigit() else 0, row[0]))


def _row(counted: Counter[str]) -> dict[str, float | int | None]:
    return {"dice": counted.total()} | {name: share(counted[name], counted.total()) for name in FATES}


def _places(seen: SeenDie) -> Iterable[tuple[str, str]]:
    """The bins that a die falls into; contrast says nothing of a face without a mark."""
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
    """How throws are drawn.

    `each`: fewest and most dice of a throw. `awaited`: the reader is told how many dice of each kind are due. `tray`:
    number of throws that lie one after the other on one table, whose light a reader of one tray remembers (0: each
    throw has its own table).
    """

    each: tuple[int, int] = (1, 6)
    seed: int = FIRST_SEED
    views: Views | None = None
    awaited: bool = False
    tray: int = 0


def drawn_throws(made: DiceSet, plan: ThrowPlan = ThrowPlan()) -> Iterator[tuple[Picture, list[SeenDie]]]:
    """Throws of the set as planned, one after the other, without end."""
    each, tray = plan.each, plan.tray
    for number in count_from():
        rng = np.random.default_rng([plan.seed, number])
        room = np.random.default_rng([plan.seed, 2, number // tray]) if tray else None
        count = int((room or rng).integers(each[0], each[1] + 1))
        yield draw_dice(made.kinds, count, rng, plan.views, room)


def measure_set(reader: Reader, dice: int, plan: ThrowPlan = ThrowPlan(), save: Save | None = None) -> dict[str, Any]:
    """Read drawn throws until there were `dice`; `save` gets each picture that was not read exactly, with a name."""
    made: DiceSet = reader.dice_set
    throws = Throws()
    for number, (picture, lying) in enumerate(drawn_throws(made, plan)):
        if plan.tray and number % plan.tray == 0:
            reader = Reader(made, one_tray=True)
        due = Counter(seen.die.kind or "" for seen in lying)
        request = RollRequest(made.name, tuple(due.items())) if plan.awaited else None
        came_to = throws.add(reader.read(picture, request), lying)
        if save is not None and came_to != "exact":
            save(f"{made.name}_{came_to}_{number}", picture)
        if throws.fates.total() >= dice:
            break
    planned = {"each": list(plan.each), "awaited": plan.awaited, "tray": plan.tray, "seed": plan.seed}
    return {"set": made.name, **planned, **throws.figures()}


def measure_empty(
    reader: Reader, pictures: Iterable[tuple[str, Picture | None]], save: Save | None = None
) -> dict[str, Any]:
    """Reads pictures without dice: how many have a die said certain, how many raise a question, and how many ask about
    `several` things. Those that could not be opened (None) are counted apart."""
    counted: Counter[str] = Counter()
    lost = several = 0
    for name, picture in pictures:
        if picture is None:
            lost += 1
            continue
        roll = reader.read(picture)
        asked = sum(not die.certain for die in roll.dice)
        doubted = asked or roll.status is Status.ASK
        said = "certain" if any(die.certain for die in roll.dice) else "asked" if doubted else "empty"
        counted[said] += 1
        several += asked > 1
        if save is not None and said != "empty":
            save(f"{reader.dice_set.name}_{said}_{name}", picture)
    of = counted.total()
    return {
        "set": reader.dice_set.name,
        "pictures": of,
        "not_read": lost,
        **{name: share(counted[name], of) for name in ("certain", "asked", "empty")},
        "several": share(several, of),
        "certain_at_most": _ceiling(most_likely_share(counted["certain"], of)),
    }


def drawn_empty(count: int, seed: int = FIRST_SEED) -> Iterable[tuple[str, Picture]]:
    """Drawn tables without dice, one after the other."""
    for number in range(count):
        yield f"drawn{number}", draw_empty(np.random.default_rng([seed, 1, number]))


def pictures_in(folder: Path, err: Callable[[str], None]) -> Iterable[tuple[str, Picture | None]]:
    """Every picture below a folder, None for one that cannot be opened, which is told to `err`. Raises
    UnreadablePicture if there is none."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    if not paths:
        raise UnreadablePicture(f"{folder}: no pictures there")
    return ((path.stem, opened(path, err)) for path in paths)


def opened(path: Path, err: Callable[[str], None]) -> Picture | None:
    """The picture in a file, None if it cannot be opened, which is told to `err`."""
    try:
        return load_picture(path)
    except UnreadablePicture as error:
        err(str(error))
        return None


def main() -> None:
    """Reads the command line and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS, help="dice sets, by name or TOML file")
    parser.add_argument("--dice", type=int, default=3000, help="dice of each set")
    parser.add_argument("--each", type=int, nargs=2, default=(1, 6), help="least and most dice of a throw")
    parser.add_argument("--awaited", action="store_true", help="tells the reader how many dice of each kind are due")
    parser.add_argument("--tray", type=int, default=0, help="throws on one table, whose light is remembered")
    parser.add_argument("--edges", type=float, nargs=2, default=Views().edges, help="pixels")
    parser.add_argument("--steepest", type=float, default=Views().steepest, help="view, degrees from the vertical")
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
            views = Views((args.edges[0], args.edges[1]), args.steepest)
            each = (args.each[0], args.each[1])
            if args.dice:
                plan = ThrowPlan(each, args.seed, views, args.awaited, args.tray)
                _say(measure_set(reader, args.dice, plan, save))
            if args.empty:
                _say({"empty": "drawn"} | measure_empty(reader, drawn_empty(args.empty, args.seed), save))
            if args.negatives:
                _say(
                    {"empty": str(args.negatives)}
                    | measure_empty(reader, pictures_in(args.negatives, partial(print, file=sys.stderr)), save)
                )
    except (DiceSetError, UnreadablePicture) as error:
        parser.error(str(error))


def _write(folder: Path, name: str, picture: Picture) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), picture)


def _say(figures: dict[str, Any]) -> None:
    print(json.dumps(figures, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
