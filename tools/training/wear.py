"""Wear of the faces of random dice: rubbed ink, chipped paint, dirt and spots; and misaligned stickers.

A texture (TEXTURE, TEXTURE, 4) holds ink coverage, fill coverage and two slopes (`vision.drawing.faces`). If a die has
no filled faces, the fill holds the spots, in a separate colour; otherwise spots are holes in it, or in the ink colour.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from tools.training import paints
from vision.drawing.faces import TEXTURE, FloatImage, coloured_face
from vision.drawing.rendering import Colour

WEARS: Mapping[str, float] = {"none": 0.64, "rubbed": 0.1, "chipped": 0.12, "spotted": 0.14}
"""Share of each kind of wear."""


@dataclass(frozen=True, slots=True)
class _Spots:
    """The spots on a face.

    - `many`: maximum number on a face.
    - `radius`: minimum and maximum, in edges.
    - `soft`: blur in radii.
    - `slope`: how much the surface rises or sinks.
    - `rim`: whether they are at the face's rim.
    """

    many: int
    radius: tuple[float, float]
    soft: float = 0.0
    slope: float = 0.0
    rim: bool = False


_DUST, _BUBBLES, _SPECKS = _Spots(16, (0.006, 0.018)), _Spots(4, (0.015, 0.035), 0.3, 0.5), _Spots(9, (0.012, 0.032))
_GLINTS, _CHIPS = _Spots(2, (0.03, 0.06), 1.0), _Spots(4, (0.02, 0.055), 0.2, 0.4, rim=True)
_ANY_SPOTS = (_DUST, _BUBBLES, _SPECKS, _GLINTS)

_PIP = 0.05
"""Maximum share of a face for a mark that wears like a pip: half of its paint missing, or of another shade."""


def aged(art: FloatImage, wear: str, rng: np.random.Generator, *, filled: bool) -> FloatImage:
    """Return the faces (6, TEXTURE, TEXTURE, 4) with a wear of WEARS. `filled`: the fill is the faces' own paint."""
    if wear == "rubbed":
        return np.stack([worn(face, rng) for face in art])
    if wear == "chipped":
        return np.stack([_with_spots(_chipped(face, rng), _CHIPS, rng, filled=filled) for face in art])
    if wear == "spotted":
        spots = _ANY_SPOTS[int(rng.integers(len(_ANY_SPOTS)))]
        return np.stack([_with_spots(face, spots, rng, filled=filled) for face in art])
    return art


def _cloud(cells: int, rng: np.random.Generator) -> FloatImage:
    """Return smooth noise of mean 0 and spread about 1, with `cells` cells along an edge."""
    small = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(small, (TEXTURE, TEXTURE), interpolation=cv2.INTER_CUBIC), np.float32)


def worn(texture: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Return a face with worn ink and paper: rubbed patches, scratches, faded ink."""
    out = texture.copy()
    patches = _cloud(int(rng.integers(4, 20)), rng)
    gone = np.clip((patches - float(rng.uniform(1.3, 2.4))) * 3, 0, 1) * float(rng.uniform(0.3, 0.9))
    for _ in range(int(rng.integers(0, 4))):
        line = np.zeros((TEXTURE, TEXTURE), np.float32)
        ends = rng.integers(0, TEXTURE, 4)
        cv2.line(line, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), float(rng.uniform(0.3, 0.9)), 1)
        gone = np.maximum(gone, line)
    out[..., 0] *= (1 - gone) * float(rng.uniform(0.75, 1.0))
    out[..., 1] *= 1 - 0.5 * gone
    return out


def _chipped(texture: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Return a face with chipped paint: some pips half filled or of another shade; larger marks in patches."""
    out = worn(texture, rng)
    ink = out[..., 0]
    count, _, stats, centres = cv2.connectedComponentsWithStats((texture[..., 0] > 0.3).astype(np.uint8))
    for part in range(1, count):
        if stats[part, cv2.CC_STAT_AREA] > _PIP * TEXTURE**2 or rng.random() > 0.4:
            continue
        reach = float(stats[part, cv2.CC_STAT_HEIGHT]) / 2 + 3
        cx, cy = centres[part]
        left, top = max(0, int(cx - reach)), max(0, int(cy - reach))
        here = ink[top : int(cy + reach) + 1, left : int(cx + reach) + 1]
        if rng.random() < 0.4:
            here *= np.float32(rng.uniform(0.45, 0.85))
            continue
        y, x = np.mgrid[: here.shape[0], : here.shape[1]].astype(np.float32)
        angle = float(rng.uniform(0, 2 * np.pi))
        along = (x + left - cx) * np.cos(angle) + (y + top - cy) * np.sin(angle)
        kept = np.clip((along + float(rng.uniform(0, 0.6)) * reach) / 2 + 0.5, 0, 1)
        here *= np.maximum(kept, float(rng.uniform(0, 0.35))).astype(np.float32)
    return out


def _with_spots(texture: FloatImage, spots: _Spots, rng: np.random.Generator, *, filled: bool) -> FloatImage:
    """Return a face with spots that are not pips."""
    layer = np.zeros((TEXTURE, TEXTURE), np.float32)
    for _ in range(int(rng.integers(0, spots.many + 1))):
        at = rng.uniform(0.04, 0.96, 2)
        if spots.rim:
            at[int(rng.integers(2))] = float(rng.integers(2)) + float(rng.normal(0, 0.02))
        radius = float(rng.uniform(*spots.radius)) * TEXTURE
        axes = (max(1, round(radius * 16)), max(1, round(radius * float(rng.uniform(0.5, 1.0)) * 16)))
        centre = (round(float(at[0]) * TEXTURE * 16), round(float(at[1]) * TEXTURE * 16))
        angle, level = float(rng.uniform(0, 180)), float(rng.uniform(0.5, 1.0))
        cv2.ellipse(layer, centre, axes, angle, 0, 360, level, -1, cv2.LINE_AA, 4)
    if spots.soft:
        soft = max(0.5, spots.soft * spots.radius[0] * TEXTURE)
        layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), soft), np.float32)
    out = texture.copy()
    if filled and rng.random() < 0.5:
        out[..., 0] = np.maximum(out[..., 0], layer)
    else:
        out[..., 0] *= 1 - layer
        out[..., 1] = out[..., 1] * (1 - layer) if filled else np.maximum(out[..., 1], layer)
    if spots.slope:
        depth = spots.slope * float(rng.choice((-1, 1)))
        out[..., 2] += cv2.Sobel(layer, cv2.CV_32F, 1, 0, scale=depth)
        out[..., 3] += cv2.Sobel(layer, cv2.CV_32F, 0, 1, scale=depth)
    return out


def painted(border: float) -> FloatImage:
    """Return a face filled with its own colour up to `border` edges from the rim, read-only."""
    return _painted(round(border * TEXTURE * 4))


@functools.lru_cache(maxsize=64)
def _painted(steps: int) -> FloatImage:
    """Return a painted face. `steps`: border in quarters of a texel."""
    face = coloured_face(steps / TEXTURE / 4)
    face.setflags(write=False)
    return face


def on_stickers(art: FloatImage, rng: np.random.Generator, *, embossed: bool = False) -> FloatImage:
    """Return the faces (6, TEXTURE, TEXTURE, 4) on hand-placed paper that does not reach the cube's edges.

    `embossed` keeps the slopes of the marks and the paper smooth: wrinkles would hide marks in a faint ink.
    """
    paper = painted(float(rng.uniform(0.0, 0.09)))[..., 1]
    careless = rng.random() < 0.5
    return np.stack([_stuck(face, paper, rng, careless=careless, embossed=embossed) for face in art])


def _stuck(
    face: FloatImage, paper: FloatImage, rng: np.random.Generator, *, careless: bool, embossed: bool
) -> FloatImage:
    """Return one sticker. A `careless` one is rotated by up to 12 degrees, shifted, cut at a corner or wrinkled."""
    slope = face[..., 2:] if embossed else face[..., 2:] * 0
    if not careless:
        return np.dstack([face[..., 0] * paper, paper, slope]).astype(np.float32)
    if rng.random() < 0.2:
        paper = paper.copy()
        corner, size = rng.integers(0, 2, 2) * (TEXTURE - 1), rng.uniform(0.1, 0.3, 2) * TEXTURE
        inward = np.where(corner > 0, -1, 1)
        triangle = corner + np.array([(0, 0), (size[0], 0), (0, size[1])]) * inward
        cv2.fillPoly(paper, [np.round(triangle).astype(np.int32)], 0.0, cv2.LINE_AA)
    if rng.random() < 0.3 and not embossed:
        folds = _cloud(int(rng.integers(3, 8)), rng)
        depth = float(rng.uniform(0.03, 0.16))
        slope = slope + np.dstack([cv2.Sobel(folds, cv2.CV_32F, way, 1 - way, scale=depth) for way in (1, 0)])
    whole = np.dstack([face[..., 0] * paper, paper, slope * paper[..., None]]).astype(np.float32)
    middle = TEXTURE / 2 - 0.5
    angle = float(np.clip(rng.normal(0, 5), -12, 12))
    matrix = cv2.getRotationMatrix2D((middle, middle), angle, float(rng.uniform(0.84, 1.0)))
    matrix[:, 2] = matrix[:, 2] + np.clip(rng.normal(0, 0.03, 2), -0.08, 0.08) * TEXTURE
    return np.asarray(cv2.warpAffine(whole, matrix, (TEXTURE, TEXTURE)), np.float32)


def papers(colour: Colour, rng: np.random.Generator) -> tuple[Colour, ...]:
    """Return the colours of six sheets of paper that should have the same colour."""
    spread = 0.02 if rng.random() < 0.3 else 0.0
    return tuple(paints.vary_colour(colour, rng, spread) if spread else colour for _ in range(6))
