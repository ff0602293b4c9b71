"""The step of panel and tray: which of them answers, and a test of their buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.screens.settings_rows import Rows
from companion.app.widgets.marks import Icon
from companion.app.widgets.text import Head, Text

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

LOOK = 1.0
"""Seconds between two looks at whether a device has come or gone."""


class DeviceStep:
    """Fills the step's column, and anew when a device comes or goes."""

    def __init__(self, app: TapisVertApp, rows: Rows, column: BoxLayout) -> None:
        self._app = app
        self._shown = app.pressing.controls.devices.links
        self._clock = Clock.schedule_interval(self._look, LOOK)
        if not self._shown:
            column.add_widget(Text(app.say("app.welcome.devices.none"), halign="left"))
            return
        column.add_widget(Text(app.say("app.welcome.devices.how"), tone="craie2", halign="left"))
        for link in self._shown:
            column.add_widget(_line(app, link))
        if any(link.online for link in self._shown):
            rows.pushes(("hand", "button.test", self._test, False))

    def close(self) -> None:
        """Nothing is looked at any more."""
        self._clock.cancel()

    def _look(self, *_: object) -> None:
        if self._app.pressing.controls.devices.links != self._shown and not self._app.room.sheets:
            self._app.redraw()

    def _test(self) -> None:
        from companion.app.screens.button_test import ButtonTest

        self._app.lay(ButtonTest())


def _line(app: TapisVertApp, link: Any) -> BoxLayout:
    """A device: its name, whether it answers, and the one thing to do if it does not."""
    line = BoxLayout(spacing=dp(12), size_hint_y=None, height=dp(72 if app.theme.roomy else 100))
    line.add_widget(Icon("check" if link.online else "minus", side=28, pos_hint={"center_y": 0.5}))
    words = BoxLayout(orientation="vertical")
    words.add_widget(Head(app.say(f"button.device.{link.source}"), kind="bouton", flow="box", halign="left"))
    words.add_widget(Text(_state(app, link), kind="mini", tone="craie2", flow="box", halign="left", valign="top"))
    line.add_widget(words)
    return line


def _state(app: TapisVertApp, link: Any) -> str:
    if link.simulated:
        return str(app.say("app.diagnostic.simulated"))
    if link.trouble is not None:
        return str(app.say(f"button.trouble.{link.trouble}"))
    return str(app.say("button.state.online", name=link.name) if link.name else app.say("app.diagnostic.ok"))
