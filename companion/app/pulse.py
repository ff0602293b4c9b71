"""Asks for a frame now and then, and tells whoever watches over the app when one was drawn.

A screen on which nothing changes is not drawn anew, so without this a resting table would look like a hung one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

EVERY = 2.0
"""Seconds between two frames asked for."""


def start(window: Any, drawn: Callable[[], None]) -> None:
    """Calls `drawn` after every frame of the window, and sees to it that frames come."""
    window.bind(on_flip=lambda *_: drawn())
    Clock.schedule_interval(lambda *_: window.canvas.ask_update(), EVERY)
