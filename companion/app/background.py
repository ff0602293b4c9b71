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

from companion.app.fonts import CONDENSED, SENTENCE, Setting, typeset
from companion.app.game_screens import page_names
from companion.app.room import PAGES, page_class
from companion.app.theme import Theme

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

EVERY = 2.0
"""Seconds between two frames asked for."""


def start(window: WindowBase, drawn: Callable[[], None]) -> None:
    """Calls `drawn` after every frame of the window, and sees to it that frames come."""
    window.bind(on_flip=lambda *_: drawn())
    Clock.schedule_interval(lambda *_: window.canvas.ask_update(), EVERY)


BUDGET = 0.012
"""Seconds of a frame that the work may take."""

Step = TypeVar("Step")


class Slices(Generic[Step]):
    """Takes step after step of `work`; `told` gets the last one of each frame, `done` is called at the end."""

    def __init__(
        self, work: Iterator[Step], done: Callable[[], None], told: Callable[[Step], None] | None = None
    ) -> None:
        self._work, self._done, self._told = work, done, told
        self._event = Clock.schedule_interval(self._slice, 0)

    def stop(self) -> None:
        """Leaves the rest undone."""
        self._event.cancel()

    def _slice(self, *_: object) -> None:
        end = time.perf_counter() + BUDGET
        newest: Step | None = None
        while time.perf_counter() < end:
            try:
                newest = next(self._work)
            except StopIteration:
                self.stop()
                self._done()
                return
        if self._told is not None and newest is not None:
            self._told(newest)


_LOOK_EVERY = 0.05
"""Seconds between two looks at whether it is time."""
_AFTER_TAP = 0.25
"""Seconds after a tap until which the next one cannot come, a round's time taken off."""
_QUIET = 1.0
"""Seconds without a tap after which the table is quiet."""
_WORTH_IT = 4_000
"""Things made since the last round from which on another one is worth its time: about half a page."""
_ROUND = 0.04
"""Seconds that such a round may take; one that takes longer must be worth more."""
_MOST = 200_000
"""Things made at most before Python looks for itself, whoever is waiting."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""GNU's C library has it; others do without."""


class Tidying:
    """Python's own rounds, which may come in the middle of a page, are left to moments of its choice.

    `last_tap` tells when the last tap was taken, in seconds of Kivy's clock. Whoever starts it keeps it: Kivy's clock
    holds no object for the sake of its methods.
    """

    def __init__(self, last_tap: Callable[[], float]) -> None:
        self._last_tap = last_tap
        self._seen = float("-inf")
        self._worth = float(_WORTH_IT)

    def start(self) -> None:
        """What is loaded by now never goes away and is taken out of the rounds altogether."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(_MOST, 10, 10)
        Clock.schedule_interval(self._look, _LOOK_EVERY)

    def _look(self, *_: object) -> None:
        tap = self._last_tap()
        shown, self._seen = tap == self._seen, tap  # between two looks a frame is drawn
        if not shown or gc.get_count()[0] < self._worth or EventLoop.touches:
            return
        still = Clock.get_time() - tap
        if still > _QUIET or still <= _AFTER_TAP:
            start = time.perf_counter()
            gc.collect()
            if still > _QUIET and _TRIM is not None:
                _TRIM(0)
            self._worth = _WORTH_IT * max(1.0, (time.perf_counter() - start) / _ROUND)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789àâçéèêëîïôùûœÉÈÀÇ’-–…·,.:;!?()+%/"
"""What is written most; each size of a font draws a letter when it is first asked for it."""


def warmth(theme: Theme) -> Iterator[None]:
    """One short step after the other: decoders of pictures, letters in the sizes of the theme, all other pages."""
    for loader in ImageLoader.loaders:
        loader.extensions()
        yield
    for kind in theme.sizes:
        for font, bold in ((CONDENSED, True), (CONDENSED, False), (SENTENCE, False), (SENTENCE, True)):
            typeset(Setting(_LETTERS, font, int(theme.type(kind)), bold))
            yield
    for page in (*PAGES, *page_names()):
        page_class(page)
        yield
