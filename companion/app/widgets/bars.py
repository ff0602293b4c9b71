"""The dark bar on top of a plain page: back, title, a quiet word, and what the page puts at its end."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets.framed import Framed
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text


class HeadBar(Framed, BoxLayout):
    """`title` and `sub` are texts of the page; more pieces are added with `at_end` and `mark`."""

    title = StringProperty("")
    sub = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(
            size_hint_y=None, height=dp(60 if app.portrait else 56), padding=(dp(8), dp(2)), spacing=dp(8), **kwargs
        )
        self.fill, self.radius = app.theme.nuit, 0
        self.back = Push(
            "", icon="left", icon_side=28, look="quiet", spoken=app.say("app.back"), size_hint_x=None, width=dp(52)
        )
        self.back.bind(on_tap=lambda *_: app.back())
        self._title = Head(kind="titre", flow="line", pos_hint={"center_y": 0.5})
        self._sub = Text(flow="line", tone="craie2", pos_hint={"center_y": 0.5})
        self._gap = Widget()
        for part in (self.back, self._title, self._gap, self._sub):
            self.add_widget(part)
        self.fbind("title", self._show)
        self.fbind("sub", self._show)
        self._show()

    def _show(self, *_: object) -> None:
        self._title.text = self.title
        self._sub.text = self.sub

    def at_end(self, *pieces: Widget) -> None:
        """Puts pieces at the right end."""
        for piece in pieces:
            self.add_widget(piece)

    def without_back(self) -> None:
        """For pages one leaves only by deciding."""
        self.remove_widget(self.back)

    def mark(self, badge: Widget) -> None:
        """A side's badge before the title."""
        badge.pos_hint = {"center_y": 0.5}
        self.add_widget(badge, index=self.children.index(self._title) + 1)
