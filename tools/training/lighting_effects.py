"""Difficult light, for training only: lamps of two colours, overexposed tops, defocus, a ground in the dice's hue.

Rendered and real images have these effects, and the drawn ones lacked them. The benchmarks do not use them.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.labels import UNLABELLED, Label
from tools.training.paints import vary_colour
from vision.classification.classes import PLAIN
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour, Material

_COLD_AND_WARM = np.array([1.0, 0.15, -1.0], np.float32)
"""Relative change of blue, green and red between two lamps."""
MIN_MARK_CONTRAST = 14.0
"""Contrast between a mark and its ground, in steps of 255, below which it is invisible."""


def two_lamps(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Apply a warm lamp on one side and a cold window on the other: the tint changes across the image (BGR)."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x / width - 0.5) * np.float32(np.cos(angle)) + (y / height - 0.5) * np.float32(np.sin(angle))
    part = np.tanh(along * np.float32(rng.uniform(1.5, 6)))[..., None] * np.float32(rng.uniform(0.05, 0.22))
    return np.asarray(canvas * np.exp(part * _COLD_AND_WARM), np.float32)


def overexposed(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Expose for dark surroundings: light areas lose their colour and edges."""
    bright = float(np.percentile(canvas.max(2)[::7, ::7], 60))
    gain = float(np.clip(rng.uniform(0.6, 1.1) / max(bright, 0.15), 1.1, 2.2))
    out = canvas * np.float32(gain)
    over = np.maximum(out - 0.85, 0).max(2, keepdims=True)
    return np.asarray(np.minimum(out + 0.7 * over, 1.1), np.float32)


def ignore_washed_out_marks(labels: list[Label], picture: npt.NDArray[np.uint8]) -> list[Label]:
    """Return the labels, without the class of faces whose mark is invisible in this light: they look blank."""
    return [
        label
        if label.face == PLAIN or _shows_a_mark(label, picture)
        else replace(label, face=UNLABELLED, ink=UNLABELLED)
        for label in labels
    ]


def _shows_a_mark(label: Label, picture: npt.NDArray[np.uint8]) -> bool:
    """Return True if the top face has contrast beyond noise. Parts outside the image count as contrast."""
    reach = round(0.36 * label.edge)
    left, top = round(label.x) - reach, round(label.y) - reach
    inside = picture[max(0, top) : top + 2 * reach + 1, max(0, left) : left + 2 * reach + 1]
    if reach < 2 or min(inside.shape[:2]) < reach:
        return True
    smooth = cv2.GaussianBlur(inside, (0, 0), max(0.6, label.edge / 30))
    light, dark = np.percentile(smooth.reshape(-1, 3), (97, 3), axis=0)
    return bool((light - dark).max() >= MIN_MARK_CONTRAST)


def out_of_focus(canvas: FloatImage, edge: float, rng: np.random.Generator) -> FloatImage:
    """Blur with a round aperture, limited so that pips of dice of `edge` pixels stay separate."""
    radius = float(rng.uniform(0.02, 0.065)) * edge
    if radius < 0.6:
        return canvas
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(canvas, -1, disc / float(disc.sum())), np.float32)


def with_reflection(material: Material, rng: np.random.Generator) -> Material:
    """Return a material in which a wide lamp or bright ceiling is reflected by all or most of the top."""
    wide, tall = rng.uniform(0.3, 1.5, 2)
    return replace(
        material,
        window=float(rng.uniform(0.12, 0.6)),
        window_size=(float(wide), float(tall)),
        window_at=(float(rng.normal(0, 0.3)), float(rng.normal(0, 0.3))),
        convex=float(rng.uniform(0.0, 0.5)),
    )


def match_ground_to_dice(canvas: FloatImage, body: Colour, rng: np.random.Generator) -> None:
    """Paint the ground (in place) in the colour of the dice that will lie on it, or a similar one."""
    wanted = np.asarray(vary_colour(body, rng, 0.04), np.float32) * np.float32(rng.uniform(0.7, 1.2))
    mean = canvas.reshape(-1, 3).mean(0) + np.float32(0.02)
    canvas *= np.clip(wanted / mean, 0.1, 8.0)
