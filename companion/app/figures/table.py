"""Figures of the table's centre: headline, notice, odds, chances, ruler, throws, race, attempts, sum."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from kivy.graphics import BorderImage, Color, Line, Rectangle, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import context_of, display, one_line_names, percent, signed, text, translate
from companion.app.figures.slots import face_mark
from companion.app.help.rules import open_rule
from companion.app.theme import RGBA, faded, rgba
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import Chip, HBox, VBox, bind_geometry, fill
from companion.app.widgets.marks import BallMark, Framed, Icon, draw_mask, draw_text
from companion.app.widgets.text import BoldText, Name, Text, least_size
from companion.games.base import Die, Message
from companion.games.figures import (
    Attempts,
    DiceGroup,
    Headline,
    OddsBar,
    Race,
    RaceLane,
    Ruler,
    RulerCell,
    Sum,
    ThrowRow,
    Throws,
)
from companion.games.wording import percentages
from vision.roll import Face

_TALL, _BELOW = 46, 18
_RING_SHARE = 0.67
"""The largest type in a ring, as a share of its side: a sign and a digit stay inside."""


def is_promise(figure: Ruler) -> bool:
    """True if the totals of a ruler are points, not results."""
    return all(cell.result == "points" for cell in figure.cells)


class ChancesFigure(BoxLayout):
    """A sentence with the mean, and a bar for every total."""

    def __init__(self, figure: Ruler, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(4), **kwargs)
        side = next((cell.side for cell in figure.cells if cell.side), "") or ""
        self._title = Text(text(figure.title), halign="left")
        self._title.fbind("height", self._fit)
        fill(self, self._title, Bars(figure, tones.get(side, "craie")))
        self._fit()

    def _fit(self, *_: object) -> None:
        self.height = self._title.height + dp(4) + dp(_TALL + _BELOW)


class Bars(Widget):
    """One bar per total, as high as its probability, with as many numbers below as fit without overlap."""

    def __init__(self, figure: Ruler, tone: str, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(_TALL + _BELOW), **kwargs)
        self._chances = [(cell.total, float(Fraction(cell.chance))) for cell in figure.cells]
        self._tone = tone
        bind_geometry(self, self._draw)

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.clear()
        most = max((chance for _, chance in self._chances), default=0.0)
        if self.width < 10 or not most:
            return
        step = self.width / len(self._chances)
        wide = min(dp(26), step - dp(2))
        size = theme.type("mini")
        every = max(1, round(size * 1.6 / step + 0.5))
        with self.canvas:
            for place, (total, chance) in enumerate(self._chances):
                x = self.x + step * (place + 0.5)
                high = max(dp(2), dp(_TALL) * chance / most)
                Color(*theme.tone(self._tone))
                RoundedRectangle(pos=(x - wide / 2, self.y + dp(_BELOW)), size=(wide, high), radius=[dp(2)])
                if place % every == 0:
                    draw_text(str(total), size, theme.craie2, x, self.y + dp(_BELOW) / 2)


class HeadlineFigure(BoxLayout):
    """Title and detail beside a large badge; `compact` uses a small badge and a smaller title."""

    def __init__(self, headline: Headline, compact: bool = False, tone: str = "craie", **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(8 if compact else 12), **kwargs)
        tall = display.portrait and not compact
        if headline.badge:
            self.add_widget(BallMark(side=30 if compact else 44, colour=headline.badge, middle=True))
        text_box = VBox(size_hint_y=None, middle=True)
        kind = "bouton" if compact else ("grand" if tall else "titre")
        self._parts = [BoldText(text(headline.text), kind=kind, tone=tone, halign="left", leading=0.95)]
        if headline.detail:
            self._parts.append(Text(text(headline.detail), tone="craie2", halign="left"))
        for part in self._parts:
            part.fbind("height", lambda *_: self._fit(text_box))
            text_box.add_widget(part)
        self.add_widget(text_box)
        self._fit(text_box)
        if compact:
            text_box.fbind("width", lambda *_: self._beside(text_box))

    def brief(self) -> bool:
        """Set the detail in smaller type, then hide it. Returns False if there is none."""
        if len(self._parts) < 2:
            return False
        if self._parts[1].kind != "mini":
            self._parts[1].kind = "mini"
            return True
        text_box = self._parts[0].parent
        text_box.remove_widget(self._parts.pop())
        self._fit(text_box)
        return True

    def _beside(self, text_box: BoxLayout) -> None:
        """In the compact form, place the detail beside the title if both fit on one line."""
        widths = [_width(part) for part in self._parts]
        if sum(widths) + dp(8) > text_box.width or text_box.orientation == "horizontal":
            return
        text_box.orientation, text_box.spacing = "horizontal", dp(8)
        self._parts[0].size_hint_x, self._parts[0].width = None, widths[0] + 1
        self._fit(text_box)

    def _fit(self, text_box: BoxLayout) -> None:
        heights = [part.height for part in self._parts]
        text_box.height = max(heights) if text_box.orientation == "horizontal" else sum(heights)
        marks = [child.height for child in self.children if child is not text_box]
        self.height = max(text_box.height, *marks) if marks else text_box.height


def _width(label: Text) -> float:
    """Return the width of a text on one line."""
    return float(label._label.get_extents(label.text)[0])


class NoticeBox(Framed, BoxLayout):
    """A notice with `title` in brass and `reason` below. Its height fits the text, at least `least` pixels."""

    def __init__(self, title: str, reason: str = "", icon: str = "alert", least: float = 0, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, padding=(dp(12), dp(8)), spacing=dp(10), line_width=3, **kwargs)
        theme = display.theme
        self.fill, self.line = theme.nuit, theme.laiton
        self._least = least
        self.add_widget(Icon(icon, side=28, tone="laiton", middle=True))
        self._text_box = VBox(size_hint_y=None, middle=True)
        self._parts = []
        if title:
            self._parts.append(BoldText(title, kind="bouton", tone="laiton", halign="left"))
        if reason:
            self._parts.append(Text(reason, kind="mini" if title else "corps", halign="left"))
        for part in self._parts:
            part.fbind("height", self._fit)
            self._text_box.add_widget(part)
        self.add_widget(self._text_box)
        self._fit()

    def _fit(self, *_: object) -> None:
        self._text_box.height = sum(part.height for part in self._parts)
        self.height = max(self._least, max(dp(28), self._text_box.height) + dp(16))


class RuleNotice(Tappable, NoticeBox):
    """A notice with its rule number; a tap opens the text of the rule."""

    def __init__(self, title: str, reason: str, rule: str, **kwargs: Any) -> None:
        super().__init__(title=title, reason=reason, least=dp(52), **kwargs)
        self.spoken = " ".join(part for part in (title, reason, rule) if part)
        mark = Text(rule, kind="mini", plain=False, tone="craie2", flow="line", pos_hint={"top": 1})
        mark.texture_update()
        self.add_widget(mark)
        self.bind(on_tap=lambda *_: open_rule(context_of(self), rule))

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        self.fill = theme.feutre if on else theme.nuit


def notice_of(title: str, reason: str = "", rule: str = "") -> NoticeBox:
    """Return a notice, with its rule if there is one."""
    return RuleNotice(title, reason, rule) if rule else NoticeBox(title, reason)


def fractions(texts: Iterable[str]) -> tuple[Fraction, ...]:
    """Parse exact fractions from texts such as `5/12`."""
    return tuple(Fraction(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent totals with the same result for the same side, and their combined chance."""

    result: str
    side: str | None
    totals: tuple[int, ...]
    chance: Fraction


def runs(cells: Sequence[RulerCell]) -> tuple[Run, ...]:
    """Merge adjacent ruler cells of the same kind."""
    found: list[Run] = []
    for cell in cells:
        chance = Fraction(cell.chance)
        last = found[-1] if found else None
        if last and (last.result, last.side) == (cell.result, cell.side):
            found[-1] = Run(last.result, last.side, (*last.totals, cell.total), last.chance + chance)
        else:
            found.append(Run(cell.result, cell.side, (cell.total,), chance))
    return tuple(found)


_GAP = 3


class OddsFigure(BoxLayout):
    """Labels with percentages above a bar. `bare` omits the bar if a ruler above shows the same."""

    def __init__(self, figure: OddsBar, tones: dict[str, str], bare: bool = False, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(4), **kwargs)
        shares = percentages(fractions(part.chance for part in figure.parts))
        parts = [(part, share) for part, share in zip(figure.parts, shares, strict=True) if share > 0]
        largest = max((share for _, share in parts), default=0)
        labels = []
        for part, share in parts:
            kind = "titre" if share == largest and display.theme.roomy else "bouton"
            tone = tones.get(part.side or "", "craie")
            labels.append(OddsLabel(part.label, share, kind=kind, tone=tone, flow="line"))
        self._labels = LabelRow(labels)
        self._labels.fbind("height", self._fit)
        self.add_widget(self._labels)
        if not bare:
            self.add_widget(ShareBar([(share, tones.get(part.side or "")) for part, share in parts]))
        self._fit()

    def _fit(self, *_: object) -> None:
        pieces = self.children
        self.height = sum(piece.height for piece in pieces) + self.spacing * (len(pieces) - 1)


class OddsLabel(BoldText):
    """A result and its percentage on one line. Names in it are shortened if the line is too long, then cut."""

    def __init__(self, label: Message, share: int, **kwargs: Any) -> None:
        self._label_message, self._share = label, share
        super().__init__(self._with_names({}), **kwargs)

    def fit(self, available_width: float) -> None:
        """Use the longest names that fit. Without a name, use smaller type."""
        self.font_size = display.theme.type(self.kind)
        names = [name for name in self._label_message.args.values() if isinstance(name, str) and name]
        forms = {name: tuple(one_line_names(name)) for name in names}
        for step in range(max(map(len, forms.values()), default=0)):
            used = {name: shorter[min(step, len(shorter) - 1)] for name, shorter in forms.items()}
            self.text = self._with_names(used)
            if self.line_width <= available_width:
                return
        shortest = {name: shorter[-1] for name, shorter in forms.items()}
        length = max(map(len, shortest.values()), default=0)
        while length > 1 and self.line_width > available_width:
            length -= 1
            cut = {name: one if len(one) <= length else f"{one[:length].rstrip()}…" for name, one in shortest.items()}
            self.text = self._with_names(cut)
        if self.line_width > available_width:
            self.font_size = max(least_size(), self.font_size * available_width / self.line_width * 0.98)

    def _with_names(self, names: Mapping[str, str]) -> str:
        """Return the text with other forms of its names."""
        args = dict(self._label_message.args)
        args.update({key: names[value] for key, value in args.items() if isinstance(value, str) and value in names})
        return f"{text(replace(self._label_message, args=args))} {percent(self._share)}"


class LabelRow(Widget):
    """Labels spread over the width. If they do not fit, they use smaller type, then more rows, then shorter names."""

    def __init__(self, labels: list[OddsLabel], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self._labels = labels
        self._kinds = [label.kind for label in labels]
        for label in labels:
            self.add_widget(label)
            label.texture_update()
            label.size = label.texture_size
        self.height = max((label.height for label in labels), default=0)
        bind_geometry(self, self._spread)

    def _spread(self) -> None:
        gap = dp(10)
        for kinds in (self._kinds, ["corps"] * len(self._kinds)):
            for label, kind in zip(self._labels, kinds, strict=True):
                label.kind = kind
                label.fit(math.inf)
                label.texture_update()
                label.size = label.texture_size
            if self._width(self._labels, gap) <= self.width:
                break
        for label in self._labels:
            if label.width > self.width:
                label.fit(self.width)
                label.texture_update()
                label.size = label.texture_size
        rows: list[list[OddsLabel]] = [[]]
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
    def _width(labels: list[OddsLabel], gap: float) -> float:
        return sum(label.width for label in labels) + gap * (len(labels) - 1)


class ShareBar(Widget):
    """A bar of adjacent parts, as wide as their shares; a part of no side is hatched."""

    def __init__(self, parts: list[tuple[int, str | None]], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(14), **kwargs)
        self._parts = parts
        bind_geometry(self, self._draw)

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.clear()
        available_width = self.width - dp(_GAP) * (len(self._parts) - 1)
        x = self.x
        radius = round(dp(4))
        with self.canvas:
            for share, tone in self._parts:
                width = max(dp(4), available_width * share / 100)
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


CARD_COLOURS = {"yellow": rgba("#FFE14D"), "red": rgba("#D8202A")}


class RulerFigure(BoxLayout):
    """A ruler with one cell for each total. `lit` is the index of the cell of the total that was rolled, if any."""

    def __init__(self, figure: Ruler, tones: dict[str, str], lit: int | None = None, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=dp(60 if display.portrait else 40), spacing=dp(3), **kwargs)
        cells = [Cell(cell, tones.get(cell.side or "", "")) for cell in figure.cells]
        fill(self, *cells)
        if lit is not None:
            cells[lit].light()


class Cell(Framed, AnchorLayout):
    """A cell of the ruler. `side` is a side's colour, or empty for a total of no side."""

    def __init__(self, cell: RulerCell, side: str, **kwargs: Any) -> None:
        super().__init__(radius=6, **kwargs)
        theme = display.theme
        main = theme.tone(side) if side else theme.craie
        filled = cell.result == "success"
        self.fill = main if filled else (0, 0, 0, 0)
        self.line = (0, 0, 0, 0) if filled else main
        self._number = BoldText(str(cell.total), kind="titre" if display.portrait else "bouton", flow="line")
        self._number.color = (theme.sides[side].ink if side else theme.encre) if filled else main
        self.add_widget(self._number)
        self._card = CARD_COLOURS.get(cell.mark or "")
        self._struck = cell.mark == "red"
        bind_geometry(self, self._draw_card)

    def light(self) -> None:
        """Fill the cell with brass: its total was rolled."""
        theme = display.theme
        self.fill, self.line, self.line_width = theme.laiton, theme.craie, 4
        self._number.kind, self._number.color = "titre", theme.laiton_encre

    def _draw_card(self) -> None:
        if self._card is None:
            return
        theme = display.theme
        width, height = dp(12), dp(16)
        x, y = self.right + dp(3) - width, self.top + dp(7) - height
        self.canvas.after.clear()
        with self.canvas.after:
            Color(*theme.encre)
            Rectangle(pos=(x - dp(1.5), y - dp(1.5)), size=(width + dp(3), height + dp(3)))
            Color(*self._card)
            Rectangle(pos=(x, y), size=(width, height))
            if self._struck:
                Color(*theme.craie)
                Line(points=[x + dp(3), y + dp(3), x + width - dp(3), y + height - dp(3)], width=dp(1))


_DICE_GAP, _NEAR, _RING = 6, 3, 5
_NUMBER = 94
"""Width in dp of a side's number and its label."""


class ThrowsFigure(BoxLayout):
    """Rolled dice of the sides. `tones` maps sides to colours; `low` saves vertical space.

    `thrown_again` are the dice to pick up and throw again: they are framed in brass.
    """

    def __init__(
        self,
        figure: Throws,
        tones: dict[str, str],
        low: bool = False,
        thrown_again: Sequence[Die] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(8), **kwargs)
        tall = dp(84 if display.portrait else 62 if low else 68)
        rows = [_Row(row, tones.get(row.side, ""), tall, Counter(thrown_again)) for row in figure.rows]
        roomy, is_long = display.theme.roomy, any(row.has_long_label for row in rows)
        if roomy:
            kind = "titre" if is_long and not display.portrait else "grand"
        else:
            kind = "bouton" if is_long or low else "titre"
        for row in rows:
            row.number.kind = kind
        fill(self, *rows)
        self.height = sum(child.height for child in self.children) + dp(8) * max(0, len(figure.rows) - 1)


class _Row(Framed, BoxLayout):
    """One side's dice, with its number at the end."""

    def __init__(self, row: ThrowRow, tone: str, height: float, thrown_again: Counter[Die]) -> None:
        super().__init__(size_hint_y=None, height=height, padding=(dp(10), dp(4)), spacing=dp(8))
        self.fill = display.theme.creux
        self.add_widget(DiceLine(row.groups, tone, 46 if display.portrait else 40, thrown_again=thrown_again))
        label = Name(
            text(row.label),
            kinds=["mini"],
            strong=False,
            tone="craie2",
            halign="center",
            size_hint_y=None,
            leading=0.95,
        )
        self.has_long_label = label.line_width > dp(_NUMBER)
        lines = 1 + sum(label.line_width > dp(_NUMBER) * share for share in (1, 1.8))
        label.height = label.font_size * (1.2, 2.6, 3.6)[lines - 1]
        self.number = BoldText(str(row.number), kind="grand", tone=tone or "craie", halign="center", leading=0.9)
        text_box = VBox(self.number, label, middle=True, wide=_NUMBER)
        text_box.size_hint_y = None
        text_box.bind(minimum_height=text_box.setter("height"))
        self.add_widget(text_box)


class DiceLine(Widget):
    """Dice in a row, group by group, as large as the space allows, at most `most` dp. Counting groups are ringed."""

    def __init__(
        self,
        groups: Sequence[DiceGroup],
        tone: str,
        most: float,
        ringed: bool = True,
        thrown_again: Mapping[Die, int] | None = None,
    ) -> None:
        super().__init__()
        self._most = most
        self._frames: dict[Widget, Framed] = {}
        again = Counter(thrown_again or {})
        self._marks: list[list[Any]] = []
        self._rings: list[Framed | None] = []
        theme = display.theme
        for group in groups:
            ring = Framed(line=theme.tone(tone) if tone else theme.craie, line_width=3, radius=12)
            self._rings.append(ring if group.counts and ringed else None)
            if group.counts and ringed:
                self.add_widget(ring)
            marks = [face_mark(_face(group.die), 38, group.die.kind) for _ in range(group.count)]
            self._marks.append(marks)
            fill(self, *marks)
            for mark in marks[group.count - min(group.count, again[group.die]) :]:
                self._frames[mark] = Framed(line=theme.laiton, line_width=4, radius=8)
                self.add_widget(self._frames[mark])
        bind_geometry(self, self._place)

    def _place(self) -> None:
        dice = sum(len(marks) for marks in self._marks)
        if not dice or self.width < dp(20):
            return
        between = dp(_DICE_GAP) * (len(self._marks) - 1) + dp(_NEAR) * (dice - len(self._marks))
        rings = dp(2 * _RING) * sum(ring is not None for ring in self._rings)
        side = min(self._most, (self.width - between - rings) / dice / dp(1), (self.height - dp(2 * _RING)) / dp(1))
        side = max(0.0, side)
        x = self.x
        for marks, ring in zip(self._marks, self._rings, strict=True):
            x += dp(_RING) if ring is not None else 0
            start = x
            for mark in marks:
                mark.side = side
                mark.pos = (round(x), round(self.center_y - mark.height / 2))
                if mark in self._frames:
                    self._frames[mark].pos, self._frames[mark].size = mark.pos, (dp(side), dp(side))
                x += dp(side) + dp(_NEAR)
            x -= dp(_NEAR)
            if ring is not None:
                ring.pos = (start - dp(_RING), self.center_y - dp(side) / 2 - dp(_RING))
                ring.size = (x - start + dp(2 * _RING), dp(side) + dp(2 * _RING))
                x += dp(_RING)
            x += dp(_DICE_GAP)


def _face(die: Die) -> Face:
    return Face(die.value, die.colour, die.symbol)


class RaceFigure(BoxLayout):
    """A lane for each side: one box per step, filled when done."""

    def __init__(self, figure: Race, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(6), **kwargs)
        fill(self, *(_Lane(lane, tones.get(lane.side, "")) for lane in figure.lanes))
        self.height = sum(child.height for child in self.children) + dp(6) * max(0, len(figure.lanes) - 1)


class _Lane(BoxLayout):
    """The label of the steps, the steps, and their count."""

    def __init__(self, lane: RaceLane, tone: str) -> None:
        theme = display.theme
        super().__init__(size_hint_y=None, height=max(dp(32), theme.type("corps") * 1.4), spacing=dp(8))
        label = Name(
            text(lane.label),
            kinds=["corps", "mini"],
            tone=tone or "craie",
            halign="left",
            wide=124 if display.portrait else 100,
        )
        self.add_widget(label)
        steps = HBox(spacing=dp(3), padding=(0, dp(5)))
        for step in range(lane.due):
            box = Framed(radius=5, line_width=1.5)
            box.line = theme.tone(tone) if tone else theme.craie
            if step < lane.done:
                box.fill = box.line
            steps.add_widget(box)
        self.add_widget(steps)
        number = BoldText(
            translate("app.throws.of", n=lane.done, of=lane.due), kind="corps", flow="box", halign="right"
        )
        number.size_hint_x, number.width = None, theme.type("corps") * 4.2
        self.add_widget(number)


class AttemptsFigure(BoxLayout):
    """A line for each side: its name, and a box per attempt with a tick, a cross, a brass edge now, or nothing yet."""

    def __init__(self, figure: Attempts, tones: dict[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(4), **kwargs)
        theme = display.theme
        tall = max(dp(28), theme.type("corps") * 1.3)
        for row in figure.rows:
            tone = tones.get(row.side, "craie")
            name = Name(text(row.label), kinds=["corps", "mini"], tone=tone, halign="left")
            line = HBox(name, size_hint_y=None, height=tall, spacing=dp(4))
            for mark in row.marks:
                line.add_widget(_attempt(mark, tone, tall))
            made, taken = row.marks.count("made"), row.marks.count("made") + row.marks.count("missed")
            line.spoken = f"{text(row.label)} {translate('app.throws.of', n=made, of=taken)}"
            self.add_widget(line)
        self.height = tall * len(figure.rows) + dp(4) * max(0, len(figure.rows) - 1)


def _attempt(mark: str, tone: str, side: float) -> Widget:
    theme = display.theme
    box = Framed(radius=6, line_width=3 if mark == "now" else 1.5, size_hint=(None, None), size=(side, side))
    box.line = theme.laiton if mark == "now" else theme.tone(tone) if mark == "made" else faded(theme.craie3, 0.6)
    if mark == "made":
        box.fill = theme.tone(tone)
    icon = {"made": "check", "missed": "cross"}.get(mark)
    if icon is not None:
        ink = theme.sides[tone].ink if mark == "made" and tone in theme.sides else theme.craie2
        inner = round(side * 0.7)

        def draw(*_: object) -> None:
            box.canvas.after.clear()
            with box.canvas.after:
                x, y = round(box.center_x - inner / 2), round(box.center_y - inner / 2)
                draw_mask(textures.icon(icon, inner, 1.4), ink, x, y, inner)

        bind_geometry(box, draw)
    return box


class ChalkRing(AnchorLayout):
    """A chalk circle around its content."""

    def __init__(self, side: float, colour: RGBA, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(dp(side), dp(side)), **kwargs)
        with self.canvas.before:
            Color(*colour)
            self._picture = Rectangle(texture=textures.chalk_ring(round(dp(side))))
        bind_geometry(self, self._place)

    def _place(self) -> None:
        self._picture.pos, self._picture.size = (round(self.x), round(self.y)), self.size


class SumFigure(BoxLayout):
    """The sum in a ring, with its title unless `titled` is False, and its terms.

    `tones` maps sides to the colours of their terms.
    """

    def __init__(
        self, figure: Sum, tones: dict[str, str], small: bool = False, titled: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, spacing=dp(14), **kwargs)
        side = 64 if small and not display.theme.roomy else 76 if small else 84
        self._side = dp(side)
        ring = ChalkRing(side, display.theme.craie, pos_hint={"center_y": 0.5})
        total = BoldText(signed(figure.total), kind="fort", flow="line")
        total.font_size = min(total.font_size, self._side * _RING_SHARE)
        ring.add_widget(total)
        self.add_widget(ring)
        self._text_box = VBox(size_hint_y=None, spacing=dp(4), middle=True)
        self._title = Text(text(figure.detail or figure.title), kind="mini", tone="craie2", halign="left")
        self._title.fbind("height", self._fit)
        self._chips = StackLayout(spacing=(dp(6), dp(5)), size_hint_y=None)
        self._chips.bind(minimum_height=self._fit)
        for term in figure.terms:
            self._chips.add_widget(Chip(text(term.label), signed(term.value), tone=tones.get(term.side or "", "craie")))
        if titled:
            self._text_box.add_widget(self._title)
        if figure.terms:
            self._text_box.add_widget(self._chips)
        self.add_widget(self._text_box)
        self._fit()

    def _fit(self, *_: object) -> None:
        self._chips.height = self._chips.minimum_height
        pieces = self._text_box.children
        self._text_box.height = sum(piece.height for piece in pieces) + self._text_box.spacing * (len(pieces) - 1)
        self.height = max(self._side, self._text_box.height)
