"""Finds the two font families of the theme and registers them with Kivy as `condensed` and `sentence`.

The repository contains no fonts. They come from system packages, else from PyPI font packages; otherwise Kivy's own
Roboto is used and a warning is logged. Characters that a family lacks are drawn in the fallback fonts.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase
from kivy.resources import resource_find

from companion.typefaces import SYSTEM_FOLDERS, FontChain, fallback_fonts, find_font

CONDENSED = "condensed"
SENTENCE = "sentence"

_FAMILIES = {
    CONDENSED: ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf"),
    SENTENCE: ("Lato-Regular.ttf", "Lato-Bold.ttf"),
}
_FALLBACK = ("data/fonts/Roboto-Regular.ttf", "data/fonts/Roboto-Bold.ttf")
_PACKAGES = {CONDENSED: "fonts-roboto-unhinted", SENTENCE: "fonts-lato"}

log = logging.getLogger(__name__)

_chains: dict[str, FontChain] = {}
"""The font chains in use, by the path of their first font."""


def register(folders: Sequence[Path] = SYSTEM_FOLDERS) -> dict[str, bool]:
    """Register both families. Returns for each family whether its own files were found."""
    found = {}
    for family, names in _FAMILIES.items():
        paths = [find_font(name, folders) for name in names]
        found[family] = all(paths)
        if not found[family]:
            log.warning("no font for %s, Kivy's own instead; package %s has it", family, _PACKAGES[family])
        regular, bold = (str(path) for path in paths) if found[family] else _FALLBACK
        LabelBase.register(family, regular, fn_bold=bold)
        for first, is_bold in ((regular, False), (bold, True)):
            own = _resolved(first)
            _chains[str(own)] = FontChain((own, *fallback_fonts(bold=is_bold, folders=folders)))
    return found


def _resolved(font: str) -> Path:
    """Return the path of a font file; Kivy's own are named relative to its folder."""
    return Path(resource_find(font) or font)


MAX_CACHED_TEXTS = 500
"""Maximum number of cached text layouts. A texture takes about 80 kB; this covers eight pages."""
_MAX_CACHED_WIDTHS = 20_000
"""Maximum number of cached word widths."""


class TextStyle(NamedTuple):
    """Everything that determines the look of a text except its colour.

    `box` is the available width and height; None means unlimited. `size` is in whole pixels: SDL truncates fractions,
    but Kivy would reopen the font for every fractional size.
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


class TextLayout(CoreLabel):
    """Kivy's text layout, drawn in white, with a cache of word widths and with fallback fonts.

    A part in a fallback font stands on the baseline of the first font. It is set smaller if its font has taller lines,
    so that it never changes the height of a line.
    """

    _widths: dict[tuple[Any, ...], tuple[int, int]] = {}

    def get_extents(self, text: str) -> tuple[int, int]:
        options = self.options
        key = (text, options["font_size"], options.get("font_name_r"), options["bold"])
        known = self._widths.get(key)
        if known is None:
            if len(self._widths) >= _MAX_CACHED_WIDTHS:
                self._widths.clear()
            known = self._widths[key] = self._measure(text)
        return known

    def _measure(self, text: str) -> tuple[int, int]:
        parts = self._parts(text)
        if len(parts) == 1 and parts[0][0] is None:
            return super().get_extents(parts[0][1])
        width, height = 0, super().get_extents("")[1]
        for font, part in parts:
            with self._in_font(font, height):
                width += super().get_extents(part)[0]
        return width, height

    def _render_text(self, text: str, x: float, y: float) -> None:
        parts = self._parts(text)
        if len(parts) == 1 and parts[0][0] is None:
            super()._render_text(parts[0][1], x, y)
            return
        height, ascent = super().get_extents("")[1], self.get_ascent()
        for font, part in parts:
            with self._in_font(font, height):
                super()._render_text(part, x, y + ascent - self.get_ascent())
                x += super().get_extents(part)[0]

    def _parts(self, text: str) -> list[tuple[str | None, str]]:
        """Split a text by fonts; None stands for the font of the layout itself."""
        chain = _chains.get(self.options.get("font_name_r", ""))
        if chain is None or text.isascii():
            return [(None, text)]
        return [(str(chain.fonts[at]) if at else None, part) for at, part in chain.split(text)]

    @contextmanager
    def _in_font(self, font: str | None, height: int) -> Iterator[None]:
        """Use a fallback font inside the block, with lines of at most `height` pixels."""
        if font is None:
            yield
            return
        options = self.options
        own, size = options["font_name_r"], options["font_size"]
        options["font_name_r"] = font
        taller = super().get_extents("")[1]
        options["font_size"] = int(size * min(1.0, height / taller))
        try:
            yield
        finally:
            options["font_name_r"], options["font_size"] = own, size

    @property
    def empty(self) -> bool:
        """True if there is nothing to show."""
        return not self.text.strip()


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def typeset(setting: TextStyle) -> TextLayout:
    """Return the text layout for a style. The result is cached and shared, so callers must not modify it."""
    layout = TextLayout(
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
    layout.resolve_font_name()
    if not layout.empty:
        layout.refresh()
    return layout
