"""Rendered tilted dice: their labels are the top face's normal, and they touch table and support."""

import numpy as np
import pytest

from tools.training.labels import Label
from tools.training.leaning_scenes import LEANS, flat_neighbour, leaning_scene, leaning_support, tilted
from tools.training.random_dice import RandomDie, random_pips
from tools.training.scenes import DiePlacement, TrainingScene, Viewpoint, random_scene_light, resting_height
from vision.drawing.rendering import Shape, pose

ABOVE = Viewpoint(500.0, (150.0, 150.0), 0.0, 0.0, 12.0)


def label_of(die: DiePlacement, view: Viewpoint = ABOVE) -> Label:
    rng = np.random.default_rng(5)
    scene = TrainingScene(np.full((300, 300, 3), 0.4, np.float32), view, random_scene_light(rng), [], [])
    scene.add(die, random_pips(rng), 3)
    return scene.labels[0]


@pytest.mark.parametrize("lean", [0.0, 10.0, 25.0, 45.0])
@pytest.mark.parametrize("towards", [0.0, 1.0, 2.5, 5.0])
def test_the_label_of_a_die_is_the_normal_of_its_top_face(lean: float, towards: float) -> None:
    for x, y in ((0.001, 0.0), (2.0, -1.0), (-1.5, 2.5)):
        die = DiePlacement(x, y, 1.0, 0.7, float(np.deg2rad(lean)), towards)
        label = label_of(die)
        sine = np.sin(die.lean)
        normal = np.array([sine * np.cos(towards), sine * np.sin(towards), np.cos(die.lean)])
        pixel = np.array(ABOVE.pixel(np.array([x, y, 0.5])))
        ray = ABOVE.ray(*pixel) / np.linalg.norm(ABOVE.ray(*pixel))
        along = abs(float(normal @ ray))
        assert np.hypot(label.lean_x, label.lean_y) == pytest.approx(np.sqrt(1 - along**2), abs=0.02)
        if abs(x) < 0.1:
            assert (label.lean_x, label.lean_y) == pytest.approx((-normal[0], normal[1]), abs=0.01)
        assert label.pose is not None
        if lean == 0:
            assert (label.lean_x, label.lean_y) == pytest.approx(label.pose.flat)
            assert np.array([label.lean_x, label.lean_y]) @ (pixel - ABOVE.centre) <= 0


def test_a_pose_holds_the_axis_that_its_lean_tells() -> None:
    _, labels = leaning_scene(300, np.random.default_rng(3))
    for label in labels:
        assert label.pose is not None
        axes = np.array(label.pose.axes).reshape(3, 3)
        assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-6)
        lean = np.array([label.lean_x, label.lean_y])
        ways = np.concatenate([axes[:2].T, -axes[:2].T])
        assert np.hypot(*(ways - lean).T).min() < 1e-6


def test_a_leaning_die_touches_the_table() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        shape = Shape(float(rng.uniform(0.02, 0.2)))
        turned = pose(int(rng.integers(1, 7)), float(rng.uniform(0, 6)), float(rng.uniform(0.1, 0.8)), 1.0)
        inner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * (0.5 - shape.corner)
        lowest = (inner @ turned.T)[:, 2].min() - shape.corner
        assert resting_height(turned, shape) == pytest.approx(-lowest)


def dice_on_table(count: int) -> list[tuple[DiePlacement, RandomDie, np.random.Generator]]:
    rng = np.random.default_rng(11)
    return [(DiePlacement(1.0, 2.0, 1.0, float(rng.uniform(0, 6))), random_pips(rng), rng) for _ in range(count)]


def test_what_lifts_a_die_touches_it() -> None:
    under = 0
    for die, kind, rng in dice_on_table(60):
        leaning = tilted(die, rng)
        support, neighbour, _ = leaning_support(leaning, kind, 2, rng)
        assert (support is None) != (neighbour is None)
        if support is None or support.height > np.sin(leaning.lean) + 0.05:
            continue  # its raised edge leans on a wall or on another die
        under += 1
        turned = pose(2, leaning.yaw, leaning.lean, leaning.towards)
        middle = np.array([leaning.x, leaning.y, resting_height(turned, kind.model.shape)])
        towards = (np.cos(leaning.towards), np.sin(leaning.towards))
        normal = np.array([np.sin(leaning.lean) * towards[0], np.sin(leaning.lean) * towards[1], np.cos(leaning.lean)])
        gaps = (support.corners(support.height) - middle) @ normal + 0.5
        assert gaps.max() == pytest.approx(0, abs=0.05)
    assert under > 20


def test_the_same_things_lie_beside_flat_dice() -> None:
    placings = [flat_neighbour(die, kind, 2, rng) for die, kind, rng in dice_on_table(200)]
    assert sum(support is not None for support, _, _ in placings) > 60
    assert sum(neighbour is not None for _, neighbour, _ in placings) > 15
    assert sum(support is None and neighbour is None for support, neighbour, _ in placings) > 40


def test_half_of_the_dice_lean_by_any_angle() -> None:
    labels = [label for seed in range(12) for label in leaning_scene(300, np.random.default_rng(seed))[1]]
    leans = np.array([label.pose.lean for label in labels if label.pose is not None])
    assert 0.3 < (leans > 0).mean() < 0.6
    assert leans[leans > 0].min() >= LEANS[0]
    assert leans.max() > 35
    first, same = (leaning_scene(160, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first[0], same[0])
    assert first[1] == same[1]
