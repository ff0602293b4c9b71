"""What the bodies and paints of the known dice look like in neutral light: central values for the balance by dice."""

from __future__ import annotations

from vision.white_balance.light import Colour


def _bgr(blue: int, green: int, red: int) -> Colour:
    return (blue / 255, green / 255, red / 255)


BODY_COLOURS: dict[str, Colour] = {
    "white": _bgr(232, 234, 235),
    "ivory": _bgr(188, 216, 232),
    "yellow": _bgr(40, 195, 232),
    "orange": _bgr(25, 115, 232),
    "red": _bgr(40, 35, 185),
    "pink": _bgr(165, 125, 228),
    "violet": _bgr(125, 40, 100),
    "blue": _bgr(170, 75, 30),
    "turquoise": _bgr(175, 170, 50),
    "green": _bgr(65, 130, 35),
    "brown": _bgr(38, 65, 108),
    "grey": _bgr(138, 136, 134),
    "black": _bgr(28, 26, 26),
}
"""Body colours by the names of `vision.dice_sets.BODIES`."""

PAINT_COLOURS: dict[str, Colour] = {
    "red": _bgr(0x22, 0x1C, 0xB5),
    "orange": _bgr(0x0C, 0x6C, 0xEE),
    "yellow": _bgr(0x5E, 0xE8, 0xFE),
    "green": _bgr(0x88, 0xBD, 0x2F),
    "blue": _bgr(0xEE, 0x6C, 0x1F),
    "violet": _bgr(0x84, 0x1A, 0x4B),
}
"""The six plain faces of the ball die (FC-1.10), by the names of `vision.roll.BALL_COLOURS`."""

INK_COLOURS: dict[str, tuple[Colour, ...]] = {
    "red": (_bgr(0x1C, 0x12, 0xB0), _bgr(0x5C, 0x6A, 0xFF)),
    "orange": (_bgr(0x00, 0x54, 0xC2), _bgr(0x3C, 0x9A, 0xFF)),
    "yellow": (_bgr(0x00, 0x86, 0xB8), _bgr(0x4D, 0xE4, 0xFF)),
    "green": (_bgr(0x4A, 0x7A, 0x0F), _bgr(0xA0, 0xE0, 0x4F)),
    "blue": (_bgr(0xB8, 0x47, 0x12), _bgr(0xFF, 0xB6, 0x6F)),
    "violet": (_bgr(0x84, 0x1A, 0x4B), _bgr(0xFF, 0x9B, 0xC7)),
    "black": (_bgr(0x0F, 0x0F, 0x0F),),
    "white": (_bgr(0xF2, 0xF2, 0xF2),),
}
"""Inks of coloured numbers, a dark one and a light one (screens: dice colours): printed sets have them."""
