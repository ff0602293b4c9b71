"""The dark bar on top of a plain page: back, title, a quiet word, and what the page puts at its end."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
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
            size_hint_y=None,
            height=dp(60 if app.portrait else 56),
            padding=(dp(8), dp(2), dp(12), dp(2)),
            spacing=dp(8),
            **kwargs,
        )
        self.fill, self.radius = app.theme.nuit, 0
        self.back = Push(
            "", icon="left", icon_side=28, look="quiet", spoken=app.say("app.back"), size_hint_x=None, width=dp(52)
        )
        self.back.bind(on_tap=lambda *_: app.back())
        self._title = Head(kind="titre", flow="line", pos_hint={"center_y": 0.5})
        self._sub = Text(flow="line", tone="craie2", pos_hint={"center_y": 0.5})
        self._front: list[Widget] = [self.back]
        self._end: list[Widget] = []
        self._fill_soon = Clock.create_trigger(self._fill, -1)
        for name in ("title", "sub", "width"):
            self.fbind(name, self._fill_soon)
        self._fill()

    def _fill(self, *_: object) -> None:
        """Lays the pieces out; when they do not fit, the quiet word goes, the title shrinks, then goes too."""
        self._title.text, self._sub.text = self.title, self.sub
        shown = [label for label in (self._sub, self._title) if label.text]
        fixed = [*self._front, *self._end]
        for kind in ("titre", "bouton", "corps"):
            self._title.kind = kind
            if kind != "titre" and self._sub in shown:
                shown.remove(self._sub)
            for label in shown:
                label.texture_update()
                label.size = label.texture_size
            if self._needs([*fixed, *shown]) <= self.width:
                break
        if self._needs([*fixed, *shown]) > self.width:
            shown.clear()
        self.clear_widgets()
        titled = [self._title] if self._title in shown else []
        quiet = [self._sub] if self._sub in shown else []
        for piece in (*self._front, *titled, Widget(), *quiet, *self._end):
            self.add_widget(piece)

    def _needs(self, pieces: list[Widget]) -> float:
        return sum(float(piece.width) for piece in pieces) + dp(20) + dp(8) * len(pieces)

    def at_end(self, *pieces: Widget) -> None:
        """Puts pieces at the right end."""
        for piece in pieces:
            self._end.append(piece)
            piece.fbind("width", self._fill_soon)
        self._fill_soon()

    def warn(self, sentence: str) -> None:
        """A sentence in brass at the right end, in the place of the quiet word."""
        self._sub.tone, self._sub.plain, self._sub.strong, self._sub.kind = "laiton", False, True, "bouton"
        self.sub = sentence

    def mark(self, badge: Widget) -> None:
        """A side's badge before the title."""
        badge.pos_hint = {"center_y": 0.5}
        self._front.append(badge)
        self._fill_soon()
