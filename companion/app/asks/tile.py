"""An option as a tile: its label large, whom it would hit and its odds below. Dashed when barred, brass once picked."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from companion.app.theme import faded
from companion.app.widgets.framed import Framed
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text


class PlaceTile(Tap, Framed):
    """A post of the ribbon. `picked` is its place among the picks, 0 for none."""

    text = StringProperty("")
    detail = StringProperty("")
    effect = StringProperty("")
    side = StringProperty("")
    barred = BooleanProperty(False)
    picked = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        self._label = Head(kind="titre", flow="free", halign="center")
        self._detail = Text(kind="mini", plain=False, flow="free", halign="center")
        self._effect = Head(kind="mini", flow="free", halign="center")
        super().__init__(**kwargs)
        for part in (self._label, self._detail, self._effect):
            self.add_widget(part)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "text", "detail", "effect"):
            self.fbind(name, self._arrange_soon)
        for name in ("barred", "picked", "side"):
            self.fbind(name, self._dress)
        self._dress()

    def spoken_name(self) -> str:
        return self.spoken or " ".join(part for part in (self.text, self.detail, self.effect) if part)

    def shine(self, on: bool) -> None:
        if not on:
            self._dress()
            return
        theme = App.get_running_app().theme
        self.fill = theme.craie
        for part in (self._label, self._detail, self._effect):
            part.color = theme.encre

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        main = theme.tone(self.side or "craie")
        self.fill = theme.laiton if self.picked else (0, 0, 0, 0)
        self.line = theme.laiton if self.picked else faded(theme.craie3, 0.7) if self.barred else main
        self.dash = 5 if self.barred and not self.picked else 0
        if self.picked:
            colours = (theme.laiton_encre,) * 3
        elif self.barred:
            colours = (theme.craie3,) * 3
        else:
            colours = (main, theme.craie, theme.craie)
        for part, colour in zip((self._label, self._detail, self._effect), colours, strict=True):
            part.color = colour
        self._arrange_soon()

    def _arrange(self, *_: object) -> None:
        self._label.kind = "titre"
        parts = self._laid()
        if sum(part.height for part in parts) > self.height - dp(6):
            self._label.kind = "bouton"
            parts = self._laid()
        top = self.center_y + sum(part.height for part in parts) / 2
        for part in parts:
            part.pos = (self.center_x - part.width / 2, top - part.height)
            top -= part.height

    def _laid(self) -> list[Text]:
        """The parts that have words, each wrapped in the width there is."""
        room = self.width - dp(4)
        parts = []
        for part, words in ((self._label, self.text), (self._detail, self.detail), (self._effect, self.effect)):
            part.text, part.opacity = words, 1.0 if words else 0.0
            if not words:
                part.size = (0, 0)
                continue
            part.text_size = (None, None)
            part.texture_update()
            if part.texture_size[0] > room:
                part.text_size = (room, None)
                part.texture_update()
            part.size = part.texture_size
            parts.append(part)
        return parts
