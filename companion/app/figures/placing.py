"""Calls a widget's own placing once its position and size have both settled."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock
from kivy.uix.widget import Widget


def whenever_placed(widget: Widget, place: Callable[[], None], *also: str) -> None:
    """Calls `place` before the next frame whenever pos, size or one of the properties `also` has changed.

    At once would be too early: `top`, `right` and `center` of a widget are brought up to date after its size is told.
    """
    trigger = Clock.create_trigger(lambda *_: place(), -1)
    for name in ("pos", "size", *also):
        widget.fbind(name, trigger)
    trigger()
