"""Card catalogues: the list of catalogues, the cards of one catalogue, and import and export of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards import lists
from companion.app.cards.lists import Listing, ListRow, card_detail, card_title
from companion.app.cards.rows import CardRows, card_store, exchange, new_row
from companion.app.game_screens import Tile, catalogue_tile
from companion.app.page import Page, load_kv
from companion.app.platform import folder_label, place_label
from companion.app.screens.report import written_text
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, HBox, Scroller, VBox, fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Text
from companion.games.catalogue import CatalogueKind, Row, rows_by_value
from companion.games.preparation import Memory
from companion.table.catalogues.card_store import (
    SQUAD_SUFFIXES,
    TABLE_SUFFIXES,
    CardStore,
    CardStoreError,
    ClubFile,
    fault_message,
    merge,
    read_file,
    slug,
)
from companion.table.catalogues.csv_tables import CLUB_FILES, CLUBS, KINDS, TableReading

if TYPE_CHECKING:
    from companion.app.context import AppContext


load_kv(__file__)


class CataloguesPage(Page):
    """A tile for each catalogue, grouped by game, and the extra tiles of the games."""

    def build(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        bar.title = translate("app.catalogues.title")
        bar.at_end(
            PushButton(
                translate("app.exchange.import"), icon="in", hug=True, pad=14, act=lambda: self.app.open("exchange")
            )
        )
        for game in dict.fromkeys(kind.game for kind in KINDS.values()):
            head = BoldText(translate(f"app.game.{game}"), kind="corps", tone="craie2", halign="left", size_hint_y=None)
            self.ids.body.add_widget(head)
            grid = Grid(cols=1 if self.portrait else 2, spacing=dp(8))
            grid.size_hint_y = None
            grid.bind(minimum_height=grid.setter("height"))
            for kind in KINDS.values():
                if kind.game == game:
                    grid.add_widget(self._tile(kind))
            tile = catalogue_tile(game, self.app)
            if tile is not None:
                grid.add_widget(self._beside(tile))
            self.ids.body.add_widget(grid)

    def _tile(self, kind: CatalogueKind) -> PushButton:
        translate = self.app.translate
        push = PushButton(translate.text(kind.label), icon="users" if kind.name == CLUBS else "cards")
        try:
            detail, faults = self._state(kind)
        except CardStoreError as trouble:
            detail, faults = self.app.text(trouble.message), True
        self._lay_out(push, detail, faults)
        push.bind(on_tap=lambda *_: self.app.open("catalogue", kind=kind.name))
        return push

    def _state(self, kind: CatalogueKind) -> tuple[str, bool]:
        """Return a summary (number of entries, own or sample) and whether there is a fault."""
        translate = self.app.translate
        if kind.name == CLUBS:
            clubs = card_store(self.app).all_clubs()
            faulty = sum(club.fault is not None for club in clubs)
            own = sum(club.path is not None for club in clubs)
            summary = translate("app.catalogues.clubs", n=len(clubs), own=own)
            return (translate("app.catalogues.unfinished", n=faulty), True) if faulty else (summary, False)
        reading = card_store(self.app).load(kind)
        if reading.faults:
            return translate("app.catalogues.faults", n=len(reading.faults)), True
        count = len({row[kind.group] for row in reading.rows}) if kind.group else len(reading.rows)
        whose = "own" if card_store(self.app).is_own(kind) else "sample"
        if not kind.has_cards:
            whose += "_sets"
        return translate(f"app.catalogues.{whose}", n=count), False

    def _beside(self, tile: Tile) -> PushButton:
        push = PushButton(tile.text, icon=tile.icon, act=lambda: self.app.open(tile.page))
        self._lay_out(push, tile.detail, tile.brass)
        return push

    def _lay_out(self, push: PushButton, detail: str, brass: bool) -> None:
        options: dict[str, Any] = {"style": "well", "left": True, "icon_side": 28, "detail": detail, "end": "right"}
        for name, value in options.items():
            setattr(push, name, value)
        push.detail_tone = "laiton" if brass else ""
        push.size_hint_y, push.height = None, dp(64 if self.app.theme.roomy else 76)


MAX_LISTED_FAULTS = 60
"""Maximum number of faults listed. Thousands of texts would block the screen for minutes."""


class ExchangePage(Page):
    """Import of files. A tap on a file shows a summary; nothing changes until the user confirms."""

    def build(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        bar.title = translate("app.exchange.title")
        bar.at_end(PushButton(translate("app.exchange.again"), icon="roll", hug=True, pad=14, act=self.app.redraw))
        where = translate("app.exchange.folder", folder=exchange(self.app).folder.name)
        self.ids.body.add_widget(Text(where, tone="craie2", kind="mini", halign="left"))
        folders = exchange(self.app).list_folders()
        paths = exchange(self.app).files((*TABLE_SUFFIXES, *SQUAD_SUFFIXES), folders)
        lines = [ListRow(path.name, partial(self._read, path), place_label(path, folders, translate)) for path in paths]
        cols = 1 if self.portrait else 2
        self.ids.body.add_widget(Listing(lines, self.memory, cols=cols, empty=translate("app.exchange.empty")))
        line = lists.note_card(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    def _read(self, path: Path) -> None:
        try:
            reading = read_file(path, kinds=card_store(self.app).kinds())
        except CardStoreError as trouble:
            self.app.show_error(self.app.text(trouble.message))
            return
        self.app.show_sheet(Sheet(path.name, self._file_summary(reading)))

    # File summary

    def _file_summary(self, reading: TableReading) -> BoxLayout:
        """Return the number of valid rows, all faults, and the possible actions for the valid rows."""
        translate = self.app.translate
        body = VBox(spacing=dp(8))
        kind = reading.kind
        if kind is not None:
            label = translate(f"app.game.{kind.game}")
            heading = translate("app.exchange.found", kind=kind.label, game=label, n=len(reading.rows))
            body.add_widget(BoldText(heading, kind="bouton", halign="left", size_hint_y=None))
        column = VBox(spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        if reading.faults:
            column.add_widget(Text(translate("app.exchange.faults", n=len(reading.faults)), strong=True, tone="laiton"))
        for sentence in (*reading.notes, *(fault_message(fault) for fault in reading.faults[:MAX_LISTED_FAULTS])):
            column.add_widget(Text(self.app.text(sentence), halign="left"))
        if len(reading.faults) > MAX_LISTED_FAULTS:
            rest = translate("app.exchange.more_faults", n=len(reading.faults) - MAX_LISTED_FAULTS)
            column.add_widget(Text(rest, strong=True, tone="laiton", halign="left"))
        if not reading.faults:
            column.add_widget(Text(translate("app.exchange.in_order"), halign="left"))
        body.add_widget(Scroller(column))
        if kind is not None and reading.rows:
            body.add_widget(self._answers(kind, reading))
        return body

    def _answers(self, kind: CatalogueKind, reading: TableReading) -> BoxLayout:
        translate = self.app.translate
        foot = HBox(spacing=dp(8), tall=62)
        word = "app.exchange.add_rest" if reading.faults else "app.exchange.add"
        answers: list[tuple[str, Callable[[], None]]] = [
            (word, lambda: self._import_rows(kind, reading, replace=False))
        ]
        if kind.name != CLUBS:
            answers.append(("app.exchange.replace", lambda: self._import_rows(kind, reading, replace=True)))
        for place, (word, action) in enumerate(answers):
            foot.add_widget(
                PushButton(translate(word), style="outlined" if place else "chalk", kind="corps", act=action)
            )
        return foot

    # Import

    def _import_rows(self, kind: CatalogueKind, reading: TableReading, *, replace: bool) -> None:
        self.app.close_sheet()
        sentence = self.app.translate("app.exchange.taken", kind=kind.label, n=len(reading.rows))
        if kind.name == CLUBS:
            done = self.app.attempt(lambda: self._import_clubs(reading, sentence))
        else:
            done = self.app.attempt(lambda: self._import_cards(kind, reading, sentence, replace))
        if done:
            self.app.redraw()

    def _import_cards(self, kind: CatalogueKind, reading: TableReading, sentence: str, replace: bool) -> None:
        store = card_store(self.app)
        own, before = store.is_own(kind), store.load(kind).valid_rows
        store.save(kind, merge(kind, () if replace or not own else before, reading.rows))

        def restore() -> None:
            if own:
                store.save(kind, before)
            else:
                store.restore_sample(kind)

        lists.leave_note(self.memory, sentence, restore)

    def _import_clubs(self, reading: TableReading, sentence: str) -> None:
        store = card_store(self.app)
        made = [
            store.save_club([reading.rows[at] for at in own]) for own in rows_by_value(reading.rows, "club").values()
        ]

        def restore() -> None:
            for path in made:
                store.set_aside(path)

        lists.leave_note(self.memory, sentence, restore)


def export_sheet(app: AppContext, name: str, kind: CatalogueKind, rows: Sequence[Row], memory: Memory) -> None:
    """Ask for the folder or USB drive, export a table in the players' language, and leave a note in `memory`."""

    def send(place: Path) -> None:
        def write() -> None:
            path = exchange(app).export(place, name, kind, rows, app.translate)
            lists.leave_note(memory, written_text(path, None))

        if app.attempt(write):
            app.redraw()

    places = exchange(app).list_folders()
    entries = [SheetEntry(folder_label(place, places[0], app.translate), partial(send, place)) for place in places]
    app.show_sheet(list_sheet(app.translate("app.exchange.where"), entries))


class CataloguePage(Page):
    """The cards of a catalogue. `args`: `kind`; `group` to show the rows of one multi-row card."""

    def build(self) -> None:
        args = self.route.args
        self._kind = KINDS[args["kind"]]
        self._group: str | None = args.get("group")
        self._store: CardStore = card_store(self.app)
        self.ids.bar.title = self.app.translate.text(self._kind.label)
        try:
            lines = list(self._clubs() if self._kind.name == CLUBS else self._cards())
        except CardStoreError as trouble:
            self.ids.body.add_widget(Text(self.app.text(trouble.message), flow="box", halign="center"))
            return
        self._buttons()
        cols = 1 if self.portrait else 2
        empty = self.app.translate("app.cards.empty")
        self.ids.body.add_widget(Listing(lines, self.memory, cols=cols, empty=empty))
        line = lists.note_card(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    # Header

    def _buttons(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        faults = () if self._kind.name == CLUBS else self._card_rows.faults
        if faults:
            faults_button = PushButton(
                translate("app.catalogues.faults", n=len(faults)), style="todo", hug=True, pad=12
            )
            faults_button.bind(
                on_tap=lambda *_: self.app.show_sheet(
                    faults_sheet(translate("app.cards.faults"), [*map(self.app.text, faults)])
                )
            )
            bar.at_end(faults_button)
        if self._kind.name != CLUBS and self._group is None:
            if self._card_rows.is_own:
                self._icon("undo", "app.cards.sample", self._back_to_sample)
            self._icon("out", "app.exchange.export", self._export)
        if self._group is not None:
            self._icon("bin", "app.cards.delete", self._drop_group)
        bar.at_end(PushButton(translate("app.cards.add"), icon="plus", style="chalk", hug=True, pad=14, act=self._add))

    def _icon(self, icon: str, word: str, action: Callable[[], object]) -> None:
        self.ids.bar.at_end(PushButton(icon=icon, icon_side=26, spoken=self.app.translate(word), wide=56, act=action))

    # Rows

    def _cards(self) -> Iterator[ListRow]:
        """Yield the cards of a catalogue, or the rows of one card."""
        kind, translate = self._kind, self.app.translate
        self._card_rows = CardRows(self._store, {"kind": kind.name})
        own = [row for row in self._card_rows.rows if kind.group and row[kind.group] == self._group]
        if own:
            self.ids.bar.title = str(own[0].get("name", self._group))
        if kind.group and self._group is None:
            for group, places in self._card_rows.groups().items():
                rows = [self._card_rows.rows[at] for at in places]
                yield ListRow(str(rows[0].get("name", group)), partial(self._open, group), self._rows(rows))
            return
        for row in self._card_rows.rows:
            if self._group is None or row[kind.group] == self._group:
                yield ListRow(
                    card_title(kind, row, translate), partial(self._edit, row), card_detail(kind, row, translate)
                )

    def _rows(self, rows: list[Row]) -> str:
        return self.app.text(self._kind.count_label(len(rows)))

    def _clubs(self) -> Iterator[ListRow]:
        """Yield the players' own clubs, incomplete ones with the reason, then the sample clubs."""
        translate = self.app.translate
        for club in self._store.all_clubs():
            if club.fault is not None:
                missing = CLUB_FILES.missing(club.rows) if club.rows else ()
                description = "\n".join(map(self.app.text, missing or (club.fault,)))
            elif club.path is None:
                description = translate("app.catalogues.sample", n=len(club.rows))
            else:
                description = translate("app.catalogues.own", n=len(club.rows))
            yield ListRow(club.name, partial(self._club, club), description, prominence=2 if club.path else 3)

    # Actions

    def _club(self, club: ClubFile) -> None:
        where = {"file": str(club.path)} if club.path else {}
        if club.path is not None and club.fault is not None and not club.rows:
            self.app.show_sheet(faults_sheet(club.name, [self.app.text(club.fault)]))
            return
        self.app.open("squad", kind=CLUBS, club=club.name, **where)

    def _open(self, group: str) -> None:
        self.app.open("catalogue", kind=self._kind.name, group=group)

    def _edit(self, row: Row) -> None:
        self.app.open("card", kind=self._kind.name, identity=self._kind.identity_of(row))

    def _add(self) -> None:
        translate = self.app.translate
        if self._kind.name == CLUBS:
            self.app.show_sheet(naming_sheet(translate("app.squad.name"), "", self._new_club))
        elif self._kind.group and self._group is None:
            self.app.show_sheet(naming_sheet(translate("app.cards.name"), "", self._new_group))
        else:
            self.app.open("card", kind=self._kind.name, row=new_row(self._card_rows, self._group))

    def _new_club(self, name: str) -> None:
        self.app.open("squad", kind=CLUBS, club=name, new=True)

    def _new_group(self, name: str) -> None:
        group = slug(name)
        while any(row[self._kind.group] == group for row in self._card_rows.rows):
            group += "-2"
        row = new_row(self._card_rows, group, {"name": name})
        self.app.open("card", kind=self._kind.name, row=row)

    def _drop_group(self) -> None:
        before = self._card_rows.rows
        rest = [row for row in before if row[self._kind.group] != self._group]
        if not self.app.attempt(lambda: self._card_rows.save(rest)):
            return
        above = self.app.navigator.back_stack[-2].memory
        lists.leave_note(
            above, self.app.translate("app.cards.deleted", card=self._group), partial(self._card_rows.save, before)
        )
        self.app.navigator.go_back()

    def _back_to_sample(self) -> None:
        own = self._store.path(self._kind)

        def restore(aside: Path) -> None:
            if own.exists():
                self._store.set_aside(own)
            self._store.move(aside, own)

        def restore_sample() -> None:
            aside = self._store.restore_sample(self._kind)
            lists.leave_note(self.memory, self.app.translate("app.cards.sample_again"), partial(restore, aside))

        if self.app.attempt(restore_sample):
            self.app.redraw()

    def _export(self) -> None:
        kind, rows = self._kind, self._card_rows.rows
        export_sheet(self.app, kind.name, kind, rows, self.memory)


def faults_sheet(title: str, sentences: list[str]) -> Sheet:
    """Return a sheet with one fault per line."""
    column = VBox(spacing=dp(10), padding=(0, 0, dp(12), 0), grows=True)
    fill(column, *(Text(sentence, halign="left") for sentence in sentences))
    return Sheet(title, Scroller(column))
