"""The button in all its dresses: a framed surface with an icon, a text, a second line and a mark at its end."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty

from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.framed import Framed
from companion.app.widgets.marks import Icon, Mark
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Text

LOOKS = (
    "chalk", "brass", "outlined", "dashed", "quiet", "well", "side", "side_outlined", "side_thin", "todo", "raised",
)  # fmt: skip
_CLEAR: RGBA = (0.0, 0.0, 0.0, 0.0)
_WORN = ("text", "detail", "icon", "end", "look", "side", "kind", "tone", "detail_tone", "end_tone", "icon_side")
"""What a button's dress depends on."""
_LEAST = 0.7
"""Share of their size below which letters do not shrink for a word that is too wide."""


def dress(theme: Theme, look: str, side: str) -> tuple[RGBA, RGBA, bool, str]:
    """Fill, line, whether the line is dashed, and the text's tone, of a look in the colours of `side`."""
    tone = theme.sides[side]
    plain: dict[str, tuple[RGBA, RGBA, bool, str]] = {
        "chalk": (theme.craie, _CLEAR, False, "encre"),
        "brass": (theme.laiton, _CLEAR, False, "laiton_encre"),
        "outlined": (_CLEAR, theme.craie3, False, "craie"),
        "dashed": (_CLEAR, faded(theme.craie3, 0.7), True, "craie3"),
        "quiet": (_CLEAR, _CLEAR, False, "craie"),
        "well": (theme.creux, theme.bord, False, "craie"),
        "side": (tone.main, _CLEAR, False, "ink"),
        "side_outlined": (_CLEAR, tone.main, False, "craie"),
        "side_thin": (_CLEAR, faded(tone.main, 0.6), False, "craie"),
        "todo": (_CLEAR, theme.laiton, True, "craie"),
        "raised": (theme.feutre, theme.laiton, False, "craie"),
    }
    return plain[look]


class Push(Tap, Framed):
    """A button. `look` is one of LOOKS; `detail` a second, smaller line; `end` an icon at the right edge.

    `hug` makes it as wide as its content; `lines` centred content unless `left`. The spoken name is text and detail.
    """

    text = StringProperty("")
    detail = StringProperty("")
    icon = StringProperty("")
    end = StringProperty("")
    look = OptionProperty("outlined", options=LOOKS)
    side = StringProperty("blue")
    badge = StringProperty("")
    kind = StringProperty("bouton")
    tone = StringProperty("")
    detail_tone = StringProperty("")
    end_tone = StringProperty("")
    left = BooleanProperty(False)
    stacked = BooleanProperty(False)
    hug = BooleanProperty(False)
    pad = NumericProperty(12)
    icon_side = NumericProperty(24)

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        self._head = Head(flow="free", size_hint=(None, None))
        self._small = Text(flow="free", kind="mini", leading=1.0, size_hint=(None, None))
        self._mark: Mark | None = None
        self._end: Icon | None = None
        super().__init__(**kwargs)
        self.add_widget(self._head)
        self.add_widget(self._small)
        self._arrange_soon = Clock.create_trigger(self._arrange, -1)
        for name in ("pos", "size", "left", "stacked", "pad"):
            self.fbind(name, self._arrange_soon)
        self._dress_soon = Clock.create_trigger(self._dress, -1)
        for name in _WORN:
            self.fbind(name, self._dress_soon)
        self.text = text or self.text
        self._dress()

    def mark(self, mark: Mark) -> None:
        """Puts a badge, a die or another drawn thing where the icon stands."""
        if self._mark:
            self.remove_widget(self._mark)
        self._mark = mark
        self.add_widget(mark)
        self._arrange_soon()

    def shine(self, on: bool) -> None:
        theme = App.get_running_app().theme
        if on and self.look != "chalk":
            self.fill = faded(theme.craie, 0.9)
            self._head.color = self._small.color = theme.encre
        elif on:
            self.fill = theme.craie2
        else:
            self._dress()

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        self.fill, self.line, dashed, tone = dress(theme, self.look, self.side)
        self.dash = 5 if dashed else 0
        ink = theme.sides[self.side].ink if tone == "ink" else theme.tone(self.tone or tone)
        self._head.kind = self.kind
        self._head.text = self.text
        self._head.color = ink
        self._small.text = self.detail
        quiet = self.look in ("outlined", "quiet", "well", "side_outlined", "side_thin")
        self._small.color = theme.tone(self.detail_tone) if self.detail_tone else (theme.craie2 if quiet else ink)
        if self.look == "todo" and not self.detail_tone:
            self._small.color = theme.laiton
        self._dress_icons(self.tone or tone)
        self._arrange_soon()

    def _dress_icons(self, tone: str) -> None:
        if self.icon:
            icon = self._mark if isinstance(self._mark, Icon) else Icon(self.icon)
            if icon is not self._mark:
                self.mark(icon)
            icon.name, icon.side, icon.tone = self.icon, self.icon_side, tone if tone != "ink" else "encre"
        if self.end:
            if self._end is None:
                self._end = Icon()
                self.add_widget(self._end)
            self._end.name = self.end
            self._end.tone = self.end_tone or (tone if tone != "ink" else "encre")
        elif self._end is not None:
            self.remove_widget(self._end)
            self._end = None

    def _arrange(self, *_: object) -> None:
        pad, gap = dp(self.pad), dp(10)
        marked = float(self._mark.size[0]) if self._mark else 0.0
        beside = 0.0 if self.stacked else marked + gap * bool(marked and (self.text or self.detail))
        after = dp(8) + float(self._end.width) if self._end else 0.0
        room = max(1.0, self.width - 2 * pad - beside - after)
        wide = max(_measure(self._head, None if self.hug else room), _measure(self._small, None if self.hug else room))
        if self.hug:
            self.setter("width")(self, wide + 2 * pad + beside + after)
            room = wide
        tall = self._head.height * bool(self.text) + self._small.height * bool(self.detail)
        if self.stacked and self._mark:
            whole = tall + marked + dp(4)
            self._mark.pos = (self.center_x - marked / 2, self.center_y + whole / 2 - marked)
            self._place_text(self.center_x - wide / 2, self._mark.y - dp(4), wide, tall)
        else:
            start = self.x + pad if self.left else self.x + (self.width - after - beside - wide) / 2
            if self._mark:
                self._mark.pos = (start, self.center_y - self._mark.height / 2)
            self._place_text(start + beside, self.center_y + tall / 2, wide, tall)
        if self._end:
            self._end.pos = (self.right - pad - self._end.width, self.center_y - self._end.height / 2)

    def _place_text(self, words: float, top: float, wide: float, tall: float) -> None:
        """Put both labels into the box of `wide` by `tall` pixels whose top left corner is (`words`, `top`)."""
        self._head.halign = self._small.halign = "left" if self.left else "center"
        inset = 0 if self.left else (wide - self._head.width) / 2
        self._head.pos = (words + inset, top - self._head.height)
        inset = 0 if self.left else (wide - self._small.width) / 2
        self._small.pos = (words + inset, top - tall)


def _measure(label: Text, room: float | None) -> float:
    """Lays a label out in the room there is, wrapping only when it must; its width.

    No word is broken: where one alone is wider, all letters are smaller.
    """
    label.font_size = App.get_running_app().theme.type(label.kind)
    label.text_size = (None, None)
    label.texture_update()
    if room is not None and label.texture_size[0] > room:
        longest = max((label._label.get_extents(word)[0] for word in label.text.split()), default=0)
        if longest > room:
            label.font_size *= max(_LEAST, 0.98 * room / longest)
        label.text_size = (room, None)
        label.texture_update()
    label.size = label.texture_size
    return float(label.width)
