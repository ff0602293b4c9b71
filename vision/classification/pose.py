"""How a die lies: the direction of its top face, as a net of its own sees it."""

from __future__ import annotations

POSE_CROP, POSE_SPAN = 64, 1.5
"""Edge of the net's input in pixels, and how many sides of the die's box (square root of its area) it spans."""
