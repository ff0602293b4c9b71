"""Patterns of a second colour in the bodies of random dice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Pattern, waves


def _bent(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return a smooth function of position with curled level lines, about -1..1."""
    total = place @ (rng.normal(0, 4.0, (3, 3)) * scale).astype(np.float32)
    for _ in range(2):
        mixing = rng.normal(0, 0.9, (3, 3)).astype(np.float32)
        total = total + np.sin(total @ mixing + rng.uniform(0, 6.28, 3).astype(np.float32)) * np.float32(1.3)
    return np.asarray(np.sin(total).mean(2), np.float32)


def _swirl(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return bands with soft edges, as in mother-of-pearl."""
    return np.asarray(0.5 + 0.5 * np.sin(_bent(place, rng, scale) * np.float32(7.0)), np.float32)


def _veins(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return thin lines."""
    return np.asarray(np.clip(1 - np.abs(_bent(place, rng, scale)) * np.float32(9.0), 0, 1), np.float32)


def _speckles(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return round specks, at most one in each cell of a grid with nine cells an edge."""
    many = 11
    table = rng.random((many**3, 5)).astype(np.float32)
    at = (place + np.float32(0.5)) * np.float32(9.0 * scale)
    cell = np.floor(at).astype(np.int32)
    index = np.mod(cell, many) @ np.array([1, many, many * many], np.int32)
    drawn = table[index]
    distance = np.linalg.norm(at - cell - (0.35 + 0.3 * drawn[..., :3]), axis=2)
    radius = 0.1 + 0.25 * drawn[..., 3]
    return np.asarray(np.clip((radius - distance) * 8, 0, 1) * (drawn[..., 4] < 0.55), np.float32)


def _grain(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return the rings of a log around an axis beside the die, with fine fibres along it."""
    rotation, _ = np.linalg.qr(rng.normal(0, 1, (3, 3)))
    x, y, z = np.moveaxis(place @ rotation.astype(np.float32), 2, 0)
    wobble = 0.04 * np.sin(z * 5 + float(rng.uniform(0, 6.28))) + 0.03 * np.sin(y * 9 + z * 3)
    rings = np.hypot(x - float(rng.uniform(0.3, 1.6)), y) + wobble
    soft = 0.5 + 0.5 * np.sin(rings * np.float32(2 * np.pi * 6.0 * scale))
    fibres = 0.5 + 0.5 * np.sin((x + 0.7 * y) * np.float32(90.0 * scale) + 4 * np.sin(z * 2))
    return np.asarray(0.75 * soft**2 + 0.25 * fibres, np.float32)


PATTERNS: Mapping[str, Pattern] = {
    "waves": waves,
    "swirl": _swirl,
    "veins": _veins,
    "speckles": _speckles,
    "grain": _grain,
}
