"""Finds the font files of the theme's two families, and the fonts for characters that those do not have."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path

from fontTools.ttLib import TTFont

SYSTEM_FOLDERS = (
    Path("/usr/share/fonts/truetype/roboto"),
    Path("/usr/share/fonts/truetype/lato"),
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts-droid-fallback/truetype"),
    Path("/usr/share/fonts/truetype/droid"),
    Path("/usr/share/fonts/truetype/ancient-scripts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
)

FALLBACK_FONTS = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("DroidSansFallback.ttf", "DroidSansFallback.ttf"),
    ("DroidSansFallbackFull.ttf", "DroidSansFallbackFull.ttf"),
    ("Symbola_hint.ttf", "Symbola_hint.ttf"),
)
"""Fonts for missing characters, in order, regular and bold: Cyrillic and Greek, Chinese, Japanese and Korean, emoji.

All have TrueType outlines, which the screen and the PDF can draw. They come from the packages fonts-dejavu-core,
fonts-droid-fallback and fonts-symbola.
"""

SUBSTITUTE = "\N{BULLET}"
"""Stands for each character that no installed font has."""

_SKIN_TONES = range(0x1F3FB, 0x1F400)
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)


def find_font(name: str, folders: Sequence[Path] = SYSTEM_FOLDERS) -> Path | None:
    """Return the path of a font file, or None if it is not installed."""
    for folder in folders:
        for path in sorted(folder.rglob(name)) if folder.is_dir() else ():
            return path
    for file in _package_fonts():
        if file.name == name:
            return file
    return None


def fallback_fonts(*, bold: bool, folders: Sequence[Path] = SYSTEM_FOLDERS) -> tuple[Path, ...]:
    """Return the installed ones of `FALLBACK_FONTS`."""
    found = (find_font(names[bold], folders) for names in FALLBACK_FONTS)
    return tuple(path for path in found if path is not None)


def _package_fonts() -> Iterator[Path]:
    """Yield the files of installed font packages. Each package maps font names to files under `fonts_ttf`."""
    for entry in entry_points(group="fonts_ttf"):
        yield from (Path(file) for file in entry.load().values())


@lru_cache(maxsize=16)
def character_set(font: Path) -> frozenset[int]:
    """Return the code points that a font file has."""
    with TTFont(font, lazy=True, fontNumber=0) as file:
        return frozenset(file.getBestCmap())


class FontChain:
    """A font and its fallbacks, in order of preference."""

    def __init__(self, fonts: Sequence[Path]) -> None:
        """Args: fonts: font files, at least one."""
        self.fonts = tuple(fonts)

    def split(self, text: str) -> list[tuple[int, str]]:
        """Split a text into parts that one font can draw: the position of the font in `fonts`, and the part.

        Characters without a shape of their own, such as joiners and skin tones of emoji, are left out. A character that
        no font has is replaced by `SUBSTITUTE`.
        """
        if text.isascii():
            return [(0, text)]
        parts: list[tuple[int, str]] = []
        for sign in unicodedata.normalize("NFC", text):
            if _is_modifier(sign):
                continue
            previous = parts[-1][0] if parts else 0
            at = self._font_of(sign, previous)
            if at is None:
                at, sign = (previous, " ") if sign.isspace() else (0, SUBSTITUTE)
            if parts and previous == at:
                parts[-1] = (at, parts[-1][1] + sign)
            else:
                parts.append((at, sign))
        return parts

    def _font_of(self, sign: str, previous: int) -> int | None:
        """Return the position of a character's font. Spaces and combining marks stay with the part before."""
        if sign == "\n":
            return previous
        order = range(len(self.fonts))
        stays = sign.isspace() or unicodedata.combining(sign)
        code = ord(sign)
        return next(
            (at for at in ((previous, *order) if stays else order) if code in character_set(self.fonts[at])), None
        )


def _is_modifier(sign: str) -> bool:
    """Return True for a character that only changes its neighbours: joiner, variation selector, skin tone."""
    code = ord(sign)
    return code in _VARIATION_SELECTORS or code in _SKIN_TONES or unicodedata.category(sign) == "Cf"
