"""Finds what may be dice in a picture: centres of top faces, with their size and a first guess at the face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
import numpy.typing as npt

from vision.models import open_net
from vision.pictures import Picture, shrunk

STRIDE = 8
_WHOLE = 16
"""The net's coarsest grid: a picture's sides are padded to multiples of it."""
_REFERENCE_EDGE = 24.0
_LEVELS = (640, 320, 160)
FAINT = 0.25
"""Score from which a place is a candidate."""

_SMALL_EDGE = 24.0
_AMONG_LARGE = 0.5
"""Score from which small dice beside large ones are looked at larger: what lies about a table is small too."""

_ZOOM_EDGE = 32.0
_ZOOM_PIXELS = 640 * 640

_TINY_EDGE, _TINY_SCORE = 16.0, 0.35
_ALL_OVER_EDGE, _ALL_OVER_PIXELS = 26.0, 1_600_000
"""Dice of fewer pixels in the smaller picture are hardly seen there: where one with such a score is, the whole picture
is looked at too, its dice of this edge if that does not make it larger than so many pixels. Others may lie anywhere."""

_BETWEEN = (453, 226)
_CLOSER = (26.0, 36.0)
_MOST_PIXELS = 3_000_000
"""What is looked at besides where a die is missing: levels between those of the pyramid, the whole picture with its
dice of these edges, and how many pixels that may have at most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a die, in pixels of the picture: `x`, `y` middle of the top face, `edge` length of an edge, `box`
    left, top, right, bottom of the whole die, `score` 0..1, `faces` chances of the classes 1..8 (see read.py)."""

    x: float
    y: float
    edge: float
    box: tuple[float, float, float, float]
    score: float
    faces: npt.NDArray[np.float32]

    @property
    def rank(self) -> float:
        """Evidence for this candidate against others in the same place."""
        return self.score * float(self.faces.max())


class Finder:
    """The finder net (`net`) over a pyramid of the picture."""

    def __init__(self, threads: int = 1) -> None:
        self.net = open_net("finder", threads)

    def find(self, picture: Picture, faintest: float = FAINT) -> list[Candidate]:
        """Every candidate with a score over `faintest`, best first."""
        base, factor = shrunk(picture, _LEVELS[0])
        kept = suppressed(self._levels(base, _LEVELS, factor, faintest))
        kept = suppressed(kept + self._zoomed(picture, kept, factor, faintest))
        tiny = [c.edge for c in kept if c.score > _TINY_SCORE and c.edge * factor < _TINY_EDGE]
        if not tiny:
            return kept
        scale = _ALL_OVER_EDGE / float(np.median(tiny))
        return suppressed(kept + self._whole(picture, scale, _ALL_OVER_PIXELS, factor * 1.2, faintest))

    def search(self, picture: Picture, edge: float, faintest: float = FAINT) -> list[Candidate]:
        """As `find`, at more sizes, for dice about as large as `edge` pixels: what a pattern of the ground hides at one
        size of the picture it seldom hides at another, and small dice all over a picture are hardly seen in a small
        one. Takes up to twenty times as long."""
        base, factor = shrunk(picture, _LEVELS[0])
        found = [*self.find(picture, faintest), *self._levels(base, _BETWEEN, factor, faintest)]
        for wanted in _CLOSER:
            found += self._whole(picture, wanted / edge, _MOST_PIXELS, factor * 1.05, faintest)
        return suppressed(found)

    def _levels(self, base: Picture, levels: Sequence[int], factor: float, faintest: float) -> list[Candidate]:
        """What is seen where the longest side of `base`, which is `factor` of the picture, is as long as each level."""
        found: list[Candidate] = []
        for longest in levels:
            if longest > max(base.shape[:2]) and longest != _LEVELS[0]:
                continue
            level, smaller = shrunk(base, longest)
            found += self._scan(level, factor * smaller, 0, 0, faintest)
        return found

    def _zoomed(self, picture: Picture, kept: list[Candidate], factor: float, faintest: float) -> list[Candidate]:
        """A second look, larger, at the part of the picture where the dice are small."""
        small = [c for c in kept if c.score > FAINT and c.edge * factor < _SMALL_EDGE]
        sure = [c for c in kept if c.score > FAINT]
        if np.median([c.edge for c in sure] or [0.0]) * factor >= _SMALL_EDGE:
            small = [c for c in small if c.score > _AMONG_LARGE]
        if not small:
            return []
        edge = float(np.median([c.edge for c in small]))
        reach = 2.5 * edge
        left = max(0, int(min(c.x for c in small) - reach))
        top = max(0, int(min(c.y for c in small) - reach))
        right = min(picture.shape[1], int(max(c.x for c in small) + reach) + 1)
        bottom = min(picture.shape[0], int(max(c.y for c in small) + reach) + 1)
        scale = min(_ZOOM_EDGE / edge, float(np.sqrt(_ZOOM_PIXELS / ((right - left) * (bottom - top)))))
        if scale < factor * 1.2:
            return []
        return self._scan(_scaled(picture[top:bottom, left:right], scale), scale, left, top, faintest)

    def _whole(self, picture: Picture, scale: float, most: int, least: float, faintest: float) -> list[Candidate]:
        """A look at the whole picture at `scale`, or at what leaves it `most` pixels; none unless that is over
        `least`."""
        scale = min(scale, float(np.sqrt(most / (picture.shape[0] * picture.shape[1]))))
        return self._scan(_scaled(picture, scale), scale, 0, 0, faintest) if scale > least else []

    def _scan(self, picture: Picture, factor: float, left: float, top: float, faintest: float) -> list[Candidate]:
        """Candidates of one level, in pixels of the full picture: level pixel / factor + (left, top)."""
        height, width = picture.shape[:2]
        pads = (0, -height % _WHOLE, 0, -width % _WHOLE)
        padded = (
            cv2.copyMakeBorder(picture, *pads, cv2.BORDER_CONSTANT, value=(114, 114, 114)) if any(pads) else picture
        )
        out = self.net.run(None, {"picture": np.ascontiguousarray(padded[None])})[0][0]
        return [_placed(one, factor, left, top) for one in peaks(out, faintest)]


def _scaled(picture: Picture, scale: float) -> Picture:
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (max(8, round(picture.shape[1] * scale)), max(8, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=kind), np.uint8)


def peaks(answer: npt.NDArray[np.float32], faintest: float = FAINT) -> list[Candidate]:
    """Where the net's answer (channels, lines, columns) sees dice with a score over `faintest`, in pixels of the
    picture that it was given."""
    heat = 1 / (1 + np.exp(-answer[0]))
    found = []
    for line, column in np.argwhere((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > faintest)):
        at = answer[:, line, column]
        edge = float(np.exp(np.clip(at[1], -1.5, 1.5)) * _REFERENCE_EDGE)
        x, y = float((column + 0.5 + at[2]) * STRIDE), float((line + 0.5 + at[3]) * STRIDE)
        before, above, after, below = (float(reach) for reach in np.maximum(at[4:8], 0.2) * edge)
        chances = np.exp(at[8:] - at[8:].max())
        faces = np.asarray(chances / chances.sum(), np.float32)
        box = (x - before, y - above, x + after, y + below)
        found.append(Candidate(x, y, edge, box, float(heat[line, column]), faces))
    return found


def _placed(one: Candidate, factor: float, left: float, top: float) -> Candidate:
    """A candidate in pixels of the whole picture: those of the level / factor + (left, top)."""
    box = tuple(value / factor + shift for value, shift in zip(one.box, (left, top, left, top), strict=True))
    x, y = one.x / factor + left, one.y / factor + top
    return Candidate(x, y, one.edge / factor, (box[0], box[1], box[2], box[3]), one.score, one.faces)


def suppressed(found: list[Candidate]) -> list[Candidate]:
    """Keeps the best of those that stand for the same die: near each other, or one die taken for a group or a pip."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: -c.rank):
        if not any(_same(one, other) for other in kept):
            kept.append(one)
    return kept


def _same(one: Candidate, other: Candidate) -> bool:
    gap = hypot(one.x - other.x, one.y - other.y)
    small, large = min(one.edge, other.edge), max(one.edge, other.edge)
    if large < 1.8 * small:
        return gap < 0.35 * (small + large) / 2
    return gap < 0.55 * large
