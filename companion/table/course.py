"""Axes for curves: steps that people count in. Pure."""

from __future__ import annotations

from math import ceil

_STEPS = (1, 2, 5)


def even_step(most: float, ticks: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, … by which at most `ticks` steps reach `most`."""
    scale = 1
    while True:
        for step in _STEPS:
            if ceil(most / (step * scale)) <= ticks:
                return step * scale
        scale *= 10
