"""The label of a drawn or photographed die."""

from __future__ import annotations

from dataclasses import dataclass

UNLABELLED = 255
"""Value for an unknown class, paint, ink or state: the loss ignores it."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of a drawn die, in addition to its label's lean.

    - `lean`: degrees between its top face and the table.
    - `flat`: the label's lean of a flat die at the same position.
    - `off_axis`: distance from the image's principal point, in focal lengths.
    - `axes`: the cube's three axes as columns of a 3x3 matrix, stored row by row: in the image as the label's lean,
      then towards the camera.
    - `hull`: its eight corners in pixels.
    """

    lean: float
    flat: tuple[float, float]
    off_axis: tuple[float, float]
    axes: tuple[float, ...]
    hull: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """One die in a training image, in its pixels.

    - `x`, `y`: centre of the top face.
    - `edge`: length of an edge there.
    - `lean_x`, `lean_y`: sine of the angle between the top face's normal and the line of sight, opposite to the
      direction of the normal in the image (for a flat die: towards the foot of the camera).
    - `box`: left, top, right, bottom of the whole die.
    - `face`: class (classification.classes).
    - `paint`, `ink`: indices in dice_sets.BODIES of the face's ground and of its mark.
    - `state`: index in classes.STATES.
    - `seen`: share of the top face that is neither occluded nor cut off.
    - `sides`: centres of the visible side faces.
    - `pose`: of drawn dice.
    """

    x: float
    y: float
    edge: float
    lean_x: float
    lean_y: float
    box: tuple[float, float, float, float]
    face: int
    paint: int = UNLABELLED
    ink: int = UNLABELLED
    state: int = 0
    seen: float = 1.0
    sides: tuple[tuple[float, float], ...] = ()
    pose: Pose | None = None
