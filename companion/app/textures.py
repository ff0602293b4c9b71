"""Masks of `ink` as Kivy textures, kept while they are in use: icons, forms, frames, felt, chalk.

Textures are white with the mask as their alpha: a Color before the rectangle tints them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
from kivy.graphics.texture import Texture

from companion.app import ink
from companion.app.paths import polylines
from companion.app.theme import RGBA
from companion.theme import icons

_FIELD = (24.0, 24.0)
_STROKE = 2.2
_BADGE = (32.0, 32.0)
_SHIELD = "M3 3h26v14c0 7-6 11-13 13C9 28 3 24 3 17z"
_LENS = "M16 1C30 8 30 24 16 31 2 24 2 8 16 1z"
_CHALK_STROKE = "M2 5C44 2.4 94 4 140 3.4S206 2.2 238 3.8"
_RING = "M52 4C25 3 4 24 4 50s22 47 47 46 45-22 45-47S76 6 44 5"
_TILE = 64


def of_mask(mask: ink.Mask) -> Texture:
    """A texture whose alpha is the mask."""
    height, width = mask.shape
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    pixels[..., 3] = np.round(mask[::-1] * 255)
    return _texture(pixels)


def _texture(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> Texture:
    texture = Texture.create(size=(pixels.shape[1], pixels.shape[0]), colorfmt="rgba")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


@cache
def icon(name: str, size: int, weight: float = 1.0) -> Texture:
    """A shared icon in a square of `size` pixels; KeyError if there is none of that name."""
    mask = np.zeros((size, size), dtype=np.float32)
    for part in icons()[name]:
        lines = polylines(part.d or "") if part.c is None else [ink.circle(part.c[:2], part.c[2])]
        if part.fill:
            drawn = ink.filled(lines, (size, size), _FIELD, 0.4)
        else:
            drawn = ink.strokes(lines, (size, size), _FIELD, (_STROKE if part.w is None else part.w) * weight)
        np.maximum(mask, drawn, out=mask)
    return of_mask(mask)


@cache
def form(name: str, size: int, grow: float = 0.0) -> Texture:
    """A filled form on a 32 x 32 field: `shield`, `roundel`, or a ball form (`corners1` to `corners6`)."""
    return of_mask(ink.filled(form_lines(name), (size, size), _BADGE, grow))


@cache
def form_edge(name: str, size: int, width: float) -> Texture:
    """The outline of such a form; `width` in units of the field."""
    lines = [[*line, line[0]] for line in form_lines(name)]
    return of_mask(ink.strokes(lines, (size, size), _BADGE, width))


def form_lines(name: str) -> list[list[tuple[float, float]]]:
    """The closed outline of a form, inside the 32 x 32 field with room for its edge."""
    if name == "shield":
        return polylines(_SHIELD)
    if name == "roundel":
        return [ink.circle((16, 16), 13.5)]
    corners = int(name.removeprefix("corners"))
    if corners == 1:
        return [ink.circle((16, 16), 13)]
    if corners == 2:
        return polylines(_LENS)
    turn, radius, middle = {3: (-90, 15.6, 18.6), 4: (-135, 16.0, 16), 5: (-90, 14.5, 17), 6: (-90, 14.5, 16)}[corners]
    return [ink.regular(corners, (16, middle), radius, turn)]


@lru_cache(maxsize=512)
def rounded(radius: int) -> Texture:
    """A filled corner piece for a BorderImage whose border is `radius`."""
    return of_mask(ink.rounded((2 * radius + 4, 2 * radius + 4), radius))


@lru_cache(maxsize=512)
def edge(radius: int, width: float) -> Texture:
    """An outlined corner piece for a BorderImage whose border is `radius`."""
    return of_mask(ink.frame((2 * radius + 4, 2 * radius + 4), radius, width))


@lru_cache(maxsize=256)
def dashed(width: int, height: int, radius: int, line: float, dash: float) -> Texture:
    """A dashed frame of exactly this size in pixels."""
    return of_mask(ink.frame((width, height), radius, line, dash))


@cache
def rounded_square(size: int, radius: float) -> Texture:
    """A filled square with round corners: the body of a die."""
    return of_mask(ink.rounded((size, size), radius))


@cache
def rounded_edge(size: int, radius: float, width: float) -> Texture:
    """The outline of such a square."""
    return of_mask(ink.frame((size, size), radius, width))


@cache
def spot(size: int) -> Texture:
    """A filled disc."""
    return of_mask(ink.rounded((size, size), size / 2))


@lru_cache(maxsize=64)
def hatch(width: int, height: int, step: float) -> Texture:
    """Stripes: the undecided part of an odds bar."""
    return of_mask(ink.hatch((width, height), step))


@lru_cache(maxsize=64)
def chalk_stroke(width: int, height: int) -> Texture:
    """The stroke under an awaited side's name and under the product's."""
    return of_mask(ink.strokes(polylines(_CHALK_STROKE), (width, height), (240.0, 7.0), 3.0))


@lru_cache(maxsize=16)
def chalk_ring(size: int) -> Texture:
    """The ring around a running number."""
    return of_mask(ink.chalk(polylines(_RING), (size, size), (100.0, 100.0), 3.4))


@lru_cache(maxsize=16)
def chalk_lines(path: str, width: int, height: int, view: tuple[float, float], line: float) -> Texture:
    """Lines of a pitch or court, `path` in units of `view`, stretched to the size given."""
    return of_mask(ink.chalk(polylines(path), (width, height), view, line))


@cache
def felt(base: RGBA) -> Texture:
    """The cloth of the table: one small tile in three tones around `base`, made to repeat."""
    random = np.random.default_rng(7)
    grain = random.normal(0.0, 1.0, (_TILE, _TILE))
    threads = grain + np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1) + np.roll(grain, (1, 1), axis=(0, 1))
    tone = np.digitize(threads, (-1.6, 1.6)) - 1
    pixels = np.empty((_TILE, _TILE, 4), dtype=np.uint8)
    for channel in range(3):
        pixels[..., channel] = np.clip(base[channel] * 255 + tone * 4, 0, 255)
    pixels[..., 3] = 255
    texture = _texture(pixels)
    texture.wrap = "repeat"
    return texture
