"""Cocked dice: compares each die's pose with the pose of a flat die at the same position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.classification.pose import PoseEstimator
from vision.detection.finder import Candidate
from vision.detection.fixed_camera import CameraPrior, FixedCamera, SeenLeans, expected_flat_leans
from vision.detection.table_plane import Overhead
from vision.pictures import Picture

COCKED_THRESHOLD, COCKED_THRESHOLD_SINGLE_PICTURE = 0.7, 0.95
"""Minimum probability for asking about a die as cocked: in a tray's camera, and in a single image.

The first was chosen on drawn tables that are not used for measurement. So was 0.9 for the second, but it flagged three
of 503 photographs.
"""

ANY_CAMERA = CameraPrior(tilt_sd=20.0)
"""Prior for a single image, which is often taken at an angle."""

_FROM_ABOVE = 0.25
"""In a single image, only dice with a smaller expected tilt (sine) are judged: at an angle a tilt is hard to see."""

_WELL_SEEN = 0.1
"""Standard deviation of a die's tilt below which the pose network sees its pose well.

Few dice pass this limit for drawn cameras tilted by 45 to 57 degrees. Without it 38 of 381 flat dice were called
cocked, with it none; of 78 leaning dice 28 and 25 were found.
"""

_UNSURE = 0.4
"""Standard deviation assumed for the tilt of a find that may not be a die."""


class CockedDiceDetector:
    """Detector of dice that do not lie flat. Not thread-safe.

    `camera` is the camera of one tray, learnt from its dice.
    """

    def __init__(self, camera: FixedCamera | None = None) -> None:
        self.camera = camera
        self._poses = PoseEstimator()

    def detect(
        self, picture: Picture, dice: Sequence[Candidate], firm: Sequence[bool], view: Overhead | None
    ) -> list[bool]:
        """Return for each die whether it is cocked.

        - `firm`: which candidates are certainly dice.
        - `view`: the camera position, if known. With an unknown camera, a single cocked die looks like a flat one seen
          at an angle.
        """
        if not dice:
            return []
        height, width = picture.shape[:2]
        poses = self._poses.estimate(picture, dice)
        places = np.array([((one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2) for one in dice], float)
        sure = np.array(firm, bool)
        seen = SeenLeans(places, poses.leans, np.where(sure, poses.spreads, _UNSURE))
        if self.camera is not None:
            flat, spread = self.camera.flat_leans(seen, width, height, view)
            self.camera.add(seen.select(sure), width, height, view)
            return _from(self._poses.cocked(poses, flat, spread), COCKED_THRESHOLD)
        prior = ANY_CAMERA if view is None else CameraPrior.of(view, width, height)
        flat, spread = expected_flat_leans(seen, prior, width, height)
        chances = self._poses.cocked(poses, flat, spread)
        if view is not None:
            return _from(chances, COCKED_THRESHOLD)
        judged = _shows_camera(seen.select(sure)) & (np.hypot(*flat.T) < _FROM_ABOVE)
        return _from(np.where(judged, chances, 0.0), COCKED_THRESHOLD_SINGLE_PICTURE)


def _shows_camera(dice: SeenLeans) -> bool:
    """Return True if at least half of the dice, and two or more, show their pose well.

    A camera fitted to other dice may be anywhere.
    """
    return len(dice) > 1 and float(np.quantile(dice.spreads, 0.5, method="lower")) < _WELL_SEEN


def _from(chances: npt.NDArray[np.float64], least: float) -> list[bool]:
    return [bool(chance >= least) for chance in chances]
