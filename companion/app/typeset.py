"""Words laid out in a font, a size and a box: kept, since the same words come back on nearly every page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from kivy.core.text import Label as CoreLabel

KEPT = 500
"""Pieces of text kept laid out, with their textures of some 80 kB each: eight pages' worth."""
_WIDTHS = 20_000
"""Widths of words kept at most."""


class Setting(NamedTuple):
    """What decides how words look, their colour apart. `box` is the room for them; None in it: as much as they need.

    `size` is whole pixels: SDL cuts off the rest, but Kivy opens the font anew for every fraction.
    """

    text: str
    font: str
    size: int
    bold: bool
    box: tuple[float | None, float | None] = (None, None)
    halign: str = "auto"
    valign: str = "middle"
    leading: float = 1.0
    struck: bool = False


class Words(CoreLabel):
    """Kivy's own layout of a text, written in white, with the widths of words remembered."""

    _widths: dict[tuple[Any, ...], tuple[int, int]] = {}

    def get_extents(self, text: str) -> tuple[int, int]:
        options = self.options
        key = (text, options["font_size"], options.get("font_name_r"), options["bold"])
        known = self._widths.get(key)
        if known is None:
            if len(self._widths) >= _WIDTHS:
                self._widths.clear()
            known = self._widths[key] = super().get_extents(text)
        return known

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.text.strip()


@lru_cache(maxsize=KEPT)
def typeset(setting: Setting) -> Words:
    """The words, laid out; shared by everybody who asks for the same, so nobody may change them."""
    words = Words(
        text=setting.text,
        font_name=setting.font,
        font_size=setting.size,
        bold=setting.bold,
        text_size=setting.box,
        halign=setting.halign,
        valign=setting.valign,
        line_height=setting.leading,
        strikethrough=setting.struck,
    )
    words.resolve_font_name()
    if not words.empty:
        words.refresh()
    return words
