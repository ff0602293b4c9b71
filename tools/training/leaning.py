"""Scenes for the pose net: half of the dice lean on what lifts them, and the same things lie beside flat dice."""

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
from tools.training.own_scenes import from_above, photographed
from tools.training.random_dice import RandomDie
from tools.training.scenes import Placed, Scene, Viewpoint, any_light, kinds_of_throw, next_die, resting_height
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Shape, pose
from vision.drawing.tray import tray_ground

Points = npt.NDArray[np.float64]

LEANS = (5.0, 50.0)
"""Degrees that a die leans."""

_OVER_AN_EDGE = 45.0
"""Degrees at which another face is the top of a die that leans about one of its edges."""

_TURNS = 28
"""Corners of a token's outline."""

_ROOM = 2.0
"""Edges between the middles of two dice that share no support."""


@dataclass(frozen=True, slots=True)
class Support:
    """A prism on the table: its `outline` (n, 2) counter-clockwise, its height, and its colour."""

    outline: Points
    height: float
    colour: tuple[float, float, float]
    ring: tuple[float, float, float] | None = None

    def corners(self, height: float) -> Points:
        """Its outline (n, 3) at that height."""
        return np.column_stack([self.outline, np.full(len(self.outline), height)])

    def whole(self) -> Points:
        """All its corners (2 n, 3)."""
        return np.vstack([self.corners(0.0), self.corners(self.height)])


def leaning_scene(size: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """A picture (size, size, 3) uint8 BGR and the labels of its dice. The same generator state gives the same scene."""
    small = rng.random() < 0.2
    view = _camera(size, rng, (15.0, 34.0) if small else (16.0, 70.0))
    light = random_light(rng) if rng.random() < 0.6 else any_light(rng)
    ground = tray_ground((size, size), rng) if rng.random() < 0.25 else random_ground((size, size), rng)
    scene = Scene(np.ascontiguousarray(ground, np.float32), view, light, [], [])
    edge = float(view.focal / view.height * np.cos(view.pitch))
    if rng.random() < 0.25:
        scatter(scene.canvas, edge, int(rng.integers(1, 6)), rng)
    scene.canvas = lit(scene.canvas, light)
    kinds = _kinds(small, rng)
    places = _places(view, size, int(rng.integers(5, 16)), rng)
    for place in sorted(places, key=lambda place: -float(np.hypot(*place))):
        kind = kinds[int(rng.integers(len(kinds)))]
        grown = float(rng.uniform(0.7, 1.25)) if rng.random() < 0.2 else 1.0
        die = Placed(float(place[0]), float(place[1]), grown, float(rng.uniform(0, 2 * np.pi)))
        lay_die(scene, die, kind, rng, None if rng.random() < 0.5 else 0.0)
    return photographed(scene.canvas, edge, rng), scene.seen_labels()


def _camera(size: int, rng: np.random.Generator, edges: tuple[float, float]) -> Viewpoint:
    """Most as over a tray: looking down, tilted a little; the others from anywhere."""
    pick = rng.random()
    view = Viewpoint.random(size, rng) if pick < 0.3 else from_above(size, rng)
    edge = float(np.exp(rng.uniform(np.log(edges[0]), np.log(edges[1]))))
    if pick >= 0.5:
        pitch = float(np.deg2rad(min(abs(rng.normal(0, 9)), 28)))
        shift = rng.uniform(-0.5, 0.5, 2) * size if rng.random() < 0.4 else np.zeros(2)
        middle = (size / 2 + float(shift[0]), size / 2 + float(shift[1]))
        focal = float(size * rng.uniform(0.75, 2.4))
        view = Viewpoint(focal, middle, pitch, float(rng.uniform(-np.pi, np.pi)), 0.0)
    return replace(view, height=float(view.focal / edge * np.cos(view.pitch)))


def _kinds(small: bool, rng: np.random.Generator) -> list[RandomDie]:
    """The dice that a scene is of: of any kind, of the own sets, dark and marbled ones where they are small."""
    number = 1 if rng.random() < 0.35 else int(rng.integers(2, 4))
    if small and rng.random() < 0.6:
        return [_dark_marbled(rng) for _ in range(number)]
    if rng.random() < 0.35:
        return [random_own(rng) for _ in range(number)]
    throw = kinds_of_throw(rng)
    kinds = [throw.first, *(next_die(rng, throw.mixture) for _ in range(number - 1))]
    cubes = [kind for kind in kinds if not kind.look.shape.cuts]
    return cubes or [random_dice.random_pips(rng)]


def _dark_marbled(rng: np.random.Generator) -> RandomDie:
    """A die with pips, its body of two dark colours."""
    die = random_dice.random_pips(rng)
    body, other = (paints.hsv_colour(rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(10, 110)) for _ in range(2))
    made = replace(
        die.look.material,
        body=body,
        marble=other,
        marble_seed=int(rng.integers(1 << 30)),
        ink=paints.any_ink(body, rng),
        ink_one=None,
        inks=(),
        fills=(),
        clear=0.0,
    )
    return replace(die, look=replace(die.look, material=made))


def _places(view: Viewpoint, size: int, count: int, rng: np.random.Generator) -> list[Points]:
    """Up to `count` places of the table (2,) in the picture, as far apart as dice and what lifts them need."""
    found: list[Points] = []
    for _ in range(8 * count):
        ray = view.ray(*rng.uniform(0.06 * size, 0.94 * size, 2))
        if ray[2] > -0.2 * np.linalg.norm(ray) or len(found) == count:
            continue
        place = (ray * (view.height - 0.5) / -ray[2])[:2]
        near = float(np.linalg.norm([*place, view.height]))
        apart = all(np.hypot(*(place - other)) > _ROOM for other in found)
        if apart and near * size > view.focal * 4 and view.faces(float(place[0]), float(place[1])):
            found.append(place)
    return found


def lay_die(
    scene: Scene, die: Placed, kind: RandomDie, rng: np.random.Generator, lean: float | None, *, alone: bool = False
) -> None:
    """Lays a die with its middle there, leaning by `lean` degrees (any of LEANS if None), and what lifts it or lies
    beside it; `alone`: that is no other die."""
    face = int(rng.integers(1, 7))
    if lean != 0:
        die = tilted(die, rng, lean)
    place = beside if lean == 0 else lifting
    support, neighbour, before = place(die, kind, face, rng, alone=alone)
    if support is not None and all(scene.view.faces(float(x), float(y)) for x, y in support.outline):
        if before:
            lay_support(scene, support, (die, kind, face))
        scene.add(die, kind, face)
        if not before:
            lay_support(scene, support, None)
    elif support is None:
        _lay_pair(scene, (die, kind, face), neighbour, rng)


def _lay_pair(
    scene: Scene, laid: tuple[Placed, RandomDie, int], neighbour: Placed | None, rng: np.random.Generator
) -> None:
    """Lays a die and another one beside it, if there is one: that first which is farther from the camera."""
    dice = [laid]
    if neighbour is not None:
        if not scene.view.faces(neighbour.x, neighbour.y):
            return
        other = laid[1] if rng.random() < 0.5 else random_dice.random_pips(rng)
        dice.append((neighbour, other, int(rng.integers(1, 7))))
    for one in sorted(dice, key=lambda one: -float(np.hypot(one[0].x, one[0].y))):
        scene.add(*one)


def tilted(die: Placed, rng: np.random.Generator, lean: float | None = None) -> Placed:
    """The die leaning by `lean` degrees (any of LEANS if None), about an edge most often, else towards a corner."""
    aligned = rng.random() < 0.65
    aside = np.deg2rad(rng.uniform(-8, 8)) if aligned else rng.uniform(-np.pi / 4, np.pi / 4)
    most = _OVER_AN_EDGE if abs(aside) < np.deg2rad(20) else LEANS[1]
    lean = float(rng.uniform(LEANS[0], most)) if lean is None else lean
    towards = die.yaw + int(rng.integers(4)) * np.pi / 2 + aside
    return replace(die, lean=float(np.deg2rad(lean)), towards=float(towards))


def _reach(turned: Points, shape: Shape, way: Points) -> float:
    """How far (edges) a die reaches from its middle in a horizontal direction (2,)."""
    reach = shape.corner + (0.5 - shape.corner) * float(np.abs(turned[:2].T @ way).sum())
    return min(reach, shape.ball) if shape.ball < 0.87 else reach


Placing = tuple[Support | None, Placed | None, bool]
"""A support, another die, and whether the support is laid before the die."""


def lifting(die: Placed, kind: RandomDie, face: int, rng: np.random.Generator, *, alone: bool = False) -> Placing:
    """What holds a leaning die: a token or a rim that its bottom lies on, a wall or a die that its raised edge touches.

    With the top's normal towards `to`, the bottom's height over the table at `q` edges from below the middle, away from
    `to`, is `height` + (`q` sin(lean) - 1/2) / cos(lean).
    """
    shape = kind.look.shape
    turned = pose(face, die.yaw, die.lean, die.towards)
    height = resting_height(turned, shape)
    back = -np.array([np.cos(die.towards), np.sin(die.towards)])
    sine, cosine = float(np.sin(die.lean)), float(np.cos(die.lean))
    pick = rng.random() * (0.82 if alone else 1.0)
    if pick < 0.62:
        q = sine / 2 + cosine / 2 * float(rng.uniform(0.05, 0.8))
        high = max(0.02, height + (q * sine - 0.5) / cosine)
        if pick < 0.4:
            return token(die, back, q, high, rng), None, True
        return block(die, back, q, high, rng), None, True
    far = _reach(turned, shape, back)
    if pick < 0.82:
        wall = block(die, back, far, float(rng.uniform(sine + 0.1, 2.0)), rng)
        return wall, None, _is_behind(die, back)
    reach = far * die.edge + die.edge / 2
    beside = Placed(
        die.x + back[0] * reach,
        die.y + back[1] * reach,
        die.edge,
        float(np.arctan2(back[1], back[0]) + int(rng.integers(4)) * np.pi / 2),
    )
    return None, beside, True


def beside(die: Placed, kind: RandomDie, face: int, rng: np.random.Generator, *, alone: bool = False) -> Placing:
    """What lies beside a flat die, if anything does."""
    pick = rng.random()
    if pick > (0.5 if alone else 0.65):
        return None, None, True
    turned = pose(face, die.yaw)
    angle = die.yaw + int(rng.integers(4)) * np.pi / 2 if rng.random() < 0.5 else float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)])
    far = _reach(turned, kind.look.shape, way) + abs(float(rng.normal(0, 0.12)))
    if pick < 0.26:
        return token(die, way, far, float(rng.uniform(0.04, 0.7)), rng), None, _is_behind(die, way)
    if pick < 0.5:
        high = rng.uniform(0.05, 0.6) if rng.random() < 0.5 else rng.uniform(0.5, 2.0)
        return block(die, way, far, float(high), rng), None, _is_behind(die, way)
    reach = far * die.edge + 0.5 * die.edge + 0.01
    turn = angle if rng.random() < 0.6 else float(rng.uniform(0, 2 * np.pi))
    reach += 0.0 if turn == angle else 0.21 * die.edge
    return None, Placed(die.x + way[0] * reach, die.y + way[1] * reach, die.edge, turn), True


def _is_behind(die: Placed, way: Points) -> bool:
    """Whether what lies there from the die is farther from the camera than the die is."""
    return bool(way @ np.array([die.x, die.y]) > 0)


def token(die: Placed, way: Points, near: float, height: float, rng: np.random.Generator) -> Support:
    """A disc whose rim is `near` edges from the die's middle, that way; `height` in edges."""
    radius = float(rng.uniform(0.35, 1.2))
    aside = float(rng.uniform(-0.3, 0.3)) * np.array([-way[1], way[0]])
    middle = np.array([die.x, die.y]) + die.edge * ((near + radius) * way + aside)
    angles = np.arange(_TURNS) * 2 * np.pi / _TURNS
    outline = middle + die.edge * radius * np.column_stack([np.cos(angles), np.sin(angles)])
    ring = random_colour(rng) if rng.random() < 0.5 else None
    return Support(outline, die.edge * height, random_colour(rng), ring)


def block(die: Placed, way: Points, near: float, height: float, rng: np.random.Generator) -> Support:
    """A bar whose side is `near` edges from the die's middle, that way: a rim, a book, a wall; `height` in edges."""
    left, right = (float(rng.uniform(0.25, 2.5)) for _ in range(2))
    deep = float(rng.uniform(0.15, 2.0))
    along = np.array([-way[1], way[0]])
    sides = ((near, -left), (near + deep, -left), (near + deep, right), (near, right))
    middle = np.array([die.x, die.y])
    outline = np.array([middle + die.edge * (ahead * way + aside * along) for ahead, aside in sides])
    return Support(outline, die.edge * height, random_colour(rng))


def lay_support(scene: Scene, support: Support, above: tuple[Placed, RandomDie, int] | None) -> None:
    """Draws a support with its shadow, and on it that of the die `above` it, if there is one."""
    light = np.asarray(scene.light.direction)
    pixels = partial(_pixels, scene.view)
    edge = float(scene.view.focal / scene.view.height * np.cos(scene.view.pitch))
    soft = max(0.6, scene.light.softness * edge)
    whole = support.whole()
    _shade(scene.canvas, pixels(_cast(whole, light, 0.0)), scene.light.shadow, soft)
    _shade(scene.canvas, pixels(support.corners(0.0)), 0.35, max(0.6, 0.05 * edge))
    cover = np.zeros(scene.canvas.shape[:2], np.float32)
    eye = np.array([0.0, 0.0, scene.view.height])
    low, high = support.corners(0.0), support.corners(support.height)
    for i in range(len(low)):
        j = (i + 1) % len(low)
        way = support.outline[j] - support.outline[i]
        normal = np.array([way[1], -way[0], 0.0]) / max(float(np.hypot(*way)), 1e-9)
        if normal @ (eye - low[i]) > 0:
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
        stands = resting_height(turned, kind.look.shape) if die.lean else 0.5
        corners = die.edge * (_CORNERS @ turned.T) + [die.x, die.y, die.edge * stands]
        fallen = _cast(np.maximum(corners, [-np.inf, -np.inf, support.height]), light, support.height)
        inside = np.zeros(scene.canvas.shape[:2], np.float32)
        _polygon(inside, top)
        _shade(scene.canvas, pixels(fallen), scene.light.shadow + 0.15, soft * 0.7, inside)
    scene.hide(cover)


def _pixels(view: Viewpoint, points: Points) -> Points:
    return np.array([view.pixel(point) for point in points])


_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def _cast(points: Points, light: Points, height: float) -> Points:
    """Where points (n, 3) throw their shadows on the plane at that height."""
    reach = -light[:2] / max(float(light[2]), 0.35)
    reach = reach * min(1.0, 1.2 / max(float(np.hypot(*reach)), 1e-6))
    above = np.maximum(points[:, 2:] - height, 0.0)
    return np.column_stack([points[:, :2] + above * reach, np.full(len(points), height)])


def _polygon(mask: FloatImage, points: Points) -> None:
    hull = cv2.convexHull(np.clip(points, -4000, 4000).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)


def _shade(canvas: FloatImage, points: Points, strength: float, soft: float, inside: FloatImage | None = None) -> None:
    """Darkens the hull of `points`, pixels (n, 2), its border blurred by `soft` pixels."""
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


def _fill(scene: Scene, cover: FloatImage, points: Points, colour: tuple[float, float, float], facing: float) -> None:
    """Paints a face of that colour, `facing` the light by that cosine."""
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
