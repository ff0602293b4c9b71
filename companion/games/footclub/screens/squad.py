"""The squad builder: a club's cards beside the catalogue, with what the rules still require.

Every change is saved at once.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards import lists
from companion.app.cards.lists import Listing, ListRow, card_detail, card_title
from companion.app.cards.rows import CardRows, card_store, new_row
from companion.app.page import Page, load_kv
from companion.app.screens.catalogues import export_sheet
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import SegmentedControl, VBox, fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import Text
from companion.games.catalogue import Row
from companion.games.footclub.catalogues import TEAM
from companion.games.footclub.screens.market import EVERYBODY, STAFF, SquadStatusCard, is_of
from companion.games.footclub.squad_status import disabled_reason, squad_status
from companion.games.footclub.tables import POSTS
from companion.games.preparation import Memory
from companion.table.catalogues.card_store import CardStoreError

if TYPE_CHECKING:
    from companion.app.context import AppContext


def club_icons(app: AppContext, card_rows: CardRows, memory: Memory) -> list[PushButton]:
    """Return the toolbar icons; a sample club cannot be deleted. `memory` is the page's, for its note."""
    icons = [("edit", "app.squad.rename", partial(_rename, app, card_rows))]
    icons.append(("out", "app.exchange.export", partial(_export, app, card_rows, memory)))
    if card_rows.is_own:
        icons.append(("bin", "app.squad.delete", partial(_delete, app, card_rows)))
    pushes = []
    for icon, word, action in icons:
        push = PushButton(icon=icon, icon_side=26, spoken=app.translate(word), wide=56)
        push.bind(on_tap=lambda *_, action=action: action())
        pushes.append(push)
    return pushes


def _rename(app: AppContext, card_rows: CardRows) -> None:
    def apply_name(name: str) -> None:
        if app.attempt(lambda: card_rows.rename(name)):
            app.redraw()

    app.show_sheet(naming_sheet(app.translate("app.squad.name"), card_rows.name, apply_name))


def _export(app: AppContext, card_rows: CardRows, memory: Memory) -> None:
    name = f"club-{Path(card_rows.args.get('file', card_rows.name)).stem}"
    export_sheet(app, name, card_rows.kind, card_rows.rows, memory)


def _delete(app: AppContext, card_rows: CardRows) -> None:
    """Move the club's file aside; the parent page says so and can restore it."""
    path, above = Path(card_rows.args["file"]), app.navigator.back_stack[-2].memory

    def set_aside() -> None:
        aside = card_rows.store.set_aside(path)
        sentence = app.translate("app.cards.deleted", card=card_rows.name)
        lists.leave_note(above, sentence, partial(card_rows.store.move, aside, path))

    if app.attempt(set_aside):
        app.navigator.go_back()


load_kv(__file__)

OWN, POOL = "own", "pool"


class SquadPage(Page):
    """The squad page. `args`: those of a CardRows (a club's). Every tap on a card is saved before it shows."""

    def build(self) -> None:
        try:
            self._card_rows = CardRows(card_store(self.app), self.route.args)
            self._pool = card_store(self.app).load(TEAM).rows
        except CardStoreError as trouble:
            self.ids.body.add_widget(Text(self.app.text(trouble.message), flow="box", halign="center"))
            return
        self.ids.bar.title = self._card_rows.name
        self._buttons()
        self._status = squad_status(self._card_rows.rows)
        for side, column in ((OWN, self._own), (POOL, self._catalogue)):
            if not self.portrait or side == self._side:
                self.ids.body.add_widget(column())
        line = lists.note_card(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    @property
    def _side(self) -> str:
        """Which of the two lists a narrow screen shows."""
        return str(self.memory.setdefault("side", POOL if self.route.args.get("new") else OWN))

    # Toolbar

    def _buttons(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        bar.at_end(*club_icons(self.app, self._card_rows, self.memory))
        bar.at_end(
            PushButton(translate("app.cards.add"), icon="plus", style="chalk", hug=True, pad=14, act=self._write_card)
        )

    # The two lists

    def _own(self) -> BoxLayout:
        column = VBox(SquadStatusCard(self._status), spacing=dp(8))
        if self.portrait:
            column.add_widget(self._sides())
        kind, translate = self._card_rows.kind, self.app.translate
        lines = [
            ListRow(card_title(kind, row, translate), partial(self._tapped, row), card_detail(kind, row, translate))
            for row in self._card_rows.rows
        ]
        memory = self.memory.setdefault("own", {})
        column.add_widget(Listing(lines, memory, cols=1, empty=translate("app.squad.empty")))
        return column

    def _catalogue(self) -> BoxLayout:
        translate = self.app.translate
        column = VBox(spacing=dp(8))
        if self.portrait:
            fill(column, SquadStatusCard(self._status), self._sides())
        sorts = [(EVERYBODY, translate("app.squad.all")), (STAFF, translate("app.squad.staff"))]
        sorts += [(post, translate(f"footclub.post.{post}")) for post in POSTS]
        chosen = self.memory.get("sort", EVERYBODY)
        column.add_widget(SegmentedControl(sorts, chosen, self._sort, kind="corps", tall=58))
        rows = [row for row in self._pool if is_of(row, chosen)]
        memory = self.memory.setdefault("pool", {})
        column.add_widget(
            Listing([self._offer(row) for row in rows], memory, cols=1, empty=translate("app.cards.empty"))
        )
        return column

    def _offer(self, row: Row) -> ListRow:
        """Return a card of the catalogue: a tap takes it, or explains why it cannot be taken."""
        translate = self.app.translate
        reason = disabled_reason(row, self._card_rows.rows)
        reason_text = self.app.text(reason) if reason else ""
        return ListRow(
            card_title(TEAM, row, translate),
            lambda: self._add_card(row),
            card_detail(TEAM, row, translate),
            disabled_reason=reason_text,
        )

    def _sides(self) -> SegmentedControl:
        options = [(OWN, self.app.translate("app.squad.own")), (POOL, self.app.translate("app.squad.pool"))]
        return SegmentedControl(options, self._side, self._switch_side, tall=58)

    def _switch_side(self, side: str) -> None:
        self.memory["side"] = side
        self.app.redraw()

    def _sort(self, sort: str) -> None:
        self.memory["sort"] = sort
        self.memory["pool"] = {}
        self.app.redraw()

    # Tap handlers

    def _add_card(self, row: Row) -> None:
        self._change([*self._card_rows.rows, {"club": self._card_rows.name, **row}], "app.squad.taken", row)

    def _tapped(self, row: Row) -> None:
        translate = self.app.translate
        entries = [
            SheetEntry(translate("app.squad.drop"), lambda: self._drop(row), icon="minus"),
            SheetEntry(translate("app.squad.edit"), lambda: self._edit(row), icon="edit"),
        ]
        self.app.show_sheet(list_sheet(card_title(self._card_rows.kind, row, translate), entries))

    def _drop(self, row: Row) -> None:
        self._change([one for one in self._card_rows.rows if one != row], "app.squad.dropped", row)

    def _change(self, rows: list[Row], word: str, row: Row) -> None:
        before = self._card_rows.rows
        if self.app.attempt(lambda: self._card_rows.save(rows)):
            self.route.args.pop("new", None)
            card_rows = self._card_rows
            sentence = self.app.translate(word, card=card_title(card_rows.kind, row, self.app.translate))
            lists.leave_note(self.memory, sentence, partial(card_rows.save, before))
            self.app.redraw()

    def _edit(self, row: Row) -> None:
        self.app.open("card", **self._card_rows.args, identity=self._card_rows.kind.identity_of(row))

    def _write_card(self) -> None:
        row = new_row(self._card_rows, self._card_rows.name)
        self.app.open("card", **self._card_rows.args, row=row)
