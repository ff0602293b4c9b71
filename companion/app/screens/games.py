"""Screen 02: the choice of a game. Only playable games are shown."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.display import context_of, display, translate
from companion.app.figures.slots import face_mark
from companion.app.game_screens import preparation_of
from companion.app.help.rules import choose_game
from companion.app.page import Page, load_kv
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import HBox, VBox, fill
from companion.app.widgets.marks import Framed, Icon, Mark
from companion.app.widgets.text import ChalkLines, Name, Text
from companion.games.registry import SPECS
from vision.roll import Face

load_kv(__file__)

_SIDE = 26
MAX_TILES_WITHOUT_SCROLL = 4
"""Up to this many tiles share the screen. With more games the tiles have a fixed height and scroll."""
_TILE = 188


def _needs(game: str) -> list[Mark]:
    """Return drawings of the dice that a game needs, or a hand icon if it needs none."""
    dice = SPECS[game].screens.tile_dice
    drawn = [face_mark(Face(die.value, die.colour, die.symbol), _SIDE, die.kind) for die in dice]
    return drawn or [Icon("hand", side=_SIDE)]


_ART_SHARE = 0.34
"""Share of a tile's width for its drawing."""
_NEEDS_DP = 50
"""Height in dp of the line with the dice, with its margins."""


class GameTile(Tappable, Framed, FloatLayout):
    """A tile of one game: its name, a sentence, its dice, and a chalk drawing."""

    text = StringProperty("")

    def __init__(self, game: str, **kwargs: Any) -> None:
        name = translate(f"app.game.{game}")
        super().__init__(text=name, radius=16, fill=display.theme.feutre, line=display.theme.bord, **kwargs)
        art = ChalkLines(path=SPECS[game].screens.tile_art, view_width=220, view_height=190, strength=0.3, stroke=3)
        art.size_hint, art.pos_hint = (None, None), {"right": 0.995, "top": 0.98}
        self.bind(size=lambda *_: setattr(art, "size", self._art_size()))
        self.add_widget(art)
        title = Name(name, kinds=["grand", "titre"], flow="box", halign="left", size_hint_y=None)
        title.height = display.theme.type("grand") * 1.2
        title.size_hint_x = 0.74
        kind = "corps" if display.theme.roomy else "mini"
        description = Text(
            translate(f"app.games.{game}"), kind=kind, tone="craie2", flow="box", halign="left", valign="top"
        )
        description.size_hint_x = 1 - _ART_SHARE
        needs = HBox(spacing=dp(8), tall=30)
        for mark in _needs(game):
            mark.pos_hint = {"center_y": 0.5}
            needs.add_widget(mark)
        needs.add_widget(Text(translate(f"app.games.{game}.needs"), flow="box", halign="left"))
        self.add_widget(
            VBox(title, description, needs, padding=(dp(18), dp(12)), spacing=dp(2), pos_hint={"x": 0, "y": 0})
        )
        page, args = preparation_of(game)
        self.bind(on_tap=lambda *_: context_of(self).open(page, **args))

    def _art_size(self) -> tuple[float, float]:
        """Return the size of the drawing: beside the description and above the dice, never behind words."""
        width = min((self.height - dp(_NEEDS_DP)) * 220 / 190, self.width * _ART_SHARE)
        return width, width * 190 / 220


class GamesPage(Page):
    """The page with the games of this table as tiles."""

    def build(self) -> None:
        self.ids.bar.title = self.app.translate("app.games.title")
        first = PushButton(
            self.app.translate("app.help.first"), icon="help", style="outlined", kind="corps", hug=True, pad=12
        )
        first.size_hint_x = None
        first.bind(on_tap=lambda *_: self.app.show_sheet(choose_game(self.app)))
        self.ids.bar.at_end(first)
        games = list(self.app.matches.games)
        grid: GridLayout = self.ids.tiles
        grid.cols = 1 if self.portrait or len(games) == 1 else 2
        least = (
            0.0
            if len(games) <= MAX_TILES_WITHOUT_SCROLL
            else dp(_TILE) * -(-len(games) // grid.cols) * self.app.theme.text / 100
        )
        self.ids.scroller.bind(height=lambda _, height: setattr(grid, "height", max(height, least)))
        fill(grid, *(GameTile(game) for game in games))
