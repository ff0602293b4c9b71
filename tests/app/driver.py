"""Drives the real app with real touches on the offscreen display: find by text, tap, hold, wait, take screenshots.

Kivy has one window per process, so a test that needs another size starts another process.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")

import companion.app  # noqa: F401  (Kivy's environment must be set before Kivy is imported)

SIZES = {"800x480": (800, 480), "1280x720": (1280, 720), "720x1280": (720, 1280)}


class AppScreen:
    """Access to the visible and touchable widgets of a running app."""

    def __init__(self, app: Any) -> None:
        self.app = app

    @property
    def root(self) -> Any:
        return self.app.navigator

    def walk(self, widget: Any = None) -> Iterator[Any]:
        """Yield every visible widget from back to front."""
        widget = widget if widget is not None else self.root
        for child in reversed(widget.children):
            if child.opacity > 0 and not getattr(child, "hidden", False):
                yield child
                yield from self.walk(child)

    def texts(self) -> list[str]:
        """Return all texts on the screen, back to front; without line breaks after hyphens."""
        labels = [child for child in self.walk() if getattr(child, "text", "") and hasattr(child, "texture_size")]
        return [label.text.replace("-\n", "-") for label in labels]

    def taps(self) -> list[Any]:
        """Return all widgets that accept touches now; those under a sheet are excluded."""
        from companion.app.widgets.button import Tappable

        navigator = self.app.navigator
        tops = [
            navigator.sheets[-1] if navigator.sheets else self.root,
            *([navigator.on_screen_keyboard] if navigator.sheets and navigator.on_screen_keyboard else []),
        ]
        return [child for top in tops for child in self.walk(top) if isinstance(child, Tappable)]

    def find(self, name: str) -> Any:
        """Return the touchable widget of that name: its text, its accessible name, or the start of either."""
        taps = self.taps()
        for fits in (lambda t: name in (t.text_name(), t.spoken_name()), lambda t: t.spoken_name().startswith(name)):
            found = [tap for tap in taps if fits(tap)]
            if found:
                return found[0]
        raise AssertionError(f"nothing called {name!r} can be touched; there is: {[tap.spoken_name() for tap in taps]}")

    def has(self, name: str) -> bool:
        """Return True if a touchable widget of that name exists."""
        return any(name in (tap.text_name(), tap.spoken_name()) for tap in self.taps())


class AppDriver(AppScreen):
    """Simulates a finger at a running app."""

    films_moments = False
    """True while a scene looks at moments. Elsewhere the finger goes on when the moment of the last event is over."""

    async def frames(self, count: int = 3) -> None:
        """Wait until `count` frames have been drawn."""
        from kivy.clock import Clock

        for _ in range(count):
            drawn = asyncio.get_running_loop().create_future()
            Clock.schedule_once(lambda *_, drawn=drawn: drawn.done() or drawn.set_result(None), 0)
            await drawn

    async def seconds(self, seconds: float) -> None:
        """Let the app run for this many seconds of Kivy's clock."""
        from kivy.clock import Clock

        end = Clock.get_time() + seconds
        while Clock.get_time() < end:
            await self.frames(1)
        await self.end_moments()

    async def end_moments(self) -> None:
        """End the moments on the screen, as their time does; not while a scene films them."""
        moments = getattr(self.app.navigator.page, "moments", None)
        if moments is not None and moments.current is not None and not self.films_moments:
            moments.clear()
            await self.frames(2)

    async def until(self, true: Callable[[], object], frames: int = 600) -> None:
        """Wait until a condition is true.

        Raises: AssertionError after `frames` frames.
        """
        for _ in range(frames):
            if true():
                await self.end_moments()
                return
            await self.frames(1)
        raise AssertionError(f"still not true after {frames} frames; on the screen: {self.texts()}")

    async def tap(self, name: str) -> None:
        """Tap the widget of that name; the tap counts even directly after another one."""
        await self.end_moments()  # of an event that a scene recorded itself
        await self.tap_widget(self.find(name))

    async def tap_widget(self, widget: Any) -> None:
        """Scroll a widget into view if necessary, wait until it accepts taps, and tap its centre."""
        from kivy.clock import Clock

        await self.reveal(widget)
        await self.until(lambda: Clock.get_time() >= getattr(widget, "wakes_at", 0.0))
        x, y = widget.to_window(*widget.center)
        await self.touch(x, y)
        await self.rest()

    async def rest(self) -> None:
        """Let the app settle after a tap and reset the tap guard, as if a slow finger had waited."""
        from kivy.clock import Clock

        from companion.app.widgets.button import TapGuard, Tappable

        Tappable.guard = TapGuard(Clock.get_time)
        await self.frames(3)
        await self.until(lambda: not any(sheet.sliding for sheet in self.app.navigator.sheets))

    async def hold(self, name: str) -> None:
        """Hold the widget of that name until its progress bar is full."""
        await self.end_moments()
        await self.hold_widget(self.find(name))

    async def hold_widget(self, widget: Any) -> None:
        """Hold a widget until its progress bar is full."""
        from kivy.base import EventLoop

        await self.reveal(widget)
        finger = self.finger(*widget.to_window(*widget.center))
        EventLoop.post_dispatch_input("begin", finger)
        await self.until(lambda: widget.progress > 0)
        await self.until(lambda: widget.progress == 0)
        finger.update_time_end()
        EventLoop.post_dispatch_input("end", finger)
        await self.rest()

    def finger(self, x: float, y: float) -> Any:
        """Return a touch at window pixels that is not down yet."""
        from kivy.core.window import Window

        return _finger(x / max(1, Window.width - 1), y / max(1, Window.height - 1))

    async def touch(self, x: float, y: float, hold: float = 0.0) -> None:
        """Press and release at window pixels, through Kivy's own event loop."""
        from kivy.base import EventLoop

        touch = self.finger(x, y)
        EventLoop.post_dispatch_input("begin", touch)
        await (self.seconds(hold) if hold else self.frames(1))
        touch.update_time_end()
        EventLoop.post_dispatch_input("end", touch)
        await self.frames(2)

    async def reveal(self, widget: Any) -> None:
        """Scroll a widget into view."""
        from kivy.uix.scrollview import ScrollView

        parent = widget.parent
        while parent is not None and parent is not self.root and not hasattr(parent, "fbind_window"):
            if isinstance(parent, ScrollView):
                parent.scroll_to(widget, animate=False)
                await self.frames(2)
            parent = parent.parent if parent.parent is not parent else None

    async def slip(self, name: str) -> None:
        """Press the widget of that name and move off it before the release."""
        from kivy.base import EventLoop

        x, y = self.find(name).to_window(*self.find(name).center)
        finger = self.finger(x, y)
        EventLoop.post_dispatch_input("begin", finger)
        await self.frames(2)
        destination = self.finger(2, 2)
        finger.move((destination.sx, destination.sy))
        EventLoop.post_dispatch_input("update", finger)
        finger.update_time_end()
        EventLoop.post_dispatch_input("end", finger)
        await self.rest()

    def type_over(self, text: str) -> None:
        """Replace the content of the text field on the screen."""
        field = self.field()
        field.select_all()
        field.delete_selection()
        field.insert_text(text)

    def field(self) -> Any:
        """Return the text field on the screen."""
        from kivy.uix.textinput import TextInput

        return next(child for child in self.walk() if isinstance(child, TextInput))

    async def picture(self, file: Path) -> None:
        """Save a screenshot as a PNG file after the next frame."""
        await self.frames(4)
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file)


def _finger(sx: float, sy: float) -> Any:
    from kivy.core.window import Window
    from kivy.input.motionevent import MotionEvent

    class Finger(MotionEvent):
        def depack(self, args: tuple[float, float]) -> None:
            self.sx, self.sy = args
            self.profile = ["pos"]
            self.is_touch = True
            super().depack(args)

    finger = Finger("driver", next(_numbers), (sx, sy), is_touch=True, type_id="touch")
    finger.scale_for_screen(Window.width, Window.height)
    return finger


_numbers = iter(range(1, 1_000_000))


def save(file: Path) -> None:
    """Save the window's pixels as a PNG."""
    import cv2
    import numpy as np
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    width, height = Window.size
    raw = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    pixels = np.frombuffer(raw, dtype=np.uint8).reshape(height, width, 4)[::-1]
    if not cv2.imwrite(str(file), cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGR)):
        raise OSError(f"picture not written: {file}")


def drive(app: Any, play: Callable[[AppDriver], Awaitable[None]]) -> None:
    """Run the app together with a player coroutine; the app stops when the player is done."""

    async def evening() -> None:
        running = asyncio.ensure_future(app.async_run("asyncio"))
        while getattr(app, "context", None) is None or app.context.navigator.page is None:
            await asyncio.sleep(0)
            if running.done():
                running.result()
        table = AppDriver(app.context)
        surprises = watch_surprises(app.context)
        await table.frames(3)
        try:
            await play(table)
        finally:
            app.stop()
            left = _still_due(app.context)
            await running
        if surprises:
            raise surprises[0]
        assert not left, f"the app has ended, and still looks: {left}"

    asyncio.run(evening())


def _still_due(app: Any) -> list[str]:
    """Return the callbacks of the app's services that are still scheduled after its stop; each would run once more."""
    from kivy.clock import Clock

    parts = (app.idle_monitor, app.tournament_follower, app.hardware_buttons)
    due = [event.get_callback() for event in Clock.get_events()]
    return [repr(call) for call in due if getattr(call, "owner", getattr(call, "__self__", None)) in parts]


def watch_surprises(app: Any) -> list[BaseException]:
    """Collect the errors that the app reports to the players as unexpected; a test expects none."""
    found: list[BaseException] = []
    app.surprises = found
    original_handler = app.on_unexpected_error

    def surprised(fault: BaseException) -> None:
        found.append(fault)
        original_handler(fault)

    app.on_unexpected_error = surprised
    return found


def faults(table: AppDriver) -> list[str]:
    """Return the layout faults on the screen: clipped or overlapping text, targets too small."""
    from tests.app.layout import faults_of

    return faults_of(table.root, list(table.walk()), table.taps())
