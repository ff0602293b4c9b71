"""Cuts out of stored scenes what the net that names colours learns on."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.crops import Scene
from tools.training.dataset import COLUMNS
from tools.training.labels import NOT_SAID
from vision.classification.face_nets import colour_crops, whole_picture
from vision.detection.finder import Candidate

_X, _Y, _EDGE, _PAINT, _STATE, _SEEN = (
    1 + COLUMNS.index(name) for name in ("x", "y", "edge", "paint", "state", "seen")
)

_ASIDE, _LARGER = 0.05, 0.09
"""How far (edges) and how much larger (logarithm) than the die its find may be: standard deviations."""

_NO_DICE = 0.12
"""How often something else is among the dice of a picture, as a find may be."""

_NO_BOX, _NO_FACES = (0.0, 0.0, 0.0, 0.0), np.zeros(8, np.float32)

Crops = list[tuple[npt.NDArray[np.uint8], int]]


def scene_crops(scene: Scene, rng: np.random.Generator, most: int) -> Crops:
    """Up to `most` of the scene's dice as the net sees them (`face_nets.colour_crops`), and the index of each top's
    colour among BODIES; none where no colour is said. Now and then one of them is no die (NOT_SAID)."""
    dice = scene.dice
    dice = dice[(dice[:, _EDGE] > 10) & (dice[:, _SEEN] > 0.8) & (dice[:, _PAINT] != NOT_SAID) & (dice[:, _STATE] == 0)]
    if not len(dice):
        return []
    picture = _brighter(scene.picture, rng)
    whole = whole_picture(picture)
    whole = whole[:: 1 if rng.random() < 0.5 else -1, :: 1 if rng.random() < 0.5 else -1]
    finds = [(_found(die, rng), int(die[_PAINT])) for die in dice[rng.permutation(len(dice))[:most]]]
    if rng.random() < _NO_DICE:
        x, y = rng.uniform(0, len(picture), 2)
        finds.append((Candidate(float(x), float(y), float(dice[0, _EDGE]), _NO_BOX, 1.0, _NO_FACES), NOT_SAID))
    turns = rng.uniform(-np.pi, np.pi, len(finds))
    return [
        (_worse(colour_crops(picture, whole, one, [float(turn)])[0], rng), paint)
        for (one, paint), turn in zip(finds, turns, strict=True)
    ]


def _found(die: npt.NDArray[np.float32], rng: np.random.Generator) -> Candidate:
    """The die as a finder may see it."""
    edge = float(die[_EDGE])
    x, y = (float(die[at] + rng.normal(0, _ASIDE) * edge) for at in (_X, _Y))
    edge *= float(np.exp(rng.normal(0, _LARGER)))
    return Candidate(x, y, edge, _NO_BOX, 1.0, _NO_FACES)


def _brighter(picture: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """One picture in two in other light, a little of another colour."""
    if rng.random() < 0.5:
        return picture
    gains = np.exp(rng.normal(0, 0.03, 3) + rng.normal(0, 0.12))
    table = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table.reshape(1, 256, 3)), np.uint8)


def _worse(crop: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Mirrored every other time, now and then blurred."""
    crop = crop[:, ::-1] if rng.random() < 0.5 else crop
    if rng.random() < 0.1:
        sigma = float(rng.uniform(0.4, 1.0))
        crop = np.dstack([cv2.GaussianBlur(np.ascontiguousarray(crop[..., :3]), (0, 0), sigma), crop[..., 3:]])
    return np.ascontiguousarray(crop)
