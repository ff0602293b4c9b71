"""A running number in a chalk ring with every term it is made of."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.app import textures
from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import signed, text
from companion.app.theme import RGBA
from companion.app.widgets.pieces import Chip
from companion.app.widgets.text import Head, Text
from companion.games.figures import Sum


class Ring(AnchorLayout):
    """A chalk circle around what is put into it."""

    def __init__(self, side: float, colour: RGBA, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(side), dp(side)), **kwargs)
        with self.canvas.before:
            Color(*colour)
            self._picture = Rectangle(texture=textures.chalk_ring(round(dp(side))))
        whenever_placed(self, self._place)

    def _place(self) -> None:
        self._picture.pos, self._picture.size = (round(self.x), round(self.y)), self.size


class SumFigure(BoxLayout):
    """`tones` gives the tone of each side's terms."""

    def __init__(self, figure: Sum, tones: dict[str, str], small: bool = False, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(14), **kwargs)
        app = App.get_running_app()
        self._side = dp(76 if small else 84)
        ring = Ring(76 if small else 84, app.theme.craie, pos_hint={"center_y": 0.5})
        number = Head(signed(figure.total), kind="fort", flow="line")
        ring.add_widget(number)
        self.add_widget(ring)
        self._words = BoxLayout(orientation="vertical", size_hint_y=None, spacing=dp(4), pos_hint={"center_y": 0.5})
        self._title = Text(text(figure.title), kind="mini", tone="craie2", halign="left")
        self._title.fbind("height", self._fit)
        self._chips = StackLayout(spacing=(dp(6), dp(5)), size_hint_y=None)
        self._chips.bind(minimum_height=self._fit)
        for term in figure.terms:
            self._chips.add_widget(Chip(text(term.label), signed(term.value), tone=tones.get(term.side or "", "craie")))
        self._words.add_widget(self._title)
        if figure.terms:
            self._words.add_widget(self._chips)
        self.add_widget(self._words)
        self._fit()

    def _fit(self, *_: object) -> None:
        self._chips.height = self._chips.minimum_height
        pieces = self._words.children
        self._words.height = sum(piece.height for piece in pieces) + self._words.spacing * (len(pieces) - 1)
        self.height = max(self._side, self._words.height)
