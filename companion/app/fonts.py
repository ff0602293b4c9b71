"""Finds the two families of the theme on this machine and gives them to Kivy as `condensed` and `sentence`.

Nobody's fonts are kept here: they come from the system's packages, else from the font packages of PyPI, else Kivy's own
Roboto takes their place and the log says so.
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
    """Registers both families; says for each whether its own files were found."""
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
"""Pieces of text kept laid out, with their textures of some 80 kB each: eight pages' worth."""
_MAX_CACHED_WIDTHS = 20_000
"""Widths of words kept at most."""


class TextStyle(NamedTuple):
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


class TextLayout(CoreLabel):
    """Kivy's own layout of a text, written in white, with the widths of words remembered."""

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
        """Whether there is nothing to show."""
        return not self.text.strip()


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def typeset(setting: TextStyle) -> TextLayout:
    """The words, laid out; shared by everybody who asks for the same, so nobody may change them."""
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
