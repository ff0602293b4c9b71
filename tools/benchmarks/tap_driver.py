"""Simulated finger and camera for the app benchmark: real touch events for Kivy's loop, and images of a drawn tray."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.table.ports import ReaderNews
from vision.cameras.simulated_tray import SimulatedTray
from vision.roll import CameraState, RollRequest, TrayPicture
from vision.watching.watcher import tray_picture

RATE = 12.0
"""Images of the tray per second. The app shows at most ten of them (SCREENS 9)."""
PICTURES = 24
"""Number of images, shown in turn, so that the benchmark does not include drawing them."""


class LiveTray:
    """A reader whose camera shows a live, empty tray. It reads nothing."""

    def __init__(self, pictures: Sequence[TrayPicture], rate: float = RATE) -> None:
        self._pictures, self._rate = tuple(pictures), rate
        self._start, self._last_index = time.perf_counter(), 0
        self._first: list[ReaderNews] = [CameraState(True, "tray")]

    def request(self, request: RollRequest) -> None:
        """Ignore the request: nobody throws."""

    def poll(self) -> Sequence[ReaderNews]:
        """Return the image that is due by wall time."""
        due = int((time.perf_counter() - self._start) * self._rate)
        news, self._first = self._first, []
        if due > self._last_index:
            self._last_index = due
            news.append(self._pictures[due % len(self._pictures)])
        return news

    def show_tray(self, on: bool) -> None:
        """Do nothing: the tray is always shown."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def tray_pictures(seed: int) -> tuple[TrayPicture, ...]:
    """Return images of an empty tray, each with its own noise."""
    camera = SimulatedTray(seed)
    return tuple(tray_picture(camera.frame(0.0).picture) for _ in range(PICTURES))


@dataclass
class TapDriver:
    """A simulated finger that taps choices, places and faces to advance the match, and sometimes undoes an event."""

    app: Any
    random: Random

    def target(self) -> Any | None:
        """Return a visible widget to tap, or None if there is none."""
        taps = list(self._taps())
        choices = _free_choices(taps)
        faces = [tap for tap in taps if type(tap).__name__ == "FaceButton"]
        if self.app.navigator.sheets:
            return self._target_in_sheet(taps, choices)
        undo = [tap for tap in taps if getattr(tap, "icon", "") == "undo"]
        if undo and ((not choices and not faces) or self.random.random() < 0.15):
            return undo[0]
        if faces and (not choices or self.random.random() < 0.6):
            return self.random.choice(faces)
        return self.random.choice(choices) if choices else None

    def _target_in_sheet(self, taps: list[Any], choices: list[Any]) -> Any | None:
        """Return a widget to tap in the topmost sheet: mostly one that advances the match, sometimes a close button."""
        places = [tap for tap in taps if type(tap).__name__ == "PlaceTile"]
        crosses = [tap for tap in taps if getattr(tap, "icon", "") == "cross"]
        bars = [tap for tap in taps if type(tap).__name__ == "PushButton" and getattr(tap, "style", "") == "side"]
        found = [tap for tap in (*places, *choices) if not tap.is_unavailable]
        pool = found if found and self.random.random() < 0.9 else [*bars, *crosses]
        return self.random.choice(pool) if pool else None

    def _taps(self) -> Iterator[Any]:
        from companion.app.widgets.button import Tappable

        navigator = self.app.navigator
        waiting = [navigator.sheets[-1] if navigator.sheets else navigator]
        while waiting:
            widget = waiting.pop()
            if isinstance(widget, Tappable):
                yield widget
            waiting += [child for child in widget.children if child.opacity > 0]

    def touch(self, widget: Any) -> Any:
        """Touch the centre of a widget after scrolling it into view."""
        from kivy.core.window import Window
        from kivy.uix.scrollview import ScrollView

        parent = widget.parent
        while parent is not None and parent.parent is not parent:
            if isinstance(parent, ScrollView):
                parent.scroll_to(widget, animate=False)
            parent = parent.parent
        x, y = widget.to_window(*widget.center)
        return _touch(x / max(1, Window.width - 1), y / max(1, Window.height - 1))


def _free_choices(taps: Iterable[Any]) -> list[Any]:
    """Return the choices that a short tap selects."""
    return [
        tap
        for tap in taps
        if type(tap).__name__ == "ChoiceButton" and not tap.is_unavailable and not tap.needs_long_press
    ]


def _touch(x: float, y: float) -> Any:
    from kivy.core.window import Window
    from kivy.input.motionevent import MotionEvent

    class Touch(MotionEvent):
        def depack(self, args: tuple[float, float]) -> None:
            self.sx, self.sy = args
            self.profile = ["pos"]
            self.is_touch = True
            super().depack(args)

    touch = Touch("bench", time.perf_counter_ns(), (x, y), is_touch=True, type_id="touch")
    touch.scale_for_screen(Window.width, Window.height)
    return touch
