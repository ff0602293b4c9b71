"""The outputs of the face network: classes, paints and states by name and number. Shared with its training."""

from __future__ import annotations

NOTHING = 0
"""No top face is centred here: ground, clutter, the side of a die, or a gap between dice."""

UNKNOWN = 7
"""A die with an unknown or unreadable face."""

PLAIN = 8
"""A face without a mark: a side of the ball, or an empty face."""

DIGITS = 9
"""Digit d is class DIGITS + d. 6 and 9 have a line or dot that distinguishes them."""

SIX_OR_NINE = 19
"""A six or nine without a distinguishing mark."""

SYMBOLS = ("ball", "pass", "steal", "free_throw")
"""The symbols of dice in the order of their classes."""

FIRST_SYMBOL = 20

CLASSES = FIRST_SYMBOL + len(SYMBOLS)

STATES = ("flat", "cocked", "blurred", "hidden")
"""The states of a die, apart from its face."""


def of_digit(value: int) -> int:
    """Return the class of a marked digit 0..9."""
    return DIGITS + value


def of_symbol(name: str) -> int:
    """Return the class of a symbol. Raises: ValueError for an unknown one."""
    return FIRST_SYMBOL + SYMBOLS.index(name)
