"""Throws of both sides sorted by faces, the groups that count ringed; and a race, step by step."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.figures.placing import whenever_placed
from companion.app.figures.slots import face_mark
from companion.app.figures.words import say, text
from companion.app.widgets.framed import Framed
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import Die
from companion.games.figures import Race, RaceLane, ThrowRow, Throws
from vision.roll import Face

_GAP, _NEAR, _RING = 6, 3, 5
_NUMBER = 84
"""Room for a side's number and what it is a number of, in dp."""


class ThrowsFigure(BoxLayout):
    """`tones` gives the colour of each side; `low` where every line counts."""

    def __init__(self, figure: Throws, tones: dict[str, str], low: bool = False, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(8), **kwargs)
        tall = dp(84 if App.get_running_app().portrait else 62 if low else 68)
        for row in figure.rows:
            self.add_widget(_Row(row, tones.get(row.side, ""), tall, low))
        self.height = sum(child.height for child in self.children) + dp(8) * max(0, len(figure.rows) - 1)


class _Row(Framed, BoxLayout):
    """One side's dice, and its number at the end."""

    def __init__(self, row: ThrowRow, tone: str, height: float, low: bool) -> None:
        super().__init__(size_hint_y=None, height=height, padding=(dp(10), dp(4)), spacing=dp(8))
        self.fill = App.get_running_app().theme.creux
        self.add_widget(_Dice(row, tone))
        words = BoxLayout(orientation="vertical", size_hint_x=None, width=dp(_NUMBER), pos_hint={"center_y": 0.5})
        words.size_hint_y = None
        label = Text(text(row.label), kind="mini", tone="craie2", halign="center", leading=0.95, plain=False)
        label.width = dp(_NUMBER)
        label.texture_update()
        long = label.texture_size[1] > 1.7 * label.font_size
        roomy = App.get_running_app().theme.roomy
        kind = "bouton" if long or (low and not roomy) else "grand" if roomy else "titre"
        number = Head(str(row.number), kind=kind, tone=tone or "craie", halign="center")
        number.leading = 0.9
        for part in (number, label):
            words.add_widget(part)
        words.bind(minimum_height=words.setter("height"))
        self.add_widget(words)


class _Dice(Widget):
    """The dice side by side, group by group, as large as the room allows."""

    def __init__(self, row: ThrowRow, tone: str) -> None:
        super().__init__()
        self._row = row
        self._marks: list[list[Any]] = []
        self._rings: list[Framed | None] = []
        theme = App.get_running_app().theme
        for group in row.groups:
            ring = Framed(line=theme.tone(tone) if tone else theme.craie, line_width=3, radius=12)
            self._rings.append(ring if group.counts else None)
            if group.counts:
                self.add_widget(ring)
            marks = [face_mark(_face(group.die), 38, group.die.kind) for _ in range(group.count)]
            self._marks.append(marks)
            for mark in marks:
                self.add_widget(mark)
        whenever_placed(self, self._place)

    def _place(self) -> None:
        dice = sum(len(marks) for marks in self._marks)
        if not dice or self.width < dp(20):
            return
        between = dp(_GAP) * (len(self._marks) - 1) + dp(_NEAR) * (dice - len(self._marks))
        rings = dp(2 * _RING) * sum(ring is not None for ring in self._rings)
        most = 46 if App.get_running_app().portrait else 40
        side = min(most, (self.width - between - rings) / dice / dp(1), (self.height - dp(2 * _RING)) / dp(1))
        x = self.x
        for marks, ring in zip(self._marks, self._rings, strict=True):
            x += dp(_RING) if ring is not None else 0
            start = x
            for mark in marks:
                mark.side = side
                mark.pos = (round(x), round(self.center_y - mark.height / 2))
                x += dp(side) + dp(_NEAR)
            x -= dp(_NEAR)
            if ring is not None:
                ring.pos = (start - dp(_RING), self.center_y - dp(side) / 2 - dp(_RING))
                ring.size = (x - start + dp(2 * _RING), dp(side) + dp(2 * _RING))
                x += dp(_RING)
            x += dp(_GAP)


def _face(die: Die) -> Face:
    return Face(die.value, die.colour, die.symbol)


class RaceFigure(BoxLayout):
    """A lane for each side: a box for every step, filled as it is done."""

    def __init__(self, figure: Race, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(6), **kwargs)
        for lane in figure.lanes:
            self.add_widget(_Lane(lane, tones.get(lane.side, "")))
        self.height = sum(child.height for child in self.children) + dp(6) * max(0, len(figure.lanes) - 1)


class _Lane(BoxLayout):
    """What the steps are, the steps, and their number."""

    def __init__(self, lane: RaceLane, tone: str) -> None:
        theme = App.get_running_app().theme
        super().__init__(size_hint_y=None, height=max(dp(32), theme.type("corps") * 1.4), spacing=dp(8))
        words = Name(text(lane.label), kinds=["corps", "mini"], tone=tone or "craie", halign="left", size_hint_x=None)
        words.width = dp(124 if App.get_running_app().portrait else 100)
        self.add_widget(words)
        steps = BoxLayout(spacing=dp(3), padding=(0, dp(5)))
        for step in range(lane.due):
            box = Framed(radius=5, line_width=1.5)
            box.line = theme.tone(tone) if tone else theme.craie
            if step < lane.done:
                box.fill = box.line
            steps.add_widget(box)
        self.add_widget(steps)
        number = Head(say("app.throws.of", n=lane.done, of=lane.due), kind="corps", flow="box", halign="right")
        number.size_hint_x, number.width = None, theme.type("corps") * 4.2
        self.add_widget(number)
