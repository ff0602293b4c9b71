"""Rendered dice: repeatable with a seed, with correct faces and blur; invalid names are refused."""

import cv2
import numpy as np
import pytest

from tools.training.random_faces import random_pip_style
from vision.drawing import design, faces, rendering
from vision.drawing.tray import SIZE, DrawnDie, draw_tray, make_ground


def grey() -> faces.FloatImage:
    return np.full((*SIZE, 3), 0.35, np.float32)


def test_the_same_generator_gives_the_same_tray() -> None:
    dice = [DrawnDie(face=5, x=200, y=150), DrawnDie("ball", "black", 2, 400, 300)]
    first = draw_tray(dice, np.random.default_rng(7))
    again = draw_tray(dice, np.random.default_rng(7))
    other = draw_tray(dice, np.random.default_rng(8))
    assert first.shape == (480, 640, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_face_shows_as_many_pips_as_its_value(face: int) -> None:
    """From straight above only the top face is visible, so its dark spots can be counted."""
    picture = draw_tray([DrawnDie(face=face, edge=90)], np.random.default_rng(1), ground=grey(), noise=0.0)
    middle = cv2.cvtColor(picture[200:281, 280:361], cv2.COLOR_BGR2GRAY)
    count, _, stats, _ = cv2.connectedComponentsWithStats((middle < 90).astype(np.uint8))
    assert sum(stats[i, cv2.CC_STAT_AREA] > 30 for i in range(1, count)) == face


def test_opposite_faces_add_up_to_seven() -> None:
    for value in range(1, 7):
        up = rendering.pose(value, 0.4)
        down = rendering.pose(7 - value, 0.0)
        top = up.T @ np.array([0, 0, 1.0])
        assert np.allclose(top, -(down.T @ np.array([0, 0, 1.0])), atol=1e-9)


@pytest.mark.parametrize(("index", "name"), list(enumerate(design.BALL_COLOURS, 1)))
def test_the_ball_shows_the_colour_of_its_face(index: int, name: str) -> None:
    picture = draw_tray([DrawnDie("ball", "white", index, edge=80)], np.random.default_rng(1), ground=grey(), noise=0.0)
    blue, green, red = (int(design.BALL_COLOURS[name][i : i + 2], 16) for i in (5, 3, 1))
    seen = picture[230:250, 310:330].reshape(-1, 3).mean(0).astype(np.uint8)
    hue = [int(cv2.cvtColor(np.uint8([[c]]), cv2.COLOR_BGR2HSV)[0, 0, 0]) for c in ((blue, green, red), seen)]
    assert min(abs(hue[0] - hue[1]), 180 - abs(hue[0] - hue[1])) <= 4


def test_a_moving_die_is_smeared_along_its_way() -> None:
    still = draw_tray([DrawnDie(face=1, edge=50)], np.random.default_rng(1), ground=grey(), noise=0.0)
    moving = draw_tray([DrawnDie(face=1, edge=50, motion=(40, 0))], np.random.default_rng(1), ground=grey(), noise=0.0)
    touched = [np.flatnonzero(np.abs(p.astype(int) - still[0, 0]).max((0, 2)) > 12) for p in (still, moving)]
    assert np.ptp(touched[1]) > np.ptp(touched[0]) + 12


def test_a_die_outside_the_picture_is_not_seen() -> None:
    ground = make_ground(np.random.default_rng(2))
    empty = draw_tray([], np.random.default_rng(3), ground=ground)
    outside = draw_tray([DrawnDie(x=-300, y=-300)], np.random.default_rng(3), ground=ground)
    assert np.array_equal(empty, outside)


def test_unknown_kinds_and_bodies_are_refused() -> None:
    with pytest.raises(ValueError, match="no drawing for dice of kind 'd20'"):
        draw_tray([DrawnDie("d20")], np.random.default_rng(1), ground=grey())
    with pytest.raises(KeyError):
        draw_tray([DrawnDie("pips", "tartan")], np.random.default_rng(1), ground=grey())


def test_every_pip_layout_has_the_right_number_of_pips() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        style = random_pip_style(rng)
        for value in range(1, 7):
            centres = faces.pip_centres(value, style)
            assert len(set(centres)) == value
            gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a in centres for b in centres if a != b]
            assert min(gaps, default=1.0) > 1.2 * style.radius


def test_makers_lay_out_two_and_six_in_many_ways() -> None:
    rng = np.random.default_rng(6)
    styles = [random_pip_style(rng) for _ in range(200)]
    twos = [np.hypot(*faces.pip_centres(2, style)[1]) for style in styles]
    assert min(twos) < 0.17
    assert max(twos) > 0.36
    sixes = [faces.pip_centres(6, style)[5] for style in styles]
    assert min(x / y for x, y in sixes) < 0.7
    assert max(x / y for x, y in sixes) > 1.4


def test_a_light_mirrored_in_a_pip_hides_a_part_of_it() -> None:
    whole = faces.pip_face(1, faces.PipStyle())[..., 0]
    mirrored = faces.pip_face(1, faces.PipStyle(ring=0.5, ring_at=(0.4, 0.0)))[..., 0]
    half = faces.TEXTURE // 2
    assert np.isclose(mirrored[:, : half - 1].sum(), whole[:, : half - 1].sum(), rtol=0.1)
    assert mirrored[:, half:].sum() < 0.65 * whole[:, half:].sum()
