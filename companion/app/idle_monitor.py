"""Screen dimming and screen saver, brightness, PIN-protected pages, and the pinch gesture."""

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
from companion.app.intervals import repeat, repeating
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
"""Seconds between two moves of the text on the screen saver."""
MOVE_RANGE = (0.05, 0.09)
"""Maximum distance of the text from the centre, as fractions of width and height."""
MOVE_PERIODS_S = (840.0, 600.0)
"""Seconds per horizontal and vertical cycle. The combined pattern does not repeat for hours."""


class ScreenSaver(FloatLayout):
    """Full-screen layer with score and names. A touch closes it and does nothing else; a roll also closes it."""

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
        self._clock = repeat(self._step, MOVE_INTERVAL_S)

    def slide_in(self) -> None:
        """Do nothing: the screen saver appears without animation."""

    def leave(self) -> None:
        """Close the screen saver and show the page again."""
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
    """Return names and points of the sides, in the order of the match."""
    names = {side.side: side.name for side in session.scene().sides}
    score = session.game.view(session.state).get("score") or {}
    return [names.get(side, side) for side in score], [str(points) for points in score.values()]


Point = tuple[float, float]

ZOOM_IN_RATIO, ZOOM_OUT_RATIO = 1.35, 0.74
"""Ratios of finger distance, relative to the start, that trigger one zoom step in or out."""


@dataclass(slots=True)
class PinchGesture:
    """A pinch detector that tracks touches by id. Distances below `min_distance_px` pixels count as that distance."""

    min_distance_px: float = 40.0
    _fingers: dict[object, Point] = field(default_factory=dict)
    _start: float | None = None

    def down(self, finger: object, at: Point) -> bool:
        """Add a touch. Returns True if it is the second one, so a pinch starts."""
        self._fingers[finger] = at
        self._start = self._distance()
        return self._start is not None

    def move(self, finger: object, at: Point) -> int:
        """Move a touch. Returns 1 to enlarge, -1 to reduce, 0 for no step."""
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
        """Remove a touch."""
        self._fingers.pop(finger, None)
        self._start = self._distance()

    def _distance(self) -> float | None:
        """Return the distance between two touches, or None if there are not exactly two."""
        if len(self._fingers) != 2:
            return None
        return max(math.dist(*self._fingers.values()), self.min_distance_px)


def next_size(sizes: tuple[int, ...], present: int, step: int) -> int:
    """Return the next size in a direction; the same size at the end of the list."""
    at = sizes.index(present) + step
    return sizes[max(0, min(at, len(sizes) - 1))]


LOCKED_PAGES = ("settings", "welcome", "catalogues", "exchange", "calibration", "profile_edit")
"""Pages that a PIN protects; match play is never locked."""
IDLE_CHECK_INTERVAL_S = 0.5
"""Seconds between two idle checks."""
MIN_BRIGHTNESS_PERCENT = 10
"""Minimum panel brightness in percent."""
SAVER_BRIGHTNESS_DIVISOR = 3
"""The screen saver divides the set brightness by this."""


class IdleMonitor:
    """Idle monitor, one instance per app. Call `start` when the window exists."""

    def __init__(self, app: AppContext, platform: Platform) -> None:
        self._app, self.platform = app, platform
        self._last_touch_at = Clock.get_time()
        self._saver: ScreenSaver | None = None
        self._pinch = PinchGesture()
        self._active_touches: dict[object, Any] = {}
        self._dimming_overlay: Color | None = None
        self._idle_check = repeating(self._check_idle, IDLE_CHECK_INTERVAL_S)

    def start(self, window: WindowBase) -> None:
        """Start to watch touches and the clock."""
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
        """Stop the idle check when the app ends."""
        self._idle_check.cancel()

    def apply_preferences(self) -> None:
        """Apply changed settings."""
        from companion.app.keyboard import dock

        preferences = self._app.preferences
        wanted = preferences.keyboard == "shown" or (preferences.keyboard == "auto" and not self.platform.has_keyboard)
        dock(self._app, wanted)
        self._apply_brightness()
        self._app.audio.apply_preferences()

    # Idle state

    def wake(self) -> None:
        """Reset the idle timer and close the screen saver."""
        self._last_touch_at = Clock.get_time()
        if self._saver is not None:
            self._saver.leave()

    def start_screen_saver(self, *_: object) -> None:
        """Start the screen saver and lock the PIN-protected pages again."""

        if self._saver is None:
            if self.platform.lock is not None:
                self.platform.lock.lock()
                if self.platform.lock.is_locked:
                    _leave_locked_pages(self._app.navigator)
            self._saver = ScreenSaver(self._app)
            self._app.show_sheet(self._saver)
            self._apply_brightness()

    def on_screen_saver_closed(self, saver: ScreenSaver) -> None:
        """Restore the page and brightness after the screen saver."""
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
        """Set the brightness of the backlight, or of a dark overlay if the panel does not support it."""
        obeyed = self.platform.backlight is not None and self.platform.backlight.set_brightness(percent)
        if self._dimming_overlay is not None:
            self._dimming_overlay.a = 0.0 if obeyed else (100 - percent) / 100 * 0.75

    def _apply_brightness(self) -> None:
        percent = self._app.preferences.brightness
        self.set_brightness(
            percent if self._saver is None else max(MIN_BRIGHTNESS_PERCENT, percent // SAVER_BRIGHTNESS_DIVISOR)
        )

    # Access control

    def open_guarded(self, page: str, enter: Callable[[], None]) -> None:
        """Run `enter`; for a locked page, ask for the PIN first."""
        lock = self.platform.lock
        if lock is None or not lock.is_locked or page not in LOCKED_PAGES:
            enter()
            return
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, enter)

    def _on_request_close(self, *_: object, **__: object) -> bool:
        """Handle a request to close the window: ask for the PIN if one is set."""
        lock = self.platform.lock
        if lock is None or not lock.is_locked:
            return False
        from companion.app.screens.pin import ask_pin

        ask_pin(self._app, lock, self._app.stop)
        return True

    # Touches

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
    """Leave the first locked page and all pages above it, because the next person has not entered the PIN."""
    at = next((at for at, route in enumerate(navigator.back_stack) if route.name in LOCKED_PAGES), None)
    if at:
        del navigator.back_stack[at:]
        navigator.show()


def _cancel_touch(touch: Any) -> None:
    """Cancel a touch: release every widget that grabbed it, as if it had not been touched."""
    for reference in list(touch.grab_list):
        grabbed = reference()
        touch.ungrab(grabbed)
        if isinstance(grabbed, Tappable):
            grabbed.cancel_press()
