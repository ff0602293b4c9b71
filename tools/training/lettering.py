"""Figures and letters of many fonts as face textures; the fonts are those of the machine that draws."""

from __future__ import annotations

import functools
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from vision.drawing.faces import TEXTURE, FloatImage, as_texture

_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_WITHOUT_FIGURES = ("symbol", "dingbat", "math", "d050000l", "standardsymbols", "cmex", "cmsy", "cmmi", "msam", "msbm")
_SIZE = TEXTURE * 4
_MOST = 0.8
"""A text takes no more than this share of a face's width."""


@functools.lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """The paths of the outline fonts of this machine, sorted. Raises RuntimeError if there is none."""
    found = sorted(
        str(path)
        for folder in _FOLDERS
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and not any(w in path.name.lower() for w in _WITHOUT_FIGURES)
    )
    if not found:
        raise RuntimeError("no outline fonts: install some (for instance fonts-dejavu) to draw dice with figures")
    return tuple(found)


def lettered_face(
    text: str, font: str, height: float, mark: str = "", bolder: float = 0.0, depth: float = 0.3
) -> FloatImage:
    """A face with `text` in a font; lengths in edges of the face.

    `height` is that of a figure, `mark` `line`, `dot` or nothing below it, `bolder` how much the strokes are widened,
    `depth` how deep it is engraved.
    """
    ink = _written(text, font, height)
    spot = cv2.findNonZero((ink > 0.5).astype(np.uint8))
    if spot is not None and mark:
        left, top, wide, tall = cv2.boundingRect(spot)
        pen = max(3, int(0.12 * height * _SIZE))
        below = min(_SIZE - pen, top + tall + 2 * pen)
        if mark == "line":
            cv2.line(ink, (left, below), (left + wide, below), 1.0, pen, cv2.LINE_AA)
        else:
            cv2.circle(ink, (left + wide // 2, below), pen, 1.0, -1, cv2.LINE_AA)
    if bolder > 0:
        reach = max(1, int(bolder * _SIZE))
        ink = np.asarray(cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach * 2 + 1,) * 2)))
    return as_texture(ink, None, depth)


def _written(text: str, font: str, height: float) -> FloatImage:
    """The text about the middle of a face, coverage 0..1."""
    points = int(height * _SIZE * 1.35)
    for _ in range(2):
        face = ImageFont.truetype(font, max(8, points))
        left, top, right, bottom = face.getbbox(text)
        largest = max((right - left) / (_MOST * _SIZE), (bottom - top) / (height * _SIZE * 1.02))
        points = int(points / max(largest, 1e-3))
    picture = Image.new("L", (_SIZE, _SIZE), 0)
    place = ((_SIZE - left - right) / 2, (_SIZE - top - bottom) / 2)
    ImageDraw.Draw(picture).text(place, text, fill=255, font=face)
    return np.asarray(np.asarray(picture, np.float32) / 255, np.float32)


def worn(texture: FloatImage, rng: np.random.Generator) -> FloatImage:
    """A face whose ink and paper have suffered: rubbed patches, scratches, ink that faded."""
    out = texture.copy()
    small = rng.normal(0, 1, (int(rng.integers(4, 20)),) * 2).astype(np.float32)
    patches = np.asarray(cv2.resize(small, (TEXTURE, TEXTURE), interpolation=cv2.INTER_CUBIC), np.float32)
    gone = np.clip((patches - float(rng.uniform(1.3, 2.4))) * 3, 0, 1) * float(rng.uniform(0.3, 0.9))
    for _ in range(int(rng.integers(0, 4))):
        line: npt.NDArray[np.float32] = np.zeros((TEXTURE, TEXTURE), np.float32)
        ends = rng.integers(0, TEXTURE, 4)
        cv2.line(line, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), float(rng.uniform(0.3, 0.9)), 1)
        gone = np.maximum(gone, line)
    out[..., 0] *= (1 - gone) * float(rng.uniform(0.75, 1.0))
    out[..., 1] *= 1 - 0.5 * gone
    return out
