"""Things that are tapped for the usual and held for the rare."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock

from companion.app.widgets.tap import Tap


class TapOrHold(Tap):
    """Gives `on_tap` when a finger goes before the time to hold is over, `on_hold` when it stays."""

    __events__ = ("on_hold",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stays: Any = None
        self._stayed = False

    def on_hold(self) -> None:
        """What holding does; bound by whoever made the widget."""

    def on_press(self) -> None:
        super().on_press()
        self._stayed = False
        self._stays = Clock.schedule_once(self._stay, App.get_running_app().theme.seconds("hold"))

    def on_release(self) -> None:
        if not self._stayed:
            super().on_release()

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self and self._stays is not None:
            self._stays.cancel()
        return bool(super().on_touch_up(touch))

    def let_go(self) -> None:
        """As if no finger had come: it does not stay either."""
        if self._stays is not None:
            self._stays.cancel()
        super().let_go()

    def _stay(self, *_: object) -> None:
        self._stayed = True
        self.let_go()
        if Clock.get_time() >= self.wakes_at and self.passes():
            self.dispatch("on_hold")
