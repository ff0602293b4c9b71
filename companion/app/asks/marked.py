"""A surface to touch with a drawn mark in its middle, mostly a die's face; it lies on brass while it is chosen."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.properties import BooleanProperty
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.widgets.framed import Framed
from companion.app.widgets.tap import Tap


class Marked(Tap, Framed):
    """Keeps `mark` in its middle. Subclasses with other looks say so in `_dress`."""

    on = BooleanProperty(False)

    def __init__(self, mark: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._mark = mark
        self.add_widget(mark)
        whenever_placed(self, self._centre)
        self.fbind("on", self._dress)
        self._dress()

    def shine(self, on: bool) -> None:
        if on:
            self.fill = App.get_running_app().theme.craie
        else:
            self._dress()

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        self.fill = theme.laiton if self.on else (0, 0, 0, 0)
        self.line = theme.laiton if self.on else theme.craie3

    def _centre(self) -> None:
        self._mark.center = self.center
