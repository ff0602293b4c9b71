"""Two fingers that move apart or together ask for larger or smaller text, one step for each time. Numbers only."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

Point = tuple[float, float]

APART, TOGETHER = 1.35, 0.74
"""How many times farther, or nearer, than at first two fingers must be for one step."""


@dataclass(slots=True)
class Pinch:
    """Follows the fingers on the screen by their ids. `least` is a distance in pixels that counts as together."""

    least: float = 40.0
    _fingers: dict[object, Point] = field(default_factory=dict)
    _start: float | None = None

    def down(self, finger: object, at: Point) -> bool:
        """A finger comes down; True when it is the second one, and touches now mean something else."""
        self._fingers[finger] = at
        self._start = self._apart()
        return self._start is not None

    def move(self, finger: object, at: Point) -> int:
        """A finger moves: 1 for larger, -1 for smaller, 0 for not yet."""
        if finger not in self._fingers:
            return 0
        self._fingers[finger] = at
        apart = self._apart()
        if apart is None or self._start is None:
            return 0
        ratio = apart / self._start
        if TOGETHER < ratio < APART:
            return 0
        self._start = apart
        return 1 if ratio >= APART else -1

    def up(self, finger: object) -> None:
        """A finger goes up."""
        self._fingers.pop(finger, None)
        self._start = self._apart()

    def _apart(self) -> float | None:
        """How far two fingers are from each other; None with another number of them."""
        if len(self._fingers) != 2:
            return None
        return max(math.dist(*self._fingers.values()), self.least)


def stepped(sizes: tuple[int, ...], present: int, step: int) -> int:
    """The next size in a direction, the same at the end."""
    at = sizes.index(present) + step
    return sizes[max(0, min(at, len(sizes) - 1))]
