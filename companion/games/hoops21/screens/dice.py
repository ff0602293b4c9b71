"""Faces of hoops21's dice as drawn squares: an orange or a white body with one of the four symbols."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.properties import StringProperty

from companion.app import textures
from companion.app.theme import Theme, faded
from companion.app.widgets.marks import Mark, draw_mask, draw_text
from vision.roll import Face

_BODIES = {"orange": "orange", "white": "ivory"}
_LETTER = {"steal": "S"}


def mark(face: Face, side: float, kind: str) -> Mark:
    """Return a face as a drawn square of `side` dp."""
    return HoopsDie(side=side, kind=kind, symbol=face.symbol or "")


class HoopsDie(Mark):
    """One die. `kind` is its body, `symbol` its upper face; without a symbol only the body is drawn."""

    kind = StringProperty("orange")
    symbol = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("side", 44)
        super().__init__(**kwargs)
        for name in ("kind", "symbol"):
            self.fbind(name, self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        ink = theme.die["pip"]
        draw_mask(textures.rounded_square(size, size * 0.2), theme.die[_BODIES[self.kind]], x, y, size)
        draw_mask(textures.rounded_edge(size, size * 0.2, max(1.0, size / 40)), faded(ink, 0.45), x, y, size)
        if self.symbol in _LETTER:
            draw_text(_LETTER[self.symbol], size * 0.69, ink, x + size / 2, y + size / 2)
        elif self.symbol:
            Color(*ink)
            Rectangle(texture=textures.icon(f"hoops_{self.symbol}", size), pos=(x, y), size=(size, size))
