"""Work beside what players do: frames asked for, long work in slices, memory tidied, pages fetched beforehand."""

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
from companion.app.navigator import PAGES, page_class
from companion.app.theme import Theme

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

FRAME_REQUEST_INTERVAL_S = 2.0
"""Seconds between two frames asked for."""


def start_frame_heartbeat(window: WindowBase, on_frame: Callable[[], None]) -> None:
    """Calls `drawn` after every frame of the window, and sees to it that frames come."""
    window.bind(on_flip=lambda *_: on_frame())
    Clock.schedule_interval(lambda *_: window.canvas.ask_update(), FRAME_REQUEST_INTERVAL_S)


FRAME_BUDGET_S = 0.012
"""Seconds of a frame that the work may take."""

Step = TypeVar("Step")


class IdleTask(Generic[Step]):
    """Takes step after step of `work`; `told` gets the last one of each frame, `done` is called at the end."""

    def __init__(
        self, work: Iterator[Step], on_done: Callable[[], None], on_progress: Callable[[Step], None] | None = None
    ) -> None:
        self._work, self._on_done, self._on_progress = work, on_done, on_progress
        self._event = Clock.schedule_interval(self._run_slice, 0)

    def stop(self) -> None:
        """Leaves the rest undone."""
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
"""Seconds between two looks at whether it is time."""
_AFTER_TAP_S = 0.25
"""Seconds after a tap until which the next one cannot come, a round's time taken off."""
_QUIET_AFTER_S = 1.0
"""Seconds without a tap after which the table is quiet."""
_MIN_ALLOCATIONS = 4_000
"""Things made since the last round from which on another one is worth its time: about half a page."""
_MAX_COLLECTION_S = 0.04
"""Seconds that such a round may take; one that takes longer must be worth more."""
_FORCED_GC_THRESHOLD = 200_000
"""Things made at most before Python looks for itself, whoever is waiting."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""GNU's C library has it; others do without."""


class IdleGarbageCollector:
    """Python's own rounds, which may come in the middle of a page, are left to moments of its choice.

    `last_tap` tells when the last tap was taken, in seconds of Kivy's clock. Whoever starts it keeps it: Kivy's clock
    holds no object for the sake of its methods.
    """

    def __init__(self, last_tap: Callable[[], float]) -> None:
        self._last_tap = last_tap
        self._last_seen_tap = float("-inf")
        self._min_allocations = float(_MIN_ALLOCATIONS)

    def start(self) -> None:
        """What is loaded by now never goes away and is taken out of the rounds altogether."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(_FORCED_GC_THRESHOLD, 10, 10)
        Clock.schedule_interval(self._collect_if_idle, _CHECK_INTERVAL_S)

    def _collect_if_idle(self, *_: object) -> None:
        tap = self._last_tap()
        frame_drawn, self._last_seen_tap = tap == self._last_seen_tap, tap  # between two looks a frame is drawn
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
"""What is written most; each size of a font draws a letter when it is first asked for it."""


def preload_steps(theme: Theme) -> Iterator[None]:
    """One short step after the other: decoders of pictures, letters in the sizes of the theme, all other pages."""
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
