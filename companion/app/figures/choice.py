"""A choice as a button: filled, outlined or thin by rank, dashed when barred; its words keep their sizes."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from companion.app.display import at_hyphen, display
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.pieces import fill
from companion.app.widgets.push import Tap
from companion.app.widgets.text import Head, Text


class Worded(Tap, Framed):
    """Holds the three pieces of text and paints them anew when they change; subclasses say how.

    `side` is a side's colour or empty, `barred` that it cannot be chosen now. `_arrange` lays the pieces out, `_dress`
    gives them and the surface their colours.
    """

    text = StringProperty("")
    detail = StringProperty("")
    effect = StringProperty("")
    side = StringProperty("")
    barred = BooleanProperty(False)

    def __init__(self, parts: tuple[Head, Text, Head], **kwargs: Any) -> None:
        """`parts` show the label, the detail and the effect."""
        self._label, self._detail, self._effect = self.parts = parts
        super().__init__(**kwargs)
        fill(self, *self.parts)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "text", "detail", "effect"):
            self.fbind(name, self._arrange_soon)
        for name in ("barred", "side"):
            self.fbind(name, self._dress)
        self._dress()

    def spoken_name(self) -> str:
        return self.spoken or " ".join(part for part in (self.text, self.detail, self.effect) if part)

    def _arrange(self, *_: object) -> None:
        """Lays the words out."""

    def _dress(self, *_: object) -> None:
        """Gives the words and the surface their colours."""


LONG_LABEL = 11
"""Signs from which on the effect moves to the second line (SCREENS 4.2)."""

RING = 14
"""Of the mark that the big button plays this choice, in dp."""


class ChoiceButton(Worded):
    """As tall as its words need in the width it is given, at least `least` dp.

    `rank` 1 is filled, 2 outlined, 3 outlined thin; `barred` is dashed.
    """

    rank = NumericProperty(2)
    least = NumericProperty(58)
    marked = BooleanProperty(False)
    """The big button beside the screen plays it (SCREENS 4.9)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            (
                Head(kind="bouton", flow="free", halign="left"),
                Text(kind="mini", flow="free", halign="left"),
                Head(kind="titre", flow="free"),
            ),
            size_hint_y=None,
            **kwargs,
        )
        self.fbind("least", self._arrange_soon)
        self.fbind("rank", self._dress)
        self.fbind("width", self._arrange)
        self._ring: Icon | None = None
        self.fbind("marked", self._mark)
        self._mark()

    def shine(self, on: bool) -> None:
        if not on:
            self._dress()
            return
        theme = display.theme
        self.fill = theme.craie if self._colours(theme)[0] != theme.craie else theme.craie2
        for part in self.parts:
            part.color = theme.encre

    def _colours(self, theme: Theme) -> tuple[RGBA, RGBA]:
        main = theme.tone(self.side or "craie")
        clear: RGBA = (0.0, 0.0, 0.0, 0.0)
        if self.barred:
            return clear, faded(theme.craie3, 0.7)
        if self.rank == 1:
            return main, clear
        return clear, main if self.rank == 2 else faded(main, 0.65)

    def _dress(self, *_: object) -> None:
        theme = display.theme
        self.fill, self.line = self._colours(theme)
        self.dash = 5 if self.barred else 0
        filled = self.rank == 1 and not self.barred
        ink = (theme.sides[self.side].ink if self.side else theme.encre) if filled else theme.craie
        self._label.color = theme.craie3 if self.barred else ink
        self._detail.color = ink if filled else (theme.craie3 if self.barred else theme.craie)
        self._effect.color = ink if filled else (theme.craie3 if self.barred else theme.tone(self.side or "craie"))
        self._arrange_soon()

    def _mark(self, *_: object) -> None:
        """A button seen from above, in the upper right corner, where no word comes."""
        if self.marked and self._ring is None:
            self._ring = Icon("button", side=RING, tone="encre")
            self.add_widget(self._ring)
        elif not self.marked and self._ring is not None:
            self.remove_widget(self._ring)
            self._ring = None
        self._arrange_soon()

    def _unbroken(self, part: Text, words: str, room: float) -> str:
        """The words with those too long for a line broken at their hyphens, not anywhere."""
        wide = part._label.get_extents
        return " ".join(at_hyphen(word) if wide(word)[0] > room else word for word in words.split(" "))

    def _longest(self, words: str) -> float:
        return float(max((self._label._label.get_extents(word)[0] for word in words.split()), default=0))

    def _arrange(self, *_: object) -> None:
        pad, gap = dp(12), dp(6)
        if self._ring is not None:
            self._ring.pos = (self.right - dp(RING + 2), self.top - dp(RING + 2))
        room = max(dp(20), self.width - 2 * pad)
        _lay(self._effect, self.effect, None)
        aside = self._effect.width + gap if self.effect else 0.0
        label = self.text
        longest = self._longest(label)
        if longest > room:  # a long word breaks at its hyphen, not anywhere
            label = " ".join(at_hyphen(word) for word in label.split(" "))
            longest = self._longest(label)
        if longest > room:  # labels never shrink (SCREENS 4.2): the margins do
            pad = dp(5)
            room = max(dp(20), self.width - 2 * pad)
        wide = bool(self.effect) and (len(self.text) > LONG_LABEL or longest > room - aside)
        _lay(self._label, label, room if wide else room - aside)
        _lay(self._detail, self._unbroken(self._detail, self.detail, room - aside), room - aside)
        second = max(self._detail.height, self._effect.height if wide else 0.0)
        words = self._label.height + second
        self.height = max(dp(self.least), words + dp(8), self._effect.height + dp(8))
        top = self.center_y + words / 2
        left = self.x + pad
        self._label.pos = (left, top - self._label.height)
        below = top - self._label.height
        self._detail.pos = (
            left,
            below - second / 2 - self._detail.height / 2 if wide else below - self._detail.height,
        )
        middle = below - second / 2 if wide else self.center_y
        self._effect.pos = (self.right - pad - self._effect.width, middle - self._effect.height / 2)


def _lay(label: Text, words: str, room: float | None) -> None:
    """Gives a label its words and its size, wrapping only when the room is too narrow."""
    label.text = words
    label.opacity = 1.0 if words else 0.0
    if not words:
        label.size = (0, 0)
        return
    label.text_size = (None, None)
    label.texture_update()
    if room is not None and label.texture_size[0] > room:
        label.text_size = (room, None)
        label.texture_update()
    label.size = label.texture_size
