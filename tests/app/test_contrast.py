"""Tests of the contrast measurement: text on its background, figures that fill their box, very faint text."""

import numpy as np

from tests.app.contrast import contrast, ground

BLACK, WHITE, GREY = np.zeros(3), np.ones(3), np.full(3, 0.5)


def piece(ground_level, ink_level, inked):
    """Return pixels; the share `inked` of them shows ink."""
    flat = np.full((1000, 3), ground_level, dtype=np.uint8)
    flat[: int(1000 * inked)] = ink_level
    return flat.reshape(20, 50, 3)


def test_black_and_white_are_twenty_one_to_one():
    assert round(contrast(BLACK, WHITE), 2) == 21
    assert contrast(GREY, GREY) == 1


def test_a_line_of_text_stands_on_what_most_of_its_box_shows():
    assert np.allclose(ground(piece(20, 255, 0.2), WHITE), 20 / 255)


def test_a_large_figure_stands_on_what_is_left_of_its_box():
    assert np.allclose(ground(piece(20, 255, 0.6), WHITE), 20 / 255)


def test_text_of_its_grounds_colour_has_no_other_ground():
    assert np.allclose(ground(piece(255, 255, 0.2), WHITE), 1)
