"""Lays drawn dice and their shadows on a ground, and turns the result into a camera's picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.faces import FloatImage


def _window(canvas: FloatImage, reach: float, x: float, y: float) -> tuple[int, int, int, int]:
    height, width = canvas.shape[:2]
    left, top = max(0, int(np.floor(x - reach))), max(0, int(np.floor(y - reach)))
    return left, top, min(width, int(np.ceil(x + reach)) + 1), min(height, int(np.ceil(y + reach)) + 1)


def _placed(picture: FloatImage, window: tuple[int, int, int, int], x: float, y: float, turn: float) -> FloatImage:
    """`picture` turned by `turn` radians about its middle, which comes to lie at (x, y) of the canvas."""
    left, top, right, bottom = window
    c, s = float(np.cos(turn)), float(np.sin(turn))
    half_h, half_w = (picture.shape[0] - 1) / 2, (picture.shape[1] - 1) / 2
    matrix = np.array([[c, -s, x - left - c * half_w + s * half_h], [s, c, y - top - s * half_w - c * half_h]])
    return np.asarray(cv2.warpAffine(picture, matrix, (right - left, bottom - top), flags=cv2.INTER_LINEAR), np.float32)


def darken(canvas: FloatImage, darkness: FloatImage, x: float, y: float, turn: float) -> None:
    """Takes light away from `canvas` in place; `turn` turns the shadow picture about its middle (radians,
    clockwise)."""
    window = _window(canvas, darkness.shape[0] * 0.71, x, y)
    left, top, right, bottom = window
    if right <= left or bottom <= top:
        return
    canvas[top:bottom, left:right] *= (1 - _placed(darkness, window, x, y, turn))[..., None]


def lay(canvas: FloatImage, exposures: Sequence[tuple[FloatImage, float, float]], turn: float) -> FloatImage:
    """Lays the mean of premultiplied BGRA pictures at their places (x, y) on `canvas` in place; gives their coverage.

    The coverage has the canvas's height and width: what share of each pixel the die takes.
    """
    covered = np.zeros(canvas.shape[:2], np.float32)
    total = np.zeros((*canvas.shape[:2], 4), np.float32) if len(exposures) > 1 else None
    for picture, x, y in exposures:
        window = _window(canvas, picture.shape[0] * 0.71, x, y)
        left, top, right, bottom = window
        if right <= left or bottom <= top:
            continue
        placed = _placed(picture, window, x, y, turn)
        if total is not None:
            total[top:bottom, left:right] += placed / len(exposures)
            continue
        alpha = placed[..., 3]
        view = canvas[top:bottom, left:right]
        view *= (1 - alpha)[..., None]
        view += placed[..., :3]
        covered[top:bottom, left:right] = alpha
    if total is not None:
        canvas *= (1 - total[..., 3])[..., None]
        canvas += total[..., :3]
        covered = total[..., 3]
    return covered


def finish(canvas: FloatImage, rng: np.random.Generator, noise: float) -> npt.NDArray[np.uint8]:
    """A sensor's picture of `canvas` (BGR 0..1): noise of spread `noise`, clipped to 8 bits."""
    grain = rng.standard_normal(canvas.shape, dtype=np.float32) * np.float32(noise)
    return np.clip((canvas + grain) * 255 + 0.5, 0, 255).astype(np.uint8)
