"""The matches to come: when, at which table, between whom. As many rows as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import say, text
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.text import Head, Name, Text
from companion.messages.wire import ComingMatch

_TIME, _TABLE = 54, 58
"""Room of time and table, in dp at the usual text size."""
_ROW, _LOW_ROW, _HEAD = 38, 33, 30
LOW = 460
"""Screens lower than so many dp stand rows nearer to each other."""


class Coming(BoxLayout):
    """A title and the rows. With `rows` it is so high; with `whole` it scrolls; else it shows what fits its room."""

    def __init__(
        self,
        matches: Sequence[ComingMatch],
        *,
        across: int = 1,
        rows: int = 0,
        whole: bool = False,
        titled: bool = True,
        **kwargs: Any,
    ) -> None:
        """`across` columns of rows beside each other; the title stands over them unless `titled` is false."""
        super().__init__(orientation="vertical", **kwargs)
        self._scale = App.get_running_app().theme.text / 100
        self._high = dp(_LOW_ROW if is_low() else _ROW) * self._scale
        self._matches, self._across, self._shown = matches, across, -1
        title = Head(say("app.tournament.coming"), kind="bouton", halign="left", flow="box", size_hint_y=None)
        title.height = dp(_HEAD * self._scale) * titled
        self._title, self._titled = title, titled
        if titled:
            self.add_widget(title)
        if not matches:
            none = Text(say("app.tournament.none_coming"), tone="craie2", halign="left")
            self.add_widget(none)
            self.add_widget(Widget())
        elif whole:
            self._all()
        elif rows:
            lines = min(rows, -(-len(matches) // across))
            self.size_hint_y, self.height = None, title.height + self._high * lines
            self._fill(lines)
        else:
            whenever_placed(self, self._fit)

    def _fit(self) -> None:
        self._fill(max(0, int((self.height - dp(_HEAD * self._scale)) / self._high)))

    def _fill(self, lines: int) -> None:
        if lines == self._shown:
            return
        self._shown = lines
        self.clear_widgets()
        shown = self._matches[: lines * self._across]
        if not shown:
            return
        if self._titled:
            self.add_widget(self._title)
        grid = GridLayout(cols=self._across, spacing=(dp(16), 0), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        for match in shown:
            grid.add_widget(_Row(match, self._scale, self._high))
        self.add_widget(grid)
        self.add_widget(Widget())

    def _all(self) -> None:
        column = BoxLayout(orientation="vertical", size_hint_y=None)
        column.bind(minimum_height=column.setter("height"))
        for match in self._matches:
            column.add_widget(_Row(match, self._scale, self._high))
        scroller = Scroller()
        scroller.add_widget(column)
        self.add_widget(scroller)


def is_low() -> bool:
    """Whether the screen lies wide and is low."""
    app = App.get_running_app()
    return bool(not app.portrait and app.room.height < dp(LOW))


class _Row(BoxLayout):
    def __init__(self, match: ComingMatch, scale: float, high: float) -> None:
        super().__init__(size_hint_y=None, height=high, spacing=dp(6))
        when = say("app.tournament.playing") if match.playing else _time(match.starts)
        time = Name(when, kinds=["corps", "mini"], halign="left", size_hint_x=None, width=dp(_TIME * scale))
        self.add_widget(time)
        where = say("app.tournament.at_table", n=match.table) if match.table is not None else ""
        table = Name(where, kinds=["corps", "mini"], halign="left", tone="craie2", plain=True, strong=False)
        table.size_hint_x, table.width = None, dp(_TABLE * scale)
        self.add_widget(table)
        who = f"{match.home} – {match.away}" if match.home and match.away else text(match.title)
        self.add_widget(Name(who, kinds=["corps", "mini"], halign="left", plain=True, strong=False))


def _time(starts: int | None) -> str:
    return "" if starts is None else str(App.get_running_app().kiosk.moment(starts))
