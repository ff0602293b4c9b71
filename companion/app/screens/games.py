"""Screen 02: which game. Only games that can be played are shown."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.page import Page, load_kv
from companion.app.widgets.chalk import ChalkLines
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import DieFace, Mark
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text

load_kv(__file__)

_ART = {"footclub": "M20 190V20h200M220 62h-86v128M220 104h-38v86M20 46a26 26 0 0 0 26-26M134 112a34 34 0 0 0 0 68"}
_NEXT = {"footclub": "clubs"}


def _dice(game: str) -> list[Mark]:
    if game == "footclub":
        return [DieFace(value=5, side=26), DieFace(value=2, side=26), DieFace(colour="yellow", side=26)]
    return []


class GameTile(Tap, Framed, FloatLayout):
    """One game: its name, a sentence, the dice it needs, a chalk drawing."""

    text = StringProperty("")

    def __init__(self, game: str, **kwargs: Any) -> None:
        app = App.get_running_app()
        name = app.say(f"app.game.{game}")
        super().__init__(text=name, radius=16, fill=app.theme.feutre, line=app.theme.bord, **kwargs)
        art = ChalkLines(path=_ART[game], view_width=220, view_height=190, strength=0.3, stroke=3)
        art.size_hint, art.pos_hint = (None, None), {"right": 0.995, "y": 0.006}
        self.bind(size=lambda *_: setattr(art, "size", self._art_size()))
        self.add_widget(art)
        column = BoxLayout(orientation="vertical", padding=(dp(18), dp(14)), spacing=dp(4), pos_hint={"x": 0, "y": 0})
        column.add_widget(Head(name, kind="grand", halign="left"))
        column.add_widget(Text(app.say(f"app.games.{game}"), tone="craie2", flow="box", halign="left", valign="top"))
        needs = BoxLayout(size_hint_y=None, height=dp(30), spacing=dp(8))
        for die in _dice(game):
            die.pos_hint = {"center_y": 0.5}
            needs.add_widget(die)
        needs.add_widget(Text(app.say(f"app.games.{game}.needs"), flow="box", halign="left"))
        column.add_widget(needs)
        self.add_widget(column)
        self.bind(on_tap=lambda *_: app.open(_NEXT[game]))

    def _art_size(self) -> tuple[float, float]:
        width = min(self.height * 0.8 * 220 / 190, self.width * 0.6)
        return width, width * 190 / 220


class GamesPage(Page):
    """The games of this table as tiles."""

    def build(self) -> None:
        self.ids.bar.title = self.app.say("app.games.title")
        self.ids.bar.sub = self.app.say("app.step", step=1, steps=3)
        games = [game for game in self.app.matches.games if game in _NEXT]
        grid: GridLayout = self.ids.tiles
        grid.cols = 1 if self.portrait or len(games) == 1 else 2
        for game in games:
            grid.add_widget(GameTile(game))
