"""Asks answered by tapping things on and off before saying so: dice to lift or to tell, and a text to type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.asks.counted_faces import CountedFace, CountedFaces, FaceGroup
from companion.app.asks.flow import most_of, together
from companion.app.asks.marked import Marked
from companion.app.asks.tile import PlaceTile
from companion.app.figures.slots import face_mark
from companion.app.figures.words import say, text
from companion.app.fonts import SENTENCE
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.games.base import Ask, Option
from vision.roll import Face

if TYPE_CHECKING:
    from companion.app.asks.sheet import AskSheet


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
    lying = Counter(die.kind for die in sheet.lying)
    if not lying or any(lying[group.kind] > group.most for group in groups) or set(lying) - {g.kind for g in groups}:
        return []
    values = {option.die: option.value for option in ask.options}
    return [values[die] for die in sheet.lying if die in values]


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
        upright = App.get_running_app().portrait
        across = 6 if len(ask.options) <= 12 else 7 if upright else 9
        grid = GridLayout(cols=max(1, min(across, len(ask.options))), spacing=dp(6 if drawn else 8))
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
        self._done = Push(say("app.ask.done"), side=sheet.colour or "blue", size_hint_y=None, height=dp(58))
        self._done.bind(on_tap=lambda *_: self._finish())
        self.add_widget(self._done)
        self._show()

    def _scrolling(self, grid: GridLayout) -> Scroller:
        scroller = Scroller()
        scroller.add_widget(grid)
        return scroller

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
        reason = together(self._ask, self._answer(), self._sheet.answers)
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
        self._field.bind(on_text_validate=lambda *_: self._finish(sheet))
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
