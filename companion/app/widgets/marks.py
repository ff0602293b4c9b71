"""Drawn widgets: frames, icons, side badges, ball colours, die faces, and rotated boxes."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.graphics import BorderImage, Canvas, Color, Mesh, PopMatrix, PushMatrix, Rectangle, Rotate, Translate
from kivy.graphics.texture import Texture
from kivy.input import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.app import textures
from companion.app.display import display
from companion.app.fonts import CONDENSED, TextStyle, typeset
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.sized import Sized

log = logging.getLogger(__name__)

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


class Mark(Sized):
    """A square drawing with a side of `side` dp; it moves with the widget. Subclasses implement `draw`."""

    side = NumericProperty(32)
    spoken = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.size_hint = (None, None)
        self._draw_soon = Clock.create_trigger(self._redraw, -1)
        self._drawing = Canvas()
        with self.canvas:
            PushMatrix()
            self._place = Translate()
        self.canvas.add(self._drawing)
        with self.canvas:
            PopMatrix()
        self.fbind("side", self._resize)
        self.fbind("pos", self._move)
        self._move()
        self._resize()

    def _resize(self, *_: object) -> None:
        self.size = (max(0, round(dp(self.side))),) * 2
        self._draw_soon()

    def _move(self, *_: object) -> None:
        self._place.xy = round(self.x), round(self.y)

    def _redraw(self, *_: object) -> None:
        self._drawing.clear()
        size = round(self.width)
        if size < 1:
            return  # the layout that gives the side is not done yet: no texture has zero pixels
        with self._drawing:
            self.draw(display.theme, 0, 0, size)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        """Draw into the square at x, y (lower left corner, in pixels)."""


class Icon(Mark):
    """A shared icon (`companion.theme`) in a theme colour."""

    name = StringProperty("menu")
    tone = StringProperty("craie")
    weight = NumericProperty(1.0)

    def __init__(self, name: str = "menu", **kwargs: Any) -> None:
        kwargs.setdefault("side", 24)
        super().__init__(name=name, **kwargs)
        for watched in ("name", "tone", "weight"):
            self.fbind(watched, self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        Color(*theme.tone(self.tone))
        Rectangle(texture=textures.icon(self.name, size, self.weight), pos=(x, y), size=(size, size))


class SideBadge(Mark):
    """A badge: the shape of a colour, so that a side is never marked by colour alone, with a crest or the letter."""

    colour = StringProperty("blue")
    letter = StringProperty("")
    crest = ObjectProperty("")
    """An icon, or the file of a photo; empty shows the letter, and so does a photo that cannot be displayed."""

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        tone = theme.sides[self.colour]
        photo = _photo(self.crest) if isinstance(self.crest, Path) else None
        self._draw_form(theme, x, y, size)
        if photo is not None:
            _draw_in_form(photo, tone.form, x, y, size)
        elif self.crest and isinstance(self.crest, str):
            inner = round(size * _CREST_SHARE)
            place = (x + (size - inner) // 2, y + (size - inner) // 2 + round(size * 0.02))
            draw_mask(textures.icon(self.crest, inner, 1.25), tone.ink, *place, inner)
        else:
            middle = y + size * (0.53 if tone.form == "shield" else 0.5)
            draw_text(self.letter, size * 0.6, tone.ink, x + size / 2, middle)

    def _draw_form(self, theme: Theme, x: int, y: int, size: int) -> None:
        tone = theme.sides[self.colour]
        draw_mask(textures.form(tone.form, size), tone.main, x, y, size)
        draw_mask(textures.form_edge(tone.form, size, 1.6), theme.craie, x, y, size)
        if tone.form == "roundel" and self.colour == "white":
            draw_mask(textures.form_edge("corners1", size, 1.5), tone.ink, x, y, size)


_CREST_SHARE = 0.58
"""Share of a badge's side that the crest takes."""
_PHOTO_SCALE = 0.8
"""Share of the shape that a photo takes: the rest is the side's colour around it."""


def _photo(path: Path) -> Texture | None:
    try:
        return textures.badge_photo(path, path.stat().st_mtime_ns)
    except Exception:
        log.warning("the photo %s could not be shown", path.name, exc_info=True)
        return None


def _draw_in_form(photo: Texture, form: str, x: int, y: int, size: int) -> None:
    """Draw a photo inside a shape, into the current canvas."""
    (outline,) = textures.form_lines(form)
    units = [(px / 32 - 0.5, 0.5 - py / 32) for px, py in [(16.0, 16.0), *outline, outline[0]]]
    points = [(0.5 + u * _PHOTO_SCALE, 0.5 + v * _PHOTO_SCALE) for u, v in units]
    vertices = [value for u, v in points for value in (x + u * size, y + v * size, u, v)]
    Color(1, 1, 1)
    Mesh(vertices=vertices, indices=list(range(len(points))), mode="triangle_fan", texture=photo)


class BallMark(Mark):
    """A colour of the ball die: its shape (one corner per position in the ribbon) with its number."""

    colour = StringProperty("red")

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        draw_ball(theme, self.colour, x, y, size)


class Gem(Mark):
    """The shape of a ball colour without its number."""

    colour = StringProperty("red")

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        tone = theme.ball[self.colour]
        shape = f"corners{tone.number}"
        draw_mask(textures.form(shape, size), tone.fill, x, y, size)
        draw_mask(textures.form_edge(shape, size, 2.5), theme.die["ivory"], x, y, size)


class DieFace(Mark):
    """A face of a classic die, `value` 1 to 6; with `colour`, a face of the ball die."""

    value = NumericProperty(1)
    colour = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("side", 56)
        super().__init__(**kwargs)
        self.fbind("value", self._draw_soon)
        self.fbind("colour", self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        if self.colour:
            draw_ball(theme, self.colour, x, y, size)
        else:
            draw_pips(theme, int(self.value), x, y, size)


def draw_ball(theme: Theme, colour: str, x: float, y: float, size: int) -> None:
    """Draw a ball colour into the current canvas."""
    tone = theme.ball[colour]
    shape = f"corners{tone.number}"
    draw_mask(textures.form(shape, size), tone.fill, x, y, size)
    draw_mask(textures.form_edge(shape, size, 2.0), theme.craie, x, y, size)
    low = tone.number == 3
    draw_text(
        str(tone.number), size * (0.5 if low else 0.56), tone.ink, x + size / 2, y + size * (0.37 if low else 0.5)
    )


def draw_pips(theme: Theme, value: int, x: float, y: float, size: int) -> None:
    """Draw a classic die face into the current canvas."""
    draw_mask(textures.rounded_square(size, size * 0.2), theme.die["ivory"], x, y, size)
    draw_mask(textures.rounded_edge(size, size * 0.2, max(1.0, size / 40)), faded(theme.die["pip"], 0.45), x, y, size)
    radius = size * (0.125 if value == 1 else 0.097)
    spot = max(3, round(radius * 2))
    Color(*theme.die["pip"])
    for dx, dy in _PIPS[value]:
        pos = (x + size / 2 + dx * size * 0.25 - spot / 2, y + size / 2 - dy * size * 0.25 - spot / 2)
        Rectangle(texture=textures.spot(spot), pos=pos, size=(spot, spot))


def draw_text(text: str, size: float, colour: RGBA, x: float, y: float, group: str | None = None) -> None:
    """Draw a short condensed bold text, `size` pixels high and centred at x, y, into the current canvas."""
    if not text.strip():
        return
    texture = typeset(TextStyle(text, CONDENSED, int(size), bold=True)).texture
    width, height = texture.size
    Color(*colour, group=group)
    Rectangle(texture=texture, pos=(round(x - width / 2), round(y - height / 2)), size=(width, height), group=group)


def text_width(text: str, size: float) -> float:
    """Return the width in pixels of a text as `draw_text` draws it."""
    if not text.strip():
        return 0.0
    return float(typeset(TextStyle(text, CONDENSED, int(size), bold=True)).texture.width)


def draw_fitted(text: str, size: float, colour: RGBA, x: float, y: float, width: float) -> None:
    """Draw a text centred at x, y like `draw_text`, smaller if it is wider than `width` pixels."""
    wide = text_width(text, size)
    draw_text(text, size * width / wide if wide > width else size, colour, x, y)


def draw_mask(texture: object, colour: RGBA, x: float, y: float, size: float, width: float | None = None) -> None:
    """Draw a mask in a colour into the current canvas, as a square unless `width` is given."""
    Color(*colour)
    Rectangle(texture=texture, pos=(x, y), size=(size if width is None else width, size))


_CLEAR = (0, 0, 0, 0)


class Framed(Sized):
    """A widget with a frame.

    `fill` and `line` are colours (transparent: not drawn). `radius`, `line_width` and `dash` are in dp (`dash` 0:
    solid).
    """

    fill = ColorProperty(_CLEAR)
    line = ColorProperty(_CLEAR)
    radius = NumericProperty(10)
    line_width = NumericProperty(2)
    dash = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._paint_soon = Clock.create_trigger(self._paint, -1)
        for name in ("pos", "size", "fill", "line", "radius", "line_width", "dash"):
            self.fbind(name, self._paint_soon)
        self._paint_soon()

    def _paint(self, *_: object) -> None:
        canvas = self.canvas.before
        canvas.clear()
        left, bottom = round(self.x), round(self.y)
        width, height = round(self.right) - left, round(self.top) - bottom
        if width < 2 or height < 2:
            return
        radius = max(1, min(round(dp(self.radius)), width // 2, height // 2))
        with canvas:
            if self.fill[3]:
                Color(*self.fill)
                BorderImage(
                    texture=textures.rounded(radius), border=[radius] * 4, pos=(left, bottom), size=(width, height)
                )
            if self.line[3]:
                Color(*self.line)
                stroke = max(1.0, round(dp(self.line_width)))
                if self.dash:
                    texture = textures.dashed(width, height, radius, stroke, dp(self.dash))
                    Rectangle(texture=texture, pos=(left, bottom), size=(width, height))
                else:
                    BorderImage(
                        texture=textures.edge(radius, stroke),
                        border=[radius] * 4,
                        pos=(left, bottom),
                        size=(width, height),
                    )


class RotatedBox(BoxLayout):
    """A box that rotates its children, and touches on them, by 180 degrees around its centre while `over` is True."""

    over = BooleanProperty(True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.canvas.before:
            PushMatrix()
            self._rotate = Rotate(angle=0, axis=(0, 0, 1))
        with self.canvas.after:
            PopMatrix()
        for name in ("pos", "size", "over"):
            self.fbind(name, self._update_rotation)
        self._update_rotation()

    def to_local(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        """Convert coordinates of the box to those of its children."""
        return self._point(*super().to_local(x, y, relative))

    def to_parent(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        """Convert coordinates of the children to those of the box: the rotation is its own inverse."""
        return super().to_parent(*self._point(x, y), relative)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        return self._passed(touch, super().on_touch_down)

    def on_touch_move(self, touch: MotionEvent) -> bool:
        return self._passed(touch, super().on_touch_move)

    def on_touch_up(self, touch: MotionEvent) -> bool:
        return self._passed(touch, super().on_touch_up)

    def _passed(self, touch: Any, on: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        try:
            return bool(on(touch))
        finally:
            touch.pop()

    def _point(self, x: float, y: float) -> tuple[float, float]:
        if not self.over:
            return x, y
        return 2 * self.x + self.width - x, 2 * self.y + self.height - y

    def _update_rotation(self, *_: object) -> None:
        self._rotate.angle = 180 if self.over else 0
        self._rotate.origin = (self.x + self.width / 2, self.y + self.height / 2)
