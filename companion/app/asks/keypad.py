"""A small number typed at the side's own edge: keys for the usual values, one more for the larger ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.asks.number import KEYS
from companion.app.figures.words import say
from companion.app.widgets.push import Push
from companion.games.base import Ask

_ACROSS = 3
_GAP = 5


class Keypad(BoxLayout):
    """Made once for an edge; `show` says what the keys answer now, `sleep` keeps fingers off for a moment."""

    def __init__(self, colour: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(_GAP), size_hint_y=None, **kwargs)
        app = App.get_running_app()
        tall = dp(50 if not app.portrait and app.room.height < dp(460) else 52)
        self._answer: Callable[[int], object] = lambda _: None
        self._more: Callable[[], object] = lambda: None
        self._least = 0
        grid = GridLayout(cols=_ACROSS, spacing=dp(_GAP), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        self.keys = [Push(kind="titre", look="side_outlined", side=colour) for _ in range(KEYS)]
        for place, key in enumerate(self.keys):
            key.size_hint_y, key.height = None, tall
            key.bind(on_tap=lambda _, place=place: self._answer(self._least + place))
            grid.add_widget(key)
        self._larger = Push(look="side_thin", side=colour, pad=4, size_hint_y=None, height=tall)
        self._larger.bind(on_tap=lambda *_: self._more())
        self.add_widget(grid)
        self.add_widget(self._larger)
        self.height = (KEYS // _ACROSS + 1) * (tall + dp(_GAP)) - dp(_GAP)

    def show(self, ask: Ask, answer: Callable[[int], object], more: Callable[[], object]) -> None:
        """`answer` gets the value of a key, `more` is called for the larger ones."""
        self._answer, self._more, self._least = answer, more, ask.least
        for place, key in enumerate(self.keys):
            key.text = str(ask.least + place)
        self._larger.text = say("app.ask.and_more", value=ask.least + KEYS)

    def sleep(self) -> None:
        """Ignores fingers for a moment: the keys have just come under one."""
        for key in (*self.keys, self._larger):
            key.sleep()
