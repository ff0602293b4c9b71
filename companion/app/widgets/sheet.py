"""A sheet that slides over a page, a list of entries in one, and a sentence shown for a moment."""

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
from companion.app.widgets.components import Card, Grid, HBox, Scroller, fill
from companion.app.widgets.marks import Framed
from companion.app.widgets.text import Name, Text

if TYPE_CHECKING:
    from companion.app.context import AppContext


class Sheet(FloatLayout):
    """Shown with `app.lay(sheet)`, taken away with `app.lift()` or its cross.

    `box` is its place in the window as fractions (x, y, width, height), `edge` the edge it slides in from. Touches
    beside it go nowhere, and so do touches while it slides. `closed` is called when the cross (or back) takes it away.
    """

    sliding = BooleanProperty(False)

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
        self._closed, self._edge, self.body = closed, edge, body
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
        if cross:
            push = PushButton(icon="cross", style="quiet", spoken=translate("app.close"), wide=56, act=self.leave)
            top.add_widget(push, index=1 if display.left_handed else 0)
        fill(self.card, top, body)
        self.add_widget(self.card)

    def slide_in(self) -> None:
        """From its edge to its place; with less motion it is simply there."""
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
        """The cross: nothing of what was begun here stays."""
        context_of(self).close_sheet()
        if self._closed:
            self._closed()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.sliding:
            super().on_touch_down(touch)
        return True

    def _cover(self, *_: object) -> None:
        self._scrim.pos, self._scrim.size = self.pos, self.size


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: what it says, what a tap does, or why it cannot be taken (`barred`)."""

    text: str
    on_select: Callable[[], None]
    detail: str = ""
    icon: str = ""
    disabled_reason: str = ""
    on: bool = False


def list_sheet(title: str, entries: Sequence[Entry], *, cols: int = 1, height: float = 62) -> Sheet:
    """A sheet of entries in `cols` columns of rows `height` dp high; a tap takes one and closes the sheet."""
    grid = Grid(cols=cols, spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)
    for entry in entries:
        push = PushButton(entry.text, detail=entry.detail, icon=entry.icon, left=cols == 1, pad=14, tall=height)
        push.style = "dashed" if entry.disabled_reason else ("chalk" if entry.on else "outlined")
        push.bind(on_tap=lambda push, entry=entry: _select(context_of(push), entry))
        grid.add_widget(push)
    return Sheet(title, Scroller(grid))


def _select(context: AppContext, entry: Entry) -> None:
    if entry.disabled_reason:
        context.show_error(entry.disabled_reason)
        return
    context.close_sheet()
    entry.on_select()


TOAST_DURATION_S = 3.0
"""Seconds."""


class Toast(Framed, BoxLayout):
    """At the upper edge, in the middle; the next one takes its place."""

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
    """Shows a sentence in a room for a moment."""
    for old in [child for child in parent.children if isinstance(child, Toast)]:
        parent.remove_widget(old)
    current = Toast(sentence)
    parent.add_widget(current)
    Clock.schedule_once(
        lambda *_: parent.remove_widget(current) if current.parent is parent else None, TOAST_DURATION_S
    )
