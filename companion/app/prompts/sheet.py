"""The sheet that completes a choice, with one body for each kind of prompt: picks, numbers, places, dice, text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Translate
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, effect_text, text, translate
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.slots import face_mark
from companion.app.fonts import SENTENCE
from companion.app.help.rules import open_rule, rule_exists
from companion.app.prompts.dice import FaceCounter, FaceGroup, FaceOption, MarkButton
from companion.app.prompts.flow import (
    CountSelection,
    Flow,
    RecentPicks,
    legal_options,
    max_picks,
)
from companion.app.prompts.picks import PlacePick, PlaceTile, RowPick, is_tall, search_field
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import (
    Card,
    Grid,
    HBox,
    Scroller,
    SegmentedControl,
    Stepper,
    VBox,
    bind_geometry,
    fill,
)
from companion.app.widgets.marks import BallMark, Framed, SideBadge
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Choice, Die, DisabledReason, EarlyChoices, Fields, Option, Prompt, SideScene
from vision.roll import Face

MAX_KEYPAD_KEYS = 9
"""Number of smallest values with a key of their own; larger values are set with a stepper."""


class CountPrompt(BoxLayout):
    """A number between two large buttons, with a confirm button."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, start: int | None = None, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(12), **kwargs)
        self._prompt = prompt
        suggested = start if start is not None else prompt.suggested
        self._value = suggested if isinstance(suggested, int) else prompt.minimum
        self.add_widget(Widget())
        self._steps = Stepper(sheet.colour, self._step, text(prompt.title))
        fill(self, self._steps, Widget())
        done = PushButton(translate("app.ask.done"), style="side", side=sheet.colour, tall=58)
        done.bind(on_tap=lambda *_: sheet.answer(self._value))
        self.add_widget(done)
        self._step(0)

    def _step(self, by: int) -> None:
        if self._prompt.minimum <= self._value + by <= self._prompt.maximum:
            self._value += by
        self._steps.show(self._value, self._value > self._prompt.minimum, self._value < self._prompt.maximum)


class CountsPrompt(BoxLayout):
    """A stepper for each option, the missing count, the suggested counts, and a skip button for optional prompts."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._prompt = sheet, prompt
        self._counting = CountSelection(prompt)
        upright = display.portrait
        grid = Grid(cols=2 if upright else min(4, max(2, (len(prompt.options) + 1) // 2)), spacing=dp(8), grows=True)
        self._tiles: list[tuple[Option, Stepper]] = []
        fill(grid, *(self._tile(option) for option in prompt.options))
        fill(self, Scroller(grid), self._foot())
        self._show()

    def _tile(self, option: Option) -> Card:
        card = Card(padding=(dp(8), dp(5)), spacing=dp(2), surface="creux", tall=112)
        card.add_widget(BoldText(text(option.label), kind="corps", flow="box", halign="left"))
        if option.detail is not None:
            card.add_widget(Text(text(option.detail), kind="mini", tone="craie2", flow="box", halign="left"))
        steps = Stepper(self._sheet.colour, lambda by: self._step(option, by), text(option.label))
        self._tiles.append((option, steps))
        card.add_widget(steps)
        return card

    def _foot(self) -> BoxLayout:
        self._sum = BoldText("", kind="titre", flow="box", halign="left")
        foot = HBox(self._sum, spacing=dp(8), tall=56)
        if self._prompt.optional:
            skip = PushButton(
                translate("app.ask.unsaid" if self._prompt.secret else "app.ask.skip"),
                style="outlined",
                kind="corps",
                pad=6,
            )
            skip.bind(on_tap=lambda *_: self._sheet.skip())
            foot.add_widget(skip)
        if self._prompt.suggested:
            foot.add_widget(
                PushButton(translate("app.ask.suggested"), style="outlined", kind="corps", pad=6, act=self._suggest)
            )
        self._done = PushButton(translate("app.ask.done"), style="dashed", side=self._sheet.colour, act=self._finish)
        foot.add_widget(self._done)
        return foot

    def _step(self, option: Option, by: int) -> None:
        self._counting.step(option, by)
        self._show()

    def _suggest(self) -> None:
        suggested = self._prompt.suggested
        self._counting = CountSelection(self._prompt, suggested if isinstance(suggested, Mapping) else None)
        self._show()

    def _finish(self) -> None:
        if self._counting.missing == 0:
            self._sheet.answer(self._counting.answer())

    def _show(self) -> None:
        counting = self._counting
        for option, steps in self._tiles:
            steps.show(counting.counts[option.value], counting.can_step(option, -1), counting.can_step(option, 1))
        missing = counting.missing
        if self._prompt.total is not None:
            self._sum.text = translate("app.ask.sum", sum=counting.sum, total=self._prompt.total)
        self._done.style = "side" if missing == 0 else "dashed"
        self._done.text = translate("app.ask.done") if missing == 0 else translate("app.ask.missing", n=missing)


class ValuePrompt(BoxLayout):
    """Keys for the usual values; one more key opens a stepper for larger values."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._prompt = sheet, prompt
        grid = Grid(cols=3, spacing=dp(5))
        for value in range(prompt.minimum, min(prompt.maximum, prompt.minimum + MAX_KEYPAD_KEYS - 1) + 1):
            key = PushButton(str(value), kind="titre", style="side_outlined", side=sheet.colour)
            key.bind(on_tap=lambda _, value=value: sheet.answer(value))
            grid.add_widget(key)
        self.add_widget(grid)
        if prompt.maximum > prompt.minimum + MAX_KEYPAD_KEYS - 1:
            label = translate("app.ask.and_more", value=prompt.minimum + MAX_KEYPAD_KEYS)
            more = PushButton(label, style="side_thin", side=sheet.colour, tall=58, act=lambda: self._larger())
            self.add_widget(more)

    def _larger(self) -> None:
        self.clear_widgets()
        self.add_widget(CountPrompt(self._sheet, self._prompt, start=self._prompt.minimum + MAX_KEYPAD_KEYS))


_KEYPAD_COLUMNS = 3
_GAP = 5


class Keypad(BoxLayout):
    """Number keypad, created once per edge. `show` sets its callbacks; `sleep` makes it ignore touches for a moment."""

    def __init__(self, colour: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(_GAP), size_hint_y=None, **kwargs)
        tall = dp(50 if display.is_low else 52)
        self._answer: Callable[[int], object] = lambda _: None
        self._more: Callable[[], object] = lambda: None
        self._least = 0
        grid = Grid(cols=_KEYPAD_COLUMNS, spacing=dp(_GAP), grows=True)
        self.keys = [PushButton(kind="titre", style="side_outlined", side=colour) for _ in range(MAX_KEYPAD_KEYS)]
        for place, key in enumerate(self.keys):
            key.size_hint_y, key.height = None, tall
            key.bind(on_tap=lambda _, place=place: self._answer(self._least + place))
            grid.add_widget(key)
        self._larger = PushButton(style="side_thin", side=colour, pad=4, size_hint_y=None, height=tall)
        self._larger.bind(on_tap=lambda *_: self._more())
        fill(self, grid, self._larger)
        self.height = (MAX_KEYPAD_KEYS // _KEYPAD_COLUMNS + 1) * (tall + dp(_GAP)) - dp(_GAP)

    def show(self, prompt: Prompt, answer: Callable[[int], object], more: Callable[[], object]) -> None:
        """Set the callbacks: `answer` receives the value of a key, `more` is called for larger values."""
        self._answer, self._more, self._least = answer, more, prompt.minimum
        for place, key in enumerate(self.keys):
            key.text = str(prompt.minimum + place)
        self._larger.text = translate("app.ask.and_more", value=prompt.minimum + MAX_KEYPAD_KEYS)

    def sleep(self) -> None:
        """Ignore touches for a moment, because the keys have just appeared under a finger."""
        for key in (*self.keys, self._larger):
            key.sleep()


def dice_prompt(sheet: PromptSheet, prompt: Prompt) -> Widget:
    """Return the body to select dice on the tray, or to enter dice by counts if several dice can show a face."""
    if any(option.maximum is not None for option in prompt.options):
        return FaceCountPrompt(sheet, prompt)
    return DicePrompt(sheet, prompt)


class FaceCountPrompt(FaceCounter):
    """Entry of dice by counts, kind by kind. `Prompt.data` may give the number of dice of each kind."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        exact = prompt.minimum == max_picks(prompt)
        kinds = list(dict.fromkeys(_kind(option) for option in prompt.options))
        size: Mapping[str, int] = prompt.data if isinstance(prompt.data, Mapping) else {}
        groups = []
        for kind in kinds:
            options = [option for option in prompt.options if _kind(option) == kind]
            most = size.get(kind, max_picks(prompt))
            label = next((text(option.detail) for option in options if option.detail is not None), "")
            faces = tuple(FaceOption(o.value, _face(o), text(o.label), o.maximum) for o in options)
            groups.append(FaceGroup(kind, label, most if exact else 0, most, faces))
        initial_values = (
            prompt.suggested if isinstance(prompt.suggested, (list, tuple)) else _dice_in_tray(sheet, prompt, groups)
        )
        least = 0 if prompt.optional else prompt.minimum
        super().__init__(groups, sheet.answer, initial_values, sheet.colour, least, max_picks(prompt), **kwargs)
        if prompt.early is not None:
            row = EarlyChoiceRow(sheet, prompt.early)
            (self if display.portrait else self.foot).add_widget(row)
            self.on_entered = row.show
            row.show(self.values)


class EarlyChoiceRow(Grid):
    """The choices that the dice entered so far already allow."""

    def __init__(self, sheet: PromptSheet, early: EarlyChoices, **kwargs: Any) -> None:
        super().__init__(cols=1, spacing=dp(8), grows=True, **kwargs)
        self._sheet, self._early = sheet, early
        self._choices: tuple[Choice, ...] = ()
        self._buttons: list[ChoiceButton] = []

    def show(self, values: Sequence[object]) -> None:
        """Offer the choices of these dice. A button stays under its finger while its text changes."""
        self._choices = self._early.choices([value for value in values if isinstance(value, dict)])
        for place in range(len(self._buttons), len(self._choices)):
            button = ChoiceButton(side=self._sheet.colour)
            button.bind(on_tap=lambda _, place=place: self._sheet.play(self._choices[place]))
            self._buttons.append(button)
        if len(self.children) != len(self._choices):
            self.clear_widgets()
            self.cols = max(1, len(self._choices))
            fill(self, *self._buttons[: len(self._choices)])
        for button, choice in zip(self._buttons, self._choices, strict=False):
            button.text, button.detail = text(choice.label), text(choice.detail)
            button.effect, button.prominence = effect_text(choice.effect), choice.prominence


def _dice_in_tray(sheet: PromptSheet, prompt: Prompt, groups: Sequence[FaceGroup]) -> list[Any]:
    """Return the values of the dice on the tray if they can answer the prompt, else an empty list."""
    counts_by_kind = Counter(die.kind for die in sheet.prompt_context.tray_dice)
    if (
        not counts_by_kind
        or any(counts_by_kind[group.kind] > group.max_count for group in groups)
        or set(counts_by_kind) - {g.kind for g in groups}
    ):
        return []
    values = {option.die: option.value for option in prompt.options}
    return [values[die] for die in sheet.prompt_context.tray_dice if die in values]


def _kind(option: Option) -> str:
    return option.die.kind if option.die is not None else ""


def _face(option: Option) -> Face | None:
    die = option.die
    return None if die is None else Face(die.value, die.colour, die.symbol)


class DieTile(MarkButton):
    """A die as it was read, on brass when picked."""

    picked = NumericProperty(0)

    def __init__(self, option: Option, _side: str, **kwargs: Any) -> None:
        face = _face(option)
        assert face is not None
        spoken = " ".join((text(option.detail), text(option.label))).strip()
        super().__init__(face_mark(face, 42, _kind(option)), spoken=spoken, **kwargs)
        self.fbind("picked", lambda _, picked: setattr(self, "on", bool(picked)))


class DicePrompt(BoxLayout):
    """The dice on the tray. A tap selects or deselects a die; suggested dice are preselected.

    Dice that show the same face may have the same value, so they are picked by their place.
    """

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._prompt = sheet, prompt
        suggested = prompt.suggested if isinstance(prompt.suggested, (list, tuple)) else ()
        self._picked = _places_of(suggested, prompt)
        drawn = all(option.die is not None for option in prompt.options)
        upright = display.portrait
        across = 6 if len(prompt.options) <= 12 else 7 if upright else 9
        grid = Grid(cols=max(1, min(across, len(prompt.options))), spacing=dp(6 if drawn else 8))
        if drawn:
            lines = -(-len(prompt.options) // grid.cols)
            grid.size_hint_y, grid.height = None, (dp(58) + dp(6)) * lines - dp(6)
        self._tiles: list[PlaceTile | DieTile] = []
        for place, option in enumerate(prompt.options):
            tile = DieTile(option, sheet.colour) if drawn else PlaceTile(option, sheet.colour)
            tile.bind(on_tap=lambda _, place=place: self._toggle(place))
            self._tiles.append(tile)
            grid.add_widget(tile)
        self.add_widget(self._scrolling(grid) if drawn else grid)
        self._done = PushButton(translate("app.ask.done"), side=sheet.colour, tall=58, act=self._finish)
        self.add_widget(self._done)
        self._show()

    def _scrolling(self, grid: GridLayout) -> Scroller:
        return Scroller(grid)

    def _toggle(self, place: int) -> None:
        reason = self._prompt.options[place].disabled_reason
        if reason is not None:
            self._sheet.explain(reason)
        elif place in self._picked:
            self._picked.remove(place)
        elif len(self._picked) < max_picks(self._prompt):
            self._picked.append(place)
        self._show()

    @property
    def _enough(self) -> bool:
        return not self._prompt.maximum or self._prompt.minimum <= len(self._picked)

    def _answer(self) -> Any:
        values = [self._prompt.options[place].value for place in sorted(self._picked)]
        if self._prompt.pick_count == 1 and not self._prompt.maximum:
            return values[0] if values else None
        return values

    def _finish(self) -> None:
        reason = self._prompt.answers_disabled_reason({**self._sheet.answers, self._prompt.field: self._answer()})
        if reason is not None:
            self._sheet.explain(reason)
        elif self._enough:
            self._sheet.answer(self._answer())

    def _show(self) -> None:
        for place, tile in enumerate(self._tiles):
            tile.picked = 1 if place in self._picked else 0
        self._done.style = "dashed" if not self._enough else "side" if self._sheet.colour else "chalk"
        if self._prompt.maximum:
            self._sheet.progress(self._answer(), len(self._picked))


def _places_of(values: Iterable[object], prompt: Prompt) -> list[int]:
    """Return the places of the options with these values; each value takes one option."""
    places: list[int] = []
    for value in values:
        places += [at for at, one in enumerate(prompt.options) if one.value == value and at not in places][:1]
    return places


class TextPrompt(BoxLayout):
    """A text field for a keyboard or the on-screen keyboard; the options are usual answers, one tap each."""

    def __init__(self, sheet: PromptSheet, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        theme = display.theme
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
        self._field.bind(on_text_validate=lambda *_: self._finish(sheet))
        sheet.stay_above_keyboard_of(self._field)
        self._done = PushButton(translate("app.ask.done"), side=sheet.colour, hug=True, pad=14, tall=58)
        self._done.bind(on_tap=lambda *_: self._finish(sheet))
        grid = Grid(cols=2, spacing=dp(8), grows=True)
        for option in prompt.options:
            push = PushButton(text(option.label), style="side_outlined", side=sheet.colour, kind="corps", tall=58)
            push.bind(on_tap=lambda push: sheet.answer(push.text))
            grid.add_widget(push)
        fill(self, HBox(self._field, self._done, spacing=dp(8), tall=58), Scroller(grid))
        self._field.bind(text=lambda *_: self._show())
        self._show()

    def _show(self) -> None:
        self._done.style = "side" if self._field.text.strip() else "dashed"

    def _finish(self, sheet: PromptSheet) -> None:
        answer = self._field.text.strip()
        if answer:
            sheet.answer(answer)
        else:
            sheet.show_hint(translate("app.ask.text_needed"))


_BODIES: dict[str, Callable[[Any, Prompt], Widget]] = {
    "pick": RowPick,
    "place": PlacePick,
    "count": CountPrompt,
    "counts": CountsPrompt,
    "value": ValuePrompt,
    "dice": dice_prompt,
    "text": TextPrompt,
}


@dataclass(frozen=True, slots=True)
class SheetPlacement:
    """Insets of a sheet from the window's left, bottom, right and top in pixels, and the edge where it enters."""

    inset: tuple[float, float, float, float]
    edge: str = "bottom"
    tall_inset: tuple[float, float, float, float] | None = None
    """The insets of a list that takes the whole height; None if it has no other place."""


@dataclass(frozen=True, slots=True)
class PromptContext:
    """Context of a prompt.

    - `side`: whose choice it is; None for nobody's.
    - `other`: who must look away from a secret choice.
    - `badge`: the colour of the ball.
    - `tray_dice`: dice on the tray that were read but not counted.
    - `choose`: plays another choice, which closes the sheet.
    """

    recent: RecentPicks
    side: SideScene | None
    other: SideScene | None = None
    badge: str | None = None
    tray_dice: tuple[Die, ...] = ()
    choose: Callable[[Choice], object] = lambda _: None


class PromptSheet(FloatLayout):
    """The sheet of a choice.

    `done` receives the complete event after the last answer; the sheet is closed by then. `slide_offset` is the
    fraction of the slide that remains.
    """

    slide_offset = NumericProperty(0.0)
    keyboard_height = NumericProperty(0)
    """Height of the on-screen keyboard in pixels while a list is searched: the sheet stays above it."""

    def __init__(
        self,
        choice: Choice,
        done: Callable[[Fields], object],
        prompt_context: PromptContext,
        placement: SheetPlacement,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.prompt_context, self._placement = prompt_context, placement
        self.colour = prompt_context.side.colour if prompt_context.side else ""
        self._flow, self._done = Flow(choice), done
        self._keyboard_soon = Clock.create_trigger(self._follow_keyboard, 0)
        self.answers = self._flow.answers
        self.secret = self._covered = any(prompt.secret for prompt in choice.prompts)
        """Answers on this sheet are never spoken."""
        self.card = _Panel(self.colour, placement.edge)
        self.add_widget(self.card)
        with self.canvas.before:
            PushMatrix()
            self._slide_translation = Translate()  # only the drawing moves; the layout stays the same
        with self.canvas.after:
            PopMatrix()
        bind_geometry(self, self._place, "slide_offset", "keyboard_height")
        self._show()

    @property
    def sliding(self) -> bool:
        """True while the sheet slides in; touches are ignored."""
        return bool(self.slide_offset > 0)

    def slide_in(self) -> None:
        """Slide in from the asking side's edge. With reduced motion the sheet appears at once."""
        seconds = display.theme.seconds("sheet")
        if seconds:
            self.slide_offset = 1.0
            Animation(slide_offset=0.0, duration=seconds, t="out_quad").start(self)

    def leave(self) -> None:
        """Close the sheet and discard all answers."""
        navigator = context_of(self).navigator
        if self in navigator.sheets:
            navigator.sheets.remove(self)
            navigator.remove_widget(self)

    def answer(self, value: object) -> None:
        """Answer the current prompt. The last answer completes the event."""
        self._flow.answer(value)
        self._next()

    def play(self, choice: Choice) -> None:
        """Close the sheet and play another choice in place of this one."""
        self.leave()
        self.prompt_context.choose(choice)

    def skip(self) -> None:
        """Skip an optional prompt."""
        self._flow.skip()
        self._next()

    def explain(self, disabled_reason: DisabledReason) -> None:
        """Show why an option is disabled, with the rule number."""
        message = translate(
            "app.table.refused", reason=text(disabled_reason.reason).rstrip("."), rule=disabled_reason.rule
        )
        self._head.show_hint(message, "laiton", disabled_reason.rule)

    def show_hint(self, message: str) -> None:
        """Show what is missing."""
        self._head.show_hint(message, "laiton")

    def progress(self, answer: object, picked: int) -> None:
        """Show what the picks of the current prompt come to, or how many of them are made."""
        prompt = self._flow.prompt
        assert prompt is not None
        progress = prompt.progress({**self.answers, prompt.field: answer})
        times = max_picks(prompt)
        message = translate("app.ask.picked", picked=picked, times=times) if progress is None else text(progress)
        self._head.show_hint(message, "craie2")

    @property
    def is_wide(self) -> bool:
        """True if the sheet has the whole width of a landscape screen."""
        left, _, right, _ = self._inset
        return not display.portrait and not left and not right

    def add_to_header(self, button: Widget) -> None:
        """Add a button of the current prompt before the close button."""
        self._head.add_before_cross(button)

    def add_search(self, show: Callable[[str], object]) -> None:
        """Add a button that opens a search field in the header; `show` receives its text."""

        def search(*_: object) -> None:
            field = search_field(show)
            self.stay_above_keyboard_of(field)
            self._head.show_field(field)
            self._head.remove_widget(button)
            Clock.schedule_once(lambda *_: setattr(field, "focus", True))  # the tap itself would take the focus away

        button = PushButton(icon="search", icon_side=28, style="outlined", spoken=translate("app.ask.search"))
        button.size_hint, button.size, button.pos_hint = (None, None), (dp(52), dp(52)), {"center_y": 0.5}
        button.bind(on_tap=search)
        self.add_to_header(button)

    def stay_above_keyboard_of(self, field: TextInput) -> None:
        """Stay above the on-screen keyboard while text is entered in a field."""
        field.bind(focus=lambda *_: self._keyboard_soon())

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Block touches on the sheet from widgets below; widgets beside the sheet stay active."""
        if not self.card.collide_point(*touch.pos):
            return False
        if not self.sliding:
            super().on_touch_down(touch)
        return True

    def _next(self) -> None:
        if self._flow.prompt is None:
            self.leave()
            self._done(self._flow.fields())
        else:
            self._show()

    def _follow_keyboard(self, *_: object) -> None:
        """Stay above the on-screen keyboard, which comes and goes with the focus of its field."""
        keyboard = context_of(self).navigator.on_screen_keyboard if self.parent else None
        self.keyboard_height = 0 if keyboard is None else keyboard.height
        if keyboard is not None:
            keyboard.bind(height=lambda _, height: setattr(self, "keyboard_height", height))

    @property
    def _inset(self) -> tuple[float, float, float, float]:
        """The insets of the current prompt: those of a tall list if it is one."""
        prompt, placement = self._flow.prompt, self._placement
        if placement.tall_inset is not None and prompt is not None and is_tall(prompt):
            return placement.tall_inset
        return placement.inset

    def _place(self) -> None:
        left, bottom, right, top = self._inset
        bottom = max(bottom, self.keyboard_height)
        width, height = self.width - left - right, self.height - bottom - top
        self.card.pos, self.card.size = (self.x + left, self.y + bottom), (width, height)
        step = {"left": (-width, 0.0), "right": (width, 0.0), "bottom": (0.0, -height)}[self._placement.edge]
        self._slide_translation.xy = (step[0] * self.slide_offset, step[1] * self.slide_offset)

    def _show(self) -> None:
        prompt = self._flow.prompt
        assert prompt is not None
        self.card.clear_widgets()
        self._head = PromptHeader(
            text(prompt.title), self._hint_for(prompt), self.prompt_context.side, self.prompt_context.badge, self.leave
        )
        self.card.add_widget(self._head)
        self._place()
        if self._covered:
            self.card.add_widget(self._cover())
            return
        if self._flow.switches:
            self.card.add_widget(self._switches())
        self.card.add_widget(_BODIES[prompt.kind](self, prompt))

    def _hint_for(self, prompt: Prompt) -> str:
        if self._covered and self.prompt_context.other:
            return translate("app.ask.look_away", name=self.prompt_context.other.name)
        if (nothing_picked := prompt.progress({**self.answers, prompt.field: []})) is not None:
            return text(nothing_picked)
        if prompt.kind == "place":
            return (
                translate("app.ask.place_times", n=prompt.pick_count)
                if prompt.pick_count > 1
                else translate("app.ask.place_once")
            )
        if prompt.kind == "pick":
            return (
                translate("app.ask.pick_times", n=prompt.pick_count)
                if prompt.pick_count > 1
                else text(self._flow.choice.label)
            )
        label = text(self._flow.choice.label)
        return label if prompt.early is None else translate("app.counted.kept_suffice", name=label)

    def _switches(self) -> BoxLayout:
        return HBox(*(self._segments(switch) for switch in self._flow.switches), spacing=dp(8), tall=58)

    def _segments(self, switch: Prompt) -> SegmentedControl:
        """Return the control of a switch. Options are identified by index, because values may be lists."""
        options = legal_options(switch)
        labels = [
            " ".join(part for part in (text(option.label), effect_text(option.effect)) if part) for option in options
        ]
        chosen = [option.value for option in options].index(self._flow.switch_value(switch))

        def on_segment(place: int) -> None:
            self._flow.set_switch(switch, options[place].value)
            self._show()

        segments = SegmentedControl(list(enumerate(labels)), chosen, on_segment)
        if self.colour:
            segments.pushes[chosen].style, segments.pushes[chosen].side = "side", self.colour
        return segments

    def _cover(self) -> Widget:
        cover = VBox(spacing=dp(12), padding=(0, dp(8)))
        cover.add_widget(Text(translate("app.ask.secret"), tone="craie2", flow="box", halign="center"))
        alone = PushButton(translate("app.ask.alone"), style="side", side=self.colour, needs_long_press=True, tall=76)

        def uncover(*_: object) -> None:
            self._covered = False
            self._show()

        alone.bind(on_tap=uncover)
        fill(cover, alone, Widget())
        return cover


class PromptHeader(BoxLayout):
    """Header with the ball's colour or the side's badge, the title of the prompt, a hint, and the close button."""

    def __init__(
        self, title: str, hint: str, side: SideScene | None, ball: str | None, leave: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(54), spacing=dp(12), **kwargs)
        middle = {"center_y": 0.5}
        self._rule: PushButton | None = None
        if ball:
            self.add_widget(BallMark(side=44, colour=ball, pos_hint=middle))
        elif side:
            self.add_widget(SideBadge(side=36, colour=side.colour, letter=side.letter, pos_hint=middle))
        self._text_box = VBox(size_hint_y=None, pos_hint=middle)
        self._title = BoldText(title, kind="titre", halign="left")
        self._hint = Text(hint, kind="mini", tone="craie2", halign="left")
        for part in (self._title, self._hint):
            part.fbind("height", self._fit)
            self._text_box.add_widget(part)
        self._text_box.fbind("width", self._fit)
        self.add_widget(self._text_box)
        cross = PushButton(
            icon="cross",
            icon_side=26,
            style="side_thin" if side else "outlined",
            side=side.colour if side else "blue",
            spoken=translate("app.close"),
            pos_hint=middle,
            wide=52,
            tall=52,
        )
        cross.bind(on_tap=lambda *_: leave())
        left_handed = display.left_handed
        self.add_widget(cross, index=len(self.children) if left_handed else 0)
        self._cross_is_first = left_handed

    def add_before_cross(self, button: Widget) -> None:
        """Add a button between the title and the close button."""
        self.add_widget(button, index=0 if self._cross_is_first else 1)

    def show_field(self, field: Widget) -> None:
        """Show a field in place of the title."""
        field.pos_hint = {"center_y": 0.5}
        if self._text_box.parent is self:
            self.add_widget(field, index=self.children.index(self._text_box))
            self.remove_widget(self._text_box)

    def show_hint(self, message: str, tone: str, rule: str = "") -> None:
        """Show another hint below the title, and a button that opens the rule."""
        self._hint.text, self._hint.tone = message, tone
        if self._rule is not None:
            self.remove_widget(self._rule)
            self._rule = None
        if rule_exists(rule):
            spoken = translate("app.help.open", rule=rule)
            self._rule = PushButton(icon="help", icon_side=28, style="outlined", spoken=spoken, size_hint=(None, None))
            self._rule.size, self._rule.pos_hint = (dp(52), dp(52)), {"center_y": 0.5}
            self._rule.bind(on_tap=lambda *_: open_rule(context_of(self), rule))
            self.add_before_cross(self._rule)

    def _fit(self, *_: object) -> None:
        """Shrink a title that is too long for one line before it wraps."""
        title = self._title
        title.kind = "titre"
        title.kind = "titre" if title._label.get_extents(title.text)[0] <= self._text_box.width else "bouton"
        self._text_box.height = title.height + self._hint.height
        self.height = max(dp(54), self._text_box.height)


class _Panel(Framed, BoxLayout):
    """The surface of a sheet in its side's panel colour, with a band in the side's colour."""

    def __init__(self, colour: str, edge: str, **kwargs: Any) -> None:
        band = dp(6)
        padding = [dp(14), dp(8), dp(14), dp(10)]
        if edge in ("left", "right"):
            padding[0 if edge == "left" else 2] += band
        else:
            padding[1] += band
        super().__init__(
            orientation="vertical", size_hint=(None, None), padding=padding, spacing=dp(8), radius=1, **kwargs
        )
        theme = display.theme
        self.fill = theme.sides[colour].panel if colour else theme.feutre
        self._edge, self._width = edge, band
        with self.canvas:
            Color(*(theme.sides[colour].main if colour else theme.bord))
            self._band = Rectangle()
        bind_geometry(self, self._paint_band)

    def _paint_band(self) -> None:
        if self._edge == "bottom":
            self._band.pos, self._band.size = (self.x, self.top - self._width), (self.width, self._width)
        else:
            self._band.pos = (self.x if self._edge == "left" else self.right - self._width, self.y)
            self._band.size = (self._width, self.height)
