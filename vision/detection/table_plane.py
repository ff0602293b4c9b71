"""Table plane: all flat dice on one table have consistent tilts in one camera, so an inconsistent one is not flat.

A side that was detected as a top has a tilt, by the face networks, that fits none of the others, however clear its face
is. The camera position need not be known: it follows from the dice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.detection.finder import Candidate

Rows = npt.NDArray[np.float64]
Lean = tuple[float, float]
"""Sine of the tilt, as a direction in the image: towards the foot of the die."""

_FOCALS = (0.6, 0.8, 1.0, 1.3, 1.7, 2.5, 4.0)
"""Focal lengths to try, in longer sides of the image: from wide angle to a crop of the centre."""

_BOWLS = (-4.0, -1.7, -1.0, -0.7)
"""Negative focal lengths for a bowl, whose slope tilts its dice inwards where a lens tilts them outwards."""

_FOR_A_BOWL = 5
"""Minimum number of dice for a bowl. Fewer could mistake an outlier for its slope.

In a steep bowl, fewer dice become questions.
"""

SAME_LEAN = 0.25
"""Maximum tilt difference of dice on one plane. 97 of 100 are within 0.2 of the prediction from the others."""

_WORST = 0.4
"""Maximum counted difference, so that one outlier does not distort the plane."""

SIDE_LEAN = 0.4
"""From this difference on, the find is a side of a die, or the die is cocked."""

_SIDELESS = 0.08
"""Below this tilt, a die shows no side that could be mistaken for its top."""

_TELLING = 3
"""Number of dice needed to fit the table."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """A table fitted to its dice.

    - `down`: (3,) the vertical direction in camera coordinates.
    - `focal`: focal length in longer sides of the image.
    - `agreed`: number of dice that are flat on it.
    """

    down: Rows
    focal: float
    agreed: int

    def leans(self, places: Rows, width: int, height: int) -> Rows:
        """Return the expected tilts (n, 2) of flat dice at pixels `places` (n, 2), as in `Overhead`."""
        return np.asarray(leans_along(self.down[None], _rays(places, width, height, self.focal))[0])


def fit_table(places: Rows, leans: Rows, width: int, height: int, *, least: int = 2) -> TablePlane | None:
    """Fit the table on which most of the dice, at least `least`, are flat; None if there is none.

    Needs three dice or more. `places` (n, 2) are in pixels, `leans` (n, 2) the sine of the tilt as a direction in the
    image (see read.Look). Each die in turn defines the slope (RANSAC, Fischler and Bolles 1981, with every die tried
    and errors limited as in MSAC, Torr and Zisserman 2000), for a few angles of view and a few bowls.
    """
    if len(places) < _TELLING:
        return None
    table = _best(places, leans, width, height)
    return table if table.agreed >= least and 2 * table.agreed > len(places) else None


def _best(places: Rows, leans: Rows, width: int, height: int) -> TablePlane:
    """Return the table with the smallest total error, among those defined by one die.

    The error of each die is limited to `_WORST`.
    """
    focals = _FOCALS + (_BOWLS if len(places) >= _FOR_A_BOWL else ())
    rays = np.stack([_rays(places, width, height, focal) for focal in focals])
    downs = _downs(rays, leans)
    apart = np.hypot(*np.moveaxis(leans_along(downs, rays) - leans, -1, 0))
    cost = np.minimum(apart, _WORST).sum(2)
    focal, die = np.unravel_index(int(cost.argmin()), cost.shape)
    return TablePlane(downs[focal, die], focals[focal], int(np.count_nonzero(apart[focal, die] < SAME_LEAN)))


def is_upside_down(flat: Lean) -> bool:
    """Return True if a flat die with that tilt shows a side beside or above its top in the image."""
    reach = float(np.hypot(*flat))
    return reach > _SIDELESS and flat[1] < 0.5 * reach


def top_of_side(one: Candidate, lean: Lean, flat: Lean) -> Candidate:
    """Return the top face of a flat die if `one` is its side with tilt `lean`. `flat` is the expected tilt.

    The top's centre is half an edge inwards and half an edge up from the side's centre.
    """
    right, down = np.subtract(lean, flat) * one.edge / 2
    return replace(one, x=one.x + float(right), y=one.y + float(down))


def _rays(places: Rows, width: int, height: int, focal: float) -> Rows:
    """Return unit lines of sight (n, 3): x to the right, y down in the image, z away from the camera."""
    off = (places - np.array([width, height]) / 2) / (focal * max(width, height))
    rays = np.column_stack([off, np.ones(len(places))])
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _downs(rays: Rows, leans: Rows) -> Rows:
    """Return the vertical direction (..., n, 3) given by each die if it is flat with that tilt (n, 2)."""
    sine = np.minimum(np.linalg.norm(leans, axis=1, keepdims=True), 0.99)
    flat = np.column_stack([leans, np.zeros(len(leans))])
    across = flat - np.sum(flat * rays, axis=-1, keepdims=True) * rays
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.sqrt(1 - sine**2) * rays + sine * across)


def leans_along(downs: Rows, rays: Rows) -> Rows:
    """Return the tilts (..., k, n, 2) of flat dice.

    `rays` (..., n, 3) are the lines of sight, `downs` (..., k, 3) the vertical directions.
    """
    x, y, z = np.moveaxis(downs[..., :, None, :], -1, 0)
    right, below, ahead = np.moveaxis(rays[..., None, :, :], -1, 0)
    towards = np.stack([x * ahead - right * z, y * ahead - below * z])
    reach = np.hypot(*towards)
    sine = np.hypot(reach, x * below - y * right)
    return np.asarray(np.moveaxis(sine * towards / np.maximum(reach, 1e-9), 0, -1))


@dataclass(frozen=True, slots=True)
class Overhead:
    """A camera that looks straight down.

    `foot` is the point below the camera, as shares of the image's width and height. `focal` is the focal length in
    image widths; the default is that of the simulated tray.
    """

    foot: tuple[float, float] = (0.5, 0.5)
    focal: float = 760 / 640

    def leans(self, places: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.float64]:
        """Return the expected tilts (n, 2) of flat dice at pixels `places` (n, 2).

        A tilt is the sine of the angle, in the direction of the foot.
        """
        off = np.array(self.foot) * [width, height] - places
        return np.asarray(off / np.sqrt((off**2).sum(1, keepdims=True) + (self.focal * width) ** 2))
