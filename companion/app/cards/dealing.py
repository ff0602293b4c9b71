"""The middle of a market and of a draft: the cards that the club to move may take, a tap each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.cards.listing import Line, Listing, level
from companion.app.cards.telling import detail, title
from companion.app.figures.choice import ChoiceButton
from companion.app.widgets.pieces import Scroller, Segments
from companion.app.widgets.text import Head, Text
from companion.games.base import Refusal
from companion.games.footclub.tables import MARKET_PICKS, POSTS
from companion.table.catalogues.columns import Row
from companion.table.catalogues.footclub import COACH, GOALKEEPER, TEAM
from companion.table.market.desk import Deal
from companion.table.market.draft import PLAYERS, Draft
from companion.table.market.mercato import Mercato

Keep = Callable[[Deal], None]

EVERYBODY, STAFF = "all", "staff"


class MarketTable(BoxLayout):
    """One of two players that are shown, then one of the open pairs; the second tap of the two records."""

    def __init__(self, deal: Mercato, memory: dict[str, Any], keep: Keep) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._deal, self._keep = deal, keep
        self._picked: dict[str, Any] = memory.setdefault("picked", {})
        self._app = App.get_running_app()
        say = self._app.say
        side = deal.next or ""
        head = say("app.market.turn", club=deal.names.get(side, ""), pick=deal.picks + 1, picks=MARKET_PICKS)
        self.add_widget(Head(head, kind="bouton", tone="laiton", halign="left"))
        column = BoxLayout(orientation="vertical", spacing=dp(6), size_hint_y=None, padding=(0, 0, dp(10), 0))
        column.bind(minimum_height=column.setter("height"))
        self._tiles: list[tuple[str, Any, ChoiceButton]] = []
        self._rows(column, "take", [(id, [deal.card(id)]) for id in deal.revealed], side)
        self._rows(column, "pair", [(pair, [deal.card(id) for id in pair]) for pair in deal.pairs], side)
        scroller = Scroller(always_overscroll=False)
        scroller.add_widget(column)
        self.add_widget(scroller)
        self._mark()

    def _rows(self, column: BoxLayout, what: str, offers: list[tuple[Any, list[Row]]], side: str) -> None:
        say = self._app.say
        column.add_widget(Text(say(f"app.market.{what}"), kind="mini", tone="craie2", halign="left"))
        grid = GridLayout(cols=2 if what == "take" else 1, spacing=dp(8), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        for value, rows in offers:
            names = [title(TEAM, row, say) for row in rows]
            told = [detail(TEAM, row, say) for row in rows]
            tile = ChoiceButton(text=" + ".join(names), detail="\n".join(told), side=side)
            tile.bind(on_tap=lambda _, value=value: self._pick(what, value))
            self._tiles.append((what, value, tile))
            grid.add_widget(tile)
        level(grid, [tile for one, _, tile in self._tiles if one == what])
        column.add_widget(grid)

    def _pick(self, what: str, value: Any) -> None:
        self._picked[what] = value
        if "take" not in self._picked or "pair" not in self._picked:
            self._mark()
            return
        picked = dict(self._picked)
        self._picked.clear()
        try:
            self._keep(self._deal.pick(picked["take"], picked["pair"]))
        except Refusal as refusal:
            self._app.sorry(self._app.ruled(refusal))

    def _mark(self) -> None:
        """Fills what is picked by now."""
        for what, value, tile in self._tiles:
            tile.rank = 1 if self._picked.get(what) == value else 2


class DraftTable(BoxLayout):
    """Every card that is left, narrowed to a post or searched; a tap takes it."""

    def __init__(self, deal: Draft, memory: dict[str, Any], keep: Keep) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._deal, self._memory, self._keep = deal, memory, keep
        self._app = App.get_running_app()
        say, club = self._app.say, deal.names[deal.next or "blue"]
        head = say("app.market.turn", club=club, pick=len(deal.picks) + 1, picks=2 * (PLAYERS + 2))
        self.add_widget(Head(head, kind="bouton", tone="laiton", halign="left"))
        sorts = [(EVERYBODY, say("app.squad.all")), (STAFF, say("app.squad.staff"))]
        sorts += [(post, say(f"footclub.post.{post}")) for post in POSTS]
        chosen = memory.get("sort", EVERYBODY)
        self.add_widget(Segments(sorts, chosen, self._sort, kind="mini", size_hint_y=None, height=dp(58)))
        rows = [row for row in deal.left if is_of(row, chosen)]
        listing = memory.setdefault("list", {})
        empty = say("app.cards.empty")
        self.add_widget(Listing([self._line(row) for row in rows], listing, cols=1, empty=empty))

    def _line(self, row: Row) -> Line:
        say, reason = self._app.say, self._deal.barred(row)
        told = self._app.text(reason) if reason else ""
        return Line(title(TEAM, row, say), lambda: self._take(row), detail(TEAM, row, say), barred=told)

    def _take(self, row: Row) -> None:
        try:
            self._keep(self._deal.pick(row["id"]))
        except Refusal as refusal:
            self._app.sorry(self._app.ruled(refusal))

    def _sort(self, sort: str) -> None:
        self._memory.update(sort=sort, list={})
        self._app.redraw()


def is_of(row: Row, sort: str) -> bool:
    """Whether a card belongs to what a list is narrowed to: all, the staff, or a post."""
    if sort == EVERYBODY:
        return True
    return row["sort"] in (COACH, GOALKEEPER) if sort == STAFF else sort in row.get("posts", ())
