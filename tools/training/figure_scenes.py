"""Scenes of dice with figures, most of them sixes and nines: samples for the network that distinguishes these two."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tools.training import lighting_effects
from tools.training.drawn_table import lit, random_light
from tools.training.grounds import random_ground
from tools.training.labels import Label
from tools.training.own_dice import random_make_of
from tools.training.own_scenes import overhead_viewpoint, simulate_photograph
from tools.training.random_dice import RandomDie, random_numbers
from tools.training.scenes import TrainingScene, Viewpoint, arrange, random_scene_light
from vision.dice_sets import BODIES, Kind
from vision.drawing.tray import tray_ground
from vision.roll import Face

_FIGURES = (0.01, 0.03, 0.03, 0.03, 0.03, 0.03, 0.39, 0.03, 0.03, 0.39)
"""Probabilities of the figures 0 to 9."""

_INKS = (None, None, None, "red", "yellow", "blue", "green", "white", "black")
"""Ink colours of figures from the project's own artwork. None: the body decides."""

_MOST = 20
"""Maximum number of dice in a scene."""


def figure_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return an image (size, size, 3) uint8 BGR and the labels of its dice. Repeatable for the same generator state."""
    view = overhead_viewpoint(size, rng) if rng.random() < 0.75 else Viewpoint.random(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else random_scene_light(rng)
    ground = tray_ground((size, size), rng) if rng.random() < 0.3 else random_ground((size, size), rng)
    scene = TrainingScene(lit(ground, light), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    max_dice = max(1, int(0.35 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, _MOST + 1)), max_dice), rng)
    for die in sorted(dice, key=lambda die: -float(np.hypot(die.x, die.y))):
        scene.add(
            die, _ours(rng) if rng.random() < 0.5 else random_numbers(rng, _FIGURES, 0.0), int(rng.integers(1, 7))
        )
    picture = simulate_photograph(scene.canvas, edge, rng)
    return picture, lighting_effects.ignore_washed_out_marks(scene.visible_labels(), picture)


def _ours(rng: np.random.Generator) -> RandomDie:
    """Return a die of the project's own artwork on any body. Half of them keep the original design."""
    body = str(rng.choice(list(BODIES)))
    ink = _INKS[int(rng.integers(len(_INKS)))]
    faces = tuple(Face(value, ink if ink != body else None) for value in (6, 9, 6, 9, 6, 9))
    kind = Kind("figures", "digits", (body,), faces, underlined=True)
    return random_make_of(kind, rng, body, coloured=True)
