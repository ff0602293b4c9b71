"""A sheet that slides over a page: a title, a cross that leaves nothing behind, and a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.theme import faded
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Name


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
        app = App.get_running_app()
        self._closed, self._edge, self.body = closed, edge, body
        with self.canvas.before:
            self._scrim_colour = Color(*faded(app.theme.nuit, 0.82))
            self._scrim = Rectangle()
        self.bind(pos=self._cover, size=self._cover)
        self.card = Card(
            radius=16,
            line=app.theme.bord,
            padding=(dp(16), dp(8), dp(16), dp(14)),
            spacing=dp(8),
            size_hint=(box[2], box[3]),
            pos_hint={"x": box[0], "y": box[1]},
        )
        top = BoxLayout(size_hint_y=None, height=dp(52), spacing=dp(8))
        top.add_widget(Name(title, kinds=["titre", "bouton", "corps"], halign="left"))
        if cross:
            push = Push("", icon="cross", look="quiet", spoken=app.say("app.close"), size_hint_x=None, width=dp(56))
            push.bind(on_tap=lambda *_: self.leave())
            top.add_widget(push, index=1 if app.preferences.left_handed else 0)
        self.card.add_widget(top)
        self.card.add_widget(body)
        self.add_widget(self.card)

    def slide_in(self) -> None:
        """From its edge to its place; with less motion it is simply there."""
        seconds = App.get_running_app().theme.seconds("sheet")
        if not seconds:
            return
        self.sliding = True
        hint = self.card.pos_hint
        away = {"bottom": {"y": -1.0}, "left": {"x": -1.0}, "right": {"x": 1.0}, "top": {"y": 1.0}}[self._edge]
        start = {**hint, **away}
        self.card.pos_hint = start

        def step(_: Animation, __: Widget, progress: float) -> None:
            self.card.pos_hint = {key: start[key] + (hint[key] - start[key]) * progress for key in hint}

        slide = Animation(opacity=1.0, duration=seconds, t="out_quad")
        slide.bind(on_progress=step, on_complete=lambda *_: self._settled(hint))
        slide.start(self.card)

    def _settled(self, hint: dict[str, float]) -> None:
        self.card.pos_hint = hint
        self.sliding = False

    def leave(self) -> None:
        """The cross: nothing of what was begun here stays."""
        App.get_running_app().lift()
        if self._closed:
            self._closed()

    def on_touch_down(self, touch: Any) -> bool:
        if not self.sliding:
            super().on_touch_down(touch)
        return True

    def _cover(self, *_: object) -> None:
        self._scrim.pos, self._scrim.size = self.pos, self.size
