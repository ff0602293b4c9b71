"""Background work on the UI thread: frame heartbeat, long tasks in slices, garbage collection, page preloading."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.image import ImageLoader

from companion.app.fonts import CONDENSED, SENTENCE, TextStyle, typeset
from companion.app.game_screens import page_names
from companion.app.intervals import repeat
from companion.app.navigator import PAGES, page_class
from companion.app.theme import Theme

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

FRAME_REQUEST_INTERVAL_S = 2.0
"""Seconds between two requested frames."""


def start_frame_heartbeat(window: WindowBase, on_frame: Callable[[], None]) -> None:
    """Call `on_frame` after every frame of the window, and request frames regularly."""
    window.bind(on_flip=lambda *_: on_frame())
    repeat(lambda *_: window.canvas.ask_update(), FRAME_REQUEST_INTERVAL_S)


FRAME_BUDGET_S = 0.012
"""Seconds of each frame that the task may use."""

Step = TypeVar("Step")


class IdleTask(Generic[Step]):
    """A long task in slices. `on_progress` gets the last step of each frame; `on_done` is called at the end."""

    def __init__(
        self, work: Iterator[Step], on_done: Callable[[], None], on_progress: Callable[[Step], None] | None = None
    ) -> None:
        self._work, self._on_done, self._on_progress = work, on_done, on_progress
        self._event = Clock.schedule_interval(self._run_slice, 0)

    def stop(self) -> None:
        """Cancel the remaining steps."""
        self._event.cancel()

    def _run_slice(self, *_: object) -> None:
        end = time.perf_counter() + FRAME_BUDGET_S
        newest: Step | None = None
        while time.perf_counter() < end:
            try:
                newest = next(self._work)
            except StopIteration:
                self.stop()
                self._on_done()
                return
        if self._on_progress is not None and newest is not None:
            self._on_progress(newest)


_CHECK_INTERVAL_S = 0.05
"""Seconds between two checks."""
_AFTER_TAP_S = 0.25
"""Seconds after a tap in which no other tap can count, less the duration of a collection."""
_QUIET_AFTER_S = 1.0
"""Seconds without a tap after which the table counts as idle."""
_MIN_ALLOCATIONS = 4_000
"""Allocations since the last collection that make another one worthwhile: about half a page."""
_MAX_COLLECTION_S = 0.04
"""Maximum duration of a collection in seconds. After a longer one, the required number of allocations rises."""
_FORCED_GC_THRESHOLD = 200_000
"""Allocations after which Python collects automatically, even during play."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""Available in the GNU C library only."""


class IdleGarbageCollector:
    """Scheduler of Python's garbage collection: at idle moments instead of in the middle of a page.

    `last_tap` returns the time of the last accepted tap, in seconds of Kivy's clock. The caller must keep a reference
    to the collector: Kivy's clock holds only weak references to methods.
    """

    def __init__(self, last_tap: Callable[[], float]) -> None:
        self._last_tap = last_tap
        self._last_seen_tap = float("-inf")
        self._min_allocations = float(_MIN_ALLOCATIONS)

    def start(self) -> None:
        """Freeze all objects loaded so far, which excludes them from collection, and start the checks."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(_FORCED_GC_THRESHOLD, 10, 10)
        repeat(self._collect_if_idle, _CHECK_INTERVAL_S)

    def _collect_if_idle(self, *_: object) -> None:
        tap = self._last_tap()
        frame_drawn, self._last_seen_tap = tap == self._last_seen_tap, tap  # a frame is drawn between two checks
        if not frame_drawn or gc.get_count()[0] < self._min_allocations or EventLoop.touches:
            return
        idle_s = Clock.get_time() - tap
        if idle_s > _QUIET_AFTER_S or idle_s <= _AFTER_TAP_S:
            start = time.perf_counter()
            gc.collect()
            if idle_s > _QUIET_AFTER_S and _TRIM is not None:
                _TRIM(0)
            self._min_allocations = _MIN_ALLOCATIONS * max(1.0, (time.perf_counter() - start) / _MAX_COLLECTION_S)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789àâçéèêëîïôùûœÉÈÀÇ’-–…·,.:;!?()+%/"
"""The most frequent characters. Each font size renders a character when it is first used."""


def preload_steps(theme: Theme) -> Iterator[None]:
    """Preload in short steps: image decoders, characters in the theme's sizes, and all other pages."""
    for loader in ImageLoader.loaders:
        loader.extensions()
        yield
    for kind in theme.sizes:
        for font, bold in ((CONDENSED, True), (CONDENSED, False), (SENTENCE, False), (SENTENCE, True)):
            typeset(TextStyle(_LETTERS, font, int(theme.type(kind)), bold))
            yield
    for page in (*PAGES, *page_names()):
        page_class(page)
        yield
