"""Camera buffers as colour pictures: the formats in which libcamera hands pictures out, rows padded or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.protocol import Picture

Planes = NDArray[np.uint8]
"""A buffer as picamera2 hands it out: rows x stride, or rows x width x 3."""


def as_bgr(planes: Planes, name: str, size: tuple[int, int]) -> Picture:
    """The picture (height x width x 3, BGR) of a buffer of the format `name`, of `size` (width, height).

    Raises ValueError for a format that is not known."""
    if name not in _FORMATS:
        raise ValueError(f"pictures of the format {name!r} cannot be read; known are {', '.join(sorted(_FORMATS))}")
    return np.ascontiguousarray(_FORMATS[name](planes, size))


def turned(picture: Picture, degrees: int) -> Picture:
    """The picture turned with the clock by 0, 90, 180 or 270 degrees. Raises KeyError for others."""
    turn = _TURNS[degrees]
    return picture if turn is None else np.asarray(cv2.rotate(picture, turn), np.uint8)


def _rgb888(planes: Planes, size: tuple[int, int]) -> Picture:
    """Blue, green, red in memory, whatever the name says; picamera2 has cut the padding off."""
    return planes[: size[1], : size[0], :3]


def _nv12(planes: Planes, size: tuple[int, int]) -> Picture:
    """A plane of light, then one of both colours in turns, of half the height: the same padding in both."""
    width, height = size
    packed = np.ascontiguousarray(planes[: height * 3 // 2, :width])
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_NV12), np.uint8)


def _yuv420(planes: Planes, size: tuple[int, int]) -> Picture:
    """Three planes, the colours' of half the width, height and padding."""
    width, height = size
    wide = planes.shape[1]
    light, colour = wide * height, (wide // 2) * (height // 2)
    flat = planes.reshape(-1)
    parts = [flat[:light].reshape(height, wide)[:, :width]]
    for start in (light, light + colour):
        parts.append(flat[start : start + colour].reshape(height // 2, wide // 2)[:, : width // 2])
    packed = np.concatenate([part.reshape(-1) for part in parts]).reshape(height * 3 // 2, width)
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), np.uint8)


_TURNS: Mapping[int, int | None] = {
    0: None,
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}

_FORMATS: Mapping[str, Callable[[Planes, tuple[int, int]], Picture]] = {
    "RGB888": _rgb888,
    "NV12": _nv12,
    "YUV420": _yuv420,
}
