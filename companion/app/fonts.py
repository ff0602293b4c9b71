"""Finds the two families of the theme on this machine and gives them to Kivy as `condensed` and `sentence`.

Nobody's fonts are kept here: they come from the system's packages, else from the font packages of PyPI, else Kivy's own
Roboto takes their place and the log says so.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from kivy.core.text import LabelBase

from companion.typefaces import SYSTEM_FOLDERS, find

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
        paths = [find(name, folders) for name in names]
        found[family] = all(paths)
        if not found[family]:
            log.warning("no font for %s, Kivy's own instead; package %s has it", family, _PACKAGES[family])
        regular, bold = (str(path) for path in paths) if found[family] else _FALLBACK
        LabelBase.register(family, regular, fn_bold=bold)
    return found
