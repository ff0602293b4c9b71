"""Selections of a prompt: the positions of a ribbon, and lists of cards or people in scrolling columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.display import display, effect_text, text, translate
from companion.app.figures.choice import MIN_ROW_HEIGHT_DP, ChoiceButton, LabelledButton, equalize_heights
from companion.app.fonts import SENTENCE
from companion.app.prompts.flow import PickSelection, is_open_ended
from companion.app.theme import faded
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, Scroller, VBox
from companion.app.widgets.text import BoldText, Text
from companion.games.base import DisabledReason, Message, Option, Prompt

if TYPE_CHECKING:
    from companion.app.prompts.sheet import PromptSheet

_SIZE_STEPS = (
    ("titre", True, True),
    ("bouton", True, True),
    ("corps", True, True),
    ("corps", False, True),
    ("corps", False, False),
)
"""Steps from roomy to crowded: label size, whether the effect is shown, whether the text size setting applies."""


class PlaceTile(LabelledButton):
    """A position of the ribbon, or a die. `picked` is its number among the picks, 0 if not picked."""

    picked = NumericProperty(0)

    def __init__(self, option: Option, side: str, **kwargs: Any) -> None:
        super().__init__(
            (
                BoldText(kind="titre", flow="free", halign="center"),
                Text(kind="mini", plain=False, flow="free", halign="center"),
                BoldText(kind="mini", flow="free", halign="center"),
            ),
            text=text(option.label),
            detail=text(option.detail),
            effect=effect_text(option.effect),
            side=side,
            is_unavailable=option.disabled_reason is not None,
            **kwargs,
        )
        self.fbind("picked", self._apply_style)

    def show_pressed(self, on: bool) -> None:
        if not on:
            self._apply_style()
            return
        theme = display.theme
        self.fill = theme.craie
        for part in self.parts:
            part.color = theme.encre

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        main = theme.tone(self.side or "craie")
        self.fill = theme.laiton if self.picked else (0, 0, 0, 0)
        self.line = theme.laiton if self.picked else faded(theme.craie3, 0.7) if self.is_unavailable else main
        self.dash = 5 if self.is_unavailable and not self.picked else 0
        if self.picked:
            colours = (theme.laiton_encre,) * 3
        elif self.is_unavailable:
            colours = (theme.craie3,) * 3
        else:
            colours = (main, theme.craie, theme.craie)
        for part, colour in zip(self.parts, colours, strict=True):
            part.color = colour
        self._arrange_soon()

    def _arrange(self, *_: object) -> None:
        """Use the largest type that fits. The effect is hidden before any text is cut."""
        for label, effect, enlarged in _SIZE_STEPS:
            parts = self._laid_out_parts(label, effect, enlarged)
            if sum(part.height for part in parts) <= self.height - dp(6):
                break
        top = self.center_y + sum(part.height for part in parts) / 2
        for part in parts:
            part.pos = (self.center_x - part.width / 2, top - part.height)
            top -= part.height

    def _laid_out_parts(self, label: str, effect: bool, enlarged: bool) -> list[Text]:
        """Return the non-empty parts, wrapped to the available width without breaking words."""
        available_width = self.width - dp(4)
        theme = display.theme
        texts = (self.text, self.detail, self.effect if effect else "")
        parts = []
        for part, content in zip(self.parts, texts, strict=True):
            part.text, part.opacity = content, 1.0 if content else 0.0
            kind = label if part is self._label else part.kind
            part.font_size = theme.type(kind) * (1 if enlarged else 100 / theme.text)
            if not content:
                part.size = (0, 0)
                continue
            widest = max(part._label.get_extents(word)[0] for word in content.split(" "))
            if widest > available_width:
                part.font_size *= available_width / widest * 0.98
            part.text_size = (None, None)
            part.texture_update()
            if part.texture_size[0] > available_width:
                part.text_size = (available_width, None)
                part.texture_update()
            part.size = part.texture_size
            parts.append(part)
        return parts


_TALL = 260
"""Height of the ten positions in dp if there is more space than they need."""
_SHORT = 8
_ROWS_PER_FRAME = 24
"""Rows created per frame: more than a sheet shows at once."""
MIN_SEARCH_OPTIONS = 13
"""Lists with at least this many options can be searched (SCREENS 4)."""
MIN_TALL_OPTIONS = 7
"""Lists with at least this many options take the whole height of the screen."""
_DONE_WIDTH = 132
_SEARCHED_ROW_DP = 52
"""Height of a row in dp while the on-screen keyboard takes most of a low screen."""


def is_tall(prompt: Prompt) -> bool:
    """True if the options of a prompt are shown over the whole height of the screen."""
    usual_answers = prompt.kind == "text" and bool(prompt.options)  # they stand between a field and a button
    return usual_answers or (prompt.kind in ("pick", "dice") and len(prompt.options) >= MIN_TALL_OPTIONS)


class Picks(BoxLayout):
    """Base class for the selection of one prompt. Subclasses show the options and highlight selected ones in `mark`."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self.sheet, self.prompt = sheet, prompt
        self.picking = PickSelection(prompt)

    def tap(self, option: Option) -> None:
        """Select an option, or show why it is disabled."""
        if option.disabled_reason is not None:
            self.sheet.explain(option.disabled_reason)
            return
        self.picking.tap(option)
        whole = self.picking.is_full and not is_open_ended(self.prompt)
        reason = self._picks_disabled_reason() if whole else None
        if reason is not None:
            self.picking.take_back()
            self.mark()
            self.sheet.explain(reason)
        elif whole:
            self.sheet.answer(self.picking.answer())
        else:
            self.sheet.progress(self.picking.answer(), len(self.picking.picked))
            self.mark()
            self._show_done()

    def add_done(self) -> None:
        """Add a confirm button if the number of picks is free: in a landscape tall list in the header, else below."""
        self._done: PushButton | None = None
        if not is_open_ended(self.prompt):
            return
        side = self.sheet.colour
        self._done = PushButton(translate("app.ask.done"), side=side, tall=58, act=self._finish)
        if is_tall(self.prompt) and not display.portrait:
            self._done.size_hint_x, self._done.width, self._done.height = None, dp(_DONE_WIDTH), dp(52)
            self._done.pos_hint = {"center_y": 0.5}
            self.sheet.add_to_header(self._done)
        else:
            self.add_widget(self._done)
        self._show_done()

    def _show_done(self) -> None:
        if self._done is not None:
            enough = self.picking.has_enough and self._picks_disabled_reason() is None
            self._done.style = "dashed" if not enough else "side" if self.sheet.colour else "chalk"

    def _finish(self) -> None:
        reason = self._picks_disabled_reason()
        if reason is not None:
            self.sheet.explain(reason)
        elif self.picking.has_enough:
            self.sheet.answer(self.picking.answer())

    def _picks_disabled_reason(self) -> DisabledReason | None:
        """Return why the picks cannot be combined, or None."""
        return self.prompt.answers_disabled_reason({**self.sheet.answers, self.prompt.field: self.picking.answer()})

    def mark(self) -> None:
        """Highlight the selected options."""

    def pick_index(self, option: Option) -> int:
        """Return the number of an option among the picks, from 1; 0 if it is not selected."""
        return self.picking.picked.index(option.value) + 1 if option.value in self.picking.picked else 0


class PlacePick(Picks):
    """The positions in the game's order, five per row."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(sheet, prompt, **kwargs)
        upright = display.portrait
        grid = Grid(cols=5, spacing=dp(5 if upright else 8))
        self._tiles: list[tuple[Option, PlaceTile]] = []
        for option in prompt.options:
            tile = PlaceTile(option, sheet.colour, act=partial(self.tap, option))
            self._tiles.append((option, tile))
            grid.add_widget(tile)
        self.add_widget(grid)
        if upright:
            grid.size_hint_y, grid.height = None, dp(_TALL)
            self.add_widget(Widget())
        self.add_done()

    def mark(self) -> None:
        for option, tile in self._tiles:
            tile.picked = self.pick_index(option)


class RowPick(Picks):
    """A list: options in scrolling columns, group by group. Long lists can be searched and show recent picks first.

    Rows that are not visible at first are created in the following frames, so that the sheet opens at once.
    """

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(sheet, prompt, **kwargs)
        self._recent = sheet.prompt_context.recent
        self._waiting: list[Option] = []
        self._more_soon = Clock.create_trigger(self._more, 0)
        self._is_long = len(prompt.options) >= MIN_SEARCH_OPTIONS
        self._column = VBox(spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        self._grids: list[tuple[Grid, list[ChoiceButton]]] = []
        self._group: Message | None = None
        self._rows: list[tuple[Option, ChoiceButton]] = []
        self._is_searching = False
        self.add_widget(Scroller(self._column))
        if self._is_long:
            sheet.add_search(self._search)
        if prompt.optional:
            label = translate("app.ask.skip") if prompt.skip_label is None else text(prompt.skip_label)
            self.add_widget(PushButton(label, style="outlined", act=lambda: sheet.skip(), tall=52))
        self.add_done()
        self._show("")

    def mark(self) -> None:
        for option, row in self._rows:
            count = self.picking.count(option)
            row.prominence = 1 if count else 2
            row.effect = f"\N{MULTIPLICATION SIGN}{count}" if count > 1 else effect_text(option.effect)

    def _search(self, wanted: str) -> None:
        self._is_searching = True
        self._show(wanted)

    def _show(self, wanted: str) -> None:
        self._column.clear_widgets()
        self._rows, self._grids, self._group = [], [], None
        options = self._recent.ordered_options(self.prompt) if self._is_long else self.prompt.options
        groups: list[Message | None] = []
        for option in self.prompt.options:
            if option.group not in groups:
                groups.append(option.group)
        self._waiting = [
            option
            for option in sorted(options, key=lambda option: groups.index(option.group))
            if wanted.casefold() in f"{text(option.label)} {text(option.detail)}".casefold()
        ]
        self._more()

    def _more(self, *_: object) -> None:
        """Create the next rows, as many as one frame allows."""
        now, self._waiting = self._waiting[:_ROWS_PER_FRAME], self._waiting[_ROWS_PER_FRAME:]
        for option in now:
            row = self._row(option)
            self._rows.append((option, row))
            if not self._grids or option.group != self._group:
                self._begin_group(option.group)
            grid, rows = self._grids[-1]
            grid.add_widget(row)
            rows.append(row)
        self.mark()
        if self._waiting:
            self._more_soon()
        else:
            self._align()

    def _begin_group(self, group: Message | None) -> None:
        """Add an empty grid for the next options, below the name of their group."""
        self._group = group
        if group is not None and not self._is_searching:
            self._column.add_widget(BoldText(text(group), kind="corps", tone="craie2", halign="left"))
        grid = Grid(cols=self._columns(), spacing=dp(8), grows=True)
        self._grids.append((grid, []))
        self._column.add_widget(grid)

    def _align(self) -> None:
        """Make the rows of all groups equally wide, and those beside each other equally high."""
        for grid, rows in self._grids:
            for _ in range(len(rows), grid.cols):
                grid.add_widget(Widget(size_hint_y=None, height=0))
            equalize_heights(grid, rows, _SEARCHED_ROW_DP if self._is_low else MIN_ROW_HEIGHT_DP)

    def _row(self, option: Option) -> ChoiceButton:
        row = ChoiceButton(
            text=text(option.label),
            detail="" if self._is_low else text(option.detail),
            effect=effect_text(option.effect),
            prominence=2,
            is_unavailable=option.disabled_reason is not None,
            side=self.sheet.colour,
        )
        if self._is_low:
            row.least = _SEARCHED_ROW_DP
        row.bind(on_tap=lambda _, option=option: self.tap(option))
        return row

    @property
    def _is_low(self) -> bool:
        """True while the keyboard may leave little height for the results."""
        return self._is_searching and not display.portrait

    def tap(self, option: Option) -> None:
        if option.disabled_reason is None:
            self._recent.remember(self.prompt, option.value)
        super().tap(option)

    def _columns(self) -> int:
        """Return the number of columns: more if the sheet is wide or the labels are short and without details."""
        options = self.prompt.options
        short = all(option.detail is None and option.effect is None for option in options)
        if short and all(len(text(option.label)) <= _SHORT for option in options):
            return 3 if display.portrait else 4
        return 3 if self.sheet.is_wide else 2


def search_field(show: Callable[[str], object]) -> TextInput:
    """Return a search field; `show` receives its text."""
    theme = display.theme
    field = TextInput(
        multiline=False,
        size_hint_y=None,
        height=dp(52),
        font_name=SENTENCE,
        font_size=theme.type("bouton"),
        hint_text=translate("app.ask.search"),
        background_color=theme.creux,
        foreground_color=theme.craie,
        hint_text_color=theme.craie3,
        cursor_color=theme.laiton,
        padding=(dp(12), dp(13)),
    )
    field.bind(text=lambda _, wanted: show(wanted))
    return field
