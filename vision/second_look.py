"""Looks again at what the finder may have seen: each place by itself, at the sizes at which the finder sees best.

One score of the finder hangs on where the die lay in its grid and at which of few sizes it was met; the mean of several
tells dice from what is none much better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import onnxruntime as ort

from vision.find import Candidate, peaks
from vision.pictures import Picture

_PATCH = 128
"""Edge in pixels of what is looked at: a die and its surroundings; a multiple of the finder's coarsest grid."""

_VIEWS = ((28.0, 3.0, -2.0), (40.0, -2.0, 3.0))
"""Edge of the die in the patch, and by how much it is off the patch's middle, in pixels."""

_NEAR, _ALIKE = 0.3, 0.4
"""How far (edges; logarithm of the edge) an answer may be off to be about the same die."""

_FAINTEST = 0.05
_GREY = (114, 114, 114)


def looked_again(net: ort.InferenceSession, picture: Picture, seen: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, in order, each with the mean of its score and those of the further looks."""
    if not seen:
        return []
    patches = np.stack([_patch(picture, one, view) for one in seen for view in _VIEWS])
    answers = net.run(None, {"picture": patches})[0]
    scores = np.array(
        [_score(answer, view) for answer, view in zip(answers, _VIEWS * len(seen), strict=True)], np.float64
    ).reshape(len(seen), len(_VIEWS))
    means = (scores.sum(1) + [one.score for one in seen]) / (1 + len(_VIEWS))
    return [replace(one, score=float(mean)) for one, mean in zip(seen, means, strict=True)]


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


def _score(answer: np.ndarray, view: tuple[float, float, float]) -> float:
    """The best score that is given to a die of that size in that place, 0 if there is none."""
    edge, right, down = view
    best = 0.0
    for peak in peaks(answer, _FAINTEST):
        gap = np.hypot(peak.x - _PATCH / 2 - right, peak.y - _PATCH / 2 - down)
        if gap < _NEAR * edge and abs(np.log(peak.edge / edge)) < _ALIKE:
            best = max(best, peak.score)
    return best
