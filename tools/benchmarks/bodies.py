"""Benchmark of body colours: every ink on every body, drawn independently, in eight lights.

Most of these dice belong to no set. The kind depends on the body alone, so a reader that relies on the usual inks of a
body is certain and wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from tools.benchmarks.scores import match_by_position, share, upper_confidence_bound
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
from vision.pictures import Picture, load_picture, silence_opencv
from vision.roll import DieReading

SET = str(SETTINGS["training"]["bodies"])

DICE = 5000
SEED = 37_000_000
"""Seed used by no other drawn images."""

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
"""Tints in blue, green, red, as left by a camera's white balance."""

_EDGES = (24.0, 70.0)
"""Range of the edge of a die, in pixels."""

_MOST = 6
"""Maximum number of dice in a throw."""

NO_INK = "no"

BODY_OUTCOMES = ("right", "asked", "wrong", "missed")


def in_one_ink(kind: Kind, ink: str) -> Kind:
    """Return the kind with all its marks in that ink."""
    return replace(kind, faces=tuple(replace(face, colour=ink if face.value else None) for face in kind.faces))


def drawn_throws(dice: int, seed: int = SEED) -> Iterator[tuple[str, Picture, list[TrueDie], list[str]]]:
    """Yield throws with `dice` dice in total: light, image, true dice with boxes, and the ink of each die.

    Body, face and ink are drawn independently of each other. The lights take turns.
    """
    kinds, names = dice_sets.load(SET).kinds, list(LIGHTS)
    left, number = dice, 0
    while left > 0:
        rng = np.random.default_rng([seed, number])
        edge = float(np.exp(rng.uniform(*np.log(_EDGES))))
        places = _places(min(left, int(rng.integers(1, _MOST + 1))), edge, rng)
        drawn_dice, inks = [], []
        for x, y in places:
            kind = kinds[int(rng.integers(len(kinds)))]
            ink = str(rng.choice(readable_inks(kind, kind.bodies[0])))
            face, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
            drawn_dice.append(DrawnDie(in_one_ink(kind, ink), kind.bodies[0], face, x, y, yaw, edge))
            inks.append(ink if kind.faces[face - 1].value else NO_INK)
        light = names[number % len(names)]
        ground = tray_ground(SIZE, rng) if rng.random() < 0.5 else random_ground(SIZE, rng)
        ground = np.ascontiguousarray(ground * _slanting(LIGHTS[light]), np.float32)
        picture = draw_tray(drawn_dice, rng, ground=ground, light=LIGHTS[light])
        yield light, picture, [_truth(die) for die in drawn_dice], inks
        left, number = left - len(drawn_dice), number + 1


def _slanting(light: Light) -> np.float32:
    """Return the factor by which oblique light on the ground is weaker than `draw_tray` assumes."""
    return np.float32((light.ambient + light.diffuse * light.direction[2]) / (light.ambient + 0.8 * light.diffuse))


def _places(count: int, edge: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return positions where dice of that edge are apart from each other and clear of the rim."""
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


def body_outcome(die: TrueDie, reading: DieReading | None) -> str:
    """Return the outcome for a die's body, whatever was read of its face: one of BODY_OUTCOMES."""
    if reading is None:
        return "missed"
    if not reading.certain:
        return "asked"
    return "right" if reading.kind == die.kind else "wrong"


class _OutcomeCounts:
    """Counts of dice by outcome, and a list of those that are certain and wrong."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.by_group: dict[str, Counter[str]] = {}
        self.wrong: list[str] = []

    def add(self, where: str, dice: Sequence[TrueDie], readings: Sequence[DieReading], inks: Sequence[str]) -> None:
        """Count an image."""
        for die, reading, ink in zip(dice, match_by_position(dice, readings), inks, strict=True):
            came_to = body_outcome(die, reading)
            self.outcomes[came_to] += 1
            for place in (die.kind or "?", where, f"{ink} ink"):
                self.by_group.setdefault(place, Counter())[came_to] += 1
            if came_to == "wrong" and reading is not None:
                self.wrong.append(f"{where}: {die.kind} {die.face.value} {ink} as {reading.kind} {reading.face.value}")

    def figures(self) -> dict[str, Any]:
        """Return shares, and the upper confidence bound of the share of wrong dice."""
        dice = self.outcomes.total()
        return {
            "dice": dice,
            **{name: share(self.outcomes[name], dice) for name in BODY_OUTCOMES},
            "wrong_at_most": round(upper_confidence_bound(self.outcomes["wrong"], dice), 5),
            "by": {
                place: {"dice": fates.total(), **{name: share(fates[name], fates.total()) for name in BODY_OUTCOMES}}
                for place, fates in sorted(self.by_group.items())
            },
            "wrong_ones": self.wrong,
        }


def measure(dice: int = DICE, seed: int = SEED, photos: Path | None = None) -> dict[str, Any]:
    """Return the scores of `dice` drawn dice and of the dice in an optional manifest of rendered images.

    There is no request, and no number colours are confirmed. Raises ManifestError.
    """
    silence_opencv()
    reader = Reader(with_every_ink(dice_sets.load(SET)))
    drawn = _OutcomeCounts()
    for light, picture, truth, inks in drawn_throws(dice, seed):
        drawn.add(light, truth, reader.read(picture).dice, inks)
    figures: dict[str, Any] = {"seed": seed, "drawn": drawn.figures()}
    wrong = drawn.outcomes["wrong"]
    if photos is not None:
        rendered = _OutcomeCounts()
        for labelled in load_checked(photos):
            if labelled.dice_set == SET:
                picture = load_picture(labelled.path)
                dice_there = dice_in(labelled, picture.shape[1])
                inks = [die.face.colour or NO_INK for die in dice_there]
                rendered.add(labelled.source, dice_there, reader.read(picture).dice, inks)
        figures["rendered"] = rendered.figures()
        wrong += rendered.outcomes["wrong"]
    return {**figures, "kept": {"none_certain_and_wrong": wrong == 0}}
