"""What the table's bar tells of panel and tray: a sign while one is missed, and a sheet with what to do about it."""

from __future__ import annotations

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.words import say
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text


def missed_devices() -> list[Widget]:
    """The sign in the bar; nothing while every device that was there still is."""
    app = App.get_running_app()
    if not app.pressing.controls.devices.missed:
        return []
    push = Push(
        "",
        icon="unplugged",
        icon_side=28,
        look="brass",
        spoken=say("button.offline"),
        size_hint_x=None,
        width=dp(56),
    )
    push.bind(on_tap=lambda *_: app.lay(missed_sheet()))
    return [push]


def missed_sheet() -> Sheet:
    """Each device that is missed, and the one thing to do."""
    body = BoxLayout(orientation="vertical", spacing=dp(8), size_hint_y=None)
    body.bind(minimum_height=body.setter("height"))
    for link in App.get_running_app().pressing.controls.devices.missed:
        body.add_widget(Head(say(f"button.device.{link.source}"), kind="bouton", tone="laiton", halign="left"))
        body.add_widget(Text(say(f"button.{link.source}_gone"), halign="left"))
        if link.trouble is not None:
            body.add_widget(Text(say(f"button.trouble.{link.trouble}"), halign="left", tone="craie2"))
    scroller = Scroller()
    scroller.add_widget(body)
    return Sheet(say("button.offline"), scroller, box=(0.1, 0.14, 0.8, 0.72))
