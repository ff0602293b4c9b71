"""The format of a PIN, as tables ask for it and as the hub gives the referee's to all tables."""

from __future__ import annotations

MIN_PIN_DIGITS, MAX_PIN_DIGITS = 4, 8


def is_valid_pin(pin: str) -> bool:
    """Return whether `pin` has the format of a PIN."""
    return MIN_PIN_DIGITS <= len(pin) <= MAX_PIN_DIGITS and pin.isascii() and pin.isdigit()
