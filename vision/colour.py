"""Names the body colour of a die from its pixels."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

_BODIES: dict[str, tuple[int, int, int]] = {
    "white": (232, 234, 235),
    "ivory": (188, 216, 232),
    "yellow": (40, 195, 232),
    "orange": (25, 115, 232),
    "red": (40, 35, 185),
    "pink": (165, 125, 228),
    "violet": (125, 40, 100),
    "blue": (170, 75, 30),
    "turquoise": (175, 170, 50),
    "green": (65, 130, 35),
    "brown": (38, 65, 108),
    "grey": (138, 136, 134),
    "black": (28, 26, 26),
}
"""Typical colours, blue green red, 0..255."""

NAMES = tuple(_BODIES)
"""The names of the body colours."""

_LAB = cv2.cvtColor(np.array([list(_BODIES.values())], np.uint8), cv2.COLOR_BGR2LAB)[0].astype(np.float32)


def body_colour(picture: Picture, x: float, y: float, edge: float) -> str | None:
    """The name of the commonest colour on the top face at (x, y), None outside the picture."""
    reach = 0.36 * edge
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = picture[top : max(0, int(y + reach) + 1), left : max(0, int(x + reach) + 1)]
    if part.size == 0:
        return None
    part = np.asarray(cv2.resize(part, (10, 10), interpolation=cv2.INTER_AREA), np.uint8)
    pixels = cv2.cvtColor(part, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    return nearest_body(_commonest(pixels))


def _commonest(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The middle of the densest part of the pixels: pips take less of a face than its body."""
    gaps = np.linalg.norm(pixels[:, None] - pixels[None], axis=2)
    middle = int((gaps < 28).sum(1).argmax())
    return np.asarray(np.median(pixels[gaps[middle] < 28], axis=0), np.float32)


def nearest_body(lab: npt.NDArray[np.float32]) -> str:
    """The name of the typical colour nearest to `lab` (OpenCV's 8-bit Lab); brightness counts less than hue."""
    gaps = np.linalg.norm((_LAB - lab) * np.array([0.5, 1.3, 1.3], np.float32), axis=1)
    return NAMES[int(gaps.argmin())]
