"""The shared tokens and icons are whole."""

from __future__ import annotations

import re

from companion.theme import CONTRASTS, SURFACES, icons, tokens


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
