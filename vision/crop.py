"""Cuts out of a picture what a net sees of a candidate: its face and what lies about it, turned, scaled and shifted."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.find import Candidate
from vision.pictures import Picture

_GREY = (114, 114, 114)
_REACH = 1.7
"""Edges of a die that any look reaches from its middle: half the diagonal of a crop, and what it is shifted."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One look at a candidate: by which net, turned (radians), scaled and shifted (halves of the crop)."""

    net: str
    turn: float = 0.0
    zoom: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A candidate and what lies about it: its middle `x`, `y` in `picture`, and `scale` from there to a crop of `size`.

    A large die is shrunk by areas first, as the training pictures were, and once for all looks of a net at it.
    """

    picture: Picture
    x: float
    y: float
    scale: float
    size: int

    @classmethod
    def of(cls, picture: Picture, one: Candidate, size: int, span: float = 2.0) -> Surroundings:
        """`span`: edges of the die (up to 2) that a crop is wide."""
        scale = size / span / one.edge
        if scale >= 0.75:
            return cls(picture, one.x, one.y, scale, size)
        reach = _REACH * one.edge
        height, width = picture.shape[:2]
        x0, y0 = int(max(0, one.x - reach)), int(max(0, one.y - reach))
        part = picture[
            y0 : max(0, int(min(height, one.y + reach + 1))), x0 : max(0, int(min(width, one.x + reach + 1)))
        ]
        if not part.size:
            return cls(picture, one.x, one.y, scale, size)
        wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
        small = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
        return cls(small, (one.x - x0) * wide / part.shape[1], (one.y - y0) * tall / part.shape[0], 1.0, size)

    def crop(self, vote: Vote) -> Picture:
        """One look (size, size, 3); grey beyond the picture's rim."""
        half = self.size / 2
        c, s = np.cos(vote.turn) * self.scale * vote.zoom, np.sin(vote.turn) * self.scale * vote.zoom
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        matrix[:, 2] = half - matrix[:, :2] @ np.array([self.x, self.y]) + vote.shift * half
        size = (self.size, self.size)
        cut = cv2.warpAffine(self.picture, matrix, size, flags=cv2.INTER_LINEAR, borderValue=_GREY)
        return np.asarray(cut, np.uint8)
