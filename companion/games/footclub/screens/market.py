"""Market and draft: two clubs take their cards in turns; each pick is on the disk, the end is two clubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.lists import Listing, ListRow, card_detail, card_title, equalize_heights
from companion.app.cards.rows import card_store
from companion.app.display import context_of, display, text
from companion.app.figures.choice import ChoiceButton
from companion.app.game_screens import Tile
from companion.app.page import Page, load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Box, Card, Grid, HBox, Scroller, SegmentedControl, VBox, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.catalogue import Row
from companion.games.footclub import draft, mercato
from companion.games.footclub.catalogues import COACH, GOALKEEPER, TEAM
from companion.games.footclub.draft import PLAYERS, Draft
from companion.games.footclub.mercato import Mercato
from companion.games.footclub.screens.desk import Deal, desk
from companion.games.footclub.squad_standing import Standing, standing
from companion.games.footclub.tables import FORMATIONS, MARKET_PICKS, POSTS, SIDES
from companion.games.preparing import Memory
from companion.table.catalogues.card_store import CardStoreError

Keep = Callable[[Deal], None]

EVERYBODY, STAFF = "all", "staff"


class StandingCard(Card):
    """Grows with what is missing; a squad that lacks nothing says how many formations it can field."""

    def __init__(self, standing: Standing, *, brief: bool = False, side: str = "") -> None:
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(2), size_hint_y=None, side=side)
        self.bind(minimum_height=self.setter("height"))
        say = display.language
        count = say("app.squad.count", n=standing.players, stars=standing.stars)
        self.add_widget(BoldText(count, kind="bouton", halign="left"))
        posts = " ".join(f"{say(f'footclub.post.{post}')} {standing.posts[post]}" for post in POSTS)
        self.add_widget(Text(posts, kind="mini", tone="craie2", plain=False, halign="left"))
        if not brief:
            unnamed = say("app.squad.nobody")
            staff = say("app.squad.led", coach=standing.coach or unnamed, goalkeeper=standing.goalkeeper or unnamed)
            self.add_widget(Text(staff, kind="mini", tone="craie2", halign="left"))
        for message in standing.missing[: 1 if brief else None]:
            self.add_widget(Text(text(message), kind="mini", tone="laiton", strong=True, halign="left"))
        if not standing.missing:
            able = say("app.squad.formations", n=len(standing.formations), all=len(FORMATIONS))
            self.add_widget(Text(able, kind="mini", tone="craie", strong=True, halign="left"))


class MarketTable(BoxLayout):
    """One of two players that are shown, then one of the open pairs; the second tap of the two records."""

    def __init__(self, deal: Mercato, memory: Memory, keep: Keep) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._deal, self._keep = deal, keep
        self._picked: dict[str, Any] = memory.setdefault("picked", {})
        say = display.language
        side = deal.next or ""
        head = say("app.market.turn", club=deal.names.get(side, ""), pick=deal.picks + 1, picks=MARKET_PICKS)
        self.add_widget(BoldText(head, kind="bouton", tone="laiton", halign="left"))
        column = VBox(spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)
        self._tiles: list[tuple[str, Any, ChoiceButton]] = []
        self._rows(column, "take", [(id, [deal.card(id)]) for id in deal.revealed], side)
        self._rows(column, "pair", [(pair, [deal.card(id) for id in pair]) for pair in deal.pairs], side)
        self.add_widget(Scroller(column, always_overscroll=False))
        self._mark()

    def _rows(self, column: BoxLayout, what: str, offers: list[tuple[Any, list[Row]]], side: str) -> None:
        say = display.language
        column.add_widget(Text(say(f"app.market.{what}"), kind="mini", tone="craie2", halign="left"))
        grid = Grid(cols=2 if what == "take" else 1, spacing=dp(8), grows=True)
        for value, rows in offers:
            names = [card_title(TEAM, row, say) for row in rows]
            told = [card_detail(TEAM, row, say) for row in rows]
            tile = ChoiceButton(text=" + ".join(names), detail="\n".join(told), side=side)
            tile.bind(on_tap=lambda _, value=value: self._pick(what, value))
            self._tiles.append((what, value, tile))
            grid.add_widget(tile)
        equalize_heights(grid, [tile for one, _, tile in self._tiles if one == what])
        column.add_widget(grid)

    def _pick(self, what: str, value: Any) -> None:
        self._picked[what] = value
        if "take" not in self._picked or "pair" not in self._picked:
            self._mark()
            return
        picked = dict(self._picked)
        self._picked.clear()
        context_of(self).attempt(lambda: self._keep(self._deal.pick(picked["take"], picked["pair"])))

    def _mark(self) -> None:
        """Fills what is picked by now."""
        for what, value, tile in self._tiles:
            tile.prominence = 1 if self._picked.get(what) == value else 2


class DraftTable(BoxLayout):
    """Every card that is left, narrowed to a post or searched; a tap takes it."""

    def __init__(self, deal: Draft, memory: Memory, keep: Keep) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._deal, self._memory, self._keep = deal, memory, keep
        say, club = display.language, deal.names[deal.next or "blue"]
        head = say("app.market.turn", club=club, pick=len(deal.picks) + 1, picks=2 * (PLAYERS + 2))
        self.add_widget(BoldText(head, kind="bouton", tone="laiton", halign="left"))
        sorts = [(EVERYBODY, say("app.squad.all")), (STAFF, say("app.squad.staff"))]
        sorts += [(post, say(f"footclub.post.{post}")) for post in POSTS]
        chosen = memory.get("sort", EVERYBODY)
        self.add_widget(SegmentedControl(sorts, chosen, self._sort, kind="mini", tall=58))
        rows = [row for row in deal.left if is_of(row, chosen)]
        listing = memory.setdefault("list", {})
        empty = say("app.cards.empty")
        self.add_widget(Listing([self._line(row) for row in rows], listing, cols=1, empty=empty))

    def _line(self, row: Row) -> ListRow:
        say, reason = display.language, self._deal.barred(row)
        told = text(reason) if reason else ""
        return ListRow(
            card_title(TEAM, row, say), lambda: self._take(row), card_detail(TEAM, row, say), disabled_reason=told
        )

    def _take(self, row: Row) -> None:
        context_of(self).attempt(lambda: self._keep(self._deal.pick(row["id"])))

    def _sort(self, sort: str) -> None:
        self._memory.update(sort=sort, list={})
        context_of(self).redraw()


def is_of(row: Row, sort: str) -> bool:
    """Whether a card belongs to what a list is narrowed to: all, the staff, or a post."""
    if sort == EVERYBODY:
        return True
    return row["sort"] in (COACH, GOALKEEPER) if sort == STAFF else sort in row.get("posts", ())


if TYPE_CHECKING:
    from companion.app.context import AppContext

load_kv(__file__)

MERCATO, DRAFT = "mercato", "draft"
_COLUMN = 184
_WAYS = (MERCATO, DRAFT)


class MarketPage(Page):
    """Without a deal under way: what to begin. The deal itself is never in the memory, but on the disk."""

    def build(self) -> None:
        say = self.app.translate
        self.ids.bar.title = say("app.market.title")
        try:
            deal = desk(self.app).load()
        except CardStoreError as trouble:
            self.ids.body.add_widget(Text(self.app.text(trouble.message), flow="box", halign="center"))
            return
        if deal is None:
            self.ids.body.add_widget(self._beginning())
        else:
            self._deal: Deal = deal
            self._under_way()

    # Before

    def _beginning(self) -> BoxLayout:
        say, memory = self.app.translate, self.memory
        way = memory.setdefault("way", MERCATO)
        names = memory.setdefault("names", [say(f"app.market.club.{side}") for side in SIDES])
        ways = [(one, say(f"app.market.way.{one}")) for one in _WAYS]
        column = VBox(SegmentedControl(ways, way, self._chooser("way"), tall=58), spacing=dp(10))
        column.add_widget(Text(say(f"app.market.told.{way}", players=draft.PLAYERS), tone="craie2", halign="left"))
        line = Box(
            orientation="vertical" if self.portrait else "horizontal", spacing=dp(10), tall=124 if self.portrait else 58
        )
        for at, side in enumerate(SIDES):
            push = PushButton(names[at], style="side_thin", side=side, left=True, end="edit", end_tone=side)
            push.mark(SideBadge(colour=side, letter=say(f"app.letter.{side}"), side=32))
            push.bind(on_tap=lambda _, at=at: self._name(at))
            line.add_widget(push)
        fill(column, line, Text(self._cards(), tone="craie2", halign="left"))
        fill(column, Widget(), PushButton(say("app.market.begin"), style="chalk", act=self._begin, tall=64))
        return column

    def _cards(self) -> str:
        """Which catalogue is dealt."""
        kept = card_store(self.app)
        whose = "own" if kept.is_own(TEAM) else "sample"
        return self.app.translate(
            "app.market.cards", cards=self.app.translate(f"app.catalogues.{whose}", n=len(kept.load(TEAM).rows))
        )

    def _chooser(self, key: str) -> Any:
        def choose(value: Any) -> None:
            self.memory[key] = value
            self.app.redraw()

        return choose

    def _name(self, at: int) -> None:
        def take(name: str) -> None:
            self.memory["names"][at] = name
            self.app.redraw()

        self.app.show_sheet(naming_sheet(self.app.translate("app.squad.name"), self.memory["names"][at], take))

    def _begin(self) -> None:
        names, chance = self.memory["names"], self.app.idle_monitor.platform.random
        if names[0] == names[1]:
            self.app.show_error(self.app.translate("app.market.same_name"))
            return

        def begin() -> None:
            rows = card_store(self.app).load(TEAM).rows
            if self.memory["way"] == MERCATO:
                self._keep(mercato.begin(rows, names, chance))
            else:
                self._keep(draft.begin(rows, names, chance.choice(SIDES)))

        self.app.attempt(begin)

    # Under way

    def _under_way(self) -> None:
        say, bar, deal = self.app.translate, self.ids.bar, self._deal
        bar.title = say(f"app.market.way.{MERCATO if isinstance(deal, Mercato) else DRAFT}")
        undo = PushButton(say("app.market.undo"), icon="undo", hug=True, pad=12, act=self._undo)
        undo.style = "outlined" if deal.undo() != deal else "dashed"
        bar.at_end(
            PushButton(
                say("app.market.give_up"), icon="cross", hug=True, pad=12, needs_long_press=True, act=self._give_up
            ),
            undo,
        )
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        middle = self._end() if deal.finished else self._table()
        if self.portrait:
            clubs = HBox(*(self._club(side) for side in (left, right)), spacing=dp(8), size_hint_y=0.9)
            fill(self.ids.body, clubs, middle)
            return
        fill(self.ids.body, self._club(left), middle, self._club(right))

    def _club(self, side: str) -> Card:
        """A club's column: its name, how it stands, its cards from the last to the first."""
        deal, say = self._deal, self.app.translate
        awaited = deal.next == side
        card = Card(side=side, padding=dp(8), spacing=dp(6), line=self.app.theme.laiton if awaited else (0, 0, 0, 0))
        if not self.portrait:
            card.size_hint_x, card.width = None, dp(_COLUMN)
        head = HBox(spacing=dp(6), tall=36)
        head.add_widget(SideBadge(colour=side, letter=say(f"app.letter.{side}"), side=30, middle=True))
        head.add_widget(Name(deal.names[side], kinds=["bouton", "corps"], initials=True, halign="left"))
        card.add_widget(head)
        squad = deal.squad(side)
        card.add_widget(StandingCard(standing(squad), brief=True, side=side))
        column = VBox(spacing=dp(4), padding=(0, 0, dp(8), 0), grows=True)
        for row in reversed(squad):
            column.add_widget(Text(card_title(TEAM, row, say), strong=True, plain=False, kind="corps", halign="left"))
            column.add_widget(Text(card_detail(TEAM, row, say), kind="mini", tone="craie3", halign="left"))
        card.add_widget(Scroller(column))
        return card

    def _table(self) -> Widget:
        if isinstance(self._deal, Mercato):
            return MarketTable(self._deal, self.memory, self._keep)
        return DraftTable(self._deal, self.memory, self._keep)

    def _end(self) -> BoxLayout:
        """Both squads are complete: they become two clubs."""
        say = self.app.translate
        column = VBox(Widget(), spacing=dp(12))
        column.add_widget(BoldText(say("app.market.over"), kind="titre", tone="laiton", halign="center"))
        column.add_widget(Text(say("app.market.over_detail"), halign="center"))
        fill(column, PushButton(say("app.market.save"), icon="check", style="chalk", act=self._save, tall=64), Widget())
        return column

    # What taps do

    def _keep(self, deal: Deal) -> None:
        """The deal from now on: on the disk before it shows."""
        if self.app.attempt(lambda: desk(self.app).save(deal)):
            self.memory.pop("picked", None)
            self.app.redraw()

    def _undo(self) -> None:
        before = self._deal.undo()
        if before == self._deal:
            self.app.show_error(self.app.translate("app.market.nothing_to_undo"))
        else:
            self._keep(before)

    def _give_up(self) -> None:
        if self.app.attempt(desk(self.app).clear):
            self.app.redraw()

    def _save(self) -> None:
        deal = self._deal

        def write() -> None:
            for side in SIDES:
                rows = [{"club": deal.names[side], **row} for row in deal.squad(side)]
                card_store(self.app).save_club(rows)
            desk(self.app).clear()

        if self.app.attempt(write):
            self.app.navigator.go_back()
            self.app.open("catalogue", kind="footclub-clubs")


def tile(app: AppContext) -> Tile:
    """The way here, beside the clubs that a market makes."""
    try:
        going = desk(app).load() is not None
    except CardStoreError:
        going = False
    detail = app.translate("app.market.going" if going else "app.market.detail")
    return Tile(app.translate("app.market.title"), detail, "gavel", "market", going)
