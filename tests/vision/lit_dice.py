"""Coloured dice in lights of known colour: the scenes for tests and measurements of white balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.grounds import random_colour
from vision.classification.illuminant import body_colour
from vision.drawing import design
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import (
    BODIES,
    PATCH,
    Light,
    Material,
    View,
    composite,
    darken,
    finish,
    from_hex,
    pose,
    render,
    shade,
    shadow,
)
from vision.drawing.tray import tray_ground
from vision.pictures import Picture
from vision.white_balance import LUMINANCE, Colour, black_body, linear_to_srgb, srgb_to_linear

SIZE = (480, 640)
FOCAL = 760.0
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_PLACES = [(x, y) for y in (95, 170, 245, 320, 395) for x in (80, 160, 240, 320, 400, 480, 560)]


@dataclass(frozen=True)
class Scene:
    """`canvas`: the dice in neutral light, encoded 0..1; `names`: their colours; `places`: x, y and edge in pixels."""

    canvas: FloatImage
    names: tuple[str, ...]
    places: tuple[tuple[float, float, float], ...]

    def witnesses(self, picture: Picture) -> list[Colour]:
        found = [body_colour(picture, *place) for place in self.places]
        return [colour for colour in found if colour is not None]


def _made(colour: Sequence[float], rng: np.random.Generator) -> tuple[float, float, float]:
    """Return one manufacturer's version of a colour."""
    blue, green, red = np.clip(np.asarray(colour) * rng.uniform(0.86, 1.12) + rng.normal(0, 0.03, 3), 0.02, 0.97)
    return (float(blue), float(green), float(red))


def scene(rng: np.random.Generator, names: Sequence[str], *, ball: bool = False) -> Scene:
    """Return a tray with dice of these body colours, or ball dice with these paints; equal colours share their
    maker."""
    canvas = tray_ground(SIZE, rng, random_colour(rng) if rng.random() < 0.7 else (0.22, 0.40, 0.10))
    around, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.9)
    direction = (float(np.cos(around) * slope), float(np.sin(around) * slope), 1.0)
    unit = np.asarray(direction) / np.linalg.norm(direction)
    light = Light((float(unit[0]), float(unit[1]), float(unit[2])), float(rng.uniform(0.45, 0.65)), 0.45)
    canvas *= np.float32(light.ambient + 0.8 * light.diffuse)
    if ball:
        fills = tuple(_made(from_hex(text), rng) for text in design.BALL_COLOURS.values())
        base = design.die_model("ball", "white" if rng.random() < 0.5 else "black")
        dressed = {name: replace(base.material, fills=fills) for name in design.BALL_COLOURS}
        artwork = base.artwork
    else:
        base = design.die_model("pips", "white")
        artwork = base.artwork
        dressed = {
            name: replace(
                design.die_model("pips", name).material, body=_made(BODIES[name], rng), gloss=float(rng.uniform(0, 0.5))
            )
            for name in sorted(set(names))
        }
    chosen = rng.permutation(len(_PLACES))[: len(names)]
    places = []
    for name, place in zip(names, chosen, strict=True):
        x, y = np.asarray(_PLACES[place]) + rng.uniform(-8, 8, 2)
        edge = float(rng.uniform(34, 46))
        value = tuple(design.BALL_COLOURS).index(name) + 1 if ball else int(rng.integers(1, 7))
        _draw(canvas, artwork, dressed[name], base.shape, (value, float(x), float(y), edge), light, rng)
        places.append((float(x), float(y), edge))
    return Scene(canvas, tuple(names), tuple(places))


def _draw(
    canvas: FloatImage,
    artwork: FloatImage,
    material: Material,
    shape: design.Shape,
    die: tuple[int, float, float, float],
    light: Light,
    rng: np.random.Generator,
) -> None:
    value, x, y, edge = die
    turned = pose(value, float(rng.uniform(0, 2 * np.pi)))
    view = View(0.0, FOCAL / edge, edge)
    size = int(np.ceil(edge * PATCH * 0.9)) * 2
    darken(canvas, shadow(view, (turned @ _CORNERS.T).T, light, size), x, y, 0.0)
    composite(canvas, [(shade(render(artwork, turned, shape, view), material, light), x, y)], 0.0)


def light_map(name: str, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return the linear light colour at each pixel (or of all: shape (3,)): neutral, warm, cold, mixed or any."""
    greener = float(np.clip(rng.normal(0, 0.05), -0.1, 0.1))
    if name == "mixed":
        y, x = np.mgrid[: SIZE[0], : SIZE[1]]
        angle = rng.uniform(0, 2 * np.pi)
        along = ((x - SIZE[1] / 2) * np.cos(angle) + (y - SIZE[0] / 2) * np.sin(angle)) / SIZE[1]
        share = (0.5 + rng.uniform(-0.15, 0.15) + along * rng.uniform(0.2, 0.7)).clip(0, 1)[..., None]
        return np.asarray(black_body(1e6 / 2700, greener) * share + black_body(1e6 / 6500, greener) * (1 - share))
    kelvin = {"neutral": 6500.0, "warm": 2700.0, "cold": 7500.0}.get(name)
    return black_body(1e6 / kelvin if kelvin else float(rng.uniform(115, 390)), greener)


def photograph(seen: Scene, light: npt.NDArray[np.float64], rng: np.random.Generator) -> Picture:
    """Return the picture of a camera without white balance in this light.

    The camera has automatic exposure, its own contrast and saturation, noise and JPEG compression.
    """
    lit = srgb_to_linear(seen.canvas) * light
    target = float(srgb_to_linear(seen.canvas).mean(axis=(0, 1)) @ LUMINANCE) * np.exp(rng.normal(0, 0.2))
    lit *= min(target / max(float(lit.mean(axis=(0, 1)) @ LUMINANCE), 1e-6), 1.25 / max(np.percentile(lit, 99.5), 1e-6))
    out = linear_to_srgb(lit).astype(np.float32)
    grey = out.mean(2, keepdims=True)
    out = np.clip(grey + (out - grey) * float(rng.uniform(0.88, 1.12)), 0, 1) ** float(np.exp(rng.normal(0, 0.07)))
    _, code = cv2.imencode(".jpg", finish(out, rng, 0.012), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
