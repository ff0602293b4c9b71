"""Random scenes of dice on tables, with labels: the pictures on which the nets learn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training import random_dice, rooms
from tools.training.clutter import scatter
from tools.training.grounds import bowl_ground, random_colour, random_ground
from tools.training.labels import NOT_SAID, Label, Pose
from tools.training.lens import colour_cast, expose, uneven_light
from tools.training.lookalikes import lay_lookalikes
from tools.training.own_dice import random_own
from tools.training.random_dice import RandomDie
from vision.classification import classes
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import (
    Light,
    Shape,
    View,
    camera_axes,
    darken,
    lay,
    pose,
    project,
    render,
    shade,
    shadow,
)
from vision.drawing.tray import tray_ground

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
        """Mostly from above, often oblique; upright when oblique, as people hold cameras."""
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

    def ray(self, x: float, y: float) -> npt.NDArray[np.float64]:
        """Direction of a pixel's line of sight in table coordinates; its length is in pixels."""
        u, v = x - self.centre[0], y - self.centre[1]
        c, s = np.cos(self.roll), np.sin(self.roll)
        u, v = c * u + s * v, -s * u + c * v
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        return np.array([u, -cp * v + sp * self.focal, -sp * v - cp * self.focal])

    def nadir(self) -> tuple[float, float]:
        """The pixel straight below the camera."""
        u, v = 0.0, self.focal * np.tan(self.pitch)
        c, s = np.cos(self.roll), np.sin(self.roll)
        return (float(self.centre[0] + c * u - s * v), float(self.centre[1] + s * u + c * v))

    def faces(self, x: float, y: float) -> bool:
        """Whether that place on the table lies before the camera, well away from the plane through its lens."""
        ahead = np.array([x, y, -self.height]) @ np.array([0.0, np.sin(self.pitch), -np.cos(self.pitch)])
        return bool(ahead > 0.2 * np.linalg.norm([x, y, self.height]))

    def pixel(self, point: npt.NDArray[np.float64]) -> tuple[float, float]:
        """The pixel of a point in table coordinates (the camera stands above the origin)."""
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        down_to = point - np.array([0.0, 0.0, self.height])
        u = down_to[0]
        v = down_to @ np.array([0.0, -cp, -sp])
        depth = down_to @ np.array([0.0, sp, -cp])
        u, v = self.focal * u / depth, self.focal * v / depth
        c, s = np.cos(self.roll), np.sin(self.roll)
        return (float(self.centre[0] + c * u - s * v), float(self.centre[1] + s * u + c * v))


@dataclass(frozen=True, slots=True)
class Placed:
    """A die on the table: middle in table coordinates, its edge, yaw and lean.

    Angles in radians. A die that leans stands on its lowest edge or corner, its top tilted `towards` that direction.
    """

    x: float
    y: float
    edge: float
    yaw: float
    lean: float = 0.0
    towards: float = 0.0


def _free(new: Placed, others: list[Placed]) -> bool:
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


def _beside(other: Placed, edge: float, rng: np.random.Generator) -> Placed:
    """A die that touches `other` or nearly so, often squarely."""
    square = rng.random() < 0.5
    yaw = other.yaw + (0.0 if square else rng.uniform(0, 1.57))
    reach = (edge + other.edge) / 2 * (rng.uniform(1.0, 1.08) if square else rng.uniform(1.02, 1.4))
    angle = other.yaw + int(rng.integers(4)) * np.pi / 2 if square else rng.uniform(0, 2 * np.pi)
    slide = rng.normal(0, 0.15) * edge
    return Placed(
        other.x + reach * np.cos(angle) - slide * np.sin(angle),
        other.y + reach * np.sin(angle) + slide * np.cos(angle),
        edge,
        yaw,
    )


def arrange(view: Viewpoint, size: int, count: int, rng: np.random.Generator) -> list[Placed]:
    """Up to `count` dice on what the camera sees of the table, apart or in clusters."""
    clustered = rng.random() < 0.4
    mixed = rng.random() < 0.35
    placed: list[Placed] = []
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
            new = Placed(float(spot[0]), float(spot[1]), edge, float(rng.uniform(0, 6.28)))
        near = np.linalg.norm([new.x, new.y, view.height]) / edge
        if near * size > view.focal * 2.5 and view.faces(new.x, new.y) and _free(new, placed):
            placed.append(new)
    return placed


def any_light(rng: np.random.Generator) -> Light:
    """A room's light, from any side."""
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
    """The table's light in the frame of one die's layers."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    x, y, z = light.direction
    x, y = c * x + s * y, -s * x + c * y
    ct, st = np.cos(view.tilt), np.sin(view.tilt)
    seen = (x, -ct * y - st * z, -st * y + ct * z)
    return replace(light, direction=(float(seen[0]), float(seen[1]), float(seen[2])))


def _sides(turned: npt.NDArray[np.float64], top: npt.NDArray[np.float64], view: View) -> npt.NDArray[np.float64]:
    """Middles (N, 3) of the faces other than the top (normal `top`) that the camera sees."""
    toward = np.array([0.0, -np.sin(view.tilt), np.cos(view.tilt)])
    normals = np.vstack([turned.T, -turned.T])
    keep = (normals @ toward > 0.2) & (normals @ top < 0.7)
    return np.asarray(normals[keep] * 0.5)


def _top_normal(die: Placed, azimuth: float) -> npt.NDArray[np.float64]:
    """The normal of a die's top face; the table's x axis turned by -`azimuth` (radians)."""
    towards = die.towards - azimuth
    across = np.sin(die.lean)
    return np.array([across * np.cos(towards), across * np.sin(towards), np.cos(die.lean)])


def resting_height(turned: npt.NDArray[np.float64], shape: Shape) -> float:
    """Height of a die's middle over the table, in edges, when its lowest point touches it in the pose `turned`."""
    height = shape.corner + (0.5 - shape.corner) * float(np.abs(turned[2]).sum())
    return min(height, shape.ball) if shape.ball < 0.87 else height


@dataclass(slots=True)
class Scene:
    """A picture under way: `canvas` BGR 0..1, the dice laid so far, and what covers them: how many dice were laid
    before it, and the share of each pixel that it takes."""

    canvas: FloatImage
    view: Viewpoint
    light: Light
    labels: list[Label]
    covers: list[tuple[int, FloatImage]]

    def add(self, die: Placed, kind: RandomDie, face: int) -> None:
        """Draws one die, and its label. `face` 1..6 on top."""
        look = kind.look
        stands = resting_height(pose(face, die.yaw, die.lean, die.towards), look.shape) if die.lean else 0.5
        point = np.array([die.x, die.y, die.edge * stands])
        x, y = self.view.pixel(point)
        ray = self.view.ray(x, y)
        reach = float(np.linalg.norm(point - np.array([0, 0, self.view.height])))
        tilt = float(np.arccos(np.clip(-ray[2] / np.linalg.norm(ray), 0, 1)))
        local = View(tilt, max(reach / die.edge, 1.6), float(np.linalg.norm(ray)) * die.edge / reach)
        azimuth = float(np.arctan2(ray[1], ray[0]) - np.pi / 2)
        nadir = self.view.nadir()
        turn = float(np.arctan2(nadir[1] - y, nadir[0] - x) - np.pi / 2)
        turned = pose(face, die.yaw - azimuth, die.lean, die.towards - azimuth)
        light = _local(self.light, azimuth, local)
        layers = render(look.artwork, turned, look.shape, local)
        corners = (turned @ _CORNERS.T).T
        darken(self.canvas, shadow(local, corners, light, int(local.edge * 3.2) // 2 * 2), x, y, turn)
        cover = lay(self.canvas, [(shade(layers, look.material, light), x, y)], turn)
        self.covers.append((len(self.labels), cover))
        c, s = np.cos(turn), np.sin(turn)
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
                NOT_SAID if die.lean else kind.ink[face - 1],
                classes.STATES.index("cocked") if die.lean else 0,
                1.0,
                tuple((float(a), float(b)) for a, b in sides),
                self._pose(die, (x, y), spin, axes, turned, hull),
            )
        )

    def _pose(
        self,
        die: Placed,
        place: tuple[float, float],
        spin: npt.NDArray[np.float64],
        axes: npt.NDArray[np.float64],
        turned: npt.NDArray[np.float64],
        hull: npt.NDArray[np.float64],
    ) -> Pose:
        """`spin` takes the die's layers, whose directions are `axes`, into the picture."""
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
        """What was laid over the dice drawn so far: the share of each pixel of the canvas that it takes."""
        self.covers.append((len(self.labels), cover))

    def seen_labels(self) -> list[Label]:
        """The labels with the share of each top face that later dice and the picture's rim leave to be seen."""
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
"""How often a throw is of a mixture, and the mixture's shares of the dice that `_MAKERS` make."""


def next_die(rng: np.random.Generator, mixture: tuple[float, ...]) -> RandomDie:
    """A die of a mixture (`Throw`)."""
    return _MAKERS[int(rng.choice(len(_MAKERS), p=mixture))](rng)


def _count(view: Viewpoint, size: int, rng: np.random.Generator) -> int:
    edge = view.focal / view.height * np.cos(view.pitch)
    room = (size / (edge * 1.6)) ** 2
    return int(min(rng.integers(1, 13), max(1, room * 0.7))) if rng.random() > 0.15 else 0


def _ground(size: int, rng: np.random.Generator) -> FloatImage:
    """A table, a tray, a bowl, or a table with something else lying on part of it."""
    pick = rng.random()
    if pick < 0.06:
        return tray_ground((size, size), rng, random_colour(rng))
    if pick < 0.11:
        return bowl_ground((size, size), rng)
    ground = random_ground((size, size), rng)
    if pick < 0.33:
        other = random_ground((size, size), rng)
        line = rng.uniform(-1, 1, 2)
        y, x = np.mgrid[:size, :size]
        half = (x / size - rng.uniform(0.2, 0.8)) * line[0] + (y / size - rng.uniform(0.2, 0.8)) * line[1] > 0
        ground = np.where(half[..., None], other, ground)
    return np.ascontiguousarray(ground, np.float32)


def random_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    view = Viewpoint.random(size, rng)
    light = any_light(rng)
    scene = Scene(_ground(size, rng), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    if rng.random() < 0.55:
        scatter(scene.canvas, edge, int(rng.integers(1, 9)), rng)
    throw = kinds_of_throw(rng)
    if rng.random() < 0.1:
        rooms.matched_ground(scene.canvas, throw.first.look.material.body, rng)
    if rng.random() < 0.3:
        lay_lookalikes(scene.canvas, edge, int(rng.integers(1, 7)), rng)
    scene.canvas *= np.asarray(light.tint, np.float32) * np.float32(light.ambient + light.diffuse * light.direction[2])
    _throw(scene, throw, size, rng)
    picture = _photographed(scene.canvas, edge, rng)
    return picture, rooms.with_marks_that_show(scene.seen_labels(), picture)


def bare_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """As `random_scene`, but without dice and with many things on the table that may be taken for one."""
    light = any_light(rng)
    canvas = _ground(size, rng)
    edge = float(np.exp(rng.uniform(np.log(13), np.log(80))))
    room = int(max(3, (size / edge) ** 2 / 3))
    scatter(canvas, edge, min(int(rng.integers(4, 24)), room), rng)
    if rng.random() < 0.5:
        lay_lookalikes(canvas, edge, int(rng.integers(1, 9)), rng)
    if rng.random() < 0.5:
        scatter(canvas, edge, int(rng.integers(1, 7)), rng)
    canvas *= np.asarray(light.tint, np.float32) * np.float32(light.ambient + light.diffuse * light.direction[2])
    return _photographed(canvas, edge, rng), []


def unevenly_lit(canvas: FloatImage, rng: np.random.Generator, uneven: float, two_lamps: float) -> FloatImage:
    """The scene under light that is uneven or of two lamps as often as said, not yet developed."""
    canvas = np.clip(canvas, 0, 1.5)
    if rng.random() < uneven:
        canvas = uneven_light(canvas, rng)
    return rooms.two_lamps(canvas, rng) if rng.random() < two_lamps else canvas


def _photographed(canvas: FloatImage, edge: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """What a camera makes of it: uneven and coloured light, what burns out, focus, noise."""
    canvas = unevenly_lit(canvas, rng, 0.6, 0.12)
    canvas = rooms.burnt_out(canvas, rng) if rng.random() < 0.07 else colour_cast(canvas, rng)
    if rng.random() < 0.08:
        canvas = rooms.out_of_focus(canvas, edge, rng)
    return expose(canvas, rng, edge)


@dataclass(frozen=True, slots=True)
class Throw:
    """What dice a throw is of: a mixture of makers, a first die, and whether all are like it."""

    mixture: tuple[float, ...]
    first: RandomDie
    same: bool


def kinds_of_throw(rng: np.random.Generator) -> Throw:
    """What dice lie in a scene."""
    mixture = _MIXTURES[int(rng.choice(len(_MIXTURES), p=[share for share, _ in _MIXTURES]))][1]
    return Throw(mixture, next_die(rng, mixture), bool(rng.random() < 0.4))


_ONES = 0.12
"""How often a die with pips is laid on its six whatever it falls on: a single pip is most like what is no die."""


def _top(kind: RandomDie, rng: np.random.Generator) -> int:
    """The face of a die that lies on top, 1..6."""
    face = int(rng.integers(1, 7))
    return kind.shows.index(1) + 1 if 1 in kind.shows and rng.random() < _ONES else face


def _throw(scene: Scene, throw: Throw, size: int, rng: np.random.Generator) -> None:
    placed = arrange(scene.view, size, _count(scene.view, size, rng), rng)
    placed.sort(key=lambda die: -float(np.hypot(die.x, die.y)))
    mirrored = rng.random() < 0.1
    for number, die in enumerate(placed):
        kind = throw.first if throw.same or number == 0 else next_die(rng, throw.mixture)
        if mirrored:
            shown = rooms.mirroring(kind.look.material, rng)
            kind = replace(kind, look=replace(kind.look, material=shown))
        if rng.random() < 0.015:
            die = replace(die, lean=float(rng.uniform(0.5, 0.95)), towards=float(rng.uniform(0, 6.28)))
        scene.add(die, kind, _top(kind, rng))
