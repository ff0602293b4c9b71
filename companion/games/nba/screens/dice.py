"""Faces of NBA's dice as drawn squares: the body's colour with its shape; in defence the number inside its own
shape."""

from __future__ import annotations

from kivy.properties import NumericProperty, StringProperty

from companion.app import textures
from companion.app.display import translate
from companion.app.theme import RGBA, BallTone, Theme, faded
from companion.app.widgets.marks import Mark, draw_mask, draw_text
from companion.games.nba.tables import BODY_COLOURS, DEFENCE
from vision.roll import Face

_BODIES = {"interception": "beige", "block": "grey", "stop": "brown"}
_UNDERLINED = (6, 9)
"""Numbers underlined so that they are not confused."""


def mark(face: Face, side: float, kind: str) -> Mark:
    """Return a face as a drawn square of `side` dp."""
    return NbaDie(side=side, kind=kind, value=face.value or 0, colour=face.colour or "")


class NbaDie(Mark):
    """One die. `colour` is the number's in defence; an offence die has its body's."""

    kind = StringProperty("three_points")
    value = NumericProperty(0)
    colour = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("side", 44)
        super().__init__(**kwargs)
        for name in ("kind", "value", "colour"):
            self.fbind(name, self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        if self.kind in DEFENCE:
            _draw_defence_body(theme, self.kind, x, y, size)
            if int(self.value):
                _draw_defence_number(theme.ball[self.colour], int(self.value), _ink(theme, self.kind), (x, y), size)
        else:
            _draw_offence(theme, BODY_COLOURS[self.kind], int(self.value), x, y, size)


def _body(fill: RGBA, edge: RGBA, width: float, x: int, y: int, size: int) -> None:
    draw_mask(textures.rounded_square(size, size * 0.2), fill, x, y, size)
    draw_mask(textures.rounded_edge(size, size * 0.2, max(1.0, width)), edge, x, y, size)


def _draw_offence(theme: Theme, colour: str, value: int, x: int, y: int, size: int) -> None:
    tone = theme.ball[colour]
    _body(tone.fill, theme.die["ivory"], size / 24, x, y, size)
    corner = max(8, round(size * 0.25))
    shape = textures.form_edge(f"corners{tone.number}", corner, 4.0)
    draw_mask(shape, tone.ink, x + round(size * 0.09), y + size - corner - round(size * 0.09), corner)
    if value:
        draw_text(str(value), size * 0.66, tone.ink, x + size / 2, y + size * 0.48)
    if value in _UNDERLINED:
        bar = max(2, round(size * 0.065))
        draw_mask(
            textures.rounded_square(bar, 1), tone.ink, x + round(size * 0.34), y + round(size * 0.12), bar, size * 0.32
        )


def _ink(theme: Theme, kind: str) -> RGBA:
    return theme.die["ivory"] if kind == "stop" else theme.die["pip"]


def _draw_defence_body(theme: Theme, kind: str, x: int, y: int, size: int) -> None:
    _body(theme.die[_BODIES[kind]], faded(theme.die["pip"], 0.45), size / 40, x, y, size)
    letter = translate(f"app.nba.letter.{kind}")
    draw_text(letter, size * 0.25, _ink(theme, kind), x + size * 0.15, y + size * 0.84)


def _draw_defence_number(tone: BallTone, value: int, ink: RGBA, corner: tuple[int, int], size: int) -> None:
    """Draw the number in the shape of its colour, on a die of `size` pixels at `corner`."""
    x, y = corner
    form, low = f"corners{tone.number}", tone.number == 3
    side = round(size * 0.72)
    left, bottom = x + round((size - side) / 2), y + round(size * 0.1)
    draw_mask(textures.form(form, side), tone.fill, left, bottom, side)
    draw_mask(textures.form_edge(form, side, 1.6), ink, left, bottom, side)
    up = 0.36 if low else 0.46 if tone.number == 5 else 0.5
    draw_text(str(value), side * (0.56 if low else 0.66), tone.ink, x + size / 2, bottom + side * up)
