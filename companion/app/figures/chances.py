"""How likely each total is, as bars side by side: what a tactic promises before its dice are thrown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kivy.app import App
from kivy.graphics import Color, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import text
from companion.app.widgets.marks import write
from companion.app.widgets.text import Text
from companion.games.figures import Ruler

_TALL, _BELOW = 46, 18


def is_promise(figure: Ruler) -> bool:
    """Whether the totals of a ruler are points, not results."""
    return all(cell.result == "points" for cell in figure.cells)


class ChancesFigure(BoxLayout):
    """The sentence with the mean, and a bar for every total."""

    def __init__(self, figure: Ruler, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(4), **kwargs)
        side = next((cell.side for cell in figure.cells if cell.side), "") or ""
        self._title = Text(text(figure.title), halign="left")
        self._title.fbind("height", self._fit)
        self.add_widget(self._title)
        self.add_widget(Bars(figure, tones.get(side, "craie")))
        self._fit()

    def _fit(self, *_: object) -> None:
        self.height = self._title.height + dp(4) + dp(_TALL + _BELOW)


class Bars(Widget):
    """One bar a total, as high as its chance; as many numbers under them as stand clear of each other."""

    def __init__(self, figure: Ruler, tone: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(_TALL + _BELOW), **kwargs)
        self._chances = [(cell.total, float(Fraction(cell.chance))) for cell in figure.cells]
        self._tone = tone
        whenever_placed(self, self._draw)

    def _draw(self) -> None:
        theme = App.get_running_app().theme
        self.canvas.clear()
        most = max((chance for _, chance in self._chances), default=0.0)
        if self.width < 10 or not most:
            return
        step = self.width / len(self._chances)
        wide = min(dp(26), step - dp(2))
        size = theme.type("mini")
        every = max(1, round(size * 1.6 / step + 0.5))
        with self.canvas:
            for place, (total, chance) in enumerate(self._chances):
                x = self.x + step * (place + 0.5)
                high = max(dp(2), dp(_TALL) * chance / most)
                Color(*theme.tone(self._tone))
                RoundedRectangle(pos=(x - wide / 2, self.y + dp(_BELOW)), size=(wide, high), radius=[dp(2)])
                if place % every == 0:
                    write(str(total), size, theme.craie2, x, self.y + dp(_BELOW) / 2)
