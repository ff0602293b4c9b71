"""A surface to touch with an option's words on it: what it is, what that means, what it would do."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, StringProperty

from companion.app.widgets.framed import Framed
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text


class Worded(Tap, Framed):
    """Holds the three pieces of text and paints them anew when they change; subclasses say how.

    `side` is a side's colour or empty, `barred` that it cannot be chosen now. `_arrange` lays the pieces out, `_dress`
    gives them and the surface their colours.
    """

    text = StringProperty("")
    detail = StringProperty("")
    effect = StringProperty("")
    side = StringProperty("")
    barred = BooleanProperty(False)

    def __init__(self, parts: tuple[Head, Text, Head], **kwargs: Any) -> None:
        """`parts` show the label, the detail and the effect."""
        self._label, self._detail, self._effect = self.parts = parts
        super().__init__(**kwargs)
        for part in self.parts:
            self.add_widget(part)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "text", "detail", "effect"):
            self.fbind(name, self._arrange_soon)
        for name in ("barred", "side"):
            self.fbind(name, self._dress)
        self._dress()

    def spoken_name(self) -> str:
        return self.spoken or " ".join(part for part in (self.text, self.detail, self.effect) if part)

    def _arrange(self, *_: object) -> None:
        """Lays the words out."""

    def _dress(self, *_: object) -> None:
        """Gives the words and the surface their colours."""
