"""The headline of the centre: what is going on, under the ball's colour where there is one."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.words import text
from companion.app.widgets.marks import BallMark
from companion.app.widgets.text import Head, Text
from companion.games.figures import Headline


class HeadlineFigure(BoxLayout):
    """Two lines beside a large badge; `compact` puts a small badge and a smaller title instead."""

    def __init__(self, headline: Headline, compact: bool = False, tone: str = "craie", **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(8 if compact else 12), **kwargs)
        tall = App.get_running_app().portrait and not compact
        if headline.badge:
            self.add_widget(BallMark(side=30 if compact else 44, colour=headline.badge, pos_hint={"center_y": 0.5}))
        words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        kind = "bouton" if compact else ("grand" if tall else "titre")
        self._parts = [Head(text(headline.text), kind=kind, tone=tone, halign="left", leading=0.95)]
        if headline.detail:
            self._parts.append(Text(text(headline.detail), tone="craie2", halign="left"))
        for part in self._parts:
            part.fbind("height", lambda *_: self._fit(words))
            words.add_widget(part)
        self.add_widget(words)
        self._fit(words)
        if compact:
            words.fbind("width", lambda *_: self._beside(words))

    def brief(self) -> bool:
        """Without the detail, where the room is too short for it; whether there was one."""
        if len(self._parts) < 2:
            return False
        words = self._parts[0].parent
        words.remove_widget(self._parts.pop())
        self._fit(words)
        return True

    def _beside(self, words: BoxLayout) -> None:
        """In the compact form the detail stands beside the title where both fit on one line."""
        widths = [_width(part) for part in self._parts]
        if sum(widths) + dp(8) > words.width or words.orientation == "horizontal":
            return
        words.orientation, words.spacing = "horizontal", dp(8)
        self._parts[0].size_hint_x, self._parts[0].width = None, widths[0] + 1
        self._fit(words)

    def _fit(self, words: BoxLayout) -> None:
        heights = [part.height for part in self._parts]
        words.height = max(heights) if words.orientation == "horizontal" else sum(heights)
        marks = [child.height for child in self.children if child is not words]
        self.height = max(words.height, *marks) if marks else words.height


def _width(label: Text) -> float:
    """What a text would take on one line."""
    return float(label._label.get_extents(label.text)[0])
