"""The fields of a card's form: what each column is called, what is wrong with it, the control that fits it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.cards.telling import value
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.naming import naming_sheet
from companion.app.widgets.pieces import Scroller, Segments
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text
from companion.table.catalogues.columns import BETWEEN, Column
from companion.table.squad_text import LONGEST_TEXT

Change = Callable[[Any], None]
"""Gets the new value of a column, None for one that says nothing."""

FEW = 3
"""So many options stand side by side; more are listed in a sheet."""
_CONTROL = 58
_SHOWN = 32
"""Signs of a text that its button shows."""


class Field(BoxLayout):
    """One column: its name over its control; in brass and with the reason if its value will not do."""

    def __init__(self, column: Column, given: Any, fault: str, change: Change) -> None:
        """`fault` is the whole sentence, empty for a value that will do."""
        super().__init__(orientation="vertical", spacing=dp(2), size_hint_y=None)
        app = App.get_running_app()
        label = app.say.text(column.label)
        tone = "laiton" if fault else "craie2"
        words = Text(fault or label, kind="mini", tone=tone, strong=bool(fault), halign="left", valign="bottom")
        self.add_widget(words)
        control = _control(column, given, change, label)
        control.size_hint_y, control.height = None, dp(_CONTROL)
        self.add_widget(control)
        self.bind(minimum_height=self.setter("height"))


def _control(column: Column, given: Any, change: Change, label: str) -> Widget:
    say = App.get_running_app().say
    if column.form == "whole":
        return Steps(column, given, change, label)
    if column.form == "switch":
        options: list[tuple[Any, str]] = [(None, value(column, None, say)), (True, say("catalogues.switch.yes"))]
        return Segments([*options, (False, say("catalogues.switch.no"))], given, change)
    if column.form == "pick" and len(column.options) + (not column.needed) <= FEW:
        options = [(option, say.text(column.word(option))) for option in column.options]
        clear = [] if column.needed else [(None, value(column, None, say))]
        return Segments([*clear, *options], given, change, kind="corps")
    told = value(column, given, say)
    shown = told if len(told) <= _SHOWN else told[: _SHOWN - 1] + "…"
    push = Push(shown, look="well", left=True, end="right" if column.options else "edit", spoken=f"{label} {told}")
    push.bind(on_tap=lambda *_: App.get_running_app().lay(_sheet(column, given, change, label)))
    return push


def _sheet(column: Column, given: Any, change: Change, label: str) -> Any:
    """The sheet in which a value is chosen or written."""
    if column.form == "pick":
        return _pick_sheet(column, given, change, label)
    if column.form == "picks":
        app = App.get_running_app()

        def done(values: Any) -> None:
            app.lift()
            change(values)

        return Sheet(label, Several(column, list(given or ()), done))
    written = BETWEEN.join(given) if isinstance(given, list) else str(given or "")
    longest = LONGEST_TEXT * (4 if column.form == "texts" else 1)

    def take(text: str) -> None:
        parts = [part.strip() for part in text.split(BETWEEN) if part.strip()]
        change((parts if column.form == "texts" else text) if parts else None)

    return naming_sheet(label, written, take, longest=longest, empty=True)


def _pick_sheet(column: Column, given: Any, change: Change, label: str) -> Any:
    say = App.get_running_app().say
    entries = [
        Entry(say.text(column.word(option)), partial(change, option), on=option == given) for option in column.options
    ]
    if not column.needed:
        entries.insert(0, Entry(say("app.cards.nothing"), lambda: change(None), on=given is None))
    return list_sheet(label, entries, cols=2, height=58)


class Several(BoxLayout):
    """Some of the options, in the order in which they are tapped; a second tap takes one back."""

    def __init__(self, column: Column, given: list[str], done: Change) -> None:
        super().__init__(orientation="vertical", spacing=dp(8))
        app = App.get_running_app()
        self._column, self._given = column, given
        grid = GridLayout(cols=2 if app.portrait else 3, spacing=dp(8), size_hint_y=None, padding=(0, 0, dp(10), 0))
        grid.bind(minimum_height=grid.setter("height"))
        self._pushes = {option: Push(size_hint_y=None, height=dp(58)) for option in column.options}
        for option, push in self._pushes.items():
            push.bind(on_tap=lambda _, option=option: self._toggle(option))
            grid.add_widget(push)
        scroller = Scroller()
        scroller.add_widget(grid)
        self.add_widget(scroller)
        foot = BoxLayout(size_hint_y=None, height=dp(58), spacing=dp(8))
        clear = Push(app.say("app.cards.nothing"), look="outlined")
        clear.bind(on_tap=lambda *_: done(None))
        ready = Push(app.say("app.done"), look="chalk")
        ready.bind(on_tap=lambda *_: done(self._given or ([] if column.none else None)))
        foot.add_widget(clear)
        foot.add_widget(ready)
        self.add_widget(foot)
        self._show()

    def _toggle(self, option: str) -> None:
        if option in self._given:
            self._given.remove(option)
        else:
            self._given = [*self._given, option][-self._column.most :]
        self._show()

    def _show(self) -> None:
        say = App.get_running_app().say
        for option, push in self._pushes.items():
            place = self._given.index(option) + 1 if option in self._given else 0
            word = say.text(self._column.word(option))
            push.text = f"{place}. {word}" if place else word
            push.look = "brass" if place else "outlined"


class Steps(BoxLayout):
    """A number between minus and plus; a tap on the number writes it. Stepping below the least says nothing."""

    def __init__(self, column: Column, given: int | None, change: Change, label: str) -> None:
        super().__init__(spacing=dp(4))
        self._column, self._given, self._change, self._label = column, given, change, label
        say = App.get_running_app().say
        number = Push(
            value(column, given, say), look="well", kind="titre", spoken=f"{label} {value(column, given, say)}"
        )
        number.bind(on_tap=lambda *_: self._write())
        for piece in (self._button("minus", -1), number, self._button("plus", 1)):
            self.add_widget(piece)

    def _button(self, icon: str, by: int) -> Push:
        sign = "+" if by > 0 else "\N{MINUS SIGN}"
        push = Push("", icon=icon, icon_side=26, spoken=f"{sign} {self._label}", size_hint_x=None, width=dp(58))
        push.look = "outlined" if self._after(by) != self._given else "dashed"
        push.bind(on_tap=lambda *_: self._step(by))
        return push

    def _after(self, by: int) -> int | None:
        """The number after a step; below the least there is none, if there need be none."""
        column, given = self._column, self._given
        if not isinstance(given, int):
            return column.least if by > 0 else None
        if given + by < column.least:
            return given if column.needed else None
        return min(given + by, column.most)

    def _step(self, by: int) -> None:
        after = self._after(by)
        if after != self._given:
            self._change(after)

    def _write(self) -> None:
        def take(text: str) -> None:
            plain = text.strip()
            self._change(int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 9 else plain or None)

        start = "" if self._given is None else str(self._given)
        App.get_running_app().lay(naming_sheet(self._label, start, take, longest=8, empty=True))
