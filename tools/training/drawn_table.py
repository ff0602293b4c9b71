"""Drawn pictures with a truth for measuring: dice of a set on any table, under any light, seen from above or askew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.training.clutter import scatter
from tools.training.grounds import random_ground
from tools.training.lens import expose, uneven_light
from vision.decision.labels import TrueDie
from vision.dice_sets import Kind
from vision.drawing import design
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import (
    BODIES,
    PATCH,
    Light,
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
from vision.pictures import Picture
from vision.roll import Box

SHAPES = ((480, 640), (720, 960), (960, 1280))
"""Heights and widths of the pictures, the smallest in which the dice have room."""

_ROOM = 5.5
"""Area that a die needs, in squares of its edge."""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Views:
    """What the pictures vary over: `edges` in pixels, `steepest` view of their middle, degrees from the vertical."""

    edges: tuple[float, float] = (16.0, 100.0)
    steepest: float = 55.0


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A drawn die: the truth, and how hard it is to read.

    `tilt` of the view in degrees, `edge` in pixels, `contrast`: the brightness (0..255) between the darkest and the
    lightest twentieth of the top face as it came out.
    """

    die: TrueDie
    tilt: float
    edge: float
    contrast: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that looks straight down with its axis outside the picture, as a lens board shifted sideways would.

    `foot` is the pixel below it and `focal` its focal length in pixels: what lies far from the foot is seen askew.
    """

    foot: tuple[float, float]
    focal: float

    @classmethod
    def random(cls, shape: tuple[int, int], steepest: float, rng: np.random.Generator) -> Camera:
        """Half of them nearly from above, a third askew, the rest as steep as allowed."""
        low, high = ((0.0, 14.0), (14.0, 40.0), (40.0, 90.0))[int(rng.choice(3, p=[0.5, 0.33, 0.17]))]
        askew = np.deg2rad(rng.uniform(min(low, steepest), min(high, steepest)))
        angle = rng.uniform(0, 2 * np.pi)
        focal = float(max(shape) * rng.uniform(1.0, 2.5))
        reach = focal * np.tan(askew)
        return cls((float(shape[1] / 2 + reach * np.cos(angle)), float(shape[0] / 2 + reach * np.sin(angle))), focal)


@dataclass(frozen=True, slots=True)
class Lying:
    """A die on the table: its place in the picture and how it lies there."""

    kind: Kind
    body: str
    face: int
    x: float
    y: float
    yaw: float
    edge: float
    view: View
    turn: float

    @classmethod
    def at(cls, place: tuple[float, float], camera: Camera, edge: float, kind: Kind, rng: np.random.Generator) -> Lying:
        """A die of `kind` there, whatever its body and face."""
        x, y = place
        off_x, off_y = x - camera.foot[0], y - camera.foot[1]
        away = float(np.hypot(off_x, off_y))
        tilt = float(np.arctan2(away, camera.focal))
        turn = float(np.arctan2(-off_y, -off_x) - np.pi / 2) if away > 1e-6 else 0.0
        view = View(tilt, max(camera.focal / edge / float(np.cos(tilt)), 1.6), edge)
        yaw = float(rng.uniform(0, 2 * np.pi))
        return cls(kind, random_body(kind, rng), int(rng.integers(1, 7)), x, y, yaw, edge, view, turn)

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Points (N, 3) of the die's own frame, in edges, as pixels (N, 2) of the picture."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        flat = project(points, self.view) @ np.array([[c, s], [-s, c]])
        return np.asarray(flat + np.array([self.x, self.y]))

    def turned(self) -> np.ndarray:
        """Its pose (3, 3)."""
        return pose(self.face, self.yaw + self.turn)

    def box(self) -> Box:
        """The whole die."""
        corners = self.seen((self.turned() @ _CORNERS.T).T)
        left, top = corners.min(0)
        right, bottom = corners.max(0)
        return float(left), float(top), float(right - left), float(bottom - top)


def random_body(kind: Kind, rng: np.random.Generator) -> str:
    """A body that the kind may have; any for one that does not say, and a plain one round painted faces."""
    bodies = kind.bodies or (("white", "black", "ivory") if kind.marks == "plain" else tuple(BODIES))
    return str(bodies[int(rng.integers(len(bodies)))])


def draw_dice(
    kinds: Sequence[Kind],
    count: int,
    rng: np.random.Generator,
    views: Views | None = None,
    room: np.random.Generator | None = None,
) -> tuple[Picture, list[SeenDie]]:
    """A picture (height, width, 3, BGR) of `count` dice of any of `kinds`, and its truth.

    None is cut off and none hides another's top face; with `count` dice larger edges may not fit and are not drawn.
    The same generator state gives the same picture. With another generator for the `room`, one state of it gives the
    same camera, size of dice, ground and light, whatever `rng` throws there (as many dice each time).
    """
    views = views or Views()
    room = room or rng
    largest = min(views.edges[1], float(np.sqrt(SHAPES[-1][0] * SHAPES[-1][1] / _ROOM / max(count, 1))))
    edge = float(np.exp(room.uniform(np.log(views.edges[0]), np.log(max(largest, views.edges[0])))))
    needed = count * _ROOM * edge * edge
    shape = next((s for s in SHAPES if s[0] * s[1] >= needed and room.random() < 0.7), SHAPES[-1])
    camera = Camera.random(shape, views.steepest, room)
    lying = _arranged(kinds, count, shape, camera, edge, rng)
    lying.sort(key=lambda die: -die.view.tilt)
    light = random_light(room)
    canvas = lit(random_ground(shape, room) if room.random() < 0.6 else tray_ground(shape, room), light)
    for die in lying:
        _draw(canvas, die, light)
    if room.random() < 0.5:
        canvas = uneven_light(canvas, room)
    picture = expose(developed(canvas, room), rng, edge)
    return picture, [_truth(picture, die) for die in lying]


def draw_empty(rng: np.random.Generator) -> Picture:
    """A table without dice: ground, things that are none, light."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    light = random_light(rng)
    canvas = random_ground(shape, rng) if rng.random() < 0.7 else tray_ground(shape, rng)
    canvas = np.ascontiguousarray(canvas, np.float32)
    size = float(np.exp(rng.uniform(np.log(16), np.log(100))))
    scatter(canvas, size, int(rng.integers(0, 16)), rng)
    canvas = lit(canvas, light)
    if rng.random() < 0.5:
        canvas = uneven_light(canvas, rng)
    return expose(developed(canvas, rng), rng, size)


def random_light(rng: np.random.Generator) -> Light:
    """A room's light: from any side, weak or strong, as warm or cold as a camera's white balance leaves it."""
    angle, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.5)
    warm = rng.normal(0, 0.07)
    direction = np.array([np.cos(angle) * np.cos(height), np.sin(angle) * np.cos(height), np.sin(height)])
    ambient = float(rng.uniform(0.35, 0.75))
    return Light(
        (float(direction[0]), float(direction[1]), float(direction[2])),
        ambient,
        float(rng.uniform(0.9, 1.1)) - ambient,
        (float(1 - warm), 1.0, float(1 + warm)),
        float(rng.uniform(0.1, 0.55)),
        float(rng.uniform(0.04, 0.22)),
    )


def _arranged(
    kinds: Sequence[Kind], count: int, shape: tuple[int, int], camera: Camera, edge: float, rng: np.random.Generator
) -> list[Lying]:
    lying: list[Lying] = []
    boxes: list[Box] = []
    for _ in range(400 * count):
        if len(lying) == count:
            break
        place = (float(rng.uniform(0, shape[1])), float(rng.uniform(0, shape[0])))
        die = Lying.at(place, camera, edge, kinds[int(rng.integers(len(kinds)))], rng)
        box = die.box()
        inside = min(box[0], box[1], shape[1] - box[0] - box[2], shape[0] - box[1] - box[3]) > 0.08 * edge
        if inside and all(_shared(box, other) < 0.04 * edge * edge for other in boxes):
            lying.append(die)
            boxes.append(box)
    return lying


def _shared(one: Box, other: Box) -> float:
    """Area that two boxes have in common."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    tall = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, tall)


def lit(ground: FloatImage, light: Light) -> FloatImage:
    """The ground in that light."""
    strength = light.ambient + light.diffuse * light.direction[2]
    return np.ascontiguousarray(ground * (np.asarray(light.tint, np.float32) * np.float32(strength)), np.float32)


def developed(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """As a camera's automatic leaves it: little is burnt out, and the white balance is not quite right."""
    bright = float(np.percentile(canvas.max(2)[::5, ::5], 99))
    gain = float(np.clip(rng.uniform(0.75, 1.0) / max(bright, 0.05), 0.6, 1.6))
    cast = np.exp(rng.normal(0, 0.05, 3) * np.array([1.0, 0.3, 1.0])) * gain
    return np.asarray(np.clip(canvas * cast, 0, 1) ** float(np.exp(rng.normal(0, 0.1))), np.float32)


def _draw(canvas: FloatImage, die: Lying, light: Light) -> None:
    looked = design.die_model(die.kind, die.body)
    own = _in_view(light, die)
    turned = die.turned()
    layers = render(looked.artwork, turned, looked.shape, die.view)
    size = int(np.ceil(die.edge * PATCH * 0.9)) * 2
    darken(canvas, shadow(die.view, (turned @ _CORNERS.T).T, own, size), die.x, die.y, die.turn)
    lay(canvas, [(shade(layers, looked.material, own), die.x, die.y)], die.turn)


def _in_view(light: Light, die: Lying) -> Light:
    """The table's light in the frame of one die's layers."""
    c, s = np.cos(-die.turn), np.sin(-die.turn)
    x, y, z = light.direction
    on_table = np.array([c * x - s * y, -(s * x + c * y), z])
    seen = [float(axis @ on_table) for axis in camera_axes(die.view.tilt)]
    return replace(light, direction=(seen[0], seen[1], seen[2]))


def _truth(picture: Picture, die: Lying) -> SeenDie:
    middle = die.seen(np.array([[0.0, 0.0, 0.5]]))[0]
    reach = 0.36 * die.edge * float(np.cos(die.view.tilt))
    left, top = max(0, int(middle[0] - reach)), max(0, int(middle[1] - reach))
    part = picture[top : int(middle[1] + reach) + 1, left : int(middle[0] + reach) + 1]
    low, high = np.percentile(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (5, 95))
    true = TrueDie(die.kind.faces[die.face - 1], die.kind.name, die.box())
    return SeenDie(true, float(np.rad2deg(die.view.tilt)), die.edge, float(high - low))
