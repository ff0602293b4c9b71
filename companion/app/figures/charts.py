"""Charts of a match in the theme's colours: a step line for each side, and bars for the faces of a die.

Colour is never the only cue: the second side's line is dashed, the third's dotted, and each ends in its side's badge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from typing import Any

from kivy.graphics import Canvas, Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy_garden.graph import Graph, Plot

from companion.app import textures
from companion.app.display import display, translate
from companion.app.fonts import CONDENSED
from companion.app.theme import RGBA, faded
from companion.app.widgets.components import VBox
from companion.app.widgets.marks import SideBadge, draw_text
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import SideScene
from companion.table.history import axis_step

MAX_TICKS = 6
_MAX_MARKS = 24
_OVERLAP_SHARE = 0.25
"""Fraction of the height within which two badges would overlap."""
_MARK, _BADGE, _THICK = 11, 26, 3
_DASHES: tuple[tuple[float, float], ...] = ((1e9, 0.0), (12, 6), (4, 5), (18, 5))
"""Lengths of dash and gap in dp, by the index of the side."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The steps (position, value) of a side. It starts with 0 at position 0."""

    colour: str
    letter: str
    steps: tuple[tuple[float, float], ...]

    @property
    def last(self) -> float:
        """The final value."""
        return self.steps[-1][1] if self.steps else 0.0


class _CanvasPlot(Plot):
    """A plot that draws into its own canvas."""

    def __init__(self, **kwargs: Any) -> None:
        self._canvas = Canvas()
        super().__init__(**kwargs)

    def create_drawings(self) -> list[Canvas]:
        """Return the canvas that the graph adds to its own."""
        return [self._canvas]

    def draw(self, *args: Any) -> None:
        """Redraw the plot for its current area in the graph."""
        super().draw(*args)
        self._canvas.clear()
        with self._canvas:
            self._draw_points()

    def _draw_points(self) -> None:
        """Draw the points of `iterate_points`; implemented by each kind of plot."""


class StepPlot(_CanvasPlot):
    """One side's steps up to `end`: horizontal and vertical lines, with a mark at each change."""

    def __init__(self, curve: Curve, place: int, end: float, beside: int = 0, **kwargs: Any) -> None:
        """`place` is the index of the side; `beside` is the number of badges already at the position of its badge."""
        self._curve, self._place, self._beside = curve, place, beside
        super().__init__(points=[(0.0, 0.0), *curve.steps, (end, curve.last)], **kwargs)

    def _draw_points(self) -> None:
        theme = display.theme
        tone = theme.sides[self._curve.colour]
        spots = list(self.iterate_points())
        thick = round(dp(_THICK))
        Color(*tone.main)
        for (x, y), (next_x, next_y) in pairwise(spots):
            for start, length in self._pieces(next_x - x):
                Rectangle(pos=(round(x + start), round(y - thick / 2)), size=(round(length), thick))
            low, high = sorted((y, next_y))
            Rectangle(pos=(round(next_x - thick / 2), round(low)), size=(thick, round(high - low)))
        changes = [spot for (_, before), spot in pairwise(spots[:-1]) if spot[1] != before]
        for x, y in changes[:: ceil(len(changes) / _MAX_MARKS) or 1]:
            self._stamp(tone.form, x, y, round(dp(_MARK)), tone.main, theme.craie)

    def _stamp(self, form: str, x: float, y: float, size: int, fill: RGBA, edge: RGBA) -> None:
        pos = (round(x - size / 2), round(y - size / 2))
        Color(*fill)
        Rectangle(texture=textures.form(form, size), pos=pos, size=(size, size))
        Color(*edge)
        Rectangle(texture=textures.form_edge(form, size, 2.4), pos=pos, size=(size, size))

    def _pieces(self, length: float) -> list[tuple[float, float]]:
        """Return start and length of each dash along a line."""
        dash, gap = (dp(part) for part in _DASHES[self._place % len(_DASHES)])
        count = ceil(length / (dash + gap)) if length > 0 else 0
        return [(at * (dash + gap), min(dash, length - at * (dash + gap))) for at in range(count)]


class EndPlot(StepPlot):
    """The side's badge at the end of its line, beside other badges at the same position; drawn above all lines."""

    def _draw_points(self) -> None:
        theme = display.theme
        tone, end = theme.sides[self._curve.colour], list(self.iterate_points())[-1]
        size = round(dp(_BADGE))
        edge = self.params["size"][2] - size / 2 - dp(1)
        x = min(end[0] + size / 2, edge) - self._beside * (size + dp(3))
        y = max(end[1], self.params["size"][1] + size / 2 + dp(1))
        self._stamp(tone.form, x, y, size, tone.main, theme.craie)
        draw_text(self._curve.letter, size * 0.6, tone.ink, x, y)


class BarsPlot(_CanvasPlot):
    """A bar for each face with its count, and a line at the expected count of a fair die."""

    def __init__(self, seen: Sequence[int], due: Sequence[float], odd: bool, **kwargs: Any) -> None:
        self._due, self._odd = tuple(due), odd
        super().__init__(points=[(at + 0.5, float(count)) for at, count in enumerate(seen)], **kwargs)

    def _draw_points(self) -> None:
        theme = display.theme
        to_x, to_y = self.x_px(), self.y_px()
        step = to_x(1) - to_x(0)
        for (x, y), due in zip(self.iterate_points(), self._due, strict=True):
            wide, foot = step * 0.56, to_y(0)
            Color(*(theme.laiton if self._odd else theme.craie3))
            Rectangle(pos=(round(x - wide / 2), round(foot)), size=(round(wide), max(1, round(y - foot))))
            Color(*theme.nuit)
            Rectangle(pos=(round(x - step * 0.44), round(to_y(due) - dp(2.5))), size=(step * 0.88, dp(5)))
            Color(*theme.craie)
            Rectangle(pos=(round(x - step * 0.44), round(to_y(due) - dp(1))), size=(step * 0.88, dp(2)))


class Chart(Graph):
    """A graph in the theme's style, with the true minus sign on its axis."""

    def __init__(self, **kwargs: Any) -> None:
        theme = display.theme
        super().__init__(
            label_options={"color": theme.craie2, "font_name": CONDENSED},
            font_size=theme.type("mini"),
            border_color=theme.craie3,
            tick_color=faded(theme.craie3, 0.35),
            background_color=theme.creux,
            padding=dp(6),
            **kwargs,
        )

    def _update_labels(self) -> Any:
        plot_area = super()._update_labels()
        for label in self._y_grid_label:
            label.text = label.text.replace("-", "\N{MINUS SIGN}")
        return plot_area


def score_chart(curves: Sequence[Curve], turns: int, unit: str) -> VBox:
    """Return the course of the score over the turns of a match. `unit` is the message id of what they are called."""
    return VBox(curves_chart(curves, turns), Text(translate(unit), kind="mini", tone="craie2", halign="center"))


def curves_chart(curves: Sequence[Curve], end: int) -> Chart:
    """Return a chart of all sides over the positions 0 to `end`."""
    values = [value for curve in curves for _, value in curve.steps]
    high, low = max([1.0, *values]), min([0.0, *values])
    step = axis_step(high - low, MAX_TICKS)
    bottom = floor(low / step) * step
    end = max(1, end)
    chart = Chart(
        xmin=0,
        xmax=end * 1.04,
        ymin=bottom,
        ymax=max(bottom + step, ceil(high / step) * step) + step * 0.4,
        x_ticks_major=axis_step(end, MAX_TICKS + 2),
        y_ticks_major=step,
        x_grid_label=True,
        y_grid_label=True,
        y_grid=True,
    )
    near = _OVERLAP_SHARE * (chart.ymax - chart.ymin)
    for place, curve in enumerate(curves):
        chart.add_plot(StepPlot(curve, place, float(end)))
    for place, curve in enumerate(curves):
        beside = sum(abs(curve.last - other.last) < near for other in curves[:place])
        chart.add_plot(EndPlot(curve, place, float(end), beside))
    return chart


def bars_chart(seen: Sequence[int], due: Sequence[float], odd: bool) -> Chart:
    """Return a chart of the face counts of a die; its labels are placed below in columns of equal width."""
    top = max([1.0, *due, *(float(count) for count in seen)])
    chart = Chart(xmin=0, xmax=len(seen), ymin=0, ymax=top * 1.08, draw_border=False)
    chart.padding = 0
    chart.add_plot(BarsPlot(seen, due, odd))
    return chart


class LegendEntry(BoxLayout):
    """The legend of a curve: the side's badge and name, the final number, a detail line."""

    def __init__(self, side: SideScene, number: str, detail: str = "", **kwargs: Any) -> None:
        theme = display.theme
        self.has_detail = bool(detail)
        tall = theme.type("bouton") * 1.25 + (theme.type("mini") * 1.3 if detail else 0)
        super().__init__(size_hint_y=None, height=max(dp(38), tall), spacing=dp(8), **kwargs)
        self.add_widget(SideBadge(colour=side.colour, letter=side.letter, side=30, middle=True))
        text_box = VBox(Name(side.name, kinds=["bouton", "corps", "mini"], initials=True, halign="left"))
        if detail:
            text_box.add_widget(
                Name(detail, kinds=["mini"], plain=True, strong=False, leading=1.15, tone="craie2", halign="left")
            )
        self.add_widget(text_box)
        if number:
            self.add_widget(BoldText(number, kind="titre", flow="line", middle=True))
