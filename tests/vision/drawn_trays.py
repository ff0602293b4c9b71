"""Rendered trays by number: felts, rims, lights, dice, tilted cameras; with ground truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.training.camera_effects import uneven_light
from vision.cameras.simulated_effects import Mount, Points
from vision.drawing.rendering import BODIES, Light
from vision.drawing.tray import SIZE, DrawnDie, draw_tray, tray_ground
from vision.pictures import Picture

FELTS = {
    "green": (0.22, 0.40, 0.10),
    "grey": (0.45, 0.46, 0.45),
    "red": (0.12, 0.10, 0.42),
    "blue": (0.45, 0.24, 0.10),
    "black": (0.10, 0.10, 0.10),
}
RIMS = {
    "wood": (0.10, 0.16, 0.28),
    "pine": (0.32, 0.52, 0.66),
    "plastic": (0.05, 0.05, 0.05),
    "white": (0.75, 0.76, 0.78),
}


@dataclass(frozen=True, slots=True)
class Tray:
    """A rendered tray and its ground truth."""

    picture: Picture
    corners: Points
    felt: str
    rim: str
    mount: Mount


def tray(number: int, *, dice: int | None = None, askew: float = 1.0, mount: Mount | None = None) -> Tray:
    """Return tray `number`; `askew` scales the tilt of its camera."""
    chance = np.random.default_rng((number, 77))
    pairs = [(felt, rim) for felt in FELTS for rim in RIMS if (felt, rim) != ("black", "plastic")]
    felt, rim = pairs[int(chance.integers(len(pairs)))]
    ground = tray_ground(SIZE, chance, FELTS[felt], RIMS[rim])
    ground = uneven_light(ground, chance)
    bright = float(chance.uniform(0.55, 1.15))
    cast = np.exp(chance.normal(0, 0.12, 3)) * bright
    light = Light(tint=(float(cast[0]), float(cast[1]), float(cast[2])))
    count = int(chance.integers(0, 6)) if dice is None else dice
    drawn_dice = [
        DrawnDie(
            body=str(chance.choice(sorted(BODIES))),
            face=int(chance.integers(1, 7)),
            x=float(chance.uniform(60, 580)),
            y=float(chance.uniform(60, 420)),
            yaw=float(chance.uniform(0, 6.3)),
        )
        for _ in range(count)
    ]
    picture = draw_tray(drawn_dice, chance, ground=ground, light=light, noise=0.0)
    hung = mount or hanging(chance, askew)
    seen = hung.over(picture, 0.0)
    grainy = seen + chance.normal(0, float(chance.uniform(1, 4)), seen.shape)
    return Tray(np.asarray(np.clip(grainy, 0, 255), np.uint8), hung.corners(), felt, rim, hung)


def hanging(chance: np.random.Generator, askew: float = 1.0) -> Mount:
    """Return a camera aimed at the tray by eye: all four corners are in its picture."""
    across, down = (askew * float(chance.uniform(-0.14, 0.14)) for _ in range(2))
    turned, zoom = askew * float(chance.uniform(-0.09, 0.09)), float(chance.uniform(0.68, 0.92))
    off = [float(chance.uniform(-15, 15)) for _ in range(2)]
    height, width = SIZE
    while True:
        free = Mount(across, down, turned, zoom)
        middle = free.corners().mean(0)
        shift = (width / 2 - float(middle[0]) + off[0], height / 2 - float(middle[1]) + off[1])
        aimed = Mount(across, down, turned, zoom, shift)
        corners = aimed.corners()
        if corners.min() > 4 and corners[:, 0].max() < width - 5 and corners[:, 1].max() < height - 5:
            return aimed
        zoom *= 0.97
