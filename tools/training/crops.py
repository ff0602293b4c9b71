"""Cuts training examples out of stored scenes: patches for the finder, crops for the classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.dataset import Shard
from tools.training.labels import NOT_SAID
from vision.classification.classes import NOTHING, PLAIN, STATES, UNKNOWN
from vision.classification.face_nets import FIGURE_CROP, FIGURE_SPAN, FIGURES

PATCH = 160
"""Edge of a finder patch in pixels."""

SMALLEST, LARGEST = 12.0, 58.0
"""Edges in pixels that the finder answers for; a little outside nothing is asked of it, far outside nothing is
there."""

_X, _Y, _EDGE, _LEAN_X, _LEAN_Y, _LEFT, _FACE, _PAINT, _INK, _STATE, _SEEN = 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14
_BLURRED, _HIDDEN = STATES.index("blurred"), STATES.index("hidden")
STEEP = 0.45
"""Sine of the tilt above which up and down in the picture tell which face is on top."""


@dataclass(frozen=True)
class Scene:
    """One stored picture with the rows of its dice, of its side faces and of its dice's poses (none or as many)."""

    name: str
    picture: npt.NDArray[np.uint8]
    dice: npt.NDArray[np.float32]
    sides: npt.NDArray[np.float32]
    poses: npt.NDArray[np.float32]


class Scenes:
    """Random access to the scenes of many shards."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._where = [(shard, scene) for shard in shards for scene in range(len(shard.pictures))]

    def __len__(self) -> int:
        return len(self._where)

    def __getitem__(self, index: int) -> Scene:
        shard, scene = self._where[index]
        dice = slice(*(np.searchsorted(shard.dice[:, 0], scene, side) for side in ("left", "right")))
        return Scene(
            f"{shard.name}_{scene}",
            np.asarray(shard.pictures[scene]),
            shard.dice[dice],
            shard.sides[np.searchsorted(shard.sides[:, 0], scene) : np.searchsorted(shard.sides[:, 0], scene, "right")],
            shard.poses[dice],
        )


def recolour(picture: npt.NDArray[np.uint8], rng: np.random.Generator, keep_hue: bool) -> npt.NDArray[np.uint8]:
    """Gains, gamma and noise; unless `keep_hue`, channels are changed more, and may be swapped."""
    if not keep_hue and rng.random() < 0.6:
        picture = np.ascontiguousarray(picture[..., rng.permutation(3)])
    gains = np.exp(rng.normal(0, 0.04 if keep_hue else 0.12, 3) + rng.normal(0, 0.15))
    power = float(np.exp(rng.normal(0, 0.25))) if rng.random() < 0.3 else 1.0
    ramp = np.linspace(0, 1, 256)[:, None] * gains + rng.normal(0, 0.03)
    table = (np.clip(ramp, 0, 1) ** power * 255).astype(np.uint8)
    out = cv2.LUT(picture, table.reshape(1, 256, 3))
    if rng.random() < 0.3:
        grain = rng.standard_normal(out.shape, dtype=np.float32) * np.float32(rng.uniform(0, 10))
        out = np.clip(out + grain, 0, 255)
    return np.asarray(out, np.uint8)


def finder_patch(
    scene: Scene, rng: np.random.Generator, others: npt.NDArray[np.float32] | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """A patch (PATCH, PATCH, 3) and its dice (rows of dataset.COLUMNS) in patch pixels; one in four about a false
    find."""
    size = scene.picture.shape[0]
    good = scene.dice[scene.dice[:, _SEEN] > 0.5]
    if others is not None and len(others) and rng.random() < 0.25:
        x, y, edge = others[int(rng.integers(len(others)))][:3]
        scale = float(np.clip(np.exp(rng.uniform(np.log(12), np.log(56))) / edge, PATCH / size, 2.0))
        x, y = x + rng.uniform(-0.4, 0.4) * PATCH / scale, y + rng.uniform(-0.4, 0.4) * PATCH / scale
    elif len(good) and rng.random() < 0.85:
        die = good[int(rng.integers(len(good)))]
        scale = float(np.exp(rng.uniform(np.log(11), np.log(60)))) / die[_EDGE]
        scale = float(np.clip(scale, PATCH / size, 2.0))
        x, y = die[_X] + rng.uniform(-0.45, 0.45) * PATCH / scale, die[_Y] + rng.uniform(-0.45, 0.45) * PATCH / scale
    else:
        scale = float(np.exp(rng.uniform(np.log(PATCH / size), np.log(1.4))))
        x, y = rng.uniform(0, size, 2)
    reach = PATCH / scale
    left = float(np.clip(x - reach / 2, 0, size - reach)) if rng.random() < 0.85 else float(x - reach / 2)
    top = float(np.clip(y - reach / 2, 0, size - reach)) if rng.random() < 0.85 else float(y - reach / 2)
    patch = _cut(scene.picture, left, top, reach, PATCH)
    dice = scene.dice[:, 1:].copy()
    dice[:, [0, 1]] = (dice[:, [0, 1]] - [left, top]) * scale
    dice[:, 5:9] = (dice[:, 5:9] - [left, top, left, top]) * scale
    dice[:, 2] *= scale
    patch, dice = _turned(patch, dice, rng)
    return recolour(patch, rng, False), dice


def _cut(picture: npt.NDArray[np.uint8], left: float, top: float, reach: float, out: int) -> npt.NDArray[np.uint8]:
    """The square of `reach` pixels from (left, top), at `out` pixels; grey beyond the rim."""
    if reach > out * 1.5:
        x0, y0 = int(np.floor(left)), int(np.floor(top))
        side = int(np.ceil(reach))
        height, width = picture.shape[:2]
        inner = picture[max(0, y0) : min(height, y0 + side), max(0, x0) : min(width, x0 + side)]
        pads = (max(0, -y0), max(0, y0 + side - height), max(0, -x0), max(0, x0 + side - width))
        if any(pads):
            inner = np.asarray(cv2.copyMakeBorder(inner, *pads, cv2.BORDER_CONSTANT, value=(114, 114, 114)), np.uint8)
        return np.asarray(cv2.resize(inner, (out, out), interpolation=cv2.INTER_AREA), np.uint8)
    scale = out / reach
    matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    return np.asarray(
        cv2.warpAffine(picture, matrix, (out, out), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)), np.uint8
    )


def _turned(
    patch: npt.NDArray[np.uint8], dice: npt.NDArray[np.float32], rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Mirrored (the finder does not tell figures apart) and, where tilt allows, turned by a multiple of 90 degrees."""
    side = patch.shape[0]
    if rng.random() < 0.5:
        patch = patch[:, ::-1]
        dice[:, 0] = side - 1 - dice[:, 0]
        dice[:, 3] *= -1
        dice[:, [5, 7]] = side - 1 - dice[:, [7, 5]]
    steep = len(dice) and np.hypot(dice[:, 3], dice[:, 4]).max() > STEEP
    for _ in range(0 if steep else int(rng.integers(4))):
        patch = np.rot90(patch)
        x, y = dice[:, 0].copy(), dice[:, 1].copy()
        dice[:, 0], dice[:, 1] = y, side - 1 - x
        left, top, right, bottom = dice[:, 5:9].T.copy()
        dice[:, 5:9] = np.stack([top, side - 1 - right, bottom, side - 1 - left], 1)
        lean_x, lean_y = dice[:, 3].copy(), dice[:, 4].copy()
        dice[:, 3], dice[:, 4] = lean_y, -lean_x
    return np.ascontiguousarray(patch), dice


@dataclass(frozen=True)
class Crop:
    """A classifier example: picture (size, size, 3) uint8; class, paint, ink and state (NOT_SAID: not taught); lean."""

    picture: npt.NDArray[np.uint8]
    face: int
    paint: int = NOT_SAID
    ink: int = NOT_SAID
    state: int = NOT_SAID
    lean: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Framing:
    """How a crop lies about a face: `span` edges wide; standard deviations of how far (edges) it is `aside` and of how
    much it is `larger` (logarithm)."""

    span: float = 2.0
    aside: float = 0.05
    larger: float = 0.09


_USUAL = Framing()
_OF_FIGURES = Framing(FIGURE_SPAN, 0.09, 0.1)
"""What finds a six or a nine takes the figure for the middle of the face, and its line lies at the rim then."""


def figure_crop(scene: Scene, rng: np.random.Generator) -> Crop:
    """A crop on a six, a nine or one that nothing marks, or (one in five) on something else, `face` among FIGURES."""
    dice = scene.dice[(scene.dice[:, _EDGE] > 10) & (scene.dice[:, _SEEN] > 0.9)]
    figures = np.isin(dice[:, _FACE], FIGURES[1:])
    pick = rng.random()
    among = dice[figures] if pick < 0.8 else dice[~figures]
    if not len(among) or pick > 0.93:
        return _crop(scene, _elsewhere(scene, rng, None), rng, FIGURE_CROP, None, _OF_FIGURES)
    die = among[int(rng.integers(len(among)))]
    crop = _crop(scene, (die[_X], die[_Y], die[_EDGE]), rng, FIGURE_CROP, die, _OF_FIGURES)
    return replace(crop, face=FIGURES.index(crop.face) if crop.face in FIGURES else 0)


def face_crop(scene: Scene, rng: np.random.Generator, size: int, others: npt.NDArray[np.float32] | None = None) -> Crop:
    """A crop on a die's top face, or (two in five) on something that is none; `others` (x, y, edge) are false finds."""
    dice = scene.dice[(scene.dice[:, _EDGE] > 10) & (scene.dice[:, _FACE] != NOT_SAID)]
    good = dice[dice[:, _SEEN] > 0.72]
    half = dice[(dice[:, _SEEN] > 0.25) & (dice[:, _SEEN] < 0.6)]
    pick = rng.random()
    if len(good) and pick < 0.64:
        die = good[int(rng.integers(len(good)))]
        if rng.random() < 0.25:
            steep = good[np.hypot(good[:, _LEAN_X], good[:, _LEAN_Y]) > 0.6]
            die = steep[int(rng.integers(len(steep)))] if len(steep) else die
        return _crop(scene, (die[_X], die[_Y], die[_EDGE]), rng, size, die)
    if len(half) and pick < 0.68:
        die = half[int(rng.integers(len(half)))].copy()
        die[[_FACE, _INK, _STATE]] = UNKNOWN, NOT_SAID, _HIDDEN
        return _crop(scene, (die[_X], die[_Y], die[_EDGE]), rng, size, die)
    return _crop(scene, _elsewhere(scene, rng, others), rng, size, None)


def _elsewhere(
    scene: Scene, rng: np.random.Generator, others: npt.NDArray[np.float32] | None
) -> tuple[float, float, float]:
    """A place and scale where no top face is centred."""
    size = scene.picture.shape[0]
    for _ in range(20):
        pick = rng.random()
        if others is not None and len(others) and pick < 0.5:
            x, y, edge = others[int(rng.integers(len(others)))][:3]
        elif len(scene.sides) and pick < 0.75:
            x, y, edge = scene.sides[int(rng.integers(len(scene.sides)))][1:]
            edge = edge * np.exp(rng.normal(0, 0.2))
        elif len(scene.dice) and pick < 0.93:
            die = scene.dice[int(rng.integers(len(scene.dice)))]
            angle, reach = rng.uniform(0, 6.28), rng.uniform(0, 1.2) * die[_EDGE]
            x, y = die[_X] + reach * np.cos(angle), die[_Y] + reach * np.sin(angle)
            edge = die[_EDGE] * np.exp(rng.uniform(-1.4, 1.2))
        else:
            x, y = rng.uniform(0, size, 2)
            edge = np.exp(rng.uniform(np.log(10), np.log(90)))
        gap = np.hypot(scene.dice[:, _X] - x, scene.dice[:, _Y] - y) / np.maximum(scene.dice[:, _EDGE], 1)
        ratio = np.abs(np.log(np.maximum(scene.dice[:, _EDGE], 1) / edge))
        if edge > 5 and not ((gap < 0.33) & (ratio < 0.5)).any():
            return float(x), float(y), float(edge)
    return -1000.0, -1000.0, 20.0


def _crop(
    scene: Scene,
    place: tuple[float, float, float],
    rng: np.random.Generator,
    size: int,
    die: npt.NDArray[np.float32] | None,
    framing: Framing = _USUAL,
) -> Crop:
    """The crop about `place` (x, y, edge); `die` is the row of the die whose top face is there, if there is one."""
    x, y, edge = place
    lean = np.array([0.0, 0.0]) if die is None else np.array([die[_LEAN_X], die[_LEAN_Y]])
    steep = np.hypot(*lean) > STEEP or (die is None and rng.random() < 0.5)
    angle = rng.normal(0, 0.15) if steep and rng.random() < 0.9 else rng.uniform(-np.pi, np.pi)
    figures = die is not None and die[_FACE] > PLAIN
    flip = -1.0 if rng.random() < 0.5 and not figures else 1.0
    middle = np.array([x, y]) + rng.normal(0, framing.aside, 2) * edge
    scale = size / framing.span / (edge * np.exp(rng.normal(0, framing.larger)))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[c * flip, -s], [s * flip, c]]) @ (np.eye(2) + rng.normal(0, 0.03, (2, 2)))
    matrix = np.column_stack([turn, np.array([size, size]) / 2 - turn @ middle])
    picture = scene.picture
    if scale < 0.75:
        picture, matrix = shrunk_about(scene.picture, matrix, middle, size / scale, scale)
    cut = cv2.warpAffine(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    shown = np.asarray(cut, np.uint8)
    if die is None:
        return Crop(recolour(shown, rng, False), NOTHING)
    turned = turn @ lean / scale
    return _labelled_crop(shown, die, (float(turned[0]), float(turned[1])), rng)


def _labelled_crop(
    shown: npt.NDArray[np.uint8], die: npt.NDArray[np.float32], lean: tuple[float, float], rng: np.random.Generator
) -> Crop:
    """The crop of a die, recoloured and blurred at random; its labels follow."""
    face, paint, ink, state = (int(die[i]) for i in (_FACE, _PAINT, _INK, _STATE))
    swap = rng.random() < (0.12 if paint != NOT_SAID else 0.5)
    if swap:
        paint = ink = NOT_SAID
    shown = recolour(shown, rng, not swap)
    pick = rng.random()
    if pick < 0.15:
        shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.4, 1.0))), np.uint8)
    elif pick < 0.19 and state == 0:
        shown = smeared(shown, float(rng.uniform(0.25, 0.6)) * shown.shape[0] / 2, float(rng.uniform(0, np.pi)))
        face, ink, state = UNKNOWN, NOT_SAID, _BLURRED
    return Crop(shown, face, paint, ink, state, lean)


def smeared(picture: npt.NDArray[np.uint8], length: float, angle: float) -> npt.NDArray[np.uint8]:
    """The picture of something that moved by `length` pixels while the shutter was open."""
    reach = max(3, int(length) | 1)
    kernel = np.zeros((reach, reach), np.float32)
    kernel[reach // 2] = 1 / reach
    turned = cv2.getRotationMatrix2D((reach // 2, reach // 2), float(np.rad2deg(angle)), 1.0)
    kernel = np.asarray(cv2.warpAffine(kernel, turned, (reach, reach)), np.float32)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1e-6)), np.uint8)


def shrunk_about(
    picture: npt.NDArray[np.uint8],
    matrix: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
    reach: float,
    scale: float,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """A smaller picture about `middle`, averaged over areas, and the matrix for it."""
    height, width = picture.shape[:2]
    x0, y0 = (int(max(0, v - reach)) for v in middle)
    x1, y1 = int(min(width, middle[0] + reach + 1)), int(min(height, middle[1] + reach + 1))
    part = picture[y0:y1, x0:x1]
    if part.size == 0:
        return picture, matrix
    wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA)
    undo = np.array([[part.shape[1] / wide, 0, x0], [0, part.shape[0] / tall, y0], [0, 0, 1]])
    return np.asarray(small, np.uint8), matrix @ undo
