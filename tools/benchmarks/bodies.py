"""How well the bodies of coloured dice are told apart: every ink on every body, each drawn by itself, in eight lights.

No set has most of these dice. On each the body alone tells the kind; a reader that goes by the inks that usually stand
on a body is certain and wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmarks.scores import matched, most_likely_share, share
from tools.games import SETTINGS
from tools.training.grounds import random_ground
from tools.training.manifests import dice_in, load_checked
from tools.training.own_dice import readable_inks
from vision import dice_sets
from vision.decision.labels import TrueDie
from vision.decision.reader import Reader
from vision.dice_sets import Kind, with_every_ink
from vision.drawing.rendering import Light
from vision.drawing.tray import SIZE, DrawnDie, draw_tray, tray_ground, tray_rim
from vision.pictures import Picture, load_picture, quieten
from vision.roll import DieReading

SET = str(SETTINGS["training"]["bodies"])

DICE = 5000
SEED = 37_000_000
"""Nothing else is drawn from it."""

LIGHTS: Mapping[str, Light] = {
    "neutral": Light(),
    "warm": Light(tint=(0.72, 0.95, 1.15)),
    "cold": Light(tint=(1.2, 1.0, 0.8)),
    "green": Light(tint=(0.94, 1.06, 0.94)),
    "pink": Light(tint=(1.06, 0.94, 1.06)),
    "dim": Light(tint=(0.5, 0.5, 0.5)),
    "bright": Light(tint=(1.2, 1.2, 1.2)),
    "low": Light(direction=(-0.75, -0.35, 0.56), ambient=0.35, diffuse=0.75),
}
"""Tints are blue, green, red, as a camera's white balance leaves them."""

_EDGES = (24.0, 70.0)
"""Pixels of a die's edge."""

_MOST = 6
"""Dice of a throw."""

NO_INK = "no"

FATES = ("right", "asked", "wrong", "missed")


def in_one_ink(kind: Kind, ink: str) -> Kind:
    """The kind with all its marks in that ink."""
    return replace(kind, faces=tuple(replace(face, colour=ink if face.value else None) for face in kind.faces))


def drawn_throws(dice: int, seed: int = SEED) -> Iterator[tuple[str, Picture, list[TrueDie], list[str]]]:
    """Throws of `dice` dice in all: light, picture, the true dice with their boxes, and the ink of each.

    Body, face and ink are drawn independently of each other; lights take turns.
    """
    kinds, names = dice_sets.load(SET).kinds, list(LIGHTS)
    left, number = dice, 0
    while left > 0:
        rng = np.random.default_rng([seed, number])
        edge = float(np.exp(rng.uniform(*np.log(_EDGES))))
        places = _places(min(left, int(rng.integers(1, _MOST + 1))), edge, rng)
        lying, inks = [], []
        for x, y in places:
            kind = kinds[int(rng.integers(len(kinds)))]
            ink = str(rng.choice(readable_inks(kind, kind.bodies[0])))
            face, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
            lying.append(DrawnDie(in_one_ink(kind, ink), kind.bodies[0], face, x, y, yaw, edge))
            inks.append(ink if kind.faces[face - 1].value else NO_INK)
        light = names[number % len(names)]
        ground = tray_ground(SIZE, rng) if rng.random() < 0.5 else random_ground(SIZE, rng)
        ground = np.ascontiguousarray(ground * _slanting(LIGHTS[light]), np.float32)
        picture = draw_tray(lying, rng, ground=ground, light=LIGHTS[light])
        yield light, picture, [_truth(die) for die in lying], inks
        left, number = left - len(lying), number + 1


def _slanting(light: Light) -> np.float32:
    """How much less falls on a ground than `draw_tray` reckons, for which a light comes from much above."""
    return np.float32((light.ambient + light.diffuse * light.direction[2]) / (light.ambient + 0.8 * light.diffuse))


def _places(count: int, edge: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Places on which dice of that edge lie apart and clear of the rim."""
    rim = tray_rim(SIZE[0]) + edge
    places: list[tuple[float, float]] = []
    for _ in range(100 * count):
        x, y = float(rng.uniform(rim, SIZE[1] - rim)), float(rng.uniform(rim, SIZE[0] - rim))
        if all(hypot(x - other, y - another) > 1.7 * edge for other, another in places):
            places.append((x, y))
        if len(places) == count:
            break
    return places


def _truth(die: DrawnDie) -> TrueDie:
    assert isinstance(die.kind, Kind)
    reach = 0.7 * die.edge
    return TrueDie(die.kind.faces[die.face - 1], die.kind.name, (die.x - reach, die.y - reach, 2 * reach, 2 * reach))


def body_fate(die: TrueDie, reading: DieReading | None) -> str:
    """What became of a die's body, whatever was read of its face: one of FATES."""
    if reading is None:
        return "missed"
    if not reading.certain:
        return "asked"
    return "right" if reading.kind == die.kind else "wrong"


class _Counted:
    """Dice by their fate; those that are certain and wrong one by one."""

    def __init__(self) -> None:
        self.fates: Counter[str] = Counter()
        self.by: dict[str, Counter[str]] = {}
        self.wrong: list[str] = []

    def add(self, where: str, dice: Sequence[TrueDie], readings: Sequence[DieReading], inks: Sequence[str]) -> None:
        """Counts a picture."""
        for die, reading, ink in zip(dice, matched(dice, readings), inks, strict=True):
            came_to = body_fate(die, reading)
            self.fates[came_to] += 1
            for place in (die.kind or "?", where, f"{ink} ink"):
                self.by.setdefault(place, Counter())[came_to] += 1
            if came_to == "wrong" and reading is not None:
                self.wrong.append(f"{where}: {die.kind} {die.face.value} {ink} as {reading.kind} {reading.face.value}")

    def figures(self) -> dict[str, Any]:
        """Shares, and the largest share of wrong ones that the sample allows."""
        dice = self.fates.total()
        return {
            "dice": dice,
            **{name: share(self.fates[name], dice) for name in FATES},
            "wrong_at_most": round(most_likely_share(self.fates["wrong"], dice), 5),
            "by": {
                place: {"dice": fates.total(), **{name: share(fates[name], fates.total()) for name in FATES}}
                for place, fates in sorted(self.by.items())
            },
            "wrong_ones": self.wrong,
        }


def measure(dice: int = DICE, seed: int = SEED, photos: Path | None = None) -> dict[str, Any]:
    """Figures of `dice` drawn dice, and of those in a manifest of rendered pictures if there is one.

    Nothing is awaited, and of the colours of the numbers nothing is confirmed. Raises ManifestError.
    """
    quieten()
    reader = Reader(with_every_ink(dice_sets.load(SET)))
    drawn = _Counted()
    for light, picture, truth, inks in drawn_throws(dice, seed):
        drawn.add(light, truth, reader.read(picture).dice, inks)
    figures: dict[str, Any] = {"seed": seed, "drawn": drawn.figures()}
    wrong = drawn.fates["wrong"]
    if photos is not None:
        rendered = _Counted()
        for labelled in load_checked(photos):
            if labelled.dice_set == SET:
                picture = load_picture(labelled.path)
                dice_there = dice_in(labelled, picture.shape[1])
                inks = [die.face.colour or NO_INK for die in dice_there]
                rendered.add(labelled.source, dice_there, reader.read(picture).dice, inks)
        figures["rendered"] = rendered.figures()
        wrong += rendered.fates["wrong"]
    return {**figures, "kept": {"none_certain_and_wrong": wrong == 0}}
