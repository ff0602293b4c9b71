"""The finder: detects possible dice with one network at several scales, and checks each find with a second one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np
import numpy.typing as npt

from vision.models import open_net
from vision.pictures import PADDING, Picture, downscaled

STRIDE = 8
_WHOLE = 16
"""The network's coarsest grid. Image sides are padded to multiples of it."""
_REFERENCE_EDGE = 24.0
_LEVELS = (640, 320, 160)
FAINT = 0.25
"""Minimum score of a candidate."""

_SMALL_EDGE = 24.0
_AMONG_LARGE = 0.5
"""Minimum score for enlarging small dice beside large ones, because other small objects lie on a table."""

_ZOOM_EDGE = 32.0
_ZOOM_PIXELS = 640 * 640

_TINY_EDGE, _TINY_SCORE = 16.0, 0.35
_ALL_OVER_EDGE, _ALL_OVER_PIXELS = 26.0, 1_600_000
"""Limits for scanning the whole image at a higher scale.

Dice smaller than the first edge are hardly visible in the small image. If one with this score exists, the whole image
is scanned too, scaled to the second edge but at most to this many pixels. Other dice may be anywhere.
"""

_BETWEEN = (453, 226)
_CLOSER = (26.0, 36.0)
_MOST_PIXELS = 3_000_000
"""Additional scales where a die is missing.

These are levels between the pyramid's, the edges to which the whole image is scaled, and its maximum number of pixels.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible die, in pixels of the image.

    - `x`, `y`: centre of the top face.
    - `edge`: length of an edge.
    - `box`: bounding box of the whole die: left, top, right, bottom.
    - `score`: 0..1.
    - `faces`: probabilities of the classes 1..8 (`classes`).
    """

    x: float
    y: float
    edge: float
    box: tuple[float, float, float, float]
    score: float
    faces: npt.NDArray[np.float32]

    def moved(self, right: float, down: float) -> Candidate:
        """Return the candidate shifted by this many pixels."""
        x0, y0, x1, y1 = self.box
        box = (x0 + right, y0 + down, x1 + right, y1 + down)
        return replace(self, x=self.x + right, y=self.y + down, box=box)

    @property
    def nms_score(self) -> float:
        """Sort key among candidates at the same place."""
        return self.score * float(self.faces.max())


class Finder:
    """The finder network, run on an image pyramid."""

    def __init__(self) -> None:
        self._net = open_net("finder")

    def find(self, picture: Picture, faintest: float = FAINT) -> list[Candidate]:
        """Return every candidate with a score above `faintest`, best first."""
        base, factor = downscaled(picture, _LEVELS[0])
        kept = non_max_suppression(self._levels(base, _LEVELS, factor, faintest))
        kept = non_max_suppression(kept + self._zoomed(picture, kept, factor, faintest))
        tiny = [c.edge for c in kept if c.score > _TINY_SCORE and c.edge * factor < _TINY_EDGE]
        if not tiny:
            return kept
        scale = _ALL_OVER_EDGE / float(np.median(tiny))
        return non_max_suppression(kept + self._whole(picture, scale, _ALL_OVER_PIXELS, factor * 1.2, faintest))

    def search(self, picture: Picture, edge: float, faintest: float = FAINT) -> list[Candidate]:
        """Like `find`, but at more scales, for dice of about `edge` pixels. Takes up to twenty times as long.

        A ground pattern that hides a die at one scale rarely hides it at another, and small dice all over an image are
        hardly visible in a small one.
        """
        base, factor = downscaled(picture, _LEVELS[0])
        found = [*self.find(picture, faintest), *self._levels(base, _BETWEEN, factor, faintest)]
        for wanted in _CLOSER:
            found += self._whole(picture, wanted / edge, _MOST_PIXELS, factor * 1.05, faintest)
        return non_max_suppression(found)

    def _levels(self, base: Picture, levels: Sequence[int], factor: float, faintest: float) -> list[Candidate]:
        """Scan `base`, which is scaled by `factor` from the image, at each level (longest side in pixels)."""
        found: list[Candidate] = []
        for longest in levels:
            if longest > max(base.shape[:2]) and longest != _LEVELS[0]:
                continue
            level, smaller = downscaled(base, longest)
            found += self._scan(level, factor * smaller, 0, 0, faintest)
        return found

    def _zoomed(self, picture: Picture, kept: list[Candidate], factor: float, faintest: float) -> list[Candidate]:
        """Scan the part of the image with small dice again, enlarged."""
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
        """Scan the whole image at `scale`, limited to `most` pixels.

        Returns nothing unless the scale exceeds `least`.
        """
        scale = min(scale, float(np.sqrt(most / (picture.shape[0] * picture.shape[1]))))
        return self._scan(_scaled(picture, scale), scale, 0, 0, faintest) if scale > least else []

    def _scan(self, picture: Picture, factor: float, left: float, top: float, faintest: float) -> list[Candidate]:
        """Return the candidates of one level in pixels of the full image: level pixel / factor + (left, top)."""
        height, width = picture.shape[:2]
        pads = (0, -height % _WHOLE, 0, -width % _WHOLE)
        padded = cv2.copyMakeBorder(picture, *pads, cv2.BORDER_CONSTANT, value=PADDING) if any(pads) else picture
        out = self._net.run(None, {"picture": np.ascontiguousarray(padded[None])})[0][0]
        return [_to_picture_pixels(one, factor, left, top) for one in decode_peaks(out, faintest)]


def _around(found: Sequence[Candidate], reach: float, picture: Picture) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of the image part with the candidates and a margin of `reach`."""
    places = np.array([(c.x, c.y) for c in found])
    left, top = (max(0, int(least - reach)) for least in places.min(0))
    right, bottom = (
        min(most, int(place + reach) + 1) for place, most in zip(places.max(0), picture.shape[1::-1], strict=True)
    )
    return left, top, right, bottom


def reduced(picture: Picture, one: Candidate, reach: float, scale: float) -> tuple[Picture, float, float, float]:
    """Crop `reach` pixels around a candidate, and shrink the crop by area averaging if `scale` is small.

    The training images were shrunk in the same way. Returns the crop, the candidate's centre in it, and the remaining
    scale.
    """
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


def decode_peaks(answer: npt.NDArray[np.float32], faintest: float = FAINT) -> list[Candidate]:
    """Return the score peaks above `faintest` in the network's output, in pixels of its input.

    `answer` is (channels, lines, columns).
    """
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


def _to_picture_pixels(one: Candidate, factor: float, left: float, top: float) -> Candidate:
    """Convert a candidate to pixels of the whole image: level pixel / factor + (left, top)."""
    box = tuple(value / factor + shift for value, shift in zip(one.box, (left, top, left, top), strict=True))
    x, y = one.x / factor + left, one.y / factor + top
    return Candidate(x, y, one.edge / factor, (box[0], box[1], box[2], box[3]), one.score, one.faces)


def non_max_suppression(found: list[Candidate]) -> list[Candidate]:
    """Keep the best of the candidates for the same die: close ones, or one of a group of dice or of a pip."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: -c.nms_score):
        if not any(_is_same_die(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_same_die(one: Candidate, other: Candidate) -> bool:
    gap = hypot(one.x - other.x, one.y - other.y)
    small, large = min(one.edge, other.edge), max(one.edge, other.edge)
    if large < 1.8 * small:
        return gap < 0.35 * (small + large) / 2
    return gap < 0.55 * large


_PATCH = 128
"""Edge in pixels of the input: a die and its surroundings. A multiple of the finder's coarsest grid."""

_VIEWS = ((28.0, 3.0, -2.0), (40.0, -2.0, 3.0), (34.0, 3.0, 3.0), (24.0, -3.0, 2.0))
"""Views: edge of the die in the patch, and its offset from the patch's centre, in pixels."""

_FIRST = 0.5
"""Weight of the first network's score in the mean with the views' scores. Both networks count equally."""

_NEAR, _ALIKE = 0.3, 0.4
"""Maximum offset (edges; log edge) of an answer for the same die."""

_MOVED, _GROWN = 0.04, 0.06
"""Offset of the mean above which the network looks once more, at the new place."""

_FAINTEST, _TINY = 0.05, 1e-9


class CandidateRescorer:
    """The second-look network: a finder with different training, which makes different mistakes.

    A single finder score depends on the die's position in the grid and on the few scales. The mean of several views
    separates dice from other objects much better.
    """

    def __init__(self) -> None:
        self._net = open_net("second")

    def rescore(self, picture: Picture, seen: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates in order, each with the weighted mean of its score and the new views' scores.

        A candidate that the views see at another place or size is moved there unless the score drops: a die that shows
        two sides may have been detected as one large face. Its box, which contains the whole die, is kept.
        """
        again = self._rescore_once(picture, seen)
        kept = [replace(one, score=moved.score) for one, moved in zip(seen, again, strict=True)]
        far = [i for i, moved in enumerate(again) if _is_elsewhere(moved, seen[i])]
        there = self._rescore_once(picture, [again[i] for i in far])
        for i, moved in zip(far, there, strict=True):
            if moved.score >= kept[i].score:
                kept[i] = replace(again[i], score=moved.score)
        return kept

    def _rescore_once(self, picture: Picture, seen: Sequence[Candidate]) -> list[Candidate]:
        """Return each candidate with its weighted mean score, at the score-weighted mean position of the views."""
        if not seen:
            return []
        patches = np.stack([_patch(picture, one, view) for one in seen for view in _VIEWS])
        answers = iter(self._net.run(None, {"picture": patches})[0])
        return [_weighted_mean(one, [_best_peak(next(answers), view) for view in _VIEWS]) for one in seen]


def _weighted_mean(one: Candidate, views: Sequence[tuple[float, float, float, float]]) -> Candidate:
    every = np.array([(one.score, 0.0, 0.0, 0.0), *views], np.float64)
    right, down, growth = every[:, 0] @ every[:, 1:] / max(float(every[:, 0].sum()), _TINY)
    x, y, edge = one.x + right * one.edge, one.y + down * one.edge, one.edge * np.exp(growth)
    score = _FIRST * one.score + (1 - _FIRST) * float(every[1:, 0].mean())
    return replace(one, score=score, x=float(x), y=float(y), edge=float(edge))


def _is_elsewhere(moved: Candidate, one: Candidate) -> bool:
    gap = float(np.hypot(moved.x - one.x, moved.y - one.y))
    return gap > _MOVED * one.edge or abs(float(np.log(moved.edge / one.edge))) > _GROWN


def _patch(picture: Picture, one: Candidate, view: tuple[float, float, float]) -> Picture:
    """Return the patch around a candidate, scaled for the view. A large die is first shrunk by area averaging."""
    edge, right, down = view
    scale = edge / one.edge
    picture, x, y, scale = reduced(picture, one, 0.6 * _PATCH / scale, scale)
    matrix = np.array([[scale, 0, _PATCH / 2 + right - scale * x], [0, scale, _PATCH / 2 + down - scale * y]])
    cut = cv2.warpAffine(picture, matrix, (_PATCH, _PATCH), flags=cv2.INTER_LINEAR, borderValue=PADDING)
    return np.asarray(cut, np.uint8)


def _best_peak(answer: np.ndarray, view: tuple[float, float, float]) -> tuple[float, float, float, float]:
    """Return the best score of a die near the expected place and size, 0 if none, and its offset.

    The offset is in edges right and down, and in log size.
    """
    edge, right, down = view
    best = (0.0, 0.0, 0.0, 0.0)
    for peak in decode_peaks(answer, _FAINTEST):
        x, y = (peak.x - _PATCH / 2 - right) / edge, (peak.y - _PATCH / 2 - down) / edge
        growth = float(np.log(peak.edge / edge))
        if np.hypot(x, y) < _NEAR and abs(growth) < _ALIKE:
            best = max(best, (peak.score, x, y, growth))
    return best


Step = npt.NDArray[np.float64]
"""Steps down and right, (2,) or (n, 2), in edges of a die."""

_EDGE = 8.0
"""Edge in pixels to which the find is scaled. Recognises a check by its neighbours, not by its threads."""

_COARSE = 0.5
"""Sampling step in pixels of the smaller image. Using all pixels would take twice the time."""

_SPAN = 1.5
"""Size in edges of the compared area. It includes some surroundings, which repeat in a pattern but not around dice."""

_SEARCHED = 6.0
"""Radius in edges within which the pattern must repeat."""

_SAME = 0.8
"""Minimum correlation (-1..1) of a repetition.

With these values 31 of 47 finds without a die, most of them checks, are recognised as patterns, and one of 4,122 plain
dice, in rendered images that are not used for measurement.
"""

_CONTRAST = 4.0
"""Standard deviation, of 255, below which there is no structure that could repeat."""

_APART, _OFF = 1.2, 0.25
"""Minimum distance in edges between two repetitions, and the tolerance for equal distances."""


def is_pattern(picture: Picture, one: Candidate) -> bool:
    """Return True if the image content at `one` (height, width, 3; BGR) is part of a regular pattern.

    It must repeat at equal distances, on both sides or twice on one side, in two directions and in their combination.
    """
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
    even = [step for step in steps if _contains(steps, -step) or _contains(steps, 2 * step)]
    return any(_is_across(a, b) and (_contains(steps, a + b) or _contains(steps, a - b)) for a in even for b in even)


def _is_across(a: Step, b: Step) -> bool:
    """Return True if the two steps have clearly different directions."""
    return bool(abs(a[0] * b[1] - a[1] * b[0]) > 0.5 * np.hypot(*a) * np.hypot(*b))


def _contains(steps: Step, wanted: Step) -> bool:
    """Return True if one of `steps` (n, 2) is close to `wanted`."""
    return bool((np.hypot(*(steps - wanted).T) < _OFF * max(1.0, float(np.hypot(*wanted)) / 2)).any())


_WITHIN = 0.75
"""Share of a candidate's box inside a better one above which it is part of that die."""

_BOX_OFF = 0.05
"""Typical error of the finder's boxes, as a share of a die's edge."""


def is_duplicate(one: Candidate, better: Candidate) -> bool:
    """Return True if `one` is the same die as `better`: close to it, or inside it (a side, a pip)."""
    gap = hypot(one.x - better.x, one.y - better.y)
    small, large = min(one.edge, better.edge), max(one.edge, better.edge)
    if gap < (0.55 * large if large > 1.8 * small else 0.2 * (small + large)):
        return True
    return _shared_area(one, better) > _WITHIN * (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])


def is_cut(one: Candidate, width: int, height: int) -> bool:
    """Return True if the find certainly extends beyond an image of this size."""
    left, top, right, bottom = one.box
    return max(-left, -top, right - width, bottom - height) > _BOX_OFF * one.edge


def is_hidden(one: Candidate, dice: Iterable[Candidate]) -> bool:
    """Return True if another die occludes this one: their boxes overlap considerably."""
    area = (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])
    return any(other is not one and _shared_area(one, other) > 0.2 * area for other in dice)


def _shared_area(one: Candidate, other: Candidate) -> float:
    """Return the area shared by two boxes."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    return max(0.0, right - left) * max(0.0, bottom - top)
