"""A finger and a camera for the bench of the screen: real touches into Kivy's own loop, pictures of a drawn tray."""

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
"""Pictures of the tray a second: the screen shows at most ten of them (SCREENS 9)."""
PICTURES = 24
"""Different pictures, shown in turn: the drawing of them is not the screen's work."""


class LiveTray:
    """A reader whose camera shows an empty tray, live, and reads nothing."""

    def __init__(self, pictures: Sequence[TrayPicture], rate: float = RATE) -> None:
        self._pictures, self._rate = tuple(pictures), rate
        self._start, self._shown = time.perf_counter(), 0
        self._first: list[ReaderNews] = [CameraState(True, "tray")]

    def request(self, request: RollRequest) -> None:
        """Nobody throws here."""

    def poll(self) -> Sequence[ReaderNews]:
        """The picture that is due by the clock on the wall."""
        due = int((time.perf_counter() - self._start) * self._rate)
        news, self._first = self._first, []
        if due > self._shown:
            self._shown = due
            news.append(self._pictures[due % len(self._pictures)])
        return news

    def show_tray(self, on: bool) -> None:
        """It always shows it."""

    def close(self) -> None:
        """Nothing to let go."""


def pictures(seed: int) -> tuple[TrayPicture, ...]:
    """Pictures of a tray in which nothing lies, each with its own noise."""
    camera = SimulatedTray(seed)
    return tuple(tray_picture(camera.frame(0.0).picture) for _ in range(PICTURES))


@dataclass
class Finger:
    """Touches whatever leads on: choices, places, faces; now and then it takes something back."""

    app: Any
    random: Random

    def target(self) -> Any | None:
        """Something to tap that is there now; None if nothing is."""
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
        """Something to tap in the topmost sheet: mostly what leads on, sometimes what closes it."""
        places = [tap for tap in taps if type(tap).__name__ == "PlaceTile"]
        crosses = [tap for tap in taps if getattr(tap, "icon", "") == "cross"]
        bars = [tap for tap in taps if type(tap).__name__ == "PushButton" and getattr(tap, "style", "") == "side"]
        found = [tap for tap in (*places, *choices) if not tap.is_unavailable]
        pool = found if found and self.random.random() < 0.9 else [*bars, *crosses]
        return self.random.choice(pool) if pool else None

    def _taps(self) -> Iterator[Any]:
        from companion.app.widgets.button import Tappable

        room = self.app.navigator
        waiting = [room.sheets[-1] if room.sheets else room]
        while waiting:
            widget = waiting.pop()
            if isinstance(widget, Tappable):
                yield widget
            waiting += [child for child in widget.children if child.opacity > 0]

    def touch(self, widget: Any) -> Any:
        """A finger on the middle of something, scrolled into sight."""
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
    """The choices that a short tap makes."""
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
