"""Drawn images with known truth for evaluation: dice of a set on any table, in any light, from above or at an angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.training.camera_effects import simulate_camera, uneven_light
from tools.training.clutter import scatter
from tools.training.grounds import random_ground
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
    composite,
    darken,
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
"""Heights and widths of the images. The smallest one with enough room for the dice is used."""

_AREA_PER_DIE = 5.5
"""Area that a die needs, in squares of its edge."""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class CameraViews:
    """The variation of the images: `edges` in pixels, `max_tilt` view angle at their centre, in degrees from
    vertical."""

    edges: tuple[float, float] = (16.0, 100.0)
    max_tilt: float = 55.0


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A drawn die: its truth, and measures of its difficulty.

    - `tilt`: view angle in degrees.
    - `edge`: in pixels.
    - `contrast`: difference in brightness (0..255) between the darkest and the lightest 5 % of the top face.
    """

    die: TrueDie
    tilt: float
    edge: float
    contrast: float


@dataclass(frozen=True, slots=True)
class DrawnCamera:
    """A camera that looks straight down with its principal point outside the image, like a lens shifted sideways.

    `foot` is the pixel below it and `focal` its focal length in pixels. Objects far from the foot are seen at an angle.
    """

    foot: tuple[float, float]
    focal: float

    @classmethod
    def random(cls, shape: tuple[int, int], max_tilt: float, rng: np.random.Generator) -> DrawnCamera:
        """Return a random camera: half of them nearly from above, a third at an angle, the rest as steep as allowed."""
        low, high = ((0.0, 14.0), (14.0, 40.0), (40.0, 90.0))[int(rng.choice(3, p=[0.5, 0.33, 0.17]))]
        askew = np.deg2rad(rng.uniform(min(low, max_tilt), min(high, max_tilt)))
        angle = rng.uniform(0, 2 * np.pi)
        focal = float(max(shape) * rng.uniform(1.0, 2.5))
        reach = focal * np.tan(askew)
        return cls((float(shape[1] / 2 + reach * np.cos(angle)), float(shape[0] / 2 + reach * np.sin(angle))), focal)


@dataclass(frozen=True, slots=True)
class PosedDie:
    """A die on the table: its position in the image and its pose."""

    kind: Kind
    body: str
    face: int
    x: float
    y: float
    yaw: float
    edge: float
    view: View
    rotation: float

    @classmethod
    def at(
        cls, place: tuple[float, float], camera: DrawnCamera, edge: float, kind: Kind, rng: np.random.Generator
    ) -> PosedDie:
        """Return a die of `kind` at that position with a random body and face."""
        x, y = place
        off_x, off_y = x - camera.foot[0], y - camera.foot[1]
        distance = float(np.hypot(off_x, off_y))
        tilt = float(np.arctan2(distance, camera.focal))
        rotation = float(np.arctan2(-off_y, -off_x) - np.pi / 2) if distance > 1e-6 else 0.0
        view = View(tilt, max(camera.focal / edge / float(np.cos(tilt)), 1.6), edge)
        yaw = float(rng.uniform(0, 2 * np.pi))
        return cls(kind, random_body(kind, rng), int(rng.integers(1, 7)), x, y, yaw, edge, view, rotation)

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Project points (N, 3) of the die's frame, in edges, to pixels (N, 2) of the image."""
        c, s = np.cos(self.rotation), np.sin(self.rotation)
        flat = project(points, self.view) @ np.array([[c, s], [-s, c]])
        return np.asarray(flat + np.array([self.x, self.y]))

    def pose_matrix(self) -> np.ndarray:
        """Return its rotation (3, 3)."""
        return pose(self.face, self.yaw + self.rotation)

    def box(self) -> Box:
        """Return the bounding box of the whole die."""
        corners = self.to_pixels((self.pose_matrix() @ _CORNERS.T).T)
        left, top = corners.min(0)
        right, bottom = corners.max(0)
        return float(left), float(top), float(right - left), float(bottom - top)


def random_body(kind: Kind, rng: np.random.Generator) -> str:
    """Return a body that the kind may have: any for a kind without bodies, and a plain one for painted faces."""
    bodies = kind.bodies or (("white", "black", "ivory") if kind.marks == "plain" else tuple(BODIES))
    return str(bodies[int(rng.integers(len(bodies)))])


def draw_dice(
    kinds: Sequence[Kind],
    count: int,
    rng: np.random.Generator,
    views: CameraViews | None = None,
    table_rng: np.random.Generator | None = None,
) -> tuple[Picture, list[SeenDie]]:
    """Return an image (height, width, 3, BGR) of `count` dice of any of `kinds`, and its truth.

    No die is cut off and none hides another's top face. The edge is limited so that `count` dice fit. The same
    generator state gives the same image. With a separate generator `table_rng`, camera, die size, ground and light
    depend only on its state, whatever `rng` throws there (with the same number of dice).
    """
    views = views or CameraViews()
    table_rng = table_rng or rng
    largest = min(views.edges[1], float(np.sqrt(SHAPES[-1][0] * SHAPES[-1][1] / _AREA_PER_DIE / max(count, 1))))
    edge = float(np.exp(table_rng.uniform(np.log(views.edges[0]), np.log(max(largest, views.edges[0])))))
    needed = count * _AREA_PER_DIE * edge * edge
    shape = next((s for s in SHAPES if s[0] * s[1] >= needed and table_rng.random() < 0.7), SHAPES[-1])
    camera = DrawnCamera.random(shape, views.max_tilt, table_rng)
    dice = _arranged(kinds, count, shape, camera, edge, rng)
    dice.sort(key=lambda die: -die.view.tilt)
    light = random_light(table_rng)
    canvas = lit(random_ground(shape, table_rng) if table_rng.random() < 0.6 else tray_ground(shape, table_rng), light)
    for die in dice:
        _draw(canvas, die, light)
    if table_rng.random() < 0.5:
        canvas = uneven_light(canvas, table_rng)
    picture = simulate_camera(auto_exposed(canvas, table_rng), rng, edge)
    return picture, [_truth(picture, die) for die in dice]


def draw_empty(rng: np.random.Generator) -> Picture:
    """Return a table without dice: ground, other objects, light."""
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    light = random_light(rng)
    canvas = random_ground(shape, rng) if rng.random() < 0.7 else tray_ground(shape, rng)
    canvas = np.ascontiguousarray(canvas, np.float32)
    size = float(np.exp(rng.uniform(np.log(16), np.log(100))))
    scatter(canvas, size, int(rng.integers(0, 16)), rng)
    canvas = lit(canvas, light)
    if rng.random() < 0.5:
        canvas = uneven_light(canvas, rng)
    return simulate_camera(auto_exposed(canvas, rng), rng, size)


def random_light(rng: np.random.Generator) -> Light:
    """Return a room's light: from any side, weak or strong, with the colour cast left by a camera's white balance."""
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
    kinds: Sequence[Kind],
    count: int,
    shape: tuple[int, int],
    camera: DrawnCamera,
    edge: float,
    rng: np.random.Generator,
) -> list[PosedDie]:
    placed: list[PosedDie] = []
    boxes: list[Box] = []
    for _ in range(400 * count):
        if len(placed) == count:
            break
        place = (float(rng.uniform(0, shape[1])), float(rng.uniform(0, shape[0])))
        die = PosedDie.at(place, camera, edge, kinds[int(rng.integers(len(kinds)))], rng)
        box = die.box()
        inside = min(box[0], box[1], shape[1] - box[0] - box[2], shape[0] - box[1] - box[3]) > 0.08 * edge
        if inside and all(_shared(box, other) < 0.04 * edge * edge for other in boxes):
            placed.append(die)
            boxes.append(box)
    return placed


def _shared(one: Box, other: Box) -> float:
    """Return the area of the intersection of two boxes."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    tall = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, tall)


def lit(ground: FloatImage, light: Light) -> FloatImage:
    """Return the ground in that light."""
    strength = light.ambient + light.diffuse * light.direction[2]
    return np.ascontiguousarray(ground * (np.asarray(light.tint, np.float32) * np.float32(strength)), np.float32)


def auto_exposed(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Apply automatic exposure and white balance: little is overexposed, and the white balance is slightly off."""
    bright = float(np.percentile(canvas.max(2)[::5, ::5], 99))
    gain = float(np.clip(rng.uniform(0.75, 1.0) / max(bright, 0.05), 0.6, 1.6))
    cast = np.exp(rng.normal(0, 0.05, 3) * np.array([1.0, 0.3, 1.0])) * gain
    return np.asarray(np.clip(canvas * cast, 0, 1) ** float(np.exp(rng.normal(0, 0.1))), np.float32)


def _draw(canvas: FloatImage, die: PosedDie, light: Light) -> None:
    looked = design.die_model(die.kind, die.body)
    own = _in_view(light, die)
    turned = die.pose_matrix()
    layers = render(looked.artwork, turned, looked.shape, die.view)
    size = int(np.ceil(die.edge * PATCH * 0.9)) * 2
    darken(canvas, shadow(die.view, (turned @ _CORNERS.T).T, own, size), die.x, die.y, die.rotation)
    composite(canvas, [(shade(layers, looked.material, own), die.x, die.y)], die.rotation)


def _in_view(light: Light, die: PosedDie) -> Light:
    """Return the table's light in the frame of one die's layers."""
    c, s = np.cos(-die.rotation), np.sin(-die.rotation)
    x, y, z = light.direction
    on_table = np.array([c * x - s * y, -(s * x + c * y), z])
    seen = [float(axis @ on_table) for axis in camera_axes(die.view.tilt)]
    return replace(light, direction=(seen[0], seen[1], seen[2]))


def _truth(picture: Picture, die: PosedDie) -> SeenDie:
    middle = die.to_pixels(np.array([[0.0, 0.0, 0.5]]))[0]
    reach = 0.36 * die.edge * float(np.cos(die.view.tilt))
    left, top = max(0, int(middle[0] - reach)), max(0, int(middle[1] - reach))
    part = picture[top : int(middle[1] + reach) + 1, left : int(middle[0] + reach) + 1]
    low, high = np.percentile(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (5, 95))
    true = TrueDie(die.kind.faces[die.face - 1], die.kind.name, die.box())
    return SeenDie(true, float(np.rad2deg(die.view.tilt)), die.edge, float(high - low))
