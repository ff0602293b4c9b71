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

_LADDER = (
    ("titre", True, True),
    ("bouton", True, True),
    ("corps", True, True),
    ("corps", False, True),
    ("corps", False, False),
)
"""The label's size, whether the effect is there, whether letters are enlarged as set: from roomy to crowded."""


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
        """In the largest letters in which it fits; the effect leaves before anything is cut."""
        for label, effect, enlarged in _LADDER:
            parts = self._laid(label, effect, enlarged)
            if sum(part.height for part in parts) <= self.height - dp(6):
                break
        top = self.center_y + sum(part.height for part in parts) / 2
        for part in parts:
            part.pos = (self.center_x - part.width / 2, top - part.height)
            top -= part.height

    def _laid(self, label: str, effect: bool, enlarged: bool) -> list[Text]:
        """The parts that have words, each wrapped in the width there is, no word broken."""
        room = self.width - dp(4)
        theme = App.get_running_app().theme
        words = (self.text, self.detail, self.effect if effect else "")
        parts = []
        for part, said in zip(self.parts, words, strict=True):
            part.text, part.opacity = said, 1.0 if said else 0.0
            kind = label if part is self._label else part.kind
            part.font_size = theme.type(kind) * (1 if enlarged else 100 / theme.text)
            if not said:
                part.size = (0, 0)
                continue
            widest = max(part._label.get_extents(word)[0] for word in said.split(" "))
            if widest > room:
                part.font_size *= room / widest * 0.98
            part.text_size = (None, None)
            part.texture_update()
            if part.texture_size[0] > room:
                part.text_size = (room, None)
                part.texture_update()
            part.size = part.texture_size
            parts.append(part)
        return parts
