"""How large a dp is on the panel at hand, and whether it lies wide or stands tall. Numbers only."""

from __future__ import annotations

DP_A_MILLIMETRE = 5.16
"""1 dp is 1 px on the official 7 inch display (SCREENS 2): about 5.16 px a millimetre across."""

_LONG, _SHORT = 800.0, 450.0


def density(width: int, height: int, width_mm: float | None = None) -> float:
    """Pixels a dp for a window of `width` x `height` pixels on a panel `width_mm` wide.

    Without a width in millimetres the layout decides: 800 x 450 dp must fit. A panel so fine that the layout would not
    fit gets the density that fits, with targets smaller than the nine millimetres they should have.
    """
    fits = min(max(width, height) / _LONG, min(width, height) / _SHORT)
    if width_mm is None or width_mm <= 0:
        return fits
    return min(width / width_mm / DP_A_MILLIMETRE, fits * 1.02)


def portrait(width: float, height: float) -> bool:
    """True when the portrait layout is the one that fits."""
    return height > width
