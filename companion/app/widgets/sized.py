"""Widgets that say their own height, width or place in a row, whatever the layout around them would give them."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget


class Sized(Widget):
    """`tall` and `wide` are dp; without one of them the layout decides. `middle`: halfway up the row it stands in."""

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
