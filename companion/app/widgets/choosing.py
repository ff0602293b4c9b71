"""A list sheet: rows to tap, some of them barred with their reason. For clubs, files and formations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: what it says, what a tap does, or why it cannot be taken (`barred`)."""

    text: str
    take: Callable[[], None]
    detail: str = ""
    icon: str = ""
    barred: str = ""
    on: bool = False


def list_sheet(title: str, entries: Sequence[Entry], *, cols: int = 1, height: float = 62) -> Sheet:
    """A sheet of entries in `cols` columns of rows `height` dp high; a tap takes one and closes the sheet."""
    grid = GridLayout(cols=cols, spacing=dp(8), size_hint_y=None, padding=(0, 0, dp(10), 0))
    grid.bind(minimum_height=grid.setter("height"))
    for entry in entries:
        push = Push(entry.text, detail=entry.detail, icon=entry.icon, left=cols == 1, pad=14)
        push.look = "dashed" if entry.barred else ("chalk" if entry.on else "outlined")
        push.size_hint_y, push.height = None, dp(height)
        push.bind(on_tap=lambda _, entry=entry: _taken(entry))
        grid.add_widget(push)
    body = Scroller()
    body.add_widget(grid)
    return Sheet(title, body)


def _taken(entry: Entry) -> None:
    app = App.get_running_app()
    if entry.barred:
        app.sorry(entry.barred)
        return
    app.lift()
    entry.take()
