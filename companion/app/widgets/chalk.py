"""What is drawn with chalk: the product's name with its stroke, lines of a pitch behind a page."""

from __future__ import annotations

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.app import textures
from companion.app.theme import faded
from companion.app.widgets.text import Head


class Underlined(Head):
    """A name on one line with a brass chalk stroke under it, while `stroke` is not empty (a colour of the theme)."""

    stroke = StringProperty("laiton")

    def __init__(self, text: str = "", **kwargs: object) -> None:
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
            Color(*App.get_running_app().theme.tone(self.stroke))
            Rectangle(
                texture=textures.chalk_stroke(width, height),
                pos=(round(self.x - dp(2)), round(self.y - height * (0.35 if height > dp(9) else 0.6))),
                size=(width, height),
            )


class Wordmark(Underlined):
    """The product's name."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__("Tapis Vert", kind="fort", **kwargs)


class ChalkLines(Widget):
    """Lines given as a path in a view of its own, stretched over the widget; none where the theme has no texture."""

    path = StringProperty("")
    view_width = NumericProperty(800)
    view_height = NumericProperty(480)
    strength = NumericProperty(0.22)
    stroke = NumericProperty(2.5)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        for name in ("pos", "size", "path", "strength"):
            self.fbind(name, self._draw)
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        theme = App.get_running_app().theme
        width, height = round(self.width), round(self.height)
        if not theme.textured or not self.path or min(width, height) < 4:
            return
        view = (float(self.view_width), float(self.view_height))
        texture = textures.chalk_lines(self.path, width, height, view, self.stroke * self.view_width / (width / dp(1)))
        with self.canvas:
            Color(*faded(theme.craie, self.strength))
            Rectangle(texture=texture, pos=(round(self.x), round(self.y)), size=(width, height))
