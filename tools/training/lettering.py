"""Figures and letters as face textures, in many styles: fonts of the system, outlines, brush strokes."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from tools.training.paints import weighted_choice
from vision.drawing.faces import TEXTURE, FloatImage, as_texture

_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_WITHOUT_FIGURES = ("symbol", "dingbat", "math", "d050000l", "standardsymbols", "cmex", "cmsy", "cmmi", "msam", "msbm")
_SERIFS = ("serif", "times", "roman", "georgia", "garamond", "slab", "bodoni", "didot", "century", "palatino")
_SIZE = TEXTURE * 2
_MOST = 0.8
"""Maximum width of a text relative to the face."""

_GLYPH = 128
"""Height of a cached text in pixels."""

_THINNEST = 0.03
"""Minimum thickness of a stroke in edges of the face: thinner ones do not show in a photograph."""

TYPEFACES: Mapping[str, float] = {"own": 0.3, "sans": 0.32, "serif": 0.14, "outlined": 0.1, "brush": 0.14}
"""Shares of the typefaces: the project's own artwork, fonts, outlines only, brush."""

MARKS: Mapping[str, float] = {"line": 0.42, "dot": 0.14, "point": 0.14, "": 0.3}
"""Shares of the marks of a six or nine: a line below it, a dot below it, a point beside its foot, or none."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """The style of a text on a face. Lengths are in edges of the face unless noted.

    - `typeface`: one of TYPEFACES.
    - `font`: path of the font.
    - `height`: height of a figure.
    - `mark`: one of MARKS. `mark_length` is in widths of the figure, `mark_pen` (its thickness) in heights of the
      figure.
    - `bolder`: widening of the strokes.
    - `depth`: depth of the engraving.
    - `rotation`: rotation in degrees.
    - `aside`: offset of the text from the centre.
    - `hand`: seed of the brush strokes.
    """

    typeface: str
    font: str
    height: float = 0.55
    mark: str = ""
    mark_length: float = 1.0
    mark_pen: float = 0.12
    bolder: float = 0.0
    depth: float = 0.3
    rotation: float = 0.0
    aside: tuple[float, float] = (0.0, 0.0)
    hand: int = 0


@functools.lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """Return the paths of the outline fonts of this system, sorted. Raises RuntimeError if there is none."""
    found = sorted(
        str(path)
        for folder in _FOLDERS
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and not any(w in path.name.lower() for w in _WITHOUT_FIGURES)
    )
    if not found:
        raise RuntimeError("no outline fonts: install some (for instance fonts-dejavu) to draw dice with figures")
    return tuple(found)


@functools.lru_cache(maxsize=2)
def _fonts_of(typeface: str) -> tuple[str, ...]:
    """Return the fonts with or without serifs; all fonts if there are none of these."""
    serifs = [path for path in fonts() if any(word in Path(path).name.lower() for word in _SERIFS)]
    wanted = serifs if typeface == "serif" else [path for path in fonts() if path not in serifs]
    return tuple(wanted) or fonts()


def random_lettering(rng: np.random.Generator) -> Lettering:
    """Return any typeface of any size and weight."""
    typeface = weighted_choice(TYPEFACES, rng)
    font = str(rng.choice(_fonts_of("serif" if typeface == "serif" or rng.random() < 0.1 else "sans")))
    way = rng.random()
    height = rng.uniform(0.28, 0.4) if way < 0.1 else rng.uniform(0.72, 0.8) if way > 0.88 else rng.uniform(0.4, 0.72)
    return Lettering(
        typeface,
        font,
        float(height),
        weighted_choice(MARKS, rng),
        float(rng.uniform(0.45, 1.25)),
        float(rng.uniform(0.06, 0.16)),
        float(rng.uniform(0.006, 0.04) * height) if rng.random() < 0.4 else 0.0,
        float(rng.uniform(-0.1, 0.9)),
        hand=int(rng.integers(1 << 30)),
    )


def jittered(lettering: Lettering, rng: np.random.Generator) -> Lettering:
    """Return the same lettering, off centre and rotated by up to 15 degrees."""
    x, y = np.clip(rng.normal(0, 0.04, 2), -0.12, 0.12)
    rotation = float(np.clip(rng.normal(0, 6), -15, 15))
    return replace(lettering, rotation=rotation, aside=(float(x), float(y)), hand=int(rng.integers(1 << 30)))


def lettered_face(text: str, lettering: Lettering) -> FloatImage:
    """Return a face with `text`."""
    brush = lettering.typeface == "brush" and text.isdecimal()
    glyph = _brushed(text, lettering.hand) if brush else _glyph(text, lettering.font)
    ink = _set(glyph, lettering)
    thickness = 2 * float(cv2.distanceTransform((ink > 0.5).astype(np.uint8), cv2.DIST_L2, 3).max()) / _SIZE
    least = 0.16 * lettering.height if lettering.typeface == "outlined" else _THINNEST
    ink = _widened(ink, max(lettering.bolder, (least - thickness) / 2))
    if lettering.typeface == "outlined":
        pen = max(0.6 * _THINNEST, 0.05 * lettering.height)
        ink = np.asarray(_widened(ink, 0.5 * pen) - (1 - _widened(1 - ink, 0.5 * pen)), np.float32)
    if lettering.rotation or lettering.aside != (0.0, 0.0):
        ink = _turned(ink, lettering)
    return as_texture(ink, None, lettering.depth)


def _widened(ink: FloatImage, reach: float) -> FloatImage:
    """Return the ink with its edge moved outwards by `reach` edges of the face."""
    pixels = round(reach * _SIZE)
    if pixels < 1:
        return ink
    return np.asarray(cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (pixels * 2 + 1,) * 2)), np.float32)


def _turned(ink: FloatImage, lettering: Lettering) -> FloatImage:
    """Return the ink rotated and shifted, limited so that it stays on the face."""
    left, top, wide, tall = cv2.boundingRect((ink > 0.3).astype(np.uint8))
    c, s = abs(np.cos(np.deg2rad(lettering.rotation))), abs(np.sin(np.deg2rad(lettering.rotation)))
    extent = np.array([wide * c + tall * s, wide * s + tall * c])
    scale = min(1.0, 0.92 * _SIZE / float(extent.max()))
    margin = (0.94 * _SIZE - extent * scale) / 2
    middle = np.array([left + wide / 2, top + tall / 2])
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), lettering.rotation, scale)
    moved_by = _SIZE / 2 - middle + np.clip(np.array(lettering.aside) * _SIZE, -margin, margin)
    matrix[:, 2] = matrix[:, 2] + moved_by
    return np.asarray(cv2.warpAffine(ink, matrix, (_SIZE, _SIZE)), np.float32)


def _set(glyph: npt.NDArray[np.uint8], lettering: Lettering) -> FloatImage:
    """Return the text with its mark at the centre of a face, coverage 0..1 (_SIZE, _SIZE)."""
    below = lettering.mark in ("line", "dot")
    mark = lettering.mark_pen * (2.2 if lettering.mark == "line" else 3.0) if below else 0.0
    tall = min(lettering.height, 0.9 / (1 + mark)) * _SIZE
    wide = tall * glyph.shape[1] / glyph.shape[0]
    shrunk = min(1.0, _MOST * _SIZE / wide)
    width, height = max(1, round(wide * shrunk)), max(1, round(tall * shrunk))
    left, top = (_SIZE - width) // 2, round((_SIZE - height * (1 + mark)) / 2)
    ink = np.zeros((_SIZE, _SIZE), np.float32)
    fitted = cv2.resize(glyph, (width, height), interpolation=cv2.INTER_AREA)
    ink[top : top + height, left : left + width] = fitted.astype(np.float32) / 255
    pen, middle = max(2, round(lettering.mark_pen * height)), left + width // 2
    if lettering.mark == "line":
        half = round(max(lettering.mark_length * width, 2.5 * pen) / 2)
        row = top + height + round(1.7 * pen)
        cv2.line(ink, (middle - half, row), (middle + half, row), 1.0, pen, cv2.LINE_AA)
    elif lettering.mark == "dot":
        cv2.circle(ink, (middle, top + height + 2 * pen), pen, 1.0, -1, cv2.LINE_AA)
    elif lettering.mark == "point":
        cv2.circle(ink, (left + width + round(1.4 * pen), top + height - pen), pen, 1.0, -1, cv2.LINE_AA)
    return ink


@functools.lru_cache(maxsize=1024)
def _glyph(text: str, font: str) -> npt.NDArray[np.uint8]:
    """Return the text in a font, 0..255, cropped to its ink, read-only."""
    face = ImageFont.truetype(font, round(_GLYPH * 1.35))
    left, top, right, bottom = face.getbbox(text)
    picture = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8), 0)
    ImageDraw.Draw(picture).text((4 - left, 4 - top), text, fill=255, font=face)
    return _cropped(np.asarray(picture, np.uint8))


def _cropped(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the crop of an image that has ink; the whole image if there is none."""
    left, top, wide, tall = cv2.boundingRect((picture > 100).astype(np.uint8))
    out = picture[top : top + tall, left : left + wide].copy() if wide and tall else picture
    out.setflags(write=False)
    return out


_Strokes = tuple[tuple[tuple[float, float], ...], ...]

_SIX: _Strokes = (
    (
        *((0.72, 0.0), (0.4, 0.2), (0.15, 0.52), (0.13, 0.8), (0.35, 0.99), (0.65, 0.98), (0.87, 0.78)),
        *((0.78, 0.56), (0.52, 0.47), (0.27, 0.56), (0.14, 0.75)),
    ),
)
_STROKES: Mapping[str, _Strokes] = {
    "0": ((*((0.5, 0.0), (0.14, 0.14), (0.06, 0.5), (0.14, 0.86), (0.5, 1.0)),
           *((0.86, 0.86), (0.94, 0.5), (0.86, 0.14), (0.5, 0.0))),),
    "1": (((0.28, 0.24), (0.55, 0.0)), ((0.55, 0.0), (0.55, 1.0))),
    "2": (((0.1, 0.24), (0.22, 0.05), (0.5, 0.0), (0.8, 0.08), (0.86, 0.3), (0.66, 0.55), (0.08, 1.0)),
          ((0.08, 1.0), (0.92, 0.98))),
    "3": (((0.1, 0.12), (0.4, 0.0), (0.78, 0.06), (0.82, 0.3), (0.6, 0.45), (0.35, 0.47)),
          ((0.35, 0.47), (0.72, 0.52), (0.9, 0.74), (0.74, 0.95), (0.4, 1.0), (0.08, 0.9))),
    "4": (((0.62, 0.0), (0.04, 0.68)), ((0.04, 0.68), (0.96, 0.66)), ((0.68, 0.3), (0.68, 1.0))),
    "5": (((0.82, 0.0), (0.22, 0.02)), ((0.22, 0.02), (0.17, 0.45)),
          ((0.17, 0.45), (0.5, 0.37), (0.84, 0.5), (0.88, 0.76), (0.68, 0.97), (0.36, 1.0), (0.08, 0.9))),
    "6": _SIX,
    "7": (((0.06, 0.02), (0.92, 0.0)), ((0.92, 0.0), (0.4, 1.0))),
    "8": ((*((0.5, 0.46), (0.16, 0.32), (0.16, 0.08), (0.5, 0.0), (0.84, 0.08), (0.84, 0.32), (0.5, 0.46)),
           *((0.1, 0.62), (0.08, 0.9), (0.5, 1.0), (0.92, 0.9), (0.9, 0.62), (0.5, 0.46))),),
    "9": tuple(tuple((1 - x, 1 - y) for x, y in stroke) for stroke in _SIX),
}  # fmt: skip
"""The strokes of each figure in its box: x right and y down, 0..1."""


def _brushed(text: str, hand: int) -> npt.NDArray[np.uint8]:
    """Return figures painted by hand, 0..255, cropped to their ink. `hand` is the seed of the variation."""
    rng = np.random.default_rng(hand)
    wide = float(rng.uniform(0.5, 0.75)) * _GLYPH
    brush, margin = float(rng.uniform(0.06, 0.15)) * _GLYPH, round(0.2 * _GLYPH)
    picture = np.zeros((_GLYPH + 2 * margin, round(len(text) * 1.35 * wide) + 2 * margin), np.uint8)
    for place, figure in enumerate(text):
        lean = float(rng.normal(0, 0.06))
        for stroke in _STROKES[figure]:
            points = _smooth(np.asarray(stroke) + rng.normal(0, 0.022, (len(stroke), 2)))
            points[:, 0] += lean * (0.5 - points[:, 1])
            points = points * [wide, _GLYPH] + [margin + place * 1.35 * wide, margin]
            first, last = rng.uniform(0, 6.28, 2)
            pressed = brush * (1 + 0.3 * np.sin(np.linspace(float(first), float(last), len(points))))
            for start, end, width in zip(points[:-1], points[1:], pressed, strict=False):
                ends = [(round(float(x) * 16), round(float(y) * 16)) for x, y in (start, end)]
                cv2.line(picture, ends[0], ends[1], 255, max(2, round(float(width))), cv2.LINE_AA, 4)
    return _cropped(picture)


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a polyline with its corners cut twice (Chaikin)."""
    for _ in range(2 if len(points) > 2 else 0):
        before, after = points[:-1], points[1:]
        cut = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], 1).reshape(-1, 2)
        points = np.vstack([points[:1], cut, points[-1:]])
    return points
