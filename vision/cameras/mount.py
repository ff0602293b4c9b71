"""Where the camera of the simulated tray stands: turned, tilted, too far away, knocked, out of focus.

A camera that turns about its own lens sees the same dice through another homography, exactly; that is all that is done
here, so what lies in the tray keeps its true perspective.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.protocol import Picture
from vision.drawing.ground import tray_rim, wood
from vision.drawing.tray import FOCAL, SIZE

Matrix = npt.NDArray[np.float64]
"""3 x 3, from pixels to pixels."""

Points = npt.NDArray[np.float64]
"""N x 2, pixels: the middle of the upper left pixel is (0, 0)."""

TABLE = (0.22, 0.30, 0.36)
"""What the tray stands on."""


@dataclass(frozen=True, slots=True)
class Mount:
    """How the camera hangs, beside straight above the middle with the tray filling the picture.

    `across` and `down` tilt it about the picture's axes, `turned` about its own, in radians; `zoom` below one shows
    more of the table; `shift` moves everything by pixels (a camera that was pushed aside).
    """

    across: float = 0.0
    down: float = 0.0
    turned: float = 0.0
    zoom: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    def matrix(self, size: tuple[int, int] = SIZE) -> Matrix:
        """From the tray seen straight from above to what this camera sees; `size` is (height, width)."""
        height, width = size
        lens = np.array([[FOCAL, 0, width / 2], [0, FOCAL, height / 2], [0, 0, 1.0]])
        turns = [np.asarray(cv2.Rodrigues(np.array(axis, float))[0]) for axis in self._axes()]
        scale = np.array([[self.zoom, 0, self.shift[0]], [0, self.zoom, self.shift[1]], [0, 0, 1.0]])
        centred = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1.0]])
        zoomed = centred @ scale @ np.linalg.inv(centred)
        return np.asarray(zoomed @ lens @ turns[2] @ turns[1] @ turns[0] @ np.linalg.inv(lens), np.float64)

    def corners(self, size: tuple[int, int] = SIZE) -> Points:
        """Where the four corners of the felt are seen: upper left, upper right, lower right, lower left."""
        height, width = size
        rim = tray_rim(height) - 0.5
        felt = np.array(
            [[rim, rim], [width - 1 - rim, rim], [width - 1 - rim, height - 1 - rim], [rim, height - 1 - rim]]
        )
        return seen_at(self.matrix(size), felt)

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture through this camera (`light.Disturbance`)."""
        if self == Mount():
            return picture
        height, width = picture.shape[:2]
        table = _table((height, width)).copy()
        seen = cv2.warpPerspective(
            picture,
            self.matrix((height, width)),
            (width, height),
            dst=table,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        return np.asarray(seen, np.uint8)

    def _axes(self) -> tuple[tuple[float, float, float], ...]:
        return ((self.down, 0.0, 0.0), (0.0, -self.across, 0.0), (0.0, 0.0, self.turned))


@dataclass(frozen=True, slots=True)
class Moved:
    """A camera that hangs as `before` until it is knocked at second `at`, and as `after` within `lasts` seconds."""

    before: Mount
    after: Mount
    at: float
    lasts: float = 0.2

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture as the camera hangs at second `t`."""
        return self.now(t).over(picture, t)

    def now(self, t: float) -> Mount:
        """How it hangs at second `t`."""
        share = min(1.0, max(0.0, (t - self.at) / self.lasts))
        if share in (0.0, 1.0):
            return self.after if share else self.before
        one, two = self.before, self.after
        return Mount(
            _between(one.across, two.across, share),
            _between(one.down, two.down, share),
            _between(one.turned, two.turned, share),
            _between(one.zoom, two.zoom, share),
            (_between(one.shift[0], two.shift[0], share), _between(one.shift[1], two.shift[1], share)),
        )


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens that may be turned: sharp at `best` dioptres, blurred by `blur` pixels for each dioptre beside it."""

    best: float = 4.2
    at: float = 4.2
    blur: float = 1.6
    nearest: float = 10.0

    def over(self, picture: Picture, t: float) -> Picture:
        """The picture through the lens as it is turned."""
        spread = abs(self.at - self.best) * self.blur
        if spread < 0.25:
            return picture
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread), np.uint8)


def seen_at(matrix: Matrix, points: Points) -> Points:
    """Points (N x 2) through a homography."""
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], matrix)[0], np.float64)


def _between(one: float, two: float, share: float) -> float:
    return one + (two - one) * share


@lru_cache(maxsize=4)
def _table(size: tuple[int, int]) -> Picture:
    """The table that the tray stands on; it is the same every time."""
    ground = wood(size, TABLE, np.random.default_rng(11))
    return np.asarray(np.clip(ground * 255, 0, 255), np.uint8)
