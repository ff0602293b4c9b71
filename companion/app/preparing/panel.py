"""One side's column of screen 03: name, squad, team sheet, tactical choice, each a row to tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.preparing.preparation import Item, Preparation
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push

Tapped = Callable[[str, str], None]
"""Gets what was tapped (`name`, `squad`, `sheet`, `tactics`) and the side."""

_ICONS = {"squad": "users", "sheet": "board", "tactics": "lock"}


class ClubPanel(Card):
    """The column with its edge in the side's colour, on the outer side of the screen."""

    def __init__(self, preparation: Preparation, side: str, tapped: Tapped, *, right: bool, **kwargs: Any) -> None:
        self._app = App.get_running_app()
        self._right, self._tapped = right, tapped
        super().__init__(side=side, radius=0, spacing=dp(6 if self._app.portrait else 8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(6)) if right else (dp(16), dp(6), dp(10), dp(6))
        self.bind(pos=self._edge, size=self._edge)
        self._name: str = self._app.text(preparation.name(side))
        self.add_widget(self._name_row())
        for what in _ICONS:
            self.add_widget(self._row(what, getattr(preparation, what)(side)))
        self.add_widget(Widget())

    def _name_row(self) -> Push:
        say = self._app.say
        row = Push(self._name, look="quiet", kind="titre", left=True, pad=4, end="edit", end_tone=self.side)
        row.mark(SideBadge(colour=self.side, letter=say(f"app.letter.{self.side}"), side=34))
        row.spoken = say("app.clubs.rename", club=self._name)
        row.size_hint_y, row.height = None, dp(48 if self._app.portrait else 52)
        row.bind(on_tap=lambda *_: self._tapped("name", self.side))
        return row

    def _row(self, what: str, item: Item) -> Push:
        row = Push(self._app.say(f"app.clubs.{what}"), icon=_ICONS[what], icon_side=26, left=True, side=self.side)
        if self._app.theme.roomy or not item.done:
            row.detail = self._app.text(item.detail)
        row.look, row.end = ("side_thin", "check") if item.done else ("todo", "right")
        row.end_tone = self.side
        row.size_hint_y, row.height = None, dp(54 if self._app.portrait else 56)
        row.spoken = f"{self._name} {row.text}"
        row.bind(on_tap=lambda *_: self._tapped(what, self.side))
        return row

    def _edge(self, *_: object) -> None:
        self.canvas.after.clear()
        width = dp(6)
        with self.canvas.after:
            Color(*self._app.theme.tone(self.side))
            Rectangle(pos=(self.right - width if self._right else self.x, self.y), size=(width, self.height))
