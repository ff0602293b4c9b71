"""A QR code, drawn module by module: what a phone's camera reads as an address."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import segno
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import StringProperty

from companion.app.theme import Theme, rgba
from companion.app.widgets.marks import Mark

QUIET = 4
"""Light modules around the code (ISO/IEC 18004, 9.1)."""
_LIGHT, _DARK = rgba("#FFFFFF"), rgba("#000000")
"""Dark on light in every theme: many readers know nothing else."""


class QrCode(Mark):
    """The code of `content`, as large as whole pixels a module allow within `side` dp."""

    content = StringProperty("")

    def __init__(self, content: str, **kwargs: Any) -> None:
        kwargs.setdefault("side", 200)
        super().__init__(content=content, **kwargs)
        self.fbind("content", self._draw_soon)

    def draw(self, theme: Theme, x: int, y: int, size: int) -> None:
        Color(*_LIGHT)
        Rectangle(pos=(x, y), size=(size, size))
        if not self.content:
            return
        texture = _texture(self.content)
        module = size // (texture.width + 2 * QUIET)
        wide = module * texture.width
        inset = (size - wide) // 2
        Color(*_DARK)
        Rectangle(texture=texture, pos=(x + inset, y + inset), size=(wide, wide))


def modules(content: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which modules of the code are dark, the uppermost row first."""
    return np.array([list(row) for row in segno.make(content, error="m", micro=False).matrix], dtype=bool)


@lru_cache(maxsize=4)
def _texture(content: str) -> Texture:
    """White where the code is dark, clear elsewhere; a Color before it tints it."""
    dark = modules(content)[::-1]
    pixels = np.full((*dark.shape, 4), 255, dtype=np.uint8)
    pixels[..., 3] = dark * 255
    texture = Texture.create(size=dark.shape[::-1], colorfmt="rgba")
    texture.mag_filter = "nearest"
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture
