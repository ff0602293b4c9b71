"""One catalogue: its cards to search and to tap, new ones, faults of its file, a table of it for elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards import notes
from companion.app.cards.drawer import Drawer, fresh
from companion.app.cards.listing import Line, Listing
from companion.app.cards.sending import export_sheet
from companion.app.cards.shelves import shelf
from companion.app.cards.telling import detail, title
from companion.app.page import Page, load_kv
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text
from companion.table.catalogues.columns import Row
from companion.table.catalogues.registry import CLUBS, KINDS
from companion.table.catalogues.shelf import ClubFile, Shelf, ShelfTrouble, slug
from companion.table.squad_standing import standing

load_kv(__file__)


class CataloguePage(Page):
    """`args`: `kind`; `group` for the rows of one card that takes several."""

    def build(self) -> None:
        args = self.place.args
        self._kind = KINDS[args["kind"]]
        self._group: str | None = args.get("group")
        self._shelf: Shelf = shelf(self.app)
        self.ids.bar.title = self.app.say.text(self._kind.label)
        try:
            lines = list(self._clubs() if self._kind.name == CLUBS else self._cards())
        except ShelfTrouble as trouble:
            self.ids.body.add_widget(Text(self.app.text(trouble.message), flow="box", halign="center"))
            return
        self._buttons()
        cols = 1 if self.portrait else 2
        empty = self.app.say("app.cards.empty")
        self.ids.body.add_widget(Listing(lines, self.memory, cols=cols, empty=empty))
        line = notes.note(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    # The bar

    def _buttons(self) -> None:
        say, bar = self.app.say, self.ids.bar
        faults = () if self._kind.name == CLUBS else self._drawer.faults
        if faults:
            told = Push(say("app.catalogues.faults", n=len(faults)), look="todo", hug=True, pad=12, size_hint_x=None)
            told.bind(
                on_tap=lambda *_: self.app.lay(faults_sheet(say("app.cards.faults"), [*map(self.app.text, faults)]))
            )
            bar.at_end(told)
        if self._kind.name != CLUBS and self._group is None:
            if self._drawer.own:
                self._icon("undo", "app.cards.sample", self._back_to_sample)
            self._icon("out", "app.exchange.export", self._export)
        if self._group is not None:
            self._icon("bin", "app.cards.delete", self._drop_group)
        add = Push(say("app.cards.add"), icon="plus", look="chalk", hug=True, pad=14, size_hint_x=None)
        add.bind(on_tap=lambda *_: self._add())
        bar.at_end(add)

    def _icon(self, icon: str, word: str, action: Any) -> None:
        push = Push("", icon=icon, icon_side=26, spoken=self.app.say(word), size_hint_x=None, width=dp(56))
        push.bind(on_tap=lambda *_: action())
        self.ids.bar.at_end(push)

    # The lines

    def _cards(self) -> Iterator[Line]:
        """The cards of a catalogue, or the rows of one of them."""
        kind, say = self._kind, self.app.say
        self._drawer = Drawer(self._shelf, {"kind": kind.name})
        own = [row for row in self._drawer.rows if kind.group and row[kind.group] == self._group]
        if own:
            self.ids.bar.title = str(own[0].get("name", self._group))
        if kind.group and self._group is None:
            for group, places in self._drawer.groups().items():
                rows = [self._drawer.rows[at] for at in places]
                yield Line(str(rows[0].get("name", group)), partial(self._open, group), self._rows(rows))
            return
        for row in self._drawer.rows:
            if self._group is None or row[kind.group] == self._group:
                yield Line(title(kind, row, say), partial(self._edit, row), detail(kind, row, say))

    def _rows(self, rows: list[Row]) -> str:
        return self.app.say("app.cards.zones", n=len(rows))

    def _clubs(self) -> Iterator[Line]:
        """The players' own clubs, unfinished ones with the reason, then the samples."""
        say = self.app.say
        for club in self._shelf.all_clubs():
            if club.fault is not None:
                missing = standing(club.rows).missing if club.rows else ()
                told = "\n".join(map(self.app.text, missing or (club.fault,)))
            elif club.path is None:
                told = say("app.catalogues.sample", n=len(club.rows))
            else:
                told = say("app.catalogues.own", n=len(club.rows))
            yield Line(club.name, partial(self._club, club), told, rank=2 if club.path else 3)

    # What taps do

    def _club(self, club: ClubFile) -> None:
        where = {"file": str(club.path)} if club.path else {}
        if club.path is not None and club.fault is not None and not club.rows:
            self.app.lay(faults_sheet(club.name, [self.app.text(club.fault)]))
            return
        self.app.open("squad", kind=CLUBS, club=club.name, **where)

    def _open(self, group: str) -> None:
        self.app.open("catalogue", kind=self._kind.name, group=group)

    def _edit(self, row: Row) -> None:
        self.app.open("card", kind=self._kind.name, identity=self._kind.identity_of(row))

    def _add(self) -> None:
        say = self.app.say
        if self._kind.name == CLUBS:
            self.app.lay(naming_sheet(say("app.squad.name"), "", self._new_club))
        elif self._kind.group and self._group is None:
            self.app.lay(naming_sheet(say("app.cards.name"), "", self._new_group))
        else:
            self.app.open("card", kind=self._kind.name, row=fresh(self._drawer, self._group))

    def _new_club(self, name: str) -> None:
        self.app.open("squad", kind=CLUBS, club=name, new=True)

    def _new_group(self, name: str) -> None:
        group = slug(name)
        while any(row[self._kind.group] == group for row in self._drawer.rows):
            group += "-2"
        row = fresh(self._drawer, group, {"name": name})
        self.app.open("card", kind=self._kind.name, row=row)

    def _drop_group(self) -> None:
        before = self._drawer.rows
        rest = [row for row in before if row[self._kind.group] != self._group]
        if not notes.attempt(lambda: self._drawer.save(rest)):
            return
        above = self.app.room.trail[-2].memory
        notes.leave(above, self.app.say("app.cards.deleted", card=self._group), partial(self._drawer.save, before))
        self.app.room.go_back()

    def _back_to_sample(self) -> None:
        own = self._shelf.path(self._kind)

        def restore(aside: Path) -> None:
            if own.exists():
                self._shelf.set_aside(own)
            self._shelf.move(aside, own)

        def away() -> None:
            aside = self._shelf.back_to_sample(self._kind)
            notes.leave(self.memory, self.app.say("app.cards.sample_again"), partial(restore, aside))

        if notes.attempt(away):
            self.app.redraw()

    def _export(self) -> None:
        kind, rows = self._kind, self._drawer.rows
        export_sheet(self.app, kind.name, kind, rows, self.memory)


def faults_sheet(title: str, sentences: list[str]) -> Sheet:
    """Every fault on a line of its own."""
    column = BoxLayout(orientation="vertical", spacing=dp(10), padding=(0, 0, dp(12), 0), size_hint_y=None)
    column.bind(minimum_height=column.setter("height"))
    for sentence in sentences:
        column.add_widget(Text(sentence, halign="left"))
    body = Scroller()
    body.add_widget(column)
    return Sheet(title, body)
