"""One side's edge of the table: its role now, what it may do in rank order, and its facts as far as there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.choice import ChoiceButton
from companion.app.figures.column import FitColumn, Spring
from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import text
from companion.app.widgets.text import Head, Text
from companion.games.base import Fact, SideScene

_TIGHT = 50
"""Height of a button, in dp, where room is short."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A button of an edge: what stands on it and what a tap does."""

    text: str
    tap: Callable[[], None]
    rank: int = 2
    detail: str = ""
    effect: str = ""
    barred: bool = False
    held: bool = False


class Edge(FitColumn):
    """`right` puts the coloured band at the other end; in portrait it lies on top."""

    def __init__(self, scene: SideScene, role: str, offers: Sequence[Offer], right: bool, **kwargs: Any) -> None:
        self._upright = App.get_running_app().portrait
        super().__init__(spacing=dp(8), **kwargs)
        self._scene, self._right = scene, right
        self.padding = self._padding()
        self.add(Head(role, kind="corps", tone=scene.colour, halign="left"))
        self.buttons = [self._button(offer) for offer in offers]
        for button in self.buttons:
            self.add(button)
        self._add_facts(len(offers))
        with self.canvas.before:
            theme = App.get_running_app().theme
            Color(*theme.sides[scene.colour].panel)
            self._panel = Rectangle()
            Color(*theme.sides[scene.colour].main)
            self._band = Rectangle()
        whenever_placed(self, self._paint)
        self.fbind("shortage", self._tighten)

    def on_need(self, measure: Callable[..., None]) -> None:
        """Calls `measure` whenever the height needed may be another."""
        for piece, _ in self._pieces:
            piece.fbind("height", measure)

    def _padding(self) -> tuple[float, float, float, float]:
        if self._upright:
            inner, outer = dp(8), dp(12)
            return (inner, dp(12), outer, dp(8)) if self._right else (outer, dp(12), inner, dp(8))
        return (dp(12), dp(8), dp(16), dp(8)) if self._right else (dp(16), dp(8), dp(12), dp(8))

    def _button(self, offer: Offer) -> ChoiceButton:
        thin = offer.barred or not (offer.detail or offer.effect)
        button = ChoiceButton(
            text=offer.text,
            detail=offer.detail,
            effect=offer.effect,
            rank=offer.rank,
            barred=offer.barred,
            held=offer.held,
            side=self._scene.colour,
            least=52 if thin else 58,
            height=dp(52 if thin else 58),
        )
        button.bind(on_tap=lambda *_: offer.tap())
        return button

    def _tighten(self, *_: object) -> None:
        """When even without facts there is too little room, buttons lose their extra height, then their details."""
        if self.shortage <= 0 or self.height <= dp(160) or self._upright:
            return
        tight = all(button.least == _TIGHT for button in self.buttons)
        for button in self.buttons:
            button.least = _TIGHT
            if tight:
                button.detail = ""

    def _add_facts(self, offers: int) -> None:
        facts = self._scene.facts
        if not facts:
            self.add(Spring())
            return
        big = offers < 2
        if self._upright and not big:
            self.add(FactLine(facts[:2]), spare=1)
            self.add(Spring())
            return
        self.add(Spring())
        block = facts[:2] if self._upright else facts
        for rank, fact in enumerate(block):
            self.add(FactRow(fact, big), spare=1 + rank)

    def _paint(self) -> None:
        self._panel.pos, self._panel.size = self.pos, self.size
        if self._upright:
            self._band.pos, self._band.size = (self.x, self.top - dp(6)), (self.width, dp(6))
        else:
            self._band.pos = (self.right - dp(6) if self._right else self.x, self.y)
            self._band.size = (dp(6), self.height)


class FactRow(BoxLayout):
    """A label and its number at the two ends of a line."""

    def __init__(self, fact: Fact, big: bool, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(20 if big else 15), **kwargs)
        theme = App.get_running_app().theme
        self.height = theme.type("corps" if big else "mini") * 1.2
        label = Text(text(fact.label), kind="corps" if big else "mini", tone="craie2", flow="box", halign="left")
        number = Head(fact.value, kind="bouton" if big else "corps", flow="line", pos_hint={"center_y": 0.5})
        self.add_widget(label)
        self.add_widget(number)


class FactLine(BoxLayout):
    """A few facts on one line, as many as fit."""

    def __init__(self, facts: Sequence[Fact], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(21), spacing=dp(6), **kwargs)
        self._pairs = []
        for fact in facts:
            label = Text(text(fact.label), kind="mini", tone="craie2", flow="line", pos_hint={"center_y": 0.5})
            number = Head(fact.value, kind="corps", flow="line", pos_hint={"center_y": 0.5})
            self._pairs.append((label, number))
            self.add_widget(label)
            self.add_widget(number)
        whenever_placed(self, self._show)

    def _show(self) -> None:
        used = 0.0
        for pair in self._pairs:
            used += sum(piece.width + self.spacing for piece in pair)
            for piece in pair:
                piece.opacity = 1.0 if used - self.spacing <= self.width else 0.0
