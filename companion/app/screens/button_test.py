"""The live test of the buttons (screen 16): each line lights up when its button is pressed, and its lamp with it."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.table.controls import ROLES

LIT = 1.5
"""Seconds for which a line stays lit."""


class ButtonTest(Sheet):
    """While it is open, presses come here and no match is touched."""

    def __init__(self) -> None:
        app = App.get_running_app()
        controls = app.pressing.controls
        body = BoxLayout(orientation="vertical", spacing=dp(10), size_hint_y=None)
        body.bind(minimum_height=body.setter("height"))
        body.add_widget(Text(app.say("button.test.how"), halign="left"))
        grid = GridLayout(cols=1 if app.portrait else 2, spacing=dp(8), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        self._lines = {str(role): RoleLine(str(role)) for role in ROLES}
        for line in self._lines.values():
            grid.add_widget(line)
        body.add_widget(grid)
        scroller = Scroller()
        scroller.add_widget(body)
        super().__init__(app.say("button.test"), scroller)
        controls.listen(self.pressed)
        self.fbind("parent", self._gone)

    def pressed(self, role: str, source: str, held: bool) -> None:
        """A button was pressed."""
        self._lines[role].light(source, held)

    def _gone(self, _: Any, parent: Any) -> None:
        if parent is None:
            App.get_running_app().pressing.controls.listen(None)


class RoleLine(Framed, BoxLayout):
    """A button by its role, and when it was pressed last."""

    def __init__(self, role: str, **kwargs: Any) -> None:
        app = App.get_running_app()
        high = 62 if app.theme.roomy else 74
        super().__init__(size_hint_y=None, height=dp(high), padding=(dp(12), dp(6)), spacing=dp(10), **kwargs)
        middle = {"center_y": 0.5}
        self._icon = Icon("button", side=26, tone="craie3", pos_hint=middle)
        self._last = Text(app.say("button.test.never"), kind="mini", tone="craie2", flow="box", halign="left")
        words = BoxLayout(orientation="vertical")
        words.add_widget(Head(app.say(f"button.role.{role}"), kind="bouton", flow="box", halign="left"))
        words.add_widget(self._last)
        self.add_widget(self._icon)
        self.add_widget(words)
        self._out: Any = None
        self._theme = app.theme
        self._dark()

    def light(self, source: str, held: bool) -> None:
        """It was pressed just now."""
        app = App.get_running_app()
        self.line, self._icon.tone = app.theme.laiton, "laiton"
        kind = "button.test.held" if held else "button.test.touched"
        self._last.text = app.say(kind, device=app.say(f"button.device.{source}"))
        if self._out is not None:
            self._out.cancel()
        self._out = Clock.schedule_once(self._dark, LIT)

    def _dark(self, *_: object) -> None:
        self.fill, self.line = self._theme.creux, (0, 0, 0, 0)  # the app may have ended by then
        self._icon.tone = "craie3"
