"""Dice as solid objects for the rendered images: rounded meshes with hollow pips, and the paint of their faces.

Only the artwork of the faces (`vision.drawing.design`) is shared with the drawn scenes. Lengths are in edges of the
die. Colours are linear reflectances of red, green, blue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice_sets import Kind
from vision.drawing.design import Shapes, coverage, face_designs
from vision.drawing.rendering import BODIES

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

TILE = 192
"""Edge of a face's paint in texels. The paint of a die is three tiles wide and two high."""

GRID = 45
"""Number of vertices along the edge of a face."""

FRAMES: Points = np.array(
    [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
        [[0, -1, 0], [0, 0, 1], [-1, 0, 0]],
        [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    ],
    float,
)
"""Directions right, up and outwards of faces 1 to 6, seen from outside. Opposite faces add up to seven."""

_BALL_BORDERS = ("white", "black", "white", "ivory")
_WOOD = np.array([0.52, 0.33, 0.17])


@dataclass(frozen=True, slots=True)
class Form:
    """`corner`: radius of edges and corners; `ball`: radius of the sphere that cuts off the corners."""

    corner: float = 0.08
    ball: float = 0.87


@dataclass(frozen=True)
class MadeDie:
    """A die: `paint` (2 TILE, 3 TILE, 3), `relief` (6, TILE, TILE) heights over the faces, `roughness` of its gloss."""

    form: Form
    paint: Floats
    relief: Floats
    roughness: float


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh: positions and normals (N, 3), texture coordinates (N, 2; y downwards) and indices (M, 3)."""

    points: Floats
    normals: Floats
    places: Floats
    corners: npt.NDArray[np.uint32]


def die_rotation(face: int, yaw: float) -> Points:
    """Return the rotation (3, 3) of a die with `face` 1..6 on top and the angle `yaw` about the vertical."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ FRAMES[face - 1]


def rounded(points: Points, form: Form) -> tuple[Points, Points]:
    """Map points (N, 3) of the cube's surface to the rounded one. Return them with their normals."""
    inner = np.clip(points, form.corner - 0.5, 0.5 - form.corner)
    offset = points - inner
    normals = offset / np.maximum(np.linalg.norm(offset, axis=1, keepdims=True), 1e-9)
    moved = inner + form.corner * normals
    reach = np.linalg.norm(moved, axis=1, keepdims=True)
    cut = reach > form.ball
    outwards = moved / reach
    return np.where(cut, outwards * form.ball, moved), np.where(cut, outwards, normals)


def surface(form: Form, steps: int = 9) -> Points:
    """Return points (N, 3) distributed over the rounded die."""
    along = np.linspace(-0.5, 0.5, steps)
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    return rounded(np.concatenate([_on_face(frame, x, y) for frame in FRAMES]), form)[0]


def _on_face(frame: Points, x: Points, y: Points) -> Points:
    return np.asarray(x[:, None] * frame[0] + y[:, None] * frame[1] + 0.5 * frame[2])


def mesh_of(made: MadeDie) -> Mesh:
    """Return the surface of a die around its centre, with its hollows."""
    along = np.linspace(-0.5, 0.5, GRID)
    x, y = (part.ravel() for part in np.meshgrid(along, along))
    parts = [_face_mesh(made, index, x, y) for index in range(6)]
    points, normals, places = (np.concatenate([part[i] for part in parts]).astype(np.float32) for i in range(3))
    number = np.arange(GRID * GRID, dtype=np.uint32).reshape(GRID, GRID)
    a, b, c, d = number[:-1, :-1].ravel(), number[:-1, 1:].ravel(), number[1:, 1:].ravel(), number[1:, :-1].ravel()
    square = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    corners = np.concatenate([square + np.uint32(index * GRID * GRID) for index in range(6)])
    return Mesh(points, normals, places, corners.astype(np.uint32))


def _face_mesh(made: MadeDie, index: int, x: Points, y: Points) -> tuple[Points, Points, Points]:
    frame = FRAMES[index]
    points, normals = rounded(_on_face(frame, x, y), made.form)
    relief = cv2.GaussianBlur(made.relief[index], (0, 0), 1.2)
    slopes = [cv2.Sobel(relief, cv2.CV_32F, *axis, scale=TILE / 8.0) for axis in ((1, 0), (0, 1))]
    at_x, at_y = ((part * TILE - 0.5).astype(np.float32).reshape(GRID, GRID) for part in (0.5 + x, 0.5 - y))
    height, right, down = (
        cv2.remap(part, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 1)
        for part in (relief, *slopes)
    )
    points = points + height * frame[2]
    normals = normals - right * frame[0] + down * frame[1]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    inset = 0.5 + np.stack([x, -y], 1) * (1 - 1.5 / TILE)
    return points, normals, (inset + np.array([index % 3, index // 3])) / np.array([3, 2])


def make_die(kind: Kind, body: str, rng: np.random.Generator) -> MadeDie:
    """Return a die of `kind` on a body colour of `BODIES`, in a random make."""
    if kind.marks == "pips":
        return _with_pips([face.value or 0 for face in kind.faces], body, rng)
    if kind.marks == "plain":
        return _painted(kind, body, rng)
    return _marked(kind, body, rng)


def linear(colour: Sequence[float], rng: np.random.Generator | None = None) -> Points:
    """Return the linear reflectance of a colour of the artwork (blue, green, red on a screen), varied with `rng`."""
    shade = np.asarray(colour, float)[::-1]
    if rng is not None:
        shade = np.clip(shade * rng.uniform(0.88, 1.08) + rng.normal(0, 0.02, 3), 0.02, 1.0)
    return np.asarray(0.012 + 0.8 * shade**2.2)


def _atlas(tiles: Sequence[Points]) -> Floats:
    rows = [np.concatenate([np.asarray(tile, np.float32) for tile in tiles[i : i + 3]], 1) for i in (0, 3)]
    return np.ascontiguousarray(np.concatenate(rows), np.float32)


def _mixed(base: Points, over: Points, share: Floats) -> Points:
    return np.asarray(base + (over - base) * share[..., None])


def _contrasting(ground: Points, rng: np.random.Generator) -> Points:
    """Return black or white, or a strong colour with enough contrast."""
    light = float(ground @ [0.21, 0.72, 0.07])
    if rng.random() < 0.2:
        for _ in range(12):
            other = linear(BODIES[str(rng.choice(("red", "blue", "green", "yellow", "violet")))], rng)
            brightness = float(other @ [0.21, 0.72, 0.07])
            if max(light, brightness) > 3.5 * min(light, brightness):
                return other
    return np.full(3, 0.02 if light > 0.16 else 0.78)


def _with_pips(values: list[int], body: str, rng: np.random.Generator) -> MadeDie:
    """Return a die with painted hollow pips of real depth, usually with round corners."""
    ground = linear(BODIES[body], rng)
    ink = _contrasting(ground, rng)
    spread = float(rng.uniform(0.2, 0.275))
    radius = float(min(rng.uniform(0.07, 0.115), 0.44 * spread))
    large = float(rng.uniform(1.3, 2.0)) if rng.random() < 0.2 else 1.0
    depth = float(rng.uniform(0.25, 0.8)) if rng.random() < 0.85 else 0.0
    red = rng.random() < 0.12 and ground.min() > 0.3
    tiles, reliefs = [], []
    for value in values:
        hollow, share = _pips(value, spread, radius * (large if value == 1 else 1.0))
        reliefs.append(-depth * hollow)
        paint = linear((0.1, 0.08, 0.75)) if red and value in (1, 4) else ink
        tiles.append(_mixed(np.broadcast_to(ground, (TILE, TILE, 3)), paint, share))
    round_one = rng.random() < 0.6
    form = Form(float(rng.uniform(0.05, 0.13)), float(rng.uniform(0.66, 0.8)) if round_one else 0.87)
    return MadeDie(form, _atlas(tiles), np.stack(reliefs).astype(np.float32), float(rng.uniform(0.04, 0.25)))


def _pips(value: int, spread: float, radius: float) -> tuple[Floats, Floats]:
    """Return depth and paint coverage (0..1) of the pips of a face. Hollows are half balls of that radius."""
    s = spread
    corners = ((-s, -s), (s, s), (-s, s), (s, -s), (-s, 0.0), (s, 0.0))
    centres = corners[: value - value % 2] + (((0.0, 0.0),) if value % 2 else ())
    y, x = (np.mgrid[:TILE, :TILE].astype(np.float32) + 0.5) / TILE - 0.5
    gap = np.min([np.hypot(x - left, y - top) for left, top in centres], 0)
    hollow = radius * np.sqrt(np.clip(1 - (gap / radius) ** 2, 0, 1)) * 0.55
    return np.asarray(hollow, np.float32), np.asarray(np.clip((radius - gap) * TILE + 0.5, 0, 1), np.float32)


def _painted(kind: Kind, body: str, rng: np.random.Generator) -> MadeDie:
    """Return a die with six coloured faces, painted to the rim or up to a border in the body's colour."""
    ground = linear(BODIES[str(rng.choice(_BALL_BORDERS))], rng)
    border = float(rng.uniform(0.03, 0.1)) if rng.random() < 0.7 else 0.0
    patch = _rounded_square(0.5 - border, 0.06) if border else np.ones((TILE, TILE), np.float32)
    tiles = [
        _mixed(np.broadcast_to(ground, (TILE, TILE, 3)), linear(face.ground, rng), patch)
        for face in face_designs(kind, body)
    ]
    relief = np.repeat(patch[None] * np.float32(rng.uniform(0, 0.008)), 6, 0)
    form = Form(float(rng.uniform(0.03, 0.12)), 0.87)
    return MadeDie(form, _atlas(tiles), relief, float(rng.uniform(0.05, 0.35)))


def _rounded_square(half: float, radius: float) -> Floats:
    y, x = (np.mgrid[:TILE, :TILE].astype(np.float32) + 0.5) / TILE - 0.5
    beyond = [np.maximum(np.abs(part) - (half - radius), 0) for part in (x, y)]
    return np.asarray(np.clip((radius - np.hypot(*beyond)) * TILE + 0.5, 0, 1), np.float32)


def _marked(kind: Kind, body: str, rng: np.random.Generator) -> MadeDie:
    """Return a die with figures or symbols: engraved, printed, or on stickers on another cube."""
    ground = linear(BODIES[body], rng)
    way = str(rng.choice(("sticker", "print", "engraved"), p=(0.45, 0.3, 0.25)))
    base = _base(ground, rng) if way == "sticker" else ground
    paper = _rounded_square(0.5 - float(rng.uniform(0.03, 0.09)), 0.05)
    plain = _contrasting(ground, rng) if not kind.bodies else None
    tiles, reliefs = [], []
    for index, face in enumerate(face_designs(kind, body)):
        ink = _lettering(face.shapes, way, rng)
        open_ink = plain is not None and kind.faces[index].colour is None
        colour = plain if plain is not None and open_ink else linear(face.ink, rng)
        tile = _mixed(np.broadcast_to(base, (TILE, TILE, 3)), ground, paper) if way == "sticker" else None
        tile = np.broadcast_to(ground, (TILE, TILE, 3)) if tile is None else tile
        tiles.append(_mixed(tile, colour, ink))
        reliefs.append(paper * 0.008 if way == "sticker" else ink * (-0.03 if way == "engraved" else 0.0))
    form = Form(float(rng.uniform(0.04, 0.12)), float(rng.uniform(0.72, 0.8)) if rng.random() < 0.4 else 0.87)
    rough = float(rng.uniform(0.15, 0.45) if way == "sticker" else rng.uniform(0.04, 0.3))
    return MadeDie(form, _atlas(tiles), np.stack(reliefs).astype(np.float32), rough)


def _base(ground: Points, rng: np.random.Generator) -> Points:
    pick = rng.random()
    if pick < 0.35:
        return ground
    return linear(BODIES["white" if pick < 0.6 else "black"], rng) if pick < 0.8 else _WOOD * rng.uniform(0.8, 1.2)


def _lettering(shapes: Shapes, way: str, rng: np.random.Generator) -> Floats:
    """Return the ink coverage of a face, 0..1. Stickers are slightly shifted and rotated."""
    if not shapes:
        return np.zeros((TILE, TILE), np.float32)
    ink = cv2.resize(coverage(shapes), (TILE, TILE), interpolation=cv2.INTER_AREA)
    loose = way == "sticker"
    size = float(rng.uniform(0.84, 0.98) if loose else rng.uniform(0.85, 1.05))
    matrix = cv2.getRotationMatrix2D(
        (TILE / 2 - 0.5, TILE / 2 - 0.5), float(rng.normal(0, 2.5)) if loose else 0.0, size
    )
    if loose:
        matrix[:, 2] = matrix[:, 2] + rng.normal(0, 0.015, 2) * TILE
    return np.asarray(cv2.warpAffine(ink, matrix, (TILE, TILE)), np.float32)
