"""The label that a drawn or photographed die carries in training."""

from __future__ import annotations

from dataclasses import dataclass

NOT_SAID = 255
"""In place of a class, paint, ink or state: this picture teaches nothing about it."""


@dataclass(frozen=True, slots=True)
class Label:
    """One die in a training picture, in its pixels.

    `x`, `y`: middle of the top face. `edge`: length of an edge there. `lean_x`, `lean_y`: sine of the tilt times the
    direction in which the foot of the camera lies. `box`: left, top, right, bottom of the whole die. `face`: class
    (classification.classes). `paint`, `ink`: indices among dice_sets.BODIES of the face's ground and of its mark.
    `state`: index among classes.STATES. `seen`: share of the top face that is neither hidden nor cut off. `sides`:
    middles of the side faces that can be seen.
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
