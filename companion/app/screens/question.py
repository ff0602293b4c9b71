"""Screen 07: a question about an uncertain die, with its picture. Answers show no outcome; rerolling comes last."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.figures.slots import face_mark
from companion.app.figures.tray import DieBox, Photograph
from companion.app.page import load_kv
from companion.app.prompts.dice import FaceButton, face_text
from companion.app.theme import faded
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import FitColumn, Grid, HBox, Spacer, bind_geometry, fill
from companion.app.widgets.text import BoldText, Text
from companion.table.dice import Question
from vision.roll import Doubt, Face

if TYPE_CHECKING:
    from companion.app.screens.match_page import MatchPage

load_kv(__file__)

_DICE_PER_ROW = 7
"""Maximum number of dice in a row; more dice use several rows."""
_MAX_NAMED_DICE = 4
"""Up to this many other dice are named in the text; beyond that, only the picture shows them."""
_BOTH = 2


class QuestionSheet(FloatLayout):
    """The sheet of a question. It opens and closes automatically, above any page; any player may answer."""

    upright = BooleanProperty(False)
    sliding = BooleanProperty(False)

    def __init__(self, page: MatchPage, question: Question, **kwargs: Any) -> None:
        super().__init__(upright=display.portrait, **kwargs)
        self._page, self.question = page, question
        self._session = page.session
        theme = display.theme
        with self.canvas.before:
            Color(*faded(theme.nuit, 0.82))
            self._scrim = Rectangle()
        with self.ids.box.canvas.before:
            Color(*theme.feutre)
            self._surface = RoundedRectangle()
            Color(*theme.bord)
            self._border = Line(width=dp(1))
        bind_geometry(self, self._draw)
        bind_geometry(self.ids.box, self._draw)
        self._add_pictures()
        column = FitColumn(spacing=dp(10))
        self._add_words(column)
        fill(self.ids.words, column, self._rethrow_buttons())

    def slide_in(self) -> None:
        """Do nothing: questions appear without animation."""

    def leave(self) -> None:
        """Do nothing: the question stays until it is answered or the dice are rolled again."""

    def on_touch_down(self, touch: MotionEvent) -> bool:
        super().on_touch_down(touch)
        return True

    def _add_pictures(self) -> None:
        """Show the die large and the tray small with the die boxed. For several dice, show only the tray, large."""
        question, place, size = self.question, self.ids.picture, self.question.picture_size
        boxes = [
            DieBox(
                die.box,
                str(number) if question.index < 0 else "",
                is_questioned=number - 1 == question.index or question.index < 0,
            )
            for number, die in enumerate(question.dice, 1)
        ]
        if question.index < 0 or not question.crop:
            place.add_widget(Photograph(question.picture, boxes, whole=True, boxes_in=size, pos_hint={"x": 0, "y": 0}))
            return
        large = Photograph(question.crop, whole=True, size_hint=(None, None))
        place.add_widget(large)
        small = None
        if question.picture:
            small = Photograph(question.picture, boxes, whole=True, boxes_in=size, size_hint=(None, None))
            place.add_widget(small)
        bind_geometry(place, lambda: place_pictures(place, self.upright, large, small))

    def _add_words(self, column: FitColumn) -> None:
        question = self.question
        choice = question.choice
        title = translate(f"app.question.{self._subject}", choice=text(choice.label if choice else None))
        if question.total > 1:
            count = translate("app.question.count", number=question.number, total=question.total)
            column.add(BoldText(count, kind="corps", tone="laiton", halign="left"))
        column.add(BoldText(title, kind="grand", halign="left", leading=0.9))
        column.add(Text(self._why(), tone="craie2", halign="left"), spare=2)
        if question.kind == "face":
            if question.candidates:
                column.add(self._candidates())
            column.add(self._others())
        elif choice is not None:
            column.add(self._confirm_button())
        else:
            column.add(self._dice())
        column.add(Spacer())

    def _why(self) -> str:
        question = self.question
        side = self._page.sides().get(question.side or "")
        if question.reading is None:
            name = side.name if side else ""
            return translate(f"app.question.{self._subject}_why", name=name)
        doubt = question.reading.doubt
        parts = [translate("app.question.whose_die", name=side.name) if side else translate("app.question.this_die")]
        parts.append(translate(f"app.question.doubt.{doubt.value if doubt else 'face'}"))
        if not question.crop and not question.picture:
            parts.append(translate("app.question.no_picture"))
        others = [die.face for index, die in enumerate(question.dice) if index != question.index and die.certain]
        sentence = translate("app.question.sentence", whose=parts[0], why=", ".join(parts[1:]))
        if 0 < len(others) <= _MAX_NAMED_DICE:
            faces = translate("app.table.and").join(face_text(face) for face in others)
            sentence += " " + translate("app.question.others_show", n=len(others), faces=faces)
        return sentence

    @property
    def _subject(self) -> str:
        """The text id of the question: its kind, `things` for foreign objects, `throw` for dice without a choice."""
        if self.question.choice is not None and self.question.choice.throw is not None:
            return "throw"
        things = self.question.kind == "extra" and any(die.doubt is Doubt.FOREIGN for die in self.question.dice)
        return "things" if things else self.question.kind

    @property
    def _kind(self) -> str:
        """The kind of the uncertain die."""
        return self.question.reading.kind if self.question.reading is not None else ""

    def _candidates(self) -> Widget:
        row = HBox(spacing=dp(12), tall=answer_height(self.upright))
        for face in self.question.candidates:
            push = PushButton(
                face_text(face),
                style="chalk",
                kind="fort" if face.value is not None and face.colour is None else "titre",
                icon_side=80,
            )
            push.mark(face_mark(face, 80, self._kind))
            push.bind(on_tap=lambda _, face=face: self._answer(face))
            row.add_widget(push)
        return row

    def _others(self) -> Widget:
        row = HBox(spacing=dp(8), tall=60)
        if self.question.candidates:
            row.add_widget(
                Text(
                    translate("app.question.other_face"),
                    kind="corps" if display.theme.roomy else "mini",
                    tone="craie2",
                    flow="box",
                    halign="left",
                    size_hint_x=None,
                    width=dp(88) * max(1.0, display.theme.text / 115),
                )
            )
        for face in self.question.others:
            button = FaceButton(face, side=40, kind=self._kind, act=partial(self._answer, face))
            button.spoken = face_text(face)
            row.add_widget(button)
        return row

    def _confirm_button(self) -> Widget:
        return PushButton(translate(f"app.question.{self._subject}_yes"), style="brass", tall=60, act=self._confirm)

    def _dice(self) -> Widget:
        """Return buttons for the dice of the roll, numbered as in the picture."""
        many = len(self.question.dice) > _DICE_PER_ROW
        lines = -(-len(self.question.dice) // _DICE_PER_ROW)
        tall = dp(62 if many else answer_height(self.upright))
        row = Grid(cols=min(_DICE_PER_ROW, len(self.question.dice)), size_hint_y=None, spacing=dp(8))
        row.height = (tall + dp(8)) * lines - dp(8)
        for index, die in enumerate(self.question.dice):
            push = PushButton(str(index + 1), style="chalk", kind="bouton" if many else "titre", stacked=True, pad=4)
            push.mark(face_mark(die.face, 28 if many else 56, die.kind))
            push.spoken = translate("app.table.die_is", number=index + 1, face=face_text(die.face))
            push.bind(on_tap=lambda _, index=index: self._answer(index))
            row.add_widget(push)
        return row

    def _rethrow_buttons(self) -> Widget:
        theme = display.theme
        kind = "bouton" if theme.roomy else "corps"
        row = HBox(size_hint_y=None, height=dp(52) * theme.text / 100, spacing=dp(10))
        dice = len(self.question.dice)
        if self.question.kind == "face":
            one = PushButton(translate("app.question.throw_this"), icon="roll", style="brass", kind=kind, pad=6)
            one.bind(on_tap=lambda *_: self._throw_again(every=False))
            row.add_widget(one)
        if self.question.may_be_no_die:
            none = PushButton(translate("app.question.no_die"), style="outlined", kind=kind, pad=6)
            none.bind(on_tap=lambda *_: self._answer(self.question.index))
            row.add_widget(none)
        elif self.question.kind != "face" or dice > 1:
            if self.question.choice is not None:
                label = translate(f"app.question.{self._subject}_no")
            elif dice == _BOTH:
                label = translate("app.question.throw_both")
            else:
                label = translate("app.question.throw_all", n=dice)
            row.add_widget(
                PushButton(label, style="outlined", kind=kind, pad=6, act=lambda: self._throw_again(every=True))
            )
        return row

    def _answer(self, answer: Face | int) -> None:
        if self._session.dice.question is self.question:  # otherwise new dice have been read since
            self._page.app.attempt(lambda: self._session.answer(answer))

    def _confirm(self) -> None:
        if self._session.dice.question is self.question:
            self._session.confirm_choice()

    def _throw_again(self, every: bool) -> None:
        if self._session.dice.question is self.question:
            self._session.dice.dismiss(every)

    def _draw(self) -> None:
        box = self.ids.box
        self._scrim.pos, self._scrim.size = self.pos, self.size
        self._surface.pos, self._surface.size = box.pos, box.size
        radius = dp(16)
        self._surface.radius = [radius, radius, 0, 0] if self.upright else [radius] * 4
        self._border.rounded_rectangle = (*box.pos, *box.size, radius)


def place_pictures(place: Widget, upright: bool, large: Widget, small: Widget | None) -> None:
    """Place the die in a square and the tray below or beside it, so that they do not overlap."""
    gap = dp(10)
    wide, high = place.width - gap * (2 if upright else 1), place.height - gap * 2
    side = max(1.0, min(wide, high))
    large.size = (side, side) if small else (wide, high)
    large.pos = (place.x + gap, place.top - gap - large.height)
    if small and upright:
        small.size = (max(1.0, wide - side - gap), side)
        small.pos = (large.right + gap, large.y)
    elif small:
        small.size = (wide, max(1.0, high - side - gap))
        small.pos = (large.x, place.y + gap)


def answer_height(upright: bool) -> int:
    """Return the height of the main answers in dp."""
    return 136 if display.theme.roomy or upright else 122
