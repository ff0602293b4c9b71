"""Colours the layers of a die: body, ink, coloured faces, light, gloss; and the shadow that the die throws."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.cube import Layers, View, project
from vision.drawing.faces import FloatImage

Colour = tuple[float, float, float]
"""Blue, green, red in 0..1."""

BODIES: dict[str, Colour] = {
    "white": (0.93, 0.94, 0.94),
    "ivory": (0.74, 0.86, 0.92),
    "yellow": (0.13, 0.78, 0.93),
    "orange": (0.06, 0.45, 0.92),
    "red": (0.13, 0.11, 0.76),
    "pink": (0.62, 0.45, 0.90),
    "violet": (0.50, 0.15, 0.38),
    "blue": (0.66, 0.28, 0.10),
    "turquoise": (0.68, 0.66, 0.16),
    "green": (0.25, 0.52, 0.12),
    "brown": (0.14, 0.25, 0.42),
    "beige": (0.68, 0.84, 0.91),
    "grey": (0.55, 0.54, 0.53),
    "black": (0.07, 0.06, 0.06),
}
"""Body colours by the name that a reading carries."""


def from_hex(text: str) -> Colour:
    """`#RRGGBB` as a colour."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (blue, green, red)


@dataclass(frozen=True, slots=True)
class Light:
    """`direction`: unit vector to the light, in the layers' frame (x right, y down, z to the camera). Strengths
    0..1."""

    direction: tuple[float, float, float] = (-0.35, -0.45, 0.82)
    ambient: float = 0.55
    diffuse: float = 0.5
    tint: Colour = (1.0, 1.0, 1.0)
    shadow: float = 0.45
    softness: float = 0.12


@dataclass(frozen=True, slots=True)
class Material:
    """What a die is made of.

    `ink` may be one colour for every face; `ink_one` colours face 1 alone, `inks` each of the six; `fills` are the six
    colours of filled faces. `gloss` 0..1, `clear` 0..1 lets the ground shine through, `marble` mixes in a second
    colour. `window` is the strength of a reflected window or tube: in normals' units `window_size` is half its width
    and height, `window_at` how far it lies from the light's own reflection, `window_turn` its angle in radians.
    `convex` is how much faces bulge.
    """

    body: Colour
    ink: Colour
    ink_one: Colour | None = None
    inks: tuple[Colour, ...] = ()
    fills: tuple[Colour, ...] = ()
    gloss: float = 0.3
    clear: float = 0.0
    marble: Colour | None = None
    marble_seed: int = 0
    window: float = 0.0
    window_size: tuple[float, float] = (0.16, 0.114)
    window_at: tuple[float, float] = (0.0, 0.0)
    window_turn: float = 0.0
    convex: float = 0.0
    faces_body: tuple[Colour, ...] = field(default=())


def _marbled(layers: Layers, material: Material, base: FloatImage) -> FloatImage:
    if material.marble is None:
        return base
    rng = np.random.default_rng(material.marble_seed)
    waves = rng.normal(0, 5.0, (3, 5)).astype(np.float32)
    phase = rng.uniform(0, 6.28, 5).astype(np.float32)
    swirl = np.sin(layers.place @ waves + phase + 1.5 * np.sin(layers.place @ waves[:, ::-1]))
    mix = np.clip(swirl.mean(2) * 1.6 + 0.5, 0, 1)[..., None]
    return np.asarray(base * (1 - mix) + np.asarray(material.marble, np.float32) * mix, np.float32)


def _albedo(layers: Layers, material: Material) -> FloatImage:
    base = np.broadcast_to(np.asarray(material.body, np.float32), layers.normal.shape)
    base = _marbled(layers, material, np.asarray(base, np.float32))
    if material.fills:
        fills = np.asarray(material.fills, np.float32)[layers.face]
        base = base + (fills - base) * layers.fill[..., None]
    ink = np.broadcast_to(np.asarray(material.ink, np.float32), base.shape)
    if material.inks:
        ink = np.asarray(material.inks, np.float32)[layers.face]
    if material.ink_one is not None:
        ink = np.where((layers.face == 0)[..., None], np.asarray(material.ink_one, np.float32), ink)
    return np.asarray(base + (ink - base) * layers.ink[..., None], np.float32)


def shade(layers: Layers, material: Material, light: Light) -> FloatImage:
    """The die as premultiplied BGRA in 0..1 (values above 1 are burnt out)."""
    toward = np.asarray(light.direction, np.float32)
    normal = _bulging(layers.normal, material.convex)
    lambert = np.clip(normal @ toward, 0, 1)
    upward = 0.75 + 0.25 * normal[..., 2]
    strength = light.ambient * upward + light.diffuse * lambert
    colour = _albedo(layers, material) * strength[..., None] * np.asarray(light.tint, np.float32)
    half = toward + np.array([0, 0, 1], np.float32)
    half /= max(float(np.linalg.norm(half)), 1e-6)
    shine = np.clip(normal @ half, 0, 1)
    spot = material.gloss * (0.9 * shine**60 + 0.18 * shine**9)
    if material.window:
        spot = spot + material.window * _window(normal[..., :2] - half[:2], material)
    colour = colour + spot[..., None] * np.asarray(light.tint, np.float32)
    alpha = layers.alpha
    if material.clear:
        rim = 1 - np.clip(layers.normal[..., 2], 0, 1)
        alpha = alpha * np.clip(1 - material.clear * (1 - rim) * (1 - layers.ink), 0.1, 1)
    return np.dstack([colour * alpha[..., None], alpha]).astype(np.float32)


def _bulging(normal: FloatImage, convex: float) -> FloatImage:
    """The normals of a die whose faces bulge a little, seen about its middle."""
    if not convex:
        return normal
    height, width = normal.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    away = np.dstack([x / width - 0.5, y / height - 0.5, np.zeros_like(x)])
    bent = normal + np.float32(convex) * away
    return np.asarray(bent / np.maximum(np.linalg.norm(bent, axis=2, keepdims=True), 1e-6), np.float32)


def _window(off: FloatImage, material: Material) -> FloatImage:
    """Where a window or a tube is mirrored, 0..1; `off` are normals from that of the light's own reflection."""
    c, s = float(np.cos(material.window_turn)), float(np.sin(material.window_turn))
    x, y = off[..., 0] - material.window_at[0], off[..., 1] - material.window_at[1]
    wide, tall = material.window_size
    inside = np.minimum(wide - np.abs(c * x + s * y), tall - np.abs(c * y - s * x))
    return np.asarray(np.clip(inside * 25 + 0.2, 0, 1), np.float32)


def shadow(view: View, corners: npt.NDArray[np.float64], light: Light, size: int) -> FloatImage:
    """Darkness 0..1 that a die throws on the table; `corners` (8, 3) are in table coordinates from its middle.

    The picture is square with `size` pixels, of the same scale and middle as the die's layers.
    """
    x, y, z = light.direction
    reach = np.array([-x, y]) / max(z, 0.35)
    reach *= min(1.0, 1.2 / max(float(np.linalg.norm(reach)), 1e-6))
    ground = corners[:, 2].min()
    heights = corners[:, 2] - ground
    fallen = np.column_stack([corners[:, :2] + heights[:, None] * reach, np.full(len(corners), ground)])
    points = project(fallen, view) + size / 2
    dark = np.zeros((size, size), np.float32)
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(dark, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(dark, (0, 0), max(0.6, light.softness * view.edge))
    foot = np.zeros_like(dark)
    low = corners[np.argsort(corners[:, 2])[:4]].copy()
    low[:, 2] = ground
    base = cv2.convexHull((project(low, view) + size / 2).astype(np.float32))
    cv2.fillConvexPoly(foot, np.round(base * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    contact = cv2.GaussianBlur(foot, (0, 0), max(0.6, 0.05 * view.edge))
    return np.asarray(np.clip(light.shadow * soft + 0.35 * contact, 0, 0.92), np.float32)
