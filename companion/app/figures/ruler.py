"""The totals of a throw side by side: filled for success, outlined otherwise, with the card that would be shown."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.graphics import Color, Line, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.placing import whenever_placed
from companion.app.theme import rgba
from companion.app.widgets.framed import Framed
from companion.app.widgets.text import Head
from companion.games.figures import Ruler, RulerCell

_CARDS = {"yellow": rgba("#FFE14D"), "red": rgba("#D8202A")}


class RulerFigure(BoxLayout):
    """One cell for each total."""

    def __init__(self, figure: Ruler, tones: dict[str, str], **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(size_hint_y=None, height=dp(60 if app.portrait else 40), spacing=dp(3), **kwargs)
        for cell in figure.cells:
            self.add_widget(Cell(cell, tones.get(cell.side or "", "")))


class Cell(Framed, AnchorLayout):
    """`side` is a side's colour, or nothing for nobody's total."""

    def __init__(self, cell: RulerCell, side: str, **kwargs: Any) -> None:
        super().__init__(radius=6, **kwargs)
        app = App.get_running_app()
        theme = app.theme
        main = theme.tone(side) if side else theme.craie
        filled = cell.result == "success"
        self.fill = main if filled else (0, 0, 0, 0)
        self.line = (0, 0, 0, 0) if filled else main
        number = Head(str(cell.total), kind="titre" if app.portrait else "bouton", flow="line")
        number.color = (theme.sides[side].ink if side else theme.encre) if filled else main
        self.add_widget(number)
        self._card = _CARDS.get(cell.mark or "")
        self._struck = cell.mark == "red"
        whenever_placed(self, self._draw_card)

    def _draw_card(self) -> None:
        if self._card is None:
            return
        theme = App.get_running_app().theme
        width, height = dp(12), dp(16)
        x, y = self.right + dp(3) - width, self.top + dp(7) - height
        self.canvas.after.clear()
        with self.canvas.after:
            Color(*theme.encre)
            Rectangle(pos=(x - dp(1.5), y - dp(1.5)), size=(width + dp(3), height + dp(3)))
            Color(*self._card)
            Rectangle(pos=(x, y), size=(width, height))
            if self._struck:
                Color(*theme.craie)
                Line(points=[x + dp(3), y + dp(3), x + width - dp(3), y + height - dp(3)], width=dp(1))
