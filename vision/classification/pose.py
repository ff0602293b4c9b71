"""How a die lies: the direction of its top face, as a net of its own sees it, and whether it lies flat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt

import numpy as np
import numpy.typing as npt

from vision.classification.face_nets import CropView, Surroundings
from vision.detection.finder import Candidate
from vision.models import CROPS, open_net
from vision.pictures import Picture

POSE_CROP, POSE_SPAN = CROPS["pose"], 1.5
"""Edge of the net's input in pixels, and how many sides of the die's box (square root of its area) it spans."""

_LEAN, _SPREAD, _BOX = slice(0, 2), 2, slice(12, 15)
"""Where the net says the lean, the logarithm of its error, and what makes the crop's box the die's."""

_LEAST_SPREAD, _MOST_SPREAD = 0.04, 0.4
_SLIGHT = 0.06
"""A box that is corrected by less is as good as right."""

_FARTHEST, _LARGEST = 0.25, 0.35
"""The box is corrected by so much at most: in its sides, and the logarithm of the size."""

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.float64]

_VIEW = CropView("pose")
_BATCH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """How N dice lie: `said` (N, 111) of the net, for `PoseEstimator.cocked`. See `labels.Pose` for the lean."""

    said: Floats

    @property
    def leans(self) -> Rows:
        """(N, 2): sine of the angle between each top's normal and the line of sight, as a direction in the picture;
        towards the foot of the camera for a die that lies flat."""
        return self.said[:, _LEAN].astype(np.float64)

    @property
    def spreads(self) -> Rows:
        """(N,): how far off each lean may be (standard deviation)."""
        return np.clip(np.exp(self.said[:, _SPREAD].astype(np.float64)), _LEAST_SPREAD, _MOST_SPREAD)


class PoseEstimator:
    """The net that sees how dice lie; not to be shared between threads."""

    def __init__(self) -> None:
        self._pose, self._cocked = open_net("pose"), open_net("cocked")

    def estimate(self, picture: Picture, dice: Sequence[Candidate]) -> Poses:
        """How each of the dice lies. A box that is wrong, as the finder errs by a tenth, is corrected and looked at
        again."""
        boxes = [_box_of(one) for one in dice]
        said = self._run(picture, boxes)
        off = np.flatnonzero(np.abs(said[:, _BOX]).max(1, initial=0.0) > _SLIGHT)
        if len(off):
            said[off] = self._run(picture, [_corrected(boxes[i], said[i, _BOX]) for i in off])
        return Poses(said)

    def cocked(self, poses: Poses, flat: Rows, spread: Rows) -> Rows:
        """The chance (N,) that each die does not lie flat. `flat` (N, 2): how a flat die would lean there, and `spread`
        (N,) its standard deviation."""
        if not len(poses.said):
            return np.zeros(0)
        ups = np.column_stack([flat, spread]).astype(np.float32)
        logits = self._cocked.run(None, {"seen": poses.said, "up": ups})[0][:, 0].astype(np.float64)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))

    def _run(self, picture: Picture, boxes: Sequence[Candidate]) -> Floats:
        crops = [Surroundings.of(picture, one, POSE_CROP, POSE_SPAN).crop(_VIEW) for one in boxes]
        parts = [
            self._pose.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 111), np.float32)


def _box_of(one: Candidate) -> Candidate:
    """The middle of a die's box, `edge` the square root of its area."""
    left, top, right, bottom = one.box
    side = sqrt(max(right - left, 2.0) * max(bottom - top, 2.0))
    return replace(one, x=(left + right) / 2, y=(top + bottom) / 2, edge=side)


def _corrected(one: Candidate, by: Floats) -> Candidate:
    right, down = (float(np.clip(value, -_FARTHEST, _FARTHEST)) * one.edge for value in by[:2])
    larger = exp(float(np.clip(by[2], -_LARGEST, _LARGEST)))
    return replace(one, x=one.x + right, y=one.y + down, edge=one.edge * larger)
