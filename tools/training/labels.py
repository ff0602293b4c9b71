"""The label that a drawn or photographed die carries in training."""

from __future__ import annotations

from dataclasses import dataclass

NOT_SAID = 255
"""In place of a class, paint, ink or state: this picture teaches nothing about it."""


@dataclass(frozen=True, slots=True)
class Pose:
    """How a drawn die lies, beside its label's lean.

    `lean`: degrees between its top face and the table. `flat`: what the label's lean would be if it lay flat there.
    `off_axis`: from the picture's principal point, in focal lengths. `axes`: the cube's three axes as columns of a 3x3
    matrix, row by row: in the picture as the label's lean, then towards the camera. `hull`: its eight corners in
    pixels.
    """

    lean: float
    flat: tuple[float, float]
    off_axis: tuple[float, float]
    axes: tuple[float, ...]
    hull: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """One die in a training picture, in its pixels.

    `x`, `y`: middle of the top face. `edge`: length of an edge there. `lean_x`, `lean_y`: sine of the angle between the
    top face's normal and the line of sight, away from the direction in which the normal points in the picture (for a
    die that lies flat: towards the foot of the camera). `box`: left, top, right, bottom of the whole die. `face`: class
    (classification.classes). `paint`, `ink`: indices among dice_sets.BODIES of the face's ground and of its mark.
    `state`: index among classes.STATES. `seen`: share of the top face that is neither hidden nor cut off. `sides`:
    middles of the side faces that can be seen. `pose`: of drawn dice.
    """

    x: float
    y: float
    edge: float
    lean_x: float
    lean_y: float
    box: tuple[float, float, float, float]
    face: int
    paint: int = NOT_SAID
    ink: int = NOT_SAID
    state: int = 0
    seen: float = 1.0
    sides: tuple[tuple[float, float], ...] = ()
    pose: Pose | None = None
