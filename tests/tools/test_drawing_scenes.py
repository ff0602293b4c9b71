"""Training scenes: repeatable, with labels at the positions of the dice."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tools.training.bold_scenes import bold_scene
from tools.training.figure_scenes import figure_scene
from tools.training.grounds import weave
from tools.training.labels import UNLABELLED, Label
from tools.training.lighting_effects import ignore_washed_out_marks
from tools.training.own_scenes import own_scene
from tools.training.random_dice import random_pips
from tools.training.scenes import DiePlacement, TrainingScene, Viewpoint, bare_scene, random_scene, random_scene_light
from vision.classification.classes import CLASSES, PLAIN, STATES, UNKNOWN, of_digit
from vision.classification.face_nets import FIGURES
from vision.dice_sets import BODIES
from vision.drawing.faces import FloatImage
from vision.pictures import Picture

Draw = Callable[[int, np.random.Generator], tuple[Picture, list[Label]]]


def test_the_same_seed_draws_the_same_scene() -> None:
    first, labels = random_scene(160, np.random.default_rng(4))
    again, same = random_scene(160, np.random.default_rng(4))
    assert np.array_equal(first, again)
    assert labels == same


def test_pixels_and_points_of_the_table_agree() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        view = Viewpoint.random(448, rng)
        ray = view.ray(200.0, 260.0)
        if ray[2] > -0.1 * np.linalg.norm(ray):
            continue
        point = np.array([0, 0, view.height]) + ray * view.height / -ray[2]
        assert point[2] == pytest.approx(0, abs=1e-6)
        assert view.pixel(point) == pytest.approx((200.0, 260.0), abs=1e-6)


@pytest.mark.parametrize("draw", [random_scene, own_scene])
def test_labels_are_consistent(draw: Draw) -> None:
    for seed in range(8):
        _, labels = draw(200, np.random.default_rng(seed))
        for label in labels:
            left, top, right, bottom = label.box
            assert left < label.x < right
            assert top < label.y < bottom
            assert 1 <= label.face < CLASSES
            assert label.paint in (*range(len(BODIES)), UNLABELLED)
            assert label.ink in (*range(len(BODIES)), UNLABELLED)
            assert label.state in range(len(STATES))
            assert label.face == UNKNOWN or label.state != STATES.index("cocked")
            assert 0 <= label.seen <= 1
            assert np.hypot(label.lean_x, label.lean_y) < 1 + 1e-9


def test_scenes_of_the_own_sets_show_their_faces_from_above() -> None:
    labels = [label for seed in range(40) for label in own_scene(160, np.random.default_rng(seed))[1]]
    assert {label.face for label in labels} >= {PLAIN, of_digit(2), of_digit(6), of_digit(9)}
    assert max(np.hypot(label.lean_x, label.lean_y) for label in labels) < 0.9
    first, same = (own_scene(160, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first[0], same[0])
    assert first[1] == same[1]


def test_scenes_of_figures_show_mostly_sixes_and_nines() -> None:
    labels = [label for seed in range(12) for label in figure_scene(200, np.random.default_rng(seed))[1]]
    faces = [label.face for label in labels if label.face != UNLABELLED]
    assert len(faces) > 40
    assert 0.5 < sum(face in FIGURES[1:] for face in faces) / len(faces) < 1
    first, same = (figure_scene(200, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first[0], same[0])
    assert first[1] == same[1]


def test_scenes_on_grounds_that_hide_dice_show_mostly_plain_faces() -> None:
    labels = [label for seed in range(24) for label in bold_scene(200, np.random.default_rng(seed))[1]]
    assert len(labels) > 60
    assert 0.4 < sum(label.face == PLAIN for label in labels) / len(labels) < 0.9
    first, same = (bold_scene(200, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first[0], same[0])
    assert first[1] == same[1]


def test_the_pattern_of_a_ground_is_as_wide_as_told() -> None:
    for seed in range(8):
        fine, wide = (weave((200, 200), (0.5, 0.5, 0.5), np.random.default_rng(seed), step) for step in (12.0, 60.0))
        assert _edges(fine) > 2 * _edges(wide)


def _edges(ground: FloatImage) -> float:
    return float(np.abs(np.diff(ground, axis=0)).mean() + np.abs(np.diff(ground, axis=1)).mean())


def test_bare_tables_have_things_but_no_dice_on_them() -> None:
    first, labels = bare_scene(200, np.random.default_rng(4))
    assert np.array_equal(first, bare_scene(200, np.random.default_rng(4))[0])
    assert not np.array_equal(first, bare_scene(200, np.random.default_rng(5))[0])
    assert labels == []


def test_a_mark_that_the_light_took_away_is_not_taught() -> None:
    """A white face with a hardly visible pip, one with a clear pip, and a blank one."""
    picture = np.full((60, 180, 3), 250, np.uint8)
    cv2.circle(picture, (30, 30), 6, (247, 247, 247), -1)
    cv2.circle(picture, (90, 30), 6, (60, 60, 60), -1)
    labels = [
        Label(x, 30.0, 40.0, 0.0, 0.0, (x - 20, 10.0, x + 20, 50.0), face, ink=1)
        for x, face in ((30.0, 1), (90.0, 1), (150.0, PLAIN))
    ]
    gone, seen, blank = ignore_washed_out_marks(labels, picture)
    assert (gone.face, gone.ink) == (UNLABELLED, UNLABELLED)
    assert (seen, blank) == (labels[1], labels[2])


def test_places_behind_the_lens_are_not_before_the_camera() -> None:
    """A die behind the lens was once rendered at a huge size and exhausted the memory."""
    view = Viewpoint(focal=500.0, centre=(224.0, 224.0), pitch=np.deg2rad(70), roll=0.0, height=4.0)
    behind = (0.0, -20.0)
    assert view.is_in_front(0.0, 10.0)
    assert not view.is_in_front(*behind)


def _one_die(view: Viewpoint, *dice: DiePlacement) -> TrainingScene:
    rng = np.random.default_rng(3)
    scene = TrainingScene(np.full((200, 200, 3), 0.4, np.float32), view, random_scene_light(rng), [], [])
    for die in dice:
        scene.add(die, random_pips(rng), 5)
    return scene


def _flat(edge: float) -> Viewpoint:
    """Return a vertical view, with dice of `edge` pixels in the centre of 200 x 200."""
    return Viewpoint(focal=400.0, centre=(100.0, 100.0), pitch=0.0, roll=0.0, height=10.0).nearer(edge)


def test_near_cameras_see_dice_as_large_as_most_of_the_picture() -> None:
    rng = np.random.default_rng(1)
    edges = [Viewpoint.near(448, rng).edge() / 448 for _ in range(200)]
    assert min(edges) > 0.13
    assert max(edges) > 0.5
    assert all(0.06 * 448 - 1e-6 <= Viewpoint.steep(448, rng).edge() <= 0.26 * 448 + 1e-6 for _ in range(50))


def test_a_large_die_is_drawn_coarser_but_as_large_as_its_label_says() -> None:
    scene = _one_die(_flat(130.0), DiePlacement(0.0, 0.0, 1.0, 0.0))
    (label,) = scene.visible_labels()
    rows = np.flatnonzero(scene.covers[0][1][:, 100] > 0.5)
    assert np.ptp(rows) == pytest.approx(label.box[3] - label.box[1], abs=6)
    assert np.mean(rows) == pytest.approx(label.y, abs=3)


def test_labels_follow_a_picture_that_is_stretched() -> None:
    scene = _one_die(_flat(50.0), DiePlacement(0.0, 0.0, 1.0, 0.3))
    (before,) = scene.labels
    assert before.pose is not None
    scene.stretch((1.0, 1.25), np.random.default_rng(2))
    (after,) = scene.labels
    columns, rows = (np.flatnonzero(scene.covers[0][1].max(axis) > 0.5) for axis in (0, 1))
    assert after.box[2] - after.box[0] == pytest.approx(before.box[2] - before.box[0])
    assert after.box[3] - after.box[1] == pytest.approx(1.25 * (before.box[3] - before.box[1]))
    assert (columns.min(), columns.max()) == pytest.approx((after.box[0], after.box[2]), abs=5)
    assert (rows.min(), rows.max()) == pytest.approx((after.box[1], after.box[3]), abs=5)
    assert after.edge == pytest.approx(before.edge * 1.25**0.5)
    assert after.pose is None


def test_a_die_on_top_of_another_hides_it() -> None:
    scene = _one_die(_flat(40.0), DiePlacement(0.0, 0.0, 1.0, 0.0), DiePlacement(0.05, 0.0, 1.0, 0.0, base=1.0))
    below, above = scene.visible_labels()
    assert above.edge > below.edge
    assert below.seen < 0.2
    assert above.seen == pytest.approx(1.0, abs=0.05)


def test_scenes_show_dice_of_all_sizes() -> None:
    labels = [label for seed in range(45) for label in random_scene(128, np.random.default_rng([7, seed]))[1]]
    edges = np.array([label.edge for label in labels if label.seen > 0.7]) / 128
    assert (edges > 0.3).any()
    assert (edges < 0.25).mean() > 0.5
