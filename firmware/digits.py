"""The score on eight digits of seven segments (a MAX7219 module): which segments are lit.

Segments are bits as the MAX7219 takes them without decoding: 6 to 0 are a to g (datasheet, table 6).
"""

NUMBERS = (0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B)
DASH = 0x01
BLANK = 0x00
DARK = bytes(8)
MOST = 999
"""Largest score that is shown; a larger one stays at it."""


def of_score(left: int, right: int) -> bytes:
    """Eight digits from left to right: both scores stand next to a double dash, as in 103--98."""
    one, two = _numerals(left), _numerals(right)
    blanks = bytes([BLANK])
    return blanks * (3 - len(one)) + one + bytes([DASH, DASH]) + two + blanks * (3 - len(two))


def _numerals(number: int) -> bytes:
    return bytes([NUMBERS[int(digit)] for digit in str(min(MOST, max(0, number)))])
