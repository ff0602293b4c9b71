"""Tests of the fallback of fonts, character by character."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib.tables._g_l_y_f import Glyph

from companion.typefaces import FALLBACK_FONTS, SUBSTITUTE, FontChain, fallback_fonts


def make_font(path: Path, characters: str) -> Path:
    """Write a TrueType font with an empty glyph for each character."""
    names = {ord(sign): f"u{ord(sign):05x}" for sign in characters}
    glyphs = [".notdef", *names.values()]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: Glyph() for name in glyphs})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def chain(tmp_path: Path) -> FontChain:
    """Return a Latin font, then one with Chinese characters, then one with emoji."""
    latin = make_font(tmp_path / "latin.ttf", f"ABc é{SUBSTITUTE}")
    return FontChain([latin, make_font(tmp_path / "han.ttf", "漢字 A"), make_font(tmp_path / "emoji.ttf", "⚽👍")])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("AB c", [(0, "AB c")]),
        ("A漢B", [(0, "A"), (1, "漢"), (0, "B")]),
        ("漢 字", [(1, "漢 字")]),
        ("A⚽", [(0, "A"), (2, "⚽")]),
        ("Ae\N{COMBINING ACUTE ACCENT}", [(0, "Aé")]),
        ("👍\U0001f3fd⚽\ufe0f\u200d👍", [(2, "👍⚽👍")]),
        ("AЖ漢", [(0, "A•"), (1, "漢")]),
        ("A\N{NARROW NO-BREAK SPACE}A", [(0, "A A")]),
        ("漢\nA", [(1, "漢\n"), (0, "A")]),
        ("", [(0, "")]),
    ],
)
def test_each_character_is_drawn_in_the_first_font_that_has_it(
    chain: FontChain, text: str, parts: list[tuple[int, str]]
) -> None:
    assert chain.split(text) == parts


def test_fallback_fonts_are_those_installed_in_their_order(tmp_path: Path) -> None:
    for name in (FALLBACK_FONTS[2][0], FALLBACK_FONTS[0][1]):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in fallback_fonts(bold=True, folders=[tmp_path])] == [
        "DejaVuSans-Bold.ttf",
        "DroidSansFallbackFull.ttf",
    ]
