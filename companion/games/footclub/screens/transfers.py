"""The transfers between two legs: five players offered by lot or as dealt by hand; the club takes two (FC-16.6)."""

from __future__ import annotations

from functools import partial
from random import Random

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.cards.lists import Listing, ListRow, card_detail, card_title
from companion.app.page import load_kv
from companion.app.screens.match_page import EditorPage
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import VBox, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Fields, JsonObject
from companion.games.catalogue import Row
from companion.games.footclub.catalogues import PLAYER, TEAM, row_of
from companion.games.footclub.legs import OFFERED
from companion.games.footclub.second_leg import draw_offer, unowned_players
from companion.games.footclub.state import State
from companion.games.footclub.tables import side_of

load_kv(__file__)

TAKEN = 2
"""Players that a club takes of those offered (FC-16.6)."""


class TransfersPage(EditorPage):
    """The transfers of one club. `args`: `session`, `side`.

    The drawing depends on the match and the club only: leaving the page and coming back draws the same five again.
    """

    def build(self) -> None:
        self.memory.setdefault("sequence", self.session.sequence)
        self._offered: list[str] = self.memory.setdefault("offered", [])
        self._taken: list[str] = self.memory.setdefault("taken", [])
        self._language, self._dealt = self.app.translate, self.memory.setdefault("dealt", False)
        club, bar = self.session.header["sides"][self.side]["name"], self.ids.bar
        bar.mark(SideBadge(colour=self.side, letter=self._language(f"app.letter.{self.side}"), side=34))
        bar.title = self._language("app.transfers.title", club=club)
        if self._dealt:
            self._show_offer()
        else:
            self._show_cards()

    def event(self) -> Fields:
        return {"event": "market_transfer", "side": self.side, "offered": self._offered, "take": self._taken}

    # Which five are offered

    def _show_cards(self) -> None:
        style = "outlined" if self._offered else "chalk"
        column = VBox(Text(self._language("app.transfers.offer"), tone="craie2", halign="left"), spacing=dp(10))
        fill(
            column,
            PushButton(self._language("app.transfers.draw"), icon="dice", style=style, act=self._draw, tall=64),
            BoldText(self._language("app.transfers.by_hand", n=len(self._offered)), kind="corps", halign="left"),
        )
        fill(self.ids.body, column, self._listing(self._free_ids(), self._offered, sum(OFFERED.values())))
        if self.portrait:
            column.size_hint_y = None
            column.bind(minimum_height=column.setter("height"))
        else:
            column.add_widget(Widget())
        done = PushButton(self._language("app.transfers.offered"), end="right", hug=True, pad=16, act=self._offer)
        done.style = "chalk" if self._is_full_offer() else "dashed"
        self.ids.bar.at_end(done)

    def _draw(self) -> None:
        state = self._footclub_state()
        self._offered[:] = draw_offer(state, side_of(self.side), Random(f"{self.session.match_id}/{self.side}"))
        self.memory["dealt"] = True
        self.app.redraw()

    def _offer(self) -> None:
        if not self._is_full_offer():
            self.app.show_error(self._language("app.transfers.levels"))
            return
        self.memory["dealt"] = True
        self.app.redraw()

    def _is_full_offer(self) -> bool:
        levels = [self._card(id)["level"] for id in self._offered]
        return all(levels.count(level) == count for level, count in OFFERED.items())

    def _free_ids(self) -> list[str]:
        found = unowned_players(self._footclub_state(), side_of(self.side))
        return [id for level in sorted(OFFERED, reverse=True) for id in found[level]]

    # Which two the club takes

    def _show_offer(self) -> None:
        column = VBox(Text(self._language("app.transfers.take"), tone="craie2", halign="left"), spacing=dp(10))
        if self.portrait:
            column.size_hint_y = None
            column.bind(minimum_height=column.setter("height"))
        else:
            column.add_widget(Widget())
        fill(self.ids.body, column, self._listing(self._offered, self._taken, TAKEN))
        confirm = PushButton(self._language("app.transfers.confirm"), icon="check", hug=True, pad=16, act=self.validate)
        confirm.style = "chalk" if self.refusal() is None else "dashed"
        self.ids.bar.at_end(confirm)

    # Both lists

    def _listing(self, ids: list[str], picked: list[str], limit: int) -> Listing:
        lines = []
        for id in ids:
            row, on = self._row(id), id in picked
            lines.append(
                ListRow(
                    card_title(TEAM, row, self._language),
                    partial(self._tap, id, picked, limit),
                    card_detail(TEAM, row, self._language),
                    prominence=1 if on else 2,
                )
            )
        return Listing(lines, self.memory.setdefault("list", {}), cols=1)

    def _tap(self, id: str, picked: list[str], limit: int) -> None:
        if id in picked:
            picked.remove(id)
        elif len(picked) < limit:
            picked.append(id)
        self.app.redraw()

    def _row(self, id: str) -> Row:
        return row_of(PLAYER, self._card(id))

    def _card(self, id: str) -> JsonObject:
        cards = self.session.header["setup"]["catalogue"]["team_cards"]["players"]
        return next(dict(card) for card in cards if card["id"] == id)

    def _footclub_state(self) -> State:
        state = self.state
        assert isinstance(state, State)
        return state
