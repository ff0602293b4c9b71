"""The test of the touch screen: five marks to be touched; where a finger is felt beside them, a chalk cross stays."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout

from companion.app.figures.placing import whenever_placed
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text

PLACES = ((0.0, 1.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.0))
"""The corners and the middle, as shares of the free width and height."""
MARK, CROSS, MOST = 64, 10, 12
"""Side of a mark and half a cross in dp; so many crosses stay."""


class TouchMarks(FloatLayout):
    """Marks go out when they are touched; what is felt elsewhere shows how far a screen is off."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        app = App.get_running_app()
        self._left = set(range(len(PLACES)))
        self._words = Text(
            app.say("app.welcome.touch.how"), flow="box", halign="center", tone="craie2", size_hint=(0.6, 0.34)
        )
        self._words.pos_hint = {"center_x": 0.5, "top": 1}
        self.add_widget(self._words)
        self.marks = []
        for at in range(len(PLACES)):
            mark = Push("", icon="target", icon_side=36, look="todo", size_hint=(None, None), size=(dp(MARK), dp(MARK)))
            mark.spoken = app.say("app.welcome.touch.mark", n=at + 1)
            mark.bind(on_tap=lambda _, at=at: self._hit(at))
            self.marks.append(mark)
            self.add_widget(mark)
        self._missed: list[tuple[float, float]] = []
        whenever_placed(self, self._spread)

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if self._left and self.collide_point(*touch.pos):
            self._missed = [*self._missed[1 - MOST :], (touch.x - self.x, touch.y - self.y)]
            self._words.text = App.get_running_app().say("app.welcome.touch.beside")
            self._draw()
            return True
        return False

    def _hit(self, at: int) -> None:
        app, mark = App.get_running_app(), self.marks[at]
        mark.icon, mark.look = "check", "chalk"
        self._left.discard(at)
        left = len(self._left)
        self._words.text = app.say("app.welcome.touch.left", n=left) if left else app.say("app.welcome.touch.good")

    def _spread(self, *_: object) -> None:
        for mark, (across, up) in zip(self.marks, PLACES, strict=True):
            mark.pos = (
                self.x + across * (self.width - mark.width),
                self.y + up * (self.height - mark.height),
            )
        self._draw()

    def _draw(self) -> None:
        self.canvas.after.clear()
        reach = dp(CROSS)
        with self.canvas.after:
            Color(*App.get_running_app().theme.craie)
            for across, up in self._missed:
                x, y = self.x + across, self.y + up
                Line(points=(x - reach, y, x + reach, y), width=dp(1.2))
                Line(points=(x, y - reach, x, y + reach), width=dp(1.2))
