"""Scenes of the product's own sets as its camera sees them: from above, on a tray or table, in good or dim light.

The other scenes show any dice anywhere, and contain few of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tools.games import dice_set_shares
from tools.training import lighting_effects
from tools.training.camera_effects import colour_cast, glare, simulate_camera, simulate_phone, vignette
from tools.training.clutter import scatter
from tools.training.drawn_table import auto_exposed, lit, random_light
from tools.training.grounds import random_ground
from tools.training.labels import Label
from tools.training.own_dice import random_body_for, random_die_of, random_make_of, random_set_kinds
from tools.training.scenes import TrainingScene, Viewpoint, arrange, random_scene_light, unevenly_lit
from vision.dice_sets import Kind
from vision.drawing.faces import FloatImage
from vision.drawing.tray import tray_ground

_SETS = dice_set_shares("scenes")
"""Share of each set in the throws. The set with the most difficult faces has the largest share."""

_COLOURED = dice_set_shares("coloured")
"""Share of each set for learning colours: plain faces as often as bodies."""

_STEEPEST = 40.0
"""Maximum view angle of the image centre, in degrees from the vertical."""

_SIX_OR_NINE = 0.2
"""Probability that a die with a six or nine is laid to show one: they are the most similar figures."""


def coloured_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return a scene like `own_scene`, of the sets whose dice differ mostly by colour."""
    return own_scene(size, rng, _COLOURED)


def own_scene(
    size: int, rng: np.random.Generator, sets: Sequence[tuple[str, float]] = _SETS
) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return an image (size, size, 3) uint8 BGR and the labels of its dice. Repeatable for the same generator state."""
    view = overhead_viewpoint(size, rng)
    light = random_light(rng) if rng.random() < 0.7 else random_scene_light(rng)
    in_tray = rng.random() < 0.4
    canvas = tray_ground((size, size), rng) if in_tray else random_ground((size, size), rng)
    scene = TrainingScene(np.ascontiguousarray(canvas, np.float32), view, light, [], [])
    edge = view.focal / view.height
    if rng.random() < 0.2:
        scatter(scene.canvas, edge, int(rng.integers(1, 6)), rng)
    kinds = random_set_kinds(sets, rng)
    max_dice = max(1, int(0.3 * (size / edge) ** 2))
    dice = arrange(view, size, min(int(rng.integers(1, 13)), max_dice), rng)
    if rng.random() < 0.1 and dice:
        lighting_effects.match_ground_to_dice(scene.canvas, random_die_of(kinds, rng).model.material.body, rng)
    scene.canvas = lit(scene.canvas, light)
    for die in sorted(dice, key=lambda die: -float(np.hypot(die.x, die.y))):
        kind = kinds[int(rng.integers(len(kinds)))]
        if rng.random() < 0.02:
            die = replace(die, lean=float(rng.uniform(0.5, 0.95)), towards=float(rng.uniform(0, 2 * np.pi)))
        scene.add(die, random_make_of(kind, rng, random_body_for(kind, kinds, rng)), _top(kind, rng))
    picture = _by_any_camera(scene.canvas, edge, rng)
    return picture, lighting_effects.ignore_washed_out_marks(scene.visible_labels(), picture)


def overhead_viewpoint(size: int, rng: np.random.Generator) -> Viewpoint:
    """Return a camera that looks straight down, often with its axis off the image centre."""
    focal = float(size * rng.uniform(1.0, 2.5))
    reach = focal * float(np.tan(np.deg2rad(rng.uniform(0, 14 if rng.random() < 0.5 else _STEEPEST))))
    angle = float(rng.uniform(0, 2 * np.pi))
    edge = float(np.exp(rng.uniform(np.log(16), np.log(100))))
    foot = (size / 2 + reach * float(np.cos(angle)), size / 2 + reach * float(np.sin(angle)))
    return Viewpoint(focal, foot, 0.0, float(rng.uniform(-np.pi, np.pi)), focal / edge)


def _top(kind: Kind, rng: np.random.Generator) -> int:
    """Return the top face, 1..6."""
    alike = [number for number, face in enumerate(kind.faces, 1) if face.value in (6, 9) and kind.marks == "digits"]
    if alike and rng.random() < _SIX_OR_NINE:
        return alike[int(rng.integers(len(alike)))]
    return int(rng.integers(1, 7))


def simulate_photograph(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Apply a camera's effects to a scene of dice of `edge` pixels."""
    canvas = unevenly_lit(canvas, rng, 0.5, 0.1)
    canvas = auto_exposed(canvas, rng) if rng.random() < 0.7 else colour_cast(canvas, rng)
    return simulate_camera(canvas, rng, edge)


def _by_any_camera(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Apply the effects of `simulate_photograph`, sometimes with glare, vignetting, or the processing of a phone."""
    if rng.random() < 0.08:
        canvas = glare(canvas, rng)
    if rng.random() < 0.08:
        canvas = vignette(canvas, rng)
    if rng.random() < 0.12:
        canvas = unevenly_lit(canvas, rng, 0.5, 0.1)
        return simulate_phone(colour_cast(canvas, rng, 0.06), rng, edge)
    return simulate_photograph(canvas, edge, rng)
