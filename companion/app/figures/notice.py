"""Why something cannot be done now: dark, in a brass frame, with the number of the rule where there is one."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.help.rules import open_rule
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text


class NoticeBox(Framed, BoxLayout):
    """`title` in brass, `reason` under it. As tall as its words, at least `least` pixels."""

    def __init__(self, title: str, reason: str = "", icon: str = "alert", least: float = 0, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, padding=(dp(12), dp(8)), spacing=dp(10), line_width=3, **kwargs)
        theme = App.get_running_app().theme
        self.fill, self.line = theme.nuit, theme.laiton
        self._least = least
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
        self._fit()

    def _fit(self, *_: object) -> None:
        self._words.height = sum(part.height for part in self._parts)
        self.height = max(self._least, max(dp(28), self._words.height) + dp(16))


class RuleNotice(Tap, NoticeBox):
    """A notice with the number of its rule, small at the end; a tap opens the rule's text."""

    def __init__(self, title: str, reason: str, rule: str, **kwargs: Any) -> None:
        super().__init__(title=title, reason=reason, least=dp(52), **kwargs)
        self.spoken = " ".join(part for part in (title, reason, rule) if part)
        mark = Text(rule, kind="mini", plain=False, tone="craie2", flow="line", pos_hint={"top": 1})
        mark.texture_update()
        self.add_widget(mark)
        self.bind(on_tap=lambda *_: open_rule(rule))

    def shine(self, on: bool) -> None:
        theme = App.get_running_app().theme
        self.fill = theme.feutre if on else theme.nuit


def notice_of(title: str, reason: str = "", rule: str = "") -> NoticeBox:
    """The notice, with its rule if it has one."""
    return RuleNotice(title, reason, rule) if rule else NoticeBox(title, reason)
