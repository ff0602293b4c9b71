"""A base class for widgets that set their own height, width or vertical position in a layout."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget


class Sized(Widget):
    """A widget with optional fixed size. `tall` and `wide` are in dp; None leaves the size to the layout.

    `middle` centres the widget vertically in its row.
    """

    def __init__(
        self, *, tall: float | None = None, wide: float | None = None, middle: bool = False, **kwargs: Any
    ) -> None:
        if tall is not None:
            kwargs.update(size_hint_y=None, height=dp(tall))
        if wide is not None:
            kwargs.update(size_hint_x=None, width=dp(wide))
        if middle:
            kwargs["pos_hint"] = {"center_y": 0.5}
        super().__init__(**kwargs)
