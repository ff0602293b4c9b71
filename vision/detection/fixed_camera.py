"""Camera position over a table, fitted to the poses of the dice of one image or of many rolls.

The visible tilt of a flat die depends on its position and the camera. A robust fit of the camera's tilt and focal
length (M-estimator with Student's t, iteratively reweighted least squares; Huber and Ronchetti, Robust Statistics, 2nd
ed., 7) is not distorted by a few dice that lie otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, degrees, radians, tan

import numpy as np
import numpy.typing as npt

from vision.detection.table_plane import Overhead

Rows = npt.NDArray[np.float64]

_FREEDOM = 3.0
"""Degrees of freedom of Student's t, for outliers among dice and cameras."""

_WIDEST = 2.5
"""Inverse of the shortest focal length."""

_NARROWEST = 0.15
"""Inverse of the longest focal length. Below it the dice lie in a bowl, or carry no information."""

_ROUNDS, _STARTS = 6, 3
"""Iterations of the fit, and number of dice used as starting points."""

_STEP = 1e-4

_KEPT = 60
"""Number of recent dice in the fit."""

_SAME_PLACE, _ALIKE = 0.01, 0.1
"""Limits within which a die equals a stored one that is read again: distance (of the longer side), tilt difference."""

_ANEW, _FLAT, _OTHERWISE = 4, 0.12, 0.2
"""Detection of a moved camera: number of recent dice that are flat for another camera but not for this one.

They are flat if their tilt differs by less than the second value, not flat above the third.
"""

_RECENT = 12
"""Maximum number of recent dice for detecting a moved camera."""

_ROLLS, _ELSEWHERE = 2, 3
"""Rolls needed to know the camera, and consecutive images of another camera needed to replace it."""

LEARNT_TILT_SD, LEARNT_FOCAL_SD = 2.0, 0.1
"""Standard deviations of a measured or learnt camera: degrees, and share of the focal length."""

_LEAST_SPREAD, _MOST_SPREAD = 0.02, 0.6


@dataclass(frozen=True, slots=True)
class CameraPrior:
    """Knowledge about a camera before it sees dice.

    - `principal`: the principal point, as shares of width and height.
    - `tilt`: tilt in degrees to the right and down; `tilt_sd` its standard deviation.
    - `focal`: focal length in longer sides of the image; `focal_sd` its standard deviation as a share.
    """

    principal: tuple[float, float] = (0.5, 0.5)
    tilt: tuple[float, float] = (0.0, 0.0)
    tilt_sd: float = 9.0
    focal: float = 1.2
    focal_sd: float = 0.3

    @classmethod
    def of(cls, view: Overhead | None, width: int, height: int) -> CameraPrior:
        """Return the prior of a camera with a known, not quite exact position, or of any camera above a table."""
        if view is None:
            return cls()
        focal = view.focal * width / max(width, height)
        return cls(view.foot, (0.0, 0.0), LEARNT_TILT_SD, focal, LEARNT_FOCAL_SD)


@dataclass(frozen=True, slots=True, eq=False)
class CameraFit:
    """A fitted camera.

    - `values`: tangents of its tilt to the right and down, and its inverse focal length (in longer sides of the image;
      negative where dice tilt inwards, in a bowl).
    - `covariance`: (3, 3) of the values.
    """

    principal: tuple[float, float]
    values: Rows
    covariance: Rows

    def leans(self, places: Rows, width: int, height: int) -> tuple[Rows, Rows]:
        """Return the expected tilts (n, 2) of flat dice at pixels `places` (n, 2), and their standard deviations."""
        off = _offsets(places, self.principal, width, height)
        flat, slope = _with_slopes(self.values[None], off)
        spread = np.einsum("nij,jk,nik->n", slope[0], self.covariance, slope[0]) / 2
        return flat[0], np.clip(np.sqrt(spread), _LEAST_SPREAD, _MOST_SPREAD)

    @property
    def tilt(self) -> tuple[float, float]:
        """Tilt of the camera in degrees to the right and down."""
        return degrees(atan(self.values[0])), degrees(atan(self.values[1]))

    @property
    def focal(self) -> float:
        """Focal length in longer sides of the image."""
        return 1 / float(self.values[2])


@dataclass(frozen=True, slots=True, eq=False)
class SeenLeans:
    """Observed dice: `places` (n, 2) in pixels, tilts `leans` (n, 2), and their standard deviations `spreads` (n,)."""

    places: Rows
    leans: Rows
    spreads: Rows

    def __len__(self) -> int:
        return len(self.places)

    def select(self, chosen: npt.NDArray[np.bool_] | slice) -> SeenLeans:
        """Return a selection."""
        return SeenLeans(self.places[chosen], self.leans[chosen], self.spreads[chosen])

    def concat(self, others: SeenLeans) -> SeenLeans:
        """Return these dice followed by the others."""
        pairs = ((self.places, others.places), (self.leans, others.leans), (self.spreads, others.spreads))
        return SeenLeans(*(np.concatenate(pair) for pair in pairs))


NONE_SEEN = SeenLeans(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


def fit_camera(
    dice: SeenLeans, prior: CameraPrior, width: int, height: int, without: npt.NDArray[np.intp] | None = None
) -> list[CameraFit]:
    """Fit the most likely camera.

    Returns one fit per index in `without`, leaving that die out (-1: none). If `without` is None, returns one fit.
    """
    left_out = np.array([-1]) if without is None else without
    known = np.array([tan(radians(prior.tilt[0])), tan(radians(prior.tilt[1])), 1 / prior.focal])
    scale = np.array([tan(radians(prior.tilt_sd))] * 2 + [prior.focal_sd / prior.focal])
    off = _offsets(dice.places, prior.principal, width, height)
    starts = _starts(dice, off, known)
    used = np.ones((len(left_out), len(dice)))
    for row, index in enumerate(left_out):
        if index >= 0:
            used[row, index] = 0.0
    values = np.tile(starts, (len(left_out), 1))
    used = np.repeat(used, len(starts), axis=0)
    for _ in range(_ROUNDS):
        flat, slope = _with_slopes(values, off)
        miss = dice.leans - flat
        weight, _ = _robust((miss**2).sum(2) / dice.spreads**2, 2)
        weight = weight * used / dice.spreads**2
        prior_precision = _prior_weights(values, known, scale)
        gradient = _weighed(slope, weight, miss[..., None]) - prior_precision @ (values - known)[..., None]
        values = values + np.clip(
            np.linalg.solve(_weighed(slope, weight, slope) + prior_precision, gradient)[..., 0], -0.3, 0.3
        )
        values[:, :2] = np.clip(values[:, :2], -6, 6)
        values[:, 2] = np.clip(values[:, 2], -_WIDEST, _WIDEST)
    flat, slope = _with_slopes(values, off)
    weight, cost = _robust(((dice.leans - flat) ** 2).sum(2) / dice.spreads**2, 2)
    prior_precision = _prior_weights(values, known, scale)
    normal = _weighed(slope, weight * used / dice.spreads**2, slope) + prior_precision
    total = (cost * used).sum(1) + _prior_cost(values, known, scale)
    best = total.reshape(len(left_out), len(starts)).argmin(1) + np.arange(len(left_out)) * len(starts)
    return [CameraFit(prior.principal, values[i], np.linalg.inv(normal[i])) for i in best]


def _weighed(slope: Rows, weight: Rows, values: Rows) -> Rows:
    """Return the sum of slopes (b, n, 2, 3) times weights (b, n) times values (b, n, 2, k): (b, 3, k)."""
    rows = slope.reshape(len(slope), -1, 3)
    times = (values * weight[..., None, None]).reshape(len(slope), -1, values.shape[-1])
    return np.asarray(np.swapaxes(rows, 1, 2) @ times)


def _starts(dice: SeenLeans, off: Rows, known: Rows) -> Rows:
    """Return the starting points of the fit (k, 3): the prior, and the cameras for which some of the dice are flat."""
    starts = [known]
    order = np.argsort(dice.spreads)[:_STARTS]
    for i in order:
        ray = np.array([*(off[i] * known[2]), 1.0])
        ray /= np.linalg.norm(ray)
        lean = dice.leans[i]
        sine = min(float(np.hypot(*lean)), 0.98)
        across = np.array([*lean, 0.0]) - (lean @ ray[:2]) * ray
        down = np.sqrt(1 - sine**2) * ray + sine * across / max(float(np.linalg.norm(across)), 1e-9)
        if down[2] > 0.15:
            starts.append(np.array([down[0] / down[2], down[1] / down[2], known[2]]))
    return np.array(starts)


def _offsets(places: Rows, principal: tuple[float, float], width: int, height: int) -> Rows:
    """Return offsets from the principal point, in longer sides of the image."""
    return np.asarray((places - np.array(principal) * [width, height]) / max(width, height))


def _with_slopes(values: Rows, off: Rows) -> tuple[Rows, Rows]:
    """Return the tilts of flat dice (b, n, 2) for cameras `values` (b, 3), and their derivatives (b, n, 2, 3)."""
    steps = np.vstack([np.zeros(3), np.eye(3) * _STEP])
    right, down, wide = np.moveaxis(values[None] + steps[:, None], 2, 0)[..., None]
    x, y = off[:, 0] * wide, off[:, 1] * wide
    aside, below = right - x, down - y
    twist = right * y - down * x
    apart = aside * aside + below * below
    sine = np.sqrt((apart + twist * twist) / ((1 + x * x + y * y) * (1 + right * right + down * down)))
    leans = np.stack([aside, below], -1) * (sine / np.sqrt(np.maximum(apart, 1e-12)))[..., None]
    return leans[0], np.moveaxis((leans[1:] - leans[0]) / _STEP, 0, -1)


def _robust(squares: Rows, dimensions: int) -> tuple[Rows, Rows]:
    """Return weight and cost of a squared error in standard deviations, by Student's t."""
    weight = (_FREEDOM + dimensions) / (_FREEDOM + squares)
    return weight, (_FREEDOM + dimensions) / 2 * np.log1p(squares / _FREEDOM)


def _prior_weights(values: Rows, known: Rows, scale: Rows) -> Rows:
    off = ((values - known) / scale) ** 2
    precision = np.zeros((len(values), 3, 3))
    precision[:, 0, 0] = precision[:, 1, 1] = _robust(off[:, :2].sum(1), 2)[0] / scale[0] ** 2
    precision[:, 2, 2] = _robust(off[:, 2], 1)[0] / scale[2] ** 2
    return precision


def _prior_cost(values: Rows, known: Rows, scale: Rows) -> Rows:
    off = ((values - known) / scale) ** 2
    return np.asarray(_robust(off[:, :2].sum(1), 2)[1] + _robust(off[:, 2], 1)[1])


class FixedCamera:
    """Learns the position of a fixed camera from the dice of its table's rolls."""

    def __init__(self, known: CameraPrior | None = None) -> None:
        """Create a camera. `known`: the result of an earlier `learned_prior`."""
        self._known = known
        self._seen = NONE_SEEN
        self._viewpoint: tuple[int, int, Overhead | None] | None = None
        self._foreign_pictures = 0
        self._rolls = 0

    def flat_leans(self, dice: SeenLeans, width: int, height: int, view: Overhead | None = None) -> tuple[Rows, Rows]:
        """Return the expected tilts (n, 2) of these dice if flat, given all others, and their standard deviations."""
        if self._viewpoint not in (None, (width, height, view)):
            return expected_flat_leans(dice, CameraPrior.of(view, width, height), width, height)
        return expected_flat_leans(dice, self._prior(width, height, view), width, height, self._seen)

    def add(self, dice: SeenLeans, width: int, height: int, view: Overhead | None = None) -> None:
        """Add the dice of another roll. Dice that were read before are not counted twice.

        Images of another size or with another `view` are of another camera if several arrive in a row.
        """
        if not len(dice):
            return
        place = (width, height, view)
        self._foreign_pictures = 0 if self._viewpoint in (None, place) else self._foreign_pictures + 1
        if 0 < self._foreign_pictures < _ELSEWHERE:
            return
        if self._foreign_pictures:
            self._known, self._seen, self._rolls, self._foreign_pictures = None, NONE_SEEN, 0, 0
        self._viewpoint = place
        again = self._read_before(dice, _SAME_PLACE * max(width, height))
        self._rolls += not again.any()
        self._seen = self._seen.select(~again).concat(dice).select(slice(-_KEPT, None))
        recent = self._seen.select(slice(-max(_ANEW, min(_RECENT, len(dice) + _ANEW)), None))
        if self._was_moved(recent, width, height):
            self._seen, self._known, self._rolls = recent, None, 1

    def learned_prior(self) -> CameraPrior | None:
        """Return the learnt camera as a prior for the next start; None before two rolls."""
        if self._viewpoint is None or self._rolls < _ROLLS or len(self._seen) < _ANEW:
            return None
        fit = fit_camera(self._seen, self._prior(*self._viewpoint), *self._viewpoint[:2])[0]
        if fit.values[2] < _NARROWEST:
            return None
        return CameraPrior(fit.principal, fit.tilt, LEARNT_TILT_SD, fit.focal, LEARNT_FOCAL_SD)

    def _prior(self, width: int, height: int, view: Overhead | None) -> CameraPrior:
        return self._known or CameraPrior.of(view, width, height)

    def _read_before(self, dice: SeenLeans, near: float) -> npt.NDArray[np.bool_]:
        """Return which of the stored dice are among `dice`."""
        apart = np.linalg.norm(self._seen.places[:, None] - dice.places[None], axis=2)
        unlike = np.linalg.norm(self._seen.leans[:, None] - dice.leans[None], axis=2)
        return np.asarray(((apart < near) & (unlike < _ALIKE)).any(1))

    def _was_moved(self, recent: SeenLeans, width: int, height: int) -> bool:
        """Return True if most recent dice are flat for another camera but not for this one."""
        if self._viewpoint is None or len(recent) < _ANEW or self._rolls < _ROLLS:
            return False
        prior = self._prior(*self._viewpoint)
        before = self._seen.select(slice(0, -len(recent)))
        flat, _ = fit_camera(before, prior, width, height)[0].leans(recent.places, width, height)
        off = np.hypot(*(recent.leans - flat).T) > _OTHERWISE
        if np.count_nonzero(off) < _ANEW or 2 * np.count_nonzero(off) <= len(recent):
            return False
        others = recent.select(off)
        anew = fit_camera(others, replace(prior, tilt_sd=9.0, focal_sd=0.3), width, height)[0]
        flat, _ = anew.leans(others.places, width, height)
        return int(np.count_nonzero(np.hypot(*(others.leans - flat).T) < _FLAT)) >= _ANEW


_ONE_BY_ONE = 8
"""Up to this many dice, each is judged by the others only. Among more, a single die cannot distort the fit."""


def expected_flat_leans(
    dice: SeenLeans, prior: CameraPrior, width: int, height: int, before: SeenLeans = NONE_SEEN
) -> tuple[Rows, Rows]:
    """Return the expected tilts (n, 2) of the dice if flat, and their standard deviations (n,).

    Uses the other dice and those seen `before`.
    """
    if not len(dice):
        return np.zeros((0, 2)), np.zeros(0)
    everything = dice.concat(before)
    if len(everything) > _ONE_BY_ONE:
        return fit_camera(everything, prior, width, height)[0].leans(dice.places, width, height)
    fits = fit_camera(everything, prior, width, height, np.arange(len(dice)))
    each = [fit.leans(dice.places[i : i + 1], width, height) for i, fit in enumerate(fits)]
    return np.concatenate([flat for flat, _ in each]), np.concatenate([spread for _, spread in each])
