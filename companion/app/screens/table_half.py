"""One player's half of a table that lies flat between two: name, score, what is awaited, and what may be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app import textures
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.placing import whenever_placed
from companion.app.fonts import CONDENSED
from companion.app.screens.table_edge import Offer, show_offer
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import Head, Name
from companion.games.base import SideScene

BAND, PAD = 6, 8
"""Of the side's colour at the inner edge, and around the rest, in dp."""
GAP = 8
HEAD_BESIDE = 270
"""Width of name and score, in dp, where they stand beside the choices."""


class SideName(Name):
    """A side's name, with the brass chalk stroke under it while the side is awaited."""

    def __init__(self, name: str, awaited: bool, **kwargs: Any) -> None:
        super().__init__(name, kinds=["bouton", "corps", "mini"], halign="left", valign="middle", **kwargs)
        self._awaited = awaited
        whenever_placed(self, self._underline, "texture_size")

    def _underline(self) -> None:
        self.canvas.after.clear()
        if not self._awaited:
            return
        probe = CoreLabel(font_name=CONDENSED, font_size=self.font_size, bold=True)
        width = round(min(self.width, probe.get_extents(self.text)[0] + dp(6)))
        height = max(5, round(self.font_size * 0.2))
        if width < dp(8):
            return
        with self.canvas.after:
            Color(*App.get_running_app().theme.laiton)
            texture = textures.chalk_stroke(width, height)
            Rectangle(texture=texture, pos=(round(self.x - dp(2)), round(self.y - height * 0.4)), size=(width, height))


class Half(BoxLayout):
    """`need` is the height that it takes. The band lies at its upper edge, towards the middle of the table."""

    need = NumericProperty(0)

    def __init__(self, colour: str, **kwargs: Any) -> None:
        upright = App.get_running_app().portrait
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(GAP), **kwargs)
        self.padding = (dp(PAD + 4), dp(PAD + BAND), dp(PAD + 4), dp(PAD))
        self.colour = colour
        self._on_head: tuple[object, ...] = ()
        self._offers: Sequence[Offer] = ()
        self._pool: list[ChoiceButton] = []
        self.buttons: list[ChoiceButton] = []
        self._upright = upright
        theme = App.get_running_app().theme
        tall = max(dp(52), 1.3 * (theme.type("bouton") + theme.type("mini")))
        self._head = BoxLayout(size_hint_y=None, height=tall, spacing=dp(10))
        if not upright:
            self._head.size_hint_x, self._head.width = None, dp(HEAD_BESIDE)
        self._grid = GridLayout(cols=2 if upright else 4, spacing=dp(GAP), size_hint_y=None, height=0)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self._measure_soon = Clock.create_trigger(self._measure, -1)
        self._grid.fbind("height", self._measure_soon)
        with self.canvas.before:
            Color(*theme.sides[colour].panel)
            self._panel = Rectangle()
            Color(*theme.sides[colour].main)
            self._band = Rectangle()
        whenever_placed(self, self._paint)
        self.add_widget(self._head)
        self.add_widget(self._grid)

    def show(self, scene: SideScene, score: tuple[str, str], role: str, awaited: bool, offers: Sequence[Offer]) -> None:
        """The side as it is now; `score` is its own and the other's."""
        shown = (scene.name, scene.colour, scene.letter, score, role, awaited)
        if shown != self._on_head:
            self._on_head = shown
            self._fill_head(scene, score, role, awaited)
        self._offers = offers
        while len(self._pool) < len(offers):
            self._pool.append(self._new_button(len(self._pool)))
        if len(self.buttons) != len(offers):
            self.buttons = self._pool[: len(offers)]
            self._grid.clear_widgets()
            self._grid.cols = 2 if self._upright else max(1, len(offers))
            for button in self.buttons:
                self._grid.add_widget(button)
        for button, offer in zip(self.buttons, offers, strict=True):
            show_offer(button, offer)
        self._measure_soon()

    def _new_button(self, place: int) -> ChoiceButton:
        button = ChoiceButton(side=self.colour)
        button.bind(on_tap=lambda *_: self._offers[place].tap())
        return button

    def _fill_head(self, scene: SideScene, score: tuple[str, str], role: str, awaited: bool) -> None:
        middle = {"center_y": 0.5}
        self._head.clear_widgets()
        self._head.add_widget(SideBadge(side=36, colour=scene.colour, letter=scene.letter, pos_hint=middle))
        words = BoxLayout(orientation="vertical")
        words.add_widget(SideName(scene.name, awaited))
        words.add_widget(Head(role, kind="mini", tone="laiton" if awaited else "craie2", flow="box", halign="left"))
        self._head.add_widget(words)
        self._head.add_widget(Head(score[0], kind="grand", tone=scene.colour, flow="line", pos_hint=middle))
        self._head.add_widget(Head(f"– {score[1]}", kind="grand", flow="line", pos_hint=middle))

    def _measure(self, *_: object) -> None:
        head, grid = float(self._head.height), float(self._grid.height)
        inner = head + grid + dp(GAP) * bool(self.buttons) if self._upright else max(head, grid)
        self.need = inner + dp(2 * PAD + BAND)

    def _paint(self) -> None:
        self._panel.pos, self._panel.size = self.pos, self.size
        self._band.pos, self._band.size = (self.x, self.top - dp(BAND)), (self.width, dp(BAND))
