"""The simulated panel and tray beside a demo's match: players press where one button says it, and lights are kept."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.clock import HandClock
from companion.games.base import Fields
from companion.table.controls import Controls, Devices
from companion.table.panel import Plays, Pressed, Seen, meaning
from companion.table.session import Session
from hardware.ports import HOLD_SECONDS, Press, Role, Source
from hardware.simulated_panel import SimulatedPanel
from hardware.simulated_tray import SimulatedTray

THINKING, TOUCH = 0.6, 0.15
"""Seconds before a player presses, and for which the finger stays."""
PLAYED = (Role.CONFIRM, Role.LEFT, Role.RIGHT)


class DemoHands:
    """Turned in the match's own time: nothing here waits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._clock = HandClock()
        self.panel = SimulatedPanel(self._clock.monotonic)
        self.tray = SimulatedTray(self._clock.monotonic)
        self.controls = Controls(Devices((self.panel, self.tray)), self._clock.monotonic)
        self.controls.start()
        self.controls.attend(session, self._order)
        self.presses = 0

    def pass_time(self, seconds: float, rolling: bool = False) -> None:
        """So long passes at the table; dice roll in the tray, or lie still."""
        self._clock.advance(seconds)
        self.tray.stir(rolling)
        for heard in self.controls.beat():
            if isinstance(heard, Pressed):
                self._session.handle_press(heard)
        self._session.poll()

    def play(self, fields: Fields) -> bool:
        """Presses the button that means exactly this event; False if there is none, and then nothing happened."""
        button = self._button_for(fields)
        if button is None:
            return False
        role, held = button
        before = self._session.sequence
        self.pass_time(THINKING)
        self.panel.touch(role)
        self.pass_time(HOLD_SECONDS + TOUCH if held else TOUCH)
        self.panel.let_go(role)
        self.pass_time(TOUCH)
        self.presses += 1
        return self._session.sequence > before

    def lights(self) -> dict[str, Any]:
        """What was pressed and what was to be seen: the scenes and moments of the tray, each with how often."""
        scenes = Counter(show.scene.value for show in self.tray.shown)
        moments = Counter(show.moment.value for show in self.tray.shown if show.moment is not None)
        return {"presses": self.presses, "scenes": dict(scenes), "moments": dict(moments)}

    def close(self) -> None:
        """Lights out."""
        self.controls.close()

    def _order(self) -> tuple[Any, Any]:
        first, second = self._session.scene().sides[:2]
        return first, second

    def _button_for(self, fields: Fields) -> tuple[Role, bool] | None:
        session = self._session
        seen = Seen(session.awaits(), self._order())
        for role in PLAYED:
            meant = meaning(Press(role, True, Source.PANEL, 0.0), seen)
            if isinstance(meant, Plays) and not meant.choice.asks and dict(meant.choice.event) == dict(fields):
                return role, meant.choice.held
        return None
