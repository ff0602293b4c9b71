"""Asks answered with numbers: one number, several with a total, a small value on keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.flow import Counting
from companion.app.figures.words import say, text
from companion.app.widgets.pieces import Card, Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Ask, Option

if TYPE_CHECKING:
    from companion.app.asks.sheet import AskSheet

KEYS = 9
"""Values from 0 that have a key of their own; larger ones are stepped to."""


class CountAsk(BoxLayout):
    """One number between two large buttons, and the button that says so."""

    def __init__(self, sheet: AskSheet, ask: Ask, start: int | None = None, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(12), **kwargs)
        self._ask = ask
        suggested = start if start is not None else ask.suggested
        self._value = suggested if isinstance(suggested, int) else ask.least
        self.add_widget(Widget())
        self._steps = Steps(sheet.colour, self._step, text(ask.title))
        self.add_widget(self._steps)
        self.add_widget(Widget())
        done = Push(say("app.ask.done"), look="side", side=sheet.colour or "blue", size_hint_y=None, height=dp(58))
        done.bind(on_tap=lambda *_: sheet.answer(self._value))
        self.add_widget(done)
        self._step(0)

    def _step(self, by: int) -> None:
        if self._ask.least <= self._value + by <= self._ask.most:
            self._value += by
        self._steps.show(self._value, self._value > self._ask.least, self._value < self._ask.most)


class Steps(BoxLayout):
    """A number between minus and plus; `tap` gets the step."""

    def __init__(self, colour: str, tap: Any, name: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(58), spacing=dp(4), **kwargs)
        self._buttons = []
        self._number = Head("0", kind="grand", flow="box", halign="center")
        for icon, sign, by in (("minus", "\N{MINUS SIGN}", -1), ("plus", "+", 1)):
            push = Push(
                "",
                icon=icon,
                icon_side=26,
                look="side_outlined",
                side=colour or "blue",
                tone=colour,
                spoken=f"{sign} {name}",
                size_hint=(None, None),
                size=(dp(56), dp(54)),
                pos_hint={"center_y": 0.5},
            )
            push.bind(on_tap=lambda _, by=by: tap(by))
            self._buttons.append(push)
        self.add_widget(self._buttons[0])
        self.add_widget(self._number)
        self.add_widget(self._buttons[1])

    def show(self, value: int, less: bool, more: bool) -> None:
        self._number.text = str(value)
        for push, may in zip(self._buttons, (less, more), strict=True):
            push.look = "side_outlined" if may else "dashed"


class CountsAsk(BoxLayout):
    """A stepper for each option, what is still missing, the suggested numbers, and saying nothing where that may be."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._ask = sheet, ask
        self._counting = Counting(ask)
        upright = App.get_running_app().portrait
        grid = GridLayout(
            cols=2 if upright else min(4, max(2, (len(ask.options) + 1) // 2)), spacing=dp(8), size_hint_y=None
        )
        grid.bind(minimum_height=grid.setter("height"))
        self._tiles: list[tuple[Option, Steps]] = []
        for option in ask.options:
            grid.add_widget(self._tile(option))
        scroller = Scroller()
        scroller.add_widget(grid)
        self.add_widget(scroller)
        self.add_widget(self._foot())
        self._show()

    def _tile(self, option: Option) -> Card:
        card = Card(padding=(dp(8), dp(5)), spacing=dp(2), size_hint_y=None, height=dp(112), surface="creux")
        card.add_widget(Head(text(option.label), kind="corps", flow="box", halign="left"))
        if option.detail is not None:
            card.add_widget(Text(text(option.detail), kind="mini", tone="craie2", flow="box", halign="left"))
        steps = Steps(self._sheet.colour, lambda by: self._step(option, by), text(option.label))
        self._tiles.append((option, steps))
        card.add_widget(steps)
        return card

    def _foot(self) -> BoxLayout:
        foot = BoxLayout(size_hint_y=None, height=dp(56), spacing=dp(8))
        self._sum = Head("", kind="titre", flow="box", halign="left")
        foot.add_widget(self._sum)
        if self._ask.optional:
            skip = Push(
                say("app.ask.unsaid" if self._ask.secret else "app.ask.skip"), look="outlined", kind="corps", pad=6
            )
            skip.bind(on_tap=lambda *_: self._sheet.skip())
            foot.add_widget(skip)
        if self._ask.suggested:
            suggested = Push(say("app.ask.suggested"), look="outlined", kind="corps", pad=6)
            suggested.bind(on_tap=lambda *_: self._suggest())
            foot.add_widget(suggested)
        self._done = Push(say("app.ask.done"), look="dashed", side=self._sheet.colour or "blue")
        self._done.bind(on_tap=lambda *_: self._finish())
        foot.add_widget(self._done)
        return foot

    def _step(self, option: Option, by: int) -> None:
        self._counting.step(option, by)
        self._show()

    def _suggest(self) -> None:
        self._counting = Counting(self._ask, self._ask.suggested)
        self._show()

    def _finish(self) -> None:
        if self._counting.missing == 0:
            self._sheet.answer(self._counting.answer())

    def _show(self) -> None:
        counting = self._counting
        for option, steps in self._tiles:
            steps.show(counting.counts[option.value], counting.may(option, -1), counting.may(option, 1))
        missing = counting.missing
        if self._ask.total is not None:
            self._sum.text = say("app.ask.sum", sum=counting.sum, total=self._ask.total)
        self._done.look = "side" if missing == 0 else "dashed"
        self._done.text = say("app.ask.done") if missing == 0 else say("app.ask.missing", n=missing)


class ValueAsk(BoxLayout):
    """Keys for the usual values; one more opens a stepper for the rest."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._ask = sheet, ask
        grid = GridLayout(cols=3, spacing=dp(5))
        for value in range(ask.least, min(ask.most, ask.least + KEYS - 1) + 1):
            key = Push(str(value), kind="titre", look="side_outlined", side=sheet.colour or "blue")
            key.bind(on_tap=lambda _, value=value: sheet.answer(value))
            grid.add_widget(key)
        self.add_widget(grid)
        if ask.most > ask.least + KEYS - 1:
            words = say("app.ask.and_more", value=ask.least + KEYS)
            more = Push(words, look="side_thin", side=sheet.colour or "blue", size_hint_y=None, height=dp(58))
            more.bind(on_tap=lambda *_: self._larger())
            self.add_widget(more)

    def _larger(self) -> None:
        self.clear_widgets()
        self.add_widget(CountAsk(self._sheet, self._ask, start=self._ask.least + KEYS))
