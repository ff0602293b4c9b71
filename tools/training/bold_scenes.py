"""Scenes with difficult grounds: bold grids and checks, or the dice's own colour, under dice with many plain faces.

The finder detects a plain face by its edges only. A grid as wide as a die has such edges everywhere, and a ground of
the die's own colour leaves hardly any.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tools.games import dice_set_shares
from tools.training import lighting_effects
from tools.training.drawn_table import lit, random_light
from tools.training.grounds import random_colour, random_ground, weave
from tools.training.labels import Label
from tools.training.own_dice import random_die_of, random_set_kinds
from tools.training.own_scenes import overhead_viewpoint, simulate_photograph
from tools.training.random_dice import RandomDie
from tools.training.scenes import TrainingScene, arrange, random_scene_light
from vision.classification.classes import PLAIN
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour

_SETS = dice_set_shares("bold")
"""Share of each set in the throws. Sets with plain faces have the largest shares."""

_PLAIN = 0.5
"""Probability that a die with plain faces lies with one of them on top, regardless of chance."""

_BOLD, _OWN_COLOUR = 0.6, 0.3
"""Probabilities that the ground is a grid or checks, and that it has the colour of one of the dice."""

_STEPS = (0.1, 2.5)
"""Minimum and maximum period of a pattern, in edges of a die."""

_MOST = 20
"""Maximum number of dice in a scene."""


def bold_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return an image (size, size, 3) uint8 BGR and the labels of its dice. Repeatable for the same generator state."""
    view = overhead_viewpoint(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else random_scene_light(rng)
    edge = view.focal / view.height
    kinds = random_set_kinds(_SETS, rng)
    max_dice = max(1, int(0.35 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, _MOST + 1)), max_dice), rng)
    made = [random_die_of(kinds, rng) for _ in dice]
    ground = _ground(size, edge, made[0].model.material.body if made else None, rng)
    scene = TrainingScene(lit(ground, light), view, light, [], [])
    order = np.argsort([-float(np.hypot(die.x, die.y)) for die in dice])
    for index in order:
        scene.add(dice[index], made[index], _top(made[index], rng))
    picture = simulate_photograph(scene.canvas, edge, rng)
    return picture, lighting_effects.ignore_washed_out_marks(scene.visible_labels(), picture)


def _ground(size: int, edge: float, body: Colour | None, rng: np.random.Generator) -> FloatImage:
    """Return a table for dice of `edge` pixels. `body`: colour of the first of them."""
    if rng.random() < _BOLD:
        step = edge * float(np.exp(rng.uniform(*np.log(_STEPS))))
        ground = weave((size, size), random_colour(rng), rng, step)
    else:
        ground = random_ground((size, size), rng)
    ground = np.ascontiguousarray(ground, np.float32)
    if body is not None and rng.random() < _OWN_COLOUR:
        lighting_effects.match_ground_to_dice(ground, body, rng)
    return ground


def _top(die: RandomDie, rng: np.random.Generator) -> int:
    """Return the top face, 1..6."""
    plain = [number for number, face_class in enumerate(die.shows, 1) if face_class == PLAIN]
    if plain and rng.random() < _PLAIN:
        return plain[int(rng.integers(len(plain)))]
    return int(rng.integers(1, 7))
