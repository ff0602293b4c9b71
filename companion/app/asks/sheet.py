"""The sheet that completes a choice: what it is for, a cross that leaves nothing behind, the body of the open ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.animation import Animation
from kivy.app import App
from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Translate
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.asks.flow import Flow, legal_options
from companion.app.asks.lifting import TextAsk, dice_ask
from companion.app.asks.number import CountAsk, CountsAsk, ValueAsk
from companion.app.asks.pick import PlacePick, RowPick
from companion.app.figures.placing import whenever_placed
from companion.app.figures.words import say, text
from companion.app.help.rules import known, open_rule
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import BallMark, SideBadge
from companion.app.widgets.pieces import Segments
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Ask, Barred, Choice, Die, Fields, SideScene

_BODIES: dict[str, Callable[[Any, Ask], Widget]] = {
    "pick": RowPick,
    "place": PlacePick,
    "count": CountAsk,
    "counts": CountsAsk,
    "value": ValueAsk,
    "dice": dice_ask,
    "text": TextAsk,
}


class AskSheet(FloatLayout):
    """`done` gets the fields of the whole event after the last answer; the sheet is gone by then.

    `side` is whose choice it is (None: nobody's), `other` who must look away from a secret one, `badge` a ball colour.
    `lying` are dice in the tray that have been read and not counted. `inset` is how far the sheet stays from the
    window's left, bottom, right and top, in pixels; `away` the part of its way that it still has to slide in.
    """

    away = NumericProperty(0.0)

    def __init__(
        self,
        choice: Choice,
        done: Callable[[Fields], object],
        *,
        side: SideScene | None,
        inset: tuple[float, float, float, float],
        edge: str = "bottom",
        other: SideScene | None = None,
        badge: str | None = None,
        lying: Sequence[Die] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.colour = side.colour if side else ""
        self.lying = tuple(lying)
        self._flow, self._done, self._side, self._other = Flow(choice), done, side, other
        self.answers = self._flow.answers
        self._badge, self._inset, self._edge = badge, inset, edge
        self.secret = self._covered = any(ask.secret for ask in choice.asks)
        """What is answered here is never said aloud."""
        self.card = _Panel(self.colour, edge)
        self.add_widget(self.card)
        with self.canvas.before:
            PushMatrix()
            self._slid = Translate()  # the picture slides: nothing on it is laid out anew on its way
        with self.canvas.after:
            PopMatrix()
        whenever_placed(self, self._place, "away")
        self._show()

    @property
    def sliding(self) -> bool:
        """On its way in; touches come too early."""
        return bool(self.away > 0)

    def slide_in(self) -> None:
        """From the asking side's edge; with less motion it is simply there."""
        seconds = App.get_running_app().theme.seconds("sheet")
        if seconds:
            self.away = 1.0
            Animation(away=0.0, duration=seconds, t="out_quad").start(self)

    def leave(self) -> None:
        """The cross, or back: nothing stays."""
        room = App.get_running_app().room
        if self in room.sheets:
            room.sheets.remove(self)
            room.remove_widget(self)

    def answer(self, value: Any) -> None:
        """The answer to the open ask; the last one makes the event."""
        self._flow.answer(value)
        self._next()

    def skip(self) -> None:
        """An optional ask is left out."""
        self._flow.skip()
        self._next()

    def explain(self, barred: Barred) -> None:
        """Why an option cannot be taken, with the number of the rule."""
        words = say("app.table.refused", reason=text(barred.reason).rstrip("."), rule=barred.rule)
        self._head.tell(words, "laiton", barred.rule)

    def progress(self, picked: int, times: int) -> None:
        """How many picks are done of how many."""
        self._head.tell(say("app.ask.picked", picked=picked, times=times), "craie2")

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing under the sheet is touched; what stands beside it stays alive."""
        if not self.card.collide_point(*touch.pos):
            return False
        if not self.sliding:
            super().on_touch_down(touch)
        return True

    def _next(self) -> None:
        if self._flow.ask is None:
            self.leave()
            self._done(self._flow.fields())
        else:
            self._show()

    def _place(self) -> None:
        left, bottom, right, top = self._inset
        width, height = self.width - left - right, self.height - bottom - top
        self.card.pos, self.card.size = (self.x + left, self.y + bottom), (width, height)
        step = {"left": (-width, 0.0), "right": (width, 0.0), "bottom": (0.0, -height)}[self._edge]
        self._slid.xy = (step[0] * self.away, step[1] * self.away)

    def _show(self) -> None:
        ask = self._flow.ask
        assert ask is not None
        self.card.clear_widgets()
        self._head = AskHead(text(ask.title), self._hint_for(ask), self._side, self._badge, self.leave)
        self.card.add_widget(self._head)
        if self._covered:
            self.card.add_widget(self._cover())
            return
        if self._flow.switches:
            self.card.add_widget(self._switches())
        self.card.add_widget(_BODIES[ask.kind](self, ask))

    def _hint_for(self, ask: Ask) -> str:
        if self._covered and self._other:
            return say("app.ask.look_away", name=self._other.name)
        if ask.kind == "place":
            return say("app.ask.place_times", n=ask.times) if ask.times > 1 else say("app.ask.place_once")
        if ask.kind == "pick":
            return say("app.ask.pick_times", n=ask.times) if ask.times > 1 else text(self._flow.choice.label)
        return text(self._flow.choice.label)

    def _switches(self) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=dp(58), spacing=dp(8))
        for switch in self._flow.switches:
            row.add_widget(self._segments(switch))
        return row

    def _segments(self, switch: Ask) -> Segments:
        """The legal options of a switch, told apart by their place: values may be lists."""
        options = legal_options(switch)
        labels = [" ".join(part for part in (text(option.label), option.effect or "") if part) for option in options]
        chosen = [option.value for option in options].index(self._flow.chosen(switch))

        def turn(place: int) -> None:
            self._flow.turn(switch, options[place].value)
            self._show()

        segments = Segments(list(enumerate(labels)), chosen, turn)
        if self.colour:
            segments.pushes[chosen].look, segments.pushes[chosen].side = "side", self.colour
        return segments

    def _cover(self) -> Widget:
        cover = BoxLayout(orientation="vertical", spacing=dp(12), padding=(0, dp(8)))
        cover.add_widget(Text(say("app.ask.secret"), tone="craie2", flow="box", halign="center"))
        alone = Push(
            say("app.ask.alone"), look="side", side=self.colour or "blue", held=True, size_hint_y=None, height=dp(76)
        )

        def uncover(*_: object) -> None:
            self._covered = False
            self._show()

        alone.bind(on_tap=uncover)
        cover.add_widget(alone)
        cover.add_widget(Widget())
        return cover


class AskHead(BoxLayout):
    """The ball's colour or the side's badge, what the ask is for, a line that helps, and the cross."""

    def __init__(
        self, title: str, hint: str, side: SideScene | None, ball: str | None, leave: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(54), spacing=dp(12), **kwargs)
        middle = {"center_y": 0.5}
        self._rule: Push | None = None
        if ball:
            self.add_widget(BallMark(side=44, colour=ball, pos_hint=middle))
        elif side:
            self.add_widget(SideBadge(side=36, colour=side.colour, letter=side.letter, pos_hint=middle))
        self._words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint=middle)
        self._title = Head(title, kind="titre", halign="left")
        self._hint = Text(hint, kind="mini", tone="craie2", halign="left")
        for part in (self._title, self._hint):
            part.fbind("height", self._fit)
            self._words.add_widget(part)
        self._words.fbind("width", self._fit)
        self.add_widget(self._words)
        cross = Push(
            "",
            icon="cross",
            icon_side=26,
            look="side_thin" if side else "outlined",
            side=side.colour if side else "blue",
            spoken=say("app.close"),
            size_hint=(None, None),
            size=(dp(52), dp(52)),
            pos_hint=middle,
        )
        cross.bind(on_tap=lambda *_: leave())
        left_handed = App.get_running_app().preferences.left_handed
        self.add_widget(cross, index=len(self.children) if left_handed else 0)

    def tell(self, words: str, tone: str, rule: str = "") -> None:
        """Another line under the title; beside the cross the way to the text of a rule."""
        self._hint.text, self._hint.tone = words, tone
        if self._rule is not None:
            self.remove_widget(self._rule)
            self._rule = None
        if known(rule):
            spoken = say("app.help.open", rule=rule)
            self._rule = Push("", icon="help", icon_side=28, look="outlined", spoken=spoken, size_hint=(None, None))
            self._rule.size, self._rule.pos_hint = (dp(52), dp(52)), {"center_y": 0.5}
            self._rule.bind(on_tap=lambda *_: open_rule(rule))
            self.add_widget(self._rule, index=1)

    def _fit(self, *_: object) -> None:
        """A title too long for one line is set smaller before it wraps."""
        title = self._title
        title.kind = "titre"
        title.kind = "titre" if title._label.get_extents(title.text)[0] <= self._words.width else "bouton"
        self._words.height = title.height + self._hint.height
        self.height = max(dp(54), self._words.height)


class _Panel(Framed, BoxLayout):
    """The surface of a sheet in its side's panel colour, with that side's band."""

    def __init__(self, colour: str, edge: str, **kwargs: Any) -> None:
        band = dp(6)
        padding = [dp(14), dp(8), dp(14), dp(10)]
        if edge in ("left", "right"):
            padding[0 if edge == "left" else 2] += band
        else:
            padding[1] += band
        super().__init__(
            orientation="vertical", size_hint=(None, None), padding=padding, spacing=dp(8), radius=1, **kwargs
        )
        theme = App.get_running_app().theme
        self.fill = theme.sides[colour].panel if colour else theme.feutre
        self._edge, self._width = edge, band
        with self.canvas:
            Color(*(theme.sides[colour].main if colour else theme.bord))
            self._band = Rectangle()
        whenever_placed(self, self._paint_band)

    def _paint_band(self) -> None:
        if self._edge == "bottom":
            self._band.pos, self._band.size = (self.x, self.top - self._width), (self.width, self._width)
        else:
            self._band.pos = (self.x if self._edge == "left" else self.right - self._width, self.y)
            self._band.size = (self._width, self.height)
