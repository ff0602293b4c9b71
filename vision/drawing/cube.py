"""Renders one rounded cube under true perspective into layers (geometry, ink, fill) that a material colours later.

The camera looks at the middle of the die. `tilt` is the angle between the line of sight and the vertical; in the layers
the foot of the camera (the nadir) lies straight down the picture, so a tilted die shows its side faces below its top.
The distance field of a rounded box is Inigo Quilez's; sphere tracing is Hart's (1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.faces import TEXTURE, FloatImage

PATCH = 1.96
"""Edge of a layer picture in edges of the die: the diagonal of a cube and its blur fit in."""

_STEPS = 16


@dataclass(frozen=True, slots=True)
class Shape:
    """`corner`: radius of edges and corners; `ball`: radius of the sphere that the cube is cut with; both in edges.

    `cuts`: planes (unit normal x, y, z and distance from the middle) that cut the cube to another solid.
    """

    corner: float = 0.08
    ball: float = 0.9
    cuts: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """How a die is seen: `tilt` in radians, `distance` of the camera and `edge` (pixels) at the die's middle."""

    tilt: float
    distance: float
    edge: float


@dataclass(frozen=True, slots=True)
class Layers:
    """One die as geometry. All pictures are square, of the same size.

    alpha: coverage 0..1. normal: unit vectors, x right, y down, z to the camera. ink, fill: coverage 0..1.
    face: index 0..5 of the face hit. place: position on the die (H, W, 3), -0.5..0.5.
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
    """Rotation matrix by `angle` radians about `axis`."""
    direction = np.asarray(axis, float)
    turned, _ = cv2.Rodrigues(direction / np.linalg.norm(direction) * angle)
    return np.asarray(turned, np.float64)


def pose(value: int, yaw: float, lean: float = 0.0, lean_towards: float = 0.0) -> npt.NDArray[np.float64]:
    """Turns the die so that face `value` (1..6) is on top, then by `yaw` about the vertical; a cocked die leans
    besides.

    Angles in radians; `lean_towards` is the horizontal direction in which the top leans.
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
    """Right, down and towards-the-camera directions of the picture, in table coordinates (x right, y away, z up)."""
    c, s = np.cos(tilt), np.sin(tilt)
    return np.array([1.0, 0.0, 0.0]), np.array([0.0, -c, -s]), np.array([0.0, -s, c])


def project(points: npt.NDArray[np.float64], view: View) -> npt.NDArray[np.float64]:
    """Table coordinates (N, 3), in edges from the die's middle, to pixels (N, 2) from the middle of the layers."""
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
    """Marches every ray; gives the points reached (3, N) and each ray's smallest distance to the surface."""
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
    """Which object axes run right and down on a face seen from outside; the last factor mirrors the first."""
    first, second = [a for a in range(3) if a != axis]
    return first, second, float(sign) * (1.0 if axis != 1 else -1.0)


def _sample(texture: FloatImage, u: FloatImage, v: FloatImage) -> FloatImage:
    """Texture values at (u, v), in rows of a length that OpenCV can remap."""
    rows = -(-u.size // 4096)
    maps = [np.resize(m.astype(np.float32), (rows, 4096 if rows > 1 else u.size)) for m in (u, v)]
    taken = cv2.remap(texture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken.reshape(-1, texture.shape[2])[: u.size], np.float32)


def _paint(p: FloatImage, artwork: FloatImage) -> tuple[FloatImage, npt.NDArray[np.uint8], FloatImage]:
    """Texture samples (N, 4), face indices, and the slope as a vector in object coordinates (3, N)."""
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
    """Renders a die with `artwork` (6, TEXTURE, TEXTURE, 4) in the pose `turned` (3x3, die to table)."""
    size = int(np.ceil(view.edge * PATCH / 2)) * 2
    right, down, toward = camera_axes(view.tilt)
    steps = (np.arange(size) + 0.5 - size / 2) / view.edge
    x, y = np.meshgrid(steps, steps)
    plane = x.ravel()[None] * right[:, None] + y.ravel()[None] * down[:, None]
    eye = toward * view.distance
    ray = plane - eye[:, None]
    ray /= np.linalg.norm(ray, axis=0)
    origin = (turned.T @ eye).astype(np.float32)
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
