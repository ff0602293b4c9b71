"""Tests of the theme: contrast of text on every surface, ball shapes that encode their colour, adjustable sizes."""

import pytest

from companion.app import theme
from companion.app.theme import RGBA, make_theme
from companion.theme import CONTRASTS


def luminance(colour: RGBA) -> float:
    """Return the relative luminance (WCAG 2.1)."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def ratio(a: RGBA, b: RGBA) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_text_reads_on_every_surface(contrast):
    theme = make_theme(contrast)
    for surface in (theme.nuit, theme.tapis, theme.feutre, theme.creux):
        for text in (theme.craie, theme.craie2, theme.craie3, theme.laiton):
            assert ratio(text, surface) >= 4.5
    assert ratio(theme.encre, theme.craie) >= 4.5
    assert ratio(theme.laiton_encre, theme.laiton) >= 4.5


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_sides_read_on_their_panels(contrast):
    theme = make_theme(contrast)
    for tone in theme.sides.values():
        assert ratio(tone.ink, tone.main) >= 4.5
        for text in (tone.main, theme.craie, theme.craie3):
            assert ratio(text, tone.panel) >= 4.5


def test_ball_colours_carry_their_numbers():
    theme = make_theme()
    assert [tone.number for tone in theme.ball.values()] == [1, 2, 3, 4, 5, 6]
    assert all(ratio(tone.ink, tone.fill) >= 4.5 for tone in theme.ball.values())


def test_larger_text_is_larger_by_the_percentage():
    assert make_theme(text=130).type("corps") == pytest.approx(make_theme().type("corps") * 1.3)


def test_less_motion_takes_no_time_but_holds_still_hold():
    still = make_theme(still=True)
    assert still.seconds("sheet") == 0
    assert still.seconds("hold") == make_theme().seconds("hold") > 0


@pytest.mark.parametrize(("contrast", "text"), [("pink", 100), ("normal", 120)])
def test_unknown_settings_make_no_theme(contrast, text):
    with pytest.raises(ValueError, match="no theme"):
        make_theme(contrast, text)


@pytest.mark.parametrize(
    ("size", "width_mm", "expected"),
    [((800, 480), None, 1.0), ((1280, 720), None, 1.6), ((720, 1280), None, 1.6), ((1280, 720), 155.0, 1.6)],
)
def test_a_dp_measures_alike_on_the_known_panels(size, width_mm, expected):
    assert theme.density(*size, width_mm) == pytest.approx(expected, rel=0.01)


def test_a_panel_too_fine_still_fits_the_layout():
    assert theme.density(720, 1280, 62.0) == pytest.approx(1.6, rel=0.03)


def test_portrait_is_taller_than_wide():
    assert theme.portrait(720, 1280)
    assert not theme.portrait(1280, 720)
