"""Scenes of dice with figures, most of them a six or a nine: what the net learns on that tells these two apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tools.training import rooms
from tools.training.drawn_table import lit, random_light
from tools.training.grounds import random_ground
from tools.training.labels import Label
from tools.training.own_dice import of_any_make
from tools.training.own_scenes import from_above, photographed
from tools.training.random_dice import RandomDie, random_numbers
from tools.training.scenes import Scene, Viewpoint, any_light, arrange
from vision.dice_sets import BODIES, Kind
from vision.drawing.tray import tray_ground
from vision.roll import Face

_FIGURES = (0.01, 0.03, 0.03, 0.03, 0.03, 0.03, 0.39, 0.03, 0.03, 0.39)
"""How often a face shows 0 to 9."""

_INKS = (None, None, None, "red", "yellow", "blue", "green", "white", "black")
"""The colours that figures of our own artwork are printed in; none leaves it to the body."""

_MOST = 20
"""Dice of one scene."""


def figure_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    view = from_above(size, rng) if rng.random() < 0.75 else Viewpoint.random(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else any_light(rng)
    ground = tray_ground((size, size), rng) if rng.random() < 0.3 else random_ground((size, size), rng)
    scene = Scene(lit(ground, light), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    room = max(1, int(0.35 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, _MOST + 1)), room), rng)
    for die in sorted(dice, key=lambda die: -float(np.hypot(die.x, die.y))):
        scene.add(
            die, _ours(rng) if rng.random() < 0.5 else random_numbers(rng, _FIGURES, 0.0), int(rng.integers(1, 7))
        )
    picture = photographed(scene.canvas, edge, rng)
    return picture, rooms.with_marks_that_show(scene.seen_labels(), picture)


def _ours(rng: np.random.Generator) -> RandomDie:
    """A die of our own artwork on any body, every other one just as it was designed."""
    body = str(rng.choice(list(BODIES)))
    ink = _INKS[int(rng.integers(len(_INKS)))]
    faces = tuple(Face(value, ink if ink != body else None) for value in (6, 9, 6, 9, 6, 9))
    kind = Kind("figures", "digits", (body,), faces, underlined=True)
    return of_any_make(kind, rng, body, coloured=True)
