"""How large the picture truly is: a card drawn on the screen, made larger or smaller until a real one fits.

Every bank card is 85.60 x 53.98 mm (ISO/IEC 7810, ID-1). Targets are then as large in the hand as they are meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.metrics import Metrics, dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import DP_A_MILLIMETRE
from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Text

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

LONG, SHORT = 85.60, 53.98
"""Millimetres of a bank card."""
LEAST, MOST = 40.0, 2000.0
"""Millimetres that the settings take."""
FINE = 0.01
STEPS = (("minus", -0.04), ("minus", -FINE), ("plus", FINE), ("plus", 0.04))
"""What a tap does to the card, as a share of its size, with its icon."""


class SizeSheet(Sheet):
    """The card and what changes it; `take` gets the width of the picture in mm, None for as it was delivered."""

    def __init__(self, app: TapisVertApp, take: Callable[[float | None], None]) -> None:
        self._width_mm = app.preferences.width_mm or Window.width / Metrics.density / DP_A_MILLIMETRE
        self._take = take
        self.drawn = Card(size_hint=(None, None), surface="creux", line=app.theme.laiton, padding=dp(10))
        self.drawn.add_widget(Text(app.say("app.sizing.how"), flow="box", halign="center", kind="mini"))
        body = BoxLayout(orientation="vertical", spacing=dp(8))
        around = AnchorLayout()
        around.add_widget(self.drawn)
        body.add_widget(around)
        foot = BoxLayout(spacing=dp(8), size_hint_y=None, height=dp(56), orientation="horizontal")
        if app.portrait:
            foot.orientation, foot.height = "vertical", dp(120)
        steps, ends = BoxLayout(spacing=dp(8)), BoxLayout(spacing=dp(8))
        for icon, by in STEPS:
            word = app.say("app.sizing.larger" if by > 0 else "app.sizing.smaller", n=round(abs(by) * 100))
            push = Push("", icon=icon, icon_side=34 if abs(by) > FINE else 20, look="outlined", spoken=word)
            push.bind(on_tap=lambda _, by=by: self._change(by))
            steps.add_widget(push)
        for word, look, done in (
            ("app.sizing.automatic", "outlined", self._automatic),
            ("app.done", "chalk", self._done),
        ):
            push = Push(app.say(word), look=look, kind="corps", pad=6)
            push.bind(on_tap=lambda _, done=done: done())
            ends.add_widget(push)
        foot.add_widget(steps)
        foot.add_widget(ends)
        body.add_widget(foot)
        super().__init__(app.say("app.sizing.title"), body, box=(0.0, 0.0, 1.0, 1.0))
        self._app = app
        self._show()

    @property
    def width_mm(self) -> float:
        """The width of the picture that the card as it is drawn stands for."""
        return self._width_mm

    def _change(self, by: float) -> None:
        """A larger card has more pixels a millimetre: the picture is less wide."""
        self._width_mm = min(MOST, max(LEAST, self._width_mm / (1 + by)))
        self._show()

    def _show(self) -> None:
        pixels = Window.width / self._width_mm
        wide, high = (SHORT, LONG) if self._app.portrait else (LONG, SHORT)
        self.drawn.size = (wide * pixels, high * pixels)

    def _automatic(self) -> None:
        self._app.lift()
        self._take(None)

    def _done(self) -> None:
        self._app.lift()
        self._take(round(self._width_mm, 1))


def lay_sizing(app: TapisVertApp) -> None:
    """Lays the sheet, and keeps what it says."""

    def take(width_mm: float | None) -> None:
        app.prefer(replace(app.preferences, width_mm=width_mm))

    app.lay(SizeSheet(app, take))
