"""Looks again at what the finder may have seen: each place by itself, with another net, at sizes that it likes.

One score of the finder hangs on where the die lay in its grid and at which of few sizes it was met; the mean of several
tells dice from what is none much better, and a net that was trained otherwise makes other mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import onnxruntime as ort

from vision.find import Candidate, peaks
from vision.models import open_net
from vision.pictures import Picture

_PATCH = 128
"""Edge in pixels of what is looked at: a die and its surroundings; a multiple of the finder's coarsest grid."""

_VIEWS = ((28.0, 3.0, -2.0), (40.0, -2.0, 3.0), (34.0, 3.0, 3.0), (24.0, -3.0, 2.0))
"""Edge of the die in the patch, and by how much it is off the patch's middle, in pixels."""

_FIRST = 0.5
"""Weight of the first net's score in the mean with those of the views: each net's word counts as much."""

_MANY_VIEWS = (
    *_VIEWS,
    (22.0, -3.0, -3.0),
    (25.0, 0.0, 0.0),
    (32.0, -4.0, 4.0),
    (34.0, 4.0, 0.0),
    (48.0, 0.0, -4.0),
    (56.0, 2.0, 2.0),
)
"""Those of pips where the finder is firm about nothing in the picture."""

_NEAR, _ALIKE = 0.3, 0.4
"""How far (edges; logarithm of the edge) an answer may be off to be about the same die."""

_MOVED, _GROWN = 0.04, 0.06
"""How far the mean of the looks is off where it is worth to look once more, there."""

_FAINTEST, _TINY = 0.05, 1e-9
_GREY = (114, 114, 114)


class SecondLook:
    """The net that looks again: a finder, trained otherwise than the first."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("second", threads)

    def look(self, picture: Picture, seen: Sequence[Candidate]) -> list[Candidate]:
        """The candidates, in order, each with the mean (weighed) of its score and those of the further looks.

        Where these see it beside its place, or of another size, it is put there if it is seen there no worse: a die
        that shows two sides may have been taken for one large face at first. Its box, which is of the whole die, stays.
        """
        again = self._again(picture, seen)
        kept = [replace(one, score=moved.score) for one, moved in zip(seen, again, strict=True)]
        far = [i for i, moved in enumerate(again) if _is_elsewhere(moved, seen[i])]
        there = self._again(picture, [again[i] for i in far])
        for i, moved in zip(far, there, strict=True):
            if moved.score >= kept[i].score:
                kept[i] = replace(again[i], score=moved.score)
        return kept

    def _again(self, picture: Picture, seen: Sequence[Candidate]) -> list[Candidate]:
        """Each with its scores' mean (weighed), in the mean of the places where it is seen, weighed by the scores."""
        if not seen:
            return []
        patches = np.stack([_patch(picture, one, view) for one in seen for view in _VIEWS])
        answers = iter(self._net.run(None, {"picture": patches})[0])
        return [_mean(one, [_seen(next(answers), view) for view in _VIEWS]) for one in seen]


def steadiness(net: ort.InferenceSession, picture: Picture, one: Candidate) -> float:
    """The mean score (0..1) that a finder's net gives to a candidate at many sizes.

    Half a domino or a button is like a die at some of them, a die at all.
    """
    patches = np.stack([_patch(picture, one, view) for view in _MANY_VIEWS])
    answers = net.run(None, {"picture": patches})[0]
    return float(np.mean([_seen(answer, view)[0] for answer, view in zip(answers, _MANY_VIEWS, strict=True)]))


def _mean(one: Candidate, views: Sequence[tuple[float, float, float, float]]) -> Candidate:
    every = np.array([(one.score, 0.0, 0.0, 0.0), *views], np.float64)
    right, down, growth = every[:, 0] @ every[:, 1:] / max(float(every[:, 0].sum()), _TINY)
    x, y, edge = one.x + right * one.edge, one.y + down * one.edge, one.edge * np.exp(growth)
    score = _FIRST * one.score + (1 - _FIRST) * float(every[1:, 0].mean())
    return replace(one, score=score, x=float(x), y=float(y), edge=float(edge))


def _is_elsewhere(moved: Candidate, one: Candidate) -> bool:
    gap = float(np.hypot(moved.x - one.x, moved.y - one.y))
    return gap > _MOVED * one.edge or abs(float(np.log(moved.edge / one.edge))) > _GROWN


def _patch(picture: Picture, one: Candidate, view: tuple[float, float, float]) -> Picture:
    """The surroundings of a candidate, its die as large as the view wants it; a large one is shrunk by areas first."""
    edge, right, down = view
    scale, x, y = edge / one.edge, one.x, one.y
    if scale < 0.75:
        reach = 0.6 * _PATCH / scale
        height, width = picture.shape[:2]
        x0, y0 = int(max(0, x - reach)), int(max(0, y - reach))
        part = picture[y0 : max(0, int(min(height, y + reach + 1))), x0 : max(0, int(min(width, x + reach + 1)))]
        if part.size:
            wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
            picture = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
            x, y, scale = (x - x0) * wide / part.shape[1], (y - y0) * tall / part.shape[0], 1.0
    matrix = np.array([[scale, 0, _PATCH / 2 + right - scale * x], [0, scale, _PATCH / 2 + down - scale * y]])
    cut = cv2.warpAffine(picture, matrix, (_PATCH, _PATCH), flags=cv2.INTER_LINEAR, borderValue=_GREY)
    return np.asarray(cut, np.uint8)


def _seen(answer: np.ndarray, view: tuple[float, float, float]) -> tuple[float, float, float, float]:
    """The best score that is given to a die of about that size in about that place, 0 if there is none; by how many
    edges it is off to the right and down, and the logarithm of how much larger it is."""
    edge, right, down = view
    best = (0.0, 0.0, 0.0, 0.0)
    for peak in peaks(answer, _FAINTEST):
        x, y = (peak.x - _PATCH / 2 - right) / edge, (peak.y - _PATCH / 2 - down) / edge
        growth = float(np.log(peak.edge / edge))
        if np.hypot(x, y) < _NEAR and abs(growth) < _ALIKE:
            best = max(best, (peak.score, x, y, growth))
    return best
