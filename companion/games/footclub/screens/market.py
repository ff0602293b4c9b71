"""Market and draft: two clubs take cards in turns; each pick is saved to disk; the result is two clubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cards.lists import Listing, ListRow, card_detail, card_title
from companion.app.cards.rows import card_store
from companion.app.display import context_of, display, text
from companion.app.figures.choice import ChoiceButton, equalize_heights
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
from companion.games.footclub.screens.selection_store import SquadSelection, selection_store
from companion.games.footclub.squad_status import SquadStatus, squad_status
from companion.games.footclub.tables import FORMATIONS, MARKET_PICKS, POSTS, SIDES
from companion.games.preparation import Memory
from companion.table.catalogues.card_store import CardStoreError

SaveSelection = Callable[[SquadSelection], None]

EVERYBODY, STAFF = "all", "staff"


class SquadStatusCard(Card):
    """The standing of a squad.

    It grows with the missing items; a complete squad shows the number of formations it can field.
    """

    def __init__(self, status: SquadStatus, *, brief: bool = False, side: str = "") -> None:
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(2), size_hint_y=None, side=side)
        self.bind(minimum_height=self.setter("height"))
        language = display.language
        count = language("app.squad.count", n=status.players, stars=status.stars)
        self.add_widget(BoldText(count, kind="bouton", halign="left"))
        posts = " ".join(f"{language(f'footclub.post.{post}')} {status.posts[post]}" for post in POSTS)
        self.add_widget(Text(posts, kind="mini", tone="craie2", plain=False, halign="left"))
        if not brief:
            unnamed = language("app.squad.nobody")
            staff = language("app.squad.led", coach=status.coach or unnamed, goalkeeper=status.goalkeeper or unnamed)
            self.add_widget(Text(staff, kind="mini", tone="craie2", halign="left"))
        for message in status.missing[: 1 if brief else None]:
            self.add_widget(Text(text(message), kind="mini", tone="laiton", strong=True, halign="left"))
        if not status.missing:
            able = language("app.squad.formations", n=len(status.formations), all=len(FORMATIONS))
            self.add_widget(Text(able, kind="mini", tone="craie", strong=True, halign="left"))


class MarketTable(BoxLayout):
    """Picks one of two shown players and one open pair; the second of the two taps records the pick."""

    def __init__(self, mercato: Mercato, memory: Memory, keep: SaveSelection) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._mercato, self._keep = mercato, keep
        self._picked: dict[str, Any] = memory.setdefault("picked", {})
        language = display.language
        side = mercato.next or ""
        head = language("app.market.turn", club=mercato.names.get(side, ""), pick=mercato.picks + 1, picks=MARKET_PICKS)
        self.add_widget(BoldText(head, kind="bouton", tone="laiton", halign="left"))
        column = VBox(spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)
        self._tiles: list[tuple[str, Any, ChoiceButton]] = []
        self._rows(column, "take", [(id, [mercato.card(id)]) for id in mercato.revealed], side)
        self._rows(column, "pair", [(pair, [mercato.card(id) for id in pair]) for pair in mercato.pairs], side)
        self.add_widget(Scroller(column, always_overscroll=False))
        self._mark()

    def _rows(self, column: BoxLayout, what: str, offers: list[tuple[Any, list[Row]]], side: str) -> None:
        language = display.language
        column.add_widget(Text(language(f"app.market.{what}"), kind="mini", tone="craie2", halign="left"))
        grid = Grid(cols=2 if what == "take" else 1, spacing=dp(8), grows=True)
        for value, rows in offers:
            names = [card_title(TEAM, row, language) for row in rows]
            details = [card_detail(TEAM, row, language) for row in rows]
            tile = ChoiceButton(text=" + ".join(names), detail="\n".join(details), side=side)
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
        context_of(self).attempt(lambda: self._keep(self._mercato.pick(picked["take"], picked["pair"])))

    def _mark(self) -> None:
        """Highlight the current picks."""
        for what, value, tile in self._tiles:
            tile.prominence = 1 if self._picked.get(what) == value else 2


class DraftTable(BoxLayout):
    """All remaining cards, filtered by post or searched; a tap takes one."""

    def __init__(self, draft: Draft, memory: Memory, keep: SaveSelection) -> None:
        super().__init__(orientation="vertical", spacing=dp(6))
        self._draft, self._memory, self._keep = draft, memory, keep
        language, club = display.language, draft.names[draft.next or "blue"]
        head = language("app.market.turn", club=club, pick=len(draft.picks) + 1, picks=2 * (PLAYERS + 2))
        self.add_widget(BoldText(head, kind="bouton", tone="laiton", halign="left"))
        sorts = [(EVERYBODY, language("app.squad.all")), (STAFF, language("app.squad.staff"))]
        sorts += [(post, language(f"footclub.post.{post}")) for post in POSTS]
        chosen = memory.get("sort", EVERYBODY)
        self.add_widget(SegmentedControl(sorts, chosen, self._sort, kind="mini", tall=58))
        rows = [row for row in draft.left if is_of(row, chosen)]
        listing = memory.setdefault("list", {})
        empty = language("app.cards.empty")
        self.add_widget(Listing([self._line(row) for row in rows], listing, cols=1, empty=empty))

    def _line(self, row: Row) -> ListRow:
        language, reason = display.language, self._draft.disabled_reason(row)
        reason_text = text(reason) if reason else ""
        return ListRow(
            card_title(TEAM, row, language),
            lambda: self._pick(row),
            card_detail(TEAM, row, language),
            disabled_reason=reason_text,
        )

    def _pick(self, row: Row) -> None:
        context_of(self).attempt(lambda: self._keep(self._draft.pick(row["id"])))

    def _sort(self, sort: str) -> None:
        self._memory.update(sort=sort, list={})
        context_of(self).redraw()


def is_of(row: Row, sort: str) -> bool:
    """Return True if a card passes a list's filter: all, the staff, or a post."""
    if sort == EVERYBODY:
        return True
    return row["sort"] in (COACH, GOALKEEPER) if sort == STAFF else sort in row.get("posts", ())


if TYPE_CHECKING:
    from companion.app.context import AppContext

load_kv(__file__)

MERCATO_MODE, DRAFT_MODE = "mercato", "draft"
_COLUMN = 184
_MODES = (MERCATO_MODE, DRAFT_MODE)


class MarketPage(Page):
    """The market page.

    Without a current deal it offers to start one. The deal is stored on disk, never in the memory.
    """

    def build(self) -> None:
        translate = self.app.translate
        self.ids.bar.title = translate("app.market.title")
        try:
            selection = selection_store(self.app).load()
        except CardStoreError as trouble:
            self.ids.body.add_widget(Text(self.app.text(trouble.message), flow="box", halign="center"))
            return
        if selection is None:
            self.ids.body.add_widget(self._start_form())
        else:
            self._selection: SquadSelection = selection
            self._show_selection()

    # Before a deal

    def _start_form(self) -> BoxLayout:
        translate, memory = self.app.translate, self.memory
        way = memory.setdefault("way", MERCATO_MODE)
        names = memory.setdefault("names", [translate(f"app.market.club.{side}") for side in SIDES])
        ways = [(one, translate(f"app.market.way.{one}")) for one in _MODES]
        column = VBox(SegmentedControl(ways, way, self._chooser("way"), tall=58), spacing=dp(10))
        column.add_widget(
            Text(translate(f"app.market.told.{way}", players=draft.PLAYERS), tone="craie2", halign="left")
        )
        line = Box(
            orientation="vertical" if self.portrait else "horizontal", spacing=dp(10), tall=124 if self.portrait else 58
        )
        for at, side in enumerate(SIDES):
            push = PushButton(names[at], style="side_thin", side=side, left=True, end="edit", end_tone=side)
            push.mark(SideBadge(colour=side, letter=translate(f"app.letter.{side}"), side=32))
            push.bind(on_tap=lambda _, at=at: self._name(at))
            line.add_widget(push)
        fill(column, line, Text(self._cards(), tone="craie2", halign="left"))
        fill(column, Widget(), PushButton(translate("app.market.begin"), style="chalk", act=self._start, tall=64))
        return column

    def _cards(self) -> str:
        """Return the catalogue to deal."""
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
        def apply_name(name: str) -> None:
            self.memory["names"][at] = name
            self.app.redraw()

        self.app.show_sheet(naming_sheet(self.app.translate("app.squad.name"), self.memory["names"][at], apply_name))

    def _start(self) -> None:
        names, chance = self.memory["names"], self.app.idle_monitor.platform.random
        if names[0] == names[1]:
            self.app.show_error(self.app.translate("app.market.same_name"))
            return

        def start() -> None:
            rows = card_store(self.app).load(TEAM).rows
            if self.memory["way"] == MERCATO_MODE:
                self._save_selection(mercato.open_market(rows, names, chance))
            else:
                self._save_selection(draft.start_draft(rows, names, chance.choice(SIDES)))

        self.app.attempt(start)

    # During a deal

    def _show_selection(self) -> None:
        translate, bar, selection = self.app.translate, self.ids.bar, self._selection
        bar.title = translate(f"app.market.way.{MERCATO_MODE if isinstance(selection, Mercato) else DRAFT_MODE}")
        undo = PushButton(translate("app.market.undo"), icon="undo", hug=True, pad=12, act=self._undo)
        undo.style = "outlined" if selection.undo() != selection else "dashed"
        bar.at_end(
            PushButton(
                translate("app.market.give_up"),
                icon="cross",
                hug=True,
                pad=12,
                needs_long_press=True,
                act=self._abandon,
            ),
            undo,
        )
        left, right = reversed(SIDES) if self.app.preferences.swapped else SIDES
        middle = self._end() if selection.finished else self._table()
        if self.portrait:
            clubs = HBox(*(self._club(side) for side in (left, right)), spacing=dp(8), size_hint_y=0.9)
            fill(self.ids.body, clubs, middle)
            return
        fill(self.ids.body, self._club(left), middle, self._club(right))

    def _club(self, side: str) -> Card:
        """Return a club's column: its name, its standing, its cards, latest first."""
        selection, translate = self._selection, self.app.translate
        awaited = selection.next == side
        card = Card(side=side, padding=dp(8), spacing=dp(6), line=self.app.theme.laiton if awaited else (0, 0, 0, 0))
        if not self.portrait:
            card.size_hint_x, card.width = None, dp(_COLUMN)
        head = HBox(spacing=dp(6), tall=36)
        head.add_widget(SideBadge(colour=side, letter=translate(f"app.letter.{side}"), side=30, middle=True))
        head.add_widget(Name(selection.names[side], kinds=["bouton", "corps"], initials=True, halign="left"))
        card.add_widget(head)
        squad = selection.squad(side)
        card.add_widget(SquadStatusCard(squad_status(squad), brief=True, side=side))
        column = VBox(spacing=dp(4), padding=(0, 0, dp(8), 0), grows=True)
        for row in reversed(squad):
            column.add_widget(
                Text(card_title(TEAM, row, translate), strong=True, plain=False, kind="corps", halign="left")
            )
            column.add_widget(Text(card_detail(TEAM, row, translate), kind="mini", tone="craie3", halign="left"))
        card.add_widget(Scroller(column))
        return card

    def _table(self) -> Widget:
        if isinstance(self._selection, Mercato):
            return MarketTable(self._selection, self.memory, self._save_selection)
        return DraftTable(self._selection, self.memory, self._save_selection)

    def _end(self) -> BoxLayout:
        """Return the end of a deal: both squads are complete and become two clubs."""
        translate = self.app.translate
        column = VBox(Widget(), spacing=dp(12))
        column.add_widget(BoldText(translate("app.market.over"), kind="titre", tone="laiton", halign="center"))
        column.add_widget(Text(translate("app.market.over_detail"), halign="center"))
        fill(
            column,
            PushButton(translate("app.market.save"), icon="check", style="chalk", act=self._save_clubs, tall=64),
            Widget(),
        )
        return column

    # Tap handlers

    def _save_selection(self, selection: SquadSelection) -> None:
        """Save the new deal to disk, then show it."""
        if self.app.attempt(lambda: selection_store(self.app).save(selection)):
            self.memory.pop("picked", None)
            self.app.redraw()

    def _undo(self) -> None:
        before = self._selection.undo()
        if before == self._selection:
            self.app.show_error(self.app.translate("app.market.nothing_to_undo"))
        else:
            self._save_selection(before)

    def _abandon(self) -> None:
        if self.app.attempt(selection_store(self.app).clear):
            self.app.redraw()

    def _save_clubs(self) -> None:
        selection = self._selection

        def write() -> None:
            for side in SIDES:
                rows = [{"club": selection.names[side], **row} for row in selection.squad(side)]
                card_store(self.app).save_club(rows)
            selection_store(self.app).clear()

        if self.app.attempt(write):
            self.app.navigator.go_back()
            self.app.open("catalogue", kind="footclub-clubs")


def tile(app: AppContext) -> Tile:
    """Return the tile that opens this page, beside the clubs that a market makes."""
    try:
        going = selection_store(app).load() is not None
    except CardStoreError:
        going = False
    detail = app.translate("app.market.going" if going else "app.market.detail")
    return Tile(app.translate("app.market.title"), detail, "gavel", "market", going)
