"""The rows of a preparation drawn: a column a side, and those of the match itself below (screen 03)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.sheet import Steps
from companion.app.figures.words import say, text
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.pieces import Card, Segments
from companion.app.widgets.push import Push
from companion.app.widgets.text import Name
from companion.games.preparing import Column, Row

Tapped = Callable[[Row], None]
"""A row that opens something was tapped."""
Chosen = Callable[[Row, Any], None]
"""A row was answered at once."""

SEGMENTS = 4
"""So many options of the match itself stand beside each other; more open a sheet."""
_ROW, _HEAD = 56, 52


class SideColumn(Card):
    """One side's name and rows, with its edge in the side's colour on the outer side of the screen."""

    def __init__(
        self, column: Column, tapped: Tapped, chosen: Chosen, *, right: bool, roomy: bool = True, **kwargs: Any
    ) -> None:
        """`roomy` is false for a narrow column: then the name is smaller."""
        self._colour, self._right, self._roomy = column.colour, right, roomy
        super().__init__(side=column.colour, radius=0, spacing=dp(8), **kwargs)
        self.padding = (dp(10), dp(6), dp(16), dp(8)) if right else (dp(16), dp(6), dp(10), dp(8))
        self.bind(pos=self._edge, size=self._edge)
        rows = list(column.rows)
        named = rows.pop(0) if rows and rows[0].kind == "text" else None
        self.add_widget(self._head(column, named, tapped))
        name = text(column.title)
        for row in rows:
            self.add_widget(row_widget(row, tapped, chosen, colour=column.colour, of=name))
        self.least = dp(14) + dp(_HEAD) + sum(dp(8) + child.height for child in self.children[:-1])
        self.add_widget(Widget())

    def _head(self, column: Column, named: Row | None, tapped: Tapped) -> Push:
        name = text(column.title)
        head = Push(name, look="quiet", kind="titre" if self._roomy else "bouton", left=True, pad=4, side=column.colour)
        head.mark(SideBadge(colour=column.colour, letter=column.letter or name[:1].upper(), side=34))
        head.size_hint_y, head.height = None, dp(_HEAD)
        if named is not None:
            head.end, head.end_tone, head.spoken = "edit", column.colour, say("app.prepare.rename", name=name)
            head.look = "quiet" if named.done else "todo"
            head.bind(on_tap=lambda *_: tapped(named))
        return head

    def _edge(self, *_: object) -> None:
        self.canvas.after.clear()
        width = dp(6)
        with self.canvas.after:
            Color(*App.get_running_app().theme.tone(self._colour))
            Rectangle(pos=(self.right - width if self._right else self.x, self.y), size=(width, self.height))


def row_widget(row: Row, tapped: Tapped, chosen: Chosen, *, colour: str = "", of: str = "") -> Widget:
    """A row as a tap, brass while it is not done; a number between its two buttons."""
    if row.kind == "count":
        return _counted(row, chosen, colour)
    push = Push(text(row.label), detail=text(row.detail), icon=row.icon, icon_side=26, left=True, side=colour or "blue")
    done = "side_thin" if colour else "well"
    push.look, push.end = (done, "edit") if row.done else ("todo", "right")
    if row.kind == "switch":
        push.end = "check" if row.value else ""
    elif row.kind in ("pick", "page"):
        push.end = "right"
    push.end_tone = colour
    push.size_hint_y, push.height = None, dp(_ROW) * max(1.0, App.get_running_app().theme.text / 100 * 0.95)
    push.spoken = f"{of} {push.text}".strip()
    push.bind(on_tap=lambda *_: chosen(row, not row.value) if row.kind == "switch" else tapped(row))
    return push


def _counted(row: Row, chosen: Chosen, colour: str) -> BoxLayout:
    line = BoxLayout(size_hint_y=None, height=dp(58), spacing=dp(8))
    words = text(row.label)
    label = Name(words, halign="left")
    label.strong, label.tone = False, "craie" if row.done else "laiton"
    line.add_widget(label)

    def step(by: int) -> None:
        if row.least <= int(row.value) + by <= row.most:
            chosen(row, int(row.value) + by)

    steps = Steps(colour or "white", step, words, size_hint_x=None, width=dp(176))
    steps.show(int(row.value), int(row.value) > row.least, int(row.value) < row.most)
    line.add_widget(steps)
    return line


def settings(column: Column, tapped: Tapped, chosen: Chosen) -> GridLayout:
    """The rows of the match itself: a few options side by side, the others two or more a line."""
    app = App.get_running_app()
    body = GridLayout(cols=1, spacing=dp(8), size_hint_y=None)
    body.bind(minimum_height=body.setter("height"))
    across = 1 if app.portrait else 2
    line: GridLayout | None = None
    for row in column.rows:
        if row.kind == "pick" and 0 < len(row.options) <= SEGMENTS and not any(o.barred for o in row.options):
            body.add_widget(_segments(row, chosen))
            line = None
            continue
        if line is None:
            line = GridLayout(cols=across, spacing=(dp(16), dp(8)), size_hint_y=None)
            line.bind(minimum_height=line.setter("height"))
            body.add_widget(line)
        line.add_widget(row_widget(row, tapped, chosen))
        line.cols = min(across, len(line.children))
    return body


def _segments(row: Row, chosen: Chosen) -> BoxLayout:
    app = App.get_running_app()
    line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
    tone = "craie" if row.done else "laiton"
    words = Name(text(row.label), plain=True, strong=False, leading=1.0, halign="left", size_hint_x=None, tone=tone)
    words.width = dp(92 if app.portrait else 120) * app.theme.text / 100
    line.add_widget(words)
    options = [(option.value, text(option.label)) for option in row.options]
    line.add_widget(Segments(options, row.value, lambda value: chosen(row, value), kind="corps"))
    return line
