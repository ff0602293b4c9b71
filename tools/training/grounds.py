"""Grounds under the dice in training scenes: any surface and colour, trays and bowls."""

from __future__ import annotations

import cv2
import numpy as np

from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour
from vision.drawing.tray import cloud, felt, wood


def plain(shape: tuple[int, int], colour: Colour, rng: np.random.Generator, grain: float = 0.02) -> FloatImage:
    """Return an even surface with a little grain."""
    noise = rng.normal(0, grain, shape).astype(np.float32) + grain * cloud(shape, 60, rng, 2)
    return np.asarray(np.asarray(colour, np.float32) * (1 + noise[..., None]), np.float32)


def stone(shape: tuple[int, int], colour: Colour, rng: np.random.Generator) -> FloatImage:
    """Return marble, leather or granite: blotches of a second colour."""
    lumps = cloud(shape, float(rng.uniform(4, 80)), rng, 4)
    other = np.asarray([float(c) for c in rng.uniform(0, 1, 3)], np.float32)
    mix = np.clip(lumps * rng.uniform(0.05, 0.5), -0.5, 0.5)[..., None]
    base = np.asarray(colour, np.float32)
    return np.asarray(np.clip(base + (other - base) * np.abs(mix), 0, 1.2), np.float32)


def weave(shape: tuple[int, int], colour: Colour, rng: np.random.Generator, step: float | None = None) -> FloatImage:
    """Return fabric, tiles or squared paper: a repeated pattern of lines or checks.

    `step`: period in pixels, random if None.
    """
    step = float(rng.uniform(4, 60)) if step is None else step
    angle = float(rng.uniform(0, np.pi))
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    u = (x * np.cos(angle) + y * np.sin(angle)) / step
    v = (-x * np.sin(angle) + y * np.cos(angle)) / step
    if rng.random() < 0.5:
        mask = ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)
    else:
        line = float(rng.uniform(0.05, 0.3))
        mask = np.maximum((u % 1) < line, (v % 1) < line).astype(np.float32)
    other = np.asarray(rng.uniform(0, 1, 3), np.float32) if rng.random() < 0.4 else np.asarray(colour, np.float32) * 0.7
    mask = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
    return np.asarray(np.asarray(colour, np.float32) * (1 - mask) + other * mask, np.float32)


MAKERS = (plain, felt, wood, stone, weave)


def random_colour(rng: np.random.Generator) -> Colour:
    """Return a table's colour: greys and wood colours more often than saturated colours."""
    pick = rng.random()
    if pick < 0.2:
        level = rng.uniform(0.02, 0.16)
        return tuple(float(level * f) for f in rng.uniform(0.8, 1.2, 3))  # type: ignore[return-value]
    if pick < 0.5:
        level = rng.uniform(0.3, 0.97)
        return tuple(float(level * f) for f in rng.uniform(0.9, 1.1, 3))  # type: ignore[return-value]
    if pick < 0.68:
        red = rng.uniform(0.25, 0.9)
        return (float(red * rng.uniform(0.3, 0.75)), float(red * rng.uniform(0.55, 0.88)), float(red))
    hsv = np.array([[[rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(25, 235)]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
    return (float(blue), float(green), float(red))


def random_ground(shape: tuple[int, int], rng: np.random.Generator) -> FloatImage:
    """Return a random ground (height, width, 3) in BGR 0..1, without lighting."""
    maker = MAKERS[int(rng.choice(len(MAKERS), p=[0.38, 0.22, 0.22, 0.11, 0.07]))]
    return maker(shape, random_colour(rng), rng)


def bowl_ground(shape: tuple[int, int], rng: np.random.Generator) -> FloatImage:
    """Return a round tray or bowl on a table: a lined floor, a rim with highlights, and a soft shadow along it."""
    height, width = shape
    table, floor = random_ground(shape, rng), felt(shape, random_colour(rng), rng)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    reach = float(rng.uniform(0.36, 0.56)) * min(shape)
    far = np.hypot(x - width * rng.uniform(0.45, 0.55), y - height * rng.uniform(0.45, 0.55)) / reach
    wall = float(rng.uniform(0.04, 0.2))
    rim = np.asarray(random_colour(rng), np.float32)
    inside, outside = np.clip((1 - far) * reach, 0, 1)[..., None], np.clip((far - 1 - wall) * reach, 0, 1)[..., None]
    shade = (0.6 + 0.4 * np.clip((1 - far) * 6, 0, 1))[..., None]
    steep = (0.7 + 0.5 * np.sin((far - 1) / wall * np.pi).clip(0, 1))[..., None]
    return np.asarray(floor * shade * inside + rim * steep * (1 - inside) * (1 - outside) + table * outside, np.float32)


def cloth(shape: tuple[int, int], rng: np.random.Generator) -> FloatImage:
    """Return a patterned cloth or paper seen at an angle: a lattice of dots, rings, stripes, squares or flowers."""
    ground, ink, second = (np.asarray(random_colour(rng), np.float32) for _ in range(3))
    if np.abs(ground - ink).max() < 0.25:
        ink = np.float32(0.94) - ground * np.float32(0.8)
    angle, squeeze, step = float(rng.uniform(0, np.pi)), float(rng.uniform(0.5, 1.0)), float(rng.uniform(9, 70))
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    y = y / np.float32(squeeze)
    u = (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))) / np.float32(step)
    v = (y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))) / np.float32(step)
    row = np.floor(v)
    if rng.random() < 0.5:
        u = u + np.float32(0.5) * (row % 2)
    mask = _motif(u - np.floor(u) - np.float32(0.5), v - row - np.float32(0.5), np.float32(step), rng)[..., None]
    odd = ((np.floor(u) + row) % 2)[..., None] if rng.random() < 0.4 else np.zeros((1, 1, 1), np.float32)
    out = ground + (ink + (second - ink) * odd - ground) * mask
    folds = 1 + np.float32(rng.uniform(0, 0.08)) * cloud(shape, 90, rng, 2)[..., None]
    return np.asarray(np.clip(out * folds, 0, 1.2), np.float32)


def _motif(u: FloatImage, v: FloatImage, step: np.float32, rng: np.random.Generator) -> FloatImage:
    """Return the coverage of one motif in cells of -0.5..0.5 that are `step` pixels wide."""
    size, pick = np.float32(rng.uniform(0.1, 0.38)), rng.random()
    far = np.hypot(u, v)
    if pick < 0.45:
        inside = size - far
    elif pick < 0.6:
        inside = size * np.float32(0.35) - np.abs(far - size)
    elif pick < 0.75:
        inside = size * np.float32(0.6) - np.abs(u)
    elif pick < 0.88:
        inside = size * np.float32(0.8) - np.maximum(np.abs(u), np.abs(v))
    else:
        inside = size * (1 + np.float32(0.35) * np.cos(5 * np.arctan2(v, u))) - far
    return np.asarray(np.clip(inside * step + np.float32(0.5), 0, 1), np.float32)
