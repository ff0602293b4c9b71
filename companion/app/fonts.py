"""Finds the two font families of the theme and registers them with Kivy as `condensed` and `sentence`.

The repository contains no fonts. They come from system packages, else from PyPI font packages; otherwise Kivy's own
Roboto is used and a warning is logged.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase

from companion.typefaces import SYSTEM_FOLDERS, find_font

CONDENSED = "condensed"
SENTENCE = "sentence"

_FAMILIES = {
    CONDENSED: ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf"),
    SENTENCE: ("Lato-Regular.ttf", "Lato-Bold.ttf"),
}
_FALLBACK = ("data/fonts/Roboto-Regular.ttf", "data/fonts/Roboto-Bold.ttf")
_PACKAGES = {CONDENSED: "fonts-roboto-unhinted", SENTENCE: "fonts-lato"}

log = logging.getLogger(__name__)


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
    return found


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
    """Kivy's text layout, drawn in white, with a cache of word widths."""

    _widths: dict[tuple[Any, ...], tuple[int, int]] = {}

    def get_extents(self, text: str) -> tuple[int, int]:
        options = self.options
        key = (text, options["font_size"], options.get("font_name_r"), options["bold"])
        known = self._widths.get(key)
        if known is None:
            if len(self._widths) >= _MAX_CACHED_WIDTHS:
                self._widths.clear()
            known = self._widths[key] = super().get_extents(text)
        return known

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
