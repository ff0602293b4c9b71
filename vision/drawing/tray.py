"""Drawing of a tray: renders given dice as seen by a camera straight above, still or moving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice_sets import Kind
from vision.drawing import design
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import PATCH, Colour, Light, View, composite, darken, finish, pose, render, shade, shadow


def cloud(shape: tuple[int, int], cell: float, rng: np.random.Generator, octaves: int = 3) -> FloatImage:
    """Return smooth noise with zero mean and about unit standard deviation.

    `cell` is the size in pixels of the coarsest lumps.
    """
    height, width = shape
    total: FloatImage = np.zeros(shape, np.float32)
    for octave in range(octaves):
        step = max(1.0, cell / 2**octave)
        small = rng.normal(0, 1, (int(height / step) + 2, int(width / step) + 2)).astype(np.float32)
        lumps = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
        total = total + np.float32(0.6**octave) * lumps
    return np.asarray(total / max(float(total.std()), 1e-6), np.float32)


def felt(shape: tuple[int, int], colour: Colour, rng: np.random.Generator) -> FloatImage:
    """Return a felt texture: fine fibres and large soft patches."""
    fibres = cv2.GaussianBlur(rng.normal(0, 1, shape).astype(np.float32), (0, 0), float(rng.uniform(0.5, 1.4)))
    fibres = fibres * np.float32(rng.uniform(0.04, 0.14) / max(float(fibres.std()), 1e-6))
    patches = 0.05 * cloud(shape, float(rng.uniform(60, 200)), rng)
    return np.asarray(np.asarray(colour, np.float32) * (1 + fibres + patches)[..., None], np.float32)


def wood(shape: tuple[int, int], colour: Colour, rng: np.random.Generator) -> FloatImage:
    """Return a wood texture: boards with parallel grain, at any angle."""
    size = int(np.hypot(*shape)) + 2
    stretch = int(rng.integers(10, 40))
    across = rng.normal(0, 1, (size, size // stretch + 2)).astype(np.float32)
    fine = cv2.resize(across, (size, size), interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(fine, (0, 0), sigmaX=1, sigmaY=float(rng.uniform(0.6, 3)))
    rings = np.sin(np.arange(size)[:, None] / rng.uniform(5, 25) + 2.5 * cloud((size, size), 220, rng, 2))
    grain = float(rng.uniform(0.02, 0.09)) * fine / max(float(fine.std()), 1e-6) + float(rng.uniform(0, 0.09)) * rings
    if rng.random() < 0.4:
        board = int(rng.integers(60, 220))
        seams = (np.arange(size) % board < 2)[:, None] * float(rng.uniform(0.1, 0.5))
        grain = grain - seams + np.repeat(rng.normal(0, 0.06, size // board + 1), board)[:size, None]
    angle = 0.0 if rng.random() < 0.4 else float(rng.uniform(0, 180))
    turned = cv2.warpAffine(
        grain.astype(np.float32),
        cv2.getRotationMatrix2D((size / 2, size / 2), angle, 1.0),
        (size, size),
        borderMode=cv2.BORDER_REFLECT,
    )
    top, left = (size - shape[0]) // 2, (size - shape[1]) // 2
    cut = turned[top : top + shape[0], left : left + shape[1], None]
    shift = np.array([0.9, 1.0, 1.05], np.float32)
    return np.asarray(np.asarray(colour, np.float32) * (1 + cut * shift), np.float32)


def tray_rim(height: int) -> int:
    """Return the rim width in pixels of a drawn tray of that height."""
    return max(8, int(0.045 * height))


def tray_ground(
    shape: tuple[int, int],
    rng: np.random.Generator,
    colour: Colour = (0.22, 0.40, 0.10),
    rim_colour: Colour = (0.10, 0.16, 0.28),
) -> FloatImage:
    """Return an empty dice tray seen from above: felt, a rim of dark wood, and a soft shadow along the rim."""
    height, width = shape
    base = felt(shape, colour, rng)
    rim = tray_rim(height)
    frame = wood(shape, rim_colour, rng)
    mask = np.zeros(shape, np.float32)
    cv2.rectangle(mask, (rim, rim), (width - 1 - rim, height - 1 - rim), 1.0, -1)
    inner = cv2.GaussianBlur(mask, (0, 0), rim * 0.5)
    base = base * (0.45 + 0.55 * np.clip(inner * 1.6 - 0.6, 0, 1))[..., None]
    return np.asarray(base * mask[..., None] + frame * (1 - mask[..., None]), np.float32)


SIZE = (480, 640)
"""Height and width of a tray image in pixels."""

FOCAL = 760.0
"""Focal length of the tray camera in pixels. A die at the image border is seen at about 22 degrees."""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A die lying in the tray, or moving.

    - `kind`: a kind of dice, or the name of one in a built-in set.
    - `body`: a name of `material.BODIES`.
    - `face`: the top face 1..6, by position in the kind's list.
    - `x`, `y`: its centre in pixels; `edge` in pixels.
    - `yaw`, `lean` (0 for a flat die, otherwise cocked), `lean_towards`: in radians.
    - `motion`: distance in pixels that it moves while the shutter is open.
    - `spin`, `spin_axis`: rotation in radians in that time, about an axis in table coordinates.
    """

    kind: str | Kind = "pips"
    body: str = "white"
    face: int = 1
    x: float = 320.0
    y: float = 240.0
    yaw: float = 0.0
    edge: float = 40.0
    lean: float = 0.0
    lean_towards: float = 0.0
    motion: tuple[float, float] = (0.0, 0.0)
    spin: float = 0.0
    spin_axis: tuple[float, float, float] = (1.0, 0.0, 0.0)


def make_ground(rng: np.random.Generator, shape: tuple[int, int] = SIZE) -> FloatImage:
    """Create an empty tray (height, width, 3) in BGR 0..1. Reuse it for every `draw_tray` of a source."""
    return tray_ground(shape, rng)


def draw_tray(
    dice: Sequence[DrawnDie],
    rng: np.random.Generator,
    *,
    ground: FloatImage | None = None,
    light: Light | None = None,
    noise: float = 0.008,
) -> npt.NDArray[np.uint8]:
    """Draw `dice`, the first at the bottom, on `ground` (a new tray if None). Return (480, 640, 3) uint8 BGR.

    - `rng`: generates a new ground and the sensor noise. The same state gives the same image.
    - `light`: its direction is in the image frame (x right, y down, z to the camera).
    - `noise`: standard deviation in 0..1.

    Takes about 10 ms plus 8 ms per resting die (five times that for a moving one).

    Raises: ValueError for a kind that cannot be drawn, KeyError for an unknown body.
    """
    canvas = make_ground(rng) if ground is None else ground.copy()
    lit = light or Light()
    canvas *= np.asarray(lit.tint, np.float32) * np.float32(lit.ambient + 0.8 * lit.diffuse)
    for die in dice:
        _draw_die(canvas, die, lit)
    return finish(canvas, rng, noise)


def _draw_die(canvas: FloatImage, die: DrawnDie, light: Light) -> None:
    height, width = canvas.shape[:2]
    off_x, off_y = die.x - width / 2, die.y - height / 2
    tilt = float(np.arctan2(np.hypot(off_x, off_y), FOCAL))
    # In the layers the nadir is straight down; in the tray it is the image centre.
    rotation = float(np.arctan2(-off_y, -off_x) - np.pi / 2) if tilt > 1e-6 else 0.0
    view = View(tilt, FOCAL / die.edge, die.edge)
    looked = design.die_model(die.kind, die.body)
    own_light = Light(
        _turned(light.direction, -rotation), light.ambient, light.diffuse, light.tint, light.shadow, light.softness
    )
    steps = 1 if die.motion == (0.0, 0.0) and not die.spin else 6
    for_die: list[tuple[FloatImage, float, float]] = []
    dark: list[tuple[FloatImage, float, float]] = []
    for step in range(steps):
        part = (step + 0.5) / steps - 0.5
        turned = pose(die.face, die.yaw + rotation, die.lean, die.lean_towards + rotation)
        if die.spin:
            axis, _ = cv2.Rodrigues(np.asarray(die.spin_axis, float) * die.spin * part)
            turned = np.asarray(axis, float) @ turned
        layers = render(looked.artwork, turned, looked.shape, view)
        size = int(np.ceil(die.edge * PATCH * 0.9)) * 2
        x, y = die.x + die.motion[0] * part, die.y + die.motion[1] * part
        dark.append((shadow(view, (turned @ _CORNERS.T).T, own_light, size), x, y))
        for_die.append((shade(layers, looked.material, own_light), x, y))
    for darkness, x, y in dark:
        darken(canvas, darkness * np.float32(1 / steps), x, y, rotation)
    composite(canvas, for_die, rotation)


def _turned(direction: tuple[float, float, float], angle: float) -> tuple[float, float, float]:
    c, s = float(np.cos(angle)), float(np.sin(angle))
    x, y, z = direction
    return (c * x - s * y, s * x + c * y, z)
