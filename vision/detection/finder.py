"""Finds what may be dice in a picture: one net at several sizes, a second one at each find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np
import numpy.typing as npt

from vision.models import open_net
from vision.pictures import PADDING, Picture, shrunk

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
    left, top, right, bottom of the whole die, `score` 0..1, `faces` chances of the classes 1..8 (`classes`)."""

    x: float
    y: float
    edge: float
    box: tuple[float, float, float, float]
    score: float
    faces: npt.NDArray[np.float32]

    def moved(self, right: float, down: float) -> Candidate:
        """The same, so many pixels further right and down."""
        x0, y0, x1, y1 = self.box
        box = (x0 + right, y0 + down, x1 + right, y1 + down)
        return replace(self, x=self.x + right, y=self.y + down, box=box)

    @property
    def rank(self) -> float:
        """Evidence for this candidate against others in the same place."""
        return self.score * float(self.faces.max())


class Finder:
    """The finder net over a pyramid of the picture."""

    def __init__(self) -> None:
        self._net = open_net("finder")

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
        sure = [c for c in kept if c.score > FAINT]
        large = np.median([c.edge for c in sure] or [0.0]) * factor >= _SMALL_EDGE
        least = _AMONG_LARGE if large else FAINT
        small = [c for c in sure if c.score > least and c.edge * factor < _SMALL_EDGE]
        if not small:
            return []
        edge = float(np.median([c.edge for c in small]))
        left, top, right, bottom = _around(small, 2.5 * edge, picture)
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
        padded = cv2.copyMakeBorder(picture, *pads, cv2.BORDER_CONSTANT, value=PADDING) if any(pads) else picture
        out = self._net.run(None, {"picture": np.ascontiguousarray(padded[None])})[0][0]
        return [_placed(one, factor, left, top) for one in peaks(out, faintest)]


def _around(found: Sequence[Candidate], reach: float, picture: Picture) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that holds the candidates and `reach` about them."""
    places = np.array([(c.x, c.y) for c in found])
    left, top = (max(0, int(least - reach)) for least in places.min(0))
    right, bottom = (
        min(most, int(place + reach) + 1) for place, most in zip(places.max(0), picture.shape[1::-1], strict=True)
    )
    return left, top, right, bottom


def reduced(picture: Picture, one: Candidate, reach: float, scale: float) -> tuple[Picture, float, float, float]:
    """What lies `reach` pixels about a candidate, made smaller by areas where it is to be shrunk by `scale`, as the
    training pictures were; its middle there, and the scale that is left to do."""
    if scale >= 0.75:
        return picture, one.x, one.y, scale
    height, width = picture.shape[:2]
    x0, y0 = int(max(0, one.x - reach)), int(max(0, one.y - reach))
    right, bottom = int(min(width, one.x + reach + 1)), int(min(height, one.y + reach + 1))
    part = picture[y0 : max(0, bottom), x0 : max(0, right)]
    if not part.size:
        return picture, one.x, one.y, scale
    wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    return small, (one.x - x0) * wide / part.shape[1], (one.y - y0) * tall / part.shape[0], 1.0


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


_PATCH = 128
"""Edge in pixels of what is looked at: a die and its surroundings; a multiple of the finder's coarsest grid."""

_VIEWS = ((28.0, 3.0, -2.0), (40.0, -2.0, 3.0), (34.0, 3.0, 3.0), (24.0, -3.0, 2.0))
"""Edge of the die in the patch, and by how much it is off the patch's middle, in pixels."""

_FIRST = 0.5
"""Weight of the first net's score in the mean with those of the views: each net's word counts as much."""

_NEAR, _ALIKE = 0.3, 0.4
"""How far (edges; logarithm of the edge) an answer may be off to be about the same die."""

_MOVED, _GROWN = 0.04, 0.06
"""How far the mean of the looks is off where it is worth to look once more, there."""

_FAINTEST, _TINY = 0.05, 1e-9


class SecondLook:
    """The net that looks again: a finder, trained otherwise than the first, which makes other mistakes.

    One score of the finder hangs on where the die lay in its grid and at which of few sizes it was met; the mean of
    several tells dice from what is none much better.
    """

    def __init__(self) -> None:
        self._net = open_net("second")

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
    scale = edge / one.edge
    picture, x, y, scale = reduced(picture, one, 0.6 * _PATCH / scale, scale)
    matrix = np.array([[scale, 0, _PATCH / 2 + right - scale * x], [0, scale, _PATCH / 2 + down - scale * y]])
    cut = cv2.warpAffine(picture, matrix, (_PATCH, _PATCH), flags=cv2.INTER_LINEAR, borderValue=PADDING)
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


Step = npt.NDArray[np.float64]
"""A way down and to the right, (2,) or several (n, 2), in edges of a die."""

_EDGE = 8.0
"""Edge in pixels to which the find is brought: a check is told by its place among others, not by its threads."""

_COARSE = 0.5
"""Of a pixel of the smaller picture so much lies between two that are looked at: all would take twice the time."""

_SPAN = 1.5
"""Edges of the find that are compared: some of what lies about it belongs to a pattern, and differs from die to die."""

_SEARCHED = 6.0
"""Edges about the find within which it must come again."""

_SAME = 0.8
"""Correlation (-1..1) from which a place shows the same. With these values 31 of 47 finds where no die lay, most
of them checks, are known, and one of 4,122 plain dice, in rendered pictures that measure nothing."""

_CONTRAST = 4.0
"""Standard deviation, of 255, under which nothing is seen that could come again."""

_APART, _OFF = 1.2, 0.25
"""Edges by which two of the same are apart at least, and by which an even distance may be missed."""


def is_pattern(picture: Picture, one: Candidate) -> bool:
    """Whether what is seen at `one` in a picture (height, width, 3; BGR) comes again on both sides of it, or twice in a
    row on one side, at the same distance, and so in two directions and where these lead together."""
    scale = _EDGE / one.edge
    half = (_SEARCHED + _SPAN / 2) * one.edge
    height, width = picture.shape[:2]
    left, top = int(max(0, one.x - half)), int(max(0, one.y - half))
    part = picture[top : int(min(height, one.y + half)) + 1, left : int(min(width, one.x + half)) + 1]
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    every = max(1, int(_COARSE / scale))
    small = cv2.resize(part[::every, ::every], size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    x, y = (one.x - left) * scale, (one.y - top) * scale
    reach = _SPAN * _EDGE / 2
    rows, columns = slice(round(y - reach), round(y + reach)), slice(round(x - reach), round(x + reach))
    if rows.start < 0 or columns.start < 0 or rows.stop > size[1] or columns.stop > size[0]:
        return False
    seen = small[rows, columns]
    if seen.std((0, 1)).max() < _CONTRAST:
        return False
    alike = cv2.matchTemplate(small, seen, cv2.TM_CCOEFF_NORMED)
    highest = cv2.dilate(alike, np.ones((round(_EDGE / 4) * 2 + 1,) * 2, np.uint8))
    places = np.argwhere((alike >= highest) & (alike >= _SAME)) - [rows.start, columns.start]
    steps = places / _EDGE
    steps = steps[np.hypot(steps[:, 0], steps[:, 1]) >= _APART]
    even = [step for step in steps if _holds(steps, -step) or _holds(steps, 2 * step)]
    return any(_is_across(a, b) and (_holds(steps, a + b) or _holds(steps, a - b)) for a in even for b in even)


def _is_across(a: Step, b: Step) -> bool:
    """Whether the two lead into directions of their own."""
    return bool(abs(a[0] * b[1] - a[1] * b[0]) > 0.5 * np.hypot(*a) * np.hypot(*b))


def _holds(steps: Step, wanted: Step) -> bool:
    """Whether one of `steps` (n, 2) is about as `wanted`."""
    return bool((np.hypot(*(steps - wanted).T) < _OFF * max(1.0, float(np.hypot(*wanted)) / 2)).any())


_WITHIN = 0.75
"""Share of a candidate's box in that of a better one from which it is a part of that die."""

_BOX_OFF = 0.05
"""Share of a die's edge by which the finder's boxes are easily too wide."""


def overlap(one: Candidate, better: Candidate) -> bool:
    """Whether `one` stands for the same die as `better`: near it, or (one of its sides, a pip) within it."""
    gap = hypot(one.x - better.x, one.y - better.y)
    small, large = min(one.edge, better.edge), max(one.edge, better.edge)
    if gap < (0.55 * large if large > 1.8 * small else 0.2 * (small + large)):
        return True
    return _shared(one, better) > _WITHIN * (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])


def is_cut(one: Candidate, width: int, height: int) -> bool:
    """Whether the find surely reaches beyond a picture of this size."""
    left, top, right, bottom = one.box
    return max(-left, -top, right - width, bottom - height) > _BOX_OFF * one.edge


def is_hidden(one: Candidate, dice: Iterable[Candidate]) -> bool:
    """Whether another die lies before this one: their boxes share a good part of it."""
    area = (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])
    return any(other is not one and _shared(one, other) > 0.2 * area for other in dice)


def _shared(one: Candidate, other: Candidate) -> float:
    """Area that two boxes have in common."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    return max(0.0, right - left) * max(0.0, bottom - top)
