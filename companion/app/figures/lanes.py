"""Lanes figure: dice of both sides compared in lanes by colour, and the total below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, text, translate
from companion.app.figures.slots import face_mark
from companion.app.figures.table import ChalkRing
from companion.app.prompts.dice import face_text
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import HBox, VBox, bind_geometry, fill
from companion.app.widgets.marks import Framed, Gem, Icon, SideBadge, draw_text
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Die, SideScene
from companion.games.figures import DiceTable, LaneDie, LaneRow, Lanes
from vision.roll import Face

DieCallback = Callable[[LaneDie, str], None]
"""Receives a die and the side that it belongs to."""

_LABEL = 80
_GAP = 6
_MAX_DIE_WIDTH = 54
"""Maximum width in dp of a die with its text."""
_MIN_TOUCH_WIDTH = 48
"""Dice narrower than this in dp cannot be touched individually."""
_ICONS = {"yes": "check", "no": "cross", "again": "roll"}


class LanesFigure(BoxLayout):
    """The dice within `available_width` pixels. `on_die_tap` and `on_die_hold` are called for a tapped or held die.

    Dice that are too small to touch are grouped by face, and a tap opens the list of a whole lane.
    """

    def __init__(
        self,
        lanes: Lanes,
        tones: dict[str, str],
        available_width: float,
        on_die_tap: DieCallback,
        on_die_hold: DieCallback,
        headed: bool = True,
        **kwargs: Any,
    ) -> None:
        """`headed` shows the names of the colours above the lanes."""
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(_GAP), **kwargs)
        cells = [[piles(cell, False) for cell in row.cells] for row in lanes.rows]
        crowded = die_width(cells, available_width) < dp(_MIN_TOUCH_WIDTH)
        if crowded:
            cells = [[piles(cell, True) for cell in row.cells] for row in lanes.rows]
        self._needs = [max(1, *(len(row[at]) for row in cells)) for at in range(len(lanes.colours))]
        self._lines = []
        if headed:
            self._lines.append(_Line("", "", "", [_ColumnHeader(colour) for colour in lanes.colours], dp(26)))
        for row, piled in zip(lanes.rows, cells, strict=True):
            made = [
                _cell(cell, row.side, on_die_tap, on_die_hold, lanes.colours[at] is None, crowded)
                for at, cell in enumerate(piled)
            ]
            self._lines.append(_Line(text(row.label), row.detail, tones.get(row.side, ""), made, dp(_row_height(row))))
        self._has_header = headed
        fill(self, *self._lines)
        self._fit()
        bind_geometry(self, self._share)

    def brief(self) -> bool:
        """Hide the names of the colours, which the dice show too. Returns False if they are hidden."""
        if not self._has_header:
            return False
        self._has_header = False
        self.remove_widget(self._lines.pop(0))
        self._fit()
        return True

    def frame_dice(self, dice: Sequence[Die]) -> None:
        """Draw a brass frame around the dice to pick up and throw again, each once."""
        left = Counter(dice)
        for drawing in self.walk(restrict=True):
            if isinstance(drawing, DieDrawing) and left[drawing.die.die] > 0:
                left[drawing.die.die] -= drawing.count
                drawing.add_frame()

    def _fit(self) -> None:
        self.height = sum(line.height for line in self._lines) + dp(_GAP) * (len(self._lines) - 1)

    def _share(self) -> None:
        """Set the lane widths by their fullest cells; on a narrow screen all lanes shrink equally."""
        die = _die_width(self._needs, self.width)
        spare = max(0.0, _width_for_dice(self._needs, self.width) - die * sum(self._needs)) / len(self._needs)
        for line in self._lines:
            for piece, need in zip(line.pieces, self._needs, strict=True):
                piece.width = die * need + dp(8) + spare


def _row_height(row: LaneRow) -> int:
    """Return the height of a row in dp: larger if a die has a text."""
    return 70 if any(die.word is not None for cell in row.cells for die in cell) else 50


Pile = tuple[LaneDie, int]
"""Identical dice and their count."""


def piles(dice: Sequence[LaneDie], together: bool) -> list[Pile]:
    """Return each die separately, or identical dice as one pile."""
    if not together:
        return [(die, 1) for die in dice]
    found: list[LaneDie] = []
    for die in dice:
        if die not in found:
            found.append(die)
    return [(die, dice.count(die)) for die in found]


def die_width(cells: Sequence[Sequence[Sequence[Pile]]], available_width: float) -> float:
    """Return the width of a die, determined by the fullest cell of each lane."""
    needs = [max(1, *(len(row[at]) for row in cells)) for at in range(len(cells[0]))]
    return _die_width(needs, available_width)


def _die_width(needs: Sequence[int], available_width: float) -> float:
    return float(min(dp(_MAX_DIE_WIDTH), _width_for_dice(needs, available_width) / sum(needs)))


def _width_for_dice(needs: Sequence[int], available_width: float) -> float:
    return float(max(dp(20), available_width - dp(_LABEL) - (dp(_GAP) + dp(8)) * len(needs)))


class _Line(BoxLayout):
    """A label and one widget for each lane."""

    def __init__(self, label: str, detail: str, tone: str, pieces: Sequence[Widget], height: float) -> None:
        super().__init__(size_hint_y=None, height=height, spacing=dp(_GAP))
        label_box = VBox(size_hint=(None, None), width=dp(_LABEL), middle=True)
        label_box.bind(minimum_height=label_box.setter("height"))
        if label:
            label_box.add_widget(
                Name(label, kinds=["corps", "mini"], tone=tone or "craie", halign="left", **_one_line("corps"))
            )
        if detail:
            label_box.add_widget(
                Name(detail, kinds=["corps", "mini"], strong=False, halign="left", **_one_line("corps"))
            )
        self.add_widget(label_box)
        self.pieces = list(pieces)
        for piece in self.pieces:
            piece.size_hint_x = None
            self.add_widget(piece)


def _one_line(kind: str) -> dict[str, Any]:
    return {"size_hint_y": None, "height": display.theme.type(kind) * 1.2}


class _ColumnHeader(AnchorLayout):
    """The shape and name of a colour; without a colour, the lane of dice without effect."""

    def __init__(self, colour: str | None) -> None:
        super().__init__()
        box = HBox(size_hint=(None, None), spacing=dp(6))
        if colour is not None:
            box.add_widget(Gem(colour=colour, side=18, middle=True))
        label = translate(f"app.table.face.{colour}" if colour else "app.lanes.idle")
        self._word = BoldText(label, kind="corps", tone="craie" if colour else "craie3", flow="line")
        self._word.pos_hint = {"center_y": 0.5}
        self._word.bind(size=lambda *_: self._fit(box))
        box.add_widget(self._word)
        self.add_widget(box)
        self.bind(width=lambda *_: self._fit(box))
        self._fit(box)

    def _fit(self, box: BoxLayout) -> None:
        box.size = (sum(child.width for child in box.children) + dp(6) * (len(box.children) - 1), dp(26))
        self._word.opacity = 1.0 if self._word.width + (dp(24) if len(box.children) > 1 else 0) <= self.width else 0.0


def _cell(
    dice: Sequence[Pile], side: str, on_die_tap: DieCallback, on_die_hold: DieCallback, idle: bool, crowded: bool
) -> Widget:
    if not crowded:
        return _Cell([TappableDie(die, side, on_die_tap, on_die_hold) for die, _ in dice], idle)
    cell = _FullCell(dice=[DieDrawing(die, count) for die, count in dice], idle=idle)
    if dice:
        cell.bind(on_tap=lambda cell: context_of(cell).show_sheet(_list(dice, side, on_die_hold)))
    return cell if dice else _Cell([], idle)


def _list(dice: Sequence[Pile], side: str, on_select: DieCallback) -> Sheet:
    entries = [
        SheetEntry(text(die.sentence) or face_text(_face(die)), partial(on_select, die, side), icon="edit")
        for die, _ in dice
    ]
    return list_sheet(translate("app.lanes.dice"), entries)


class _Cell(Framed, BoxLayout):
    """The dice of one row in one lane."""

    def __init__(self, dice: Sequence[Widget], idle: bool, **kwargs: Any) -> None:
        super().__init__(padding=(dp(4), 0), radius=10, **kwargs)
        theme = display.theme
        if idle:
            self.line, self.dash = theme.craie3, 5
        else:
            self.fill = theme.creux
        fill(self, *dice)


class _FullCell(Tappable, _Cell):
    """A cell with dice that are too small to touch individually."""


class DieDrawing(Widget):
    """A die with its effect below; `count` identical dice."""

    def __init__(self, die: LaneDie, count: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.die, self.count = die, count
        self._frame: Framed | None = None
        self._mark = face_mark(_face(die), 44, die.die.kind)
        self._mark.opacity = 0.5 if die.mark == "no" else 1.0
        self.add_widget(self._mark)
        self._icon: Icon | None = None
        self._word: Text | None = None
        if die.word is not None:
            tone = {"no": "craie2", "again": "laiton"}.get(die.mark, "craie")
            if die.mark:
                self._icon = Icon(_ICONS[die.mark], side=14, tone=tone, weight=1.3)
                self.add_widget(self._icon)
            counts = die.mark == "yes"
            self._word = Text(text(die.word), kind="mini", tone=tone, flow="free", plain=not counts, strong=counts)
            self.add_widget(self._word)
        bind_geometry(self, self._place)

    @property
    def is_framed(self) -> bool:
        """True if the die has a frame: it is to be picked up."""
        return self._frame is not None

    def add_frame(self) -> None:
        """Draw a brass frame around the die, at full strength."""
        self._mark.opacity = 1.0
        self._frame = Framed(line=display.theme.laiton, line_width=4, radius=8)
        self.add_widget(self._frame)
        self._place()

    def _place(self) -> None:
        die_size = min(self.width - dp(4), dp(44))
        self._mark.side = max(16, die_size / dp(1))
        label = self._word
        tall = self._mark.height + (dp(20) if label else 0)
        self._mark.pos = (self.center_x - self._mark.width / 2, self.center_y + tall / 2 - self._mark.height)
        if self._frame is not None:
            self._frame.pos, self._frame.size = self._mark.pos, self._mark.size
        self._draw_count()
        if label is None:
            return
        label.texture_update()
        label.size = label.texture_size
        icon = self._icon
        beside = icon.width + dp(2) if icon is not None else 0.0
        fits = label.width + beside <= self.width - dp(2)
        label.opacity = 1.0 if fits or icon is None else 0.0
        wide = beside + (label.width if fits else 0.0)
        left, middle = self.center_x - wide / 2, self._mark.y - dp(10)
        if icon is not None:
            icon.pos = (left, middle - icon.height / 2)
        label.pos = (left + beside, middle - label.height / 2)

    def _draw_count(self) -> None:
        self.canvas.after.clear()
        if self.count < 2:
            return
        theme, side = display.theme, round(dp(22))
        x, y = self._mark.right - side * 0.7, self._mark.top - side * 0.6
        with self.canvas.after:
            Color(*theme.craie)
            Ellipse(pos=(x, y), size=(side, side))
            draw_text(str(self.count), dp(15), theme.encre, x + side / 2, y + side / 2)


def _face(die: LaneDie) -> Face:
    return Face(die.die.value, die.die.colour, die.die.symbol)


class TappableDie(Tappable, DieDrawing):
    """A die that can be touched: a tap shows its sentence, a long press corrects it."""

    def __init__(
        self, die: LaneDie, side: str, on_die_tap: DieCallback, on_die_hold: DieCallback, **kwargs: Any
    ) -> None:
        super().__init__(die=die, **kwargs)
        self.side, self._on_die_tap, self._on_die_hold = side, on_die_tap, on_die_hold
        self.spoken = translate("app.lanes.die", face=face_text(_face(die)), word=text(die.word))
        self._long_press_timer: Any = None

    def on_press(self) -> None:
        super().on_press()
        seconds = display.theme.seconds("hold")
        self._long_press_timer = Clock.schedule_once(lambda *_: self._on_long_press(), seconds)

    def on_release(self) -> None:
        if self._long_press_timer is not None:
            self._long_press_timer.cancel()
            self._long_press_timer = None
            super().on_release()

    def on_tap(self) -> None:
        self._on_die_tap(self.die, self.side)

    def _on_long_press(self) -> None:
        self._long_press_timer = None
        self._on_die_hold(self.die, self.side)


class LanesTotal(BoxLayout):
    """The numbers of both sides and their result, in a ring in the colour of the side that gets it.

    With `spoken` the words beside the ring say what the result is.
    """

    def __init__(
        self, lanes: Lanes, tones: dict[str, str], small: bool = False, spoken: bool = True, **kwargs: Any
    ) -> None:
        side = 60 if small else 70
        super().__init__(size_hint_y=None, height=dp(side), spacing=dp(10), **kwargs)
        theme = display.theme
        middle = {"center_y": 0.5}
        for place, (number, owner) in enumerate(lanes.parts):
            if place:
                self.add_widget(BoldText("\N{MINUS SIGN}", kind="titre", tone="craie2", flow="line", pos_hint=middle))
            tone = tones.get(owner, "craie")
            self.add_widget(BoldText(str(number), kind="grand", tone=tone, flow="line", pos_hint=middle))
        if lanes.parts:
            self.add_widget(BoldText("=", kind="titre", tone="craie2", flow="line", pos_hint=middle))
        ring = ChalkRing(side, theme.tone(tones.get(lanes.side or "", "craie")), pos_hint=middle)
        number = BoldText(str(lanes.total), kind="grand" if small else "fort", flow="line")
        number.font_size = dp(theme.sizes["grand" if small or lanes.total > 99 else "fort"]) * 0.92
        ring.add_widget(number)
        self.add_widget(ring)
        if not spoken:
            numbers = [piece.line_width for piece in self.children if isinstance(piece, Text)]
            self.size_hint_x, self.width = None, sum(numbers) + ring.width + self.spacing * len(numbers)
            return
        outcome_label = Text(
            text(lanes.outcome), kind="mini", tone="craie2", halign="left", leading=1.0, pos_hint=middle
        )
        outcome_label.fbind("height", lambda _, tall: setattr(self, "height", max(dp(side), tall)))
        self.add_widget(outcome_label)


_TABLE_DIE, _TABLE_ROW = 30, 34
"""Side of a die, and height of a row of counts, in dp."""


class DiceTableFigure(VBox):
    """Blank dice above the counts of every side; the highest count of a kind is in its side's colour."""

    def __init__(self, figure: DiceTable, sides: Mapping[str, SideScene], **kwargs: Any) -> None:
        super().__init__(spacing=dp(2), grows=True, **kwargs)
        marks = [face_mark(Face(die.value, die.colour), _TABLE_DIE, die.kind) for die in figure.dice]
        self.add_widget(_table_row(Widget(size_hint_x=None, width=dp(_TABLE_DIE)), marks, _TABLE_DIE + 4))
        for side, counts in figure.rows:
            scene = sides[side]
            badge = SideBadge(side=26, colour=scene.colour, letter=scene.letter, crest=scene.crest, middle=True)
            numbers = []
            for place, count in enumerate(counts):
                is_most = count == max(row[place] for _, row in figure.rows)
                tone = scene.colour if is_most else "craie2"
                numbers.append(BoldText(str(count), kind="bouton", tone=tone, flow="line"))
            self.add_widget(_table_row(badge, numbers, _TABLE_ROW))


def _table_row(head: Widget, cells: Sequence[Widget], tall: float) -> Widget:
    """Return a row with each cell in the middle of its column."""
    row = HBox(head, tall=tall)
    for cell in cells:
        place = AnchorLayout()
        place.add_widget(cell)
        row.add_widget(place)
    return row
