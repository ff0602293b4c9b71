"""Tells a check of a cloth or a tile from a plain face of a die: the same again lies at even distances about it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.find import Candidate
from vision.pictures import Picture

Step = npt.NDArray[np.float64]
"""A way down and to the right, (2,) or several (n, 2), in edges of a die."""

_EDGE = 8.0
"""Edge in pixels to which the find is brought: a check is told by its place among others, not by its threads."""

_COARSE = 0.5
"""Of a pixel of the smaller picture so much lies between two that are looked at: all would take twice the time."""

_SPAN = 1.5
"""Edges of the find that are compared: some of what lies about it belongs to a pattern, and differs from die to die."""

_REACH = 6.0
"""Edges about the find within which it must come again."""

_ALIKE = 0.8
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
    half = (_REACH + _SPAN / 2) * one.edge
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
    places = np.argwhere((alike >= highest) & (alike >= _ALIKE)) - [rows.start, columns.start]
    steps = places / _EDGE
    steps = steps[np.hypot(steps[:, 0], steps[:, 1]) >= _APART]
    even = [step for step in steps if _holds(steps, -step) or _holds(steps, 2 * step)]
    return any(_cross(a, b) and (_holds(steps, a + b) or _holds(steps, a - b)) for a in even for b in even)


def _cross(a: Step, b: Step) -> bool:
    """Whether the two lead into directions of their own."""
    return bool(abs(a[0] * b[1] - a[1] * b[0]) > 0.5 * np.hypot(*a) * np.hypot(*b))


def _holds(steps: Step, wanted: Step) -> bool:
    """Whether one of `steps` (n, 2) is about as `wanted`."""
    return bool((np.hypot(*(steps - wanted).T) < _OFF * max(1.0, float(np.hypot(*wanted)) / 2)).any())
