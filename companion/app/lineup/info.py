"""The panel beside the pitch: ATT, DEF, the coach's style, who could come on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.lineup.draft import Draft
from companion.app.lineup.reckoning import bench, profiles, sums
from companion.app.lineup.tokens import BenchRow
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Card, Chip, Scroller
from companion.app.widgets.text import Head, Name, Text
from companion.games.wording import short_name


class InfoPanel(Card):
    """Shows a draft; `tapped` gets the id of the player of the bench who was touched."""

    def __init__(self, draft: Draft, tapped: Callable[[str], None], **kwargs: Any) -> None:
        self._app = App.get_running_app()
        self._draft, self._tapped = draft, tapped
        self._parts: dict[str, tuple[object, Widget]] = {}
        self._rows: dict[str, BenchRow] = {}
        super().__init__(side=draft.club.side, radius=0, padding=(dp(12), dp(8)), spacing=dp(6), **kwargs)
        self._grid = GridLayout(cols=2 if self._app.portrait else 1, spacing=dp(5), size_hint_y=None)
        self._grid.padding = (0, 0, dp(8), 0)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self._scroller = Scroller()
        self._scroller.add_widget(self._grid)
        self.show()

    def show(self) -> None:
        """Draws the draft as it is now; parts that say the same stay, and the bench where it was scrolled to."""
        parts = [self._part("sums", sums(self._draft), self._sums)]
        if self._app.theme.roomy:
            parts.append(self._part("profiles", profiles(self._draft), self._profiles))
            parts.append(self._part("staff", None, self._staff))
        question = self._question()
        parts.append(
            self._part("question", question, lambda: Head(question, kind="mini", tone="craie2", halign="left"))
        )
        self._bench()
        if [*parts, self._scroller] != self.children[::-1]:
            self.clear_widgets()
            for part in (*parts, self._scroller):
                self.add_widget(part)

    def _part(self, name: str, said: object, make: Callable[[], Widget]) -> Widget:
        known = self._parts.get(name)
        if known is None or known[0] != said:
            known = self._parts[name] = (said, make())
        return known[1]

    def _question(self) -> str:
        picked = self._draft.picked
        if picked is None:
            return str(self._app.say("app.lineup.bench"))
        on_pitch = picked in self._draft.placed.values()
        name = short_name(self._draft.club.players[picked].card.name)
        return str(self._app.say("app.lineup.with_whom" if on_pitch else "app.lineup.for_whom", player=name))

    def _bench(self) -> None:
        draft = self._draft
        rows: dict[str, BenchRow] = {}
        for id in bench(draft):
            look = {"picked": draft.picked == id, "comes": draft.comes(id)}
            row = self._rows.get(id)
            if row is None or row.shown != look:
                row = BenchRow(draft.club.players[id], draft.club.side, **look)
                row.shown = look
                row.bind(on_tap=lambda _, id=id: self._tapped(id))
            rows[id] = row
        if list(rows.values()) != self._grid.children[::-1]:
            self._grid.clear_widgets()
            for row in rows.values():
                self._grid.add_widget(row)
        self._rows = rows

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
