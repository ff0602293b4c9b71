"""Finds the two families of the theme on this machine and gives them to Kivy as `condensed` and `sentence`.

Nobody's fonts are kept here: they come from the system's packages, else from the font packages of PyPI, else Kivy's own
Roboto takes their place and the log says so.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path

from kivy.core.text import LabelBase

CONDENSED = "condensed"
SENTENCE = "sentence"

_FAMILIES = {
    CONDENSED: ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf"),
    SENTENCE: ("Lato-Regular.ttf", "Lato-Bold.ttf"),
}
_FALLBACK = ("data/fonts/Roboto-Regular.ttf", "data/fonts/Roboto-Bold.ttf")
_PACKAGES = {CONDENSED: "fonts-roboto-unhinted", SENTENCE: "fonts-lato"}

SYSTEM_FOLDERS = (
    Path("/usr/share/fonts/truetype/roboto"),
    Path("/usr/share/fonts/truetype/lato"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
)

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


def find(name: str, folders: Sequence[Path] = SYSTEM_FOLDERS) -> Path | None:
    """Where a font file lies, None if nowhere."""
    for folder in folders:
        for path in sorted(folder.rglob(name)) if folder.is_dir() else ():
            return path
    for file in _packaged():
        if file.name == name:
            return file
    return None


def _packaged() -> Iterator[Path]:
    """Font files of installed font packages: each names, under `fonts_ttf`, a table from font name to file."""
    for entry in entry_points(group="fonts_ttf"):
        yield from (Path(file) for file in entry.load().values())
