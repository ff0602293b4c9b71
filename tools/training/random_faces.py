"""Faces of dice outside the product's sets: shapes, and pips in manufacturers' layouts."""

from __future__ import annotations

import cv2
import numpy as np

from vision.drawing.faces import TEXTURE, FloatImage, PipStyle, as_texture, blank, pip_centres, pip_face

_APART = 2.1
"""Minimum distance of an outer pip from the face's centre, in pip radii, so that pips do not touch."""


def polygon_face(corners: int, radius: float, rotation: float, hollow: float = 0.0, star: float = 1.0) -> FloatImage:
    """Return a face with one regular shape.

    `corners` under 3: a disc; `star` under 1: every other corner moves inwards.
    """
    ink = blank()
    size = ink.shape[0]
    if corners < 3:
        angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        reach = np.ones_like(angles)
    else:
        steps = corners * (2 if star < 1 else 1)
        angles = np.linspace(0, 2 * np.pi, steps, endpoint=False) + np.deg2rad(rotation)
        reach = np.where(np.arange(steps) % 2 == 1, star, 1.0) if star < 1 else np.ones(steps)
    for factor, level in ((1.0, 1.0), (hollow, 0.0)):
        if factor <= 0:
            continue
        points = np.stack([np.cos(angles), np.sin(angles)], 1) * (reach * radius * factor)[:, None] + 0.5
        cv2.fillPoly(ink, [np.round(points * size * 16).astype(np.int32)], level, cv2.LINE_AA, 4)
    return as_texture(ink, None, 0.2)


def random_pip_style(rng: np.random.Generator) -> PipStyle:
    """Return a pip layout of cheap, casino, Asian or wooden dice."""
    spread = float(rng.uniform(0.17, 0.3))
    pick = rng.random()
    narrow = float(rng.uniform(0.62, 1.0) if pick < 0.3 else rng.uniform(1.0, 1.55) if pick < 0.6 else 1.0)
    wanted = rng.uniform(0.12, 0.15) if rng.random() < 0.08 else rng.uniform(0.06, 0.125)
    radius = float(min(wanted, spread / max(narrow, 1.0) * 0.46))
    straight = rng.random() < 0.2, rng.random() < 0.06
    closest = max(_APART * radius / spread / (1.0 if any(straight) else np.sqrt(2.0)), 0.5)
    pick = rng.random()
    mirrored, ring = pick < 0.05, pick < 0.1
    at = rng.uniform(-0.45, 0.45, 2) if mirrored else np.zeros(2)
    return PipStyle(
        spread=spread,
        radius=radius,
        one=float(rng.uniform(1.2, 2.3)) if rng.random() < 0.25 else 1.0,
        two=float(rng.uniform(closest, 1.0)) if rng.random() < 0.35 else 1.0,
        narrow=narrow,
        straight_two=straight[0],
        straight_three=straight[1],
        depth=float(rng.uniform(-0.1, 0.9)),
        ring=float(rng.uniform(0.3, 0.65)) if ring else 0.0,
        ring_at=(float(at[0]), float(at[1])),
    )


def pips_face(value: int, style: PipStyle, square: bool) -> FloatImage:
    """Return the texture of a face with round or square pips."""
    if not square:
        return pip_face(value, style)
    ink = blank()
    size = ink.shape[0]
    half = 0.88 * style.radius * (style.one if value == 1 else 1.0)
    for x, y in pip_centres(value, style):
        for reach, level in ((half, 1.0), (half * style.ring, 0.0)):
            if reach:
                corners = [round((at + side * reach + 0.5) * size) for side in (-1, 1) for at in (x, y)]
                cv2.rectangle(ink, (corners[0], corners[1]), (corners[2], corners[3]), level, -1)
    return as_texture(ink, None, style.depth)


def engraved(face: FloatImage, depth: float) -> FloatImage:
    """Return the face with its ink engraved `depth` deep (negative: raised)."""
    return np.dstack([face[..., :2], as_texture(np.ascontiguousarray(face[..., 0]), None, depth)[..., 2:]])


def empty_face() -> FloatImage:
    """Return the texture of a face without ink and fill."""
    return np.zeros((TEXTURE, TEXTURE, 4), np.float32)
