"""The button of a choice: filled, outlined or thin by rank, dashed if disabled. Its labels keep their type size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.gridlayout import GridLayout

from companion.app.display import break_at_hyphen, display
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.text import BoldText, Text


class LabelledButton(Tappable, Framed):
    """Base class of buttons with three texts: label, detail and effect.

    `side` is a side's colour or empty; `is_unavailable` means that it cannot be chosen now. Subclasses implement
    `_arrange` (layout) and `_apply_style` (colours).
    """

    text = StringProperty("")
    detail = StringProperty("")
    effect = StringProperty("")
    side = StringProperty("")
    is_unavailable = BooleanProperty(False)

    def __init__(self, parts: tuple[BoldText, Text, BoldText], **kwargs: Any) -> None:
        """`parts` are the widgets of label, detail and effect."""
        self._label, self._detail, self._effect = self.parts = parts
        super().__init__(**kwargs)
        fill(self, *self.parts)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "text", "detail", "effect"):
            self.fbind(name, self._arrange_soon)
        for name in ("is_unavailable", "side"):
            self.fbind(name, self._apply_style)
        self._apply_style()

    def spoken_name(self) -> str:
        return self.spoken or " ".join(part for part in (self.text, self.detail, self.effect) if part)

    def _arrange(self, *_: object) -> None:
        """Lay out the texts."""

    def _apply_style(self, *_: object) -> None:
        """Set the colours of texts and surface."""


LONG_LABEL_CHARS = 11
"""Labels longer than this many characters move the effect to the second line (SCREENS 4.2)."""

MARK_SIZE_DP = 14
"""Size in dp of the mark of the choice that the big button plays."""


class ChoiceButton(LabelledButton):
    """A choice as a button. Its height fits its texts at the given width, at least `least` dp.

    `prominence` 1 is filled, 2 outlined, 3 outlined thin. `is_unavailable` is dashed.
    """

    prominence = NumericProperty(2)
    least = NumericProperty(58)
    marked = BooleanProperty(False)
    """The big hardware button plays this choice (SCREENS 4.9)."""
    dense = BooleanProperty(False)
    """The effect is in small type, where space is short."""
    small = BooleanProperty(False)
    """The label is in small type, where the buttons would stand over each other otherwise."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            (
                BoldText(kind="bouton", flow="free", halign="left"),
                Text(kind="mini", flow="free", halign="left"),
                BoldText(kind="titre", flow="free"),
            ),
            size_hint_y=None,
            **kwargs,
        )
        self.fbind("least", self._arrange_soon)
        self.fbind("prominence", self._apply_style)
        self.fbind("width", self._arrange)
        self._ring: Icon | None = None
        self.fbind("marked", self._mark)
        self.fbind("dense", self._shrink)
        self.fbind("small", self._shrink)
        self._mark()

    def show_pressed(self, on: bool) -> None:
        if not on:
            self._apply_style()
            return
        theme = display.theme
        self.fill = theme.craie if self._colours(theme)[0] != theme.craie else theme.craie2
        for part in self.parts:
            part.color = theme.encre

    def _colours(self, theme: Theme) -> tuple[RGBA, RGBA]:
        main = theme.tone(self.side or "craie")
        clear: RGBA = (0.0, 0.0, 0.0, 0.0)
        if self.is_unavailable:
            return clear, faded(theme.craie3, 0.7)
        if self.prominence == 1:
            return main, clear
        return clear, main if self.prominence == 2 else faded(main, 0.65)

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.fill, self.line = self._colours(theme)
        self.dash = 5 if self.is_unavailable else 0
        filled = self.prominence == 1 and not self.is_unavailable
        ink = (theme.sides[self.side].ink if self.side else theme.encre) if filled else theme.craie
        self._label.color = theme.craie3 if self.is_unavailable else ink
        self._detail.color = ink if filled else (theme.craie3 if self.is_unavailable else theme.craie)
        self._effect.color = (
            ink if filled else (theme.craie3 if self.is_unavailable else theme.tone(self.side or "craie"))
        )
        self._arrange_soon()

    def _shrink(self, *_: object) -> None:
        self._effect.kind = "corps" if self.dense else "titre"
        self._label.kind = "corps" if self.small else "bouton"
        self._apply_style()  # a kind of type has a colour of its own

    def _mark(self, *_: object) -> None:
        """Show or hide the button icon in the upper right corner, where no text is."""
        if self.marked and self._ring is None:
            self._ring = Icon("button", side=MARK_SIZE_DP, tone="encre")
            self.add_widget(self._ring)
        elif not self.marked and self._ring is not None:
            self.remove_widget(self._ring)
            self._ring = None
        self._arrange_soon()

    def _with_hyphen_breaks(self, part: Text, text: str, available_width: float) -> str:
        """Return the text with words that are too long for a line broken at their hyphens only."""
        wide = part._label.get_extents
        return " ".join(break_at_hyphen(word) if wide(word)[0] > available_width else word for word in text.split(" "))

    def _longest_word_width(self, text: str) -> float:
        return float(max((self._label._label.get_extents(word)[0] for word in text.split()), default=0))

    def _arrange(self, *_: object) -> None:
        pad, gap = dp(12), dp(6)
        if self._ring is not None:
            self._ring.pos = (self.right - dp(MARK_SIZE_DP + 2), self.top - dp(MARK_SIZE_DP + 2))
        available_width = max(dp(20), self.width - 2 * pad)
        _lay_out_label(self._effect, self.effect, None)
        aside = self._effect.width + gap if self.effect else 0.0
        self._label.font_size = display.theme.type(self._label.kind)
        label = self._label_in(available_width)
        longest = self._longest_word_width(label)
        if longest > available_width:  # labels do not shrink (SCREENS 4.2), unless a word does not fit with less margin
            pad = dp(5)
            available_width = max(dp(20), self.width - 2 * pad)
            self._label.font_size *= min(1.0, available_width / longest)
            longest = self._longest_word_width(label)
        is_stacked = bool(self.detail) and aside > available_width / 2  # the detail needs half of the width
        aside = 0.0 if is_stacked else aside
        is_long = self._is_long(label, available_width - aside)
        wide = bool(self.effect) and not is_stacked and (is_long or longest > available_width - aside)
        _lay_out_label(self._label, label, available_width if wide else available_width - aside)
        _lay_out_label(
            self._detail,
            self._with_hyphen_breaks(self._detail, self.detail, available_width - aside),
            available_width - aside,
        )
        self._place_texts(pad, wide, is_stacked)

    def _label_in(self, available_width: float) -> str:
        """Return the label; a word that is too wide breaks only at its hyphen."""
        if self._longest_word_width(self.text) <= available_width:
            return self.text
        return " ".join(break_at_hyphen(word) for word in self.text.split(" "))

    def _is_long(self, label: str, available_width: float) -> bool:
        """Return True if the effect stands on the second line, which it never has for itself."""
        if len(self.text) <= LONG_LABEL_CHARS:
            return False
        return bool(self.detail) or bool(self._label._label.get_extents(label)[0] > available_width)

    def _place_texts(self, pad: float, wide: bool, is_stacked: bool) -> None:
        """Set the height and place the texts: the effect beside all lines, `wide`: beside the detail, or below it."""
        second = max(self._detail.height, self._effect.height if wide else 0.0)
        third = self._effect.height if is_stacked else 0.0
        text_height = self._label.height + second + third
        self.height = max(dp(self.least), text_height + dp(8), self._effect.height + dp(8))
        top, left = self.center_y + text_height / 2, self.x + pad
        below = top - self._label.height
        self._label.pos = (left, below)
        self._detail.pos = (left, below - second / 2 - self._detail.height / 2 if wide else below - self._detail.height)
        middle = below - second / 2 if wide else self.center_y
        if is_stacked:
            middle = below - second - third / 2
        self._effect.pos = (self.right - pad - self._effect.width, middle - self._effect.height / 2)


def _lay_out_label(label: Text, text: str, available_width: float | None) -> None:
    """Set the text and size of a label; it wraps only if it is too wide."""
    label.text = text
    label.opacity = 1.0 if text else 0.0
    if not text:
        label.size = (0, 0)
        return
    label.text_size = (None, None)
    label.texture_update()
    if available_width is not None and label.texture_size[0] > available_width:
        label.text_size = (available_width, None)
        label.texture_update()
    label.size = label.texture_size


MIN_ROW_HEIGHT_DP = 58
"""Minimum height of a row of a list in dp."""


def equalize_heights(grid: GridLayout, rows: Sequence[ChoiceButton], least: float = MIN_ROW_HEIGHT_DP) -> None:
    """Give rows beside each other the same height, and repeat this when the grid changes its width.

    `least` is the minimum height in dp.
    """
    cols = grid.cols
    if cols < 2:
        return

    def grow(*_: object) -> None:
        for at in range(0, len(rows), cols):
            beside = rows[at : at + cols]
            tallest = max(row.height for row in beside)
            for row in beside:
                row.least = tallest / dp(1)

    def reset_heights(*_: object) -> None:
        for row in rows:
            row.least = least
        Clock.schedule_once(grow, 0)  # after the texts are laid out again

    soon = Clock.create_trigger(reset_heights, 0)
    if rows:
        rows[0].bind(width=lambda *_: soon())
    soon()
