"""Asks answered by tapping things on and off before saying so: dice to lift, and a text to type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput

from companion.app.asks.tile import PlaceTile
from companion.app.figures.words import say, text
from companion.app.fonts import SENTENCE
from companion.app.widgets.push import Push
from companion.games.base import Ask, Option

if TYPE_CHECKING:
    from companion.app.asks.sheet import AskSheet


class DiceAsk(BoxLayout):
    """The dice as they lie: a tap lifts one, another puts it back; at most `times`, the suggested ones lifted first."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._ask = sheet, ask
        suggested = ask.suggested if isinstance(ask.suggested, (list, tuple)) else ()
        self._lifted = [option.value for option in ask.options if option.value in suggested]
        grid = GridLayout(cols=max(1, min(6, len(ask.options))), spacing=dp(8))
        self._tiles: list[tuple[Option, PlaceTile]] = []
        for option in ask.options:
            tile = PlaceTile(option, sheet.colour)
            tile.bind(on_tap=lambda _, option=option: self._tap(option))
            self._tiles.append((option, tile))
            grid.add_widget(tile)
        self.add_widget(grid)
        done = Push(say("app.ask.done"), look="side", side=sheet.colour or "blue", size_hint_y=None, height=dp(58))
        done.bind(on_tap=lambda *_: sheet.answer(self._answer()))
        self.add_widget(done)
        self._show()

    def _tap(self, option: Option) -> None:
        if option.barred is not None:
            self._sheet.explain(option.barred)
        elif option.value in self._lifted:
            self._lifted.remove(option.value)
        elif len(self._lifted) < self._ask.times:
            self._lifted.append(option.value)
        self._show()

    def _answer(self) -> Any:
        if self._ask.times == 1:
            return self._lifted[0] if self._lifted else None
        return [option.value for option in self._ask.options if option.value in self._lifted]

    def _show(self) -> None:
        for option, tile in self._tiles:
            tile.picked = 1 if option.value in self._lifted else 0


class TextAsk(BoxLayout):
    """A line typed on the system's keyboard; the options are recent answers."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        theme = App.get_running_app().theme
        self._field = TextInput(
            multiline=False,
            size_hint_y=None,
            height=dp(58),
            font_name=SENTENCE,
            font_size=theme.type("bouton"),
            background_color=theme.creux,
            foreground_color=theme.craie,
            cursor_color=theme.laiton,
            padding=(dp(12), dp(16)),
        )
        self.add_widget(self._field)
        grid = GridLayout(cols=2, spacing=dp(8))
        for option in ask.options:
            push = Push(
                text(option.label), look="side_outlined", side=sheet.colour or "blue", size_hint_y=None, height=dp(58)
            )
            push.bind(on_tap=lambda _, value=option.value: sheet.answer(value))
            grid.add_widget(push)
        self.add_widget(grid)
        done = Push(say("app.ask.done"), look="side", side=sheet.colour or "blue", size_hint_y=None, height=dp(58))
        done.bind(on_tap=lambda *_: self._finish(sheet))
        self.add_widget(done)

    def _finish(self, sheet: AskSheet) -> None:
        words = self._field.text.strip()
        if words:
            sheet.answer(words)
