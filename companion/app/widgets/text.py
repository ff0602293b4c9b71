"""Words on the screen, in the sizes and the two families of the theme."""

from __future__ import annotations

from kivy.app import App
from kivy.core.text import Label as CoreLabel
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.label import Label

from companion.app.fonts import CONDENSED, SENTENCE


class Text(Label):
    """A piece of text.

    `kind` is a size of the theme, `tone` a colour of it (or a side's name). `flow` says who decides the box: `line`
    takes the width and height of its one line, `wrap` wraps in the width it is given and takes the height it needs,
    `box` stays in the box it is given and wraps there, `free` is laid out by whoever made it.
    """

    kind = StringProperty("corps")
    tone = StringProperty("craie")
    strong = BooleanProperty(False)
    plain = BooleanProperty(True)
    """Sentences (Lato) when true, names, numbers and buttons (Roboto Condensed) when false."""
    flow = OptionProperty("wrap", options=("line", "wrap", "box", "free"))
    leading = NumericProperty(1.15)

    def __init__(self, text: str = "", **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.markup = False
        self.valign = kwargs.get("valign", "middle")
        for name in ("kind", "tone", "strong", "plain", "flow", "leading"):
            self.fbind(name, self._dress)
        self.fbind("size", self._fit)
        self.fbind("texture_size", self._take)
        self._dress()
        self.text = text

    def _dress(self, *_: object) -> None:
        theme = App.get_running_app().theme
        self.font_name = SENTENCE if self.plain else CONDENSED
        self.bold = self.strong
        self.font_size = theme.type(self.kind)
        self.color = theme.tone(self.tone)
        self.line_height = self.leading
        if self.flow == "line":
            self.size_hint = (None, None)
        elif self.flow == "wrap":
            self.size_hint_y = None
        self._fit()

    def _fit(self, *_: object) -> None:
        if self.flow == "free":
            return
        self.text_size = {"line": (None, None), "wrap": (self.width, None), "box": self.size}[self.flow]

    def _take(self, *_: object) -> None:
        if self.flow == "line":
            self.size = self.texture_size
        elif self.flow == "wrap":
            self.height = self.texture_size[1]


class Head(Text):
    """Names, numbers, buttons: the condensed family, bold."""

    def __init__(self, text: str = "", **kwargs: object) -> None:
        kwargs.setdefault("plain", False)
        kwargs.setdefault("strong", True)
        kwargs.setdefault("leading", 1.0)
        super().__init__(text, **kwargs)


class Name(Head):
    """A name in the box it is given: never cut; the first of `kinds` in which it stays on one line.

    Failing that, as large as one line allows, down to the last kind without the player's enlargement; then it wraps.
    """

    kinds = ListProperty(["corps", "mini"])

    def __init__(self, text: str = "", **kwargs: object) -> None:
        kwargs.setdefault("flow", "box")
        super().__init__(text, **kwargs)
        for name in ("text", "width", "kinds"):
            self.fbind(name, self._choose)
        self._choose()

    def _choose(self, *_: object) -> None:
        theme = App.get_running_app().theme
        room, wide = self.width, 0.0
        probe = CoreLabel(text=self.text, font_name=CONDENSED, bold=self.strong)
        for kind in self.kinds:
            probe.options["font_size"] = theme.type(kind)
            self.kind = kind
            wide = probe.get_extents(self.text)[0]
            if wide <= room:
                return
        if wide:
            least = theme.type(self.kinds[-1]) * 100 / theme.text
            self.font_size = max(least, theme.type(self.kinds[-1]) * room / wide * 0.98)
