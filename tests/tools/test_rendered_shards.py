"""Rendered throws as training shards: positions of top faces, occlusion, and pictures of another version."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.training import rendered_shards
from tools.training.dataset import SCENE, load_scenes
from tools.training.labels import UNLABELLED
from tools.training.paints import NAMES
from tools.training.rendered import MANIFEST, in_any_colours, manifest_row, scene_of
from tools.training.rendered_dice import make_die
from tools.training.rendered_scene import SHAPE, DieFootprint, RenderCamera, RestingDie
from tools.training.rendered_shards import crop_squares, labels_of, visible_share
from vision import dice_sets
from vision.classification import classes

BALL, NBA = dice_sets.load("ball").kinds[0], dice_sets.load("nba").kinds


def above(x: float = 0.0) -> RenderCamera:
    """Return a camera twenty die edges above the centre, or tilted beside it; a die edge on the table is 30 px long."""
    return RenderCamera((x, 0.0, 20.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 600.0, 0.0)


def die(x: float, y: float, edge: float = 1.0, face: int = 1) -> RestingDie:
    return RestingDie(BALL, make_die(BALL, "white", np.random.default_rng(1)), DieFootprint(x, y, edge, 0.3), face)


def test_a_die_below_the_camera_is_seen_from_above() -> None:
    (label,) = labels_of([die(0, 0, face=3)], above())
    assert (label.x, label.y) == pytest.approx((320, 240))
    assert label.edge == pytest.approx(600 / 19)
    assert np.hypot(label.lean_x, label.lean_y) == pytest.approx(0, abs=1e-6)
    assert label.face == classes.PLAIN
    assert NAMES[label.paint] == BALL.faces[2].colour
    assert label.sides == ()


def test_a_die_aside_leans_towards_the_camera_s_foot_and_shows_the_side_there() -> None:
    (label,) = labels_of([die(8, 0)], above())
    assert label.x > 320
    assert label.lean_x == pytest.approx(-8 / np.hypot(8, 19))
    assert label.lean_y == pytest.approx(0, abs=1e-6)
    assert 1 <= len(label.sides) <= 2
    assert all(x < label.x for x, _ in label.sides)
    left, top, right, bottom = label.box
    assert left < label.x - label.edge / 2 < label.x + label.edge / 2 < right
    assert top < label.y < bottom


def test_a_body_that_says_its_kind_is_its_colour_and_any_other_is_not_said() -> None:
    for name in ("nba", "pips"):
        _, camera, dice, _ = scene_of(dice_sets.load(name), 3, 0)
        for each, label in zip(dice, labels_of(dice, camera), strict=True):
            assert (NAMES[label.paint] == each.kind.bodies[0]) if name == "nba" else label.paint == UNLABELLED


def test_only_a_larger_die_that_stands_before_it_hides_a_top() -> None:
    camera, small = above(36.0), die(0, 0, 0.8)
    assert visible_share(small, [small, die(1.1, 0, 0.8)], camera, 0, 0) == 1
    assert visible_share(small, [small, die(-1.7, 0, 1.6)], camera, 0, 0) == 1
    assert visible_share(small, [small, die(1.7, 0, 1.6)], camera, 0, 0) < 0.7


def test_what_lies_beyond_a_square_s_rim_is_not_seen() -> None:
    one = die(0, 0)
    assert visible_share(one, [one], above(), 0, 0) == 1
    assert visible_share(one, [one], above(), 320, 0) == pytest.approx(4 / 7, abs=0.15)
    assert visible_share(one, [one], above(), 400, 0) == 0


def test_squares_show_what_their_labels_say() -> None:
    picture = np.zeros((*SHAPE, 3), np.uint8)
    dice = [die(-3, 0), die(3, 2)]
    for label in labels_of(dice, above()):
        cv2.circle(picture, (round(label.x), round(label.y)), 5, (255, 255, 255), -1)
    squares = list(crop_squares(picture, dice, above(), np.random.default_rng(0)))
    assert [len(labels) for _, labels in squares] == [2, 2]
    for square, labels in squares:
        assert square.shape == (SCENE, SCENE, 3)
        assert all(square[round(label.y), round(label.x)].min() == 255 for label in labels)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a rendered folder with two grey pictures, without ray tracing. The second one's marks are of any ink."""
    place = tmp_path / "rendered" / "nba"
    place.mkdir(parents=True)
    lines = []
    for number in range(2):
        nba = dice_sets.load("nba")
        environment, camera, dice, _ = scene_of(in_any_colours(nba, 7, number) if number else nba, 7, number)
        record = manifest_row(f"7_{number:04d}.jpg", "nba", environment, camera, dice) | {"darker": []}
        lines.append(json.dumps(record, ensure_ascii=False))
        cv2.imwrite(str(place / f"7_{number:04d}.jpg"), np.full((*SHAPE, 3), 90, np.uint8))
    (place / MANIFEST).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path / "rendered"


def turned_into_shards(monkeypatch: pytest.MonkeyPatch, arguments: Sequence[object]) -> None:
    monkeypatch.setattr(sys, "argv", ["rendered_shards", *map(str, arguments)])
    rendered_shards.main()


def test_a_rendered_folder_becomes_a_shard(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    turned_into_shards(monkeypatch, [folder, folder / "out", "--shard", 3])
    scenes = list(load_scenes(folder / "out", "kept"))
    assert [scene.picture.shape for scene in scenes] == [(SCENE, SCENE, 3)] * 4
    assert any(len(scene.dice) for scene in scenes)
    assert any(len(scene.sides) for scene in scenes)
    assert capsys.readouterr().out.startswith("4 scenes, ")


def test_a_picture_of_another_version_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = folder / "nba" / MANIFEST
    manifest.write_text(manifest.read_text("utf-8").replace('"n": ', '"n": 1', 1), "utf-8")
    with pytest.raises(SystemExit):
        turned_into_shards(monkeypatch, [folder, folder / "out"])
    assert "7_0000.jpg was rendered by another version" in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_a_folder_without_rendered_pictures_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        turned_into_shards(monkeypatch, [tmp_path, tmp_path / "out"])
    assert "no rendered pictures are there" in capsys.readouterr().err
