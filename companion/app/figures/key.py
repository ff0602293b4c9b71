"""The key of a curve: whose it is, and what it came to."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import Head, Name
from companion.games.base import SideScene


class Key(BoxLayout):
    """What a curve is: the side's badge and name, the number that it came to, a line of particulars."""

    def __init__(self, side: SideScene, number: str, detail: str = "", **kwargs: Any) -> None:
        theme = App.get_running_app().theme
        self.detailed = bool(detail)
        tall = theme.type("bouton") * 1.25 + (theme.type("mini") * 1.3 if detail else 0)
        super().__init__(size_hint_y=None, height=max(dp(38), tall), spacing=dp(8), **kwargs)
        self.add_widget(SideBadge(colour=side.colour, letter=side.letter, side=30, pos_hint={"center_y": 0.5}))
        words = BoxLayout(orientation="vertical")
        words.add_widget(Name(side.name, kinds=["bouton", "corps", "mini"], initials=True, halign="left"))
        if detail:
            words.add_widget(
                Name(detail, kinds=["mini"], plain=True, strong=False, leading=1.15, tone="craie2", halign="left")
            )
        self.add_widget(words)
        if number:
            self.add_widget(Head(number, kind="titre", flow="line", pos_hint={"center_y": 0.5}))
