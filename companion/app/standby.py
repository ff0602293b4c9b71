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
from companion.app.house import House
from companion.app.theme import TEXT_SIZES, faded
from companion.app.widgets.pieces import fill, whenever_placed
from companion.app.widgets.push import Tap
from companion.app.widgets.text import Head, Text
from companion.table.session import Session

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

    from companion.app.context import AppContext
    from companion.app.room import Room


STEP = 10.0
"""Seconds between two steps of the words over the screen."""
WANDER = (0.05, 0.09)
"""How far they wander from the middle, as shares of width and height."""
ROUNDS = (840.0, 600.0)
"""Seconds for a round across and up and down: the two never meet in the same way for hours."""


class Saver(FloatLayout):
    """A sheet without a card. A touch ends it and does nothing else; so do dice that land, by whoever laid it."""

    sliding = BooleanProperty(False)

    def __init__(self, app: AppContext, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._app, self._steps = app, 0
        dark, ink = ("craie", "encre") if app.theme.contrast == "light" else ("nuit", "craie2")  # dim in every theme
        with self.canvas.before:
            Color(*faded(app.theme.tone(dark), 0.97))
            self._curtain = Rectangle()
        whenever_placed(self, self._draw)
        self._words = BoxLayout(orientation="vertical", spacing=dp(8), size_hint=(0.86, None))
        self._words.bind(minimum_height=self._words.setter("height"))
        fill(self._words, *(Head(line, kind=kind, halign="center", tone=ink) for kind, line in self._lines()))
        how = "app.table.paused" if app.session else "app.saver.touch"
        self._words.add_widget(Text(app.say(how), halign="center", tone=ink))
        self._wander()
        self.add_widget(self._words)
        self._clock = Clock.schedule_interval(self._step, STEP)

    def slide_in(self) -> None:
        """A curtain falls at once."""

    def leave(self) -> None:
        """Back to what lies under it."""
        self._clock.cancel()
        self._app.standby.rested(self)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self.leave()
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        return True

    def _lines(self) -> list[tuple[str, str]]:
        session = self._app.session
        if session is None:
            return [("fort", "Tapis Vert"), ("titre", self._app.settled.config.table.name)]
        names, score = standing(session)
        title = self._app.text(session.awaits().title)
        if len(names) == 2:
            return [("titre", " – ".join(names)), ("score", " – ".join(score)), ("titre", title)]
        lines = [("titre", f"{name}  {points}") for name, points in zip(names, score, strict=True)]
        return [*lines, ("titre", title)]

    def _step(self, *_: object) -> None:
        self._steps += 1
        self._wander()

    def _wander(self) -> None:
        across, up = (reach * math.sin(math.tau * self._steps * STEP / round_) for reach, round_ in _PATH)
        self._words.pos_hint = {"center_x": 0.5 + across, "center_y": 0.5 + up}

    def _draw(self) -> None:
        self._curtain.pos, self._curtain.size = self.pos, self.size


_PATH = tuple(zip(WANDER, ROUNDS, strict=True))


def standing(session: Session) -> tuple[list[str], list[str]]:
    """Names and points of the sides, in the order of the match."""
    names = {side.side: side.name for side in session.scene().sides}
    score = session.game.view(session.state).get("score") or {}
    return [names.get(side, side) for side in score], [str(points) for points in score.values()]


Point = tuple[float, float]

APART, TOGETHER = 1.35, 0.74
"""How many times farther, or nearer, than at first two fingers must be for one step."""


@dataclass(slots=True)
class Pinch:
    """Follows the fingers on the screen by their ids. `least` is a distance in pixels that counts as together."""

    least: float = 40.0
    _fingers: dict[object, Point] = field(default_factory=dict)
    _start: float | None = None

    def down(self, finger: object, at: Point) -> bool:
        """A finger comes down; True when it is the second one, and touches now mean something else."""
        self._fingers[finger] = at
        self._start = self._apart()
        return self._start is not None

    def move(self, finger: object, at: Point) -> int:
        """A finger moves: 1 for larger, -1 for smaller, 0 for not yet."""
        if finger not in self._fingers:
            return 0
        self._fingers[finger] = at
        apart = self._apart()
        if apart is None or self._start is None:
            return 0
        ratio = apart / self._start
        if TOGETHER < ratio < APART:
            return 0
        self._start = apart
        return 1 if ratio >= APART else -1

    def up(self, finger: object) -> None:
        """A finger goes up."""
        self._fingers.pop(finger, None)
        self._start = self._apart()

    def _apart(self) -> float | None:
        """How far two fingers are from each other; None with another number of them."""
        if len(self._fingers) != 2:
            return None
        return max(math.dist(*self._fingers.values()), self.least)


def stepped(sizes: tuple[int, ...], present: int, step: int) -> int:
    """The next size in a direction, the same at the end."""
    at = sizes.index(present) + step
    return sizes[max(0, min(at, len(sizes) - 1))]


LOCKED = ("settings", "welcome", "catalogues", "exchange", "calibration")
"""Pages that a PIN protects; match play is never locked."""
LOOK = 0.5
"""Seconds between two looks at how long nobody has been there."""
LEAST_LIGHT = 10
"""Percent: darker no panel is set."""
REST_SHARE = 3
"""The saver shines with this part of the brightness set."""


class Standby:
    """One for the app; `start` when there is a window."""

    def __init__(self, app: AppContext, house: House) -> None:
        self._app, self.house = app, house
        self._touched = Clock.get_time()
        self._saver: Saver | None = None
        self._pinch = Pinch()
        self._down_now: dict[object, Any] = {}
        self._veil: Color | None = None
        self._looking = Clock.create_trigger(self._look, LOOK, interval=True)

    def start(self, window: WindowBase) -> None:
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
            background.start(window, self.house.drawn)
        self.adopt()

    def close(self) -> None:
        """The app ends: no curtain falls any more."""
        self._looking.cancel()

    def adopt(self) -> None:
        """The settings are other ones."""
        from companion.app.keyboard import dock

        preferences = self._app.preferences
        wanted = preferences.keyboard == "shown" or (preferences.keyboard == "auto" and not self.house.keyboard)
        dock(self._app, wanted)
        self._brighten()
        self._app.sounds.adopt()

    # When nobody is there

    def wake(self) -> None:
        """Somebody is there."""
        self._touched = Clock.get_time()
        if self._saver is not None:
            self._saver.leave()

    def rest(self, *_: object) -> None:
        """The curtain falls; whoever had opened the lock is gone."""

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
