"""The sheet that completes a choice, and one body for each kind of ask: picks, numbers, places, dice, text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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

from companion.app.asks.dice import CountedFace, CountedFaces, FaceGroup, Marked
from companion.app.asks.flow import (
    Counting,
    Flow,
    Picking,
    Recent,
    legal_options,
    most_of,
    open_ended,
)
from companion.app.display import context_of, display, say, text
from companion.app.figures.choice import ChoiceButton, Worded
from companion.app.figures.slots import face_mark
from companion.app.fonts import SENTENCE
from companion.app.help.rules import known, open_rule
from companion.app.theme import faded
from companion.app.widgets.marks import BallMark, Framed, SideBadge
from companion.app.widgets.pieces import Card, Grid, HBox, Scroller, Segments, Steps, VBox, fill, whenever_placed
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Ask, Barred, Choice, Die, Fields, Option, SideScene
from vision.roll import Face

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
        fill(self, self._steps, Widget())
        done = Push(say("app.ask.done"), look="side", side=sheet.colour or "blue", tall=58)
        done.bind(on_tap=lambda *_: sheet.answer(self._value))
        self.add_widget(done)
        self._step(0)

    def _step(self, by: int) -> None:
        if self._ask.least <= self._value + by <= self._ask.most:
            self._value += by
        self._steps.show(self._value, self._value > self._ask.least, self._value < self._ask.most)


class CountsAsk(BoxLayout):
    """A stepper for each option, what is still missing, the suggested numbers, and saying nothing where that may be."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._ask = sheet, ask
        self._counting = Counting(ask)
        upright = display.portrait
        grid = Grid(cols=2 if upright else min(4, max(2, (len(ask.options) + 1) // 2)), spacing=dp(8), grows=True)
        self._tiles: list[tuple[Option, Steps]] = []
        fill(grid, *(self._tile(option) for option in ask.options))
        fill(self, Scroller(grid), self._foot())
        self._show()

    def _tile(self, option: Option) -> Card:
        card = Card(padding=(dp(8), dp(5)), spacing=dp(2), surface="creux", tall=112)
        card.add_widget(Head(text(option.label), kind="corps", flow="box", halign="left"))
        if option.detail is not None:
            card.add_widget(Text(text(option.detail), kind="mini", tone="craie2", flow="box", halign="left"))
        steps = Steps(self._sheet.colour, lambda by: self._step(option, by), text(option.label))
        self._tiles.append((option, steps))
        card.add_widget(steps)
        return card

    def _foot(self) -> BoxLayout:
        self._sum = Head("", kind="titre", flow="box", halign="left")
        foot = HBox(self._sum, spacing=dp(8), tall=56)
        if self._ask.optional:
            skip = Push(
                say("app.ask.unsaid" if self._ask.secret else "app.ask.skip"), look="outlined", kind="corps", pad=6
            )
            skip.bind(on_tap=lambda *_: self._sheet.skip())
            foot.add_widget(skip)
        if self._ask.suggested:
            foot.add_widget(Push(say("app.ask.suggested"), look="outlined", kind="corps", pad=6, act=self._suggest))
        self._done = Push(say("app.ask.done"), look="dashed", side=self._sheet.colour or "blue", act=self._finish)
        foot.add_widget(self._done)
        return foot

    def _step(self, option: Option, by: int) -> None:
        self._counting.step(option, by)
        self._show()

    def _suggest(self) -> None:
        suggested = self._ask.suggested
        self._counting = Counting(self._ask, suggested if isinstance(suggested, Mapping) else None)
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
        grid = Grid(cols=3, spacing=dp(5))
        for value in range(ask.least, min(ask.most, ask.least + KEYS - 1) + 1):
            key = Push(str(value), kind="titre", look="side_outlined", side=sheet.colour or "blue")
            key.bind(on_tap=lambda _, value=value: sheet.answer(value))
            grid.add_widget(key)
        self.add_widget(grid)
        if ask.most > ask.least + KEYS - 1:
            words = say("app.ask.and_more", value=ask.least + KEYS)
            more = Push(words, look="side_thin", side=sheet.colour or "blue", tall=58, act=lambda: self._larger())
            self.add_widget(more)

    def _larger(self) -> None:
        self.clear_widgets()
        self.add_widget(CountAsk(self._sheet, self._ask, start=self._ask.least + KEYS))


_ACROSS = 3
_GAP = 5


class Keypad(BoxLayout):
    """Made once for an edge; `show` says what the keys answer now, `sleep` keeps fingers off for a moment."""

    def __init__(self, colour: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(_GAP), size_hint_y=None, **kwargs)
        tall = dp(50 if display.low else 52)
        self._answer: Callable[[int], object] = lambda _: None
        self._more: Callable[[], object] = lambda: None
        self._least = 0
        grid = Grid(cols=_ACROSS, spacing=dp(_GAP), grows=True)
        self.keys = [Push(kind="titre", look="side_outlined", side=colour) for _ in range(KEYS)]
        for place, key in enumerate(self.keys):
            key.size_hint_y, key.height = None, tall
            key.bind(on_tap=lambda _, place=place: self._answer(self._least + place))
            grid.add_widget(key)
        self._larger = Push(look="side_thin", side=colour, pad=4, size_hint_y=None, height=tall)
        self._larger.bind(on_tap=lambda *_: self._more())
        fill(self, grid, self._larger)
        self.height = (KEYS // _ACROSS + 1) * (tall + dp(_GAP)) - dp(_GAP)

    def show(self, ask: Ask, answer: Callable[[int], object], more: Callable[[], object]) -> None:
        """`answer` gets the value of a key, `more` is called for the larger ones."""
        self._answer, self._more, self._least = answer, more, ask.least
        for place, key in enumerate(self.keys):
            key.text = str(ask.least + place)
        self._larger.text = say("app.ask.and_more", value=ask.least + KEYS)

    def sleep(self) -> None:
        """Ignores fingers for a moment: the keys have just come under one."""
        for key in (*self.keys, self._larger):
            key.sleep()


_LADDER = (
    ("titre", True, True),
    ("bouton", True, True),
    ("corps", True, True),
    ("corps", False, True),
    ("corps", False, False),
)
"""The label's size, whether the effect is there, whether letters are enlarged as set: from roomy to crowded."""


class PlaceTile(Worded):
    """A post of the ribbon, or a die. `picked` is its place among the picks, 0 for none."""

    picked = NumericProperty(0)

    def __init__(self, option: Option, side: str, **kwargs: Any) -> None:
        super().__init__(
            (
                Head(kind="titre", flow="free", halign="center"),
                Text(kind="mini", plain=False, flow="free", halign="center"),
                Head(kind="mini", flow="free", halign="center"),
            ),
            text=text(option.label),
            detail=text(option.detail),
            effect=option.effect or "",
            side=side,
            barred=option.barred is not None,
            **kwargs,
        )
        self.fbind("picked", self._dress)

    def shine(self, on: bool) -> None:
        if not on:
            self._dress()
            return
        theme = display.theme
        self.fill = theme.craie
        for part in self.parts:
            part.color = theme.encre

    def _dress(self, *_: object) -> None:
        theme = display.theme
        main = theme.tone(self.side or "craie")
        self.fill = theme.laiton if self.picked else (0, 0, 0, 0)
        self.line = theme.laiton if self.picked else faded(theme.craie3, 0.7) if self.barred else main
        self.dash = 5 if self.barred and not self.picked else 0
        if self.picked:
            colours = (theme.laiton_encre,) * 3
        elif self.barred:
            colours = (theme.craie3,) * 3
        else:
            colours = (main, theme.craie, theme.craie)
        for part, colour in zip(self.parts, colours, strict=True):
            part.color = colour
        self._arrange_soon()

    def _arrange(self, *_: object) -> None:
        """In the largest letters in which it fits; the effect leaves before anything is cut."""
        for label, effect, enlarged in _LADDER:
            parts = self._laid(label, effect, enlarged)
            if sum(part.height for part in parts) <= self.height - dp(6):
                break
        top = self.center_y + sum(part.height for part in parts) / 2
        for part in parts:
            part.pos = (self.center_x - part.width / 2, top - part.height)
            top -= part.height

    def _laid(self, label: str, effect: bool, enlarged: bool) -> list[Text]:
        """The parts that have words, each wrapped in the width there is, no word broken."""
        room = self.width - dp(4)
        theme = display.theme
        words = (self.text, self.detail, self.effect if effect else "")
        parts = []
        for part, said in zip(self.parts, words, strict=True):
            part.text, part.opacity = said, 1.0 if said else 0.0
            kind = label if part is self._label else part.kind
            part.font_size = theme.type(kind) * (1 if enlarged else 100 / theme.text)
            if not said:
                part.size = (0, 0)
                continue
            widest = max(part._label.get_extents(word)[0] for word in said.split(" "))
            if widest > room:
                part.font_size *= room / widest * 0.98
            part.text_size = (None, None)
            part.texture_update()
            if part.texture_size[0] > room:
                part.text_size = (room, None)
                part.texture_update()
            part.size = part.texture_size
            parts.append(part)
        return parts


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
        reason = self._picks_barred() if whole else None
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
        self._done = Push(say("app.ask.done"), side=self.sheet.colour or "blue", tall=58, act=self._finish)
        self.add_widget(self._done)
        self._show_done()

    def _show_done(self) -> None:
        if self._done is not None:
            enough = self.picking.enough and self._picks_barred() is None
            self._done.look = "dashed" if not enough else "side" if self.sheet.colour else "chalk"

    def _finish(self) -> None:
        reason = self._picks_barred()
        if reason is not None:
            self.sheet.explain(reason)
        elif self.picking.enough:
            self.sheet.answer(self.picking.answer())

    def _picks_barred(self) -> Barred | None:
        """Why the picks cannot be taken together."""
        return self.ask.answers_barred({**self.sheet.answers, self.ask.field: self.picking.answer()})

    def mark(self) -> None:
        """Shows what has been picked so far."""

    def place_among_picks(self, option: Option) -> int:
        """From 1; 0 for an option not picked."""
        return self.picking.picked.index(option.value) + 1 if option.value in self.picking.picked else 0


class PlacePick(Picks):
    """The posts as the game orders them, five across."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(sheet, ask, **kwargs)
        upright = display.portrait
        grid = Grid(cols=5, spacing=dp(5 if upright else 8))
        self._tiles: list[tuple[Option, PlaceTile]] = []
        for option in ask.options:
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
            tile.picked = self.place_among_picks(option)


class RowPick(Picks):
    """Any options, in columns that scroll when they must; from twelve on with a search field and the recent ones first.

    What is out of sight at first is made in the frames that follow, so that the sheet is there at once.
    """

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(sheet, ask, **kwargs)
        self._recent = sheet.asked.recent
        self._waiting: list[Option] = []
        self._more_soon = Clock.create_trigger(self._more, 0)
        if len(ask.options) >= SEARCH_FROM:
            self.add_widget(search_field(self._show))
        self._grid = Grid(cols=_columns(ask), spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        self._rows: list[tuple[Option, ChoiceButton]] = []
        self.add_widget(Scroller(self._grid))
        if ask.optional:
            self.add_widget(Push(say("app.ask.skip"), look="outlined", act=lambda: sheet.skip(), tall=52))
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
    return 3 if display.portrait else 4


def search_field(show: Callable[[str], object]) -> TextInput:
    """A field to search with; `show` gets what is written."""
    theme = display.theme
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


def dice_ask(sheet: AskSheet, ask: Ask) -> Widget:
    """Dice that lie there, to lift; or, where each option is a face that several dice may show, dice to tell."""
    if any(option.most is not None for option in ask.options):
        return CountedAsk(sheet, ask)
    return DiceAsk(sheet, ask)


class CountedAsk(CountedFaces):
    """Dice told by their faces, kind by kind. `Ask.data` may say how many there are of each kind."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        exact = ask.least == most_of(ask)
        kinds = list(dict.fromkeys(_kind(option) for option in ask.options))
        size: Mapping[str, int] = ask.data if isinstance(ask.data, Mapping) else {}
        groups = []
        for kind in kinds:
            options = [option for option in ask.options if _kind(option) == kind]
            most = size.get(kind, most_of(ask))
            label = next((text(option.detail) for option in options if option.detail is not None), "")
            faces = tuple(CountedFace(o.value, _face(o), text(o.label), o.most) for o in options)
            groups.append(FaceGroup(kind, label, most if exact else 0, most, faces))
        told = ask.suggested if isinstance(ask.suggested, (list, tuple)) else _lying(sheet, ask, groups)
        least = 0 if ask.optional else ask.least
        super().__init__(groups, sheet.answer, told, sheet.colour, least, most_of(ask), **kwargs)


def _lying(sheet: AskSheet, ask: Ask, groups: Sequence[FaceGroup]) -> list[Any]:
    """The dice that the tray shows already, if they may be those asked for."""
    lying = Counter(die.kind for die in sheet.asked.lying)
    if not lying or any(lying[group.kind] > group.most for group in groups) or set(lying) - {g.kind for g in groups}:
        return []
    values = {option.die: option.value for option in ask.options}
    return [values[die] for die in sheet.asked.lying if die in values]


def _kind(option: Option) -> str:
    return option.die.kind if option.die is not None else ""


def _face(option: Option) -> Face | None:
    die = option.die
    return None if die is None else Face(die.value, die.colour, die.symbol)


class DieTile(Marked):
    """A die as it lies; on brass when it is picked."""

    picked = NumericProperty(0)

    def __init__(self, option: Option, _side: str, **kwargs: Any) -> None:
        face = _face(option)
        assert face is not None
        spoken = " ".join((text(option.detail), text(option.label))).strip()
        super().__init__(face_mark(face, 42, _kind(option)), spoken=spoken, **kwargs)
        self.fbind("picked", lambda _, picked: setattr(self, "on", bool(picked)))


class DiceAsk(BoxLayout):
    """The dice as they lie: a tap lifts one, another puts it back; no more than asked, the suggested ones first."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._sheet, self._ask = sheet, ask
        suggested = ask.suggested if isinstance(ask.suggested, (list, tuple)) else ()
        self._lifted = [option.value for option in ask.options if option.value in suggested]
        drawn = all(option.die is not None for option in ask.options)
        upright = display.portrait
        across = 6 if len(ask.options) <= 12 else 7 if upright else 9
        grid = Grid(cols=max(1, min(across, len(ask.options))), spacing=dp(6 if drawn else 8))
        if drawn:
            lines = -(-len(ask.options) // grid.cols)
            grid.size_hint_y, grid.height = None, (dp(58) + dp(6)) * lines - dp(6)
        self._tiles: list[tuple[Option, PlaceTile | DieTile]] = []
        for option in ask.options:
            tile = DieTile(option, sheet.colour) if drawn else PlaceTile(option, sheet.colour)
            tile.bind(on_tap=lambda _, option=option: self._tap(option))
            self._tiles.append((option, tile))
            grid.add_widget(tile)
        self.add_widget(self._scrolling(grid) if drawn else grid)
        self._done = Push(say("app.ask.done"), side=sheet.colour or "blue", tall=58, act=self._finish)
        self.add_widget(self._done)
        self._show()

    def _scrolling(self, grid: GridLayout) -> Scroller:
        return Scroller(grid)

    def _tap(self, option: Option) -> None:
        if option.barred is not None:
            self._sheet.explain(option.barred)
        elif option.value in self._lifted:
            self._lifted.remove(option.value)
        elif len(self._lifted) < most_of(self._ask):
            self._lifted.append(option.value)
        self._show()

    @property
    def _enough(self) -> bool:
        return not self._ask.most or self._ask.least <= len(self._lifted)

    def _answer(self) -> Any:
        if self._ask.times == 1 and not self._ask.most:
            return self._lifted[0] if self._lifted else None
        return [option.value for option in self._ask.options if option.value in self._lifted]

    def _finish(self) -> None:
        reason = self._ask.answers_barred({**self._sheet.answers, self._ask.field: self._answer()})
        if reason is not None:
            self._sheet.explain(reason)
        elif self._enough:
            self._sheet.answer(self._answer())

    def _show(self) -> None:
        for option, tile in self._tiles:
            tile.picked = 1 if option.value in self._lifted else 0
        self._done.look = "dashed" if not self._enough else "side" if self._sheet.colour else "chalk"
        if self._ask.most:
            self._sheet.progress(len(self._lifted), most_of(self._ask))


class TextAsk(BoxLayout):
    """A line typed on a keyboard, or on the keys of the screen; the options are recent answers."""

    def __init__(self, sheet: AskSheet, ask: Ask, **kwargs: Any) -> None:
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
        self.add_widget(self._field)
        grid = Grid(cols=2, spacing=dp(8))
        for option in ask.options:
            push = Push(text(option.label), look="side_outlined", side=sheet.colour or "blue", tall=58)
            push.bind(on_tap=lambda _, value=option.value: sheet.answer(value))
            grid.add_widget(push)
        self.add_widget(grid)
        done = Push(say("app.ask.done"), look="side", side=sheet.colour or "blue", tall=58)
        done.bind(on_tap=lambda *_: self._finish(sheet))
        self.add_widget(done)

    def _finish(self, sheet: AskSheet) -> None:
        words = self._field.text.strip()
        if words:
            sheet.answer(words)


_BODIES: dict[str, Callable[[Any, Ask], Widget]] = {
    "pick": RowPick,
    "place": PlacePick,
    "count": CountAsk,
    "counts": CountsAsk,
    "value": ValueAsk,
    "dice": dice_ask,
    "text": TextAsk,
}


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """How far a sheet stays from the window's left, bottom, right and top, in pixels, and where it slides in from."""

    inset: tuple[float, float, float, float]
    edge: str = "bottom"


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose choice it is (`side`, None: nobody's), who must look away from a secret one (`other`), what else is known.

    `badge` is the ball's colour, `lying` are dice in the tray that have been read and not counted.
    """

    recent: Recent
    side: SideScene | None
    other: SideScene | None = None
    badge: str | None = None
    lying: tuple[Die, ...] = ()


class AskSheet(FloatLayout):
    """`done` gets the fields of the whole event after the last answer; the sheet is gone by then.

    `away` is the part of its way that it still has to slide in.
    """

    away = NumericProperty(0.0)

    def __init__(
        self,
        choice: Choice,
        done: Callable[[Fields], object],
        asked: Asked,
        place: SheetPlace,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.asked, self._place_on_screen = asked, place
        self.colour = asked.side.colour if asked.side else ""
        self._flow, self._done = Flow(choice), done
        self.answers = self._flow.answers
        self.secret = self._covered = any(ask.secret for ask in choice.asks)
        """What is answered here is never said aloud."""
        self.card = _Panel(self.colour, place.edge)
        self.add_widget(self.card)
        with self.canvas.before:
            PushMatrix()
            self._slid = Translate()  # the picture slides: nothing on it is laid out anew on its way
        with self.canvas.after:
            PopMatrix()
        whenever_placed(self, self._place, "away")
        self._show()

    @property
    def sliding(self) -> bool:
        """On its way in; touches come too early."""
        return bool(self.away > 0)

    def slide_in(self) -> None:
        """From the asking side's edge; with less motion it is simply there."""
        seconds = display.theme.seconds("sheet")
        if seconds:
            self.away = 1.0
            Animation(away=0.0, duration=seconds, t="out_quad").start(self)

    def leave(self) -> None:
        """The cross, or back: nothing stays."""
        room = context_of(self).room
        if self in room.sheets:
            room.sheets.remove(self)
            room.remove_widget(self)

    def answer(self, value: object) -> None:
        """The answer to the open ask; the last one makes the event."""
        self._flow.answer(value)
        self._next()

    def skip(self) -> None:
        """An optional ask is left out."""
        self._flow.skip()
        self._next()

    def explain(self, barred: Barred) -> None:
        """Why an option cannot be taken, with the number of the rule."""
        words = say("app.table.refused", reason=text(barred.reason).rstrip("."), rule=barred.rule)
        self._head.tell(words, "laiton", barred.rule)

    def progress(self, picked: int, times: int) -> None:
        """How many picks are done of how many."""
        self._head.tell(say("app.ask.picked", picked=picked, times=times), "craie2")

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Nothing under the sheet is touched; what stands beside it stays alive."""
        if not self.card.collide_point(*touch.pos):
            return False
        if not self.sliding:
            super().on_touch_down(touch)
        return True

    def _next(self) -> None:
        if self._flow.ask is None:
            self.leave()
            self._done(self._flow.fields())
        else:
            self._show()

    def _place(self) -> None:
        left, bottom, right, top = self._place_on_screen.inset
        width, height = self.width - left - right, self.height - bottom - top
        self.card.pos, self.card.size = (self.x + left, self.y + bottom), (width, height)
        step = {"left": (-width, 0.0), "right": (width, 0.0), "bottom": (0.0, -height)}[self._place_on_screen.edge]
        self._slid.xy = (step[0] * self.away, step[1] * self.away)

    def _show(self) -> None:
        ask = self._flow.ask
        assert ask is not None
        self.card.clear_widgets()
        self._head = AskHead(text(ask.title), self._hint_for(ask), self.asked.side, self.asked.badge, self.leave)
        self.card.add_widget(self._head)
        if self._covered:
            self.card.add_widget(self._cover())
            return
        if self._flow.switches:
            self.card.add_widget(self._switches())
        self.card.add_widget(_BODIES[ask.kind](self, ask))

    def _hint_for(self, ask: Ask) -> str:
        if self._covered and self.asked.other:
            return say("app.ask.look_away", name=self.asked.other.name)
        if ask.kind == "place":
            return say("app.ask.place_times", n=ask.times) if ask.times > 1 else say("app.ask.place_once")
        if ask.kind == "pick":
            return say("app.ask.pick_times", n=ask.times) if ask.times > 1 else text(self._flow.choice.label)
        return text(self._flow.choice.label)

    def _switches(self) -> BoxLayout:
        return HBox(*(self._segments(switch) for switch in self._flow.switches), spacing=dp(8), tall=58)

    def _segments(self, switch: Ask) -> Segments:
        """The legal options of a switch, told apart by their place: values may be lists."""
        options = legal_options(switch)
        labels = [" ".join(part for part in (text(option.label), option.effect or "") if part) for option in options]
        chosen = [option.value for option in options].index(self._flow.chosen(switch))

        def turn(place: int) -> None:
            self._flow.turn(switch, options[place].value)
            self._show()

        segments = Segments(list(enumerate(labels)), chosen, turn)
        if self.colour:
            segments.pushes[chosen].look, segments.pushes[chosen].side = "side", self.colour
        return segments

    def _cover(self) -> Widget:
        cover = VBox(spacing=dp(12), padding=(0, dp(8)))
        cover.add_widget(Text(say("app.ask.secret"), tone="craie2", flow="box", halign="center"))
        alone = Push(say("app.ask.alone"), look="side", side=self.colour or "blue", held=True, tall=76)

        def uncover(*_: object) -> None:
            self._covered = False
            self._show()

        alone.bind(on_tap=uncover)
        fill(cover, alone, Widget())
        return cover


class AskHead(BoxLayout):
    """The ball's colour or the side's badge, what the ask is for, a line that helps, and the cross."""

    def __init__(
        self, title: str, hint: str, side: SideScene | None, ball: str | None, leave: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(54), spacing=dp(12), **kwargs)
        middle = {"center_y": 0.5}
        self._rule: Push | None = None
        if ball:
            self.add_widget(BallMark(side=44, colour=ball, pos_hint=middle))
        elif side:
            self.add_widget(SideBadge(side=36, colour=side.colour, letter=side.letter, pos_hint=middle))
        self._words = VBox(size_hint_y=None, pos_hint=middle)
        self._title = Head(title, kind="titre", halign="left")
        self._hint = Text(hint, kind="mini", tone="craie2", halign="left")
        for part in (self._title, self._hint):
            part.fbind("height", self._fit)
            self._words.add_widget(part)
        self._words.fbind("width", self._fit)
        self.add_widget(self._words)
        cross = Push(
            icon="cross",
            icon_side=26,
            look="side_thin" if side else "outlined",
            side=side.colour if side else "blue",
            spoken=say("app.close"),
            pos_hint=middle,
            wide=52,
            tall=52,
        )
        cross.bind(on_tap=lambda *_: leave())
        left_handed = display.left_handed
        self.add_widget(cross, index=len(self.children) if left_handed else 0)

    def tell(self, words: str, tone: str, rule: str = "") -> None:
        """Another line under the title; beside the cross the way to the text of a rule."""
        self._hint.text, self._hint.tone = words, tone
        if self._rule is not None:
            self.remove_widget(self._rule)
            self._rule = None
        if known(rule):
            spoken = say("app.help.open", rule=rule)
            self._rule = Push(icon="help", icon_side=28, look="outlined", spoken=spoken, size_hint=(None, None))
            self._rule.size, self._rule.pos_hint = (dp(52), dp(52)), {"center_y": 0.5}
            self._rule.bind(on_tap=lambda *_: open_rule(context_of(self), rule))
            self.add_widget(self._rule, index=1)

    def _fit(self, *_: object) -> None:
        """A title too long for one line is set smaller before it wraps."""
        title = self._title
        title.kind = "titre"
        title.kind = "titre" if title._label.get_extents(title.text)[0] <= self._words.width else "bouton"
        self._words.height = title.height + self._hint.height
        self.height = max(dp(54), self._words.height)


class _Panel(Framed, BoxLayout):
    """The surface of a sheet in its side's panel colour, with that side's band."""

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
        whenever_placed(self, self._paint_band)

    def _paint_band(self) -> None:
        if self._edge == "bottom":
            self._band.pos, self._band.size = (self.x, self.top - self._width), (self.width, self._width)
        else:
            self._band.pos = (self.x if self._edge == "left" else self.right - self._width, self.y)
            self._band.size = (self._width, self.height)
