"""Hard rooms, for training only: lamps of two colours, burnt-out tops, defocus, a ground of the dice's own hue.

Rendered and real pictures show them and the drawn ones lacked them. What measures the reader does without them.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.labels import NOT_SAID, Label
from tools.training.paints import near
from vision.classification.classes import PLAIN
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour, Material

_COLD_AND_WARM = np.array([1.0, 0.15, -1.0], np.float32)
"""How blue, green and red part between two lamps."""
FAINTEST = 14.0
"""Steps of 255 between a mark and its ground below which nobody sees it."""


def two_lamps(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """A warm lamp on one side and a cold window on the other: the tint changes across the picture (BGR)."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x / width - 0.5) * np.float32(np.cos(angle)) + (y / height - 0.5) * np.float32(np.sin(angle))
    part = np.tanh(along * np.float32(rng.uniform(1.5, 6)))[..., None] * np.float32(rng.uniform(0.05, 0.22))
    return np.asarray(canvas * np.exp(part * _COLD_AND_WARM), np.float32)


def burnt_out(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """An exposure for the dark surroundings: what is light loses its colour and its edge."""
    bright = float(np.percentile(canvas.max(2)[::7, ::7], 60))
    gain = float(np.clip(rng.uniform(0.6, 1.1) / max(bright, 0.15), 1.1, 2.2))
    out = canvas * np.float32(gain)
    over = np.maximum(out - 0.85, 0).max(2, keepdims=True)
    return np.asarray(np.minimum(out + 0.7 * over, 1.1), np.float32)


def with_marks_that_show(labels: list[Label], picture: npt.NDArray[np.uint8]) -> list[Label]:
    """The same labels, but a face whose mark the light has taken away says nothing: it looks like a blank one."""
    return [
        label if label.face == PLAIN or _shows_a_mark(label, picture) else replace(label, face=NOT_SAID, ink=NOT_SAID)
        for label in labels
    ]


def _shows_a_mark(label: Label, picture: npt.NDArray[np.uint8]) -> bool:
    """Whether anything but noise differs inside the top face; what lies outside of the picture is taken to."""
    reach = round(0.36 * label.edge)
    left, top = round(label.x) - reach, round(label.y) - reach
    inside = picture[max(0, top) : top + 2 * reach + 1, max(0, left) : left + 2 * reach + 1]
    if reach < 2 or min(inside.shape[:2]) < reach:
        return True
    smooth = cv2.GaussianBlur(inside, (0, 0), max(0.6, label.edge / 30))
    light, dark = np.percentile(smooth.reshape(-1, 3), (97, 3), axis=0)
    return bool((light - dark).max() >= FAINTEST)


def out_of_focus(canvas: FloatImage, edge: float, rng: np.random.Generator) -> FloatImage:
    """Blurred by a round opening, by no more than leaves pips of dice of `edge` pixels to be told apart."""
    radius = float(rng.uniform(0.02, 0.065)) * edge
    if radius < 0.6:
        return canvas
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(canvas, -1, disc / float(disc.sum())), np.float32)


def mirroring(material: Material, rng: np.random.Generator) -> Material:
    """A die in whose whole top, or most of it, a wide lamp or a bright ceiling is mirrored."""
    wide, tall = rng.uniform(0.3, 1.5, 2)
    return replace(
        material,
        window=float(rng.uniform(0.12, 0.6)),
        window_size=(float(wide), float(tall)),
        window_at=(float(rng.normal(0, 0.3)), float(rng.normal(0, 0.3))),
        convex=float(rng.uniform(0.0, 0.5)),
    )


def matched_ground(canvas: FloatImage, body: Colour, rng: np.random.Generator) -> None:
    """Gives the ground (in place) the colour of the dice that will lie on it, or one near it."""
    wanted = np.asarray(near(body, rng, 0.04), np.float32) * np.float32(rng.uniform(0.7, 1.2))
    mean = canvas.reshape(-1, 3).mean(0) + np.float32(0.02)
    canvas *= np.clip(wanted / mean, 0.1, 8.0)
