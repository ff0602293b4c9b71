"""The tray's pictures out of the camera's, frame by frame: cut out, upright, in neutral light."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.calibration.straight import Straight
from vision.cameras.protocol import Frame, Picture
from vision.pictures import shrunk
from vision.white_balance import balanced

Gains = tuple[float, float, float]

SMALL = 640
"""Longest side in pixels up to which a camera's picture needs no small copy of its own."""

_NEUTRAL = 0.04
"""Gains nearer to one than this change nothing that matters."""


class _Late(Frame):
    """A frame whose picture is only made when somebody looks at it: of thirty a second few are read."""

    __slots__ = ("_made",)

    _made: Callable[[], Picture] | Picture

    def __init__(self, make: Callable[[], Picture], t: float, sequence: int, small: Picture | None) -> None:
        object.__setattr__(self, "_made", make)
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "sequence", sequence)
        object.__setattr__(self, "small", small)

    @property
    def picture(self) -> Picture:
        made = self._made
        if callable(made):
            made = made()
            object.__setattr__(self, "_made", made)
        return np.asarray(made, np.uint8)


def of_tray(raw: Frame, straight: Straight, gains: Gains | None) -> Frame:
    """The frame of the tray. Where more than a cut is needed, the whole picture is only made when it is looked at."""
    whole, small = raw.picture, raw.small
    if small is None and max(whole.shape[:2]) > SMALL:
        small, _ = shrunk(whole, SMALL)
    if small is not None:
        share = small.shape[1] / whole.shape[1]
        small = straight.scaled(share, min(1.0, SMALL / max(straight.size))).picture(small)
    if gains is None and straight.box is not None:
        return Frame(straight.picture(whole), raw.t, raw.sequence, small)
    if small is None:
        small = straight.picture(whole)
    return _Late(lambda: _made(whole, straight, gains), raw.t, raw.sequence, small)


def _made(whole: Picture, straight: Straight, gains: Gains | None) -> Picture:
    tray = straight.picture(whole)
    return tray if gains is None else balanced(tray, gains)


def worth(gains: Gains | None) -> Gains | None:
    """Gains that change something, None otherwise."""
    return None if gains is None or max(abs(gain - 1) for gain in gains) < _NEUTRAL else gains
