"""The tray's pictures out of the camera's, frame by frame: cut out, upright, in neutral light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.calibration.straight import Straight
from vision.cameras.protocol import Frame, Picture
from vision.pictures import shrunk
from vision.white_balance import balanced

Gains = tuple[float, float, float]

WATCHED = 400
"""Longest side in pixels of the copies that the settling watches: it looks at 320."""

_NEUTRAL = 0.04
"""Gains nearer to one than this change nothing that matters."""


class _Late(Frame):
    """A frame whose picture is only made when somebody looks at it: of thirty a second few are read."""

    __slots__ = ("_made",)

    _made: Callable[[], Picture] | Picture

    def __init__(self, make: Callable[[], Picture], raw: Frame, small: Picture | None) -> None:
        object.__setattr__(self, "_made", make)
        object.__setattr__(self, "small", small)
        for name in ("t", "sequence", "dimmed", "dimming"):
            object.__setattr__(self, name, getattr(raw, name))

    @property
    def picture(self) -> Picture:
        made = self._made
        if callable(made):
            made = made()
            object.__setattr__(self, "_made", made)
        return np.asarray(made, np.uint8)


def of_tray(raw: Frame, straight: Straight, gains: Gains | None) -> Frame:
    """The frame of the tray. Where more than a cut is needed, the whole picture is only made when it is looked at."""
    whole, given = raw.picture, raw.small
    if straight.box is not None:
        small = None if given is None else _cut(given, straight.box, given.shape[1] / whole.shape[1])
        if gains is None:
            return replace(raw, picture=straight.picture(whole), small=small)
        small = straight.picture(whole) if small is None else small
    else:
        watched, _ = shrunk(whole if given is None else given, 2 * WATCHED)
        share = watched.shape[1] / whole.shape[1]
        small = straight.scaled(share, min(1.0, WATCHED / max(straight.size))).picture(watched)
    return _Late(lambda: _made(whole, straight, gains), raw, small)


def _cut(small: Picture, box: tuple[int, int, int, int], share: float) -> Picture:
    """A part of the small copy, given in pixels of the whole picture."""
    left, top, wide, tall = (round(side * share) for side in box)
    return small[top : top + tall, left : left + wide]


def _made(whole: Picture, straight: Straight, gains: Gains | None) -> Picture:
    tray = straight.picture(whole)
    return tray if gains is None else balanced(tray, gains)


def worth(gains: Gains | None) -> Gains | None:
    """Gains that change something, None otherwise."""
    return None if gains is None or max(abs(gain - 1) for gain in gains) < _NEUTRAL else gains
