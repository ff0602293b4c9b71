"""Tests of the vector masks: strokes, shapes, frames and dashes cover the expected pixels."""

import numpy as np
import pytest

from companion.app import textures
from companion.app.textures import polylines


def test_a_path_walks_absolutely_and_relatively():
    assert polylines("M1 2h3v4H0z") == [[(1, 2), (4, 2), (4, 6), (0, 6), (1, 2)]]


def test_an_arc_ends_where_it_says_and_keeps_its_radius():
    (line,) = polylines("M0 0a5 5 0 0 1 10 0")
    assert line[-1] == pytest.approx((10, 0))
    assert all(np.hypot(x - 5, y) == pytest.approx(5) for x, y in line)
    assert min(y for _, y in line) == pytest.approx(-5, abs=0.2)


def test_curves_end_where_they_say():
    (line,) = polylines("M0 0c0 4 4 8 8 8s8-4 8-8")
    assert line[-1] == pytest.approx((16, 0))


def test_a_stroke_is_as_wide_as_asked():
    mask = textures.strokes([[(0, 10), (20, 10)]], (20, 20), (20, 20), 4)
    assert mask[:, 10].sum() == pytest.approx(4, abs=0.1)


def test_a_filled_form_has_its_area():
    mask = textures.filled([[(2, 2), (18, 2), (18, 18), (2, 18)]], (20, 20), (20, 20))
    assert mask.sum() == pytest.approx(256, rel=0.03)


def test_a_frame_is_hollow_and_touches_its_edges():
    mask = textures.frame((60, 40), 8, 2)
    assert mask[20, 30] == 0
    assert mask[0, 30] == pytest.approx(1, abs=0.05)
    assert mask[0, 0] == 0


def test_dashes_leave_gaps_all_around():
    whole, dashed = textures.frame((120, 60), 10, 2), textures.frame((120, 60), 10, 2, 6)
    assert dashed.sum() == pytest.approx(whole.sum() / 1.7, rel=0.05)
    for edge in (dashed[0, 10:-10], dashed[-1, 10:-10], dashed[10:-10, 0], dashed[10:-10, -1]):
        assert edge.min() < 0.1
        assert edge.max() > 0.9


def test_chalk_is_the_same_every_time():
    stroke = [[(0.0, 3.0), (40.0, 3.0)]]
    assert np.array_equal(textures.chalk(stroke, (40, 6), (40, 6), 3), textures.chalk(stroke, (40, 6), (40, 6), 3))
