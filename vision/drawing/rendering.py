"""Renderer: draws one rounded cube in perspective into layers (geometry, ink, fill), which a material colours later.

The camera looks at the centre of the die. `tilt` is the angle between the line of sight and the vertical. In the layers
the foot of the camera (the nadir) is straight down, so a tilted die shows its side faces below its top. The distance
field of a rounded box is by Inigo Quilez; sphere tracing is by Hart (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.faces import TEXTURE, FloatImage

PATCH = 1.96
"""Edge of a layer image in edges of the die. Has room for the diagonal of a cube and its blur."""

_STEPS = 16


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a die. Lengths are in edges.

    - `corner`: radius of edges and corners.
    - `ball`: radius of the sphere that is intersected with the cube.
    - `cuts`: planes (unit normal x, y, z and distance from the centre) that cut the cube to another solid.
    """

    corner: float = 0.08
    ball: float = 0.9
    cuts: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The view of a die: `tilt` in radians, `distance` of the camera, and `edge` in pixels at the die's centre."""

    tilt: float
    distance: float
    edge: float


@dataclass(frozen=True, slots=True)
class Layers:
    """Geometry layers of one die. All images are square and of the same size.

    - `alpha`: coverage 0..1.
    - `normal`: unit vectors, x right, y down, z to the camera.
    - `ink`, `fill`: coverage 0..1.
    - `face`: index 0..5 of the visible face.
    - `place`: position on the die (H, W, 3), -0.5..0.5.
    """

    alpha: FloatImage
    normal: FloatImage
    ink: FloatImage
    fill: FloatImage
    face: npt.NDArray[np.uint8]
    place: FloatImage


# Faces 1..6 by (axis, sign): 1 up, 6 down, 2 front, 5 back, 3 right, 4 left.
_AXES = ((2, 1), (1, -1), (0, 1), (0, -1), (1, 1), (2, -1))
_FACE_OF_AXIS = {axis: index for index, axis in enumerate(_AXES)}


def rotation(axis: tuple[float, float, float], angle: float) -> npt.NDArray[np.float64]:
    """Return the rotation matrix for `angle` radians about `axis`."""
    direction = np.asarray(axis, float)
    turned, _ = cv2.Rodrigues(direction / np.linalg.norm(direction) * angle)
    return np.asarray(turned, np.float64)


def pose(value: int, yaw: float, lean: float = 0.0, lean_towards: float = 0.0) -> npt.NDArray[np.float64]:
    """Return the rotation that puts face `value` (1..6) on top, then turns by `yaw` about the vertical.

    For a cocked die, `lean` tilts it so that its top leans in the horizontal direction `lean_towards`. All angles are
    in radians.
    """
    axis, sign = _AXES[value - 1]
    to_top = {
        (2, 1): np.eye(3),
        (2, -1): rotation((1, 0, 0), np.pi),
        (1, -1): rotation((1, 0, 0), -np.pi / 2),
        (1, 1): rotation((1, 0, 0), np.pi / 2),
        (0, 1): rotation((0, 1, 0), -np.pi / 2),
        (0, -1): rotation((0, 1, 0), np.pi / 2),
    }[(axis, sign)]
    turned = rotation((0, 0, 1), yaw) @ to_top
    if lean:
        turned = rotation((-np.sin(lean_towards), np.cos(lean_towards), 0), lean) @ turned
    return np.asarray(turned, np.float64)


def camera_axes(tilt: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the image's right, down and towards-the-camera directions in table coordinates (x right, y away, z up)."""
    c, s = np.cos(tilt), np.sin(tilt)
    return np.array([1.0, 0.0, 0.0]), np.array([0.0, -c, -s]), np.array([0.0, -s, c])


def project(points: npt.NDArray[np.float64], view: View) -> npt.NDArray[np.float64]:
    """Project table coordinates to pixels.

    Input (N, 3) is in edges from the die's centre, output (N, 2) in pixels from the centre of the layers.
    """
    right, down, toward = camera_axes(view.tilt)
    depth = view.distance - points @ toward
    flat = np.stack([points @ right, points @ down], 1)
    return flat * (view.edge * view.distance / depth)[:, None]


def _distance(p: FloatImage, shape: Shape) -> FloatImage:
    q = np.abs(p) - np.float32(0.5 - shape.corner)
    outside = np.sqrt(np.square(np.maximum(q, 0)).sum(0))
    box = outside + np.minimum(q.max(0), 0) - np.float32(shape.corner)
    if shape.cuts:
        planes = np.asarray(shape.cuts, np.float32)
        box = np.maximum(box, (planes[:, :3] @ p - planes[:, 3:]).max(0))
    if shape.ball >= 0.87:
        return np.asarray(box, np.float32)
    return np.asarray(np.maximum(box, np.sqrt(np.square(p).sum(0)) - np.float32(shape.ball)), np.float32)


def _trace(origin: FloatImage, ray: FloatImage, shape: Shape, start: float) -> tuple[FloatImage, FloatImage]:
    """March all rays. Return the points reached (3, N) and each ray's smallest distance to the surface."""
    travelled = np.full(ray.shape[1], start, np.float32)
    closest = np.full(ray.shape[1], 9.0, np.float32)
    for _ in range(_STEPS):
        gap = _distance(origin[:, None] + ray * travelled, shape)
        np.minimum(closest, gap, out=closest)
        travelled += gap
    return origin[:, None] + ray * np.minimum(travelled, start + 2.0), closest


def _normals(p: FloatImage, shape: Shape) -> FloatImage:
    step = np.float32(2e-3)
    total = np.zeros_like(p)
    for sign in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        k = np.asarray(sign, np.float32)[:, None]
        total += k * _distance(p + k * step, shape)
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=0), 1e-9), np.float32)


def _frame(axis: int, sign: int) -> tuple[int, int, float]:
    """Return the object axes that run right and down on a face seen from outside. The last factor mirrors the first."""
    first, second = [a for a in range(3) if a != axis]
    return first, second, float(sign) * (1.0 if axis != 1 else -1.0)


def _sample(texture: FloatImage, u: FloatImage, v: FloatImage) -> FloatImage:
    """Sample a texture at (u, v), in rows of a length that OpenCV can remap."""
    rows = -(-u.size // 4096)
    maps = [np.resize(m.astype(np.float32), (rows, 4096 if rows > 1 else u.size)) for m in (u, v)]
    taken = cv2.remap(texture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken.reshape(-1, texture.shape[2])[: u.size], np.float32)


def _paint(p: FloatImage, artwork: FloatImage) -> tuple[FloatImage, npt.NDArray[np.uint8], FloatImage]:
    """Return texture samples (N, 4), face indices, and the slope as a vector in object coordinates (3, N)."""
    axis = np.abs(p).argmax(0)
    positive = np.take_along_axis(p, axis[None], 0)[0] > 0
    samples = np.zeros((p.shape[1], 4), np.float32)
    faces = np.zeros(p.shape[1], np.uint8)
    bump = np.zeros_like(p)
    for (number, sign), index in _FACE_OF_AXIS.items():
        here = np.flatnonzero((axis == number) & (positive == (sign > 0)))
        if not here.size:
            continue
        first, second, mirror = _frame(number, sign)
        u = (p[first, here] * mirror + 0.5) * TEXTURE - 0.5
        v = (0.5 - p[second, here]) * TEXTURE - 0.5
        taken = _sample(artwork[index], u, v)
        samples[here] = taken
        faces[here] = index
        bump[first, here] = taken[:, 2] * mirror
        bump[second, here] = -taken[:, 3]
    return samples, faces, bump


def render(artwork: FloatImage, turned: npt.NDArray[np.float64], shape: Shape, view: View) -> Layers:
    """Render a die with `artwork` (6, TEXTURE, TEXTURE, 4) in the pose `turned` (3x3, die to table)."""
    size = int(np.ceil(view.edge * PATCH / 2)) * 2
    right, down, toward = camera_axes(view.tilt)
    steps = (np.arange(size) + 0.5 - size / 2) / view.edge
    x, y = np.meshgrid(steps, steps)
    plane = x.ravel()[None] * right[:, None] + y.ravel()[None] * down[:, None]
    camera = toward * view.distance
    ray = plane - camera[:, None]
    ray /= np.linalg.norm(ray, axis=0)
    origin = (turned.T @ camera).astype(np.float32)
    hit, closest = _trace(origin, (turned.T @ ray).astype(np.float32), shape, view.distance - 0.95)
    alpha = np.clip(0.5 + 0.35 - closest * view.edge, 0, 1).astype(np.float32)
    near = np.flatnonzero(alpha > 0)
    p = np.ascontiguousarray(hit[:, near])
    samples, faces, bump = _paint(p, artwork)
    normal = _normals(p, shape) + bump
    normal = (turned @ normal).astype(np.float32)
    normal /= np.maximum(np.linalg.norm(normal, axis=0), 1e-6)
    seen = np.stack([right @ normal, down @ normal, toward @ normal], 1).astype(np.float32)

    def spread(values: npt.NDArray[np.float32], channels: int) -> FloatImage:
        out = np.zeros((size * size, channels), np.float32)
        out[near] = values.reshape(len(near), channels)
        return out.reshape(size, size, channels) if channels > 1 else out.reshape(size, size)

    faced = np.zeros(size * size, np.uint8)
    faced[near] = faces
    return Layers(
        alpha=alpha.reshape(size, size),
        normal=spread(seen, 3),
        ink=spread(samples[:, 0], 1),
        fill=spread(samples[:, 1], 1),
        face=faced.reshape(size, size),
        place=spread(p.T.copy(), 3),
    )


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
"""Body colours by the names used in readings."""


def from_hex(text: str) -> Colour:
    """Convert `#RRGGBB` to a colour."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (blue, green, red)


@dataclass(frozen=True, slots=True)
class Light:
    """A light source. Strengths are 0..1.

    `direction` is the unit vector to the light, in the layers' frame (x right, y down, z to the camera).
    """

    direction: tuple[float, float, float] = (-0.35, -0.45, 0.82)
    ambient: float = 0.55
    diffuse: float = 0.5
    tint: Colour = (1.0, 1.0, 1.0)
    shadow: float = 0.45
    softness: float = 0.12


Pattern = Callable[[FloatImage, np.random.Generator, float], FloatImage]
"""Function that returns the share 0..1 (H, W) of the second colour of a marbled body.

Takes positions (H, W, 3), a generator and a scale; a larger scale gives a finer pattern.
"""


def waves(place: FloatImage, rng: np.random.Generator, scale: float) -> FloatImage:
    """Return a marble pattern of lumps (a `Pattern`)."""
    waves = rng.normal(0, 5.0, (3, 5)).astype(np.float32) * np.float32(scale)
    phase = rng.uniform(0, 6.28, 5).astype(np.float32)
    swirl = np.sin(place @ waves + phase + 1.5 * np.sin(place @ waves[:, ::-1]))
    return np.asarray(np.clip(swirl.mean(2) * 1.6 + 0.5, 0, 1), np.float32)


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a die.

    - `ink`: ink colour of all faces; `ink_one` overrides it for face 1, `inks` for each of the six.
    - `fills`: the six colours of filled faces.
    - `gloss`: 0..1.
    - `clear`: transparency 0..1.
    - `marble`: a second colour, mixed in by `marble_pattern`; a larger `marble_scale` makes it finer.
    - `window`: strength of a reflected window or tube.
    - `window_size`, `window_at`: half its width and height, and its offset from the light's own reflection, in units of
      normals.
    - `window_turn`: its angle in radians.
    - `convex`: bulge of the faces.
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
    marble_pattern: Pattern = waves
    marble_scale: float = 1.0
    window: float = 0.0
    window_size: tuple[float, float] = (0.16, 0.114)
    window_at: tuple[float, float] = (0.0, 0.0)
    window_turn: float = 0.0
    convex: float = 0.0


def _marbled(layers: Layers, material: Material, base: FloatImage) -> FloatImage:
    if material.marble is None:
        return base
    rng = np.random.default_rng(material.marble_seed)
    mix = material.marble_pattern(layers.place, rng, material.marble_scale)[..., None]
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
    """Shade a die. Return premultiplied BGRA in 0..1 (values above 1 are overexposed)."""
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
    """Return the normals of a die with slightly bulging faces, seen from above its centre."""
    if not convex:
        return normal
    height, width = normal.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    offsets = np.dstack([x / width - 0.5, y / height - 0.5, np.zeros_like(x)])
    bent = normal + np.float32(convex) * offsets
    return np.asarray(bent / np.maximum(np.linalg.norm(bent, axis=2, keepdims=True), 1e-6), np.float32)


def _window(off: FloatImage, material: Material) -> FloatImage:
    """Return the reflection 0..1 of a window or tube. `off`: normals relative to the light's own reflection."""
    c, s = float(np.cos(material.window_turn)), float(np.sin(material.window_turn))
    x, y = off[..., 0] - material.window_at[0], off[..., 1] - material.window_at[1]
    wide, tall = material.window_size
    inside = np.minimum(wide - np.abs(c * x + s * y), tall - np.abs(c * y - s * x))
    return np.asarray(np.clip(inside * 25 + 0.2, 0, 1), np.float32)


def shadow(view: View, corners: npt.NDArray[np.float64], light: Light, size: int) -> FloatImage:
    """Return the darkness 0..1 of a die's shadow. `corners` (8, 3) are in table coordinates from its centre.

    The image is square with `size` pixels, with the scale and centre of the die's layers.
    """
    x, y, z = light.direction
    reach = np.array([-x, y]) / max(z, 0.35)
    reach *= min(1.0, 1.2 / max(float(np.linalg.norm(reach)), 1e-6))
    ground = corners[:, 2].min()
    heights = corners[:, 2] - ground
    ground_points = np.column_stack([corners[:, :2] + heights[:, None] * reach, np.full(len(corners), ground)])
    points = project(ground_points, view) + size / 2
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


def _around(canvas: FloatImage, reach: float, x: float, y: float) -> tuple[int, int, int, int]:
    height, width = canvas.shape[:2]
    left, top = max(0, int(np.floor(x - reach))), max(0, int(np.floor(y - reach)))
    return left, top, min(width, int(np.ceil(x + reach)) + 1), min(height, int(np.ceil(y + reach)) + 1)


def _warp_to(picture: FloatImage, window: tuple[int, int, int, int], x: float, y: float, angle: float) -> FloatImage:
    """Rotate `picture` by `angle` radians about its centre, and place the centre at (x, y) of the canvas."""
    left, top, right, bottom = window
    c, s = float(np.cos(angle)), float(np.sin(angle))
    half_h, half_w = (picture.shape[0] - 1) / 2, (picture.shape[1] - 1) / 2
    matrix = np.array([[c, -s, x - left - c * half_w + s * half_h], [s, c, y - top - s * half_w - c * half_h]])
    return np.asarray(cv2.warpAffine(picture, matrix, (right - left, bottom - top), flags=cv2.INTER_LINEAR), np.float32)


def darken(canvas: FloatImage, darkness: FloatImage, x: float, y: float, angle: float) -> None:
    """Darken `canvas` in place. `angle` rotates the shadow image about its centre (radians, clockwise)."""
    window = _around(canvas, darkness.shape[0] * 0.71, x, y)
    left, top, right, bottom = window
    if right <= left or bottom <= top:
        return
    canvas[top:bottom, left:right] *= (1 - _warp_to(darkness, window, x, y, angle))[..., None]


def composite(canvas: FloatImage, exposures: Sequence[tuple[FloatImage, float, float]], angle: float) -> FloatImage:
    """Blend the mean of premultiplied BGRA images at their places (x, y) into `canvas` in place.

    Returns the die's coverage of each pixel, with the canvas's height and width.
    """
    covered = np.zeros(canvas.shape[:2], np.float32)
    total = np.zeros((*canvas.shape[:2], 4), np.float32) if len(exposures) > 1 else None
    for picture, x, y in exposures:
        window = _around(canvas, picture.shape[0] * 0.71, x, y)
        left, top, right, bottom = window
        if right <= left or bottom <= top:
            continue
        placed = _warp_to(picture, window, x, y, angle)
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
    """Convert `canvas` (BGR 0..1) to a sensor image: add noise with standard deviation `noise`, clip to 8 bits."""
    grain = rng.standard_normal(canvas.shape, dtype=np.float32) * np.float32(noise)
    return np.clip((canvas + grain) * 255 + 0.5, 0, 255).astype(np.uint8)
