"""Looks at a picture with all nets: what may be a die, what it shows, and both again where they were unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.classification.face_nets import WORTH, FaceReader, Look
from vision.decision.thresholds import Thresholds, evidence
from vision.detection.finder import FAINT, Candidate, Finder, SecondLook, overlap
from vision.pictures import PADDING, Picture

_CLEAR = 0.85
"""A score of the finder from which another look would change nothing."""

_FIRM, _OBVIOUS = 0.6, 0.97
"""From this score of the finder on, a die whose face is as clear as this needs no other look of the finder either."""

_SEEN, _DENIED = 0.35, 0.5
"""From this score of the finder on, and under this chance of a die to the nets that read faces, these contradict each
other: the find may stand beside the die's top, as where the finder took two dice that touch for a larger one."""

_SEVERAL, _UNLIKE = 2, 0.22
"""How many dice must be firm for the others to be as large, and the logarithm of what one may be larger or smaller."""

_REACH = 3.5
"""Edges of a die about its middle that a turned picture of it holds: what the nets look at, and the corners."""

_EDGE = 64.0
"""Edge in pixels to which a larger die is brought in a turned picture: more than any net sees of it."""


class Detector:
    """The nets, made once; not to be shared between threads."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._found = (thresholds or Thresholds()).die
        self._finder = Finder()
        self._second = SecondLook()
        self._faces = FaceReader()

    def see(
        self, picture: Picture, faintest: float = FAINT, *, edge: float | None = None
    ) -> tuple[list[Candidate], list[Look]]:
        """What may be dice, from the score `faintest` on, and what each shows; `edge`: dice of about so many pixels are
        searched for at more sizes."""
        worth = WORTH * faintest / FAINT
        find = self._finder.find if edge is None else partial(self._finder.search, edge=edge)
        candidates = find(picture, faintest=faintest)
        looks = self._faces.look(picture, candidates, worth)
        unsure = [i for i, one in enumerate(candidates) if _unsure(one, looks[i], worth)]
        again = self._second.look(picture, [candidates[i] for i in unsure])
        moved = []
        for i, one in zip(unsure, again, strict=True):
            before, candidates[i] = candidates[i], one
            if (one.x, one.y, one.edge) != (before.x, before.y, before.edge):
                moved.append(i)
        for i, look in zip(moved, self._faces.look(picture, [candidates[i] for i in moved], worth), strict=True):
            looks[i] = look
        self._see_as_large(picture, candidates, looks, worth)
        return candidates, looks

    def _see_as_large(self, picture: Picture, candidates: list[Candidate], looks: list[Look], worth: float) -> None:
        """Looks again, as if a die as large as the others lay there, at what is much smaller or larger and no die.

        Dice of one throw are alike in size. The finder may see of a large die its mark alone. The box about that is not
        the die's, which is taken to be as those of the others are.
        """
        firm = [one for one, look in zip(candidates, looks, strict=True) if evidence(one, look) >= self._found]
        if len(firm) < _SEVERAL:
            return
        edge = float(np.median([one.edge for one in firm]))
        odd = [
            i
            for i, (one, look) in enumerate(zip(candidates, looks, strict=True))
            if evidence(one, look) < self._found and _is_unlike(one, edge, firm)
        ]
        reach = np.median([np.abs(np.array(one.box) - [one.x, one.y] * 2) / one.edge for one in firm], axis=0)
        again = [
            replace(one, box=_about(one, reach))
            for one in self._second.look(picture, [replace(candidates[i], edge=edge) for i in odd])
        ]
        for i, one, look in zip(odd, again, self._faces.look(picture, again, worth), strict=True):
            there = evidence(one, look) >= max(self._found, evidence(candidates[i], looks[i]))
            if there and not _overlaps(one, firm):
                candidates[i], looks[i] = one, look

    def see_upright(self, picture: Picture, one: Candidate, down: tuple[float, float]) -> tuple[Candidate, Look]:
        """The candidate and its look again, the picture turned so that `down` (of any length but 0) points downwards.

        The nets were taught that a face with another one above it is a side, as people hold cameras upright. Under a
        camera that looks down upon the middle of a table, dice at its lower rim show a side above their top.
        """
        shown, turn = _turned(picture, one, down)
        scale = float(np.hypot(*turn[:, 0]))
        x, y = turn @ np.array([one.x, one.y, 1.0])
        middle = replace(one, x=float(x), y=float(y), edge=one.edge * scale)
        seen = self._second.look(shown, [middle])[0]
        look = self._faces.look(shown, [seen])[0]
        back = turn[:, :2].T / scale**2
        x, y = back @ (np.array([seen.x, seen.y]) - turn[:, 2])
        lean = back @ np.array(look.lean) * scale
        moved = replace(seen, x=float(x), y=float(y), edge=seen.edge / scale)
        return moved, replace(look, lean=(float(lean[0]), float(lean[1])))


def _overlaps(one: Candidate, others: Sequence[Candidate]) -> bool:
    return any(overlap(one, other) for other in others)


def _is_unlike(one: Candidate, edge: float, firm: Sequence[Candidate]) -> bool:
    """Whether a find is much smaller or larger than dice of this edge, and none of the firm ones lies there."""
    return abs(float(np.log(one.edge / edge))) > _UNLIKE and not _overlaps(replace(one, edge=edge), firm)


def _about(one: Candidate, reach: npt.NDArray[np.float64]) -> tuple[float, float, float, float]:
    """The box of a die of which so many edges lie left of, above, right of and below the middle of its top."""
    left, above, right, below = (float(value) for value in reach * one.edge)
    return one.x - left, one.y - above, one.x + right, one.y + below


def _turned(picture: Picture, one: Candidate, down: tuple[float, float]) -> tuple[Picture, npt.NDArray[np.float64]]:
    """The surroundings of `one`, turned, and the matrix (2, 3) that takes a place of `picture` there."""
    scale = min(1.0, _EDGE / one.edge)
    reach = _REACH * one.edge
    height, width = picture.shape[:2]
    x0, y0 = int(np.clip(one.x - 1.5 * reach, 0, width - 1)), int(np.clip(one.y - 1.5 * reach, 0, height - 1))
    part = picture[y0 : int(max(y0 + 1, one.y + 1.5 * reach)), x0 : int(max(x0 + 1, one.x + 1.5 * reach))]
    wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA) if scale < 1 else part
    right, along = np.asarray(down) / max(float(np.hypot(*down)), 1e-9)
    turn = np.array([[along, -right], [right, along]])
    middle = (np.array([one.x, one.y]) - [x0, y0]) * scale
    half = float(np.ceil(reach * scale))
    matrix = np.column_stack([turn, np.array([half, half]) - turn @ middle])
    size = (int(2 * half), int(2 * half))
    shown = cv2.warpAffine(small, matrix, size, flags=cv2.INTER_LINEAR, borderValue=PADDING)
    whole = np.column_stack([turn * scale, matrix[:, 2] - turn @ np.array([x0, y0]) * scale])
    return np.asarray(shown, np.uint8), whole


def _unsure(one: Candidate, look: Look, worth: float) -> bool:
    """Whether another look of the finder may change what is decided."""
    if one.score >= _SEEN and look.die < _DENIED:
        return True
    if one.score >= _CLEAR or one.score * look.die <= worth:
        return False
    return one.score < _FIRM or float(look.classes.max()) < _OBVIOUS
