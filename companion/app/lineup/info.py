"""The panel beside the pitch: ATT, DEF, the coach's style, who could come on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.lineup.draft import Draft
from companion.app.lineup.reckoning import bench, profiles, sums
from companion.app.lineup.tokens import BenchRow
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Card, Chip, Scroller
from companion.app.widgets.text import Head, Name, Text
from companion.games.footclub.words import short_name


class InfoPanel(Card):
    """Shows a draft; `tapped` gets the id of the player of the bench who was touched."""

    def __init__(self, draft: Draft, tapped: Callable[[str], None], **kwargs: Any) -> None:
        self._app = App.get_running_app()
        self._draft, self._tapped = draft, tapped
        self._scroller: Scroller | None = None
        super().__init__(side=draft.club.side, radius=0, padding=(dp(12), dp(8)), spacing=dp(6), **kwargs)
        self.show()

    def show(self) -> None:
        """Draws the draft as it is now; the bench stays where it was scrolled to."""
        scrolled = self._scroller.scroll_y if self._scroller is not None else 1.0
        self.clear_widgets()
        self.add_widget(self._sums())
        if self._app.theme.roomy:
            self.add_widget(self._profiles())
            self.add_widget(self._staff())
        self.add_widget(Head(self._question(), kind="mini", tone="craie2", halign="left"))
        self._scroller = Scroller(scroll_y=scrolled)
        self._scroller.add_widget(self._bench())
        self.add_widget(self._scroller)

    def _question(self) -> str:
        picked = self._draft.picked
        if picked is None:
            return str(self._app.say("app.lineup.bench"))
        on_pitch = picked in self._draft.placed.values()
        name = short_name(self._draft.club.players[picked].card.name)
        return str(self._app.say("app.lineup.with_whom" if on_pitch else "app.lineup.for_whom", player=name))

    def _bench(self) -> GridLayout:
        draft = self._draft
        grid = GridLayout(
            cols=2 if self._app.portrait else 1, spacing=dp(5), size_hint_y=None, padding=(0, 0, dp(8), 0)
        )
        grid.bind(minimum_height=grid.setter("height"))
        for id in bench(draft):
            player = draft.club.players[id]
            row = BenchRow(player, draft.club.side, picked=draft.picked == id, comes=draft.comes(id))
            row.bind(on_tap=lambda _, id=id: self._tapped(id))
            grid.add_widget(row)
        return grid

    def _sums(self) -> BoxLayout:
        attack, defence, optimised = sums(self._draft)
        large = self._app.theme.text / 100
        line = BoxLayout(size_hint_y=None, height=dp(56) * large, spacing=dp(10))
        for name, value in (("ATT", attack), ("DEF", defence)):
            column = BoxLayout(orientation="vertical", size_hint_x=None, width=dp(44) * large)
            label = Text(name, kind="mini", tone="craie2", flow="box", halign="left", size_hint_y=0.5, leading=1.0)
            column.add_widget(label)
            column.add_widget(Head(str(value), kind="grand", flow="box", halign="left", leading=0.9))
            line.add_widget(column)
        side = self._draft.club.side
        words = self._app.say("app.lineup.optimised" if optimised else "app.lineup.not_optimised")
        line.add_widget(Name(words, tone=side if optimised else "craie3", halign="right"))
        if optimised:
            line.add_widget(Icon("check", side=22, tone=side, weight=1.3, pos_hint={"center_y": 0.5}))
        return line

    def _profiles(self) -> BoxLayout:
        line = BoxLayout(size_hint_y=None, height=dp(26), spacing=dp(6))
        for name, have, want in profiles(self._draft):
            tone = "craie" if have == want else "laiton"
            line.add_widget(Chip(self._app.say(f"app.profile.{name}.short"), f"{have}/{want}", tone, kind="mini"))
        return line

    def _staff(self) -> Text:
        goalkeeper, coach = self._draft.club.goalkeeper, self._draft.club.coach
        names = {"goalkeeper": short_name(goalkeeper.name), "coach": short_name(coach.name)}
        sentence = self._app.say("app.lineup.staff", **names, g=goalkeeper.level, c=coach.level)
        return Text(sentence, kind="mini", tone="craie2", halign="left", leading=1.0)
