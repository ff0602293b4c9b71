"""What the face net can say of a crop: the classes, paints and states by name and number. Shared with its training."""

from __future__ import annotations

NOTHING = 0
"""No top face is centred here: ground, clutter, the side of a die, a gap between dice."""

UNKNOWN = 7
"""A die whose face is none of ours, or cannot be made out."""

PLAIN = 8
"""A face with nothing on it: a side of the ball, an empty face."""

DIGITS = 9
"""Digit d is class DIGITS + d; 6 and 9 with a line or dot that tells which."""

SIX_OR_NINE = 19
"""A six or nine that nothing tells apart."""

SYMBOLS = ("ball", "pass", "steal", "free_throw")
"""The symbols of dice in the order of their classes."""

FIRST_SYMBOL = 20

CLASSES = FIRST_SYMBOL + len(SYMBOLS)

STATES = ("flat", "cocked", "blurred", "hidden")
"""How a die is seen, apart from its face."""


def of_digit(value: int) -> int:
    """The class of a marked digit 0..9."""
    return DIGITS + value


def of_symbol(name: str) -> int:
    """The class of a symbol. Raises ValueError for another one."""
    return FIRST_SYMBOL + SYMBOLS.index(name)
