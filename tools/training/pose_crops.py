"""Cuts examples for the pose net out of drawn scenes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.crops import Scene, recolour, shrunk_about
from vision.classification.pose import POSE_CROP, POSE_SPAN

_EDGE, _BOX, _SEEN = 3, slice(6, 10), 14
_LEAN, _FLAT, _OFF, _AXES, _HULL = 0, slice(1, 3), slice(3, 5), slice(5, 14), slice(14, 30)

_ASIDE, _LARGER = 0.055, 0.1
"""Standard deviations of the finder's error: of the box's middle in its sides, of its size (logarithm)."""

_ONE_FACE, _FAR_ASIDE, _SMALLER = 0.18, 0.15, (-0.12, 0.18)
"""How often the finder takes a face for the whole die, and what its error is then; mean and deviation of the size."""

_STEEPEST = 0.75
"""Sine of the tilt from which a flat die is seen too much from aside."""

_DOUBTFUL, _CLEAR = 8.0, 16.0
"""Degrees: under the first a lean is as good as none, from the second on it must be told."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PoseCrop:
    """`picture` (POSE_CROP, POSE_CROP, 3) uint8; `lean` and `flat` (2) as in `labels.Pose`; `axes` (3, 3), rows are the
    cube's axes; `box`: what makes the crop's box the die's; `leaning` 0 or 1, and how much that counts."""

    picture: npt.NDArray[np.uint8]
    lean: Floats
    flat: Floats
    axes: Floats
    box: Floats
    leaning: float
    weight: float


def pose_crop(scene: Scene, index: int, rng: np.random.Generator) -> PoseCrop:
    """The scene's die of that index, turned anyhow, mirrored every other time, as the rim of a lens stretches it."""
    die, pose = scene.dice[index], scene.poses[index].astype(np.float64)
    angle, flip = rng.uniform(0, 2 * np.pi), 1.0 if rng.random() < 0.5 else -1.0
    c, s = np.cos(angle), np.sin(angle)
    spin = np.array([[c, -s], [s, c]]) @ np.diag([flip, 1.0])
    off = pose[_OFF]
    away = float(np.hypot(*off))
    radial = off / max(away, 1e-9)
    lens = np.eye(2) + (np.hypot(1.0, away) - 1) * np.outer(radial, radial) + rng.normal(0, 0.015, (2, 2))
    turn = spin @ lens
    hull = pose[_HULL].reshape(8, 2)
    middle = hull.mean(0)
    seen = (hull - middle) @ turn.T
    low, high = seen.min(0), seen.max(0)
    error = _error(rng)
    side = float(np.sqrt(np.prod(high - low)) * np.exp(error[2]))
    scale = POSE_CROP / POSE_SPAN / side
    place = (low + high) / 2 + error[:2] * side
    matrix = np.column_stack([turn * scale, POSE_CROP / 2 - scale * (turn @ middle + place)])
    picture = scene.picture
    if scale < 0.75:
        picture, matrix = shrunk_about(picture, matrix, middle, POSE_CROP / scale, scale)
    cut = cv2.warpAffine(picture, matrix, (POSE_CROP, POSE_CROP), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    axes = pose[_AXES].reshape(3, 3).copy()
    axes[:2] = spin @ axes[:2]
    lean = float(pose[_LEAN])
    return PoseCrop(
        _disguised(np.asarray(cut, np.uint8), rng),
        (spin @ die[[4, 5]]).astype(np.float32),
        (spin @ pose[_FLAT]).astype(np.float32),
        axes.T.astype(np.float32),
        np.array([-error[0], -error[1], -error[2]], np.float32),
        float(lean > _DOUBTFUL),
        1.0 if lean == 0 or lean >= _CLEAR else 0.3 if lean > _DOUBTFUL else 0.0,
    )


def _error(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """The finder's: of the box's middle (x, y) in its sides, and the logarithm of how much larger it is."""
    if rng.random() < _ONE_FACE:
        return np.array([*rng.normal(0, _FAR_ASIDE, 2), rng.normal(*_SMALLER)])
    return np.asarray(rng.normal(0, 1, 3) * [_ASIDE, _ASIDE, _LARGER])


def usable(scene: Scene) -> npt.NDArray[np.intp]:
    """Indices of the dice whose pose can be seen: whole, hardly hidden, and not from far aside."""
    if not len(scene.poses):
        return np.zeros(0, np.intp)
    boxes, size = scene.dice[:, _BOX], scene.picture.shape[0]
    whole = (boxes[:, :2] > 0).all(1) & (boxes[:, 2:] < size).all(1)
    above = np.hypot(*scene.poses[:, _FLAT].T) < _STEEPEST
    return np.flatnonzero(whole & above & (scene.dice[:, _SEEN] > 0.75) & (scene.dice[:, _EDGE] > 12))


def _disguised(shown: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """In other colours, under a light that falls off, with a glare, blurred, coarser, now and then."""
    shown = recolour(shown, rng, bool(rng.random() < 0.5))
    pick = rng.random(4)
    size = shown.shape[0]
    if pick[0] < 0.2:
        shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.3, 1.2))), np.uint8)
    if pick[1] < 0.08:
        small = int(size * rng.uniform(0.4, 0.8))
        coarse = cv2.resize(shown, (small, small), interpolation=cv2.INTER_AREA)
        shown = np.asarray(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)
    if pick[2] < 0.4:
        y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j].astype(np.float32)
        fall = 1 + float(rng.normal(0, 0.15)) * x + float(rng.normal(0, 0.15)) * y
        shown = np.clip(shown * fall[..., None], 0, 255).astype(np.uint8)
    if pick[3] < 0.08:
        y, x = np.mgrid[:size, :size].astype(np.float32) / size
        far = (x - rng.uniform(0.2, 0.8)) ** 2 + (y - rng.uniform(0.2, 0.8)) ** 2
        glare = np.exp(-far / rng.uniform(0.05, 0.25) ** 2)[..., None] * rng.uniform(0.2, 0.9)
        shown = (shown * (1 - glare) + 255 * glare).astype(np.uint8)
    return shown
