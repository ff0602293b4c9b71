"""The shared design tokens and icons are complete and readable."""

from __future__ import annotations

import re

import pytest

from companion.theme import CONTRASTS, SURFACES, Contrast, icons, tokens


def test_every_contrast_has_the_same_sides_and_colours_that_can_be_read() -> None:
    for contrast in CONTRASTS:
        palette = tokens().palette(contrast)
        assert set(palette.side) == set(tokens().form)
        assert set(palette.surfaces) == set(SURFACES)
        for colour in (*palette.surfaces.values(), *(each for side in palette.side.values() for each in side)):
            assert re.fullmatch("#[0-9A-F]{6}", colour)


def test_every_part_of_an_icon_is_a_path_or_a_circle() -> None:
    assert len(icons()) > 20
    assert all((part.d is None) != (part.c is None) for parts in icons().values() for part in parts)


def luminance(colour: str) -> float:
    """Return the relative luminance of `#RRGGBB` (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_ratio(text: str, ground: str) -> float:
    light, dark = sorted((luminance(text), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_every_text_is_read_on_every_surface_that_it_stands_on(contrast: Contrast) -> None:
    palette = tokens().palette(contrast)
    pairs = [
        (text, ground)
        for text in (palette.craie, palette.craie2, palette.craie3, palette.laiton)
        for ground in (palette.nuit, palette.tapis, palette.feutre, palette.creux)
    ]
    pairs += [(palette.encre, palette.craie), (palette.laiton_encre, palette.laiton)]
    pairs += [(colour.ink, colour.fill) for colour in tokens().ball.values()]
    for main, ink, panel in palette.side.values():
        pairs += [(ink, main), *((text, panel) for text in (main, palette.craie, palette.craie3))]
    assert [pair for pair in pairs if contrast_ratio(*pair) < 4.5] == []
