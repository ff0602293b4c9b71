"""Why something cannot be done now: dark, in a brass frame, with the number of the rule."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import Head, Text


class NoticeBox(Framed, BoxLayout):
    """`title` in brass, `reason` under it, `rule` small at the end. As tall as its words."""

    def __init__(self, title: str, reason: str = "", rule: str = "", icon: str = "alert", **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, padding=(dp(12), dp(8)), spacing=dp(10), line_width=3, **kwargs)
        theme = App.get_running_app().theme
        self.fill, self.line = theme.nuit, theme.laiton
        self.add_widget(Icon(icon, side=28, tone="laiton", pos_hint={"center_y": 0.5}))
        self._words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        self._parts = []
        if title:
            self._parts.append(Head(title, kind="bouton", tone="laiton", halign="left"))
        if reason:
            self._parts.append(Text(reason, kind="mini" if title else "corps", halign="left"))
        for part in self._parts:
            part.fbind("height", self._fit)
            self._words.add_widget(part)
        self.add_widget(self._words)
        if rule:
            mark = Text(rule, kind="mini", plain=False, tone="craie2", flow="line", pos_hint={"top": 1})
            mark.texture_update()
            self.add_widget(mark)
        self._fit()

    def _fit(self, *_: object) -> None:
        self._words.height = sum(part.height for part in self._parts)
        self.height = max(dp(28), self._words.height) + dp(16)
