"""The tray picture with boxes around the dice, and the crop of one die, from the reader's JPEG data."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.app.display import display
from companion.app.fonts import CONDENSED, SENTENCE, TextLayout
from companion.app.textures import decode_photo
from companion.app.theme import RGBA, Theme, faded
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import bind_geometry
from vision.roll import Box

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DieBox:
    """A box around a die. `label` is shown above it; `is_questioned` draws it in brass with a thicker line."""

    box: Box
    label: str = ""
    is_questioned: bool = False


@lru_cache(maxsize=8)
def picture_texture(jpeg: bytes) -> Texture | None:
    """Decode JPEG data to a texture. Returns None if it is empty or invalid. The last few pictures are cached."""
    if not jpeg:
        return None
    try:
        return decode_photo(jpeg)
    except Exception:
        log.warning("a picture of %d bytes could not be shown", len(jpeg), exc_info=True)
        return None


class Photograph(Widget):
    """A picture that fills its widget (cropped if the shapes differ), with boxes and a caption."""

    texture = ObjectProperty(None, allownone=True)
    caption = StringProperty("")
    boxes = ObjectProperty(())

    def __init__(
        self,
        jpeg: bytes = b"",
        boxes: Sequence[DieBox] = (),
        caption: str = "",
        whole: bool = False,
        boxes_in: tuple[int, int] = (0, 0),
        **kwargs: Any,
    ) -> None:
        """`boxes_in` is the picture size (width, height) to which the boxes refer, if `jpeg` is a smaller version."""
        self._whole = whole
        self._boxes_width = boxes_in[0]
        super().__init__(**kwargs)
        self.texture, self.boxes, self.caption = picture_texture(jpeg), tuple(boxes), caption
        bind_geometry(self, self._draw, "texture", "boxes", "caption")

    def show(self, jpeg: bytes) -> None:
        """Show another picture."""
        self.texture = picture_texture(jpeg)

    def _draw(self) -> None:
        theme = display.theme
        self.canvas.clear()
        if self.width < 4 or self.height < 4:
            return
        with self.canvas:
            Color(*theme.creux)
            RoundedRectangle(pos=self.pos, size=self.size, radius=[dp(8)])
            if self.texture is not None:
                self._draw_picture(theme)
            if self.caption:
                self._draw_caption(theme)

    def _draw_picture(self, theme: Theme) -> None:
        texture = self.texture
        fit = min if self._whole else max
        scale = fit(self.width / texture.width, self.height / texture.height)
        visible_size = (min(texture.width, self.width / scale), min(texture.height, self.height / scale))
        left, top = (texture.width - visible_size[0]) / 2, (texture.height - visible_size[1]) / 2
        size = (visible_size[0] * scale, visible_size[1] * scale)
        corner = (self.center_x - size[0] / 2, self.center_y - size[1] / 2)
        u0, u1 = left / texture.width, (left + visible_size[0]) / texture.width
        v0, v1 = top / texture.height, (top + visible_size[1]) / texture.height
        Color(1, 1, 1, 1)
        # The first row of a JPEG is its top; Kivy flips textures on loading, so it is at v = 0.
        Rectangle(texture=texture, pos=corner, size=size, tex_coords=(u0, v1, u1, v1, u1, v0, u0, v0))
        share = texture.width / self._boxes_width if self._boxes_width else 1.0
        for boxed in self.boxes:
            x, y, width, height = (share * side for side in boxed.box)
            place = (corner[0] + (x - left) * scale, corner[1] + size[1] - (y + height - top) * scale)
            self._draw_box(theme, boxed, place, (width * scale, height * scale))

    def _draw_box(self, theme: Theme, boxed: DieBox, place: tuple[float, float], size: tuple[float, float]) -> None:
        colour: RGBA = theme.laiton if boxed.is_questioned else theme.craie
        x, y = max(self.x, place[0]), max(self.y, place[1])
        right, top = min(self.right, place[0] + size[0]), min(self.top, place[1] + size[1])
        if right - x < 2 or top - y < 2:
            return
        Color(*theme.nuit)
        Line(rounded_rectangle=(x, y, right - x, top - y, dp(6)), width=dp(2.2))
        Color(*colour)
        Line(rounded_rectangle=(x, y, right - x, top - y, dp(6)), width=dp(1.7 if boxed.is_questioned else 1.1))
        if boxed.label:
            picture = _label_texture(boxed.label, theme.type("mini"), CONDENSED, True)
            width, height = picture.width + dp(12), picture.height + dp(2)
            above = top + dp(2)
            if above + height > self.top:
                above = y - height - dp(2)
            start = min(max(self.x, x), self.right - width)
            Color(*theme.nuit)
            RoundedRectangle(pos=(start, above), size=(width, height), radius=[dp(5)])
            Color(*theme.craie)
            Rectangle(texture=picture, pos=(round(start + dp(6)), round(above + dp(1))), size=picture.size)

    def _draw_caption(self, theme: Theme) -> None:
        size, available_width = theme.type("mini"), self.width - dp(8)
        picture = _label_texture(self.caption, size, SENTENCE, False)
        if picture.width > available_width > 0:
            picture = _label_texture(self.caption, size * available_width / picture.width, SENTENCE, False)
        height = picture.height + dp(4)
        Color(*faded(theme.nuit, 0.86))
        RoundedRectangle(pos=self.pos, size=(self.width, height), radius=[0, 0, dp(8), dp(8)])
        Color(*theme.craie)
        Rectangle(
            texture=picture,
            pos=(round(self.x + min(dp(8), (self.width - picture.width) / 2)), round(self.y + dp(2))),
            size=picture.size,
        )


class TappablePhotograph(Tappable, Photograph):
    """A picture of dice; a tap opens their correction."""


class SimulatedTrayView(Tappable, Photograph):
    """The tray of a simulated table; a tap rolls the dice that are due."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.spoken = self.caption


@lru_cache(maxsize=64)
def _label_texture(text: str, size: float, font: str, bold: bool) -> Texture:
    label = TextLayout(text=text, font_size=size, font_name=font, bold=bold)
    label.refresh()
    return label.texture
