"""Printed pages, covers and cards as flat textures, drawn on an image in perspective."""

from __future__ import annotations

import functools
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from tools.training.grounds import random_colour
from tools.training.lettering import fonts
from tools.training.paints import DARK, LIGHT, any_colour, luminance, vary_colour
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour
from vision.drawing.tray import cloud

_SAMPLE_TEXTS = (
    *("the", "and", "of", "table", "rules", "games", "player", "score", "open", "here", "do not", "NEW", "figure"),
    *("total", "offer", "week", "first", "then", "each", "points", "win", "die", "Würfel", "bitte", "nicht", "Spiel"),
    *("Seite", "Öffnungszeiten", "Montag", "le", "jeu", "règles", "pour", "main", "page", "mardi", "OOO", "& Co"),
    *(
        "12",
        "3.50",
        "2024",
        "100 %",
        "www.info.net",
        "tel. 0800",
        "A4",
        "ISO 7",
        "B8",
        "no. 66",
        "18:30",
        "1.",
        "5 of 6",
    ),
)
_LETTERS = tuple("ABCDEGHKMOPQRSUVXYZ0123456789&@%?!•:")

NO_FIGURES = tuple(letter for letter in _LETTERS if not letter.isdigit())
"""Letters and signs without figures: a square with a figure can be a real die."""

_SMALLEST, _LARGEST = 48, 620
"""Range of the longer side of a page's texture, in pixels."""

Points = npt.NDArray[np.float64]


@functools.lru_cache(maxsize=256)
def _font(path: str, points: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, points)


def text_mask(text: str, high: int, rng: np.random.Generator) -> FloatImage:
    """Return the coverage 0..1 (height, width) of `text` in any font of about `high` pixels, cropped to its outline."""
    paths = fonts()
    font = _font(paths[int(rng.integers(len(paths)))], max(6, high))
    left, top, right, bottom = (round(value) for value in font.getbbox(text))
    picture = Image.new("L", (max(2, right - left), max(2, bottom - top)), 0)
    ImageDraw.Draw(picture).text((-left, -top), text, fill=255, font=font)
    return np.asarray(np.asarray(picture, np.float32) / 255, np.float32)


def random_letters(rng: np.random.Generator, most: int = 3, among: tuple[str, ...] = _LETTERS) -> str:
    """Return one to `most` capital letters, figures or signs."""
    return "".join(among[int(i)] for i in rng.integers(len(among), size=int(rng.integers(1, most + 1))))


def _blend(page: FloatImage, mask: FloatImage, x: int, y: int, ink: Colour) -> None:
    """Draw `ink` on `page` with the coverage `mask` (0..1), its corner at (x, y)."""
    part = page[max(0, y) : y + mask.shape[0], max(0, x) : x + mask.shape[1]]
    cover = mask[: part.shape[0], : part.shape[1], None]
    part += (np.asarray(ink, np.float32) - part) * cover


def _paragraph(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw lines of small print in one or two columns from row `top`. Return the row below them."""
    height, width = page.shape[:2]
    high = int(rng.integers(max(5, height // 60), max(7, height // 22)))
    step = round(high * rng.uniform(1.2, 1.7))
    margin = round(width * rng.uniform(0.05, 0.12))
    columns = 2 if rng.random() < 0.25 else 1
    lines = int(rng.integers(2, 9))
    wide = (width - margin * (columns + 1)) // columns
    written = [_line(high, wide, rng) for _ in range(min(lines, 4))]
    for column in range(columns):
        for line in range(lines):
            mask = written[int(rng.integers(len(written)))]
            visible_part = mask[:, : wide if line < lines - 1 else max(2, int(wide * rng.uniform(0.3, 1)))]
            _blend(page, visible_part, margin + column * (wide + margin), top + line * step, ink)
    return top + lines * step + high


def _line(high: int, wide: int, rng: np.random.Generator) -> FloatImage:
    texts = [_SAMPLE_TEXTS[int(i)] for i in rng.integers(len(_SAMPLE_TEXTS), size=max(2, 1 + wide // max(1, high * 2)))]
    return text_mask(" ".join(texts), high, rng)


def _heading(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw a word or a few letters in large print, sometimes on a bar. Return the row below."""
    height, width = page.shape[:2]
    high = int(height * rng.uniform(0.06, 0.24))
    text = random_letters(rng, 4) if rng.random() < 0.5 else _SAMPLE_TEXTS[int(rng.integers(len(_SAMPLE_TEXTS)))]
    mask = text_mask(text, high, rng)
    if rng.random() < 0.35:
        bar = any_colour(rng)
        page[top : top + round(high * 1.4)] = bar
        ink = LIGHT if luminance(bar) < 0.5 else DARK
    free = max(1, width - mask.shape[1])
    _blend(page, mask, int(rng.integers(0, free)), top + round(high * 0.2), ink)
    return top + round(high * 1.5)


def _picture(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw a photograph: blotches of two colours behind a few shapes. Return the row below."""
    height, width = page.shape[:2]
    tall, wide = int(height * rng.uniform(0.15, 0.4)), int(width * rng.uniform(0.3, 0.95))
    left = int(rng.integers(0, max(1, width - wide)))
    part = page[top : top + tall, left : left + wide]
    if part.size:
        mix = np.clip(0.5 + 0.35 * cloud((part.shape[0], part.shape[1]), max(3.0, tall / 4), rng, 3), 0, 1)[..., None]
        image = np.asarray(any_colour(rng), np.float32) * mix + np.asarray(any_colour(rng), np.float32) * (1 - mix)
        image = np.ascontiguousarray(image, np.float32)
        for _ in range(int(rng.integers(0, 5))):
            middle = (int(rng.integers(0, wide)), int(rng.integers(0, tall)))
            cv2.circle(image, middle, max(2, int(tall * rng.uniform(0.05, 0.3))), any_colour(rng), -1, cv2.LINE_AA)
        part[:] = image
    return top + tall + height // 40


def _box(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw a row of frames or filled squares, each empty or with a letter or a dot. Return the row below."""
    height, width = page.shape[:2]
    side = int(height * rng.uniform(0.05, 0.16))
    gap = int(side * rng.uniform(1.1, 1.7))
    filled, thick = rng.random() < 0.4, max(1, side // 14)
    colour = any_colour(rng)
    over = (LIGHT if luminance(colour) < 0.5 else DARK) if filled else ink
    pick = rng.random()
    for left in range(width // 16, width - side, gap):
        cv2.rectangle(page, (left, top), (left + side, top + side), colour if filled else ink, -1 if filled else thick)
        if pick < 0.5:
            _blend(page, text_mask(random_letters(rng, 1), side * 2 // 3, rng), left + side // 3, top + side // 5, over)
        elif pick < 0.7:
            cv2.circle(page, (left + side // 2, top + side // 2), max(1, side // 7), over, -1, cv2.LINE_AA)
    return top + round(side * 1.4)


def _dots(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw rows of dots. Return the row below."""
    height, width = page.shape[:2]
    step = int(rng.integers(max(4, height // 50), max(6, height // 10)))
    radius = max(1, int(step * rng.uniform(0.12, 0.42)))
    rows = int(rng.integers(1, 7))
    for row in range(rows):
        for left in range(step, width - step // 2, step):
            cv2.circle(page, (left, top + row * step + step // 2), radius, ink, -1, cv2.LINE_AA)
    return top + rows * step + step // 2


def _bars(page: FloatImage, top: int, ink: Colour, rng: np.random.Generator) -> int:
    """Draw a bar code, or the lines of a table. Return the row below."""
    height, width = page.shape[:2]
    tall = int(height * rng.uniform(0.05, 0.14))
    if rng.random() < 0.5:
        left = int(rng.integers(0, max(1, width // 2)))
        for _ in range(int(rng.integers(12, 30))):
            wide = int(rng.integers(1, 4))
            page[top : top + tall, left : left + wide] = ink
            left += wide + int(rng.integers(1, 4))
        return top + tall + height // 30
    for row in range(int(rng.integers(2, 6))):
        page[top + row * tall // 2 : top + row * tall // 2 + 1] = ink
    page[top : top + 2 * tall, :: max(8, width // int(rng.integers(2, 8)))] = ink
    return top + 3 * tall


Part = Callable[[FloatImage, int, Colour, np.random.Generator], int]
_PARTS: tuple[tuple[float, Part], ...] = (
    (0.36, _paragraph),
    (0.2, _heading),
    (0.16, _picture),
    (0.12, _box),
    (0.1, _dots),
    (0.06, _bars),
)
"""Parts of a page with their shares. Each function draws from a row downwards and returns the row below."""


def page_texture(shape: tuple[int, int], rng: np.random.Generator, cover: bool = False) -> FloatImage:
    """Return a printed page (height, width, 3) BGR 0..1. A `cover` has any colour and few parts."""
    white = not cover and rng.random() < 0.75
    paper = vary_colour(LIGHT, rng, 0.03) if white else random_colour(rng)
    page = np.ascontiguousarray(np.broadcast_to(np.asarray(paper, np.float32), (*shape, 3)))
    plain = DARK if luminance(paper) > 0.45 else LIGHT
    top, parts = shape[0] // 20, int(rng.integers(1, 4)) if cover else 20
    while top < shape[0] * 0.93 and parts:
        part = _PARTS[int(rng.choice(len(_PARTS), p=[share for share, _ in _PARTS]))][1]
        top = part(page, top, any_colour(rng) if rng.random() < 0.2 else vary_colour(plain, rng, 0.04), rng)
        top += int(shape[0] * (rng.uniform(0.05, 0.3) if cover else rng.uniform(0, 0.04)))
        parts -= 1
    return np.asarray(np.clip(page, 0, 1), np.float32)


def lay_texture(canvas: FloatImage, texture: FloatImage, quad: Points) -> None:
    """Draw `texture` on `canvas` in place.

    Its corners, clockwise from the top left, map to `quad` (4, 2), in pixels.
    """
    tall, wide = texture.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    placed = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.round(np.clip(quad, -4000, 4000) * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    canvas += (placed - canvas) * mask[..., None]


def lay_page(canvas: FloatImage, quad: Points, rng: np.random.Generator, cover: bool = False) -> None:
    """Draw a printed page on `canvas` (BGR 0..1) in place, its corners at `quad` (4, 2) in pixels, with its shadow."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    wide, tall = max(sides[0], sides[2]), max(sides[1], sides[3])
    scale = float(np.clip(max(wide, tall), _SMALLEST, _LARGEST)) / max(float(wide), float(tall), 1.0)
    texture = page_texture((max(16, round(tall * scale)), max(16, round(wide * scale))), rng, cover)
    if rng.random() < 0.4:  # a fold or uneven paper: one part is lighter than the other
        along = np.linspace(-1, 1, texture.shape[1], dtype=np.float32)
        bent = np.tanh((along - np.float32(rng.uniform(-0.5, 0.5))) * np.float32(rng.uniform(1, 30)))
        texture *= (1 + np.float32(rng.uniform(-0.12, 0.12)) * bent)[None, :, None]
    dark = np.zeros(canvas.shape[:2], np.float32)
    thrown = np.clip(quad + rng.normal(0, 0.008, 2) * max(wide, tall), -4000, 4000)
    cv2.fillConvexPoly(dark, np.round(thrown * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(dark, (0, 0), float(rng.uniform(1, 4)))
    canvas *= (1 - np.float32(rng.uniform(0.1, 0.45)) * soft)[..., None]
    lay_texture(canvas, np.clip(texture, 0, 1), quad)
