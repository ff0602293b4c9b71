"""Many dice told by touch: the faces of each kind with a count each, a tap for every die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.faces import face_word
from companion.app.asks.marked import Marked
from companion.app.figures.placing import whenever_placed
from companion.app.figures.slots import face_mark
from companion.app.figures.words import say
from companion.app.widgets.marks import write
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Name, Text
from vision.roll import Face

_BUTTON = 54
"""Height of a face's button, and the width it is given at least, in dp."""
_LABEL = 92
_SHORT, _SHORT_OF = 70, 4
"""Four faces have room on one line where the label is short."""
_BACK = 50


@dataclass(frozen=True, slots=True)
class CountedFace:
    """A face that may lie `most` times (None: as often as its group has dice); `value` stands for it in the answer."""

    value: Any
    face: Face | None
    label: str
    most: int | None = None


@dataclass(frozen=True, slots=True)
class FaceGroup:
    """Dice of one kind: from `least` to `most` of them, each showing one of `faces`."""

    kind: str
    label: str
    least: int
    most: int
    faces: tuple[CountedFace, ...]
    colour: str = ""
    """A side's colour, where dice of several sides are told."""


class CountButton(Marked):
    """A face with the number of dice that show it."""

    count = NumericProperty(0)
    text = StringProperty("")

    def __init__(self, face: CountedFace, kind: str, **kwargs: Any) -> None:
        self.counted = face
        mark: Widget = Head(face.label, kind="corps", flow="line")
        if face.face is not None:
            mark = face_mark(face.face, 40, kind)
        super().__init__(mark, text=face.label, size_hint_y=None, height=dp(_BUTTON), **kwargs)
        self.fbind("count", self._dress)
        whenever_placed(self, self._draw, "count")

    def spoken_name(self) -> str:
        return self.text

    def _dress(self, *_: object) -> None:
        super()._dress()
        theme = App.get_running_app().theme
        self.line = theme.laiton if self.count else theme.craie3
        self.line_width = 3 if self.count else 1.5

    def _draw(self) -> None:
        self.canvas.after.remove_group("count")
        if not self.count:
            return
        theme = App.get_running_app().theme
        side = round(dp(24))
        x, y = self.right - side + dp(3), self.top - side + dp(3)
        with self.canvas.after:
            Color(*theme.laiton, group="count")
            Ellipse(pos=(x, y), size=(side, side), group="count")
            write(str(self.count), dp(17), theme.laiton_encre, x + side / 2, y + side / 2, group="count")


class GroupRows(BoxLayout):
    """One kind of dice: what it is and how many are told, its faces, and a way to take the last one back."""

    def __init__(self, group: FaceGroup, changed: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=dp(6), **kwargs)
        self.group, self._changed = group, changed
        self.told: list[CountedFace] = []
        exact = group.least == group.most
        short = exact and len(group.faces) == _SHORT_OF and not App.get_running_app().portrait
        words = BoxLayout(orientation="vertical", size_hint_x=None, width=dp(_SHORT if short else _LABEL))
        if group.label:
            tone = group.colour or "craie"
            label = Name(group.label, kinds=["corps", "mini"], tone=tone, halign="left", leading=0.85, size_hint_y=1.7)
            words.add_widget(label)
        self._sum = Text("", kind="mini", tone="craie2", flow="box", halign="left")
        words.add_widget(self._sum)
        self._grid = GridLayout(spacing=dp(5), size_hint_y=None, cols=max(1, len(group.faces)))
        self._buttons = [CountButton(face, group.kind) for face in group.faces]
        for button in self._buttons:
            button.bind(on_tap=lambda button: self.add(button.counted))
            self._grid.add_widget(button)
        self._back = Push(
            "",
            icon="undo",
            look="quiet",
            spoken=say("app.counted.back", kind=group.label),
            size_hint=(None, None),
            size=(dp(_BACK), dp(_BUTTON)),
            pos_hint={"center_y": 0.5},
        )
        self._back.bind(on_tap=lambda *_: self.take_back())
        for piece in (words, self._grid, self._back):
            self.add_widget(piece)
        self._grid.bind(minimum_height=self._fit, width=self._fit)
        self._show()

    @property
    def full(self) -> bool:
        return len(self.told) >= self.group.most

    @property
    def enough(self) -> bool:
        return len(self.told) >= self.group.least

    def add(self, face: CountedFace) -> None:
        """One more die that shows this face."""
        if not self.full and (face.most is None or self.told.count(face) < face.most):
            self.told.append(face)
            self._show()
            self._changed()

    def take_back(self) -> None:
        """The die told last is none."""
        if self.told:
            self.told.pop()
            self._show()
            self._changed()

    def _show(self) -> None:
        for button in self._buttons:
            button.count = self.told.count(button.counted)
        self._back.opacity = 1.0 if self.told else 0.0
        group = self.group
        id = "app.counted.told" if group.least == group.most else "app.counted.told_of_most"
        self._sum.text = say(id, told=len(self.told), most=group.most)

    def _fit(self, *_: object) -> None:
        """As many faces in a line as are large enough for a finger."""
        fitting = int((self._grid.width + dp(5)) // (dp(_BUTTON) + dp(5)))
        lines = -(-len(self._buttons) // max(1, fitting))
        self._grid.cols = max(1, -(-len(self._buttons) // lines))
        self._grid.height = self._grid.minimum_height
        self.height = max(dp(_BUTTON), self._grid.minimum_height)


class CountedFaces(BoxLayout):
    """`done` gets what stands for each die told, group by group, once every group has all its dice.

    Where the players choose how many dice there are, a button says that it is enough. `told` are values told already.
    """

    def __init__(
        self,
        groups: Sequence[FaceGroup],
        done: Callable[[list[Any]], None],
        told: Sequence[Any] = (),
        side: str = "",
        least: int = 0,
        most: int | None = None,
        **kwargs: Any,
    ) -> None:
        """`least` and `most` limit all groups together."""
        super().__init__(orientation="vertical", spacing=dp(8), **kwargs)
        self._done, self._least = done, least
        self._most = most if most is not None else sum(group.most for group in groups)
        self._ends_itself = all(group.least == group.most for group in groups) and len(groups) > 0
        column = BoxLayout(orientation="vertical", spacing=dp(8), size_hint_y=None)
        column.bind(minimum_height=column.setter("height"))
        self.rows = [GroupRows(group, self._changed) for group in groups]
        for row in self.rows:
            column.add_widget(row)
        scroller = Scroller()
        scroller.add_widget(column)
        self.add_widget(scroller)
        self._side = side
        self._enough = Push(say("app.ask.done"), side=side or "blue", size_hint_y=None, height=dp(56))
        self._enough.bind(on_tap=lambda *_: self._finish())
        if not self._ends_itself or told:
            self.add_widget(self._enough)
        self._tell(told)
        self._show()

    def _tell(self, told: Sequence[Any]) -> None:
        """Dice that are known already; the players look at them before they say so."""
        ends, self._ends_itself = self._ends_itself, False
        for value in told:
            for row in self.rows:
                face = next((face for face in row.group.faces if face.value == value), None)
                if face is not None:
                    row.add(face)
                    break
        self._ends_itself = ends and not told

    def _changed(self) -> None:
        self._show()
        if self._ends_itself and all(row.full for row in self.rows):
            self._finish()

    @property
    def _complete(self) -> bool:
        count = sum(len(row.told) for row in self.rows)
        return all(row.enough for row in self.rows) and self._least <= count <= self._most

    def _show(self) -> None:
        self._enough.look = "dashed" if not self._complete else "side" if self._side else "chalk"

    def _finish(self) -> None:
        if self._complete:
            self._done([face.value for row in self.rows for face in row.told])


def faces_to_count(faces: Sequence[Face]) -> tuple[CountedFace, ...]:
    """Faces that stand for themselves."""
    return tuple(CountedFace(face, face, face_word(face)) for face in faces)
