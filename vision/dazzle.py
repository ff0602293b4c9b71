"""Notices dice that a picture shows burnt out: the tray tells a camera's automatic nothing of white dice to come."""

from __future__ import annotations

from collections.abc import Iterable

from vision.pictures import Picture
from vision.roll import Box, DieReading

STEP = 0.7
"""Share of its light that a camera is to let in where a die is burnt out, and again while one still is."""

_BURNT = 250
"""From this value on, of 255, a channel tells no more how much light there was: of the other two alone a colour is made
that is not the die's."""

_MIDDLE = 0.22
"""Half of the middle of a die's box that is looked at, as a share of its shorter side: all of it is the die's top."""

_TOO_MUCH = 0.3


def dazzles(picture: Picture, dice: Iterable[DieReading]) -> bool:
    """Whether one of `dice` whose reading may suffer from it, as it is in doubt or told by a colour, is burnt out in a
    picture (height, width, 3; BGR): of more than _TOO_MUCH of its middle a channel is."""
    open_to_it = (die for die in dice if not die.certain or die.face.colour is not None)
    return any(burnt(picture, die.box) > _TOO_MUCH for die in open_to_it)


def burnt(picture: Picture, box: Box) -> float:
    """Share of the pixels in the middle of a box of which a channel is burnt out; 0 outside the picture."""
    left, top, width, height = box
    x, y, reach = left + width / 2, top + height / 2, _MIDDLE * min(width, height)
    rows = slice(max(0, int(y - reach)), max(0, int(y + reach) + 1))
    part = picture[rows, max(0, int(x - reach)) : max(0, int(x + reach) + 1)]
    return float((part.max(2) >= _BURNT).mean()) if part.size else 0.0
