"""When the screen dims and rests, how bright it is, which pages a PIN protects, what a pinch does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app import background
from companion.app.platform import Platform
from companion.app.theme import TEXT_SIZES, faded
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import bind_geometry, fill
from companion.app.widgets.text import BoldText, Text
from companion.table.session import Session

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

    from companion.app.context import AppContext
    from companion.app.navigator import Navigator


MOVE_INTERVAL_S = 10.0
"""Seconds between two steps of the words over the screen."""
MOVE_RANGE = (0.05, 0.09)
"""How far they wander from the middle, as shares of width and height."""
MOVE_PERIODS_S = (840.0, 600.0)
"""Seconds for a round across and up and down: the two never meet in the same way for hours."""


class ScreenSaver(FloatLayout):
    """A sheet without a card. A touch ends it and does nothing else; so do dice that land, by whoever laid it."""

    sliding = BooleanProperty(False)

    def __init__(self, app: AppContext, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._app, self._step_count = app, 0
        dark, ink = ("craie", "encre") if app.theme.contrast == "light" else ("nuit", "craie2")  # dim in every theme
        with self.canvas.before:
            Color(*faded(app.theme.tone(dark), 0.97))
            self._curtain = Rectangle()
        bind_geometry(self, self._draw)
        self._text_box = BoxLayout(orientation="vertical", spacing=dp(8), size_hint=(0.86, None))
        self._text_box.bind(minimum_height=self._text_box.setter("height"))
        fill(self._text_box, *(BoldText(line, kind=kind, halign="center", tone=ink) for kind, line in self._lines()))
        how = "app.table.paused" if app.session else "app.saver.touch"
        self._text_box.add_widget(Text(app.translate(how), halign="center", tone=ink))
        self._move_text()
        self.add_widget(self._text_box)
        self._clock = Clock.schedule_interval(self._step, MOVE_INTERVAL_S)

    def slide_in(self) -> None:
        """A curtain falls at once."""

    def leave(self) -> None:
        """Back to what lies under it."""
        self._clock.cancel()
        self._app.idle_monitor.on_screen_saver_closed(self)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self.leave()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        return True

    def _lines(self) -> list[tuple[str, str]]:
        session = self._app.session
        if session is None:
            return [("fort", "Tapis Vert"), ("titre", self._app.settings.config.table.name)]
        names, score = names_and_scores(session)
        title = self._app.text(session.decision().title)
        if len(names) == 2:
            return [("titre", " – ".join(names)), ("score", " – ".join(score)), ("titre", title)]
        lines = [("titre", f"{name}  {points}") for name, points in zip(names, score, strict=True)]
        return [*lines, ("titre", title)]

    def _step(self, *_: object) -> None:
        self._step_count += 1
        self._move_text()

    def _move_text(self) -> None:
        across, up = (
            reach * math.sin(math.tau * self._step_count * MOVE_INTERVAL_S / round_) for reach, round_ in _MOVE_PATH
        )
        self._text_box.pos_hint = {"center_x": 0.5 + across, "center_y": 0.5 + up}

    def _draw(self) -> None:
        self._curtain.pos, self._curtain.size = self.pos, self.size


_MOVE_PATH = tuple(zip(MOVE_RANGE, MOVE_PERIODS_S, strict=True))


def names_and_scores(session: Session) -> tuple[list[str], list[str]]:
    """Names and points of the sides, in the order of the match."""
    names = {side.side: side.name for side in session.scene().sides}
    score = session.game.view(session.state).get("score") or {}
    return [names.get(side, side) for side in score], [str(points) for points in score.values()]


Point = tuple[float, float]

ZOOM_IN_RATIO, ZOOM_OUT_RATIO = 1.35, 0.74
"""How many times farther, or nearer, than at first two fingers must be for one step."""


@dataclass(slots=True)
class PinchGesture:
    """Follows the fingers on the screen by their ids. `least` is a distance in pixels that counts as together."""

    min_distance_px: float = 40.0
    _fingers: dict[object, Point] = field(default_factory=dict)
    _start: float | None = None

    def down(self, finger: object, at: Point) -> bool:
        """A finger comes down; True when it is the second one, and touches now mean something else."""
        self._fingers[finger] = at
        self._start = self._distance()
        return self._start is not None

    def move(self, finger: object, at: Point) -> int:
        """A finger moves: 1 for larger, -1 for smaller, 0 for not yet."""
        if finger not in self._fingers:
            return 0
        self._fingers[finger] = at
        apart = self._distance()
        if apart is None or self._start is None:
            return 0
        ratio = apart / self._start
        if ZOOM_OUT_RATIO < ratio < ZOOM_IN_RATIO:
            return 0
        self._start = apart
        return 1 if ratio >= ZOOM_IN_RATIO else -1

    def up(self, finger: object) -> None:
        """A finger goes up."""
        self._fingers.pop(finger, None)
        self._start = self._distance()

    def _distance(self) -> float | None:
        """How far two fingers are from each other; None with another number of them."""
        if len(self._fingers) != 2:
            return None
        return max(math.dist(*self._fingers.values()), self.min_distance_px)


def next_size(sizes: tuple[int, ...], present: int, step: int) -> int:
    """The next size in a direction, the same at the end."""
    at = sizes.index(present) + step
    return sizes[max(0, min(at, len(sizes) - 1))]


LOCKED_PAGES = ("settings", "welcome", "catalogues", "exchange", "calibration")
"""Pages that a PIN protects; match play is never locked."""
IDLE_CHECK_INTERVAL_S = 0.5
"""Seconds between two looks at how long nobody has been there."""
MIN_BRIGHTNESS_PERCENT = 10
"""Percent: darker no panel is set."""
SAVER_BRIGHTNESS_DIVISOR = 3
"""The saver shines with this part of the brightness set."""


class IdleMonitor:
    """One for the app; `start` when there is a window."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app, self.platform = app, platform
        self._last_touch_at = Clock.get_time()
        self._saver: ScreenSaver | None = None
        self._pinch = PinchGesture()
        self._active_touches: dict[object, Any] = {}
        self._dimming_overlay: Color | None = None
        self._idle_check = Clock.create_trigger(self._check_idle, IDLE_CHECK_INTERVAL_S, interval=True)

    def start(self, window: WindowBase) -> None:
        """Watches the fingers and the clock."""
        self._pinch.min_distance_px = dp(60)
        window.bind(on_touch_down=self._down, on_touch_move=self._move, on_touch_up=self._up)
        window.bind(on_request_close=self._on_request_close)
        with window.canvas.after:
            self._dimming_overlay = Color(0, 0, 0, 0)
            whole = Rectangle(size=window.size)
        window.bind(size=lambda _, size: setattr(whole, "size", size))
        self._idle_check()
        if self.platform.on_frame is not None:
            background.start_frame_heartbeat(window, self.platform.on_frame)
        self.apply_preferences()

    def close(self) -> None:
        """The app ends: no curtain falls any more."""
        self._idle_check.cancel()

    def apply_preferences(self) -> None:
        """The settings are other ones."""
        from companion.app.keyboard import dock

        preferences = self._app.preferences
        wanted = preferences.keyboard == "shown" or (preferences.keyboard == "auto" and not self.platform.has_keyboard)
        dock(self._app, wanted)
        self._apply_brightness()
        self._app.audio.apply_preferences()

    # When nobody is there

    def wake(self) -> None:
        """Somebody is there."""
        self._last_touch_at = Clock.get_time()
        if self._saver is not None:
            self._saver.leave()

    def start_screen_saver(self, *_: object) -> None:
        """The curtain falls; whoever had opened the lock is gone."""

        if self._saver is None:
            if self.platform.lock is not None:
                self.platform.lock.lock()
                if self.platform.lock.is_locked:
                    _leave_locked_pages(self._app.navigator)
            self._saver = ScreenSaver(self._app)
            self._app.show_sheet(self._saver)
            self._apply_brightness()

    def on_screen_saver_closed(self, saver: ScreenSaver) -> None:
        """The curtain is lifted."""
        navigator = self._app.navigator
        if saver in navigator.sheets:
            navigator.sheets.remove(saver)
            navigator.remove_widget(saver)
        self._saver = None
        self._last_touch_at = Clock.get_time()
        self._apply_brightness()

    def _check_idle(self, *_: object) -> None:
        if self._saver is not None and self._saver.parent is None:
            self.on_screen_saver_closed(self._saver)
        minutes = self._app.preferences.saver_minutes
        if minutes and Clock.get_time() - self._last_touch_at >= minutes * 60:
            self.start_screen_saver()

    def set_brightness(self, percent: int) -> None:
        """The panel's own light where it obeys, else a veil before the picture."""
        obeyed = self.platform.backlight is not None and self.platform.backlight.set_brightness(percent)
        if self._dimming_overlay is not None:
            self._dimming_overlay.a = 0.0 if obeyed else (100 - percent) / 100 * 0.75

    def _apply_brightness(self) -> None:
        percent = self._app.preferences.brightness
        self.set_brightness(
            percent if self._saver is None else max(MIN_BRIGHTNESS_PERCENT, percent // SAVER_BRIGHTNESS_DIVISOR)
        )

    # Who may open what

    def open_guarded(self, page: str, enter: Callable[[], None]) -> None:
        """Enters a page, behind the PIN if it is one of those that are locked."""
        lock = self.platform.lock
        if lock is None or not lock.is_locked or page not in LOCKED_PAGES:
            enter()
            return
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, enter)

    def _on_request_close(self, *_: object, **__: object) -> bool:
        """The window is to be closed: with a PIN only, where there is one."""
        lock = self.platform.lock
        if lock is None or not lock.is_locked:
            return False
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, self._app.stop)
        return True

    # Fingers

    def _down(self, _: Any, touch: Any) -> bool:
        self._last_touch_at = Clock.get_time()
        if not touch.is_touch:
            return False
        self._active_touches[touch.uid] = touch
        if self._pinch.down(touch.uid, touch.pos):
            for finger in self._active_touches.values():
                _cancel_touch(finger)
            return True
        return False

    def _move(self, _: Any, touch: Any) -> bool:
        step = self._pinch.move(touch.uid, touch.pos)
        if step:
            preferences = self._app.preferences
            size = next_size(TEXT_SIZES, preferences.text_scale, step)
            if size != preferences.text_scale:
                self._app.apply_preferences(replace(preferences, text_scale=size))
        return False

    def _up(self, _: Any, touch: Any) -> bool:
        self._active_touches.pop(touch.uid, None)
        self._pinch.up(touch.uid)
        return False


def _leave_locked_pages(navigator: Navigator) -> None:
    """Back to before the first locked page, if one is open: whoever comes next has not opened it."""
    at = next((at for at, route in enumerate(navigator.back_stack) if route.name in LOCKED_PAGES), None)
    if at:
        del navigator.back_stack[at:]
        navigator.show()


def _cancel_touch(touch: Any) -> None:
    """What the finger had taken hold of is left as if it had never been touched."""
    for reference in list(touch.grab_list):
        grabbed = reference()
        touch.ungrab(grabbed)
        if isinstance(grabbed, Tappable):
            grabbed.cancel_press()
