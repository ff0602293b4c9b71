"""Scenes on grounds that hide dice: bold grids and checks, or the dice's own colour, under faces that are often plain.

The finder sees a plain face by nothing but its edges; a grid as wide as a die has such edges everywhere, and a ground
of the die's own colour leaves hardly any.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tools.games import shares
from tools.training import rooms
from tools.training.drawn_table import lit, random_light
from tools.training.grounds import random_colour, random_ground, weave
from tools.training.labels import Label
from tools.training.own_dice import any_of, kinds_of_one
from tools.training.own_scenes import from_above, photographed
from tools.training.random_dice import RandomDie
from tools.training.scenes import Scene, any_light, arrange
from vision.classification.classes import PLAIN
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour

_SETS = shares("bold")
"""How often a throw is of a set: those with plain faces most often."""

_PLAIN = 0.5
"""How often a die that has a plain face lies with one on top, whatever it falls on."""

_BOLD, _OWN_COLOUR = 0.6, 0.3
"""How often the ground is a grid or checks, and how often of the colour of one of the dice."""

_STEPS = (0.1, 2.5)
"""Least and largest step of a pattern, in edges of a die."""

_MOST = 20
"""Dice of one scene."""


def bold_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    view = from_above(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else any_light(rng)
    edge = view.focal / view.height
    kinds = kinds_of_one(_SETS, rng)
    room = max(1, int(0.35 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, _MOST + 1)), room), rng)
    made = [any_of(kinds, rng) for _ in dice]
    ground = _ground(size, edge, made[0].look.material.body if made else None, rng)
    scene = Scene(lit(ground, light), view, light, [], [])
    order = np.argsort([-float(np.hypot(die.x, die.y)) for die in dice])
    for index in order:
        scene.add(dice[index], made[index], _top(made[index], rng))
    picture = photographed(scene.canvas, edge, rng)
    return picture, rooms.with_marks_that_show(scene.seen_labels(), picture)


def _ground(size: int, edge: float, body: Colour | None, rng: np.random.Generator) -> FloatImage:
    """A table for dice of `edge` pixels, the first of them of the colour `body`."""
    if rng.random() < _BOLD:
        step = edge * float(np.exp(rng.uniform(*np.log(_STEPS))))
        ground = weave((size, size), random_colour(rng), rng, step)
    else:
        ground = random_ground((size, size), rng)
    ground = np.ascontiguousarray(ground, np.float32)
    if body is not None and rng.random() < _OWN_COLOUR:
        rooms.matched_ground(ground, body, rng)
    return ground


def _top(die: RandomDie, rng: np.random.Generator) -> int:
    """The face that lies on top, 1..6."""
    plain = [number for number, shown in enumerate(die.shows, 1) if shown == PLAIN]
    if plain and rng.random() < _PLAIN:
        return plain[int(rng.integers(len(plain)))]
    return int(rng.integers(1, 7))
