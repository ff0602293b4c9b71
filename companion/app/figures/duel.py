"""Duel figure: two columns of points in the sides' colours, with the margin in a chalk ring between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import break_at_hyphen, display, one_line_names, signed, text, translate
from companion.app.figures.table import ChalkRing
from companion.app.widgets.components import bind_geometry, fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.text import BoldText, Text, least_size
from companion.games.base import Message
from companion.games.figures import DuelColumn, DuelLine, DuelScene

_RING = 72
_BAND = 5
_CORNER = 10
_CROWDED_OFFERS = 2
"""With this many choices below the ring, the text around it is hidden."""
_MAX_FULL_SIZE_LINES = 4
"""Maximum number of lines shown in normal type."""
_NAME = (("corps", False), ("mini", False))
_LABEL = (("mini", True), ("mini", False))
DETAIL_LEVELS = 3
"""Levels of detail: full; full in small type; similar lines merged. The next level is `bare`."""


class DuelFigure(BoxLayout):
    """The duel figure. `order` lists the sides from left to right, `tones` their colours. `middle`: below the ring."""

    def __init__(
        self,
        figure: DuelScene,
        order: Sequence[str],
        tones: dict[str, str],
        middle: Sequence[Widget] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(size_hint_y=None, spacing=dp(8), **kwargs)
        left, right = sorted(figure.columns, key=lambda column: list(order).index(column.side))
        self._columns = [PointsColumn(column, tones[column.side]) for column in (left, right)]
        self._middle = _Margin(figure, middle)
        for column in self._columns:
            column.fbind("least", self._fit)
        self._middle.fbind("height", self._fit)
        fill(self, self._columns[0], self._middle, self._columns[1])
        self._fit()

    def brief(self) -> bool:
        """Show less, in steps. Returns True if anything changed.

        Steps: smaller type, fewer lines, no text around the ring, only the totals.
        """
        changed = [column.brief() for column in self._columns]
        if any(changed) or self._middle.brief():
            return True
        bared = [column.bare() for column in self._columns]
        return any(bared)

    def _fit(self, *_: object) -> None:
        tall: float = max(self._middle.height, *(column.least for column in self._columns))
        self.height = tall
        for column in self._columns:
            column.height = tall


class _Margin(BoxLayout):
    """The middle column: title, ring with the margin, detail, and the choices of either side."""

    def __init__(self, figure: DuelScene, offers: Sequence[Widget], **kwargs: Any) -> None:
        upright = display.portrait
        super().__init__(orientation="vertical", spacing=dp(4), size_hint=(None, None), **kwargs)
        self.width = dp(112 if upright else 94) * (1 if upright else display.theme.text / 100)
        self.pos_hint = {"top": 1}
        ring = ChalkRing(_RING, display.theme.craie, pos_hint={"center_x": 0.5})
        label = "?" if figure.margin is None else signed(figure.margin)
        ring.add_widget(BoldText(label, kind="grand", flow="line"))
        self._labels = [
            Text(text(message), kind="mini", tone="craie2", halign="center") for message in _messages(figure, offers)
        ]
        fill(self, self._labels[0], ring, *self._labels[1:], *offers)
        self.bind(minimum_height=self.setter("height"))

    def brief(self) -> bool:
        """Hide the text around the ring, last one first. Returns False if none is left."""
        if not self._labels:
            return False
        self.remove_widget(self._labels.pop())
        return True


def _messages(figure: DuelScene, offers: Sequence[Widget]) -> tuple[Message, ...]:
    return (figure.title, figure.detail) if len(offers) < _CROWDED_OFFERS else (figure.title,)


class PointsColumn(Framed, BoxLayout):
    """The column of one side: player, lines that count, total. Dashed until the side has joined."""

    least = NumericProperty(0)
    """Height of its lines; the figure gives both columns the same height."""

    def __init__(self, column: DuelColumn, tone: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, pos_hint={"top": 1}, **kwargs)
        theme = display.theme
        self.padding = (dp(8), dp(_BAND + 5), dp(8), dp(4))
        crowded, large = len(column.lines) > _MAX_FULL_SIZE_LINES, not theme.roomy
        self._column, self._tone, self._level = column, tone, crowded + large
        if column.total is None:
            self.line, self.dash = theme.craie3, 5
        else:
            self.fill = theme.creux
            with self.canvas:
                Color(*theme.sides[tone].main)
                self._band = SmoothRoundedRectangle()
                Color(*theme.creux)
                self._under = SmoothRoundedRectangle()
            bind_geometry(self, self._draw_band)
        self._build()

    def brief(self) -> bool:
        """Show the same content in less space. Returns False if that is not possible."""
        if self._level + 1 >= DETAIL_LEVELS or not self._column.lines:
            return False
        self._level += 1
        self._build()
        return True

    def bare(self) -> bool:
        """Show only the total and the requested values. Returns False if there was nothing more to hide."""
        if self._level >= DETAIL_LEVELS or self._column.total is None:
            return False
        self._level = DETAIL_LEVELS
        self._build()
        return True

    def _build(self) -> None:
        self.clear_widgets()
        kind = "corps" if self._level == 0 else "mini"
        rows: list[Widget] = [] if self._level == DETAIL_LEVELS else self._head(kind)
        rows += [PointsLine(line, kind) for line in lines_at_level(self._level, self._column.lines)]
        rows.append(Widget())
        if self._column.total is not None:
            rows += [_Rule()] if self._level < DETAIL_LEVELS else []
            rows.append(_Total(self._column.total, self._tone))
        for row in rows:
            row.fbind("height", self._fit)
            self.add_widget(row)
        self._fit()

    def _head(self, kind: str) -> list[Widget]:
        return [self._name(), Text(text(self._column.detail), kind=kind, tone="craie2", halign="left")]

    def _name(self) -> Text:
        """Return the player's name on one line; before a player is named, the side's name unchanged."""
        if self._column.total is None and display.theme.roomy:
            name = " ".join(break_at_hyphen(word) for word in self._column.name.split())
            return BoldText(name, kind="corps", tone=self._tone, halign="left")
        return SingleLineText(self._column.name, _NAME, tone=self._tone, strong=True, plain=False, halign="left")

    def _fit(self, *_: object) -> None:
        pieces = [piece for piece in self.children if piece.size_hint_y is None]
        self.least = sum(piece.height for piece in pieces) + self.padding[1] + self.padding[3]

    def _draw_band(self) -> None:
        """Draw the top of the card in the side's colour, along the rounded corners."""
        round_head, tall = dp(_CORNER), dp(_CORNER + _BAND)
        for shape, top, inner in ((self._band, self.top, round_head), (self._under, self.top - dp(_BAND), dp(_BAND))):
            shape.pos, shape.size = (self.x, top - tall), (self.width, tall)
            shape.radius = [(round_head, inner), (round_head, inner), (0, 0), (0, 0)]


def lines_at_level(level: int, lines: Sequence[DuelLine]) -> tuple[DuelLine, ...]:
    """Return the lines shown at a level of detail, 0 to `DETAIL_LEVELS`."""
    if level == DETAIL_LEVELS:
        return tuple(line for line in lines if line.mark == "due")
    return merge_similar_lines(lines) if level == DETAIL_LEVELS - 1 else tuple(lines)


def merge_similar_lines(lines: Sequence[DuelLine]) -> tuple[DuelLine, ...]:
    """Merge similar lines: one line for known values and one for hidden values; all others are unchanged."""
    found = [line for line in lines if not line.mergeable]
    known = [line for line in lines if line.mergeable and line.value is not None]
    hidden = [line for line in lines if line.mergeable and line.mark == "hidden"]
    due = [line for line in lines if line.mergeable and line.mark == "due"]
    total = DuelLine(_others(len(known)), sum(line.value or 0 for line in known), "bonus")
    return (*found, *_merged(known, total), *due, *_merged(hidden, DuelLine(_others(len(hidden)), None, "hidden")))


def _merged(lines: Sequence[DuelLine], total: DuelLine) -> tuple[DuelLine, ...]:
    """Return `total` in place of several lines; a single line is unchanged."""
    return (total,) if len(lines) > 1 else tuple(lines)


def _others(count: int) -> Message:
    return Message("app.duel.others", {"n": count})


class PointsLine(BoxLayout):
    """A label on the left and its number on the right; brass while the number is requested."""

    def __init__(self, line: DuelLine, kind: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(4), **kwargs)
        due = line.mark == "due"
        tone = "laiton" if due else "craie"
        value = {"due": "?", "hidden": translate("app.duel.hidden")}.get(line.mark, "")
        if line.value is not None:
            value = signed(line.value) if line.mark == "bonus" else str(line.value)
        self._label = SingleLineText(text(line.label), ((kind, True), *_LABEL), tone=tone, halign="left")
        quiet = line.mark == "hidden"
        self._value: Widget
        if quiet and not display.theme.roomy:
            self._value = Icon("lock", side=18, tone="craie2", spoken=value)  # in large type the word leaves no label
        else:
            self._value = BoldText(value, kind="mini" if quiet else kind, tone="craie2" if quiet else tone, flow="line")
        for piece in (self._label, self._value):
            piece.pos_hint = {"center_y": 0.5}
            piece.fbind("height", self._fit)
            self.add_widget(piece)
        if isinstance(self._value, Text):
            self._value.texture_update()
        self._fit()

    def _fit(self, *_: object) -> None:
        self.height = max(self._label.height, self._value.height) + dp(3)


class _Rule(Widget):
    """The line above a total."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(5), **kwargs)
        with self.canvas:
            Color(*display.theme.bord)
            self._line = Rectangle()
        bind_geometry(self, self._paint)

    def _paint(self) -> None:
        self._line.pos, self._line.size = (self.x, self.center_y - dp(1)), (self.width, dp(2))


class SingleLineText(Text):
    """A text on one line. If it is too long, it uses smaller type, then a name with initials (SCREENS 8).

    A last name that is still too long breaks after a hyphen. What does not fit in the smallest type is cut at its end.
    """

    full = StringProperty("")

    def __init__(self, full: str, ladder: Sequence[tuple[str, bool]], **kwargs: Any) -> None:
        """`ladder` lists type sizes by preference, each with a flag for the sentence font."""
        self._ladder = tuple(ladder)
        super().__init__(full, flow="free", size_hint_y=None, leading=1.0, **kwargs)
        self.full = full
        self.height = self.font_size * 1.25
        self.fbind("width", self._choose)
        self._choose()

    def _choose(self, *_: object) -> None:
        self.text_size = (None, None)
        for candidate in one_line_names(self.full):
            for kind, sentence in self._ladder:
                self.text, self.kind, self.plain = candidate, kind, sentence
                if self._label.get_extents(candidate)[0] <= self.width:
                    return self._done()
        lines = break_at_hyphen(self.text).split("\n")
        wide = max(self._label.get_extents(line)[0] for line in lines)
        self.font_size = max(least_size(), min(self.font_size, self.font_size * self.width / wide * 0.97))
        self.text = "\n".join(self.beginning_of(line, self.width) for line in lines)
        return self._done()

    def _done(self) -> None:
        self.text_size = (self.width, None)
        self.height = self.font_size * 1.25 * (1 + self.text.count("\n"))


class _Total(BoldText):
    def __init__(self, total: int, tone: str) -> None:
        super().__init__(str(total), kind="grand", tone=tone, halign="right", leading=0.9)
