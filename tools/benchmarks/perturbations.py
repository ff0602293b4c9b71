"""Twelve mild augmentations of an image that keep its dice: variations of camera, file format and light."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import cv2
import numpy as np

from vision.pictures import Picture

Perturbation = Callable[[Picture, np.random.Generator], Picture]

SHIFT = 3
"""Shift to the right and down, in pixels."""

_TINT = 0.08
"""Relative change of red and blue in warmer or colder light."""

_BLUR, _NOISE = 0.8, 4.0
"""Standard deviations of the blur in pixels and of the noise in grey levels (0..255)."""


def _encoded(picture: Picture, _rng: np.random.Generator, quality: int) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _halved(picture: Picture, _rng: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _turned(picture: Picture, _rng: np.random.Generator, quarters: int) -> Picture:
    return np.ascontiguousarray(np.rot90(picture, quarters))


def _scaled(picture: Picture, _rng: np.random.Generator, blue: float, green: float, red: float) -> Picture:
    return np.asarray(np.clip(picture * np.array([blue, green, red]) + 0.5, 0, 255), np.uint8)


def _blurred(picture: Picture, _rng: np.random.Generator) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _BLUR), np.uint8)


def _noisy(picture: Picture, rng: np.random.Generator) -> Picture:
    noise = rng.normal(0.5, _NOISE, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def _shifted(picture: Picture, _rng: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    edged = cv2.copyMakeBorder(picture, SHIFT, 0, SHIFT, 0, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(edged[:height, :width], np.uint8)


PERTURBATIONS: Final[Mapping[str, Perturbation]] = {
    "jpeg_92": partial(_encoded, quality=92),
    "jpeg_80": partial(_encoded, quality=80),
    "halved": _halved,
    "turned_90": partial(_turned, quarters=1),
    "turned_180": partial(_turned, quarters=2),
    "darker": partial(_scaled, blue=0.75, green=0.75, red=0.75),
    "brighter": partial(_scaled, blue=1.25, green=1.25, red=1.25),
    "warmer": partial(_scaled, blue=1 - _TINT, green=1.0, red=1 + _TINT),
    "colder": partial(_scaled, blue=1 + _TINT, green=1.0, red=1 - _TINT),
    "blurred": _blurred,
    "noisy": _noisy,
    "shifted": _shifted,
}

ROTATIONS: Final = frozenset({"turned_90", "turned_180"})
"""Augmentations for images from above only: no camera sees a table at an angle and upside down."""
