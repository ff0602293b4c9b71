"""The standings of a tournament: ranks, names and figures; whoever goes on marked, this table's sides lit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import say, signed
from companion.app.slices import Slices
from companion.app.theme import faded
from companion.app.widgets.framed import Framed
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.text import Head, Name, Text
from companion.messages.wire import StandingRow, StandingTable

COLUMNS = ("played", "won", "drawn", "lost", "difference", "points")
_WIDE = {"played": 25, "won": 25, "drawn": 25, "lost": 25, "difference": 46, "points": 54}
"""Room of the columns, in dp at the usual text size."""
_DROPPED = (("won", "drawn", "lost"), ("played",), ("difference",))
"""What goes first where names would not have room."""
_RANK, _LEAST_NAME = 48, 118
_ROW, _HEAD = 44, 30
_LEAST_ROW = 38
"""Rows may be so low if that brings all of them into sight."""
_AT_ONCE = 14
"""Rows made before the first frame; the rest come a few at a time."""


class Standings(BoxLayout):
    """`title` stands over the names. Scrolls when there are more rows than fit, to the first of this table's sides."""

    def __init__(self, title: str, table: StandingTable, lit: frozenset[str], **kwargs: Any) -> None:
        """`lit` are the names of this table's sides."""
        super().__init__(orientation="vertical", **kwargs)
        self._title, self._rows, self._lit, self._advance = title, table.rows, lit, table.advance
        self._made_for: tuple[tuple[str, ...], float] | None = None
        self._slices: Slices[None] | None = None
        whenever_placed(self, self._fill)

    def leave(self) -> None:
        """Ends what is still being filled."""
        if self._slices is not None:
            self._slices.stop()

    def _fill(self) -> None:
        """Builds the table for the room there is; again only if other columns or other rows fit."""
        columns = fitting(self.width)
        made_for = (columns, self._row_height())
        if made_for == self._made_for or self.width < dp(120):
            return
        self._made_for = made_for
        self.leave()
        self.clear_widgets()
        self.add_widget(_Titles(self._title, columns))
        self._scroller = Scroller()
        self._column = BoxLayout(orientation="vertical", size_hint_y=None)
        self._column.bind(minimum_height=self._column.setter("height"))
        to_lit = Clock.create_trigger(self._to_lit, -1)
        for part in (self._column, self._scroller):
            part.fbind("height", to_lit)
        self._scroller.add_widget(self._column)
        self.add_widget(self._scroller)
        filling = self._filling(columns)
        for _ in range(_AT_ONCE):
            if next(filling, self) is self:
                return
        self._slices = Slices(filling, lambda: None)

    def _filling(self, columns: tuple[str, ...]) -> Iterator[None]:
        high = self._row_height()
        for place, row in enumerate(self._rows):
            line = _Line(row, columns, row.name in self._lit, place < self._advance)
            line.size_hint_y, line.height = None, high
            self._column.add_widget(line)
            yield

    def _row_height(self) -> float:
        scale = App.get_running_app().theme.text / 100
        usual, room = _ROW * (1 + (scale - 1) * 0.6), self.height - dp(_HEAD * scale)
        each = room / max(1, len(self._rows)) / dp(1) - 0.2  # rounding must not make it scroll
        return dp(each if _LEAST_ROW * scale <= each < usual else usual)

    def _to_lit(self, *_: object) -> None:
        """This table's sides come into sight."""
        at = next((place for place, row in enumerate(self._rows) if row.name in self._lit), 0)
        whole, seen = self._column.minimum_height, self._scroller.height
        if whole > seen and at > 2:
            above = (at - 2) * whole / max(1, len(self._rows))
            self._scroller.scroll_y = max(0.0, 1.0 - above / (whole - seen))


def fitting(width: float) -> tuple[str, ...]:
    """The columns that leave a name enough room in a table `width` pixels wide."""
    scale = App.get_running_app().theme.text / 100
    columns = list(COLUMNS)
    for dropped in (*_DROPPED, ()):
        if dp(_RANK + _LEAST_NAME * scale + sum(_WIDE[column] for column in columns) * scale) <= width:
            break
        columns = [column for column in columns if column not in dropped]
    return tuple(columns)


class _Titles(BoxLayout):
    def __init__(self, title: str, columns: Sequence[str]) -> None:
        theme = App.get_running_app().theme
        scale = theme.text / 100
        super().__init__(size_hint_y=None, height=dp(_HEAD * scale), padding=(dp(4), 0, dp(8), 0))
        self.add_widget(Name(title, kinds=["mini"], tone="craie2", halign="left"))
        for column in columns:
            word = Head(say(f"app.tournament.column.{column}"), kind="mini", tone="craie2", flow="box", halign="right")
            word.size_hint_x, word.width = None, dp(_WIDE[column] * scale)
            self.add_widget(word)


class _Line(Framed, BoxLayout):
    """One entry; a chalk bar before the rank of whoever goes on."""

    def __init__(self, row: StandingRow, columns: Sequence[str], lit: bool, through: bool) -> None:
        theme = App.get_running_app().theme
        scale = theme.text / 100
        super().__init__(padding=(dp(6), 0, dp(8), 0))
        self.fill = theme.feutre if lit else (0, 0, 0, 0)
        if lit and not theme.textured:
            self.line = theme.craie3
        self._through = through
        rank = Head(str(row.rank), flow="box", halign="left", kind="bouton")
        rank.size_hint_x, rank.width = None, dp((_RANK - 20) * scale)
        self.add_widget(Widget(size_hint_x=None, width=dp(14)))
        self.add_widget(rank)
        self.add_widget(Name(row.name, kinds=["bouton", "corps", "mini"], halign="left", initials=True))
        for column in columns:
            self.add_widget(_figure(row, column, scale))
        whenever_placed(self, self._draw)

    def _draw(self) -> None:
        theme = App.get_running_app().theme
        self.canvas.after.clear()
        with self.canvas.after:
            Color(*faded(theme.craie, 0.16))
            Rectangle(pos=(self.x, self.top - dp(1)), size=(self.width, dp(2)))
            if self._through:
                Color(*theme.craie)
                high = dp(26)
                RoundedRectangle(pos=(self.x + dp(6), self.center_y - high / 2), size=(dp(6), high), radius=[dp(3)])


def _figure(row: StandingRow, column: str, scale: float) -> Text:
    value = getattr(row, column)
    shown = signed(value) if column == "difference" else str(value)
    kind = "titre" if column == "points" else "bouton"
    figure = Text(shown, kind=kind, plain=False, strong=column == "points", leading=1.0, flow="box", halign="right")
    figure.size_hint_x, figure.width = None, dp(_WIDE[column] * scale)
    return figure
