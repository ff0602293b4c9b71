"""A sentence over everything else for a moment; touches go through it to what lies below."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.widgets.framed import Framed
from companion.app.widgets.text import Text

SHOWN = 3.0
"""Seconds."""


class Toast(Framed, BoxLayout):
    """At the upper edge, in the middle; the next one takes its place."""

    def __init__(self, sentence: str, **kwargs: Any) -> None:
        app = App.get_running_app()
        wide = 0.9 if app.portrait else 0.6
        super().__init__(
            size_hint=(wide, None), pos_hint={"center_x": 0.5, "top": 0.985}, padding=(dp(14), dp(8)), **kwargs
        )
        self.fill, self.line = app.theme.nuit, app.theme.laiton
        words = Text(sentence, halign="center", tone="laiton")
        words.fbind("height", lambda _, height: setattr(self, "height", height + dp(16)))
        self.add_widget(words)


def toast(room: FloatLayout, sentence: str) -> None:
    """Shows a sentence in a room for a moment."""
    for old in [child for child in room.children if isinstance(child, Toast)]:
        room.remove_widget(old)
    shown = Toast(sentence)
    room.add_widget(shown)
    Clock.schedule_once(lambda *_: room.remove_widget(shown) if shown.parent is room else None, SHOWN)
