"""The clock in the bar of the table, and the sheet that explains, stops and restarts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.uix.widget import Widget

from companion.app.display import context_of, translate
from companion.app.intervals import repeat
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import VBox, fill
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Text
from companion.table.match_clock import MINUTE_S, Limit, MatchClock

if TYPE_CHECKING:
    from companion.app.context import AppContext

UPDATE_INTERVAL_S = 0.25
"""Seconds between two updates; a second is then never skipped."""
WARNING_S: dict[Limit, int] = {"match": 300, "turn": 10}
"""Seconds before the end from which a time is shown in brass."""
LIMITS: tuple[Limit, ...] = ("turn", "match")
"""The times in the order shown: the one that ends first is the larger."""


def format_seconds(seconds: float) -> str:
    """Return minutes and seconds, rounded up so that the end shows zero."""
    whole = max(0, -int(-seconds // 1))
    return f"{whole // MINUTE_S}:{whole % MINUTE_S:02}"


class ClockButton(PushButton):
    """The time left: of the turn, and below it of the match, or that the clock is stopped. Brass near the end."""

    def __init__(self, app: AppContext, clock: MatchClock) -> None:
        super().__init__(spoken=translate("app.clock.title"), style="quiet", kind="corps", pad=4, wide=64)
        self._clock = clock
        self.bind(on_tap=lambda *_: app.show_sheet(ClockSheet(app, clock)))
        self._update()
        self._update_event = repeat(self._update, UPDATE_INTERVAL_S)
        self.bind(parent=self._stop_when_removed)

    def _update(self, *_: object) -> None:
        clock = self._clock
        times = [(limit, left) for limit in LIMITS if (left := clock.left(limit)) is not None]
        self.text, *rest = [format_seconds(left) for _, left in times]
        self.detail = translate("app.clock.stopped") if clock.is_paused else "".join(rest)
        self.style = "brass" if any(left <= WARNING_S[limit] for limit, left in times) else "quiet"

    def _stop_when_removed(self, _: object, parent: Widget | None) -> None:
        if parent is None:
            self._update_event.cancel()


class ClockSheet(Sheet):
    """The times left or exceeded, what the clock does at the end, and the button that stops or restarts it."""

    def __init__(self, app: AppContext, clock: MatchClock) -> None:
        self._app, self._clock = app, clock
        self._lines = {
            limit: BoldText("", kind="titre", halign="left") for limit in LIMITS if clock.left(limit) is not None
        }
        self._pause = PushButton("", icon="clock", style="chalk", tall=60, act=self._toggle)
        mode = Text(translate(f"app.clock.explained.{clock.limits.mode}"), tone="craie2", halign="left")
        body = VBox()
        body.spacing = 8
        fill(body, *self._lines.values(), mode, self._pause, Widget())
        super().__init__(translate("app.clock.title"), body, box=(0.08, 0.1, 0.84, 0.8))
        self._update()
        self._update_event = repeat(self._update, UPDATE_INTERVAL_S)

    def _toggle(self) -> None:
        self._app.match_timer.pause(not self._clock.is_paused)
        context_of(self).close_sheet()

    def _update(self, *_: object) -> object:
        for limit, line in self._lines.items():
            left = self._clock.left(limit) or 0.0
            word = f"app.clock.left.{limit}" if left > 0 else f"app.clock.exceeded.{limit}"
            line.text = translate(word, time=format_seconds(abs(left)))
        self._pause.text = translate("app.clock.resume" if self._clock.is_paused else "app.clock.pause")
        return None
