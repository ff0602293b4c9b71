"""The curtain over a table that nobody touches: score and what is awaited, dim, wandering slowly against burn-in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.figures.placing import whenever_placed
from companion.app.theme import faded
from companion.app.widgets.text import Head, Text
from companion.table.session import Session

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

STEP = 10.0
"""Seconds between two steps of the words over the screen."""
WANDER = (0.05, 0.09)
"""How far they wander from the middle, as shares of width and height."""
ROUNDS = (840.0, 600.0)
"""Seconds for a round across and up and down: the two never meet in the same way for hours."""


class Saver(FloatLayout):
    """A sheet without a card. A touch ends it and does nothing else; so do dice that land, by whoever laid it."""

    sliding = BooleanProperty(False)

    def __init__(self, app: TapisVertApp, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._app, self._steps = app, 0
        dark, ink = ("craie", "encre") if app.theme.contrast == "light" else ("nuit", "craie2")  # dim in every theme
        with self.canvas.before:
            Color(*faded(app.theme.tone(dark), 0.97))
            self._curtain = Rectangle()
        whenever_placed(self, self._draw)
        self._words = BoxLayout(orientation="vertical", spacing=dp(8), size_hint=(0.86, None))
        self._words.bind(minimum_height=self._words.setter("height"))
        for kind, line in self._lines():
            self._words.add_widget(Head(line, kind=kind, halign="center", tone=ink))
        how = "app.table.paused" if app.session else "app.saver.touch"
        self._words.add_widget(Text(app.say(how), halign="center", tone=ink))
        self._wander()
        self.add_widget(self._words)
        self._clock = Clock.schedule_interval(self._step, STEP)

    def slide_in(self) -> None:
        """A curtain falls at once."""

    def leave(self) -> None:
        """Back to what lies under it."""
        self._clock.cancel()
        self._app.manners.rested(self)

    def on_touch_down(self, touch: Any) -> bool:
        self.leave()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        return True

    def _lines(self) -> list[tuple[str, str]]:
        session = self._app.session
        if session is None:
            return [("fort", "Tapis Vert"), ("titre", self._app.settled.config.table.name)]
        names, score = standing(session)
        title = self._app.text(session.awaits().title)
        if len(names) == 2:
            return [("titre", " – ".join(names)), ("score", " – ".join(score)), ("titre", title)]
        lines = [("titre", f"{name}  {points}") for name, points in zip(names, score, strict=True)]
        return [*lines, ("titre", title)]

    def _step(self, *_: object) -> None:
        self._steps += 1
        self._wander()

    def _wander(self) -> None:
        across, up = (reach * math.sin(math.tau * self._steps * STEP / round_) for reach, round_ in _PATH)
        self._words.pos_hint = {"center_x": 0.5 + across, "center_y": 0.5 + up}

    def _draw(self) -> None:
        self._curtain.pos, self._curtain.size = self.pos, self.size


_PATH = tuple(zip(WANDER, ROUNDS, strict=True))


def standing(session: Session) -> tuple[list[str], list[str]]:
    """Names and points of the sides, in the order of the match."""
    names = {side.side: side.name for side in session.scene().sides}
    score = session.game.view(session.state).get("score") or {}
    return [names.get(side, side) for side in score], [str(points) for points in score.values()]
