"""How the app behaves as a piece of furniture: when it dims, how bright it is, who may open what, what a pinch does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp

from companion.app import pulse
from companion.app.house import House
from companion.app.pinch import Pinch, stepped
from companion.app.theme import TEXT_SIZES
from companion.app.widgets.tap import Tap

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp
    from companion.app.room import Room
    from companion.app.saver import Saver

LOCKED = ("settings", "welcome", "catalogues", "exchange", "calibration")
"""Pages that a PIN protects; match play is never locked."""
LOOK = 0.5
"""Seconds between two looks at how long nobody has been there."""
LEAST_LIGHT = 10
"""Percent: darker no panel is set."""
REST_SHARE = 3
"""The saver shines with this part of the brightness set."""


class Manners:
    """One for the app; `start` when there is a window."""

    def __init__(self, app: TapisVertApp, house: House) -> None:
        self._app, self.house = app, house
        self._touched = Clock.get_time()
        self._saver: Saver | None = None
        self._pinch = Pinch()
        self._down_now: dict[object, Any] = {}
        self._veil: Color | None = None
        self._looking = Clock.create_trigger(self._look, LOOK, interval=True)

    def start(self, window: Any) -> None:
        """Watches the fingers and the clock."""
        self._pinch.least = dp(60)
        window.bind(on_touch_down=self._down, on_touch_move=self._move, on_touch_up=self._up)
        window.bind(on_request_close=self._leaving)
        with window.canvas.after:
            self._veil = Color(0, 0, 0, 0)
            whole = Rectangle(size=window.size)
        window.bind(size=lambda _, size: setattr(whole, "size", size))
        self._looking()
        if self.house.drawn is not None:
            pulse.start(window, self.house.drawn)
        self.adopt()

    def close(self) -> None:
        """The app ends: no curtain falls any more."""
        self._looking.cancel()

    def adopt(self) -> None:
        """The settings are other ones."""
        from companion.app.keys.docking import dock

        preferences = self._app.preferences
        wanted = preferences.keyboard == "shown" or (preferences.keyboard == "auto" and not self.house.keyboard)
        dock(self._app, wanted)
        self._brighten()
        self._app.hearing.adopt()

    # When nobody is there

    def wake(self) -> None:
        """Somebody is there."""
        self._touched = Clock.get_time()
        if self._saver is not None:
            self._saver.leave()

    def rest(self, *_: object) -> None:
        """The curtain falls; whoever had opened the lock is gone."""
        from companion.app.saver import Saver

        if self._saver is None:
            if self.house.lock is not None:
                self.house.lock.shut()
                if self.house.lock.closed:
                    _go_out(self._app.room)
            self._saver = Saver(self._app)
            self._app.lay(self._saver)
            self._brighten()

    def rested(self, saver: Saver) -> None:
        """The curtain is lifted."""
        room = self._app.room
        if saver in room.sheets:
            room.sheets.remove(saver)
            room.remove_widget(saver)
        self._saver = None
        self._touched = Clock.get_time()
        self._brighten()

    def _look(self, *_: object) -> None:
        if self._saver is not None and self._saver.parent is None:
            self.rested(self._saver)
        minutes = self._app.preferences.saver_minutes
        if minutes and Clock.get_time() - self._touched >= minutes * 60:
            self.rest()

    def shine(self, percent: int) -> None:
        """The panel's own light where it obeys, else a veil before the picture."""
        obeyed = self.house.backlight is not None and self.house.backlight.shine(percent)
        if self._veil is not None:
            self._veil.a = 0.0 if obeyed else (100 - percent) / 100 * 0.75

    def _brighten(self) -> None:
        percent = self._app.preferences.brightness
        self.shine(percent if self._saver is None else max(LEAST_LIGHT, percent // REST_SHARE))

    # Who may open what

    def guarded(self, page: str, enter: Callable[[], None]) -> None:
        """Enters a page, behind the PIN if it is one of those that are locked."""
        lock = self.house.lock
        if lock is None or not lock.closed or page not in LOCKED:
            enter()
            return
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, enter)

    def _leaving(self, *_: object, **__: object) -> bool:
        """The window is to be closed: with a PIN only, where there is one."""
        lock = self.house.lock
        if lock is None or not lock.closed:
            return False
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, self._app.stop)
        return True

    # Fingers

    def _down(self, _: Any, touch: Any) -> bool:
        self._touched = Clock.get_time()
        if not touch.is_touch:
            return False
        self._down_now[touch.uid] = touch
        if self._pinch.down(touch.uid, touch.pos):
            for finger in self._down_now.values():
                _let_go(finger)
            return True
        return False

    def _move(self, _: Any, touch: Any) -> bool:
        step = self._pinch.move(touch.uid, touch.pos)
        if step:
            preferences = self._app.preferences
            size = stepped(TEXT_SIZES, preferences.text_scale, step)
            if size != preferences.text_scale:
                self._app.prefer(replace(preferences, text_scale=size))
        return False

    def _up(self, _: Any, touch: Any) -> bool:
        self._down_now.pop(touch.uid, None)
        self._pinch.up(touch.uid)
        return False


def _go_out(room: Room) -> None:
    """Back to before the first locked page, if one is open: whoever comes next has not opened it."""
    at = next((at for at, place in enumerate(room.trail) if place.name in LOCKED), None)
    if at:
        del room.trail[at:]
        room.show()


def _let_go(touch: Any) -> None:
    """What the finger had taken hold of is left as if it had never been touched."""
    for reference in list(touch.grab_list):
        held = reference()
        touch.ungrab(held)
        if isinstance(held, Tap):
            held.let_go()
