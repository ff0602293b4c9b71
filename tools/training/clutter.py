"""Objects on a table that are not dice: tokens, coins, cards, print, cables, boxes, scattered dots."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.grounds import random_colour
from tools.training.random_faces import random_pip_style
from vision.drawing.faces import FloatImage, pip_centres
from vision.drawing.rendering import Colour

_LETTERS = list("ABCDEFGHIKLMNOPRSTUVXYZ0123456789&%?!")


def _ints(*values: float) -> tuple[int, ...]:
    return tuple(round(v) for v in values)


def _disc(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw a coin, token, button or cap, with a rim, a number, a dot or holes."""
    colour = random_colour(rng)
    stretch = (size * 0.5, size * 0.5 * float(rng.uniform(0.4, 1.0)))
    rotation = float(rng.uniform(0, 180))
    shade = tuple(0.55 * c for c in colour)
    cv2.ellipse(
        canvas, ((x + 0.05 * size, y + 0.07 * size), (stretch[0] * 2, stretch[1] * 2), rotation), shade, -1, cv2.LINE_AA
    )
    cv2.ellipse(canvas, ((x, y), (stretch[0] * 2, stretch[1] * 2), rotation), colour, -1, cv2.LINE_AA)
    ink = random_colour(rng)
    pick = rng.random()
    if pick < 0.4:
        cv2.ellipse(
            canvas, ((x, y), (stretch[0] * 1.6, stretch[1] * 1.6), rotation), ink, max(1, int(size * 0.04)), cv2.LINE_AA
        )
    if pick < 0.65:
        _text(canvas, x, y, size * 0.45, ink, rng)
    elif pick < 0.8:
        for angle in np.arange(int(rng.integers(1, 7))) * 1.57 + rng.uniform(0, 3):
            reach = size * 0.2
            cv2.circle(
                canvas,
                _ints(x + reach * np.cos(angle), y + reach * np.sin(angle)),
                max(1, int(size * 0.07)),
                ink,
                -1,
                cv2.LINE_AA,
            )


def _text(canvas: FloatImage, x: float, y: float, size: float, ink: Colour, rng: np.random.Generator) -> None:
    text = "".join(rng.choice(_LETTERS, int(rng.integers(1, 3))))
    font = int(rng.integers(0, 5))
    scale = cv2.getFontScaleFromHeight(font, max(4, int(size)), 1)
    cover = np.zeros(canvas.shape[:2], np.uint8)  # since OpenCV 5, text can only be drawn into 8-bit images
    cv2.putText(cover, text, _ints(x - size * 0.4, y + size * 0.5), font, scale, 255, max(1, int(size * 0.12)))
    canvas[cover > 0] = ink


def _quad(x: float, y: float, size: float, rng: np.random.Generator, aspect: float) -> npt.NDArray[np.float64]:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * np.array([size * aspect, size]) * 0.5
    angle = rng.uniform(0, 2 * np.pi)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ rotation.T + corners * rng.uniform(-0.08, 0.08, (4, 2)) + [x, y])


def _card(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw a flat object: a card, tile, box or key; blank, with print, or with a few dots."""
    quad = _quad(x, y, size, rng, float(rng.choice([1.0, rng.uniform(1.2, 2.4)])))
    colour = random_colour(rng)
    if rng.random() < 0.5:
        cv2.fillPoly(
            canvas, [np.round(quad + size * 0.05).astype(np.int32)], tuple(0.5 * c for c in colour), cv2.LINE_AA
        )
    cv2.fillPoly(canvas, [np.round(quad).astype(np.int32)], colour, cv2.LINE_AA)
    ink = random_colour(rng)
    pick = rng.random()
    middle = quad.mean(0)
    if pick < 0.25:
        cv2.polylines(
            canvas,
            [np.round(middle + (quad - middle) * 0.85).astype(np.int32)],
            True,
            ink,
            max(1, int(size * 0.03)),
            cv2.LINE_AA,
        )
    if pick < 0.5:
        _text(canvas, x, y, size * float(rng.uniform(0.25, 0.7)), ink, rng)
    elif pick < 0.62:
        for fx, fy in rng.uniform(-0.35, 0.35, (int(rng.integers(1, 9)), 2)):
            spot = middle + fx * (quad[1] - quad[0]) + fy * (quad[3] - quad[0])
            cv2.circle(canvas, _ints(*spot), max(1, int(size * rng.uniform(0.03, 0.09))), ink, -1, cv2.LINE_AA)
    elif pick < 0.68:
        _domino(canvas, quad, ink, rng)
    elif pick < 0.78:
        for part in np.linspace(0.15, 0.85, int(rng.integers(3, 9))):
            start, end = quad[0] + part * (quad[3] - quad[0]), quad[1] + part * (quad[2] - quad[1])
            cv2.line(
                canvas, _ints(*start), _ints(*(start + rng.uniform(0.4, 0.95) * (end - start))), ink, 1, cv2.LINE_AA
            )


def _domino(canvas: FloatImage, quad: npt.NDArray[np.float64], ink: Colour, rng: np.random.Generator) -> None:
    """Draw pips on the two halves of a flat piece."""
    style = random_pip_style(rng)
    for half in (0.25, 0.75):
        for fx, fy in pip_centres(int(rng.integers(1, 7)), style):
            spot = quad[0] + (half + fx / 2) * (quad[1] - quad[0]) + (0.5 + fy) * (quad[3] - quad[0])
            radius = style.radius * np.linalg.norm(quad[3] - quad[0])
            cv2.circle(canvas, _ints(*spot), max(1, int(radius)), ink, -1, cv2.LINE_AA)


def _cable(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw a cable, pen, ruler or crease across the table."""
    points = np.cumsum(np.vstack([[x, y], rng.normal(0, size * 0.8, (7, 2))]), 0)
    smooth = np.stack([np.interp(np.linspace(0, 7, 50), np.arange(8), points[:, i]) for i in (0, 1)], 1)
    smooth = cv2.GaussianBlur(smooth.astype(np.float32), (1, 11), 2)
    thick = max(1, int(size * rng.uniform(0.02, 0.3)))
    colour = random_colour(rng)
    cv2.polylines(
        canvas, [np.round(smooth).astype(np.int32)], False, tuple(0.6 * c for c in colour), thick + 1, cv2.LINE_AA
    )
    cv2.polylines(
        canvas, [np.round(smooth - thick * 0.15).astype(np.int32)], False, colour, max(1, thick * 2 // 3), cv2.LINE_AA
    )


def _dots(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw spots, holes, screws or crumbs on the table itself."""
    ink = random_colour(rng)
    radius = max(1, int(size * rng.uniform(0.03, 0.16)))
    for fx, fy in rng.normal(0, 0.8, (int(rng.integers(1, 8)), 2)):
        cv2.circle(canvas, _ints(x + fx * size, y + fy * size), radius, ink, -1, cv2.LINE_AA)


def _keys(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw a keyboard, a calculator or a grid of stickers."""
    colour, gap = random_colour(rng), float(rng.uniform(0.06, 0.3))
    bright = random_colour(rng)
    columns, rows = int(rng.integers(2, 7)), int(rng.integers(2, 5))
    angle = rng.uniform(0, np.pi)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    for i in range(columns):
        for j in range(rows):
            middle = np.array([x, y]) + size * (i * along + j * across)
            half = size * (1 - gap) / 2
            quad = [middle + half * (a * along + b * across) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            cv2.fillPoly(canvas, [np.round(quad).astype(np.int32)], colour, cv2.LINE_AA)
            if rng.random() < 0.7:
                _text(canvas, float(middle[0]), float(middle[1]), size * 0.4, bright, rng)


def _blank(canvas: FloatImage, x: float, y: float, size: float, rng: np.random.Generator) -> None:
    """Draw an object that resembles a blank face: a foot, cap, tile, eraser or hole."""
    colour = np.asarray(random_colour(rng), np.float32)
    reach = int(size) + 3
    left, top = int(x) - reach, int(y) - reach
    height, width = canvas.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + 2 * reach), min(height, top + 2 * reach)
    if x1 <= x0 or y1 <= y0:
        return
    v, u = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    angle = float(rng.uniform(0, np.pi))
    du, dv = u - x, v - y
    du, dv = du * np.cos(angle) + dv * np.sin(angle), (dv * np.cos(angle) - du * np.sin(angle)) * rng.uniform(1.0, 1.6)
    power = float(rng.choice([2.0, 2.0, rng.uniform(2.5, 12)]))
    far = ((np.abs(du) ** power + np.abs(dv) ** power) ** (1 / power)) / (0.5 * size)
    soft = float(rng.uniform(0.5, 3))
    cover = np.clip((1 - far) * size / 2 / soft + 0.5, 0, 1)[..., None]
    shade = 1 + float(rng.normal(0, 0.15)) * (du / size)[..., None] - float(rng.uniform(0, 0.4)) * far[..., None] ** 4
    dark = np.clip(1.25 - far, 0, 0.25)[..., None] * float(rng.uniform(0, 1.5))
    part = canvas[y0:y1, x0:x1]
    part *= 1 - dark
    part += (colour * shade - part) * cover


_MAKERS = (_disc, _card, _cable, _dots, _keys, _blank)


def scatter(canvas: FloatImage, size: float, count: int, rng: np.random.Generator) -> None:
    """Draw `count` objects of about `size` pixels on `canvas` (BGR 0..1), in place."""
    height, width = canvas.shape[:2]
    for _ in range(count):
        maker = _MAKERS[int(rng.choice(len(_MAKERS), p=[0.24, 0.28, 0.13, 0.12, 0.07, 0.16]))]
        maker(
            canvas,
            float(rng.uniform(0, width)),
            float(rng.uniform(0, height)),
            size * float(np.exp(rng.normal(0, 0.6))),
            rng,
        )
