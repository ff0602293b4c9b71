"""Scenes for the pose network: half of the dice are tilted by an object, and the same objects lie beside flat dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from tools.training import paints, random_dice
from tools.training.clutter import scatter
from tools.training.drawn_table import lit, random_light
from tools.training.grounds import random_colour, random_ground
from tools.training.labels import Label
from tools.training.own_dice import random_own
from tools.training.own_scenes import overhead_viewpoint, simulate_photograph
from tools.training.random_dice import RandomDie
from tools.training.scenes import (
    DiePlacement,
    TrainingScene,
    Viewpoint,
    draw_from_mixture,
    random_scene_light,
    random_throw_mixture,
    resting_height,
)
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Shape, pose
from vision.drawing.tray import tray_ground

Points = npt.NDArray[np.float64]

LEANS = (5.0, 50.0)
"""Range of the tilt of a die, in degrees."""

_OVER_AN_EDGE = 45.0
"""Tilt about an edge, in degrees, at which another face becomes the top."""

_TURNS = 28
"""Number of corners of a token's outline."""

_MIN_SPACING = 2.0
"""Minimum distance of the centres of two dice without a common support, in edges."""


@dataclass(frozen=True, slots=True)
class Support:
    """A prism on the table: its `outline` (n, 2) counter-clockwise, height and colour."""

    outline: Points
    height: float
    colour: tuple[float, float, float]
    ring: tuple[float, float, float] | None = None

    def corners(self, height: float) -> Points:
        """Return its outline (n, 3) at that height."""
        return np.column_stack([self.outline, np.full(len(self.outline), height)])

    def whole(self) -> Points:
        """Return all its corners (2 n, 3)."""
        return np.vstack([self.corners(0.0), self.corners(self.height)])


def leaning_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Return an image (size, size, 3) uint8 BGR and the labels of its dice. Repeatable for the same generator state."""
    small = rng.random() < 0.2
    view = _camera(size, rng, (15.0, 34.0) if small else (16.0, 70.0))
    light = random_light(rng) if rng.random() < 0.6 else random_scene_light(rng)
    ground = tray_ground((size, size), rng) if rng.random() < 0.25 else random_ground((size, size), rng)
    scene = TrainingScene(np.ascontiguousarray(ground, np.float32), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    if rng.random() < 0.25:
        scatter(scene.canvas, edge, int(rng.integers(1, 6)), rng)
    scene.canvas = lit(scene.canvas, light)
    kinds = _kinds(small, rng)
    places = _places(view, size, int(rng.integers(5, 16)), rng)
    for place in sorted(places, key=lambda place: -float(np.hypot(*place))):
        kind = kinds[int(rng.integers(len(kinds)))]
        grown = float(rng.uniform(0.7, 1.25)) if rng.random() < 0.2 else 1.0
        die = DiePlacement(float(place[0]), float(place[1]), grown, float(rng.uniform(0, 2 * np.pi)))
        lay_die(scene, die, kind, rng, None if rng.random() < 0.5 else 0.0)
    return simulate_photograph(scene.canvas, edge, rng), scene.visible_labels()


def _camera(size: int, rng: np.random.Generator, edges: tuple[float, float]) -> Viewpoint:
    """Return a random camera: most look down at a small angle, as over a tray; the others are anywhere."""
    pick = rng.random()
    view = Viewpoint.random(size, rng) if pick < 0.3 else overhead_viewpoint(size, rng)
    edge = float(np.exp(rng.uniform(np.log(edges[0]), np.log(edges[1]))))
    if pick >= 0.5:
        pitch = float(np.deg2rad(min(abs(rng.normal(0, 9)), 28)))
        shift = rng.uniform(-0.5, 0.5, 2) * size if rng.random() < 0.4 else np.zeros(2)
        middle = (size / 2 + float(shift[0]), size / 2 + float(shift[1]))
        focal = float(size * rng.uniform(0.75, 2.4))
        view = Viewpoint(focal, middle, pitch, float(rng.uniform(-np.pi, np.pi)), 0.0)
    return replace(view, height=float(view.focal / edge * np.cos(view.pitch)))


def _kinds(small: bool, rng: np.random.Generator) -> list[RandomDie]:
    """Return the kinds of dice of a scene: any kind, the product's sets, and dark or marbled ones if they are small."""
    number = 1 if rng.random() < 0.35 else int(rng.integers(2, 4))
    if small and rng.random() < 0.6:
        return [_dark_marbled(rng) for _ in range(number)]
    if rng.random() < 0.35:
        return [random_own(rng) for _ in range(number)]
    throw = random_throw_mixture(rng)
    kinds = [throw.first, *(draw_from_mixture(rng, throw.mixture) for _ in range(number - 1))]
    cubes = [kind for kind in kinds if not kind.model.shape.cuts]
    return cubes or [random_dice.random_pips(rng)]


def _dark_marbled(rng: np.random.Generator) -> RandomDie:
    """Return a die with pips and a body of two dark colours."""
    die = random_dice.random_pips(rng)
    body, other = (paints.hsv_colour(rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(10, 110)) for _ in range(2))
    made = replace(
        die.model.material,
        body=body,
        marble=other,
        marble_seed=int(rng.integers(1 << 30)),
        ink=paints.any_ink(body, rng),
        ink_one=None,
        inks=(),
        fills=(),
        clear=0.0,
    )
    return replace(die, model=replace(die.model, material=made))


def _places(view: Viewpoint, size: int, count: int, rng: np.random.Generator) -> list[Points]:
    """Return up to `count` positions (2,) on the table inside the image, with room for dice and supports."""
    found: list[Points] = []
    for _ in range(8 * count):
        ray = view.ray(*rng.uniform(0.06 * size, 0.94 * size, 2))
        if ray[2] > -0.2 * np.linalg.norm(ray) or len(found) == count:
            continue
        place = (ray * (view.height - 0.5) / -ray[2])[:2]
        near = float(np.linalg.norm([*place, view.height]))
        apart = all(np.hypot(*(place - other)) > _MIN_SPACING for other in found)
        if apart and near * size > view.focal * 4 and view.is_in_front(float(place[0]), float(place[1])):
            found.append(place)
    return found


def lay_die(
    scene: TrainingScene,
    die: DiePlacement,
    kind: RandomDie,
    rng: np.random.Generator,
    lean: float | None,
    *,
    alone: bool = False,
) -> None:
    """Draw a die at that position, with its support or with objects beside it.

    `lean`: tilt in degrees, random in LEANS if None. `alone`: the other object is not a die.
    """
    face = int(rng.integers(1, 7))
    if lean != 0:
        die = tilted(die, rng, lean)
    place = flat_neighbour if lean == 0 else leaning_support
    support, neighbour, before = place(die, kind, face, rng, alone=alone)
    if support is not None and all(scene.view.is_in_front(float(x), float(y)) for x, y in support.outline):
        if before:
            lay_support(scene, support, (die, kind, face))
        scene.add(die, kind, face)
        if not before:
            lay_support(scene, support, None)
    elif support is None:
        _lay_pair(scene, (die, kind, face), neighbour, rng)


def _lay_pair(
    scene: TrainingScene,
    laid: tuple[DiePlacement, RandomDie, int],
    neighbour: DiePlacement | None,
    rng: np.random.Generator,
) -> None:
    """Draw a die and an optional other one beside it. The one farther from the camera is drawn first."""
    dice = [laid]
    if neighbour is not None:
        if not scene.view.is_in_front(neighbour.x, neighbour.y):
            return
        other = laid[1] if rng.random() < 0.5 else random_dice.random_pips(rng)
        dice.append((neighbour, other, int(rng.integers(1, 7))))
    for one in sorted(dice, key=lambda one: -float(np.hypot(one[0].x, one[0].y))):
        scene.add(*one)


def tilted(die: DiePlacement, rng: np.random.Generator, lean: float | None = None) -> DiePlacement:
    """Return the die tilted by `lean` degrees (random in LEANS if None), about an edge or towards a corner.

    Most tilt about an edge.
    """
    aligned = rng.random() < 0.65
    aside = np.deg2rad(rng.uniform(-8, 8)) if aligned else rng.uniform(-np.pi / 4, np.pi / 4)
    most = _OVER_AN_EDGE if abs(aside) < np.deg2rad(20) else LEANS[1]
    lean = float(rng.uniform(LEANS[0], most)) if lean is None else lean
    towards = die.yaw + int(rng.integers(4)) * np.pi / 2 + aside
    return replace(die, lean=float(np.deg2rad(lean)), towards=float(towards))


def _reach(turned: Points, shape: Shape, way: Points) -> float:
    """Return the extent of a die from its centre in a horizontal direction (2,), in edges."""
    reach = shape.corner + (0.5 - shape.corner) * float(np.abs(turned[:2].T @ way).sum())
    return min(reach, shape.ball) if shape.ball < 0.87 else reach


Placing = tuple[Support | None, DiePlacement | None, bool]
"""A support, another die, and whether the support is drawn before the die."""


def leaning_support(
    die: DiePlacement, kind: RandomDie, face: int, rng: np.random.Generator, *, alone: bool = False
) -> Placing:
    """Return what holds a tilted die: a token or rim under its bottom, or a wall or die at its raised edge.

    With the top's normal towards `to`, the bottom's height over the table at `q` edges from below the centre, away from
    `to`, is `height` + (`q` sin(lean) - 1/2) / cos(lean).
    """
    shape = kind.model.shape
    turned = pose(face, die.yaw, die.lean, die.towards)
    height = resting_height(turned, shape)
    back = -np.array([np.cos(die.towards), np.sin(die.towards)])
    sine, cosine = float(np.sin(die.lean)), float(np.cos(die.lean))
    pick = rng.random() * (0.82 if alone else 1.0)
    if pick < 0.62:
        q = sine / 2 + cosine / 2 * float(rng.uniform(0.05, 0.8))
        high = max(0.02, height + (q * sine - 0.5) / cosine)
        if pick < 0.4:
            return token_support(die, back, q, high, rng), None, True
        return block_support(die, back, q, high, rng), None, True
    far = _reach(turned, shape, back)
    if pick < 0.82:
        wall = block_support(die, back, far, float(rng.uniform(sine + 0.1, 2.0)), rng)
        return wall, None, _is_behind(die, back)
    reach = far * die.edge + die.edge / 2
    beside = DiePlacement(
        die.x + back[0] * reach,
        die.y + back[1] * reach,
        die.edge,
        float(np.arctan2(back[1], back[0]) + int(rng.integers(4)) * np.pi / 2),
    )
    return None, beside, True


def flat_neighbour(
    die: DiePlacement, kind: RandomDie, face: int, rng: np.random.Generator, *, alone: bool = False
) -> Placing:
    """Return an object beside a flat die, if any."""
    pick = rng.random()
    if pick > (0.5 if alone else 0.65):
        return None, None, True
    turned = pose(face, die.yaw)
    angle = die.yaw + int(rng.integers(4)) * np.pi / 2 if rng.random() < 0.5 else float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)])
    far = _reach(turned, kind.model.shape, way) + abs(float(rng.normal(0, 0.12)))
    if pick < 0.26:
        return token_support(die, way, far, float(rng.uniform(0.04, 0.7)), rng), None, _is_behind(die, way)
    if pick < 0.5:
        high = rng.uniform(0.05, 0.6) if rng.random() < 0.5 else rng.uniform(0.5, 2.0)
        return block_support(die, way, far, float(high), rng), None, _is_behind(die, way)
    reach = far * die.edge + 0.5 * die.edge + 0.01
    yaw = angle if rng.random() < 0.6 else float(rng.uniform(0, 2 * np.pi))
    reach += 0.0 if yaw == angle else 0.21 * die.edge
    return None, DiePlacement(die.x + way[0] * reach, die.y + way[1] * reach, die.edge, yaw), True


def _is_behind(die: DiePlacement, way: Points) -> bool:
    """Return True if objects in that direction from the die are farther from the camera than the die."""
    return bool(way @ np.array([die.x, die.y]) > 0)


def token_support(die: DiePlacement, way: Points, near: float, height: float, rng: np.random.Generator) -> Support:
    """Return a disc whose rim is `near` edges from the die's centre, in that direction. `height` is in edges."""
    radius = float(rng.uniform(0.35, 1.2))
    aside = float(rng.uniform(-0.3, 0.3)) * np.array([-way[1], way[0]])
    middle = np.array([die.x, die.y]) + die.edge * ((near + radius) * way + aside)
    angles = np.arange(_TURNS) * 2 * np.pi / _TURNS
    outline = middle + die.edge * radius * np.column_stack([np.cos(angles), np.sin(angles)])
    ring = random_colour(rng) if rng.random() < 0.5 else None
    return Support(outline, die.edge * height, random_colour(rng), ring)


def block_support(die: DiePlacement, way: Points, near: float, height: float, rng: np.random.Generator) -> Support:
    """Return a bar (rim, book or wall) whose side is `near` edges from the die's centre. `height` is in edges."""
    left, right = (float(rng.uniform(0.25, 2.5)) for _ in range(2))
    deep = float(rng.uniform(0.15, 2.0))
    along = np.array([-way[1], way[0]])
    sides = ((near, -left), (near + deep, -left), (near + deep, right), (near, right))
    middle = np.array([die.x, die.y])
    outline = np.array([middle + die.edge * (ahead * way + aside * along) for ahead, aside in sides])
    return Support(outline, die.edge * height, random_colour(rng))


def lay_support(scene: TrainingScene, support: Support, above: tuple[DiePlacement, RandomDie, int] | None) -> None:
    """Draw a support with its shadow, and on it the shadow of the die `above` it, if there is one."""
    light = np.asarray(scene.light.direction)
    pixels = partial(_pixels, scene.view)
    edge = float(scene.view.focal / scene.view.height * np.cos(scene.view.pitch))
    soft = max(0.6, scene.light.softness * edge)
    whole = support.whole()
    _shade(scene.canvas, pixels(_cast(whole, light, 0.0)), scene.light.shadow, soft)
    _shade(scene.canvas, pixels(support.corners(0.0)), 0.35, max(0.6, 0.05 * edge))
    cover = np.zeros(scene.canvas.shape[:2], np.float32)
    camera_position = np.array([0.0, 0.0, scene.view.height])
    low, high = support.corners(0.0), support.corners(support.height)
    for i in range(len(low)):
        j = (i + 1) % len(low)
        way = support.outline[j] - support.outline[i]
        normal = np.array([way[1], -way[0], 0.0]) / max(float(np.hypot(*way)), 1e-9)
        if normal @ (camera_position - low[i]) > 0:
            side = pixels(np.array([low[i], low[j], high[j], high[i]]))
            _fill(scene, cover, side, support.colour, max(0.0, float(normal @ light)))
    top = pixels(high)
    _fill(scene, cover, top, support.colour, float(light[2]))
    if support.ring is not None:
        middle = top.mean(0)
        _fill(scene, cover, middle + 0.72 * (top - middle), support.ring, float(light[2]))
    if above is not None:
        die, kind, face = above
        turned = pose(face, die.yaw, die.lean, die.towards)
        stands = resting_height(turned, kind.model.shape) if die.lean else 0.5
        corners = die.edge * (_CORNERS @ turned.T) + [die.x, die.y, die.edge * stands]
        shadow_points = _cast(np.maximum(corners, [-np.inf, -np.inf, support.height]), light, support.height)
        inside = np.zeros(scene.canvas.shape[:2], np.float32)
        _polygon(inside, top)
        _shade(scene.canvas, pixels(shadow_points), scene.light.shadow + 0.15, soft * 0.7, inside)
    scene.hide(cover)


def _pixels(view: Viewpoint, points: Points) -> Points:
    return np.array([view.pixel(point) for point in points])


_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def _cast(points: Points, light: Points, height: float) -> Points:
    """Return the shadows of points (n, 3) on the plane at that height."""
    reach = -light[:2] / max(float(light[2]), 0.35)
    reach = reach * min(1.0, 1.2 / max(float(np.hypot(*reach)), 1e-6))
    above = np.maximum(points[:, 2:] - height, 0.0)
    return np.column_stack([points[:, :2] + above * reach, np.full(len(points), height)])


def _polygon(mask: FloatImage, points: Points) -> None:
    hull = cv2.convexHull(np.clip(points, -4000, 4000).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)


def _shade(canvas: FloatImage, points: Points, strength: float, soft: float, inside: FloatImage | None = None) -> None:
    """Darken the hull of `points`, pixels (n, 2), with its border blurred by `soft` pixels."""
    height, width = canvas.shape[:2]
    reach = 3 * soft + 2
    low = np.clip(points.min(0) - reach, 0, [width, height]).astype(int)
    high = np.clip(points.max(0) + reach + 1, 0, [width, height]).astype(int)
    if (high <= low).any():
        return
    dark = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    _polygon(dark, points - low)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), soft), np.float32)
    if inside is not None:
        dark *= inside[low[1] : high[1], low[0] : high[0]]
    canvas[low[1] : high[1], low[0] : high[0]] *= (1 - min(strength, 0.9) * dark)[..., None]


def _fill(
    scene: TrainingScene, cover: FloatImage, points: Points, colour: tuple[float, float, float], facing: float
) -> None:
    """Paint a face in that colour. `facing`: cosine of its angle to the light."""
    height, width = cover.shape
    low = np.clip(points.min(0) - 1, 0, [width, height]).astype(int)
    high = np.clip(points.max(0) + 2, 0, [width, height]).astype(int)
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    _polygon(mask, points - low)
    strength = scene.light.ambient + scene.light.diffuse * facing
    paint = np.asarray(colour, np.float32) * np.asarray(scene.light.tint, np.float32) * np.float32(strength)
    part = scene.canvas[low[1] : high[1], low[0] : high[0]]
    part += (paint - part) * mask[..., None]
    np.maximum(cover[low[1] : high[1], low[0] : high[0]], mask, out=cover[low[1] : high[1], low[0] : high[0]])
