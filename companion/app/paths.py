"""Reads the path notation of icons and lines ("M4 7h16 …") into polylines. Pure numbers, no screen."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

Point = tuple[float, float]
Polyline = list[Point]

_TOKEN = re.compile(r"([MmLlHhVvCcSsAaZz])|(-?(?:\d+\.\d*|\.\d+|\d+))")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
_STEPS = 14


def polylines(path: str) -> list[Polyline]:
    """Every stroke of a path as points, curves cut into short straight pieces; a closed stroke ends where it began."""
    pen = _Pen()
    for command, numbers in _commands(path):
        pen.draw(command, numbers)
    return [line for line in pen.lines if len(line) > 1]


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    command = ""
    numbers: list[float] = []
    for letter, number in _TOKEN.findall(path):
        if letter:
            command, numbers = letter, []
            if _TAKES[letter.upper()] == 0:
                yield command, []
        else:
            numbers.append(float(number))
            if len(numbers) == _TAKES[command.upper()]:
                yield command, numbers
                numbers = []
                command = {"M": "L", "m": "l"}.get(command, command)


class _Pen:
    def __init__(self) -> None:
        self.lines: list[Polyline] = []
        self.at: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.handle: Point = (0.0, 0.0)

    def draw(self, command: str, numbers: list[float]) -> None:
        x, y = self.at
        base = (x, y) if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "M":
            self.at = self.start = (base[0] + numbers[0], base[1] + numbers[1])
            self.lines.append([self.at])
        elif kind == "Z":
            self._to(self.start)
        elif kind == "H":
            self._to((base[0] + numbers[0], y))
        elif kind == "V":
            self._to((x, base[1] + numbers[0]))
        elif kind == "L":
            self._to((base[0] + numbers[0], base[1] + numbers[1]))
        elif kind == "A":
            radius, sweep, end = numbers[0], bool(numbers[4]), (base[0] + numbers[5], base[1] + numbers[6])
            for point in _arc(self.at, end, radius, bool(numbers[3]), sweep):
                self._to(point)
        else:
            self._curve(kind, base, numbers)
            return
        self.handle = self.at

    def _curve(self, kind: str, base: Point, numbers: list[float]) -> None:
        points = [(base[0] + a, base[1] + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        first = points[0] if kind == "C" else (2 * self.at[0] - self.handle[0], 2 * self.at[1] - self.handle[1])
        start, second, end = self.at, points[-2], points[-1]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            self._to(
                (
                    a * start[0] + b * first[0] + c * second[0] + d * end[0],
                    a * start[1] + b * first[1] + c * second[1] + d * end[1],
                )
            )
        self.handle = second

    def _to(self, point: Point) -> None:
        if not self.lines:
            self.lines.append([self.at])
        self.lines[-1].append(point)
        self.at = point


def _arc(start: Point, end: Point, radius: float, large: bool, sweep: bool) -> Iterator[Point]:
    """A circular arc by its end points (SVG 1.1, F.6.5, for equal radii)."""
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    half = math.hypot(dx, dy)
    radius = max(radius, half)
    away = math.sqrt(max(0.0, radius**2 - half**2)) / half if half else 0.0
    turn = -away if large == sweep else away
    centre = ((start[0] + end[0]) / 2 + turn * dy, (start[1] + end[1]) / 2 - turn * dx)
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    angle = math.atan2(end[1] - centre[1], end[0] - centre[0]) - first
    if sweep and angle < 0:
        angle += 2 * math.pi
    elif not sweep and angle > 0:
        angle -= 2 * math.pi
    steps = max(4, int(abs(angle) * 6))
    for step in range(1, steps + 1):
        a = first + angle * step / steps
        yield (centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a))
