"""Training scenes: repeatable, and their labels lie where the dice are."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.training.bold_scenes import bold_scene
from tools.training.crops import PATCH, Scenes, face_crop, figure_crop, finder_patch
from tools.training.dataset import load_shards
from tools.training.draw import Draw, draw_shard
from tools.training.figure_scenes import figure_scene
from tools.training.grounds import weave
from tools.training.labels import NOT_SAID, Label
from tools.training.own_scenes import own_scene
from tools.training.rooms import with_marks_that_show
from tools.training.scenes import Viewpoint, bare_scene, random_scene
from vision.classification.classes import CLASSES, NOTHING, PLAIN, STATES, UNKNOWN, of_digit
from vision.classification.face_nets import FIGURE_CROP, FIGURES
from vision.dice_sets import BODIES
from vision.drawing.faces import FloatImage


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    folder: Path = tmp_path_factory.mktemp("shards")
    draw_shard(folder, 3, 6)
    return Scenes(load_shards(folder))


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
            assert label.paint in (*range(len(BODIES)), NOT_SAID)
            assert label.ink in (*range(len(BODIES)), NOT_SAID)
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


def test_scenes_of_figures_show_mostly_sixes_and_nines(tmp_path: Path) -> None:
    labels = [label for seed in range(12) for label in figure_scene(200, np.random.default_rng(seed))[1]]
    faces = [label.face for label in labels if label.face != NOT_SAID]
    assert len(faces) > 40
    assert 0.5 < sum(face in FIGURES[1:] for face in faces) / len(faces) < 1
    first, same = (figure_scene(200, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first[0], same[0])
    assert first[1] == same[1]
    draw_shard(tmp_path, 3, 6, figure_scene)
    scenes, rng = Scenes(load_shards(tmp_path)), np.random.default_rng(2)
    crops = [figure_crop(scenes[index % len(scenes)], rng) for index in range(240)]
    assert {crop.face for crop in crops} == set(range(len(FIGURES)))
    assert {crop.picture.shape for crop in crops} == {(FIGURE_CROP, FIGURE_CROP, 3)}


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


def test_bare_tables_have_things_but_no_dice_on_them(tmp_path: Path) -> None:
    first, labels = bare_scene(200, np.random.default_rng(4))
    assert np.array_equal(first, bare_scene(200, np.random.default_rng(4))[0])
    assert not np.array_equal(first, bare_scene(200, np.random.default_rng(5))[0])
    assert labels == []
    draw_shard(tmp_path, 7, 2, bare_scene)
    (shard,) = load_shards(tmp_path)
    assert len(shard.pictures) == 2
    assert len(shard.dice) == 0
    assert face_crop(Scenes([shard])[0], np.random.default_rng(1), 48).face == NOTHING


def test_patches_carry_their_dice_along(scenes: Scenes) -> None:
    """Mirroring, turning and scaling a patch keeps every die inside its own box."""
    rng = np.random.default_rng(3)
    for index in range(len(scenes)):
        patch, dice = finder_patch(scenes[index], rng)
        assert patch.shape == (PATCH, PATCH, 3)
        for x, y, _edge, _lean_x, _lean_y, left, top, right, bottom, *_ in dice:
            assert left < x < right
            assert top < y < bottom


def test_crops_are_dice_and_other_things(scenes: Scenes) -> None:
    rng = np.random.default_rng(5)
    seen = {face_crop(scenes[index % len(scenes)], rng, 48).face for index in range(80)}
    assert NOTHING in seen
    assert len(seen) > 3


def test_a_mark_that_the_light_took_away_is_not_taught() -> None:
    """A white face with a pip that is hardly darker, one with a pip in plain sight, and a blank one."""
    picture = np.full((60, 180, 3), 250, np.uint8)
    cv2.circle(picture, (30, 30), 6, (247, 247, 247), -1)
    cv2.circle(picture, (90, 30), 6, (60, 60, 60), -1)
    labels = [
        Label(x, 30.0, 40.0, 0.0, 0.0, (x - 20, 10.0, x + 20, 50.0), face, ink=1)
        for x, face in ((30.0, 1), (90.0, 1), (150.0, PLAIN))
    ]
    gone, seen, blank = with_marks_that_show(labels, picture)
    assert (gone.face, gone.ink) == (NOT_SAID, NOT_SAID)
    assert (seen, blank) == (labels[1], labels[2])


def test_places_behind_the_lens_are_not_before_the_camera() -> None:
    """A die that lay there was once drawn as large as a house, and took all memory."""
    view = Viewpoint(focal=500.0, centre=(224.0, 224.0), pitch=np.deg2rad(70), roll=0.0, height=4.0)
    behind = (0.0, -20.0)
    assert view.faces(0.0, 10.0)
    assert not view.faces(*behind)
