"""The picture of a moment: large dice, the ruler with its total lit, and a sentence legible from across the table."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import break_at_hyphen, display, text
from companion.app.figures.table import CARD_COLOURS, DiceLine, RulerFigure
from companion.app.theme import Theme, rgba
from companion.app.widgets.components import VBox, bind_geometry
from companion.app.widgets.marks import Framed, Mark, SideBadge
from companion.app.widgets.text import BoldText, Text, least_size
from companion.games.base import SideScene
from companion.games.moments import MomentRow, ResultMoment

HEADLINE_SIZES_DP = (64, 56, 48, 44, 40)
"""Sizes of the headline, the largest that fits on one line. The smallest wraps: it is legible at 2 m (SCREENS 3)."""
LAST_SIZES_DP = (36, 32, 28)
"""Sizes for a headline that is too long even when it wraps: two names of 40 signs."""
MIN_ROW_DP, MAX_ROW_DP = 44, 96
"""Height of a row of dice."""
_NUMBER_DP, _MAX_NUMBER_DP = 92, 146
"""Width of the number at the end of a row, and with a long label below it. A longer label uses smaller type, then two
lines."""
_PAD_DP, _GAP_DP, _CARD_DP = 12, 8, 64
_LEAST_PAD_DP = 6
"""Space above and below the text of the banner where height is short; elsewhere the banner takes what is free."""


class CardMark(Mark):
    """A booking card; a red one is struck through, so that it is not known by its colour alone."""

    def __init__(self, card: str, **kwargs: Any) -> None:
        self._card = card
        super().__init__(**kwargs)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        wide, left = size * 0.7, x + size * 0.15
        Color(*rgba("#14201A"))
        RoundedRectangle(pos=(left - dp(2), y - dp(2)), size=(wide + dp(4), size + dp(4)), radius=[dp(6)])
        Color(*CARD_COLOURS[self._card])
        RoundedRectangle(pos=(left, y), size=(wide, size), radius=[dp(5)])
        if self._card == "red":
            Color(*rgba("#F6F1E3"))
            Line(points=[left + dp(9), y + dp(9), left + wide - dp(9), y + size - dp(9)], width=dp(2))


class MomentRowFigure(Framed, BoxLayout):
    """One side's dice with the number that they make, after the side's badge."""

    def __init__(self, row: MomentRow, side: SideScene | None, **kwargs: Any) -> None:
        super().__init__(padding=(dp(8), dp(2)), spacing=dp(8), size_hint=(None, None), **kwargs)
        self.fill = display.theme.creux
        tone = side.colour if side is not None else "craie"
        if side is not None:
            self.add_widget(SideBadge(side=30, colour=side.colour, letter=side.letter, middle=True))
        some = not all(group.counts for group in row.groups)
        self.add_widget(DiceLine(row.groups, tone, MAX_ROW_DP - 16, ringed=some))
        if not row.number:
            return
        number = BoldText(row.number, kind="fort", tone=tone, halign="center", flow="line", leading=0.85)
        number.font_size = dp(display.theme.sizes["fort" if row.label is None else "grand"])
        number.pos_hint = {"center_x": 0.5}
        column = VBox(number, wide=_NUMBER_DP, middle=True)
        column.size_hint_y = None
        if row.label is not None:
            label = BoldText(
                text(row.label), kind="mini", strong=False, tone="craie2", halign="center", flow="box", size_hint_y=None
            )
            column.width = max(dp(_NUMBER_DP), min(label.line_width + dp(2), dp(_MAX_NUMBER_DP)))
            one_line = label.font_size * min(1, column.width / (label.line_width + dp(2)))
            label.font_size = max(least_size(), one_line)  # a second line would take the height of the number
            label.height = label.font_size * (1.1 if one_line >= least_size() else 2.4)
            column.add_widget(label)
            full = number.font_size

            def shrink(_: object, height: float) -> None:
                number.font_size = max(least_size(), min(full, height - label.height - dp(8)))

            self.fbind("height", shrink)
        column.bind(minimum_height=column.setter("height"))
        self.add_widget(column)


class MomentFigure(Widget):
    """A moment, laid out in the space it gets: dice, ruler and banner; detail and ruler are left out if it is short."""

    def __init__(self, moment: ResultMoment, sides: dict[str, SideScene], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        theme = display.theme
        side = sides.get(moment.side or "")
        self._rows = [MomentRowFigure(row, sides.get(row.side or "")) for row in moment.rows]
        tones = {one.side: one.colour for one in sides.values()}
        self._ruler = None if moment.ruler is None else RulerFigure(moment.ruler, tones, moment.cell, size_hint_x=None)
        self._banner = Framed(radius=12, line_width=3)
        tone = theme.sides[side.colour] if side is not None else None
        self._banner.fill = tone.main if tone is not None else theme.nuit
        self._banner.line = theme.craie if tone is not None else theme.laiton
        ink = tone.ink if tone is not None else theme.craie
        self.sentence = text(moment.headline)
        self._headline = BoldText(self.sentence, flow="free", halign="center", leading=0.92)
        self._detail = Text(text(moment.detail), kind="bouton", flow="free", halign="center") if moment.detail else None
        self._card = CardMark(moment.card, side=_CARD_DP) if moment.card else None
        for label in (self._headline, self._detail):
            if label is not None:
                label.color = ink
                label.size_hint = (None, None)
        bind_geometry(self, self._place)

    def _place(self) -> None:
        """Lay out all parts for the current size."""
        self.clear_widgets()
        if self.width < dp(60) or self.height < dp(40):
            return
        pad, gap = dp(_LEAST_PAD_DP), dp(_GAP_DP)
        beside = dp(_CARD_DP) + gap if self._card is not None else 0.0
        wide = self.width - 2 * dp(_PAD_DP) - beside
        detail, ruler = self._detail, self._ruler
        least_rows = len(self._rows) * (dp(MIN_ROW_DP) + gap)
        free = self.height - least_rows - 2 * pad
        if not self._fits_with_detail(wide, free):
            detail = None
            self._fit_headline(wide, free)
        text_height = self._headline.height + (detail.height if detail is not None else 0.0)
        text_height = max(text_height, dp(_CARD_DP) if self._card is not None else 0.0)
        if ruler is not None and text_height + 2 * pad + least_rows + ruler.height + gap > self.height:
            ruler = None
        below = text_height + 2 * pad + (ruler.height + gap if ruler is not None else 0.0)
        row = 0.0
        if self._rows:
            row = min(dp(MAX_ROW_DP), (self.height - below) / len(self._rows) - gap)
        spare = self.height - below - len(self._rows) * (row + gap)
        top = self.top
        for figure in self._rows:
            figure.size, figure.pos = (self.width, row), (self.x, top - row)
            self.add_widget(figure)
            top -= row + gap
        if ruler is not None:
            ruler.width, ruler.pos = self.width, (self.x, top - ruler.height)
            self.add_widget(ruler)
            top -= ruler.height + gap
        high = text_height + 2 * pad + min(spare, dp(80))
        self._place_banner((top - high, high), beside, detail)

    def _place_banner(self, at: tuple[float, float], beside: float, detail: Text | None) -> None:
        """Place the banner at this lower edge and height, with its text in the middle."""
        banner, headline = self._banner, self._headline
        banner.pos, banner.size = (self.x, at[0]), (self.width, at[1])
        self.add_widget(banner)
        text_height = headline.height + (detail.height if detail is not None else 0.0)
        middle = at[0] + at[1] / 2
        centre = self.center_x + beside / 2
        headline.pos = (centre - headline.width / 2, middle + text_height / 2 - headline.height)
        self.add_widget(headline)
        if detail is not None:
            detail.pos = (centre - detail.width / 2, middle - text_height / 2)
            self.add_widget(detail)
        if self._card is not None:
            self._card.pos = (self.x + dp(_PAD_DP), middle - self._card.height / 2)
            self.add_widget(self._card)

    def _fits_with_detail(self, wide: float, high: float) -> bool:
        """Fit the headline above the detail. Returns False without a detail, or if the headline becomes too small."""
        detail = self._detail
        if detail is None:
            return False
        _lay_out(detail, wide, display.theme.type("bouton"))
        self._fit_headline(wide, high - detail.height)
        is_legible = self._headline.font_size >= dp(HEADLINE_SIZES_DP[-1])
        return bool(is_legible and self._headline.height + detail.height <= high)

    def _fit_headline(self, wide: float, high: float) -> None:
        """Use the largest type in which the headline fits on one line, else on two, broken after its exclamation mark,
        else the smallest, wrapped."""
        headline = self._headline
        two_lines = self.sentence.replace("! ", "!\n", 1)
        for written in dict.fromkeys((self.sentence, two_lines)):
            headline.text = written
            for size in HEADLINE_SIZES_DP:
                headline.font_size = dp(size)
                widest = max(headline._label.get_extents(line)[0] for line in written.split("\n"))
                if widest <= wide:
                    _lay_out(headline, wide, dp(size))
                    if headline.height <= high:
                        return
        for size in (HEADLINE_SIZES_DP[-1], *LAST_SIZES_DP):
            headline.font_size = dp(size)
            width_of = headline._label.get_extents
            pieces = [break_at_hyphen(word) if width_of(word)[0] > wide else word for word in self.sentence.split(" ")]
            headline.text = " ".join(pieces)
            _lay_out(headline, wide, dp(size))
            longest = max(width_of(part)[0] for word in pieces for part in word.split("\n"))
            if headline.height <= high and longest <= wide:
                return


def _lay_out(label: Text, wide: float, size: float) -> None:
    """Lay out a text that wraps at a width, in a size in pixels."""
    label.font_size = size
    label.text_size = (wide, None)
    label.texture_update()
    label.size = label.texture_size
