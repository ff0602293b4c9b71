"""What speaks for a die at a find, which finds stand for the same die, and which die lies before another."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt

from vision.find import Candidate
from vision.read import Look

_WITHIN = 0.75
"""Share of a candidate's box in that of a better one from which it is a part of that die."""

_BOX_OFF = 0.05
"""Share of a die's edge by which the finder's boxes are easily too wide."""


def evidence(one: Candidate, look: Look) -> float:
    """How much speaks for a die here: the mean (geometric) of the finder's score and the face nets' chance of a die."""
    return sqrt(max(one.score * look.die, 0.0))


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


def is_hidden(one: Candidate, real: Sequence[tuple[Candidate, Look]]) -> bool:
    """Whether another die lies before this one: their boxes share a good part of it."""
    area = (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])
    return any(other is not one and _shared(one, other) > 0.2 * area for other, _ in real)


def _shared(one: Candidate, other: Candidate) -> float:
    """Area that two boxes have in common."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    return max(0.0, right - left) * max(0.0, bottom - top)
