"""Repeated calls on the UI thread that go on after an error."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from weakref import WeakMethod

from kivy.base import ExceptionManager
from kivy.clock import Clock, ClockEvent

ERROR_PAUSE_S = 1.0
"""Seconds without a call after one that raised."""


class _RepeatedCall:
    """The callback of an interval. Kivy ends an interval for good when its callback raises; this one reports and waits.

    Methods are held weakly, as in Kivy's clock: the interval ends with their object.
    """

    def __init__(self, callback: Callable[..., object]) -> None:
        self._callback: Callable[[], Callable[..., object] | None]
        self._callback = WeakMethod(callback) if inspect.ismethod(callback) else lambda: callback
        self._resume_at = float("-inf")

    @property
    def owner(self) -> object:
        """The object of the method, or None."""
        return getattr(self._callback(), "__self__", None)

    def __call__(self, elapsed_s: float) -> object:
        callback = self._callback()
        if callback is None:
            return False
        if Clock.get_time() < self._resume_at:
            return None
        try:
            return callback(elapsed_s)
        except Exception as fault:
            self._resume_at = Clock.get_time() + ERROR_PAUSE_S
            if ExceptionManager.handle_exception(fault) == ExceptionManager.RAISE:
                raise
            return None


def repeating(callback: Callable[..., object], interval_s: float) -> ClockEvent:
    """Return a clock event that calls `callback` every `interval_s` seconds once it is started by a call.

    An error goes to the app's exception handler, and the calls continue. `callback` ends them by returning False.
    """
    return Clock.create_trigger(_RepeatedCall(callback), interval_s, interval=True)


def repeat(callback: Callable[..., object], interval_s: float) -> ClockEvent:
    """Start to call `callback` every `interval_s` seconds, as `repeating` does. Returns the clock event."""
    event = repeating(callback, interval_s)
    event()
    return event
