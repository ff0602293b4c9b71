"""Scenes of the product's own sets as its camera sees them: from above, in a tray or on a table, in good light or dim.

The other scenes are of any dice anywhere, and leave few of these to learn from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tools.games import shares
from tools.training import rooms
from tools.training.clutter import scatter
from tools.training.drawn_table import developed, lit, random_light
from tools.training.grounds import random_ground
from tools.training.labels import Label
from tools.training.lens import colour_cast, expose, glare, phone, vignette
from tools.training.own_dice import any_body, any_of, kinds_of_one, of_any_make
from tools.training.scenes import Scene, Viewpoint, any_light, arrange, unevenly_lit
from vision.dice_sets import Kind
from vision.drawing.faces import FloatImage
from vision.drawing.tray import tray_ground

_SETS = shares("scenes")
"""How often a throw is of a set: the one whose faces are hardest to tell most often."""

_COLOURED = shares("coloured")
"""The same where colours are learnt: as often plain faces as bodies."""

_STEEPEST = 40.0
"""Degrees from the vertical at which the middle of a picture is seen at most."""

_SIX_OR_NINE = 0.2
"""How often a die that has a six or nine is laid so that it shows one: of all figures they are most alike."""


def coloured_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """As `own_scene`, of the sets whose dice are told by their colours most."""
    return own_scene(size, rng, _COLOURED)


def own_scene(
    size: int, rng: np.random.Generator, sets: Sequence[tuple[str, float]] = _SETS
) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    view = from_above(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else any_light(rng)
    in_tray = rng.random() < 0.4
    canvas = tray_ground((size, size), rng) if in_tray else random_ground((size, size), rng)
    scene = Scene(np.ascontiguousarray(canvas, np.float32), view, light, [], [])
    edge = view.focal / view.height
    if rng.random() < 0.2:
        scatter(scene.canvas, edge, int(rng.integers(1, 6)), rng)
    kinds = kinds_of_one(sets, rng)
    room = max(1, int(0.3 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, 13)), room), rng)
    if rng.random() < 0.1 and dice:
        rooms.matched_ground(scene.canvas, any_of(kinds, rng).look.material.body, rng)
    scene.canvas = lit(scene.canvas, light)
    for die in sorted(dice, key=lambda die: -float(np.hypot(die.x, die.y))):
        kind = kinds[int(rng.integers(len(kinds)))]
        if rng.random() < 0.02:
            die = replace(die, lean=float(rng.uniform(0.5, 0.95)), towards=float(rng.uniform(0, 2 * np.pi)))
        scene.add(die, of_any_make(kind, rng, any_body(kind, kinds, rng)), _top(kind, rng))
    picture = _by_any_camera(scene.canvas, edge, rng)
    return picture, rooms.with_marks_that_show(scene.seen_labels(), picture)


def from_above(size: int, rng: np.random.Generator) -> Viewpoint:
    """A camera that looks straight down, its axis often beside the picture's middle."""
    focal = float(size * rng.uniform(1.0, 2.5))
    reach = focal * float(np.tan(np.deg2rad(rng.uniform(0, 14 if rng.random() < 0.5 else _STEEPEST))))
    angle = float(rng.uniform(0, 2 * np.pi))
    edge = float(np.exp(rng.uniform(np.log(16), np.log(100))))
    foot = (size / 2 + reach * float(np.cos(angle)), size / 2 + reach * float(np.sin(angle)))
    return Viewpoint(focal, foot, 0.0, float(rng.uniform(-np.pi, np.pi)), focal / edge)


def _top(kind: Kind, rng: np.random.Generator) -> int:
    """The face that lies on top, 1..6."""
    alike = [number for number, face in enumerate(kind.faces, 1) if face.value in (6, 9) and kind.marks == "digits"]
    if alike and rng.random() < _SIX_OR_NINE:
        return alike[int(rng.integers(len(alike)))]
    return int(rng.integers(1, 7))


def photographed(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """What a camera makes of a scene of dice of `edge` pixels."""
    canvas = unevenly_lit(canvas, rng, 0.5, 0.1)
    canvas = developed(canvas, rng) if rng.random() < 0.7 else colour_cast(canvas, rng)
    return expose(canvas, rng, edge)


def _by_any_camera(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """As `photographed`, but now and then with glare, by a lens that darkens the corners, or by a phone."""
    if rng.random() < 0.08:
        canvas = glare(canvas, rng)
    if rng.random() < 0.08:
        canvas = vignette(canvas, rng)
    if rng.random() < 0.12:
        canvas = unevenly_lit(canvas, rng, 0.5, 0.1)
        return phone(colour_cast(canvas, rng, 0.06), rng, edge)
    return photographed(canvas, edge, rng)
