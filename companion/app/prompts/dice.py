"""Manual dice entry: rows of faces for each die, or the faces of every kind with a count each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.figures.slots import face_mark
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Box, Grid, HBox, Scroller, VBox, bind_geometry, fill
from companion.app.widgets.marks import Framed, SideBadge, draw_text
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import DiceRequest, Die, Message, SideScene
from companion.table.session import Session
from companion.table.throws import faces_of
from vision.roll import Face


class MarkButton(Tappable, Framed):
    """A button with `mark` in its centre. Subclasses override `_apply_style` for another style."""

    on = BooleanProperty(False)

    def __init__(self, mark: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._mark = mark
        self.add_widget(mark)
        bind_geometry(self, self._centre)
        self.fbind("on", self._apply_style)
        self._apply_style()

    def show_pressed(self, on: bool) -> None:
        if on:
            self.fill = display.theme.craie
        else:
            self._apply_style()

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.fill = theme.laiton if self.on else (0, 0, 0, 0)
        self.line = theme.laiton if self.on else theme.craie3

    def _centre(self) -> None:
        self._mark.center = self.center


DRAWABLE_KINDS = ("pips", "ball", "orange", "white")
"""Kinds of dice whose faces can be drawn as buttons."""


@dataclass(frozen=True, slots=True)
class DieRow:
    """One die to enter: kind, side, number among the dice of that side and kind, and possible faces."""

    kind: str
    side: str | None
    number: int
    total: int
    faces: tuple[Face, ...]
    purpose: Message | None = None


def die_rows(session: Session, dice: Sequence[DiceRequest]) -> tuple[DieRow, ...]:
    """Return one row for each awaited die, in the order of the rolls."""
    faces = {request.kind: faces_of(session.game, session.state, request.kind) for request in dice}
    return tuple(
        DieRow(request.kind, request.side, number, request.count, faces[request.kind], request.purpose)
        for request in sorted(dice, key=lambda request: request.order)
        for number in range(1, request.count + 1)
    )


def can_enter_manually(dice: Sequence[DiceRequest]) -> bool:
    """True if all awaited dice can be entered manually as they were rolled together."""
    return is_drawable(dice) and not any(request.independent or request.counts_unmoved for request in dice)


def is_drawable(dice: Sequence[DiceRequest]) -> bool:
    """True if every kind of awaited dice can be drawn."""
    return bool(dice) and all(request.kind in DRAWABLE_KINDS for request in dice)


class FaceButton(MarkButton):
    """A button for a face. `was` marks the face before a correction with a dashed line."""

    was = BooleanProperty(False)

    def __init__(self, face: Face, side: float = 38, kind: str = "", **kwargs: Any) -> None:
        self.face = face
        super().__init__(face_mark(face, side, kind), **kwargs)
        self.fbind("was", self._apply_style)

    def text_name(self) -> str:
        return face_text(self.face)

    def _apply_style(self, *_: object) -> None:
        super()._apply_style()
        self.dash = 5 if self.was and not self.on else 0


def face_text(face: Face) -> str:
    """Return a face as text: its number, number and colour if it has both, or the name of its colour or symbol."""
    if face.value is not None and face.colour is not None:
        return translate("app.table.face.coloured", value=face.value, colour=translate(f"app.table.face.{face.colour}"))
    if face.colour is not None:
        return translate(f"app.table.face.{face.colour}")
    return str(face.value) if face.value is not None else translate(f"app.table.face.{face.symbol}")


class FaceRows(BoxLayout):
    """Rows of face buttons, one for each die.

    `done` receives the dice once every row has a face, and `on_entered` the faces after each tap. `known_faces` are
    preselected; `was` are the faces before a correction.
    """

    kept_longer = True

    def __init__(
        self,
        rows: Sequence[DieRow],
        sides: dict[str, SideScene],
        done: Callable[[tuple[Die, ...]], None],
        known_faces: Sequence[Face | None] = (),
        was: Sequence[Face | None] = (),
        labels: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(8), **kwargs)
        self._rows, self._sides, self._done, self._labels = tuple(rows), sides, done, labels
        self.faces: list[Face | None] = [*known_faces, *([None] * (len(rows) - len(known_faces)))][: len(rows)]
        self._was = [*was, *([None] * (len(rows) - len(was)))][: len(rows)]
        self.on_entered: Callable[[Sequence[Face | None]], None] = lambda _: None
        self._buttons: list[list[FaceButton]] = []
        fill(self, *(self._line(index, row) for index, row in enumerate(rows)))
        self.height = sum(child.height for child in self.children) + dp(8) * max(0, len(rows) - 1)

    def _line(self, index: int, row: DieRow) -> Widget:
        grid = Grid(rows=1, spacing=dp(6), tall=52)
        buttons = []
        for face in row.faces:
            button = FaceButton(face, kind=row.kind, on=face == self.faces[index], was=face == self._was[index])
            word = face_text(face)
            button.spoken = translate("app.table.die_is", number=row.number, face=word) if row.total > 1 else word
            button.bind(on_tap=lambda _, face=face: self.tap(index, face))
            buttons.append(button)
            grid.add_widget(button)
        self._buttons.append(buttons)
        names = self._names(row)
        above = self._labels and display.portrait
        line = Box(spacing=dp(6 if above else 8), tall=88 if above else 52)
        if above:
            line.orientation = "vertical"
            top = HBox(spacing=dp(8), tall=30)
            line.add_widget(top)
        fill(top if above else line, *names)
        line.add_widget(grid)
        return line

    def _names(self, row: DieRow) -> list[Widget]:
        several = len({(other.side, other.kind) for other in self._rows}) > 1
        scene = self._sides.get(row.side or "")
        badge: list[Widget] = []
        if scene:
            badge.append(SideBadge(side=28, colour=scene.colour, letter=scene.letter, middle=True))
        if self._labels:
            wide = display.portrait
            word = (
                text(row.purpose)
                if row.total == 1 and row.purpose
                else translate("app.table.die_number", number=row.number)
            )
            label = BoldText(
                word, kind="corps", flow="box", halign="left", size_hint_x=1 if wide else None, width=dp(84)
            )
            return [*badge, label]
        if several or row.total == 1:
            return badge
        word = translate("app.table.die_short", number=row.number)
        return [BoldText(word, kind="corps", tone="craie2", flow="box", halign="left", wide=30)]

    def set_faces(self, known_faces: Sequence[Face | None]) -> None:
        """Reset the selection to these known faces."""
        self.faces = [*known_faces]
        for face, buttons in zip(known_faces, self._buttons, strict=True):
            for button in buttons:
                button.on = button.face == face

    def tap(self, index: int, face: Face) -> None:
        """Select a face for one die; a later tap changes it."""
        self.faces[index] = face
        for button in self._buttons[index]:
            button.on = button.face == face
        self.on_entered(self.faces)
        chosen = [face for face in self.faces if face is not None]
        if len(chosen) == len(self._rows):
            self._done(
                tuple(
                    Die(row.kind, face.value, face.colour, face.symbol)
                    for row, face in zip(self._rows, chosen, strict=True)
                )
            )


_BUTTON = 54
"""Height and minimum width of a face button, in dp."""
_LABEL = 92
_SHORT, _SHORT_OF = 70, 4
"""Four faces fit on one line if the label is short."""
_BACK = 50


@dataclass(frozen=True, slots=True)
class FaceOption:
    """A face that may occur `max_count` times (None: once per die of its group). `value` is its value in the answer."""

    value: object
    face: Face | None
    label: str
    max_count: int | None = None

    @property
    def is_blank(self) -> bool:
        """True for a face that counts nothing."""
        return self.face is not None and self.face.value == 0


@dataclass(frozen=True, slots=True)
class FaceGroup:
    """Dice of one kind: `min_count` to `max_count` of them, each with one of `faces`."""

    kind: str
    label: str
    min_count: int
    max_count: int
    faces: tuple[FaceOption, ...]
    colour: str = ""
    """A side's colour, if dice of several sides are entered."""


class CountButton(MarkButton):
    """A face with the number of dice that show it."""

    count = NumericProperty(0)
    text = StringProperty("")

    def __init__(self, face: FaceOption, kind: str, **kwargs: Any) -> None:
        self.option = face
        mark: Widget = BoldText(face.label, kind="corps", flow="line")
        if face.face is not None:
            mark = face_mark(face.face, 40, kind)
        super().__init__(mark, text=face.label, tall=_BUTTON, **kwargs)
        self.fbind("count", self._apply_style)
        bind_geometry(self, self._draw, "count")

    def spoken_name(self) -> str:
        return self.text

    def _apply_style(self, *_: object) -> None:
        super()._apply_style()
        theme = display.theme
        self.line = theme.laiton if self.count else theme.craie3
        self.line_width = 3 if self.count else 1.5

    def _draw(self) -> None:
        self.canvas.after.remove_group("count")
        if not self.count:
            return
        theme = display.theme
        side = round(dp(24))
        x, y = self.right - side + dp(3), self.top - side + dp(3)
        with self.canvas.after:
            Color(*theme.laiton, group="count")
            Ellipse(pos=(x, y), size=(side, side), group="count")
            draw_text(str(self.count), dp(17), theme.laiton_encre, x + side / 2, y + side / 2, group="count")


class GroupRows(BoxLayout):
    """The row of one kind of dice: label with the entered count, faces, and a button to remove the last one."""

    def __init__(self, group: FaceGroup, changed: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(6), **kwargs)
        self.group, self._changed = group, changed
        self.chosen: list[FaceOption] = []
        exact = group.min_count == group.max_count
        short = exact and len(group.faces) == _SHORT_OF and not display.portrait
        label_box = VBox(wide=_SHORT if short else _LABEL)
        if group.label:
            tone = group.colour or "craie"
            label = Name(group.label, kinds=["corps", "mini"], tone=tone, halign="left", leading=0.85, size_hint_y=1.7)
            label_box.add_widget(label)
        self._sum = Text("", kind="mini", tone="craie2", flow="box", halign="left")
        label_box.add_widget(self._sum)
        self._grid = Grid(spacing=dp(5), size_hint_y=None, cols=max(1, len(group.faces)))
        self._buttons = [CountButton(face, group.kind) for face in group.faces]
        for button in self._buttons:
            button.bind(on_tap=lambda button: self.add(button.option))
            self._grid.add_widget(button)
        self._back = PushButton(
            icon="undo",
            style="quiet",
            spoken=translate("app.counted.back", kind=group.label),
            middle=True,
            wide=_BACK,
            tall=_BUTTON,
        )
        self._back.bind(on_tap=lambda *_: self.take_back())
        fill(self, label_box, self._grid, self._back)
        self._grid.bind(minimum_height=self._fit, width=self._fit)
        self._show()

    @property
    def is_full(self) -> bool:
        return len(self.chosen) >= self.group.max_count

    @property
    def has_enough(self) -> bool:
        return len(self.chosen) >= self.group.min_count

    def add(self, face: FaceOption) -> None:
        """Add a die that shows this face."""
        if not self.is_full and (face.max_count is None or self.chosen.count(face) < face.max_count):
            self.chosen.append(face)
            self._show()
            self._changed()

    @property
    def blank(self) -> FaceOption | None:
        """The blank face of these dice, if they have one and their number is known."""
        if self.group.min_count != self.group.max_count:
            return None
        return next((face for face in self.group.faces if face.is_blank), None)

    def fill_with_blanks(self) -> None:
        """Enter the missing dice as blank."""
        blank = self.blank
        if blank is not None:
            self.chosen += [blank] * (self.group.max_count - len(self.chosen))
            self._show()

    def take_back(self) -> None:
        """Remove the die entered last."""
        if self.chosen:
            self.chosen.pop()
            self._show()
            self._changed()

    def _show(self) -> None:
        for button in self._buttons:
            button.count = self.chosen.count(button.option)
        self._back.opacity = 1.0 if self.chosen else 0.0
        group = self.group
        id = "app.counted.told" if group.min_count == group.max_count else "app.counted.told_of_most"
        self._sum.text = translate(id, told=len(self.chosen), most=group.max_count)

    def _fit(self, *_: object) -> None:
        """Set the columns so that every face button is large enough for a finger."""
        fitting = int((self._grid.width + dp(5)) // (dp(_BUTTON) + dp(5)))
        lines = -(-len(self._buttons) // max(1, fitting))
        self._grid.cols = max(1, -(-len(self._buttons) // lines))
        self._grid.height = self._grid.minimum_height
        self.height = max(dp(_BUTTON), self._grid.minimum_height)


class FaceCounter(BoxLayout):
    """Entry of dice by counts. `done` receives the values of all dice, group by group, once every group is complete.

    If the number of dice is free, a button confirms the entry. `initial` are values that are already known. `foot`
    holds the buttons below the faces; `on_entered` receives the values after each change.
    """

    def __init__(
        self,
        groups: Sequence[FaceGroup],
        done: Callable[[list[object]], None],
        initial: Sequence[object] = (),
        side: str = "",
        min_count: int = 0,
        max_count: int | None = None,
        **kwargs: Any,
    ) -> None:
        """`min_count` and `max_count` limit the total of all groups."""
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._done, self._min_count = done, min_count
        self._max_count = max_count if max_count is not None else sum(group.max_count for group in groups)
        self._finishes_automatically = all(group.min_count == group.max_count for group in groups) and len(groups) > 0
        self.rows = [GroupRows(group, self._changed) for group in groups]
        self.add_widget(Scroller(VBox(*self.rows, spacing=dp(8), grows=True)))
        self._side = side
        self.foot = HBox(spacing=dp(8), grows=True)
        self.add_widget(self.foot)
        self.on_entered: Callable[[list[object]], None] = lambda _: None
        self._done_button = PushButton(translate("app.ask.done"), side=side, act=self._finish, tall=58)
        if not self._finishes_automatically or initial:
            self.foot.add_widget(self._done_button)
        elif all(row.blank for row in self.rows):
            style, label = "side_outlined" if side else "outlined", translate("app.counted.rest_blank")
            self.foot.add_widget(PushButton(label, style=style, side=side, act=self._fill, tall=58))
        self.restore(initial)
        self._finishes_automatically = self._finishes_automatically and not initial  # the button confirms known dice
        self._show()

    def restore(self, values: Sequence[object]) -> None:
        """Add dice that were entered before. Does not call `done`, even if all dice are entered."""
        finishes, self._finishes_automatically = self._finishes_automatically, False
        for value in values:
            for row in self.rows:
                face = next((face for face in row.group.faces if face.value == value), None)
                if face is not None:
                    row.add(face)
                    break
        self._finishes_automatically = finishes

    @property
    def values(self) -> list[object]:
        """The values of the dice entered so far, group by group."""
        return [face.value for row in self.rows for face in row.chosen]

    def _changed(self) -> None:
        self._show()
        self.on_entered(self.values)
        if self._finishes_automatically and all(row.is_full for row in self.rows):
            self._finish()

    def _fill(self) -> None:
        """Take all dice that are not entered as blank."""
        for row in self.rows:
            row.fill_with_blanks()
        self._changed()

    @property
    def _is_complete(self) -> bool:
        count = sum(len(row.chosen) for row in self.rows)
        return all(row.has_enough for row in self.rows) and self._min_count <= count <= self._max_count

    def _show(self) -> None:
        self._done_button.style = "dashed" if not self._is_complete else "side" if self._side else "chalk"

    def _finish(self) -> None:
        if self._is_complete:
            self._done(self.values)


def face_options(faces: Sequence[Face]) -> tuple[FaceOption, ...]:
    """Return options for faces that represent themselves."""
    return tuple(FaceOption(face, face, face_text(face)) for face in faces)
