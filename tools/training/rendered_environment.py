"""The surroundings of the dice in the rendered images: cloths, boards, lamps and the room.

Textures are generated and tile without a seam. Colours are red, green, blue as linear shares of light. Lengths are in
edges of a die.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from tools.training.rendered_dice import Floats, Points

TEXELS = 512
"""Edge of a ground's texture."""

RIM = (0.6, 1.6)
"""Half the width of a tray's rim, and its height."""

_SKY = (32, 64)

# CIE colour matching functions by wavelength in nanometres, as sums of bell curves (Wyman, Sloan and Shirley 2013):
# height, centre, width below and above it.
_BELLS = (
    ((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
    ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)),
    ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)),
)
_TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])


def glow(kelvin: float) -> Points:
    """Return the colour of a black body of that temperature (Planck 1900) as linear red, green, blue, with green 1."""
    wave = np.arange(380.0, 781.0, 5.0)
    power = wave**-5 / np.expm1(1.4388e7 / (wave * kelvin))
    power /= power.sum()
    seen = []
    for bells in _BELLS:
        parts = (h * np.exp(-0.5 * ((wave - m) / np.where(wave < m, low, high)) ** 2) for h, m, low, high in bells)
        seen.append(float((np.sum(list(parts), 0) * power).sum()))
    colour = np.maximum(_TO_RGB @ np.array(seen), 1e-6)
    return np.asarray(colour / colour[1])


@dataclass(frozen=True)
class Ground:
    """A ground.

    `paint` (TEXELS, TEXELS, 3) repeats every `tile` edges. `gloss`: roughness of its varnish, 0 for none.
    """

    name: str
    paint: Floats
    tile: float
    gloss: float = 0.0


@dataclass(frozen=True)
class RenderedLamp:
    """A rectangular lamp at `place` of `size` that faces the table's centre, with its radiance as a colour."""

    place: Points
    size: tuple[float, float]
    light: Points


@dataclass(frozen=True)
class Environment:
    """A room: ground, lamps, ambient light (32, 64, 3), and the distance of the sides of a tray's rim, 0 for none."""

    ground: Ground
    lamps: list[RenderedLamp]
    sky: Floats
    rim: float
    rim_paint: Points


def random_environment(reach: float, rng: np.random.Generator) -> Environment:
    """Return a table and its light. The visible area extends about `reach` edges from the centre."""
    maker = _GROUNDS[int(rng.choice(len(_GROUNDS), p=(0.34, 0.22, 0.14, 0.3)))]
    kelvin = rng.uniform(2700, 6500, 4)
    lamps = [_lamp(float(kelvin[i]), rng) for i in range(int(rng.integers(1, 4)))]
    around = float(rng.uniform(0.03, 0.6)) * sum(float(on_table(lamp).mean()) for lamp in lamps) / np.pi
    rim = reach * float(rng.uniform(0.75, 1.05)) if rng.random() < 0.25 else 0.0
    return Environment(
        maker(rng), lamps, _sky(float(kelvin[3]), around, rng), rim, _wood_tone(rng) * float(rng.uniform(0.5, 1))
    )


def on_table(lamp: RenderedLamp) -> Points:
    """Return a lamp's irradiance at the table's centre, by colour."""
    distance = float(np.linalg.norm(lamp.place))
    return np.asarray(lamp.light * lamp.size[0] * lamp.size[1] * lamp.place[2] / distance**3)


def _lamp(kelvin: float, rng: np.random.Generator) -> RenderedLamp:
    """Return a lamp shade, a tube, a panel or a window, from above or from the side."""
    high, azimuth = np.deg2rad(rng.uniform(25, 85)), rng.uniform(0, 2 * np.pi)
    distance = float(rng.uniform(45, 140))
    place = distance * np.array([np.cos(high) * np.cos(azimuth), np.cos(high) * np.sin(azimuth), np.sin(high)])
    span = distance * float(np.exp(rng.uniform(np.log(0.05), np.log(0.6))))
    size = (span, span * float(rng.uniform(0.12, 1.0)))
    strength = float(rng.uniform(0.3, 1.0)) * distance**2 / (size[0] * size[1])
    return RenderedLamp(place, size, glow(kelvin) * strength)


def _sky(kelvin: float, strength: float, rng: np.random.Generator) -> Floats:
    """Return ceiling, walls and floor with a window or two, as seen from the table (rows from zenith to nadir)."""
    height, width = _SKY
    v, u = np.mgrid[:height, :width] / np.array([height, width])[:, None, None]
    walls = np.where(v < 0.3, rng.uniform(0.7, 1.3), rng.uniform(0.3, 0.9)) * np.where(v > 0.5, 0.35, 1.0)
    walls = walls * (1 + 0.3 * np.sin(2 * np.pi * (u + rng.random())))
    sky = walls[..., None] * glow(kelvin) * rng.uniform(0.8, 1.2, 3)
    for _ in range(int(rng.integers(0, 3))):
        left, top = int(rng.integers(width)), int(rng.integers(6, 11))
        columns = np.arange(left, left + int(rng.integers(3, 10))) % width
        rows = slice(top, top + int(rng.integers(2, 6)))
        sky[rows, columns] = glow(float(rng.uniform(4500, 6500))) * rng.uniform(3, 18)
    sky = cv2.GaussianBlur(sky.astype(np.float32), (0, 0), 0.6)
    return np.asarray(sky * (strength / max(float(sky[:16].mean()), 1e-6)), np.float32)


def _noise(rng: np.random.Generator, wide: float, tall: float) -> Floats:
    """Return smooth tiling noise of mean 0 and spread 1. `wide` and `tall`: correlation lengths in texels."""
    waves = np.fft.rfft2(rng.standard_normal((TEXELS, TEXELS), dtype=np.float32))
    v, u = np.fft.fftfreq(TEXELS)[:, None], np.fft.rfftfreq(TEXELS)[None]
    waves *= np.exp(-2 * np.pi**2 * ((u * wide) ** 2 + (v * tall) ** 2))
    out = np.fft.irfft2(waves, (TEXELS, TEXELS))
    return np.asarray(out / max(float(out.std()), 1e-9), np.float32)


def _dyed(rng: np.random.Generator) -> Points:
    """Return a cloth's dye: mostly green and blue baize, else any colour, grey or near black."""
    pick = rng.random()
    if pick < 0.3:
        base = np.array([0.02, 0.17, 0.06])
    elif pick < 0.45:
        base = np.array([0.03, 0.07, 0.25])
    elif pick < 0.55:
        base = np.array([0.28, 0.02, 0.03])
    elif pick < 0.75:
        base = np.full(3, float(rng.uniform(0.02, 0.55)))
    else:
        base = rng.uniform(0.02, 0.6, 3)
    return np.asarray(np.clip(base * rng.uniform(0.6, 1.6) + rng.uniform(0, 0.02, 3), 0.01, 0.75))


def _felt(rng: np.random.Generator) -> Ground:
    fibres = 0.5 * _noise(rng, 5, 0.6) + 0.5 * _noise(rng, 0.6, 5) + 0.5 * _noise(rng, 0.8, 0.8)
    light = np.exp(0.09 * float(rng.uniform(0.6, 2.2)) * fibres + 0.05 * _noise(rng, 30, 30))
    lint = np.clip(_noise(rng, 1.5, 1.0) - 3.2, 0, 1)[..., None] * float(rng.uniform(0, 0.8))
    paint = _dyed(rng) * light[..., None]
    return Ground("felt", np.asarray(paint + (0.5 - paint) * lint, np.float32), float(rng.uniform(8, 14)))


def _wood_tone(rng: np.random.Generator) -> Points:
    light, dark = np.array([0.55, 0.36, 0.19]), np.array([0.11, 0.05, 0.025])
    mix = float(rng.uniform(0, 1))
    return np.asarray((light * mix + dark * (1 - mix)) * rng.uniform(0.85, 1.15, 3))


def _wood(rng: np.random.Generator) -> Ground:
    tone = _wood_tone(rng)
    y = np.arange(TEXELS)[:, None] / TEXELS
    rings = np.sin(2 * np.pi * (int(rng.integers(4, 12)) * y) + 2.2 * _noise(rng, 93, 11))
    pores = np.clip(_noise(rng, 25, 1.0) - 1.0, 0, 3)
    light = 0.16 * rings + 0.06 * _noise(rng, 60, 1.2) - 0.06 * pores + 0.1 * _noise(rng, 130, 40)
    boards = int(rng.choice((0, 2, 3)))
    for number in range(boards):
        rows = slice(number * TEXELS // boards, (number + 1) * TEXELS // boards)
        light[rows] += float(rng.normal(0, 0.15))
        light[rows][:3] -= 0.7
    paint = tone * np.exp(light * float(rng.uniform(0.5, 1.3)))[..., None]
    return Ground("wood", np.asarray(paint, np.float32), float(rng.uniform(10, 22)), float(rng.uniform(0.08, 0.35)))


def _cardboard(rng: np.random.Generator) -> Ground:
    """Return bare board, or board printed with fields and lines like game boards."""
    tone = np.array([0.42, 0.29, 0.17]) if rng.random() < 0.4 else rng.uniform(0.25, 0.75, 3)
    paint = np.full((TEXELS, TEXELS, 3), tone, np.float32)
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(2, 7))):
            x, y, wide, tall = (int(part) for part in rng.integers(30, 400, 4))
            colour = [float(part) for part in rng.uniform(0.03, 0.75, 3)]
            cv2.rectangle(paint, (x, y), (x + wide // 2, y + tall // 2), colour, int(rng.choice((-1, 4, 9))))
    grain = 0.04 * _noise(rng, 1.2, 1.2) + 0.03 * _noise(rng, 9, 2)
    paint = paint * np.exp(grain * float(rng.uniform(0.5, 2.0)))[..., None]
    gloss = float(rng.uniform(0.15, 0.4)) if rng.random() < 0.5 else 0.0
    return Ground("cardboard", np.asarray(paint, np.float32), float(rng.uniform(9, 20)), gloss)


def _cloth(rng: np.random.Generator) -> Ground:
    """Return a weave of threads: plain, striped or checked."""
    threads = int(rng.integers(45, 100))
    y, x = np.mgrid[:TEXELS, :TEXELS].astype(np.float32) * np.float32(np.pi * threads / TEXELS)
    over = np.sin(x + y) * np.sin(x - y)
    weave = 0.5 * over + 0.4 * np.maximum(np.abs(np.sin(x)), np.abs(np.sin(y)))
    light = float(rng.uniform(0.15, 0.5)) * weave + 0.07 * _noise(rng, 6, 1) + 0.07 * _noise(rng, 1, 6)
    one, two = _dyed(rng), _dyed(rng)
    pattern = rng.random()
    share = np.zeros((TEXELS, TEXELS), np.float32)
    if pattern < 0.5:
        step = int(rng.choice((2, 4, 6)))
        across = ((np.arange(TEXELS) * step * 2 // TEXELS) % 2).astype(np.float32)
        share = across[None] * 0.5 + (across[:, None] * 0.5 if pattern < 0.3 else across[None] * 0.5)
    paint = (one + (two - one) * share[..., None]) * np.exp(light + 0.05 * _noise(rng, 30, 30))[..., None]
    return Ground("cloth", np.asarray(np.clip(paint, 0, 0.85), np.float32), float(rng.uniform(7, 13)))


_GROUNDS: tuple[Callable[[np.random.Generator], Ground], ...] = (_felt, _wood, _cardboard, _cloth)
