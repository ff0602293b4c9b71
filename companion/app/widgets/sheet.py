"""Sheets that slide over a page, sheets with a list of entries, and toasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, translate
from companion.app.theme import faded
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, HBox, Scroller, VBox, fill
from companion.app.widgets.marks import Framed, Mark
from companion.app.widgets.text import Name, Text

if TYPE_CHECKING:
    from companion.app.context import AppContext


class Sheet(FloatLayout):
    """A sheet over the page. Show it with `show_sheet`; `close_sheet` or its close button removes it.

    - `box` is its position in the window as fractions (x, y, width, height).
    - `edge` is the edge from which it slides in.
    - `closed` is called when the close button or back removes it.

    A tap beside it is like its close button. Touches while it slides are ignored.
    """

    sliding = BooleanProperty(False)
    notice = ""
    """The sentence of a sheet that only tells one."""

    def __init__(
        self,
        title: str,
        body: Widget,
        *,
        box: tuple[float, float, float, float] = (0.06, 0.06, 0.88, 0.88),
        edge: str = "bottom",
        cross: bool = True,
        closed: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._closed, self._edge, self.body, self._cross = closed, edge, body, cross
        with self.canvas.before:
            self._scrim_colour = Color(*faded(display.theme.nuit, 0.82))
            self._scrim = Rectangle()
        self.bind(pos=self._cover, size=self._cover)
        self.card = Card(
            radius=16,
            line=display.theme.bord,
            padding=(dp(16), dp(8), dp(16), dp(14)),
            spacing=dp(8),
            size_hint=(box[2], box[3]),
            pos_hint={"x": box[0], "y": box[1]},
        )
        top = HBox(Name(title, kinds=["titre", "bouton", "corps"], halign="left"), spacing=dp(8), tall=52)
        self._header = top
        if cross:
            push = PushButton(icon="cross", style="quiet", spoken=translate("app.close"), wide=56, act=self.leave)
            top.add_widget(push, index=1 if display.left_handed else 0)
        fill(self.card, top, body)
        self.add_widget(self.card)

    def add_to_header(self, *widgets: Widget) -> None:
        """Add widgets between the title and the close button."""
        for widget in widgets:
            self._header.add_widget(widget, index=1 if self._cross and not display.left_handed else 0)

    def slide_in(self) -> None:
        """Slide in from the edge. With reduced motion the sheet appears at once."""
        seconds = display.theme.seconds("sheet")
        if not seconds:
            return
        self.sliding = True
        hint = self.card.pos_hint
        start_offset = {"bottom": {"y": -1.0}, "left": {"x": -1.0}, "right": {"x": 1.0}, "top": {"y": 1.0}}[self._edge]
        start = {**hint, **start_offset}
        self.card.pos_hint = start

        def step(_: Animation, __: Widget, progress: float) -> None:
            self.card.pos_hint = {key: start[key] + (hint[key] - start[key]) * progress for key in hint}

        slide = Animation(opacity=1.0, duration=seconds, t="out_quad")
        slide.bind(on_progress=step, on_complete=lambda *_: self._finish_slide(hint))
        slide.start(self.card)

    def _finish_slide(self, hint: dict[str, float]) -> None:
        self.card.pos_hint = hint
        self.sliding = False

    def leave(self) -> None:
        """Close the sheet and discard its input."""
        context_of(self).close_sheet()
        if self._closed:
            self._closed()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.sliding:
            return True
        if self._cross and not self.card.collide_point(*touch.pos):
            touch.grab(self)
            return True
        super().on_touch_down(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        if not self.card.collide_point(*touch.pos) and self.parent is not None:
            self.leave()
        return True

    def _cover(self, *_: object) -> None:
        self._scrim.pos, self._scrim.size = self.pos, self.size


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """One row: its text, the action of a tap, or the reason why it is disabled (`disabled_reason`).

    `mark` is shown instead of the icon.
    """

    text: str
    on_select: Callable[[], None]
    detail: str = ""
    icon: str = ""
    disabled_reason: str = ""
    on: bool = False
    mark: Mark | None = None


def list_sheet(title: str, entries: Sequence[SheetEntry], *, cols: int = 1, height: float = 62) -> Sheet:
    """Return a sheet of entries in `cols` columns with rows of `height` dp. A tap selects one and closes the sheet."""
    grid = Grid(cols=cols, spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)
    for entry in entries:
        push = PushButton(entry.text, detail=entry.detail, icon=entry.icon, left=cols == 1, pad=14, tall=height)
        push.style = "dashed" if entry.disabled_reason else ("chalk" if entry.on else "outlined")
        if entry.mark is not None:
            push.mark(entry.mark)
        push.bind(on_tap=lambda push, entry=entry: _select(context_of(push), entry))
        grid.add_widget(push)
    return Sheet(title, Scroller(grid))


def message_sheet(title: str, sentences: Sequence[str], label: str, act: Callable[[], None]) -> Sheet:
    """Return a sheet with sentences in large type above one button, which closes it."""
    body = VBox(spacing=dp(10))
    fill(body, Widget(), *(Text(sentence, kind="bouton", halign="center") for sentence in sentences), Widget())
    push = PushButton(label, style="chalk", kind="titre", tall=72)
    push.bind(on_tap=lambda push: _select(context_of(push), SheetEntry(label, act)))
    body.add_widget(push)
    return Sheet(title, body, box=(0.06, 0.25, 0.88, 0.5) if display.portrait else (0.1, 0.15, 0.8, 0.7))


def _select(context: AppContext, entry: SheetEntry) -> None:
    if entry.disabled_reason:
        context.show_error(entry.disabled_reason)
        return
    context.close_sheet()
    entry.on_select()


TOAST_DURATION_S = 3.0
"""Time in seconds for which a toast is shown."""


class Toast(Framed, BoxLayout):
    """A short message at the top centre. A new toast replaces the old one."""

    def __init__(self, sentence: str, **kwargs: Any) -> None:
        wide = 0.9 if display.portrait else 0.6
        super().__init__(
            size_hint=(wide, None), pos_hint={"center_x": 0.5, "top": 0.985}, padding=(dp(14), dp(8)), **kwargs
        )
        self.fill, self.line = display.theme.nuit, display.theme.laiton
        label = Text(sentence, halign="center", tone="laiton")
        label.fbind("height", lambda _, height: setattr(self, "height", height + dp(16)))
        self.add_widget(label)


def show_toast(parent: FloatLayout, sentence: str) -> None:
    """Show a sentence in `parent` for a short time."""
    for old in [child for child in parent.children if isinstance(child, Toast)]:
        parent.remove_widget(old)
    current = Toast(sentence)
    parent.add_widget(current)
    Clock.schedule_once(
        lambda *_: parent.remove_widget(current) if current.parent is parent else None, TOAST_DURATION_S
    )
