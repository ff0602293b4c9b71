"""Positions of resting dice for the rendered images, and the camera: placement, projection, truth.

Lengths are in edges of a usual die. The table is the plane z = 0 with the axes x and y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.training.rendered_dice import Form, MadeDie, Points, die_rotation, make_die, surface
from vision.decision.labels import TrueDie
from vision.dice_sets import DiceSet, Kind
from vision.drawing.rendering import BODIES
from vision.roll import Box

SHAPE = (480, 640)
"""Height and width of the images."""

EDGES = (20.0, 90.0)
"""Range of the size of the dice in pixels."""

MAX_DICE = 8
"""Maximum number of dice in a throw."""

_MARGIN = 3.0
_ANY_BODY = ("white", "white", "white", "ivory", "black", *BODIES)


@dataclass(frozen=True, slots=True)
class RenderCamera:
    """A lens at `position`, focused on `target`. `focal` is in pixels, `aperture` is its radius in edges."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float]
    focal: float
    aperture: float

    @classmethod
    def random(cls, edge: float, rng: np.random.Generator) -> RenderCamera:
        """Return a camera that sees dice of `edge` pixels in the centre.

        Most tilt by at most 30 degrees, one in eight by about 45.
        """
        tilt = np.deg2rad(rng.uniform(38, 47) if rng.random() < 0.125 else rng.uniform(0, 30))
        azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
        focal = float(rng.uniform(480, 900))
        distance = focal / edge
        back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
        position = back * distance + [0, 0, 0.5]
        side = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        level = rng.normal(0, 0.08) if tilt > np.deg2rad(15) or rng.random() < 0.4 else roll
        up = np.cos(level) * np.cross(back, side) + np.sin(level) * side
        aperture = float(distance * rng.uniform(0.0005, 0.009))
        return cls(_three(position), (0.0, 0.0, 0.5), _three(up), focal, aperture)

    @property
    def distance(self) -> float:
        """Return the distance from the eye to the focus."""
        return float(np.linalg.norm(np.subtract(self.target, self.position)))

    @property
    def tilt(self) -> float:
        """Return the angle of the line of sight from the vertical, in degrees."""
        return float(np.rad2deg(np.arccos((self.position[2] - self.target[2]) / self.distance)))

    def axes(self) -> Points:
        """Return the image's directions right, down and forward (3, 3), one a row."""
        onwards = np.subtract(self.target, self.position) / self.distance
        right = np.cross(onwards, self.up)
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(onwards, right), onwards])

    def pixels(self, points: Points) -> Points:
        """Project points (N, 3) of the room to pixels (N, 2) of the image, with (0, 0) at its outer corner."""
        seen = (points - self.position) @ self.axes().T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + [SHAPE[1] / 2, SHAPE[0] / 2])

    def pixel_to_table(self, x: float, y: float) -> Points:
        """Return the point where the line of sight of a pixel meets the table."""
        ray = np.array([x - SHAPE[1] / 2, y - SHAPE[0] / 2, self.focal]) @ self.axes()
        return np.asarray(self.position + ray * (-self.position[2] / ray[2]))


def _three(values: Points) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


@dataclass(frozen=True, slots=True)
class DieFootprint:
    """The square under a die: its centre, edge and rotation (radians)."""

    x: float
    y: float
    edge: float
    yaw: float

    def corners(self) -> Points:
        """Return the square's corners (4, 2)."""
        c, s = np.cos(self.yaw) * self.edge / 2, np.sin(self.yaw) * self.edge / 2
        return np.array([self.x, self.y]) + np.array([[c - s, s + c], [-c - s, c - s], [s - c, -s - c], [c + s, s - c]])

    def overlaps(self, other: DieFootprint, give: float = 0.004) -> bool:
        """Return True if two squares overlap, by the separating axes of their sides. `give`: tolerance for rounding."""
        for yaw in (self.yaw, other.yaw):
            for axis in ((np.cos(yaw), np.sin(yaw)), (-np.sin(yaw), np.cos(yaw))):
                one, two = self.corners() @ axis, other.corners() @ axis
                if one.max() - give <= two.min() or two.max() - give <= one.min():
                    return False
        return True

    def beside(self, edge: float, rng: np.random.Generator) -> DieFootprint:
        """Return a square that touches this one side to side, or nearly."""
        angle = self.yaw + float(rng.integers(4)) * np.pi / 2
        reach = (self.edge + edge) / 2 + float(rng.choice((0.0, rng.uniform(0.0, 0.06))))
        slide = float(rng.normal(0, 0.2)) * edge
        c, s = float(np.cos(angle)), float(np.sin(angle))
        return DieFootprint(self.x + reach * c - slide * s, self.y + reach * s + slide * c, edge, self.yaw)


@dataclass(frozen=True)
class RestingDie:
    """A die at rest: its make, its position, and its top face 1..6."""

    kind: Kind
    made: MadeDie
    spot: DieFootprint
    face: int

    def to_world(self, points: Points) -> Points:
        """Map points (N, 3) around the die's centre, in its own edges, to the room."""
        stood = points @ die_rotation(self.face, self.spot.yaw).T * self.spot.edge
        return np.asarray(stood + np.array([self.spot.x, self.spot.y, self.spot.edge / 2]))

    def truth(self, camera: RenderCamera) -> TrueDie:
        """Return the die's entry for a manifest."""
        return TrueDie(self.kind.faces[self.face - 1], self.kind.name, box_of(self.spot, self.made.form, camera))


def box_of(spot: DieFootprint, form: Form, camera: RenderCamera) -> Box:
    """Return the box of the whole die in pixels of the image, independent of its top face."""
    points = surface(form) @ die_rotation(1, spot.yaw).T * spot.edge + [spot.x, spot.y, spot.edge / 2]
    seen = camera.pixels(points)
    left, top = seen.min(0)
    right, bottom = seen.max(0)
    return float(left), float(top), float(right - left), float(bottom - top)


def path_counts(boxes: Sequence[Box], samples: int) -> npt.NDArray[np.int64]:
    """Return the number of light paths of each pixel (H, W): `samples` around the dice, a sixth on the ground."""
    counts = np.full(SHAPE, max(samples // 6, 1))
    for left, top, width, height in boxes:
        reach = 0.12 * max(width, height)
        rows = slice(max(0, int(top - reach)), int(top + height + reach) + 1)
        counts[rows, max(0, int(left - reach)) : int(left + width + reach) + 1] = samples
    return counts


def random_spots(camera: RenderCamera, edges: Sequence[float], rng: np.random.Generator) -> list[DieFootprint]:
    """Return free positions for dice of these edges, completely inside the image; fewer if there is no room."""
    spots: list[DieFootprint] = []
    together = rng.random() < 0.35
    for edge in edges:
        for _ in range(80):
            if spots and together and rng.random() < 0.7:
                spot = spots[int(rng.integers(len(spots)))].beside(edge, rng)
            else:
                x, y, _ = camera.pixel_to_table(float(rng.uniform(0, SHAPE[1])), float(rng.uniform(0, SHAPE[0])))
                spot = DieFootprint(float(x), float(y), edge, float(rng.uniform(0, 2 * np.pi)))
            if _whole(spot, camera) and not any(spot.overlaps(other) for other in spots):
                spots.append(spot)
                break
    return spots


def _whole(spot: DieFootprint, camera: RenderCamera) -> bool:
    left, top, width, height = box_of(spot, Form(0.01), camera)
    inside = min(left, top, SHAPE[1] - left - width, SHAPE[0] - top - height) > _MARGIN
    return inside and EDGES[0] * 0.8 < min(width, height) and max(width, height) < EDGES[1] * 2.2


def free_of(dice: Sequence[RestingDie], camera: RenderCamera, width: float, height: float) -> float:
    """Return the distance from the centre at which bars of that half width and height stay clear of the dice.

    The bars neither touch a die nor hide one.
    """
    far, askew = 0.0, 0.0
    for die in dice:
        x, y = die.spot.x, die.spot.y
        far = max(far, abs(x), abs(y))
        askew = max(askew, float(np.hypot(camera.position[0] - x, camera.position[1] - y)) / camera.position[2])
    return far + 0.9 + width + height * askew


def random_throw(dice_set: DiceSet, camera: RenderCamera, edge: float, rng: np.random.Generator) -> list[RestingDie]:
    """Return a throw of up to MAX_DICE dice of the set, mostly of one make."""
    capacity = SHAPE[0] * SHAPE[1] / (edge * edge * 4)
    count = min(int(rng.integers(1, MAX_DICE + 1)), max(1, int(capacity)))
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
