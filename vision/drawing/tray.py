"""The simulated tray: draws given dice as a camera straight above would see them, still or moving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice_sets import Kind
from vision.drawing import looks
from vision.drawing.compose import darken, finish, lay
from vision.drawing.cube import PATCH, View, pose, render
from vision.drawing.faces import FloatImage
from vision.drawing.ground import tray_ground
from vision.drawing.material import Light, shade, shadow

SIZE = (480, 640)
"""Height and width of a tray picture in pixels."""

FOCAL = 760.0
"""Focal length of the tray camera in pixels: a die at the rim of the picture is seen about 22 degrees askew."""

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A die as it lies, or flies, in the tray.

    `kind` is a kind of some dice set, or the name of one of the product's own sets; `body` a name of `material.BODIES`;
    `face` 1..6 is the face on top, the n-th in the kind's list. `x`, `y`: its middle in pixels; `yaw`, `lean` (0 for a
    die that lies flat; a cocked die leans) and `lean_towards` in radians; `edge` in pixels. `motion` is the way in
    pixels that it covers while the shutter is open, `spin` the turn about `spin_axis` (table coordinates) in radians in
    that time.
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
    """An empty tray (height, width, 3) in BGR 0..1, to be made once and handed to every `draw_tray` of a source."""
    return tray_ground(shape, rng)


def draw_tray(
    dice: Sequence[DrawnDie],
    rng: np.random.Generator,
    *,
    ground: FloatImage | None = None,
    light: Light | None = None,
    noise: float = 0.008,
) -> npt.NDArray[np.uint8]:
    """Draws `dice`, the first below the last, on `ground` (a new tray if None): (480, 640, 3) uint8 BGR.

    `rng` gives the grain of a new ground and the noise of the sensor; the same generator state gives the same picture.
    `light` has its direction in the picture's frame (x right, y down, z to the camera); `noise` is its spread in 0..1.
    Takes about 10 ms and 8 ms a resting die (five times that for a moving one). Raises ValueError for a kind that
    cannot be drawn and KeyError for an unknown body.
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
    # In the layers the nadir lies straight down; in the tray it is the middle of the picture.
    turn = float(np.arctan2(-off_y, -off_x) - np.pi / 2) if tilt > 1e-6 else 0.0
    view = View(tilt, FOCAL / die.edge, die.edge)
    looked = looks.of_kind(die.kind, die.body)
    own_light = Light(
        _turned(light.direction, -turn), light.ambient, light.diffuse, light.tint, light.shadow, light.softness
    )
    steps = 1 if die.motion == (0.0, 0.0) and not die.spin else 6
    for_die: list[tuple[FloatImage, float, float]] = []
    dark: list[tuple[FloatImage, float, float]] = []
    for step in range(steps):
        part = (step + 0.5) / steps - 0.5
        turned = pose(die.face, die.yaw + turn, die.lean, die.lean_towards + turn)
        if die.spin:
            axis, _ = cv2.Rodrigues(np.asarray(die.spin_axis, float) * die.spin * part)
            turned = np.asarray(axis, float) @ turned
        layers = render(looked.artwork, turned, looked.shape, view)
        size = int(np.ceil(die.edge * PATCH * 0.9)) * 2
        x, y = die.x + die.motion[0] * part, die.y + die.motion[1] * part
        dark.append((shadow(view, (turned @ _CORNERS.T).T, own_light, size), x, y))
        for_die.append((shade(layers, looked.material, own_light), x, y))
    for darkness, x, y in dark:
        darken(canvas, darkness * np.float32(1 / steps), x, y, turn)
    lay(canvas, for_die, turn)


def _turned(direction: tuple[float, float, float], angle: float) -> tuple[float, float, float]:
    c, s = float(np.cos(angle)), float(np.sin(angle))
    x, y, z = direction
    return (c * x - s * y, s * x + c * y, z)
