"""Cards, chips, segments and steppers: the small furniture of pages and sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.app import App
from kivy.effects.scroll import ScrollEffect
from kivy.metrics import dp
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView

from companion.app.widgets.framed import Framed
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text


class Card(Framed, BoxLayout):
    """A raised panel in a colour of the theme (`surface`), or with `side` in that side's panel colour."""

    surface = StringProperty("feutre")
    side = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        super().__init__(**kwargs)
        self.fbind("surface", self._dress)
        self.fbind("side", self._dress)
        self._dress()

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        self.fill = theme.sides[self.side].panel if self.side else theme.tone(self.surface)


class Chip(Framed, BoxLayout):
    """A short fact: a label and its value, as wide as they are."""

    def __init__(self, label: str, value: str = "", tone: str = "craie", kind: str = "corps", **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), height=dp(26), padding=(dp(8), 0), spacing=dp(5), radius=6, **kwargs)
        self.fill = App.get_running_app().theme.creux
        self.parts = [Text(label, kind=kind, flow="line", plain=False)] if label else []
        if value:
            self.parts.append(Head(value, flow="line", kind=kind, tone=tone))
        for part in self.parts:
            part.texture_update()
            part.size = part.texture_size
            part.pos_hint = {"center_y": 0.5}
            self.add_widget(part)
        self.width = sum(part.width for part in self.parts) + dp(16) + dp(5) * (len(self.parts) - 1)
        self.height = max(dp(26), *(part.height for part in self.parts))


class Segments(Framed, BoxLayout):
    """One of a few values, all of them in sight; the one that holds is filled with chalk."""

    def __init__(
        self, options: Sequence[tuple[Any, str]], value: Any, choose: Callable[[Any], None], **kwargs: Any
    ) -> None:
        kind = kwargs.pop("kind", "bouton")
        super().__init__(padding=dp(3), spacing=dp(3), **kwargs)
        self.fill = App.get_running_app().theme.creux
        self.pushes: dict[Any, Push] = {}
        pad = 6 if len(options) < 5 else 3
        for option, label in options:
            push = Push(label, look="chalk" if option == value else "quiet", kind=kind, pad=pad, radius=9)
            push.bind(on_tap=lambda _, option=option: choose(option))
            self.pushes[option] = push
            self.add_widget(push)


class Stepper(BoxLayout):
    """A number between two buttons of 56 dp. `change` gets the new number; `name` says what is counted."""

    value = NumericProperty(0)

    def __init__(
        self,
        value: int,
        least: int,
        most: int,
        change: Callable[[int], None],
        *,
        side: str = "blue",
        name: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(66), **kwargs)
        self.value = value
        self._least, self._most, self._change = least, most, change
        self._less, self._more = (
            Push(
                "",
                icon=icon,
                icon_side=28,
                look="side_outlined",
                side=side,
                tone=side,
                spoken=f"{sign} {name}".strip(),
                size_hint=(None, None),
                size=(dp(56), dp(52)),
                pos_hint={"center_y": 0.5},
            )
            for icon, sign in (("minus", "−"), ("plus", "+"))
        )
        roomy = App.get_running_app().theme.roomy
        self._number = Head(str(value), kind="fort" if roomy else "grand", flow="box", halign="center")
        self._less.bind(on_tap=lambda *_: self._step(-1))
        self._more.bind(on_tap=lambda *_: self._step(1))
        for part in (self._less, self._number, self._more):
            self.add_widget(part)
        self.fbind("value", self._show)
        self._show()

    def _step(self, by: int) -> None:
        wanted = self.value + by
        if self._least <= wanted <= self._most:
            self.value = wanted
            self._change(wanted)

    def _show(self, *_: object) -> None:
        self._number.text = str(int(self.value))
        self._less.look = "side_outlined" if self.value > self._least else "dashed"
        self._more.look = "side_outlined" if self.value < self._most else "dashed"


class Scroller(ScrollView):
    """A column that scrolls when it must, with a thin chalk bar that shows there is more."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("effect_cls", ScrollEffect)  # the damped one swings without end when frames are slow
        super().__init__(do_scroll_x=False, bar_width=dp(5), scroll_type=["bars", "content"], **kwargs)
        theme = App.get_running_app().theme
        self.bar_color = theme.craie3
        self.bar_inactive_color = theme.craie3
