"""Detection of the tray corners under tilted cameras, for every felt, rim and light, against ground truth."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn_trays import tray
from vision.calibration.corners import find_corners, order_corners, plausible
from vision.calibration.rectification import Rectification, corner_distance
from vision.cameras.simulated_effects import Mount
from vision.drawing.tray import FOCAL, SIZE, wood

MAX_ERROR_PX = 3.0
"""Pixels in a picture 640 wide."""


def errors(numbers: range) -> list[float | None]:
    """Return the error of the worst corner of each tray, or None if no corners were found."""
    found = [(find_corners(one.picture), one.corners) for one in map(tray, numbers)]
    return [None if corners is None else corner_distance(corners.points, truth) for corners, truth in found]


def test_corners_are_found_within_a_pixel_or_not_at_all() -> None:
    found = [error for error in errors(range(300, 308)) if error is not None]
    assert len(found) >= 7
    assert max(found) < 1.0


@pytest.mark.slow
def test_of_200_trays_nearly_all_are_found_and_none_is_found_wrongly() -> None:
    found = errors(range(200))
    near = [error for error in found if error is not None]
    assert len(near) >= 190
    assert max(near) <= MAX_ERROR_PX
    assert float(np.median(near)) < 0.5


def test_corners_are_found_beside_dice_and_in_larger_pictures() -> None:
    one = tray(3, dice=5)
    large = np.asarray(cv2.resize(one.picture, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    found = find_corners(large)
    assert found is not None
    assert corner_distance(found.points, (one.corners + 0.5) * 2.5 - 0.5) < 2.5 * MAX_ERROR_PX


def test_a_bare_table_has_no_tray() -> None:
    ground = wood(SIZE, (0.22, 0.30, 0.36), np.random.default_rng(4))
    assert find_corners(np.asarray(np.clip(ground * 255, 0, 255), np.uint8)) is None
    assert find_corners(np.full((480, 640, 3), 90, np.uint8)) is None


def test_dragged_corners_are_put_in_order_and_checked() -> None:
    quad = [(500, 60), (100, 400), (90, 50), (520, 420)]
    assert order_corners(quad).tolist() == [[90, 50], [500, 60], [520, 420], [100, 400]]
    assert plausible(order_corners(quad), (640, 480))
    assert not plausible([(90, 50), (520, 420), (500, 60), (100, 400)], (640, 480))
    assert not plausible([(90, 50), (130, 50), (130, 90), (90, 90)], (640, 480))
    assert not plausible([(-90, 50), (500, 60), (520, 420), (100, 400)], (640, 480))


@pytest.mark.parametrize(("across", "down"), [(0.05, 0.0), (0.0, -0.08), (-0.07, 0.06), (0.1, 0.08)])
def test_the_trays_picture_is_upright_and_true_to_scale(across: float, down: float) -> None:
    """A felt of 598 x 438 pixels becomes a rectangle of that ratio, and the camera position is correct."""
    mount = Mount(across, down, 0.06, 0.66)
    focal = FOCAL / SIZE[1] * mount.zoom
    straight = Rectification.from_corners(mount.corners(), (SIZE[1], SIZE[0]), focal)
    flat = cv2.perspectiveTransform(mount.corners()[None], straight.matrix)[0]
    sides = np.hypot(*(np.roll(flat, -1, 0) - flat).T)
    assert sides[0] / sides[1] == pytest.approx(598 / 438, rel=0.02)
    assert np.allclose(sides[:2], sides[2:], rtol=0.01)
    assert straight.tilt == pytest.approx(np.degrees(np.hypot(mount.across, mount.down)), abs=2.5)
    below = cv2.perspectiveTransform(np.array([[[320.0, 240.0]]]), straight.matrix @ mount.matrix())[0, 0]
    foot = (straight.view.foot[0] * straight.size[0], straight.view.foot[1] * straight.size[1])
    assert np.hypot(foot[0] - below[0], foot[1] - below[1]) < 30


def test_a_straight_camera_is_only_cut_out() -> None:
    mount = Mount(zoom=0.8)
    straight = Rectification.from_corners(mount.corners(), (640, 480), FOCAL / 640 * 0.8)
    assert straight.box is not None
    picture = np.arange(480 * 640 * 3, dtype=np.uint32).astype(np.uint8).reshape(480, 640, 3)
    assert np.shares_memory(straight.picture(picture), picture)
    assert straight.view.foot == pytest.approx((0.5, 0.5), abs=0.01)
