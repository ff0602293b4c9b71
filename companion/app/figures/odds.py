"""A bar of chances in the colours of the sides they favour; the undecided part is hatched."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.graphics import BorderImage, Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.figures.placing import whenever_placed
from companion.app.figures.shares import fractions, percentages
from companion.app.figures.words import percent, text
from companion.app.widgets.text import Head
from companion.games.figures import OddsBar

_GAP = 3


class OddsFigure(BoxLayout):
    """Labels with percentages over a bar; `bare` leaves the bar out (a ruler above shows the same)."""

    def __init__(self, figure: OddsBar, tones: dict[str, str], bare: bool = False, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(4), **kwargs)
        shares = percentages(fractions(part.chance for part in figure.parts))
        parts = [(part, share) for part, share in zip(figure.parts, shares, strict=True) if share > 0]
        largest = max((share for _, share in parts), default=0)
        labels = []
        for part, share in parts:
            kind = "titre" if share == largest else "bouton"
            tone = tones.get(part.side or "", "craie")
            words = f"{text(part.label)} {percent(share)}"
            labels.append(Head(words, kind=kind, tone=tone, flow="line"))
        self._labels = LabelRow(labels)
        self._labels.fbind("height", self._fit)
        self.add_widget(self._labels)
        if not bare:
            self.add_widget(Bar([(share, tones.get(part.side or "")) for part, share in parts]))
        self._fit()

    def _fit(self, *_: object) -> None:
        pieces = self.children
        self.height = sum(piece.height for piece in pieces) + self.spacing * (len(pieces) - 1)


class LabelRow(Widget):
    """Labels spread over the width; smaller ones, then further rows, when they do not fit."""

    def __init__(self, labels: list[Head], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self._labels = labels
        self._kinds = [label.kind for label in labels]
        for label in labels:
            self.add_widget(label)
            label.texture_update()
            label.size = label.texture_size
        self.height = max((label.height for label in labels), default=0)
        whenever_placed(self, self._spread)

    def _spread(self) -> None:
        gap = dp(10)
        for kinds in (self._kinds, ["corps"] * len(self._kinds)):
            for label, kind in zip(self._labels, kinds, strict=True):
                label.kind = kind
                label.texture_update()
                label.size = label.texture_size
            if self._width(self._labels, gap) <= self.width:
                break
        for label in self._labels:
            if label.width > self.width:  # one long name alone: smaller letters rather than a cut
                label.font_size *= self.width / label.width * 0.98
                label.texture_update()
                label.size = label.texture_size
        rows: list[list[Head]] = [[]]
        for label in self._labels:
            if rows[-1] and self._width([*rows[-1], label], gap) > self.width:
                rows.append([])
            rows[-1].append(label)
        line = max((label.height for label in self._labels), default=0)
        self.height = line * len(rows)
        for number, row in enumerate(rows):
            free = self.width - sum(label.width for label in row)
            step = free / (len(row) - 1) if len(row) > 1 and len(rows) == 1 else gap
            x = self.x
            for label in row:
                label.pos = (x, self.top - line * (number + 1))
                x += label.width + step

    @staticmethod
    def _width(labels: list[Head], gap: float) -> float:
        return sum(label.width for label in labels) + gap * (len(labels) - 1)


class Bar(Widget):
    """Parts side by side, as wide as their shares; a part of no side is hatched."""

    def __init__(self, parts: list[tuple[int, str | None]], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(14), **kwargs)
        self._parts = parts
        whenever_placed(self, self._draw)

    def _draw(self) -> None:
        theme = App.get_running_app().theme
        self.canvas.clear()
        room = self.width - dp(_GAP) * (len(self._parts) - 1)
        x = self.x
        radius = round(dp(4))
        with self.canvas:
            for share, tone in self._parts:
                width = max(dp(4), room * share / 100)
                if tone:
                    Color(*theme.tone(tone))
                    BorderImage(
                        texture=textures.rounded(radius),
                        border=[radius] * 4,
                        pos=(x, self.y),
                        size=(width, self.height),
                    )
                else:
                    Color(*theme.craie)
                    picture = textures.hatch(max(2, round(width)), round(self.height), dp(3))
                    Rectangle(texture=picture, pos=(round(x), self.y), size=(round(width), self.height))
                x += width + dp(_GAP)
