"""A list of cards: a search field, rows to tap, more rows on request. Long catalogues stay quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput

from companion.app.asks.pick import SEARCH_FROM, search_field
from companion.app.figures.choice import ChoiceButton
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push

AT_ONCE = 24
"""Rows built at a time."""
_LEAST = 58


@dataclass(frozen=True, slots=True)
class Line:
    """One row: what it says, what a tap does, the reason why it is only for reading (`barred`)."""

    text: str
    take: Callable[[], None]
    detail: str = ""
    effect: str = ""
    barred: str = ""
    rank: int = 2


class Listing(BoxLayout):
    """`memory` keeps what is searched for and how far down one is, so that a page built anew stays where it was."""

    def __init__(self, lines: Sequence[Line], memory: dict[str, Any], *, cols: int = 2, empty: str = "") -> None:
        super().__init__(orientation="vertical", spacing=dp(8))
        self._lines, self._memory, self._empty = lines, memory, empty
        self._grid = GridLayout(cols=cols, spacing=dp(8), padding=(0, 0, dp(12), 0), size_hint_y=None)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self.scroller = Scroller(always_overscroll=False)
        self.scroller.add_widget(self._grid)
        if len(lines) >= SEARCH_FROM:
            self.add_widget(self._searched())
        self.add_widget(self.scroller)
        self._fill()
        self.scroller.scroll_y = memory.get("down", 1.0)
        self.scroller.bind(scroll_y=lambda _, down: memory.update(down=down))

    def _searched(self) -> TextInput:
        """The field to search with, with what is searched for already."""
        field = search_field(self._search)
        field.text = self._memory.get("wanted", "")
        return field

    def _search(self, wanted: str) -> None:
        if wanted == self._memory.get("wanted", ""):
            return
        self._memory.update(wanted=wanted, shown=AT_ONCE, down=1.0)
        self._fill()
        self.scroller.scroll_y = 1.0

    def _fill(self) -> None:
        """The rows that fit what is searched for, as many as are shown by now."""
        wanted = self._memory.get("wanted", "").casefold()
        fitting = [line for line in self._lines if wanted in f"{line.text} {line.detail}".casefold()]
        shown = self._memory.get("shown", AT_ONCE)
        self._grid.clear_widgets()
        rows = [_row(line) for line in fitting[:shown]]
        for row in rows:
            self._grid.add_widget(row)
        level(self._grid, rows)
        if len(fitting) > shown:
            words = App.get_running_app().say("app.cards.more", n=len(fitting) - shown)
            more = Push(words, look="well", size_hint_y=None, height=dp(58))
            more.bind(on_tap=lambda *_: self._more())
            self._grid.add_widget(more)
        if not fitting and self._empty:
            self._grid.add_widget(Push(self._empty, look="quiet", kind="corps", size_hint_y=None, height=dp(58)))

    def _more(self) -> None:
        self._memory["shown"] = self._memory.get("shown", AT_ONCE) + AT_ONCE
        self._fill()


def level(grid: GridLayout, rows: Sequence[ChoiceButton]) -> None:
    """Rows that stand beside each other become as tall as the tallest, whenever the grid has got another width."""
    cols = grid.cols
    if cols < 2:
        return

    def grow(*_: object) -> None:
        for at in range(0, len(rows), cols):
            beside = rows[at : at + cols]
            tallest = max(row.height for row in beside)
            for row in beside:
                row.least = tallest / dp(1)

    def begin(*_: object) -> None:
        for row in rows:
            row.least = _LEAST
        Clock.schedule_once(grow, 0)  # once the words are laid out anew

    soon = Clock.create_trigger(begin, 0)
    if rows:
        rows[0].bind(width=lambda *_: soon())
    soon()


def _row(line: Line) -> ChoiceButton:
    row = ChoiceButton(
        text=line.text,
        detail=line.detail,
        effect=line.effect,
        rank=line.rank,
        barred=bool(line.barred),
    )
    row.bind(on_tap=lambda *_: _taken(line))
    return row


def _taken(line: Line) -> None:
    if line.barred:
        App.get_running_app().sorry(line.barred)
    else:
        line.take()
