"""Random labelled scenes of dice on tables: the training images of the networks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training import camera_effects, lighting_effects, paints, random_dice
from tools.training.clutter import scatter
from tools.training.grounds import bowl_ground, cloth, random_colour, random_ground
from tools.training.labels import UNLABELLED, Label, Pose
from tools.training.lookalikes import lay_lookalikes
from tools.training.own_dice import random_own
from tools.training.printed import lay_page
from tools.training.random_dice import RandomDie
from tools.training.random_faces import random_pip_style
from vision.classification import classes
from vision.drawing.faces import FloatImage, pip_face
from vision.drawing.rendering import (
    BODIES,
    Light,
    Shape,
    View,
    camera_axes,
    composite,
    darken,
    pose,
    project,
    render,
    shade,
    shadow,
)
from vision.drawing.tray import tray_ground

_FINEST = 120.0
"""Edge in pixels above which a die is rendered at a lower resolution and enlarged.

No lens is sharper, and rendering is faster.
"""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A pinhole camera over a table: `focal` and the principal point in pixels, angles in radians, height in edges."""

    focal: float
    centre: tuple[float, float]
    pitch: float
    roll: float
    height: float

    @classmethod
    def random(cls, size: int, rng: np.random.Generator) -> Viewpoint:
        """Return a random camera: mostly from above, often oblique; upright when oblique, as people hold cameras."""
        pick = rng.random()
        low, high = (0, 14) if pick < 0.38 else (14, 42) if pick < 0.68 else (42, 72)
        pitch = np.deg2rad(rng.uniform(low, high))
        free = pitch < np.deg2rad(25) or rng.random() < 0.12
        roll = rng.uniform(-np.pi, np.pi) if free else rng.normal(0, 0.12)
        focal = size * rng.uniform(0.8, 2.6)
        edge = float(np.exp(rng.uniform(np.log(13), np.log(80))))
        shift = rng.uniform(-0.5, 0.5, 2) * size if rng.random() < 0.5 else np.zeros(2)
        centre = (size / 2 + float(shift[0]), size / 2 + float(shift[1]))
        return cls(float(focal), centre, float(pitch), float(roll), float(focal / edge * np.cos(pitch)))

    @classmethod
    def steep(cls, size: int, rng: np.random.Generator) -> Viewpoint:
        """Return a near camera with a very oblique view: the sides of the dice are as visible as their tops."""
        view = replace(cls.random(size, rng), pitch=float(np.deg2rad(rng.uniform(46, 70))), roll=rng.normal(0, 0.12))
        return view.nearer(size * float(np.exp(rng.uniform(np.log(0.06), np.log(0.26)))))

    @classmethod
    def near(cls, size: int, rng: np.random.Generator) -> Viewpoint:
        """Return a near camera: a die takes from a seventh to most of the image side, two in five times obliquely."""
        view = cls.random(size, rng)
        pitch = np.deg2rad(rng.uniform(30, 66) if rng.random() < 0.4 else abs(rng.normal(0, 14)))
        low, high = (0.36, 0.62) if rng.random() < 0.35 else (0.14, 0.4)
        centre = (view.centre[0] * 0.4 + size * 0.3, view.centre[1] * 0.4 + size * 0.3)
        view = replace(view, centre=centre, pitch=float(pitch))
        return view.nearer(size * float(np.exp(rng.uniform(np.log(low), np.log(high)))))

    def nearer(self, edge: float) -> Viewpoint:
        """Return the same view with dice of `edge` pixels in the centre. The focal length keeps it at a distance."""
        focal = max(self.focal, 3.2 * edge)
        return replace(self, focal=float(focal), height=float(focal / edge * np.cos(self.pitch)))

    def edge(self) -> float:
        """Return the edge of a die in the image centre, in pixels."""
        return float(self.focal / self.height * np.cos(self.pitch))

    def ray(self, x: float, y: float) -> npt.NDArray[np.float64]:
        """Return the direction of a pixel's line of sight in table coordinates; its length is in pixels."""
        u, v = x - self.centre[0], y - self.centre[1]
        c, s = np.cos(self.roll), np.sin(self.roll)
        u, v = c * u + s * v, -s * u + c * v
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        return np.array([u, -cp * v + sp * self.focal, -sp * v - cp * self.focal])

    def nadir(self) -> tuple[float, float]:
        """Return the pixel straight below the camera."""
        u, v = 0.0, self.focal * np.tan(self.pitch)
        c, s = np.cos(self.roll), np.sin(self.roll)
        return (float(self.centre[0] + c * u - s * v), float(self.centre[1] + s * u + c * v))

    def is_in_front(self, x: float, y: float) -> bool:
        """Return True if a table position is in front of the camera, well away from the plane through its lens."""
        ahead = np.array([x, y, -self.height]) @ np.array([0.0, np.sin(self.pitch), -np.cos(self.pitch)])
        return bool(ahead > 0.2 * np.linalg.norm([x, y, self.height]))

    def pixel(self, point: npt.NDArray[np.float64]) -> tuple[float, float]:
        """Return the pixel of a point in table coordinates (the camera is above the origin)."""
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        down_to = point - np.array([0.0, 0.0, self.height])
        u = down_to[0]
        v = down_to @ np.array([0.0, -cp, -sp])
        depth = down_to @ np.array([0.0, sp, -cp])
        u, v = self.focal * u / depth, self.focal * v / depth
        c, s = np.cos(self.roll), np.sin(self.roll)
        return (float(self.centre[0] + c * u - s * v), float(self.centre[1] + s * u + c * v))


@dataclass(frozen=True, slots=True)
class DiePlacement:
    """A die on the table: centre in table coordinates, edge, yaw and lean.

    Angles are in radians. A tilted die rests on its lowest edge or corner, its top tilted in the direction `towards`.
    `base`: height of its support.
    """

    x: float
    y: float
    edge: float
    yaw: float
    lean: float = 0.0
    towards: float = 0.0
    base: float = 0.0


def _free(new: DiePlacement, others: list[DiePlacement]) -> bool:
    for other in others:
        gap = np.hypot(new.x - other.x, new.y - other.y)
        if gap >= (new.edge + other.edge) * 0.7072:
            continue
        if gap < (new.edge + other.edge) * 0.499:
            return False
        first = ((new.x, new.y), (new.edge, new.edge), float(np.rad2deg(new.yaw)))
        second = ((other.x, other.y), (other.edge, other.edge), float(np.rad2deg(other.yaw)))
        kind, points = cv2.rotatedRectangleIntersection(first, second)
        if kind and points is not None and cv2.contourArea(points) > 0.012:
            return False
    return True


def _beside(other: DiePlacement, edge: float, rng: np.random.Generator) -> DiePlacement:
    """Return a die that touches `other` or nearly so, often aligned with it."""
    square = rng.random() < 0.5
    yaw = other.yaw + (0.0 if square else rng.uniform(0, 1.57))
    reach = (edge + other.edge) / 2 * (rng.uniform(1.0, 1.08) if square else rng.uniform(1.02, 1.4))
    angle = other.yaw + int(rng.integers(4)) * np.pi / 2 if square else rng.uniform(0, 2 * np.pi)
    slide = rng.normal(0, 0.15) * edge
    return DiePlacement(
        other.x + reach * np.cos(angle) - slide * np.sin(angle),
        other.y + reach * np.sin(angle) + slide * np.cos(angle),
        edge,
        yaw,
    )


def arrange(
    view: Viewpoint, size: int, count: int, rng: np.random.Generator, largest: float = 0.4
) -> list[DiePlacement]:
    """Return up to `count` dice in the visible part of the table, apart or in clusters.

    `largest`: maximum edge relative to the image side.
    """
    clustered = rng.random() < 0.4
    mixed = rng.random() < 0.35
    placed: list[DiePlacement] = []
    for _ in range(count * 5):
        if len(placed) >= count:
            break
        edge = float(rng.uniform(0.65, 1.35)) if mixed else 1.0
        if clustered and placed and rng.random() < 0.85:
            new = _beside(placed[int(rng.integers(len(placed)))], edge, rng)
        else:
            ray = view.ray(*rng.uniform(-0.02 * size, 1.02 * size, 2))
            if ray[2] > -0.15 * np.linalg.norm(ray):
                continue
            spot = ray * (view.height - edge / 2) / -ray[2]
            new = DiePlacement(float(spot[0]), float(spot[1]), edge, float(rng.uniform(0, 6.28)))
        near = np.linalg.norm([new.x, new.y, view.height]) / edge
        if near * size * largest > view.focal and view.is_in_front(new.x, new.y) and _free(new, placed):
            placed.append(new)
    return placed


def _in_rows(view: Viewpoint, size: int, count: int, rng: np.random.Generator) -> list[DiePlacement]:
    """Return up to `count` dice in one to three rows, touching or nearly."""
    first = arrange(view, size, 1, rng, _LARGEST)
    if not first:
        return []
    columns = max(1, -(-count // int(rng.integers(1, 4))))
    step, skew = rng.uniform(1.0, 1.04, 2) * first[0].edge, float(rng.normal(0, 0.03))
    c, s = np.cos(first[0].yaw), np.sin(first[0].yaw)
    placed = []
    for number in range(count):
        u, v = (number % columns - (columns - 1) / 2) * step[0], (number // columns) * step[1]
        x, y = first[0].x + c * u - s * v, first[0].y + s * u + c * v
        if (
            view.is_in_front(x, y)
            and np.linalg.norm([x, y, view.height]) * size * _LARGEST > view.focal * first[0].edge
        ):
            yaw = first[0].yaw + skew * float(rng.normal(0, 1)) + int(rng.integers(4)) * np.pi / 2
            placed.append(replace(first[0], x=float(x), y=float(y), yaw=yaw))
    return placed


def _stacked(placed: list[DiePlacement], view: Viewpoint, rng: np.random.Generator) -> list[DiePlacement]:
    """Return the dice with one to three more, each on top of one of them and later in the list.

    Dice of several sizes stay unchanged: a taller neighbour would intersect the one on top.
    """
    if not placed or view.height < 7 or len({die.edge for die in placed}) > 1:
        return placed
    below = set(rng.permutation(len(placed))[: int(rng.integers(1, 4))].tolist())
    out = []
    for number, die in enumerate(placed):
        out.append(die)
        if number in below:
            x, y = rng.normal(0, 0.1, 2).clip(-0.25, 0.25) * die.edge
            yaw = die.yaw + float(rng.normal(0, 0.4))
            out.append(replace(die, x=die.x + float(x), y=die.y + float(y), yaw=yaw, base=die.edge))
    return out


def random_scene_light(rng: np.random.Generator) -> Light:
    """Return a room's light, from any side."""
    height = rng.uniform(0.35, 1.5)
    angle = rng.uniform(0, 2 * np.pi)
    flat = np.array([np.cos(angle) * np.cos(height), np.sin(angle) * np.cos(height), np.sin(height)])
    ambient = float(rng.uniform(0.3, 0.85))
    tint = np.exp(rng.normal(0, 0.06, 3))
    return Light(
        (float(flat[0]), float(flat[1]), float(flat[2])),
        ambient,
        float(rng.uniform(0.9, 1.15)) - ambient,
        (float(tint[0]), float(tint[1]), float(tint[2])),
        float(rng.uniform(0.05, 0.6)),
        float(rng.uniform(0.03, 0.25)),
    )


def _local(light: Light, azimuth: float, view: View) -> Light:
    """Return the table's light in the frame of one die's layers."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    x, y, z = light.direction
    x, y = c * x + s * y, -s * x + c * y
    ct, st = np.cos(view.tilt), np.sin(view.tilt)
    seen = (x, -ct * y - st * z, -st * y + ct * z)
    return replace(light, direction=(float(seen[0]), float(seen[1]), float(seen[2])))


def _sides(turned: npt.NDArray[np.float64], top: npt.NDArray[np.float64], view: View) -> npt.NDArray[np.float64]:
    """Return the centres (N, 3) of the faces other than the top (normal `top`) that the camera sees."""
    toward = np.array([0.0, -np.sin(view.tilt), np.cos(view.tilt)])
    normals = np.vstack([turned.T, -turned.T])
    keep = (normals @ toward > 0.2) & (normals @ top < 0.7)
    return np.asarray(normals[keep] * 0.5)


def _top_normal(die: DiePlacement, azimuth: float) -> npt.NDArray[np.float64]:
    """Return the normal of a die's top face; the table's x axis is rotated by -`azimuth` (radians)."""
    towards = die.towards - azimuth
    across = np.sin(die.lean)
    return np.array([across * np.cos(towards), across * np.sin(towards), np.cos(die.lean)])


def resting_height(turned: npt.NDArray[np.float64], shape: Shape) -> float:
    """Return the height of a die's centre in edges when its lowest point touches the table in the pose `turned`."""
    height = shape.corner + (0.5 - shape.corner) * float(np.abs(turned[2]).sum())
    return min(height, shape.ball) if shape.ball < 0.87 else height


def _enlarged(picture: FloatImage, factor: float) -> FloatImage:
    if factor == 1.0:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR), np.float32)


@dataclass(slots=True)
class TrainingScene:
    """An unfinished image.

    It holds `canvas` BGR 0..1, the dice drawn so far, and their covers: how many dice were drawn before each cover, and
    the share of each pixel that it takes.
    """

    canvas: FloatImage
    view: Viewpoint
    light: Light
    labels: list[Label]
    covers: list[tuple[int, FloatImage]]

    def add(self, die: DiePlacement, kind: RandomDie, face: int) -> None:
        """Draw one die with `face` 1..6 on top, and add its label."""
        model = kind.model
        stands = resting_height(pose(face, die.yaw, die.lean, die.towards), model.shape) if die.lean else 0.5
        point = np.array([die.x, die.y, die.base + die.edge * stands])
        x, y = self.view.pixel(point)
        ray = self.view.ray(x, y)
        reach = float(np.linalg.norm(point - np.array([0, 0, self.view.height])))
        tilt = float(np.arccos(np.clip(-ray[2] / np.linalg.norm(ray), 0, 1)))
        local = View(tilt, max(reach / die.edge, 1.6), float(np.linalg.norm(ray)) * die.edge / reach)
        azimuth = float(np.arctan2(ray[1], ray[0]) - np.pi / 2)
        nadir = self.view.nadir()
        rotation = float(np.arctan2(nadir[1] - y, nadir[0] - x) - np.pi / 2)
        turned = pose(face, die.yaw - azimuth, die.lean, die.towards - azimuth)
        light = _local(self.light, azimuth, local)
        corners = (turned @ _CORNERS.T).T
        coarser = max(1.0, local.edge / _FINEST)
        drawn = replace(local, edge=local.edge / coarser)
        layers = render(model.artwork, turned, model.shape, drawn)
        dark = shadow(drawn, corners, light, int(drawn.edge * 3.2) // 2 * 2)
        darken(self.canvas, _enlarged(dark, coarser), x, y, rotation)
        die_image = _enlarged(shade(layers, model.material, light), coarser)
        cover = composite(self.canvas, [(die_image, x, y)], rotation)
        self.covers.append((len(self.labels), cover))
        c, s = np.cos(rotation), np.sin(rotation)
        spin = np.array([[c, -s], [s, c]])
        middle = np.array([x, y])
        normal = _top_normal(die, azimuth)
        top = spin @ project(normal[None] / 2, local)[0] + middle
        hull = project(corners, local) @ spin.T + middle
        sides = project(_sides(turned, normal, local), local) @ spin.T + middle
        axes = np.stack(camera_axes(local.tilt))
        seen = axes @ normal
        lean = spin @ -seen[:2]
        self.labels.append(
            Label(
                float(top[0]),
                float(top[1]),
                local.edge * local.distance / (local.distance - 0.5 * float(seen[2])),
                float(lean[0]),
                float(lean[1]),
                (*hull.min(0).tolist(), *hull.max(0).tolist()),
                classes.UNKNOWN if die.lean else kind.shows[face - 1],
                kind.paint[face - 1],
                UNLABELLED if die.lean else kind.ink[face - 1],
                classes.STATES.index("cocked") if die.lean else 0,
                1.0,
                tuple((float(a), float(b)) for a, b in sides),
                self._pose(die, (x, y), spin, axes, turned, hull),
            )
        )

    def _pose(
        self,
        die: DiePlacement,
        place: tuple[float, float],
        spin: npt.NDArray[np.float64],
        axes: npt.NDArray[np.float64],
        turned: npt.NDArray[np.float64],
        hull: npt.NDArray[np.float64],
    ) -> Pose:
        """Return the pose. `spin` rotates the die's layers, whose directions are `axes`, into the image."""
        flat = spin @ -axes[:2, 2]
        seen = axes @ turned
        seen[:2] = spin @ -seen[:2]
        off = np.subtract(place, self.view.centre) / self.view.focal
        return Pose(
            float(np.rad2deg(die.lean)),
            (float(flat[0]), float(flat[1])),
            (float(off[0]), float(off[1])),
            tuple(float(value) for value in seen.ravel()),
            tuple(float(value) for value in hull.ravel()),
        )

    def hide(self, cover: FloatImage) -> None:
        """Add a cover over the dice drawn so far. `cover`: the share of each pixel of the canvas that it takes."""
        self.covers.append((len(self.labels), cover))

    def stretch(self, factors: tuple[float, float], rng: np.random.Generator) -> None:
        """Stretch the scene along x and y by `factors` of 1 or more and crop any part of the original size.

        The labels follow, their edges by the mean factor. Labels of the pose in space are dropped.
        """
        height, width = self.canvas.shape[:2]
        scale = np.array(factors)
        off = rng.uniform(0, 1, 2) * (scale - 1) * [width, height]
        matrix = np.column_stack([np.diag(scale), (scale - 1) / 2 - off])
        self.canvas = _warped(self.canvas, matrix)
        self.covers = [(before, _warped(cover, matrix)) for before, cover in self.covers]
        self.labels = [_moved(label, matrix) for label in self.labels]

    def visible_labels(self) -> list[Label]:
        """Return the labels with the share of each top face that later dice and the image border leave visible."""
        out = []
        height, width = self.canvas.shape[:2]
        for index, label in enumerate(self.labels):
            radius = max(2, round(label.edge * 0.4))
            disc = np.zeros((height, width), np.uint8)
            cv2.circle(disc, (round(label.x), round(label.y)), radius, 1, -1)
            spots = np.flatnonzero(disc)
            share = 0.0
            if spots.size:
                free = np.ones(spots.size, np.float32)
                for before, cover in self.covers:
                    if before > index:
                        free *= 1 - cover.ravel()[spots]
                share = float(free.sum() / (np.pi * radius * radius))
            out.append(replace(label, seen=min(1.0, share)))
        return out


def _warped(picture: FloatImage, matrix: npt.NDArray[np.float64]) -> FloatImage:
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.float32)


def _moved(label: Label, matrix: npt.NDArray[np.float64]) -> Label:
    """Return a label in an image transformed by `matrix` (2, 3), a scaling along x and y and a shift."""
    scale, shift = np.diag(matrix[:, :2]), matrix[:, 2]
    spots = np.array([(label.x, label.y), label.box[:2], label.box[2:], *label.sides]) * scale + shift
    return replace(
        label,
        x=float(spots[0, 0]),
        y=float(spots[0, 1]),
        edge=label.edge * float(np.sqrt(scale.prod())),
        box=(float(spots[1, 0]), float(spots[1, 1]), float(spots[2, 0]), float(spots[2, 1])),
        sides=tuple((float(x), float(y)) for x, y in spots[3:]),
        pose=None,
    )


_MAKERS = (
    random_dice.random_pips,
    random_dice.random_ball,
    random_dice.random_numbers,
    random_dice.random_symbols,
    random_dice.random_blank,
    random_dice.random_unreadable,
    random_own,
)
_MIXTURES = (
    (0.28, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.09, (0.7, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.08, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.18, (0.0, 0.0, 0.93, 0.0, 0.07, 0.0, 0.0)),
    (0.07, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)),
    (0.16, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
    (0.07, (0.1, 0.0, 0.0, 0.0, 0.1, 0.8, 0.0)),
    (0.07, (0.2, 0.1, 0.2, 0.1, 0.1, 0.15, 0.15)),
)
"""Probability of each mixture, and its shares of the dice made by `_MAKERS`."""


def draw_from_mixture(rng: np.random.Generator, mixture: tuple[float, ...]) -> RandomDie:
    """Return a die of a mixture (`ThrowMixture`)."""
    return _MAKERS[int(rng.choice(len(_MAKERS), p=mixture))](rng)


def _count(view: Viewpoint, size: int, rng: np.random.Generator) -> int:
    capacity = (size / (view.edge() * 1.6)) ** 2
    return int(min(int(rng.integers(1, 13)), max(1.0, capacity * 0.7))) if rng.random() > 0.15 else 0


def _ground(size: int, rng: np.random.Generator) -> FloatImage:
    """Return a table, a tray, a bowl, a patterned cloth, or a table partly covered by something else."""
    pick = rng.random()
    if pick < 0.06:
        return tray_ground((size, size), rng, random_colour(rng))
    if pick < 0.11:
        return bowl_ground((size, size), rng)
    if pick > 0.94:
        return cloth((size, size), rng)
    ground = random_ground((size, size), rng)
    if pick < 0.33:
        other = random_ground((size, size), rng)
        line = rng.uniform(-1, 1, 2)
        y, x = np.mgrid[:size, :size]
        half = (x / size - rng.uniform(0.2, 0.8)) * line[0] + (y / size - rng.uniform(0.2, 0.8)) * line[1] > 0
        ground = np.where(half[..., None], other, ground)
    return np.ascontiguousarray(ground, np.float32)


def _pages(canvas: FloatImage, view: Viewpoint, rng: np.random.Generator) -> None:
    """Draw one or two printed pages, leaflets or covers, many dice large, on the table (in place)."""
    height, width = canvas.shape[:2]
    for _ in range(int(rng.choice([1, 1, 2]))):
        ray = view.ray(rng.uniform(0.1, 0.9) * width, rng.uniform(0.2, 0.9) * height)
        if ray[2] > -0.15 * np.linalg.norm(ray):
            continue
        middle = ray[:2] * view.height / -ray[2]
        tall = max(4.0, 0.3 * width / view.edge()) * float(rng.uniform(1.0, 3.0))
        half = np.array([tall * rng.uniform(0.55, 1.0), tall]) / 2
        angle = rng.uniform(0, 2 * np.pi)
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = (np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half) @ rotation.T + middle
        if all(view.is_in_front(x, y) for x, y in corners):
            quad = np.array([view.pixel(np.array([x, y, 0.0])) for x, y in corners])
            lay_page(canvas, quad, rng, cover=bool(rng.random() < 0.3))


_VIEWS = (0.7, 0.14, 0.16)
"""Probabilities of a view from anywhere, a very oblique one, and a near one."""

_ASIDE = 0.8
"""Camera pitch in radians from which the sides of dice are clearly visible."""

_LARGEST = 0.75
"""Maximum edge of a die relative to the image side."""


def _viewpoint(size: int, rng: np.random.Generator) -> Viewpoint:
    kinds = (Viewpoint.random, Viewpoint.steep, Viewpoint.near)
    return kinds[int(rng.choice(3, p=_VIEWS))](size, rng)


def random_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return an image (size, size, 3) uint8 BGR and the labels of its dice. Repeatable for the same generator state."""
    view = _viewpoint(size, rng)
    light = random_scene_light(rng)
    scene = TrainingScene(_ground(size, rng), view, light, [], [])
    edge = view.edge()
    if rng.random() < 0.13:
        _pages(scene.canvas, view, rng)
    if rng.random() < 0.55:
        scatter(scene.canvas, edge, int(rng.integers(1, 9)), rng)
    throw = random_throw_mixture(rng)
    if rng.random() < (0.4 if edge > 0.14 * size else 0.2 if view.pitch > _ASIDE else 0.0):
        throw = ThrowMixture(_MIXTURES[0][1], _pale_pips(rng), bool(rng.random() < 0.7))
    if rng.random() < 0.1:
        lighting_effects.match_ground_to_dice(scene.canvas, throw.first.model.material.body, rng)
    if rng.random() < 0.3:
        lay_lookalikes(scene.canvas, edge, int(rng.integers(1, 7)), rng)
    scene.canvas *= np.asarray(light.tint, np.float32) * np.float32(light.ambient + light.diffuse * light.direction[2])
    _throw(scene, throw, size, rng)
    if scene.labels and rng.random() < 0.04:
        scene.canvas = camera_effects.portrait_blurred(
            scene.canvas, np.maximum.reduce([cover for _, cover in scene.covers]), rng
        )
    if rng.random() < 0.12:
        factor = float(rng.uniform(1.05, 4 / 3))
        scene.stretch((factor, 1.0) if rng.random() < 0.5 else (1.0, factor), rng)
    labels = scene.visible_labels()
    if rng.random() < 0.07:
        scene.canvas = camera_effects.strong_colour_cast(scene.canvas, rng)
        labels = [replace(label, paint=UNLABELLED, ink=UNLABELLED) for label in labels]  # nobody could name the colours
    picture = _photographed(scene.canvas, edge, rng)
    return picture, lighting_effects.ignore_washed_out_marks(labels, picture)


def bare_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return a scene like `random_scene`, but without dice and with many objects that resemble dice."""
    view = _viewpoint(size, rng)
    light = random_scene_light(rng)
    canvas = _ground(size, rng)
    edge = view.edge()
    max_objects = int(max(3, (size / edge) ** 2 / 3))
    if rng.random() < 0.2:
        _pages(canvas, view, rng)
    scatter(canvas, edge, min(int(rng.integers(4, 24)), max_objects), rng)
    if rng.random() < 0.5:
        lay_lookalikes(canvas, edge, int(rng.integers(1, 9)), rng)
    if rng.random() < 0.5:
        scatter(canvas, edge, min(int(rng.integers(1, 7)), max_objects), rng)
    canvas *= np.asarray(light.tint, np.float32) * np.float32(light.ambient + light.diffuse * light.direction[2])
    if rng.random() < 0.07:
        canvas = camera_effects.strong_colour_cast(canvas, rng)
    return _photographed(canvas, edge, rng), []


def _pale_pips(rng: np.random.Generator) -> RandomDie:
    """Return a white or ivory die with dark round pips, which show most clearly when it is large."""
    die = random_dice.random_pips(rng)
    name = "white" if rng.random() < 0.75 else "ivory"
    ink = paints.vary_colour(paints.DARK, rng, 0.05)
    body = paints.vary_colour(BODIES[name], rng, 0.03)
    made = replace(die.model.material, body=body, ink=ink, inks=(), fills=(), marble=None, clear=0.0)
    paint = paints.colour_index(name)
    style = random_pip_style(rng)
    artwork = np.stack([pip_face(value, style) for value in range(1, 7)])
    return replace(die, model=replace(die.model, artwork=artwork, material=made), paint=(paint,) * 6)


def unevenly_lit(canvas: FloatImage, rng: np.random.Generator, uneven: float, two_lamps: float) -> FloatImage:
    """Apply uneven light and light of two lamps with the given probabilities, before the camera effects."""
    canvas = np.clip(canvas, 0, 1.5)
    if rng.random() < uneven:
        canvas = camera_effects.uneven_light(canvas, rng)
    return lighting_effects.two_lamps(canvas, rng) if rng.random() < two_lamps else canvas


def _photographed(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Apply the camera effects: uneven and coloured light, glare, overexposure, defocus, noise."""
    canvas = unevenly_lit(canvas, rng, 0.6, 0.12)
    if rng.random() < 0.12:
        canvas = camera_effects.glare(canvas, rng)
    canvas = (
        lighting_effects.overexposed(canvas, rng) if rng.random() < 0.07 else camera_effects.colour_cast(canvas, rng)
    )
    for share, change in _CAMERAS:
        if rng.random() < share:
            canvas = change(canvas, rng)
    if rng.random() < 0.08:
        canvas = lighting_effects.out_of_focus(canvas, edge, rng)
    return (camera_effects.simulate_phone if rng.random() < 0.25 else camera_effects.simulate_camera)(canvas, rng, edge)


_CAMERAS = ((0.12, camera_effects.vignette), (0.07, camera_effects.ill_exposed))
"""Probability of each of these faults in a camera's image."""


@dataclass(frozen=True, slots=True)
class ThrowMixture:
    """The kinds of dice in a throw: a mixture of makers, a first die, and whether all are like it."""

    mixture: tuple[float, ...]
    first: RandomDie
    same: bool


def random_throw_mixture(rng: np.random.Generator) -> ThrowMixture:
    """Return the kinds of dice of a scene."""
    mixture = _MIXTURES[int(rng.choice(len(_MIXTURES), p=[share for share, _ in _MIXTURES]))][1]
    return ThrowMixture(mixture, draw_from_mixture(rng, mixture), bool(rng.random() < 0.4))


_ONES = 0.12
"""Probability that a die with pips shows its one regardless of chance: a single pip resembles other objects most."""


def _top(kind: RandomDie, rng: np.random.Generator) -> int:
    """Return the top face of a die, 1..6."""
    face = int(rng.integers(1, 7))
    return kind.shows.index(1) + 1 if 1 in kind.shows and rng.random() < _ONES else face


def _places(view: Viewpoint, size: int, rng: np.random.Generator) -> list[DiePlacement]:
    """Return the positions of the dice, the farthest first. A die that fills most of the image is in its centre."""
    count, pick = _count(view, size, rng), rng.random(3)
    if count and view.edge() > 0.34 * size and pick[0] < 0.75:
        ray = view.ray(*(size * (0.5 + rng.normal(0, 0.08, 2))))
        if ray[2] < -0.2 * np.linalg.norm(ray):
            spot = ray * (view.height - 0.5) / -ray[2]
            return [DiePlacement(float(spot[0]), float(spot[1]), 1.0, float(rng.uniform(0, 2 * np.pi)))]
    if count > 1 and pick[1] < 0.08:
        placed = _in_rows(view, size, count, rng)
    else:
        placed = arrange(view, size, count, rng, _LARGEST)
    placed.sort(key=lambda die: -float(np.hypot(die.x, die.y)))
    return _stacked(placed, view, rng) if pick[2] < 0.06 else placed


def _throw(scene: TrainingScene, throw: ThrowMixture, size: int, rng: np.random.Generator) -> None:
    mirrored = rng.random() < 0.1
    for number, die in enumerate(_places(scene.view, size, rng)):
        kind = throw.first if throw.same or number == 0 else draw_from_mixture(rng, throw.mixture)
        if mirrored:
            material = lighting_effects.with_reflection(kind.model.material, rng)
            kind = replace(kind, model=replace(kind.model, material=material))
        if rng.random() < 0.015:
            die = replace(die, lean=float(rng.uniform(0.5, 0.95)), towards=float(rng.uniform(0, 6.28)))
        scene.add(die, kind, _top(kind, rng))
