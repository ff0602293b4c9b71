"""Clubs and cards: every catalogue of every game, with how much is in it and whose it is."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.app.cards.shelves import desk, shelf
from companion.app.page import Page, load_kv
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head
from companion.table.catalogues.kinds import Kind
from companion.table.catalogues.registry import CLUBS, KINDS
from companion.table.catalogues.shelf import ShelfTrouble

load_kv(__file__)


class CataloguesPage(Page):
    """A tile for each catalogue, game by game; the market beside the clubs it makes."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.catalogues.title")
        exchange = Push(say("app.exchange.import"), icon="in", hug=True, pad=14, size_hint_x=None)
        exchange.bind(on_tap=lambda *_: self.app.open("exchange"))
        bar.at_end(exchange)
        for game in dict.fromkeys(kind.game for kind in KINDS.values()):
            head = Head(say(f"app.game.{game}"), kind="corps", tone="craie2", halign="left", size_hint_y=None)
            self.ids.body.add_widget(head)
            grid = GridLayout(cols=1 if self.portrait else 2, spacing=dp(8))
            grid.size_hint_y = None
            grid.bind(minimum_height=grid.setter("height"))
            for kind in KINDS.values():
                if kind.game == game:
                    grid.add_widget(self._tile(kind))
            if game == KINDS[CLUBS].game:
                grid.add_widget(self._market())
            self.ids.body.add_widget(grid)

    def _tile(self, kind: Kind) -> Push:
        say = self.app.say
        push = Push(say.text(kind.label), icon="users" if kind.name == CLUBS else "cards")
        try:
            detail, faults = self._state(kind)
        except ShelfTrouble as trouble:
            detail, faults = self.app.text(trouble.message), True
        self._lay_out(push, detail, faults)
        push.bind(on_tap=lambda *_: self.app.open("catalogue", kind=kind.name))
        return push

    def _state(self, kind: Kind) -> tuple[str, bool]:
        """How much there is and whose it is, and whether something is wrong."""
        say = self.app.say
        if kind.name == CLUBS:
            clubs = shelf(self.app).all_clubs()
            faulty = sum(club.fault is not None for club in clubs)
            own = sum(club.path is not None for club in clubs)
            told = say("app.catalogues.clubs", n=len(clubs), own=own)
            return (say("app.catalogues.unfinished", n=faulty), True) if faulty else (told, False)
        reading = shelf(self.app).load(kind)
        if reading.faults:
            return say("app.catalogues.faults", n=len(reading.faults)), True
        count = len({row[kind.group] for row in reading.rows}) if kind.group else len(reading.rows)
        whose = "own" if shelf(self.app).is_own(kind) else "sample"
        return say(f"app.catalogues.{whose}", n=count), False

    def _market(self) -> Push:
        say = self.app.say
        push = Push(say("app.market.title"), icon="gavel")
        try:
            going = desk(self.app).load() is not None
        except ShelfTrouble:
            going = False
        self._lay_out(push, say("app.market.going" if going else "app.market.detail"), going)
        push.bind(on_tap=lambda *_: self.app.open("market"))
        return push

    def _lay_out(self, push: Push, detail: str, brass: bool) -> None:
        options: dict[str, Any] = {"look": "well", "left": True, "icon_side": 28, "detail": detail, "end": "right"}
        for name, value in options.items():
            setattr(push, name, value)
        push.detail_tone = "laiton" if brass else ""
        push.size_hint_y, push.height = None, dp(64 if self.app.theme.roomy else 76)
