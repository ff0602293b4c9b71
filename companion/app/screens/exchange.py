"""Tables from elsewhere: files in the exchange folder and on sticks, read before anything is taken over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cards import notes
from companion.app.cards.listing import Line, Listing
from companion.app.cards.shelves import exchange, shelf
from companion.app.page import Page, load_kv
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Text
from companion.table.catalogues.exchange import SQUADS, TABLES, merged, read_file, told
from companion.table.catalogues.kinds import Kind, places
from companion.table.catalogues.reading import Reading
from companion.table.catalogues.registry import CLUBS
from companion.table.catalogues.shelf import ShelfTrouble

load_kv(__file__)

MOST_TOLD = 60
"""Faults told one by one; thousands of sentences would hold up the screen for minutes, and nobody reads them."""


class ExchangePage(Page):
    """A tap on a file reads it and tells what is in it; nothing changes before that is answered."""

    def build(self) -> None:
        say, bar = self.app.say, self.ids.bar
        bar.title = say("app.exchange.title")
        again = Push(say("app.exchange.again"), icon="roll", hug=True, pad=14, size_hint_x=None)
        again.bind(on_tap=lambda *_: self.app.redraw())
        bar.at_end(again)
        folder = exchange(self.app).folder
        where = say("app.exchange.folder", folder=folder)
        self.ids.body.add_widget(Text(where, tone="craie2", kind="mini", halign="left"))
        lines = [self._line(path) for path in exchange(self.app).files((*TABLES, *SQUADS))]
        cols = 1 if self.portrait else 2
        self.ids.body.add_widget(Listing(lines, self.memory, cols=cols, empty=say("app.exchange.empty")))
        line = notes.note(self.memory)
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
        body = BoxLayout(orientation="vertical", spacing=dp(8))
        kind = reading.kind
        if kind is not None:
            label = say(f"app.game.{kind.game}")
            words = say("app.exchange.found", kind=kind.label, game=label, n=len(reading.rows))
            body.add_widget(Head(words, kind="bouton", halign="left", size_hint_y=None))
        column = BoxLayout(orientation="vertical", spacing=dp(8), padding=(0, 0, dp(12), 0), size_hint_y=None)
        column.bind(minimum_height=column.setter("height"))
        if reading.faults:
            column.add_widget(Text(say("app.exchange.faults", n=len(reading.faults)), strong=True, tone="laiton"))
        for sentence in (*reading.notes, *(told(fault) for fault in reading.faults[:MOST_TOLD])):
            column.add_widget(Text(self.app.text(sentence), halign="left"))
        if len(reading.faults) > MOST_TOLD:
            rest = say("app.exchange.more_faults", n=len(reading.faults) - MOST_TOLD)
            column.add_widget(Text(rest, strong=True, tone="laiton", halign="left"))
        if not reading.faults:
            column.add_widget(Text(say("app.exchange.in_order"), halign="left"))
        scroller = Scroller()
        scroller.add_widget(column)
        body.add_widget(scroller)
        if kind is not None and reading.rows:
            body.add_widget(self._answers(kind, reading))
        return body

    def _answers(self, kind: Kind, reading: Reading) -> BoxLayout:
        say = self.app.say
        foot = BoxLayout(size_hint_y=None, height=dp(62), spacing=dp(8))
        word = "app.exchange.add_rest" if reading.faults else "app.exchange.add"
        answers: list[tuple[str, Callable[[], None]]] = [(word, lambda: self._take(kind, reading, replace=False))]
        if kind.name != CLUBS:
            answers.append(("app.exchange.replace", lambda: self._take(kind, reading, replace=True)))
        for place, (word, action) in enumerate(answers):
            push = Push(say(word), look="outlined" if place else "chalk", kind="corps")
            push.bind(on_tap=lambda *_, action=action: action())
            foot.add_widget(push)
        return foot

    # Taking over

    def _take(self, kind: Kind, reading: Reading, *, replace: bool) -> None:
        self.app.lift()
        sentence = self.app.say("app.exchange.taken", kind=kind.label, n=len(reading.rows))
        if kind.name == CLUBS:
            done = notes.attempt(lambda: self._take_clubs(reading, sentence))
        else:
            done = notes.attempt(lambda: self._take_cards(kind, reading, sentence, replace))
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

        notes.leave(self.memory, sentence, restore)

    def _take_clubs(self, reading: Reading, sentence: str) -> None:
        kept = shelf(self.app)
        made = [kept.save_club([reading.rows[at] for at in own]) for own in places(reading.rows, "club").values()]

        def restore() -> None:
            for path in made:
                kept.set_aside(path)

        notes.leave(self.memory, sentence, restore)
