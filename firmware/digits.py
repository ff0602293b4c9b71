"""Score display on eight seven-segment digits (a MAX7219 module).

Segment bits are those of the MAX7219 without decoding: 6 to 0 are a to g (datasheet, table 6).
"""

NUMBERS = (0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B)
DASH = 0x01
BLANK = 0x00
DARK = bytes(8)
MAX_SCORE = 999
"""Maximum displayed score; larger ones are shown as this."""


def score_segments(left: int, right: int) -> bytes:
    """Return eight digits from left to right: both scores beside a double dash, as in 103--98."""
    one, two = _numerals(left), _numerals(right)
    blanks = bytes([BLANK])
    return blanks * (3 - len(one)) + one + bytes([DASH, DASH]) + two + blanks * (3 - len(two))


def _numerals(number: int) -> bytes:
    return bytes([NUMBERS[int(digit)] for digit in str(min(MAX_SCORE, max(0, number)))])
