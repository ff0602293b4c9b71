"""A value on a rail, moved with the finger or one tap on the rail; told as a percentage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Ellipse, RoundedRectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty

from companion.app.figures.placing import whenever_placed
from companion.app.widgets.framed import Framed
from companion.app.widgets.tap import Tap

RAIL, KNOB = 10, 44
"""Height of the rail and width of the knob, in dp."""


class Rail(Tap, Framed):
    """From `least` to `most` in steps of `step`. `moved` gets the value while it moves, `done` when the finger goes."""

    value = NumericProperty(0)

    def __init__(
        self,
        value: int,
        least: int,
        most: int,
        step: int,
        *,
        name: str,
        done: Callable[[int], None],
        moved: Callable[[int], None] = lambda _: None,
        **kwargs: Any,
    ) -> None:
        super().__init__(explored=False, **kwargs)
        self._least, self._most, self._step = least, most, step
        self._name, self._done, self._moved = name, done, moved
        theme = App.get_running_app().theme
        with self.canvas:
            Color(*theme.creux)
            self._rail = RoundedRectangle(radius=[dp(RAIL) / 2])
            Color(*theme.craie)
            self._full = RoundedRectangle(radius=[dp(RAIL) / 2])
            self._knob = Ellipse()
        self.value = value
        whenever_placed(self, self._draw, "value")

    def spoken_name(self) -> str:
        return f"{self._name} {int(self.value)} %"

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._follow(touch.x)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self._follow(touch.x)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._done(int(self.value))
        return True

    def _follow(self, x: float) -> None:
        left, wide = self._span()
        share = min(1.0, max(0.0, (x - left) / max(1.0, wide)))
        steps = round(share * (self._most - self._least) / self._step)
        self.value = self._least + steps * self._step
        self._moved(int(self.value))

    def _span(self) -> tuple[float, float]:
        """Where the knob's middle may be: its left end and how far it goes."""
        return self.x + dp(KNOB) / 2, self.width - dp(KNOB)

    def _draw(self) -> None:
        left, wide = self._span()
        at = left + wide * (self.value - self._least) / (self._most - self._least)
        low, knob = self.center_y - dp(RAIL) / 2, dp(KNOB)
        self._rail.pos, self._rail.size = (left, low), (wide, dp(RAIL))
        self._full.pos, self._full.size = (left, low), (at - left, dp(RAIL))
        self._knob.pos, self._knob.size = (at - knob / 2, self.center_y - knob / 2), (knob, knob)
