"""Catalogues of cards: all of them, one with its cards, and tables read from and written to elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards import lists
from companion.app.cards.lists import Line, Listing, detail, title
from companion.app.cards.rows import CardRows, exchange, fresh, shelf
from companion.app.game_screens import Tile, tile_of
from companion.app.page import Page, load_kv
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.pieces import Grid, HBox, Scroller, VBox, fill
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Entry, Sheet, list_sheet
from companion.app.widgets.text import Head, Text
from companion.games.catalogue import Kind, Row, places
from companion.games.preparing import Memory
from companion.table.catalogues.reading import CLUB_FILES, CLUBS, KINDS, Reading
from companion.table.catalogues.shelf import (
    SQUADS,
    TABLES,
    ClubFile,
    Shelf,
    ShelfTrouble,
    merged,
    read_file,
    slug,
    told,
)

if TYPE_CHECKING:
    from companion.app.context import AppContext


load_kv(__file__)


class CataloguesPage(Page):
    """A tile for each catalogue, game by game; and what a game offers beside its own."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.catalogues.title")
        bar.at_end(Push(say("app.exchange.import"), icon="in", hug=True, pad=14, act=lambda: self.app.open("exchange")))
        for game in dict.fromkeys(kind.game for kind in KINDS.values()):
            head = Head(say(f"app.game.{game}"), kind="corps", tone="craie2", halign="left", size_hint_y=None)
            self.ids.body.add_widget(head)
            grid = Grid(cols=1 if self.portrait else 2, spacing=dp(8))
            grid.size_hint_y = None
            grid.bind(minimum_height=grid.setter("height"))
            for kind in KINDS.values():
                if kind.game == game:
                    grid.add_widget(self._tile(kind))
            tile = tile_of(game, self.app)
            if tile is not None:
                grid.add_widget(self._beside(tile))
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

    def _beside(self, tile: Tile) -> Push:
        push = Push(tile.text, icon=tile.icon, act=lambda: self.app.open(tile.page))
        self._lay_out(push, tile.detail, tile.brass)
        return push

    def _lay_out(self, push: Push, detail: str, brass: bool) -> None:
        options: dict[str, Any] = {"look": "well", "left": True, "icon_side": 28, "detail": detail, "end": "right"}
        for name, value in options.items():
            setattr(push, name, value)
        push.detail_tone = "laiton" if brass else ""
        push.size_hint_y, push.height = None, dp(64 if self.app.theme.roomy else 76)


MOST_TOLD = 60
"""Faults told one by one; thousands of sentences would hold up the screen for minutes, and nobody reads them."""


class ExchangePage(Page):
    """A tap on a file reads it and tells what is in it; nothing changes before that is answered."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.exchange.title")
        bar.at_end(Push(say("app.exchange.again"), icon="roll", hug=True, pad=14, act=self.app.redraw))
        folder = exchange(self.app).folder
        where = say("app.exchange.folder", folder=folder)
        self.ids.body.add_widget(Text(where, tone="craie2", kind="mini", halign="left"))
        lines = [self._line(path) for path in exchange(self.app).files((*TABLES, *SQUADS))]
        cols = 1 if self.portrait else 2
        self.ids.body.add_widget(Listing(lines, self.memory, cols=cols, empty=say("app.exchange.empty")))
        line = lists.note(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    def _line(self, path: Path) -> Line:
        return Line(path.name, lambda: self._read(path), str(path.parent))

    def _read(self, path: Path) -> None:
        try:
            reading = read_file(path)
        except ShelfTrouble as trouble:
            self.app.sorry(self.app.text(trouble.message))
            return
        self.app.lay(Sheet(path.name, self._told(reading)))

    # What is in a file

    def _told(self, reading: Reading) -> BoxLayout:
        """How much is in order, every fault, and what may be done with the rest."""
        say = self.app.say
        body = VBox(spacing=dp(8))
        kind = reading.kind
        if kind is not None:
            label = say(f"app.game.{kind.game}")
            words = say("app.exchange.found", kind=kind.label, game=label, n=len(reading.rows))
            body.add_widget(Head(words, kind="bouton", halign="left", size_hint_y=None))
        column = VBox(spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        if reading.faults:
            column.add_widget(Text(say("app.exchange.faults", n=len(reading.faults)), strong=True, tone="laiton"))
        for sentence in (*reading.notes, *(told(fault) for fault in reading.faults[:MOST_TOLD])):
            column.add_widget(Text(self.app.text(sentence), halign="left"))
        if len(reading.faults) > MOST_TOLD:
            rest = say("app.exchange.more_faults", n=len(reading.faults) - MOST_TOLD)
            column.add_widget(Text(rest, strong=True, tone="laiton", halign="left"))
        if not reading.faults:
            column.add_widget(Text(say("app.exchange.in_order"), halign="left"))
        body.add_widget(Scroller(column))
        if kind is not None and reading.rows:
            body.add_widget(self._answers(kind, reading))
        return body

    def _answers(self, kind: Kind, reading: Reading) -> BoxLayout:
        say = self.app.say
        foot = HBox(spacing=dp(8), tall=62)
        word = "app.exchange.add_rest" if reading.faults else "app.exchange.add"
        answers: list[tuple[str, Callable[[], None]]] = [(word, lambda: self._take(kind, reading, replace=False))]
        if kind.name != CLUBS:
            answers.append(("app.exchange.replace", lambda: self._take(kind, reading, replace=True)))
        for place, (word, action) in enumerate(answers):
            foot.add_widget(Push(say(word), look="outlined" if place else "chalk", kind="corps", act=action))
        return foot

    # Taking over

    def _take(self, kind: Kind, reading: Reading, *, replace: bool) -> None:
        self.app.lift()
        sentence = self.app.say("app.exchange.taken", kind=kind.label, n=len(reading.rows))
        if kind.name == CLUBS:
            done = self.app.attempt(lambda: self._take_clubs(reading, sentence))
        else:
            done = self.app.attempt(lambda: self._take_cards(kind, reading, sentence, replace))
        if done:
            self.app.redraw()

    def _take_cards(self, kind: Kind, reading: Reading, sentence: str, replace: bool) -> None:
        kept = shelf(self.app)
        own, before = kept.is_own(kind), kept.load(kind).in_order
        kept.save(kind, merged(kind, () if replace or not own else before, reading.rows))

        def restore() -> None:
            if own:
                kept.save(kind, before)
            else:
                kept.back_to_sample(kind)

        lists.leave(self.memory, sentence, restore)

    def _take_clubs(self, reading: Reading, sentence: str) -> None:
        kept = shelf(self.app)
        made = [kept.save_club([reading.rows[at] for at in own]) for own in places(reading.rows, "club").values()]

        def restore() -> None:
            for path in made:
                kept.set_aside(path)

        lists.leave(self.memory, sentence, restore)


def export_sheet(app: AppContext, name: str, kind: Kind, rows: Sequence[Row], memory: Memory) -> None:
    """Asks for the folder or stick, writes a table there in the players' language, leaves a note in `memory`."""

    def send(place: Path) -> None:
        def write() -> None:
            path = exchange(app).export(place, name, kind, rows, app.say)
            lists.leave(memory, app.say("app.exchange.written", file=path.name, folder=place.name or str(place)))

        if app.attempt(write):
            app.redraw()

    places = exchange(app).places()
    entries = [Entry(place.name or str(place), partial(send, place), str(place)) for place in places]
    app.lay(list_sheet(app.say("app.exchange.where"), entries))


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
        line = lists.note(self.memory)
        if line is not None:
            self.ids.foot.add_widget(line)

    # The bar

    def _buttons(self) -> None:
        say, bar = self.app.say, self.ids.bar
        faults = () if self._kind.name == CLUBS else self._card_rows.faults
        if faults:
            told = Push(say("app.catalogues.faults", n=len(faults)), look="todo", hug=True, pad=12)
            told.bind(
                on_tap=lambda *_: self.app.lay(faults_sheet(say("app.cards.faults"), [*map(self.app.text, faults)]))
            )
            bar.at_end(told)
        if self._kind.name != CLUBS and self._group is None:
            if self._card_rows.own:
                self._icon("undo", "app.cards.sample", self._back_to_sample)
            self._icon("out", "app.exchange.export", self._export)
        if self._group is not None:
            self._icon("bin", "app.cards.delete", self._drop_group)
        bar.at_end(Push(say("app.cards.add"), icon="plus", look="chalk", hug=True, pad=14, act=self._add))

    def _icon(self, icon: str, word: str, action: Callable[[], object]) -> None:
        self.ids.bar.at_end(Push(icon=icon, icon_side=26, spoken=self.app.say(word), wide=56, act=action))

    # The lines

    def _cards(self) -> Iterator[Line]:
        """The cards of a catalogue, or the rows of one of them."""
        kind, say = self._kind, self.app.say
        self._card_rows = CardRows(self._shelf, {"kind": kind.name})
        own = [row for row in self._card_rows.rows if kind.group and row[kind.group] == self._group]
        if own:
            self.ids.bar.title = str(own[0].get("name", self._group))
        if kind.group and self._group is None:
            for group, places in self._card_rows.groups().items():
                rows = [self._card_rows.rows[at] for at in places]
                yield Line(str(rows[0].get("name", group)), partial(self._open, group), self._rows(rows))
            return
        for row in self._card_rows.rows:
            if self._group is None or row[kind.group] == self._group:
                yield Line(title(kind, row, say), partial(self._edit, row), detail(kind, row, say))

    def _rows(self, rows: list[Row]) -> str:
        return self.app.say("app.cards.zones", n=len(rows))

    def _clubs(self) -> Iterator[Line]:
        """The players' own clubs, unfinished ones with the reason, then the samples."""
        say = self.app.say
        for club in self._shelf.all_clubs():
            if club.fault is not None:
                missing = CLUB_FILES.missing(club.rows) if club.rows else ()
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
            self.app.open("card", kind=self._kind.name, row=fresh(self._card_rows, self._group))

    def _new_club(self, name: str) -> None:
        self.app.open("squad", kind=CLUBS, club=name, new=True)

    def _new_group(self, name: str) -> None:
        group = slug(name)
        while any(row[self._kind.group] == group for row in self._card_rows.rows):
            group += "-2"
        row = fresh(self._card_rows, group, {"name": name})
        self.app.open("card", kind=self._kind.name, row=row)

    def _drop_group(self) -> None:
        before = self._card_rows.rows
        rest = [row for row in before if row[self._kind.group] != self._group]
        if not self.app.attempt(lambda: self._card_rows.save(rest)):
            return
        above = self.app.room.trail[-2].memory
        lists.leave(above, self.app.say("app.cards.deleted", card=self._group), partial(self._card_rows.save, before))
        self.app.room.go_back()

    def _back_to_sample(self) -> None:
        own = self._shelf.path(self._kind)

        def restore(aside: Path) -> None:
            if own.exists():
                self._shelf.set_aside(own)
            self._shelf.move(aside, own)

        def away() -> None:
            aside = self._shelf.back_to_sample(self._kind)
            lists.leave(self.memory, self.app.say("app.cards.sample_again"), partial(restore, aside))

        if self.app.attempt(away):
            self.app.redraw()

    def _export(self) -> None:
        kind, rows = self._kind, self._card_rows.rows
        export_sheet(self.app, kind.name, kind, rows, self.memory)


def faults_sheet(title: str, sentences: list[str]) -> Sheet:
    """Every fault on a line of its own."""
    column = VBox(spacing=dp(10), padding=(0, 0, dp(12), 0), grows=True)
    fill(column, *(Text(sentence, halign="left") for sentence in sentences))
    return Sheet(title, Scroller(column))
