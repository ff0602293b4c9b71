"""A fixed camera is learned from the dice on its table, despite single outliers."""

import numpy as np
import pytest

from vision.detection.fixed_camera import (
    NONE_SEEN,
    CameraPrior,
    FixedCamera,
    SeenLeans,
    expected_flat_leans,
    fit_camera,
)
from vision.detection.table_plane import Overhead, Rows, leans_along

WIDTH, HEIGHT = 640, 480


def seen_flat(places: Rows, tilt: tuple[float, float], focal: float) -> Rows:
    """Return the view of flat dice by a camera tilted by `tilt` degrees, right and down."""
    off = (places - [WIDTH / 2, HEIGHT / 2]) / (focal * max(WIDTH, HEIGHT))
    rays = np.column_stack([off, np.ones(len(places))])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    down = np.array([*np.tan(np.deg2rad(tilt)), 1.0])
    return np.asarray(leans_along((down / np.linalg.norm(down))[None], rays)[0])


def roll(
    count: int,
    seed: int,
    tilt: tuple[float, float] = (4.0, -9.0),
    focal: float = 1.3,
    leaning: tuple[float, float] | None = None,
) -> SeenLeans:
    """Return dice as a network may see them, the first one with an additional tilt `leaning`."""
    rng = np.random.default_rng(seed)
    places = rng.uniform([60, 50], [WIDTH - 60, HEIGHT - 50], (count, 2))
    leans = seen_flat(places, tilt, focal) + rng.normal(0, 0.03, (count, 2))
    if leaning is not None:
        leans[0] += leaning
    return SeenLeans(places, leans, np.full(count, 0.05))


def taught(rolls: int = 2) -> FixedCamera:
    fixed = FixedCamera()
    for seed in range(rolls):
        fixed.add(roll(3, seed), WIDTH, HEIGHT)
    return fixed


def error(fixed: FixedCamera, dice: SeenLeans, tilt: tuple[float, float], focal: float = 1.3) -> float:
    """Return the maximum error of the camera's predicted leans of flat dice."""
    flat, _ = fixed.flat_leans(dice, WIDTH, HEIGHT)
    return float(np.hypot(*(flat - seen_flat(dice.places, tilt, focal)).T).max())


def test_two_rolls_tell_where_a_camera_stands() -> None:
    assert error(taught(), roll(4, 50), (4.0, -9.0)) < 0.1
    assert error(taught(6), roll(4, 50), (4.0, -9.0)) < 0.06


def test_a_die_that_leans_draws_no_camera_askew() -> None:
    for seed in range(10):
        dice = roll(3, 100 + seed, leaning=(0.4, 0.2))
        fixed = taught()
        flat, spread = fixed.flat_leans(dice, WIDTH, HEIGHT)
        off = np.hypot(*(dice.leans - flat).T)
        assert off[0] > 0.3
        assert off[1:].max() < 0.15
        assert spread.max() < 0.1


def test_of_two_dice_alone_each_is_judged_by_the_other() -> None:
    places = np.array([[200.0, 240.0], [440.0, 240.0]])
    dice = SeenLeans(places, np.array([[0.0, 0.0], [0.0, 0.6]]), np.full(2, 0.05))
    flat, _ = expected_flat_leans(dice, CameraPrior(tilt_sd=20.0), WIDTH, HEIGHT)
    assert flat[0, 1] > 0.3
    assert abs(flat[1, 1]) < 0.15


def test_a_picture_without_dice_tells_nothing() -> None:
    fixed = FixedCamera()
    flat, spread = fixed.flat_leans(NONE_SEEN, WIDTH, HEIGHT)
    fixed.add(NONE_SEEN, WIDTH, HEIGHT)
    assert (flat.shape, spread.shape) == ((0, 2), (0,))
    assert fixed.learned_prior() is None


def test_a_lone_die_is_judged_by_what_cameras_do_most() -> None:
    one = SeenLeans(np.array([[320.0, 240.0]]), np.array([[0.5, 0.0]]), np.array([0.05]))
    flat, spread = expected_flat_leans(one, CameraPrior(), WIDTH, HEIGHT)
    assert np.hypot(*flat[0]) < 1e-6
    assert 0.08 < spread[0] < 0.2
    _, wider = expected_flat_leans(one, CameraPrior(tilt_sd=20.0), WIDTH, HEIGHT)
    assert wider[0] > 2 * spread[0]


def test_an_oblique_camera_is_believed_where_its_dice_agree() -> None:
    dice = roll(5, 3, tilt=(0.0, 48.0))
    flat, _ = expected_flat_leans(dice, CameraPrior(), WIDTH, HEIGHT)
    assert np.hypot(*(dice.leans - flat).T).max() < 0.2


def test_a_camera_that_was_moved_is_learnt_anew() -> None:
    fixed = taught(8)
    moved = (-12.0, 14.0)
    for seed in range(2):
        fixed.add(roll(3, 200 + seed, tilt=moved), WIDTH, HEIGHT)
    assert error(fixed, roll(4, 300, tilt=moved), moved) < 0.12


def test_the_same_dice_read_again_count_once() -> None:
    fixed = taught(2)
    odd = roll(1, 9, leaning=(0.6, 0.0))
    for _ in range(30):
        fixed.add(odd, WIDTH, HEIGHT)
    assert error(fixed, roll(4, 50), (4.0, -9.0)) < 0.12


def test_what_was_learnt_serves_from_the_first_roll_on() -> None:
    assert FixedCamera().learned_prior() is None
    assert taught(1).learned_prior() is None
    known = taught(6).learned_prior()
    assert known is not None
    assert known.tilt == pytest.approx((4.0, -9.0), abs=2.5)
    assert known.focal == pytest.approx(1.3, rel=0.25)
    assert error(FixedCamera(known), roll(1, 50), (4.0, -9.0)) < 0.08


def test_pictures_of_another_size_tell_nothing_of_this_camera_until_they_stay() -> None:
    fixed = taught(4)
    fixed.add(roll(3, 9, tilt=(0.0, 30.0)), 2 * WIDTH, 2 * HEIGHT)
    assert error(fixed, roll(4, 50), (4.0, -9.0)) < 0.1
    for _ in range(3):
        fixed.add(roll(3, 9, tilt=(0.0, 30.0)), 2 * WIDTH, 2 * HEIGHT)
    assert fixed.learned_prior() is None


def test_a_view_that_was_set_up_is_nearly_right() -> None:
    prior = CameraPrior.of(Overhead((0.5, 0.4), 0.9), WIDTH, HEIGHT)
    fit = fit_camera(NONE_SEEN, prior, WIDTH, HEIGHT)[0]
    places = np.array([[100.0, 100.0], [500.0, 300.0]])
    flat, spread = fit.leans(places, WIDTH, HEIGHT)
    assert flat == pytest.approx(Overhead((0.5, 0.4), 0.9).leans(places, WIDTH, HEIGHT), abs=1e-6)
    assert spread.max() < 0.06


def test_dice_that_lean_inwards_in_a_bowl_lie_flat_there() -> None:
    rng = np.random.default_rng(4)
    places = rng.uniform([120, 60], [WIDTH - 120, HEIGHT - 60], (7, 2))
    leans = 0.5 * (places - [WIDTH / 2, HEIGHT / 2]) / WIDTH + rng.normal(0, 0.03, (7, 2))
    flat, _ = expected_flat_leans(SeenLeans(places, leans, np.full(7, 0.05)), CameraPrior(), WIDTH, HEIGHT)
    assert np.hypot(*(leans - flat).T).max() < 0.2
