"""Flat dice on one table define its plane: tested with an independent 3D camera model."""

import numpy as np
import pytest

from vision.detection.finder import Candidate
from vision.detection.table_plane import Rows, fit_table, is_upside_down, top_of_side

WIDTH, HEIGHT = 1000, 700


class Pinhole:
    """A camera over the table z = 0: `centre` its position, `rotation` (3, 3) from table to camera coordinates."""

    def __init__(self, tilt: float, yaw: float, focal: float) -> None:
        c, s = np.cos(tilt), np.sin(tilt)
        cy, sy = np.cos(yaw), np.sin(yaw)
        above = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
        pitch = np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
        self.rotation = pitch @ above @ np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1.0]])
        self.focal = focal * WIDTH
        self.centre = -12.0 * self.rotation.T @ np.array([0, 0, 1.0])

    def pixel(self, point: Rows) -> Rows:
        seen = self.rotation @ (point - self.centre)
        return np.array([WIDTH / 2, HEIGHT / 2]) + self.focal * seen[:2] / seen[2]

    def lean(self, point: Rows, normal: Rows) -> Rows:
        """Return the lean of a face: the sine of its tilt, away from the direction of its normal in the picture."""
        ray = self.centre - point
        sine = np.linalg.norm(np.cross(normal, ray)) / np.linalg.norm(ray)
        moved = self.pixel(point - 1e-4 * normal) - self.pixel(point)
        return np.asarray(sine * moved / np.linalg.norm(moved))


UP = np.array([0.0, 0.0, 1.0])


def thrown(camera: Pinhole, count: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return positions and leans of flat dice."""
    points = [np.array([*rng.uniform(-3.5, 3.5, 2), 0.0]) for _ in range(count)]
    return np.array([camera.pixel(p) for p in points]), np.array([camera.lean(p, UP) for p in points])


CAMERAS = [(0.0, 0.0, 0.8), (0.15, 2.0, 1.3), (0.5, 0.1, 1.0), (0.9, 0.0, 1.7), (0.05, 4.0, 4.0)]


def strayed(places: Rows, leans: Rows) -> Rows:
    """Return each die's deviation from the plane fitted to all dice."""
    table = fit_table(places, leans, WIDTH, HEIGHT)
    assert table is not None
    return np.asarray(np.linalg.norm(table.leans(places, WIDTH, HEIGHT) - leans, axis=1))


@pytest.mark.parametrize("camera", CAMERAS)
def test_dice_that_lie_flat_tell_the_table(camera: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(5)
    places, leans = thrown(Pinhole(*camera), 7, rng)
    assert strayed(places, leans).max() < 1e-6
    table = fit_table(places[:-1], leans[:-1], WIDTH, HEIGHT)
    assert table is not None
    assert table.agreed == 6
    assert table.leans(places[-1:], WIDTH, HEIGHT)[0] == pytest.approx(leans[-1], abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_side_taken_for_a_top_strays_and_no_other_does(camera: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(6)
    pinhole = Pinhole(*camera)
    places, leans = thrown(pinhole, 5, rng)
    leans += rng.normal(0, 0.04, leans.shape)
    ray = pinhole.centre - np.array([1.0, 1.0, 0.0])
    out = np.array([ray[0], ray[1], 0.0]) / np.hypot(ray[0], ray[1])
    leans[2] = pinhole.lean(np.array([1.0, 1.0, 0.0]), out)
    places[2] = pinhole.pixel(np.array([1.0, 1.0, 0.0]))
    strays = strayed(places, leans)
    assert strays[2] > 0.5
    assert np.delete(strays, 2).max() < 0.3


@pytest.mark.parametrize("steep", [10, 20, 30])
def test_dice_that_lean_inwards_in_a_bowl_do_not_stray(steep: float) -> None:
    for seed in range(30):
        rng = np.random.default_rng([3, seed])
        camera = Pinhole(float(rng.uniform(0, 0.1)), float(rng.uniform(0, 6)), 1.3)
        places, leans = [], []
        for _ in range(6):
            far, angle = np.sqrt(rng.uniform()), rng.uniform(0, 2 * np.pi)
            point = 2 * far * np.array([np.cos(angle), np.sin(angle), 0.0])
            slope = np.deg2rad(steep) * far
            normal = np.array([-np.sin(slope) * np.cos(angle), -np.sin(slope) * np.sin(angle), np.cos(slope)])
            places.append(camera.pixel(point))
            leans.append(camera.lean(point, normal) + rng.normal(0, 0.03, 2))
        assert strayed(np.array(places), np.array(leans)).max() < 0.35


def test_two_tell_no_table() -> None:
    places, leans = np.array([[200.0, 300], [700, 400]]), np.array([[0.1, 0.1], [0.1, 0.9]])
    assert fit_table(places, leans, WIDTH, HEIGHT) is None
    assert fit_table(places[:0], leans[:0], WIDTH, HEIGHT) is None


def test_where_most_disagree_nothing_is_told() -> None:
    places = np.array([[200.0, 300], [700, 400], [500, 500], [300, 600]])
    leans = np.array([[0.9, 0.0], [-0.9, 0.0], [0.0, 0.9], [0.0, -0.9]])
    assert fit_table(places, leans, WIDTH, HEIGHT) is None


@pytest.mark.parametrize("camera", CAMERAS)
def test_from_a_side_the_top_is_found(camera: tuple[float, float, float]) -> None:
    pinhole = Pinhole(*camera)
    for seed in range(20):
        rng = np.random.default_rng([9, seed])
        middle = np.array([*rng.uniform(-2, 2, 2), 0.25])
        angle = rng.uniform(0, 2 * np.pi)
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        if out @ (pinhole.centre - middle) < 0.25 * np.linalg.norm(pinhole.centre - middle):
            continue  # the camera hardly sees that side
        side, top = middle + 0.25 * out, middle + 0.25 * UP
        edge = pinhole.focal * 0.5 / float((pinhole.rotation @ (middle - pinhole.centre))[2])
        one = Candidate(*pinhole.pixel(side), edge, (0, 0, 9, 9), 0.6, np.zeros(8, np.float32))
        lean, flat = pinhole.lean(side, out), pinhole.lean(top, UP)
        found = top_of_side(one, (lean[0], lean[1]), (flat[0], flat[1]))
        assert np.hypot(*(np.array([found.x, found.y]) - pinhole.pixel(top))) < 0.15 * edge


def test_upside_down_is_what_shows_a_side_above_its_top() -> None:
    assert is_upside_down((0.0, -0.3))
    assert is_upside_down((0.3, 0.0))
    assert not is_upside_down((0.0, 0.3))
    assert not is_upside_down((0.0, -0.02))
