"""The classes that the nets tell apart, and the label that a drawn or photographed die carries in training."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING = 0
"""No top face is centred here: ground, clutter, the side of a die, a gap between dice."""

UNKNOWN = 7
"""A die whose face is none of ours (digits, symbols), or cannot be made out."""

PLAIN = 8
"""A die with a plain coloured face: the ball."""

CLASSES = 9
COLOURS = 6
NO_COLOUR = 255


@dataclass(frozen=True, slots=True)
class Label:
    """One die in a training picture, in its pixels.

    `x`, `y`: middle of the top face. `edge`: length of an edge there. `lean_x`, `lean_y`: sine of the tilt times the
    direction in which the foot of the camera lies. `box`: left, top, right, bottom of the whole die. `face`: class
    above.
    `colour`: index of the ball's colour. `seen`: share of the top face that is neither hidden nor cut off.
    `sides`: middles of the side faces that can be seen.
    """

    x: float
    y: float
    edge: float
    lean_x: float
    lean_y: float
    box: tuple[float, float, float, float]
    face: int
    colour: int = NO_COLOUR
    seen: float = 1.0
    sides: tuple[tuple[float, float], ...] = ()
