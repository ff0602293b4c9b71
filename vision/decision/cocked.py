"""Which dice of a picture do not lie flat: how each lies is compared with how the camera would see a flat one there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.classification.pose import PoseEstimator
from vision.detection.finder import Candidate
from vision.detection.fixed_camera import CameraPrior, FixedCamera, SeenLeans, flat_leans_of_all
from vision.detection.table_plane import Overhead
from vision.pictures import Picture

COCKED, COCKED_BY_ITSELF = 0.7, 0.95
"""From this chance on a die of a tray's camera is asked about as cocked, and one of a picture by itself. The first was
chosen on drawn tables whose seeds measure nothing; so was 0.9 for the second, which took three of 503 photographs."""

ANY_CAMERA = CameraPrior(tilt_sd=20.0)
"""A picture by itself is often taken askew."""

_FROM_ABOVE = 0.25
"""In a picture by itself dice are judged where flat ones lean less (sine): from aside a lean is hardly seen."""

_WELL_SEEN = 0.1
"""Standard deviation of a die's lean under which the pose net sees how it lies. Before drawn cameras 45 to 57 degrees
askew few dice are under it: 38 of 381 flat ones were called cocked without it, none with it, beside 28 and 25 of 78
leaning ones."""

_UNSURE = 0.4
"""Standard deviation of the lean of what may be no die."""


class CockedDice:
    """Tells the dice that do not lie flat; not to be shared between threads. `camera`: that of one tray, which is
    learnt from its dice."""

    def __init__(self, camera: FixedCamera | None = None) -> None:
        self.camera = camera
        self._poses = PoseEstimator()

    def among(
        self, picture: Picture, dice: Sequence[Candidate], firm: Sequence[bool], view: Overhead | None
    ) -> list[bool]:
        """Whether each of the dice leans. `firm`: those that are dice for certain; `view`: where the camera stands, if
        that is known. Before an unknown camera a lone die cannot be told from a flat one seen askew."""
        if not dice:
            return []
        height, width = picture.shape[:2]
        poses = self._poses.estimate(picture, dice)
        places = np.array([((one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2) for one in dice], float)
        sure = np.array(firm, bool)
        seen = SeenLeans(places, poses.leans, np.where(sure, poses.spreads, _UNSURE))
        if self.camera is not None:
            flat, spread = self.camera.flat_leans(seen, width, height, view)
            self.camera.add(seen.among(sure), width, height, view)
            return _from(self._poses.cocked(poses, flat, spread), COCKED)
        prior = ANY_CAMERA if view is None else CameraPrior.of(view, width, height)
        flat, spread = flat_leans_of_all(seen, prior, width, height)
        chances = self._poses.cocked(poses, flat, spread)
        if view is not None:
            return _from(chances, COCKED)
        judged = _shows_camera(seen.among(sure)) & (np.hypot(*flat.T) < _FROM_ABOVE)
        return _from(np.where(judged, chances, 0.0), COCKED_BY_ITSELF)


def _shows_camera(dice: SeenLeans) -> bool:
    """Whether at least half of the dice, two or more, show how they lie: a camera fitted to others may stand
    anywhere."""
    return len(dice) > 1 and float(np.quantile(dice.spreads, 0.5, method="lower")) < _WELL_SEEN


def _from(chances: npt.NDArray[np.float64], least: float) -> list[bool]:
    return [bool(chance >= least) for chance in chances]
