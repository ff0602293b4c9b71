"""Screen 02: which game. Only games that can be played are shown."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.help.rules import choose_game
from companion.app.page import Page, load_kv
from companion.app.preparing.registry import page_of
from companion.app.widgets.marks import DieFace, Framed, Icon, Mark
from companion.app.widgets.marks_hoops21 import HoopsDie
from companion.app.widgets.marks_nba import NbaDie
from companion.app.widgets.push import Push, Tap
from companion.app.widgets.text import ChalkLines, Name, Text

load_kv(__file__)

_ART = {
    "footclub": "M96 20h124M220 62h-66v128M220 104h-32v86M96 46a26 26 0 0 0 26-26M154 112a34 34 0 0 0 0 68",
    "nba": "M220 30h-28c-66 0-92 40-92 72s26 72 92 72h28M220 74h-52v58h52M168 74a29 29 0 0 0 0 58"
    "M217 103a11 11 0 1 1-22 0a11 11 0 1 1 22 0",
    "hoops21": "M220 96a71 71 0 1 1-142 0a71 71 0 1 1 142 0M78 96h142M149 25v142M98 46c34 30 34 70 0 100"
    "M200 46c-34 30-34 70 0 100",
    "occasion": "M73 41L130 32A9 9 0 0 1 141 39L155 132A9 9 0 0 1 148 142L91 151A9 9 0 0 1 80 144L66 51A9 9 0 0 1 73 41"
    "M138 27L199 34A9 9 0 0 1 207 44L195 144A9 9 0 0 1 185 151L123 144A9 9 0 0 1 116 134L128 35A9 9 0 0 1 138 27"
    "M136 119L179 124M139 93L182 99M164 70L165 56M156 63L165 55L173 65M160 96L162 86M157 122L158 112",
}
_SIDE = 26


def _needs(game: str) -> list[Mark]:
    """The dice that a game needs, or the hand where there are none."""
    made: dict[str, list[Mark]] = {
        "footclub": [
            DieFace(value=5, side=_SIDE),
            DieFace(value=2, side=_SIDE),
            DieFace(colour="yellow", side=_SIDE),
        ],
        "nba": [
            NbaDie(kind=kind, value=value, side=_SIDE)
            for kind, value in (("three_points", 9), ("inside", 4), ("penetration", 6))
        ],
        "hoops21": [
            HoopsDie(kind="orange", symbol="ball", side=_SIDE),
            HoopsDie(kind="white", symbol="steal", side=_SIDE),
        ],
        "occasion": [Icon("hand", side=_SIDE)],
    }
    return made[game]


class GameTile(Tap, Framed, FloatLayout):
    """One game: its name, a sentence, the dice it needs, a chalk drawing."""

    text = StringProperty("")

    def __init__(self, game: str, page: str, **kwargs: Any) -> None:
        app = App.get_running_app()
        name = app.say(f"app.game.{game}")
        super().__init__(text=name, radius=16, fill=app.theme.feutre, line=app.theme.bord, **kwargs)
        art = ChalkLines(path=_ART[game], view_width=220, view_height=190, strength=0.3, stroke=3)
        art.size_hint, art.pos_hint = (None, None), {"right": 0.995, "y": 0.006}
        self.bind(size=lambda *_: setattr(art, "size", self._art_size()))
        self.add_widget(art)
        column = BoxLayout(orientation="vertical", padding=(dp(18), dp(12)), spacing=dp(2), pos_hint={"x": 0, "y": 0})
        title = Name(name, kinds=["grand", "titre"], flow="box", halign="left", size_hint_y=None)
        title.height = app.theme.type("grand") * 1.2
        column.add_widget(title)
        kind = "corps" if app.theme.roomy else "mini"
        words = Text(app.say(f"app.games.{game}"), kind=kind, tone="craie2", flow="box", halign="left", valign="top")
        words.size_hint_x = 0.66
        column.add_widget(words)
        needs = BoxLayout(size_hint_y=None, height=dp(30), spacing=dp(8))
        for mark in _needs(game):
            mark.pos_hint = {"center_y": 0.5}
            needs.add_widget(mark)
        needs.add_widget(Text(app.say(f"app.games.{game}.needs"), flow="box", halign="left"))
        column.add_widget(needs)
        self.add_widget(column)
        self.bind(on_tap=lambda *_: app.open(page, **({"game": game} if page == "prepare" else {})))

    def _art_size(self) -> tuple[float, float]:
        width = min(self.height * 0.8 * 220 / 190, self.width * 0.6)
        return width, width * 190 / 220


class GamesPage(Page):
    """The games of this table as tiles."""

    def build(self) -> None:
        self.ids.bar.title = self.app.say("app.games.title")
        first = Push(self.app.say("app.help.first"), icon="help", look="outlined", kind="corps", hug=True, pad=12)
        first.size_hint_x = None
        first.bind(on_tap=lambda *_: self.app.lay(choose_game(self.app)))
        self.ids.bar.at_end(first)
        games = [(game, page) for game in self.app.matches.games if (page := page_of(game)) is not None]
        grid: GridLayout = self.ids.tiles
        grid.cols = 1 if self.portrait or len(games) == 1 else 2
        for game, page in games:
            grid.add_widget(GameTile(game, page))
