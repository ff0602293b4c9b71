"""Where a camera stands over a table, fitted to how the dice on it are seen: those of one picture, or of many rolls.

A die that lies flat leans, as it is seen, by where it lies and how the camera stands. A robust fit of the camera's tilt
and focal length (M-estimator with Student's t, iteratively reweighted least squares; Huber and Ronchetti, Robust
Statistics, 2nd ed., 7) is not drawn askew by a few dice that lie otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, degrees, radians, tan

import numpy as np
import numpy.typing as npt

from vision.detection.table_plane import Overhead

Rows = npt.NDArray[np.float64]

_FREEDOM = 3.0
"""Degrees of freedom of Student's t: how far off single dice, and cameras, may be."""

_WIDEST = 2.5
"""One over the shortest focal length."""

_NARROWEST = 0.15
"""The same of the longest: under it dice lie in a bowl, or tell nothing."""

_ROUNDS, _STARTS = 6, 3
"""Steps of the fit, and how many dice it is begun from."""

_STEP = 1e-4

_KEPT = 60
"""Dice of the last rolls that the fit is of."""

_SAME_PLACE, _ALIKE = 0.01, 0.1
"""A die this near (of the longer side) to one that is kept, and leaning alike, is the same, read again."""

_ANEW, _FLAT, _OTHERWISE = 4, 0.12, 0.2
"""So many dice of the last rolls that lie as flat ones would before another camera (differences of lean under the
second) but not before this one (over the third) tell that it was moved."""

_RECENT = 12
"""Dice of the last rolls at most that tell that a camera was moved."""

_ROLLS, _ELSEWHERE = 2, 3
"""Rolls that tell where a camera stands, and pictures in a row that are of another one."""

LEARNT_TILT_SD, LEARNT_FOCAL_SD = 2.0, 0.1
"""How sure a camera is that was measured or learnt: degrees, and share of the focal length."""

_LEAST_SPREAD, _MOST_SPREAD = 0.02, 0.6


@dataclass(frozen=True, slots=True)
class CameraPrior:
    """What is known of a camera before it has seen dice.

    `principal`: the point of the picture (shares of width and height) about which it is tilted. `tilt`: degrees to the
    right and down that it looks askew, `tilt_sd` their standard deviation. `focal` in longer sides of the picture,
    `focal_sd` its standard deviation as a share of it.
    """

    principal: tuple[float, float] = (0.5, 0.5)
    tilt: tuple[float, float] = (0.0, 0.0)
    tilt_sd: float = 9.0
    focal: float = 1.2
    focal_sd: float = 0.3

    @classmethod
    def of(cls, view: Overhead | None, width: int, height: int) -> CameraPrior:
        """That of a camera whose place is known, which is not quite exact; else that of any camera above a table."""
        if view is None:
            return cls()
        focal = view.focal * width / max(width, height)
        return cls(view.foot, (0.0, 0.0), LEARNT_TILT_SD, focal, LEARNT_FOCAL_SD)


@dataclass(frozen=True, slots=True, eq=False)
class CameraFit:
    """A camera: `values` are the tangents of its tilt to the right and down and one over its focal length (in longer
    sides of the picture; under nought where dice lean inwards, in a bowl), `covariance` (3, 3) how sure they are."""

    principal: tuple[float, float]
    values: Rows
    covariance: Rows

    def leans(self, places: Rows, width: int, height: int) -> tuple[Rows, Rows]:
        """How flat dice at pixels `places` (n, 2) are seen (n, 2), and the standard deviation of that (n,)."""
        off = _offsets(places, self.principal, width, height)
        flat, slope = _with_slopes(self.values[None], off)
        spread = np.einsum("nij,jk,nik->n", slope[0], self.covariance, slope[0]) / 2
        return flat[0], np.clip(np.sqrt(spread), _LEAST_SPREAD, _MOST_SPREAD)

    @property
    def tilt(self) -> tuple[float, float]:
        """Degrees to the right and down that it looks askew."""
        return degrees(atan(self.values[0])), degrees(atan(self.values[1]))

    @property
    def focal(self) -> float:
        """In longer sides of the picture."""
        return 1 / float(self.values[2])


@dataclass(frozen=True, slots=True, eq=False)
class SeenLeans:
    """Dice as they were seen: `places` (n, 2) in pixels of a picture, `leans` (n, 2), `spreads` (n,) of these."""

    places: Rows
    leans: Rows
    spreads: Rows

    def __len__(self) -> int:
        return len(self.places)

    def among(self, chosen: npt.NDArray[np.bool_] | slice) -> SeenLeans:
        """Some of them."""
        return SeenLeans(self.places[chosen], self.leans[chosen], self.spreads[chosen])

    def followed_by(self, others: SeenLeans) -> SeenLeans:
        """These and then the others."""
        pairs = ((self.places, others.places), (self.leans, others.leans), (self.spreads, others.spreads))
        return SeenLeans(*(np.concatenate(pair) for pair in pairs))


NONE_SEEN = SeenLeans(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


def fit_camera(
    dice: SeenLeans, prior: CameraPrior, width: int, height: int, without: npt.NDArray[np.intp] | None = None
) -> list[CameraFit]:
    """The likeliest camera for each of `without` (indices, -1 for none; one fit if None): of the dice but that one."""
    left_out = np.array([-1]) if without is None else without
    known = np.array([tan(radians(prior.tilt[0])), tan(radians(prior.tilt[1])), 1 / prior.focal])
    scale = np.array([tan(radians(prior.tilt_sd))] * 2 + [prior.focal_sd / prior.focal])
    off = _offsets(dice.places, prior.principal, width, height)
    starts = _starts(dice, off, known)
    counted = np.ones((len(left_out), len(dice)))
    for row, index in enumerate(left_out):
        if index >= 0:
            counted[row, index] = 0.0
    values = np.tile(starts, (len(left_out), 1))
    counted = np.repeat(counted, len(starts), axis=0)
    for _ in range(_ROUNDS):
        flat, slope = _with_slopes(values, off)
        miss = dice.leans - flat
        weight, _ = _robust((miss**2).sum(2) / dice.spreads**2, 2)
        weight = weight * counted / dice.spreads**2
        held = _prior_weights(values, known, scale)
        gradient = _weighed(slope, weight, miss[..., None]) - held @ (values - known)[..., None]
        values = values + np.clip(np.linalg.solve(_weighed(slope, weight, slope) + held, gradient)[..., 0], -0.3, 0.3)
        values[:, :2] = np.clip(values[:, :2], -6, 6)
        values[:, 2] = np.clip(values[:, 2], -_WIDEST, _WIDEST)
    flat, slope = _with_slopes(values, off)
    weight, cost = _robust(((dice.leans - flat) ** 2).sum(2) / dice.spreads**2, 2)
    held = _prior_weights(values, known, scale)
    normal = _weighed(slope, weight * counted / dice.spreads**2, slope) + held
    total = (cost * counted).sum(1) + _prior_cost(values, known, scale)
    best = total.reshape(len(left_out), len(starts)).argmin(1) + np.arange(len(left_out)) * len(starts)
    return [CameraFit(prior.principal, values[i], np.linalg.inv(normal[i])) for i in best]


def _weighed(slope: Rows, weight: Rows, values: Rows) -> Rows:
    """The sum of slopes (b, n, 2, 3) times weights (b, n) times values (b, n, 2, k): (b, 3, k)."""
    rows = slope.reshape(len(slope), -1, 3)
    times = (values * weight[..., None, None]).reshape(len(slope), -1, values.shape[-1])
    return np.asarray(np.swapaxes(rows, 1, 2) @ times)


def _starts(dice: SeenLeans, off: Rows, known: Rows) -> Rows:
    """Where the fit begins (k, 3): at what is known before, and where some of the dice lie flat."""
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
    """From the principal point, in longer sides of the picture."""
    return np.asarray((places - np.array(principal) * [width, height]) / max(width, height))


def _with_slopes(values: Rows, off: Rows) -> tuple[Rows, Rows]:
    """How flat dice are seen (b, n, 2) by cameras `values` (b, 3), and how that changes with each of these (b, n, 2,
    3)."""
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
    """Weight and cost of a squared error in standard deviations, by Student's t."""
    weight = (_FREEDOM + dimensions) / (_FREEDOM + squares)
    return weight, (_FREEDOM + dimensions) / 2 * np.log1p(squares / _FREEDOM)


def _prior_weights(values: Rows, known: Rows, scale: Rows) -> Rows:
    off = ((values - known) / scale) ** 2
    held = np.zeros((len(values), 3, 3))
    held[:, 0, 0] = held[:, 1, 1] = _robust(off[:, :2].sum(1), 2)[0] / scale[0] ** 2
    held[:, 2, 2] = _robust(off[:, 2], 1)[0] / scale[2] ** 2
    return held


def _prior_cost(values: Rows, known: Rows, scale: Rows) -> Rows:
    off = ((values - known) / scale) ** 2
    return np.asarray(_robust(off[:, :2].sum(1), 2)[1] + _robust(off[:, 2], 1)[1])


class FixedCamera:
    """Learns where a camera that does not move stands, from the dice of its table's rolls."""

    def __init__(self, known: CameraPrior | None = None) -> None:
        """`known`: as it was learnt before."""
        self._known = known
        self._seen = NONE_SEEN
        self._place: tuple[int, int, Overhead | None] | None = None
        self._elsewhere = 0
        self._rolls = 0

    def flat_leans(self, dice: SeenLeans, width: int, height: int, view: Overhead | None = None) -> tuple[Rows, Rows]:
        """How each of these dice would be seen (n, 2) if it lay flat, as all others tell, and how sure that is (n,)."""
        if self._place not in (None, (width, height, view)):
            return flat_leans_of_all(dice, CameraPrior.of(view, width, height), width, height)
        return flat_leans_of_all(dice, self._prior(width, height, view), width, height, self._seen)

    def add(self, dice: SeenLeans, width: int, height: int, view: Overhead | None = None) -> None:
        """Takes the dice of another roll into account; those that were read before are not counted twice.

        Pictures of another size, or with another `view`, are of another camera if they come several times over.
        """
        if not len(dice):
            return
        place = (width, height, view)
        self._elsewhere = 0 if self._place in (None, place) else self._elsewhere + 1
        if 0 < self._elsewhere < _ELSEWHERE:
            return
        if self._elsewhere:
            self._known, self._seen, self._rolls, self._elsewhere = None, NONE_SEEN, 0, 0
        self._place = place
        again = self._read_before(dice, _SAME_PLACE * max(width, height))
        self._rolls += not again.any()
        self._seen = self._seen.among(~again).followed_by(dice).among(slice(-_KEPT, None))
        recent = self._seen.among(slice(-max(_ANEW, min(_RECENT, len(dice) + _ANEW)), None))
        if self._was_moved(recent, width, height):
            self._seen, self._known, self._rolls = recent, None, 1

    def learnt(self) -> CameraPrior | None:
        """Where it stands, to begin with another time; None before two rolls told it."""
        if self._place is None or self._rolls < _ROLLS or len(self._seen) < _ANEW:
            return None
        fit = fit_camera(self._seen, self._prior(*self._place), *self._place[:2])[0]
        if fit.values[2] < _NARROWEST:
            return None
        return CameraPrior(fit.principal, fit.tilt, LEARNT_TILT_SD, fit.focal, LEARNT_FOCAL_SD)

    def _prior(self, width: int, height: int, view: Overhead | None) -> CameraPrior:
        return self._known or CameraPrior.of(view, width, height)

    def _read_before(self, dice: SeenLeans, near: float) -> npt.NDArray[np.bool_]:
        """Which of those that are kept are among `dice`."""
        apart = np.linalg.norm(self._seen.places[:, None] - dice.places[None], axis=2)
        unlike = np.linalg.norm(self._seen.leans[:, None] - dice.leans[None], axis=2)
        return np.asarray(((apart < near) & (unlike < _ALIKE)).any(1))

    def _was_moved(self, recent: SeenLeans, width: int, height: int) -> bool:
        """Whether the dice of the last rolls lie flat before another camera, and most of them not before this one."""
        if self._place is None or len(recent) < _ANEW or self._rolls < _ROLLS:
            return False
        prior = self._prior(*self._place)
        before = self._seen.among(slice(0, -len(recent)))
        flat, _ = fit_camera(before, prior, width, height)[0].leans(recent.places, width, height)
        off = np.hypot(*(recent.leans - flat).T) > _OTHERWISE
        if np.count_nonzero(off) < _ANEW or 2 * np.count_nonzero(off) <= len(recent):
            return False
        others = recent.among(off)
        anew = fit_camera(others, replace(prior, tilt_sd=9.0, focal_sd=0.3), width, height)[0]
        flat, _ = anew.leans(others.places, width, height)
        return int(np.count_nonzero(np.hypot(*(others.leans - flat).T) < _FLAT)) >= _ANEW


_ONE_BY_ONE = 8
"""Up to so many dice each is judged by the others alone; of more, none draws the camera askew."""


def flat_leans_of_all(
    dice: SeenLeans, prior: CameraPrior, width: int, height: int, before: SeenLeans = NONE_SEEN
) -> tuple[Rows, Rows]:
    """How each of the dice would be seen (n, 2) if it lay flat, and how sure that is (n,): as the other dice tell, and
    those seen `before`."""
    if not len(dice):
        return np.zeros((0, 2)), np.zeros(0)
    everything = dice.followed_by(before)
    if len(everything) > _ONE_BY_ONE:
        return fit_camera(everything, prior, width, height)[0].leans(dice.places, width, height)
    fits = fit_camera(everything, prior, width, height, np.arange(len(dice)))
    each = [fit.leans(dice.places[i : i + 1], width, height) for i, fit in enumerate(fits)]
    return np.concatenate([flat for flat, _ in each]), np.concatenate([spread for _, spread in each])
