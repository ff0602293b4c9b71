"""Where dice come to rest for the rendered pictures, and the camera that sees them: places, mathematics, truth.

Lengths are in edges of a usual die: the table is the plane z = 0, x and y run along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.training.rendered_dice import Form, MadeDie, Points, make_die, surface, turned
from vision.decision.labels import TrueDie
from vision.dice_sets import DiceSet, Kind
from vision.drawing.rendering import BODIES
from vision.roll import Box

SHAPE = (480, 640)
"""Height and width of the pictures."""

EDGES = (20.0, 90.0)
"""Sizes of the dice in pixels."""

MOST = 8
"""Dice of a throw."""

_MARGIN = 3.0
_ANY_BODY = ("white", "white", "white", "ivory", "black", *BODIES)


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens at `eye` that looks at `target`, sharp there; `focal` in pixels, `aperture` its radius in edges."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float]
    focal: float
    aperture: float

    @classmethod
    def random(cls, edge: float, rng: np.random.Generator) -> Camera:
        """Dice of `edge` pixels in the middle; mostly tilted by 30 degrees at most, one time in eight by about 45."""
        tilt = np.deg2rad(rng.uniform(38, 47) if rng.random() < 0.125 else rng.uniform(0, 30))
        turn, roll = rng.uniform(0, 2 * np.pi, 2)
        focal = float(rng.uniform(480, 900))
        distance = focal / edge
        back = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
        eye = back * distance + [0, 0, 0.5]
        side = np.array([-np.sin(turn), np.cos(turn), 0.0])
        level = rng.normal(0, 0.08) if tilt > np.deg2rad(15) or rng.random() < 0.4 else roll
        up = np.cos(level) * np.cross(back, side) + np.sin(level) * side
        aperture = float(distance * rng.uniform(0.0005, 0.009))
        return cls(_three(eye), (0.0, 0.0, 0.5), _three(up), focal, aperture)

    @property
    def distance(self) -> float:
        """From the eye to what is sharp."""
        return float(np.linalg.norm(np.subtract(self.target, self.eye)))

    @property
    def tilt(self) -> float:
        """Of the line of sight from the vertical, in degrees."""
        return float(np.rad2deg(np.arccos((self.eye[2] - self.target[2]) / self.distance)))

    def axes(self) -> Points:
        """The picture's directions right, down and onwards (3, 3), one a row."""
        onwards = np.subtract(self.target, self.eye) / self.distance
        right = np.cross(onwards, self.up)
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(onwards, right), onwards])

    def pixels(self, points: Points) -> Points:
        """Points (N, 3) of the room as pixels (N, 2) of the picture, (0, 0) its outer corner."""
        seen = (points - self.eye) @ self.axes().T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + [SHAPE[1] / 2, SHAPE[0] / 2])

    def on_table(self, x: float, y: float) -> Points:
        """Where the line of sight of a pixel meets the table."""
        ray = np.array([x - SHAPE[1] / 2, y - SHAPE[0] / 2, self.focal]) @ self.axes()
        return np.asarray(self.eye + ray * (-self.eye[2] / ray[2]))


def _three(values: Points) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


@dataclass(frozen=True, slots=True)
class Spot:
    """The square on which a die stands: its middle, edge and turn (radians)."""

    x: float
    y: float
    edge: float
    yaw: float

    def corners(self) -> Points:
        """The square's corners (4, 2)."""
        c, s = np.cos(self.yaw) * self.edge / 2, np.sin(self.yaw) * self.edge / 2
        return np.array([self.x, self.y]) + np.array([[c - s, s + c], [-c - s, c - s], [s - c, -s - c], [c + s, s - c]])

    def overlaps(self, other: Spot, give: float = 0.004) -> bool:
        """Whether two squares share ground, by the axes of their sides; `give` is what rounding allows."""
        for yaw in (self.yaw, other.yaw):
            for axis in ((np.cos(yaw), np.sin(yaw)), (-np.sin(yaw), np.cos(yaw))):
                one, two = self.corners() @ axis, other.corners() @ axis
                if one.max() - give <= two.min() or two.max() - give <= one.min():
                    return False
        return True

    def beside(self, edge: float, rng: np.random.Generator) -> Spot:
        """A square that touches this one side to side, or nearly so."""
        angle = self.yaw + float(rng.integers(4)) * np.pi / 2
        reach = (self.edge + edge) / 2 + float(rng.choice((0.0, rng.uniform(0.0, 0.06))))
        slide = float(rng.normal(0, 0.2)) * edge
        c, s = float(np.cos(angle)), float(np.sin(angle))
        return Spot(self.x + reach * c - slide * s, self.y + reach * s + slide * c, edge, self.yaw)


@dataclass(frozen=True)
class RestingDie:
    """A die at rest: what it is, where it stands, which of its faces 1..6 is on top."""

    kind: Kind
    made: MadeDie
    spot: Spot
    face: int

    def placed(self, points: Points) -> Points:
        """Points (N, 3) about the die's middle, in its own edges, as points of the room."""
        stood = points @ turned(self.face, self.spot.yaw).T * self.spot.edge
        return np.asarray(stood + np.array([self.spot.x, self.spot.y, self.spot.edge / 2]))

    def truth(self, camera: Camera) -> TrueDie:
        """What a manifest says of it."""
        return TrueDie(self.kind.faces[self.face - 1], self.kind.name, box_of(self.spot, self.made.form, camera))


def box_of(spot: Spot, form: Form, camera: Camera) -> Box:
    """The whole die in pixels of the picture, whichever of its faces is on top."""
    points = surface(form) @ turned(1, spot.yaw).T * spot.edge + [spot.x, spot.y, spot.edge / 2]
    seen = camera.pixels(points)
    left, top = seen.min(0)
    right, bottom = seen.max(0)
    return float(left), float(top), float(right - left), float(bottom - top)


def paths(boxes: Sequence[Box], samples: int) -> npt.NDArray[np.int64]:
    """How many paths of light each pixel (H, W) deserves: all of them about the dice, a sixth on the ground."""
    counts = np.full(SHAPE, max(samples // 6, 1))
    for left, top, width, height in boxes:
        reach = 0.12 * max(width, height)
        rows = slice(max(0, int(top - reach)), int(top + height + reach) + 1)
        counts[rows, max(0, int(left - reach)) : int(left + width + reach) + 1] = samples
    return counts


def random_spots(camera: Camera, edges: Sequence[float], rng: np.random.Generator) -> list[Spot]:
    """Free places for dice of these edges, wholly in the picture; fewer where there is no room."""
    spots: list[Spot] = []
    together = rng.random() < 0.35
    for edge in edges:
        for _ in range(80):
            if spots and together and rng.random() < 0.7:
                spot = spots[int(rng.integers(len(spots)))].beside(edge, rng)
            else:
                x, y, _ = camera.on_table(float(rng.uniform(0, SHAPE[1])), float(rng.uniform(0, SHAPE[0])))
                spot = Spot(float(x), float(y), edge, float(rng.uniform(0, 2 * np.pi)))
            if _whole(spot, camera) and not any(spot.overlaps(other) for other in spots):
                spots.append(spot)
                break
    return spots


def _whole(spot: Spot, camera: Camera) -> bool:
    left, top, width, height = box_of(spot, Form(0.01), camera)
    inside = min(left, top, SHAPE[1] - left - width, SHAPE[0] - top - height) > _MARGIN
    return inside and EDGES[0] * 0.8 < min(width, height) and max(width, height) < EDGES[1] * 2.2


def free_of(dice: Sequence[RestingDie], camera: Camera, width: float, height: float) -> float:
    """How far from the middle bars of that half width and height stand clear of the dice and hide none of them."""
    far, askew = 0.0, 0.0
    for die in dice:
        x, y = die.spot.x, die.spot.y
        far = max(far, abs(x), abs(y))
        askew = max(askew, float(np.hypot(camera.eye[0] - x, camera.eye[1] - y)) / camera.eye[2])
    return far + 0.9 + width + height * askew


def random_throw(dice_set: DiceSet, camera: Camera, edge: float, rng: np.random.Generator) -> list[RestingDie]:
    """A throw of up to MOST dice of the set, mostly from the same box of dice."""
    room = SHAPE[0] * SHAPE[1] / (edge * edge * 4)
    count = min(int(rng.integers(1, MOST + 1)), max(1, int(room)))
    mixed = rng.random() < 0.2
    edges = [float(rng.uniform(0.78, 1.2)) if mixed else 1.0 for _ in range(count)]
    boxes: dict[str, tuple[str, MadeDie]] = {}
    dice = []
    for spot in random_spots(camera, edges, rng):
        kind = dice_set.kinds[int(rng.integers(len(dice_set.kinds)))]
        if kind.name not in boxes or mixed:
            body = str(rng.choice(kind.bodies or _ANY_BODY))
            boxes[kind.name] = body, make_die(kind, body, rng)
        dice.append(RestingDie(kind, boxes[kind.name][1], spot, int(rng.integers(1, 7))))
    return dice
