"""Layout of the calibration card: four marks for detection, and patches of known colours. Own design, in millimetres.

`companion card-sheet --calibration` prints it, `vision.calibration.card` detects it, and it is drawn here for the
simulated tray.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.design import BALL_COLOURS
from vision.drawing.faces import FloatImage
from vision.drawing.rendering import Colour, from_hex

WIDTH, HEIGHT = 100.0, 70.0

MARK = 14.0
"""Side of a mark. It is black, contains a white square of five sevenths, and in that a black one of three sevenths."""

RINGS = ((7, 0.0), (5, 1.0), (3, 0.0))
"""Squares of a mark, from the outside: sevenths of its side, and lightness."""

MARKS = ((10.0, 10.0), (90.0, 10.0), (90.0, 60.0), (10.0, 60.0))
"""Centres of the marks: upper left, upper right, lower right, lower left."""

GREYS = (1.0, 0.8, 0.62, 0.46, 0.32, 0.18)
"""Encoded values (sRGB) of the greys; the first is the paper itself.

They are printed twice, in opposite order, so that light falling off towards one end does not look like another grey.
"""

_COLUMNS = (25.0, 35.0, 45.0, 55.0, 65.0, 75.0)
_ROWS = (14.0, 35.0, 56.0)
_WIDE, _TALL = 9.0, 16.0


@dataclass(frozen=True, slots=True)
class Patch:
    """A colour patch: centre and size in millimetres from the card's upper left corner, and BGR colour."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


def patches() -> tuple[Patch, ...]:
    """Return every patch: the greys, the six colours of the ball die, the greys in reverse order."""
    greys: list[Colour] = [(value, value, value) for value in GREYS]
    colours = [from_hex(text) for text in BALL_COLOURS.values()]
    rows = (greys, colours, greys[::-1])
    return tuple(
        Patch(x, y, _WIDE, _TALL, colour)
        for y, row in zip(_ROWS, rows, strict=True)
        for x, colour in zip(_COLUMNS, row, strict=True)
    )


def drawn_card(scale: float) -> FloatImage:
    """Draw the card (BGR 0..1, encoded) at `scale` pixels per millimetre, in neutral light."""
    fine = 4
    unit = scale * fine
    card: FloatImage = np.ones((round(HEIGHT * unit), round(WIDTH * unit), 3), np.float32)

    def area(x: float, y: float, width: float, height: float, colour: Colour) -> None:
        start = (round((x - width / 2) * unit), round((y - height / 2) * unit))
        end = (round((x + width / 2) * unit) - 1, round((y + height / 2) * unit) - 1)
        cv2.rectangle(card, start, end, colour, -1)

    for patch in patches():
        area(patch.x, patch.y, patch.width, patch.height, patch.colour)
    for x, y in MARKS:
        for sevenths, light in RINGS:
            side = MARK * sevenths / 7
            area(x, y, side, side, (light, light, light))
    size = (round(WIDTH * scale), round(HEIGHT * scale))
    return np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA), np.float32)
