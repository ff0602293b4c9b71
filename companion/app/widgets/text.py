"""Text widgets in the theme's sizes and families: plain text, names that fit their box, underlined names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.display import break_at_hyphen, display, shortened_names
from companion.app.fonts import CONDENSED, SENTENCE, TextLayout, TextStyle, typeset
from companion.app.theme import faded
from companion.app.widgets.sized import Sized

_DRESS = ("kind", "tone", "strong", "plain", "flow", "leading")
_LAID = ("text", "font_size", "text_size", "halign", "valign", "strikethrough")


class Text(Sized):
    """A text label.

    `kind` is a type size of the theme; `tone` is a theme colour or a side's name. `flow` sets the size of the widget:

    - `line`: width and height of the single line.
    - `wrap`: wraps at the given width and takes the height it needs.
    - `box`: keeps the given box and wraps inside it.
    - `free`: the creator does the layout.

    It works like Kivy's label without markup, at a tenth of the cost: a page has about sixty of them.
    """

    text = StringProperty("")
    kind = StringProperty("corps")
    tone = StringProperty("craie")
    strong = BooleanProperty(False)
    plain = BooleanProperty(True)
    """True for sentences (Lato), False for names, numbers and buttons (Roboto Condensed)."""
    flow = OptionProperty("wrap", options=("line", "wrap", "box", "free"))
    leading = NumericProperty(1.15)
    color = ObjectProperty((1.0, 1.0, 1.0, 1.0))
    font_size = NumericProperty(15)
    halign = StringProperty("auto")
    valign = StringProperty("middle")
    strikethrough = BooleanProperty(False)
    text_size = ObjectProperty((None, None))
    texture = ObjectProperty(None, allownone=True)
    texture_size = ObjectProperty((0, 0))

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        self._layout: TextLayout | None = None
        self._laid_out_style: TextStyle | None = None
        self._waited = False
        super().__init__(**kwargs)
        with self.canvas:
            self._ink = Color()
            self._letters = Rectangle(size=(0, 0))
        self._schedule_layout = Clock.create_trigger(self._update_layout, -1)
        for name in _DRESS:
            self.fbind(name, self._apply_style)
        for name in _LAID:
            self.fbind(name, self._schedule_layout)
        self.fbind("color", self._colour)
        self.fbind("pos", self._place)
        self.fbind("size", self._resized)
        self._apply_style()
        self.text = text
        self._schedule_layout()

    def apply_class_lang_rules(self, *args: object, **kwargs: Any) -> None:
        """Skip .kv rules: the theme sets the style of texts."""

    @property
    def is_shortened(self) -> bool:
        """True if the end of the text is cut off."""
        return bool(self._label.is_shortened)

    @property
    def _label(self) -> TextLayout:
        """The layout of the text in the current style."""
        setting = self._setting()
        if self._layout is None or setting != self._laid_out_style:
            return typeset(setting)
        return self._layout

    @property
    def line_width(self) -> float:
        """The width of the text on one line in pixels, known before it is laid out."""
        return float(self._label.get_extents(self.text)[0])

    def beginning_of(self, text: str, available_width: float) -> str:
        """Return the beginning of a text that fits on one line of this style, with "…" at its end if it was cut."""
        return _beginning(text, lambda shortened: self._label.get_extents(shortened)[0] <= available_width)

    def beginning_in_box(self, text: str, width: float, height: float) -> str:
        """Return the beginning of a text that fits wrapped in a box, with "…" at its end if it was cut."""
        style = self._setting()._replace(box=(width, None))
        return _beginning(text, lambda shortened: typeset(style._replace(text=shortened)).texture.height <= height)

    def texture_update(self, *_: object) -> None:
        """Lay out the text now, within `text_size`."""
        setting = self._setting()
        if setting == self._laid_out_style:
            return
        self._laid_out_style = setting
        self._layout = layout = typeset(setting)
        self.texture = self._letters.texture = None if layout.empty else layout.texture
        self.texture_size = (0, 0) if layout.empty or layout.texture is None else tuple(layout.texture.size)
        self._letters.size = self.texture_size
        self._apply_texture_size()
        self._place()

    def _setting(self) -> TextStyle:
        font = SENTENCE if self.plain else CONDENSED
        box = tuple(self.text_size)
        return TextStyle(
            self.text,
            font,
            int(self.font_size),
            self.strong,
            box,
            self.halign,
            self.valign,
            self.leading,
            self.strikethrough,
        )

    def _update_layout(self, *_: object) -> None:
        """Lay out the text. A text that wraps first waits one cycle for its width from the layout."""
        if self.flow in ("wrap", "box") and not self._waited and self._laid_out_style is None:
            self._waited = True
            self._schedule_layout()
            return
        self.texture_update()

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.font_size = theme.type(self.kind)
        self.color = theme.tone(self.tone)
        if self.flow == "line":
            self.size_hint = (None, None)
        elif self.flow == "wrap":
            self.size_hint_y = None
        self._fit()
        if self._laid_out_style is not None:
            self._schedule_layout()

    def _colour(self, *_: object) -> None:
        self._ink.rgba = self.color

    def _resized(self, *_: object) -> None:
        before = self.text_size
        self._fit()
        self._place()
        if self.flow == "wrap" and tuple(self.text_size) != tuple(before):
            self.texture_update()

    def _fit(self) -> None:
        if self.flow == "free":
            return
        self.text_size = {"line": (None, None), "wrap": (self.width, None), "box": tuple(self.size)}[self.flow]

    def _apply_texture_size(self) -> None:
        if self.flow == "line":
            self.size = self.texture_size
        elif self.flow == "wrap":
            self.height = self.texture_size[1]

    def _place(self, *_: object) -> None:
        wide, high = self.texture_size
        self._letters.pos = (int(self.x + (self.width - wide) / 2), int(self.y + (self.height - high) / 2))


_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def _beginning(text: str, fits: Callable[[str], bool]) -> str:
    kept, end = text, ""
    while kept and not fits(kept + end):
        kept, end = kept[:-1].rstrip(), _ELLIPSIS
    return kept + end


class BoldText(Text):
    """Bold text in the condensed family, for names, numbers and buttons."""

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        kwargs.setdefault("plain", False)
        kwargs.setdefault("strong", True)
        kwargs.setdefault("leading", 1.0)
        super().__init__(text, **kwargs)


class ScoreText(BoldText):
    """A score on one line, in the first of `kinds` that fits the height of its box."""

    def __init__(self, text: str, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds
        super().__init__(text, kind=kinds[0], flow="box", halign="center", leading=0.9)
        self.fbind("height", self._sink)

    def _sink(self, *_: object) -> None:
        for kind in self._kinds:
            self.kind = kind
            if self._label.get_extents(self.text)[1] * self.leading <= self.height:
                return


UNBREAKABLE = re.compile(r"[\u3000-\u9fff]|[^\s\u3000-\u9fff]+")
"""A part of a text that stays on one line. A line may break after every Chinese or Japanese sign."""


class LimitedText(Text):
    """A wrapped text of at most `max_lines` lines. A longer one ends with an ellipsis."""

    def __init__(self, text: str, max_lines: int, **kwargs: Any) -> None:
        self._full, self._max_lines = text, max_lines
        super().__init__(text, **kwargs)
        self.fbind("width", self._cut)

    def _cut(self, *_: object) -> None:
        line_height = typeset(self._setting()._replace(text="X", box=(self.width, None))).texture.height
        self.text = self.beginning_in_box(self._full, self.width, (self._max_lines + 0.5) * line_height)


class WrappedNames(BoldText):
    """Names that wrap. A single word that is too wide breaks after a hyphen."""

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(text, **kwargs)
        self._full = text
        self.fbind("width", self._break)

    def _break(self, *_: object) -> None:
        width_of = self._label.get_extents
        parts = self._full.split(" ")
        self.text = " ".join(break_at_hyphen(word) if width_of(word)[0] > self.width else word for word in parts)


class Name(BoldText):
    """A name that fits its box: it uses the first of `kinds` that fits on one line.

    If none fits, the size shrinks to fit one line, at most to the last kind without the text size setting. Then the
    name wraps, and a single word that is too wide breaks after a hyphen. With `initials`, names of clubs or players may
    also be shortened. What still does not fit shrinks to `least_size`, and is then cut at its end.
    """

    kinds = ListProperty(["corps", "mini"])
    initials = BooleanProperty(False)

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        kwargs.setdefault("flow", "box")
        self._full = self._rendered = text
        self._choosing = False
        super().__init__(text, **kwargs)
        for name in ("text", "size", "parent", "kinds", "initials"):
            self.fbind(name, self._choose)
        self._choose()

    @property
    def full_text(self) -> str:
        """The whole text, of which the widget may show less."""
        return self._full

    @property
    def is_cut(self) -> bool:
        """True if the end of the text is left out."""
        return self.text != self._full and self.text.endswith(_ELLIPSIS)

    def _choose(self, *_: object) -> None:
        if self._choosing:
            return
        self._choosing = True
        if self.text != self._rendered:
            self._full = self.text
        self.text = self._rendered = self._fitting()
        self._choosing = False

    def _fitting(self) -> str:
        """Set the font size and return the text to show."""
        theme = display.theme
        full, available_width, wide = self._full, self.width, 0.0
        for kind in self.kinds:
            self.kind, self.font_size = kind, theme.type(kind)  # the type may be smaller from an earlier width
            wide = self._label.get_extents(full)[0]
            if wide <= available_width:
                return full
        if not wide:
            return full
        least = theme.type(self.kinds[-1]) * 100 / theme.text
        self.font_size = max(least, theme.type(self.kinds[-1]) * available_width / wide * 0.98)
        if self.parent is None:  # the available space is not known yet
            return full
        return self._wrapped(available_width)

    def _wrapped(self, available_width: float) -> str:
        """Return the longest form of the name that fits when wrapped. If none fits, shrink the shortest form, then cut
        it.
        """
        wrapped, needed = self._full, (0.0, 0.0)
        for candidate in shortened_names(self._full) if self.initials else (self._full,):
            wrapped = self._with_hyphen_breaks(candidate, available_width)
            needed = self._needed_size(wrapped, available_width)
            if needed[0] <= available_width and needed[1] <= self.height:
                return wrapped
        share = min(1.0, available_width / needed[0], self.height / needed[1])
        size = self.font_size * share * (0.97 if share < 1 else 1)
        self.font_size = max(least_size(), size) if self.initials else least_size()
        needed = self._needed_size(wrapped, available_width)
        if needed[0] <= available_width and needed[1] <= self.height:
            return wrapped
        return self.beginning_of(wrapped.replace("\n", ""), available_width)

    def _with_hyphen_breaks(self, name: str, available_width: float) -> str:
        """Return the name with words that are too wide broken after a hyphen."""
        width_of = self._label.get_extents
        return " ".join(
            break_at_hyphen(part) if width_of(part)[0] > available_width and "\n" not in part else part
            for part in name.split(" ")
        )

    def _needed_size(self, wrapped: str, available_width: float) -> tuple[float, float]:
        """Return the width and height in pixels that a text needs when it wraps at a width."""
        laid = typeset(self._setting()._replace(text=wrapped, box=(available_width, None))).texture
        width_of = self._label.get_extents
        widest = max((width_of(part)[0] for part in UNBREAKABLE.findall(wrapped)), default=0.0)
        return max(laid.width, widest), laid.height


def least_size() -> float:
    """Return the smallest type of a long text in pixels: four fifths of the smallest type of the theme."""
    return display.theme.type("mini") * 100 / display.theme.text * 0.8


class Underlined(BoldText):
    """A name on one line with a chalk underline in the theme colour `stroke`; no underline if `stroke` is empty."""

    stroke = StringProperty("laiton")

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        kwargs.setdefault("flow", "line")
        super().__init__(text, **kwargs)
        for name in ("pos", "size", "stroke"):
            self.fbind(name, self._stroke_under)

    def _stroke_under(self, *_: object) -> None:
        self.canvas.after.clear()
        if not self.stroke or self.width < 8:
            return
        height = max(round(dp(9)), round(self.font_size * 0.2))
        width = round(self.width + dp(6))
        with self.canvas.after:
            Color(*display.theme.tone(self.stroke))
            Rectangle(
                texture=textures.chalk_stroke(width, height),
                pos=(round(self.x - dp(2)), round(self.y - height * (0.35 if height > dp(9) else 0.6))),
                size=(width, height),
            )


class Wordmark(Underlined):
    """The product name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("Tapis Vert", kind="fort", **kwargs)


class ChalkLines(Widget):
    """Chalk lines from a path in its own view, stretched over the widget. Not drawn in themes without texture."""

    path = StringProperty("")
    view_width = NumericProperty(800)
    view_height = NumericProperty(480)
    strength = NumericProperty(0.22)
    stroke = NumericProperty(2.5)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("pos", "size", "path", "strength"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        theme = display.theme
        width, height = round(self.width), round(self.height)
        if not theme.textured or not self.path or min(width, height) < 4:
            return
        view = (float(self.view_width), float(self.view_height))
        texture = textures.chalk_lines(self.path, width, height, view, self.stroke * self.view_width / (width / dp(1)))
        with self.canvas:
            Color(*faded(theme.craie, self.strength))
            Rectangle(texture=texture, pos=(round(self.x), round(self.y)), size=(width, height))
