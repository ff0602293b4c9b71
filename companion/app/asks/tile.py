"""An option as a tile: its label large, whom it would hit and its odds below. Dashed when barred, brass once picked."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import NumericProperty

from companion.app.figures.words import text
from companion.app.theme import faded
from companion.app.widgets.text import Head, Text
from companion.app.widgets.worded import Worded
from companion.games.base import Option


class PlaceTile(Worded):
    """A post of the ribbon, or a die. `picked` is its place among the picks, 0 for none."""

    picked = NumericProperty(0)

    def __init__(self, option: Option, side: str, **kwargs: Any) -> None:
        super().__init__(
            (
                Head(kind="titre", flow="free", halign="center"),
                Text(kind="mini", plain=False, flow="free", halign="center"),
                Head(kind="mini", flow="free", halign="center"),
            ),
            text=text(option.label),
            detail=text(option.detail),
            effect=option.effect or "",
            side=side,
            barred=option.barred is not None,
            **kwargs,
        )
        self.fbind("picked", self._dress)

    def shine(self, on: bool) -> None:
        if not on:
            self._dress()
            return
        theme = App.get_running_app().theme
        self.fill = theme.craie
        for part in self.parts:
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
        for part, colour in zip(self.parts, colours, strict=True):
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
