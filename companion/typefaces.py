"""Finds the font files of the theme's two families: in the system's packages, else in PyPI packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path

SYSTEM_FOLDERS = (
    Path("/usr/share/fonts/truetype/roboto"),
    Path("/usr/share/fonts/truetype/lato"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
)


def find_font(name: str, folders: Sequence[Path] = SYSTEM_FOLDERS) -> Path | None:
    """Return the path of a font file, or None if it is not installed."""
    for folder in folders:
        for path in sorted(folder.rglob(name)) if folder.is_dir() else ():
            return path
    for file in _package_fonts():
        if file.name == name:
            return file
    return None


def _package_fonts() -> Iterator[Path]:
    """Yield the files of installed font packages. Each package maps font names to files under `fonts_ttf`."""
    for entry in entry_points(group="fonts_ttf"):
        yield from (Path(file) for file in entry.load().values())
