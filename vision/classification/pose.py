"""Pose of dice: the direction of the top face, as the pose network sees it, and whether the die lies flat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt

import numpy as np
import numpy.typing as npt

from vision.classification.face_nets import CropView, Surroundings
from vision.detection.finder import Candidate
from vision.models import CROP_SIZES, open_net
from vision.pictures import Picture

POSE_CROP, POSE_SPAN = CROP_SIZES["pose"], 1.5
"""Edge of the network's input in pixels, and its span in sides of the die's box (square root of its area)."""

_LEAN, _SPREAD, _BOX = slice(0, 2), 2, slice(12, 15)
"""Output positions: the tilt, the logarithm of its error, and the correction of the bounding box."""

_LEAST_SPREAD, _MOST_SPREAD = 0.04, 0.4
_SLIGHT = 0.06
"""A box correction below this is negligible."""

_FARTHEST, _LARGEST = 0.25, 0.35
"""Maximum box corrections: shift in sides, and change of log size."""

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.float64]

_VIEW = CropView("pose")
_BATCH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """Poses of N dice. See `labels.Pose` for the tilt.

    `outputs` (N, 111) is the network's output, used by `PoseEstimator.cocked`.
    """

    outputs: Floats

    @property
    def leans(self) -> Rows:
        """Tilts (N, 2): sine of the angle between each top's normal and the line of sight, as a direction in the image.

        For a die that lies flat it points towards the foot of the camera.
        """
        return self.outputs[:, _LEAN].astype(np.float64)

    @property
    def spreads(self) -> Rows:
        """Standard deviations (N,) of the tilts."""
        return np.clip(np.exp(self.outputs[:, _SPREAD].astype(np.float64)), _LEAST_SPREAD, _MOST_SPREAD)


class PoseEstimator:
    """The pose network. Not thread-safe."""

    def __init__(self) -> None:
        self._pose, self._cocked = open_net("pose"), open_net("cocked")

    def estimate(self, picture: Picture, dice: Sequence[Candidate]) -> Poses:
        """Estimate the pose of each die.

        The finder's boxes are off by about a tenth. A wrong box is corrected and the network runs again.
        """
        boxes = [_box_of(one) for one in dice]
        outputs = self._run(picture, boxes)
        off = np.flatnonzero(np.abs(outputs[:, _BOX]).max(1, initial=0.0) > _SLIGHT)
        if len(off):
            outputs[off] = self._run(picture, [_corrected(boxes[i], outputs[i, _BOX]) for i in off])
        return Poses(outputs)

    def cocked(self, poses: Poses, flat: Rows, spread: Rows) -> Rows:
        """Return the probability (N,) that each die is cocked.

        `flat` (N, 2) is the expected tilt of a flat die at that position, `spread` (N,) its standard deviation.
        """
        if not len(poses.outputs):
            return np.zeros(0)
        ups = np.column_stack([flat, spread]).astype(np.float32)
        logits = self._cocked.run(None, {"seen": poses.outputs, "up": ups})[0][:, 0].astype(np.float64)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))

    def _run(self, picture: Picture, boxes: Sequence[Candidate]) -> Floats:
        crops = [Surroundings.of(picture, one, POSE_CROP, POSE_SPAN).crop(_VIEW) for one in boxes]
        parts = [
            self._pose.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 111), np.float32)


def _box_of(one: Candidate) -> Candidate:
    """Return the candidate at the centre of its bounding box, with `edge` the square root of the box's area."""
    left, top, right, bottom = one.box
    side = sqrt(max(right - left, 2.0) * max(bottom - top, 2.0))
    return replace(one, x=(left + right) / 2, y=(top + bottom) / 2, edge=side)


def _corrected(one: Candidate, by: Floats) -> Candidate:
    right, down = (float(np.clip(value, -_FARTHEST, _FARTHEST)) * one.edge for value in by[:2])
    larger = exp(float(np.clip(by[2], -_LARGEST, _LARGEST)))
    return replace(one, x=one.x + right, y=one.y + down, edge=one.edge * larger)
