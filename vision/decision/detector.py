"""Detection pipeline: runs all networks on an image, and runs them again where they are unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.classification.face_nets import MIN_PROMISE, Classification, FaceClassifier
from vision.decision.thresholds import Thresholds, evidence
from vision.detection.finder import FAINT, Candidate, CandidateRescorer, Finder, is_duplicate
from vision.pictures import PADDING, Picture

_CLEAR = 0.85
"""Finder score above which a second look would change nothing."""

_FIRM, _OBVIOUS = 0.6, 0.97
"""From this finder score on, a die whose face is this clear needs no second look by the finder."""

_SEEN, _DENIED = 0.35, 0.5
"""Contradiction between the networks: a finder score above the first with a die probability below the second.

The find may be off the die's top, for example where the finder merged two touching dice into one larger die.
"""

_SEVERAL, _UNLIKE = 2, 0.22
"""Minimum number of firm dice for a size comparison, and the allowed difference in log size."""

_REACH = 3.5
"""Distance around a die's centre, in die edges, that a rotated crop includes: the networks' input with its corners."""

_EDGE = 64.0
"""Maximum edge in pixels of a die in a rotated crop. More than any network uses."""


class Detector:
    """The networks, loaded once. Not thread-safe."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._min_evidence = (thresholds or Thresholds()).min_evidence
        self._finder = Finder()
        self._rescorer = CandidateRescorer()
        self._classifier = FaceClassifier()

    def detect(
        self, picture: Picture, faintest: float = FAINT, *, edge: float | None = None
    ) -> tuple[list[Candidate], list[Classification]]:
        """Find candidates with a score of at least `faintest` and classify each.

        `edge`: search at more sizes for dice of about this many pixels.
        """
        worth = MIN_PROMISE * faintest / FAINT
        find = self._finder.find if edge is None else partial(self._finder.search, edge=edge)
        candidates = find(picture, faintest=faintest)
        classifications = self._classifier.classify(picture, candidates, worth)
        unsure = [i for i, one in enumerate(candidates) if _is_unsure(one, classifications[i], worth)]
        again = self._rescorer.rescore(picture, [candidates[i] for i in unsure])
        moved = []
        for i, one in zip(unsure, again, strict=True):
            before, candidates[i] = candidates[i], one
            if (one.x, one.y, one.edge) != (before.x, before.y, before.edge):
                moved.append(i)
        for i, classification in zip(
            moved, self._classifier.classify(picture, [candidates[i] for i in moved], worth), strict=True
        ):
            classifications[i] = classification
        self._retry_at_common_size(picture, candidates, classifications, worth)
        return candidates, classifications

    def _retry_at_common_size(
        self, picture: Picture, candidates: list[Candidate], classifications: list[Classification], worth: float
    ) -> None:
        """Look again at finds of unusual size that are not dice, assuming the size of the other dice.

        Dice of one throw have similar sizes. The finder may detect only the mark of a large die, with a bounding box
        that is not the die's. The new box has the proportions of the other dice.
        """
        firm = [
            one
            for one, classification in zip(candidates, classifications, strict=True)
            if evidence(one, classification) >= self._min_evidence
        ]
        if len(firm) < _SEVERAL:
            return
        edge = float(np.median([one.edge for one in firm]))
        odd = [
            i
            for i, (one, classification) in enumerate(zip(candidates, classifications, strict=True))
            if evidence(one, classification) < self._min_evidence and _is_unlike(one, edge, firm)
        ]
        reach = np.median([np.abs(np.array(one.box) - [one.x, one.y] * 2) / one.edge for one in firm], axis=0)
        again = [
            replace(one, box=_box_around(one, reach))
            for one in self._rescorer.rescore(picture, [replace(candidates[i], edge=edge) for i in odd])
        ]
        for i, one, classification in zip(odd, again, self._classifier.classify(picture, again, worth), strict=True):
            there = evidence(one, classification) >= max(
                self._min_evidence, evidence(candidates[i], classifications[i])
            )
            if there and not _overlaps(one, firm):
                candidates[i], classifications[i] = one, classification

    def classify_upright(
        self, picture: Picture, one: Candidate, down: tuple[float, float]
    ) -> tuple[Candidate, Classification]:
        """Look again at a candidate in an image rotated so that `down` (any length except 0) points down.

        The networks learnt that a face below another face is a side, because people hold cameras upright. A camera that
        looks down on the middle of a table sees dice at its lower edge with a side above their top.
        """
        rotated, transform = _rotated_surroundings(picture, one, down)
        scale = float(np.hypot(*transform[:, 0]))
        x, y = transform @ np.array([one.x, one.y, 1.0])
        middle = replace(one, x=float(x), y=float(y), edge=one.edge * scale)
        seen = self._rescorer.rescore(rotated, [middle])[0]
        classification = self._classifier.classify(rotated, [seen])[0]
        back = transform[:, :2].T / scale**2
        x, y = back @ (np.array([seen.x, seen.y]) - transform[:, 2])
        lean = back @ np.array(classification.lean) * scale
        moved = replace(seen, x=float(x), y=float(y), edge=seen.edge / scale)
        return moved, replace(classification, lean=(float(lean[0]), float(lean[1])))


def _overlaps(one: Candidate, others: Sequence[Candidate]) -> bool:
    return any(is_duplicate(one, other) for other in others)


def _is_unlike(one: Candidate, edge: float, firm: Sequence[Candidate]) -> bool:
    """Return True if a find is much smaller or larger than `edge` and no firm die is at its place."""
    return abs(float(np.log(one.edge / edge))) > _UNLIKE and not _overlaps(replace(one, edge=edge), firm)


def _box_around(one: Candidate, reach: npt.NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return a die's bounding box. `reach` is the distance from the top's centre to each side, in edges."""
    left, above, right, below = (float(value) for value in reach * one.edge)
    return one.x - left, one.y - above, one.x + right, one.y + below


def _rotated_surroundings(
    picture: Picture, one: Candidate, down: tuple[float, float]
) -> tuple[Picture, npt.NDArray[np.float64]]:
    """Return the rotated surroundings of `one`, and the matrix (2, 3) that maps `picture` coordinates into them."""
    scale = min(1.0, _EDGE / one.edge)
    reach = _REACH * one.edge
    height, width = picture.shape[:2]
    x0, y0 = int(np.clip(one.x - 1.5 * reach, 0, width - 1)), int(np.clip(one.y - 1.5 * reach, 0, height - 1))
    part = picture[y0 : int(max(y0 + 1, one.y + 1.5 * reach)), x0 : int(max(x0 + 1, one.x + 1.5 * reach))]
    wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA) if scale < 1 else part
    right, along = np.asarray(down) / max(float(np.hypot(*down)), 1e-9)
    rotation = np.array([[along, -right], [right, along]])
    middle = (np.array([one.x, one.y]) - [x0, y0]) * scale
    half = float(np.ceil(reach * scale))
    matrix = np.column_stack([rotation, np.array([half, half]) - rotation @ middle])
    size = (int(2 * half), int(2 * half))
    rotated = cv2.warpAffine(small, matrix, size, flags=cv2.INTER_LINEAR, borderValue=PADDING)
    whole = np.column_stack([rotation * scale, matrix[:, 2] - rotation @ np.array([x0, y0]) * scale])
    return np.asarray(rotated, np.uint8), whole


def _is_unsure(one: Candidate, classification: Classification, worth: float) -> bool:
    """Return True if a second look by the finder may change the decision."""
    if one.score >= _SEEN and classification.die_chance < _DENIED:
        return True
    if one.score >= _CLEAR or one.score * classification.die_chance <= worth:
        return False
    return one.score < _FIRM or float(classification.classes.max()) < _OBVIOUS
