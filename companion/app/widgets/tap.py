"""What a finger can touch: one tap, or a hold for what must not happen by accident. One guard for the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.app import App
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

SECOND_TAP = 0.3
"""Seconds within which a second tap anywhere is ignored (SCREENS 4.7)."""
DEAD_AFTER_MOVE = 0.25
"""Seconds for which something that has just appeared or moved under a finger stays dead (SCREENS 4.7)."""


class TapGuard:
    """Lets one tap through and swallows one that follows too soon. `clock` gives seconds and never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.last = float("-inf")
        """When the last tap counted."""

    def passes(self) -> bool:
        """True for a tap that counts."""
        now = self._clock()
        if now - self.last < SECOND_TAP:
            return False
        self.last = now
        return True


class Tap(ButtonBehavior):
    """Mixed into a widget, gives it `on_tap`. `held` asks for a hold of 0.8 s, shown as a bar that fills.

    `spoken` is the name said by the voice; `barred` still takes taps (they explain), the looks are the widget's.
    `wakes_at` is a time of Kivy's clock before which nothing happens. `explored`: with everything spoken, its first
    tap only says its name.
    """

    spoken = StringProperty("")
    held = BooleanProperty(False)
    explored = BooleanProperty(True)
    wakes_at = NumericProperty(0.0)
    progress = NumericProperty(0.0)

    __events__ = ("on_tap",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._filling: Animation | None = None
        self._filled = False
        self.fbind("progress", self._draw_progress)

    def on_tap(self) -> None:
        """What the tap does; bound by whoever made the widget."""

    def sleep(self, seconds: float = DEAD_AFTER_MOVE) -> None:
        """Ignores fingers for a moment: the widget has just come under one."""
        self.wakes_at = Clock.get_time() + seconds

    def on_press(self) -> None:
        self.shine(True)
        self._filled = False
        if self.held:
            self._filling = Animation(progress=1.0, duration=App.get_running_app().theme.seconds("hold"))
            self._filling.bind(on_complete=lambda *_: self._held_long_enough())
            self._filling.start(self)

    def on_release(self) -> None:
        if not self.held:
            self._count()
        elif not self._filled:
            App.get_running_app().hearing.lets(self)

    def on_touch_up(self, touch: Any) -> bool:
        taken: bool = super().on_touch_up(touch)
        if touch.grab_current is self:
            self.let_go()
        return taken

    def _held_long_enough(self) -> None:
        self._filled = True
        self.let_go()
        self._count()

    def let_go(self) -> None:
        """As if no finger had come: what was filling empties, what shone goes out."""
        if self._filling:
            self._filling.cancel(self)
            self._filling = None
        self.progress = 0.0
        flash = App.get_running_app().theme.seconds("tap")
        Clock.schedule_once(lambda *_: self.shine(False), flash)

    def _count(self) -> None:
        if Clock.get_time() >= self.wakes_at and self.passes():
            self.dispatch("on_tap")

    def passes(self) -> bool:
        """Whether this tap counts: not too soon after another, and not one that only asks what it would do."""
        app = App.get_running_app()
        return bool(app.guard.passes() and app.hearing.lets(self))

    def shine(self, on: bool) -> None:
        """Shows that the finger was felt; a widget with a surface lights it up."""

    def _draw_progress(self, *_: object) -> None:
        self.canvas.after.remove_group("hold")
        if self.progress <= 0:
            return
        theme = App.get_running_app().theme
        with self.canvas.after:
            Color(*theme.laiton, group="hold")
            Rectangle(pos=self.pos, size=(self.width * self.progress, max(4.0, self.height * 0.08)), group="hold")

    def text_name(self) -> str:
        """Its visible text, without the second line."""
        return str(getattr(self, "text", ""))

    def spoken_name(self) -> str:
        """What the voice says: the spoken name, else every text on it."""
        return self.spoken or " ".join(part for part in (self.text_name(), getattr(self, "detail", "")) if part)
