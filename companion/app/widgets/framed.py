"""A surface with round corners: filled, outlined, dashed, or all of it. Under every button, row and card."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.graphics import BorderImage, Color, Rectangle
from kivy.metrics import dp
from kivy.properties import ColorProperty, NumericProperty
from kivy.uix.widget import Widget

from companion.app import textures

_CLEAR = (0, 0, 0, 0)


class Framed(Widget):
    """`fill` and `line` are colours (clear: none), `radius`, `line_width` and `dash` are dp (dash 0: a whole line)."""

    fill = ColorProperty(_CLEAR)
    line = ColorProperty(_CLEAR)
    radius = NumericProperty(10)
    line_width = NumericProperty(2)
    dash = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._paint_soon = Clock.create_trigger(self._paint, -1)
        for name in ("pos", "size", "fill", "line", "radius", "line_width", "dash"):
            self.fbind(name, self._paint_soon)
        self._paint_soon()

    def _paint(self, *_: object) -> None:
        canvas = self.canvas.before
        canvas.clear()
        left, bottom = round(self.x), round(self.y)
        width, height = round(self.right) - left, round(self.top) - bottom
        if width < 2 or height < 2:
            return
        radius = max(1, min(round(dp(self.radius)), width // 2, height // 2))
        with canvas:
            if self.fill[3]:
                Color(*self.fill)
                BorderImage(
                    texture=textures.rounded(radius), border=[radius] * 4, pos=(left, bottom), size=(width, height)
                )
            if self.line[3]:
                Color(*self.line)
                stroke = max(1.0, round(dp(self.line_width)))
                if self.dash:
                    texture = textures.dashed(width, height, radius, stroke, dp(self.dash))
                    Rectangle(texture=texture, pos=(left, bottom), size=(width, height))
                else:
                    BorderImage(
                        texture=textures.edge(radius, stroke),
                        border=[radius] * 4,
                        pos=(left, bottom),
                        size=(width, height),
                    )
