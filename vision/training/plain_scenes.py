"""Scenes of dice with plain faces on grounds that hide them: what the net learns on that tells such faces from none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import dice_sets
from vision.dice_sets import BODIES, Kind
from vision.drawing.clutter import scatter
from vision.drawing.ground import random_ground, tray_ground
from vision.drawing.looks import of_kind
from vision.roll import Face
from vision.training import rooms
from vision.training.drawn_table import lit, random_body, random_light
from vision.training.labels import Label
from vision.training.lookalikes import lay_lookalikes
from vision.training.own_dice import another_make, labelled
from vision.training.own_scenes import from_above, photographed
from vision.training.random_dice import RandomDie, random_ball, random_blank, random_numbers, random_pips
from vision.training.scenes import Scene, Viewpoint, any_light, arrange

_MOST = 16
"""Dice of one scene."""

_BLANK = (Face(0),) * 6


def plain_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    view = from_above(size, rng) if rng.random() < 0.75 else Viewpoint.random(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else any_light(rng)
    ground = tray_ground((size, size), rng) if rng.random() < 0.3 else random_ground((size, size), rng)
    scene = Scene(np.ascontiguousarray(ground, np.float32), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    if rng.random() < 0.4:
        scatter(scene.canvas, edge, int(rng.integers(1, 9)), rng)
    if rng.random() < 0.3:
        lay_lookalikes(scene.canvas, edge, int(rng.integers(1, 6)), rng)
    first = _die(rng)
    if rng.random() < 0.2:
        rooms.matched_ground(scene.canvas, first.look.material.body, rng)
    scene.canvas = lit(scene.canvas, light)
    room = max(1, int(0.3 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, _MOST + 1)), room), rng)
    for number, die in enumerate(sorted(dice, key=lambda die: -float(np.hypot(die.x, die.y)))):
        scene.add(die, first if number % 3 == 0 else _die(rng), int(rng.integers(1, 7)))
    picture = photographed(scene.canvas, edge, rng)
    return picture, rooms.with_marks_that_show(scene.seen_labels(), picture)


def _die(rng: np.random.Generator) -> RandomDie:
    """Mostly one with plain faces: a ball, a blank one, one of our own; else one with figures or pips."""
    pick = rng.random()
    if pick < 0.4:
        body = str(rng.choice(list(BODIES)))
        kind = Kind("blank", "digits", (body,), _BLANK)
        return labelled(kind, body, of_kind(kind, body) if rng.random() < 0.5 else another_make(kind, body, rng))
    if pick < 0.6:
        ball = dice_sets.load("ball").kinds[0]
        body = random_body(ball, rng)
        return labelled(ball, body, of_kind(ball, body) if rng.random() < 0.5 else another_make(ball, body, rng))
    makers = (random_ball, random_blank, random_numbers, random_pips)
    return makers[int(rng.choice(4, p=(0.4, 0.2, 0.25, 0.15)))](rng)
