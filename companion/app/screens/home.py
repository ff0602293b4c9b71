"""Screen 01: the match to resume, a new one, the kept ones, the settings. A room that does not exist is not offered."""

from __future__ import annotations

from kivy.factory import Factory
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import Page, load_kv
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Refusal
from companion.table.matches import MatchSummary

load_kv(__file__)

COLOURS = ("blue", "red")


class HomePage(Page):
    """What the players see first."""

    def build(self) -> None:
        kept = self.app.matches.list()
        going = next((match for match in kept if not match.finished), None)
        main: BoxLayout = self.ids.main
        if going is not None:
            main.add_widget(self._resume_card(going))
        main.add_widget(self._rooms(len(kept), alone=going is None))
        if self.portrait and going is None:
            main.add_widget(Widget())

    def _resume_card(self, match: MatchSummary) -> Card:
        say = self.app.say
        card = Card(padding=(dp(20), dp(14)), spacing=dp(6), radius=16)
        card.add_widget(Head(say("app.home.going"), kind="corps", tone="laiton"))
        names = list(match.names.items())
        line = BoxLayout(size_hint_y=None, height=dp(36), spacing=dp(8))
        for at, (side, name) in enumerate(names[:2]):
            badge = SideBadge(colour=side, letter=say(f"app.letter.{side}"), side=34)
            label = Head(name, kind="titre", flow="box", halign=("left", "right")[at], shorten=False)
            for piece in (badge, label) if at == 0 else (label, badge):
                line.add_widget(piece)
        card.add_widget(line)
        scores = " – ".join(str(match.score.get(side, 0)) for side, _ in names)
        card.add_widget(Head(scores, kind="score", halign="center", leading=0.9))
        card.add_widget(Text(self._last(match), tone="craie2", flow="box", halign="left", valign="top"))
        push = Push(say("app.home.resume"), icon="play", icon_side=26, look="chalk", kind="titre")
        push.size_hint_y, push.height = None, dp(64)
        push.bind(on_tap=lambda *_: self._resume(match))
        card.add_widget(push)
        return card

    def _last(self, match: MatchSummary) -> str:
        say = self.app.say
        if match.trouble is not None:
            return self.app.text(match.trouble)
        game = say(f"app.game.{match.game_id}")
        if match.last is None:
            return say("app.home.nothing_yet", game=game)
        return say("app.home.last", game=game, fact=self.app.text(match.last))

    def _rooms(self, kept: int, alone: bool) -> BoxLayout:
        say = self.app.say
        column: BoxLayout = Factory.HomeRooms()
        new = self._room("plus", say("app.home.new"), say("app.home.games", n=len(self.app.matches.games)))
        new.bind(on_tap=lambda *_: self.app.open("games"))
        column.add_widget(new)
        if kept:
            look = self._room("list", say("app.home.look_back"), say("app.home.kept", n=kept))
            look.bind(on_tap=lambda *_: self.app.open("matches"))
            column.add_widget(look)
        settings = self._room("gear", say("app.home.settings"), say("app.home.settings_detail"))
        settings.bind(on_tap=lambda *_: self.app.open("settings"))
        column.add_widget(settings)
        if alone or self.portrait:
            column.size_hint_x = 1
        return column

    def _room(self, icon: str, text: str, detail: str) -> Push:
        return Push(text, detail=detail, icon=icon, icon_side=30, look="well", kind="titre", left=True, pad=18)

    def _resume(self, match: MatchSummary) -> None:
        try:
            session = self.app.resume(match.match_id)
        except Refusal as refusal:
            self.app.sorry(self.app.text(refusal.message))
            return
        if session.state.phase == "pre_match":
            self.app.open("clubs", session=session)
        else:
            self.app.open("table", session=session)
