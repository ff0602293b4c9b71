"""Asks answered by picking: rows of options, and the ten posts of a ribbon. The last pick records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.asks.flow import Picking, most_of, open_ended, together
from companion.app.asks.recent import Recent
from companion.app.asks.tile import PlaceTile
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.words import say, text
from companion.app.fonts import SENTENCE
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.games.base import Ask, Barred, Option

if TYPE_CHECKING:
    from companion.app.asks.sheet import AskSheet

_TALL = 260
"""Height of the ten posts where there is more room than they need, in dp."""
_SHORT = 8
_A_FRAME = 24
"""Rows made in one frame: more than a sheet shows at once."""
SEARCH_FROM = 12
"""So many options and more get a search field (SCREENS 4)."""


class Picks(BoxLayout):
    """Holds the picking of one ask; subclasses show the options and mark those picked in `mark`."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self.sheet, self.ask = sheet, ask
        self.picking = Picking(ask)

    def tap(self, option: Option) -> None:
        """Picks an option, or says why it cannot be picked."""
        if option.barred is not None:
            self.sheet.explain(option.barred)
            return
        self.picking.tap(option)
        whole = self.picking.full and not open_ended(self.ask)
        reason = self._together() if whole else None
        if reason is not None:
            self.picking.take_back()
            self.mark()
            self.sheet.explain(reason)
        elif whole:
            self.sheet.answer(self.picking.answer())
        else:
            self.sheet.progress(len(self.picking.picked), most_of(self.ask))
            self.mark()
            self._show_done()

    def add_done(self) -> None:
        """The button that says it is enough, where nothing else can tell."""
        self._done: Push | None = None
        if not open_ended(self.ask):
            return
        self._done = Push(say("app.ask.done"), side=self.sheet.colour or "blue", size_hint_y=None, height=dp(58))
        self._done.bind(on_tap=lambda *_: self._finish())
        self.add_widget(self._done)
        self._show_done()

    def _show_done(self) -> None:
        if self._done is not None:
            enough = self.picking.enough and self._together() is None
            self._done.look = "dashed" if not enough else "side" if self.sheet.colour else "chalk"

    def _finish(self) -> None:
        reason = self._together()
        if reason is not None:
            self.sheet.explain(reason)
        elif self.picking.enough:
            self.sheet.answer(self.picking.answer())

    def _together(self) -> Barred | None:
        """Why the picks cannot be taken together."""
        return together(self.ask, self.picking.answer(), self.sheet.answers)

    def mark(self) -> None:
        """Shows what has been picked so far."""

    def place_among_picks(self, option: Option) -> int:
        """From 1; 0 for an option not picked."""
        return self.picking.picked.index(option.value) + 1 if option.value in self.picking.picked else 0


class PlacePick(Picks):
    """The posts as the game orders them, five across."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(sheet, ask, **kwargs)
        upright = App.get_running_app().portrait
        grid = GridLayout(cols=5, spacing=dp(5 if upright else 8))
        self._tiles: list[tuple[Option, PlaceTile]] = []
        for option in ask.options:
            tile = PlaceTile(option, sheet.colour)
            tile.bind(on_tap=lambda _, option=option: self.tap(option))
            self._tiles.append((option, tile))
            grid.add_widget(tile)
        self.add_widget(grid)
        if upright:
            grid.size_hint_y, grid.height = None, dp(_TALL)
            self.add_widget(Widget())
        self.add_done()

    def mark(self) -> None:
        for option, tile in self._tiles:
            tile.picked = self.place_among_picks(option)


class RowPick(Picks):
    """Any options, in columns that scroll when they must; from twelve on with a search field and the recent ones first.

    What is out of sight at first is made in the frames that follow, so that the sheet is there at once.
    """

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(sheet, ask, **kwargs)
        self._recent: Recent = App.get_running_app().recent
        self._waiting: list[Option] = []
        self._more_soon = Clock.create_trigger(self._more, 0)
        if len(ask.options) >= SEARCH_FROM:
            self.add_widget(search_field(self._show))
        self._grid = GridLayout(cols=_columns(ask), spacing=dp(8), padding=(0, 0, dp(12), 0), size_hint_y=None)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self._rows: list[tuple[Option, ChoiceButton]] = []
        scroller = Scroller()
        scroller.add_widget(self._grid)
        self.add_widget(scroller)
        if ask.optional:
            skip = Push(say("app.ask.skip"), look="outlined", size_hint_y=None, height=dp(52))
            skip.bind(on_tap=lambda *_: sheet.skip())
            self.add_widget(skip)
        self.add_done()
        self._show("")

    def mark(self) -> None:
        for option, row in self._rows:
            count = self.picking.count(option)
            row.rank = 1 if count else 2
            row.effect = f"\N{MULTIPLICATION SIGN}{count}" if count > 1 else (option.effect or "")

    def _show(self, wanted: str) -> None:
        self._grid.clear_widgets()
        self._rows = []
        options = self._recent.first(self.ask) if len(self.ask.options) >= SEARCH_FROM else self.ask.options
        self._waiting = [
            option
            for option in options
            if wanted.casefold() in f"{text(option.label)} {text(option.detail)}".casefold()
        ]
        self._more()

    def _more(self, *_: object) -> None:
        """The next rows, as many as a frame has time for."""
        now, self._waiting = self._waiting[:_A_FRAME], self._waiting[_A_FRAME:]
        for option in now:
            row = self._row(option)
            self._rows.append((option, row))
            self._grid.add_widget(row)
        self.mark()
        if self._waiting:
            self._more_soon()

    def _row(self, option: Option) -> ChoiceButton:
        row = ChoiceButton(
            text=text(option.label),
            detail=text(option.detail),
            effect=option.effect or "",
            rank=2,
            barred=option.barred is not None,
            side=self.sheet.colour,
        )
        row.bind(on_tap=lambda _, option=option: self.tap(option))
        return row

    def tap(self, option: Option) -> None:
        if option.barred is None:
            self._recent.remember(self.ask, option.value)
        super().tap(option)


def _columns(ask: Ask) -> int:
    """Two columns of options; short ones, of which a word is all, stand three or four across."""
    short = all(option.detail is None and option.effect is None for option in ask.options)
    if not short or any(len(text(option.label)) > _SHORT for option in ask.options):
        return 2
    return 3 if App.get_running_app().portrait else 4


def search_field(show: Any) -> TextInput:
    """A field to search with; `show` gets what is written."""
    theme = App.get_running_app().theme
    field = TextInput(
        multiline=False,
        size_hint_y=None,
        height=dp(52),
        font_name=SENTENCE,
        font_size=theme.type("bouton"),
        hint_text=say("app.ask.search"),
        background_color=theme.creux,
        foreground_color=theme.craie,
        hint_text_color=theme.craie3,
        cursor_color=theme.laiton,
        padding=(dp(12), dp(13)),
    )
    field.bind(text=lambda _, wanted: show(wanted))
    return field
