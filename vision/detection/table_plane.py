"""Dice that lie on one table are seen askew by one camera: what leans unlike all others does not lie as they do.

A side taken for a top leans, to the nets that read faces, as none of the others does, however clear its face is. Where
the camera stands need not be known: the dice themselves tell it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.detection.finder import Candidate

Rows = npt.NDArray[np.float64]
Lean = tuple[float, float]
"""Sine of the tilt as a direction in the picture: towards the foot of the die."""

_FOCALS = (0.6, 0.8, 1.0, 1.3, 1.7, 2.5, 4.0)
"""Focal lengths tried, in longer sides of the picture: wide angle to a crop out of the middle."""

_BOWLS = (-4.0, -1.7, -1.0, -0.7)
"""The slope of a bowl leans its dice inwards where a lens leans them outwards, as a length under nought would."""

_FOR_A_BOWL = 5
"""So many dice tell a bowl: fewer would take one that strays for its slope, and are asked about in a steep one."""

SAME_LEAN = 0.25
"""Up to this difference of leans two dice lie alike: 97 of 100 lie within 0.2 of what the others tell."""

_WORST = 0.4
"""A greater difference counts no more than this, so that one stray die does not draw the table askew."""

OF_A_SIDE = 0.4
"""From this difference on what was found is a side of a die, or leans."""

_SIDELESS = 0.08
"""A die that leans less shows no side that could mislead."""

_TELLING = 3
"""So many dice tell how the table lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The table as the dice on it tell it: what is straight `down` (3,) before a camera of that `focal` length (in
    longer sides of the picture), on which `agreed` dice lie flat."""

    down: Rows
    focal: float
    agreed: int

    def leans(self, places: Rows, width: int, height: int) -> Rows:
        """How dice that lie flat at pixels `places` (n, 2) are seen (n, 2), as `Overhead` tells it."""
        return np.asarray(leans_along(self.down[None], _rays(places, width, height, self.focal))[0])


def fit_table(places: Rows, leans: Rows, width: int, height: int, *, least: int = 2) -> Table | None:
    """The table on which most of the dice, `least` or more, lie flat; None if there is none or under three dice.

    `places` (n, 2) in pixels; `leans` (n, 2) the sine of the tilt as a direction in the picture (see read.Look). Each
    die in turn gives the slope (RANSAC, Fischler and Bolles 1981, with every die tried and errors cut off as in MSAC,
    Torr and Zisserman 2000), for a few angles of view and a few bowls.
    """
    if len(places) < _TELLING:
        return None
    table = _best(places, leans, width, height)
    return table if table.agreed >= least and 2 * table.agreed > len(places) else None


def _best(places: Rows, leans: Rows, width: int, height: int) -> Table:
    """The table that all dice together lie flattest on, of those that one of them lies flat on. One that leans far
    counts no more than one that leans `_WORST`."""
    focals = _FOCALS + (_BOWLS if len(places) >= _FOR_A_BOWL else ())
    rays = np.stack([_rays(places, width, height, focal) for focal in focals])
    downs = _downs(rays, leans)
    apart = np.hypot(*np.moveaxis(leans_along(downs, rays) - leans, -1, 0))
    cost = np.minimum(apart, _WORST).sum(2)
    focal, die = np.unravel_index(int(cost.argmin()), cost.shape)
    return Table(downs[focal, die], focals[focal], int(np.count_nonzero(apart[focal, die] < SAME_LEAN)))


def is_upside_down(flat: Lean) -> bool:
    """Whether a die that lies flat with that lean shows a side beside or above its top in the picture."""
    reach = float(np.hypot(*flat))
    return reach > _SIDELESS and flat[1] < 0.5 * reach


def top_of_side(one: Candidate, lean: Lean, flat: Lean) -> Candidate:
    """Where the top face of a die is that lies flat, as `flat` says, if `one`, which leans by `lean`, is its side.

    From the middle of a side it is half an edge inwards and half an edge up.
    """
    right, down = np.subtract(lean, flat) * one.edge / 2
    return replace(one, x=one.x + float(right), y=one.y + float(down))


def _rays(places: Rows, width: int, height: int, focal: float) -> Rows:
    """Unit lines of sight (n, 3): x to the right, y down the picture, z away from the camera."""
    off = (places - np.array([width, height]) / 2) / (focal * max(width, height))
    rays = np.column_stack([off, np.ones(len(places))])
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _downs(rays: Rows, leans: Rows) -> Rows:
    """What is straight down (..., n, 3) by each die that lies flat with that lean (n, 2)."""
    sine = np.minimum(np.linalg.norm(leans, axis=1, keepdims=True), 0.99)
    flat = np.column_stack([leans, np.zeros(len(leans))])
    across = flat - np.sum(flat * rays, axis=-1, keepdims=True) * rays
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.sqrt(1 - sine**2) * rays + sine * across)


def leans_along(downs: Rows, rays: Rows) -> Rows:
    """The leans (..., k, n, 2) of dice that lie flat along each of `rays` (..., n, 3) if each of `downs` (..., k, 3) is
    straight down."""
    x, y, z = np.moveaxis(downs[..., :, None, :], -1, 0)
    right, below, ahead = np.moveaxis(rays[..., None, :, :], -1, 0)
    towards = np.stack([x * ahead - right * z, y * ahead - below * z])
    reach = np.hypot(*towards)
    sine = np.hypot(reach, x * below - y * right)
    return np.asarray(np.moveaxis(sine * towards / np.maximum(reach, 1e-9), 0, -1))


@dataclass(frozen=True, slots=True)
class Overhead:
    """A camera that looks straight down.

    `foot`: the point below the camera, as shares of the picture's width and height. `focal`: focal length in widths of
    the picture; the default is that of the simulated tray.
    """

    foot: tuple[float, float] = (0.5, 0.5)
    focal: float = 760 / 640

    def leans(self, places: npt.NDArray[np.float64], width: int, height: int) -> npt.NDArray[np.float64]:
        """How dice that lie flat at pixels `places` (n, 2) are seen (n, 2): sine of the tilt, in the direction of the
        foot."""
        off = np.array(self.foot) * [width, height] - places
        return np.asarray(off / np.sqrt((off**2).sum(1, keepdims=True) + (self.focal * width) ** 2))
