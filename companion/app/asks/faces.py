"""Dice told by touch: a row of faces for each die. The last face tapped completes the roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.marked import Marked
from companion.app.figures.slots import face_mark
from companion.app.figures.words import say, text
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import Head
from companion.games.base import DiceAwait, Die, Message, SideScene
from companion.table.session import Session
from companion.table.throws import faces_of
from vision.roll import Face

DRAWN = ("pips", "ball", "orange", "white")
"""Kinds of dice whose faces can be drawn as buttons."""


@dataclass(frozen=True, slots=True)
class DieRow:
    """One die to tell: its kind, whose it is, its number among dice of that side and kind, what it can show."""

    kind: str
    side: str | None
    number: int
    of: int
    faces: tuple[Face, ...]
    purpose: Message | None = None


def die_rows(session: Session, dice: Sequence[DiceAwait]) -> tuple[DieRow, ...]:
    """One row for each awaited die, in the order in which they are thrown."""
    faces = {await_.kind: faces_of(session.game, session.state, await_.kind) for await_ in dice}
    return tuple(
        DieRow(await_.kind, await_.side, number, await_.count, faces[await_.kind], await_.purpose)
        for await_ in sorted(dice, key=lambda await_: await_.order)
        for number in range(1, await_.count + 1)
    )


def can_tell(dice: Sequence[DiceAwait]) -> bool:
    """Whether the dice awaited can be told by touch: all of them, and as they were thrown together."""
    return drawn(dice) and not any(await_.apart or await_.staying for await_ in dice)


def drawn(dice: Sequence[DiceAwait]) -> bool:
    """Whether every kind of die awaited can be drawn."""
    return bool(dice) and all(await_.kind in DRAWN for await_ in dice)


class FaceButton(Marked):
    """A face to tap. `was` is dashed: what stood there before a correction."""

    was = BooleanProperty(False)

    def __init__(self, face: Face, side: float = 38, kind: str = "", **kwargs: Any) -> None:
        self.face = face
        super().__init__(face_mark(face, side, kind), **kwargs)
        self.fbind("was", self._dress)

    def text_name(self) -> str:
        return face_word(self.face)

    def _dress(self, *_: object) -> None:
        super()._dress()
        self.dash = 5 if self.was and not self.on else 0


def face_word(face: Face) -> str:
    """A face as it is said: its number, with its colour where it has both, or the colour's word."""
    if face.value is not None and face.colour is not None:
        return say("app.table.face.coloured", value=face.value, colour=say(f"app.table.face.{face.colour}"))
    if face.colour is not None:
        return say(f"app.table.face.{face.colour}")
    return str(face.value) if face.value is not None else say(f"app.table.face.{face.symbol}")


class FaceRows(BoxLayout):
    """`done` gets the dice once every row has a face. `told` are faces known from the start, `was` faces of old."""

    kept_longer = True

    def __init__(
        self,
        rows: Sequence[DieRow],
        sides: dict[str, SideScene],
        done: Callable[[tuple[Die, ...]], None],
        told: Sequence[Face | None] = (),
        was: Sequence[Face | None] = (),
        labels: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(8), **kwargs)
        self._rows, self._sides, self._done, self._labels = tuple(rows), sides, done, labels
        self.faces: list[Face | None] = [*told, *([None] * (len(rows) - len(told)))][: len(rows)]
        self._was = [*was, *([None] * (len(rows) - len(was)))][: len(rows)]
        self._buttons: list[list[FaceButton]] = []
        for index, row in enumerate(rows):
            self.add_widget(self._line(index, row))
        self.height = sum(child.height for child in self.children) + dp(8) * max(0, len(rows) - 1)

    def _line(self, index: int, row: DieRow) -> Widget:
        grid = GridLayout(rows=1, spacing=dp(6), size_hint_y=None, height=dp(52))
        buttons = []
        for face in row.faces:
            button = FaceButton(face, kind=row.kind, on=face == self.faces[index], was=face == self._was[index])
            word = face_word(face)
            button.spoken = say("app.table.die_is", number=row.number, face=word) if row.of > 1 else word
            button.bind(on_tap=lambda _, face=face: self.tap(index, face))
            buttons.append(button)
            grid.add_widget(button)
        self._buttons.append(buttons)
        names = self._names(row)
        above = self._labels and App.get_running_app().portrait
        line = BoxLayout(size_hint_y=None, height=dp(88 if above else 52), spacing=dp(6 if above else 8))
        if above:
            line.orientation = "vertical"
            top = BoxLayout(size_hint_y=None, height=dp(30), spacing=dp(8))
            line.add_widget(top)
        for piece in names:
            (top if above else line).add_widget(piece)
        line.add_widget(grid)
        return line

    def _names(self, row: DieRow) -> list[Widget]:
        several = len({(other.side, other.kind) for other in self._rows}) > 1
        scene = self._sides.get(row.side or "")
        badge: list[Widget] = []
        if scene:
            badge.append(SideBadge(side=28, colour=scene.colour, letter=scene.letter, pos_hint={"center_y": 0.5}))
        if self._labels:
            wide = App.get_running_app().portrait
            word = text(row.purpose) if row.of == 1 and row.purpose else say("app.table.die_number", number=row.number)
            label = Head(word, kind="corps", flow="box", halign="left", size_hint_x=1 if wide else None, width=dp(84))
            return [*badge, label]
        if several or row.of == 1:
            return badge
        word = say("app.table.die_short", number=row.number)
        return [Head(word, kind="corps", tone="craie2", flow="box", halign="left", size_hint_x=None, width=dp(30))]

    def start(self, told: Sequence[Face | None]) -> None:
        """Begins anew with these faces known."""
        self.faces = [*told]
        for face, buttons in zip(told, self._buttons, strict=True):
            for button in buttons:
                button.on = button.face == face

    def tap(self, index: int, face: Face) -> None:
        """A face told for one die; told again, it is changed."""
        self.faces[index] = face
        for button in self._buttons[index]:
            button.on = button.face == face
        told = [face for face in self.faces if face is not None]
        if len(told) == len(self._rows):
            self._done(
                tuple(
                    Die(row.kind, face.value, face.colour, face.symbol)
                    for row, face in zip(self._rows, told, strict=True)
                )
            )
