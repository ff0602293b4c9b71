"""The rendered pictures without the ray tracing: dice at rest, camera geometry, light, manifest lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.doubles import BOX
from tools.training.manifests import load_manifest
from tools.training.rendered import light_shares, manifest_row, scene_of, seeds_of
from tools.training.rendered_dice import FRAMES, TILE, Form, die_rotation, make_die, mesh_of, rounded, surface
from tools.training.rendered_environment import _GROUNDS, RIM, TEXELS, glow, on_table, random_environment
from tools.training.rendered_fates import OutcomeCounts, crop_of, measure, read_as_watched, request_of, rows_of
from tools.training.rendered_scene import SHAPE, DieFootprint, RenderCamera, box_of, path_counts, random_spots
from tools.training.rendered_sensor import denoise, develop
from vision import dice_sets
from vision.cameras.protocol import MIN_LIGHT_SHARE
from vision.decision.labels import Labelled, TrueDie
from vision.decision.reader import Thresholds
from vision.detection.exposure import DIMMING_STEP
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Face, Roll, RollRequest, Status

SETS = ("pips", "ball", "footclub", "numerals", "nba", "hoops21")


def straight_down(distance: float = 20.0, focal: float = 600.0) -> RenderCamera:
    return RenderCamera((0.0, 0.0, distance), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), focal, 0.0)


def test_a_camera_straight_above_sees_the_table_as_a_map() -> None:
    camera = straight_down()
    seen = camera.pixels(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    assert seen == pytest.approx(np.array([[320, 240], [350, 240], [320, 210]]))
    assert camera.tilt == pytest.approx(0)
    assert camera.distance == pytest.approx(20)


def test_pixels_and_places_on_the_table_agree() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        camera = RenderCamera.random(float(rng.uniform(20, 90)), rng)
        x, y = rng.uniform(0, SHAPE[1]), rng.uniform(0, SHAPE[0])
        place = camera.pixel_to_table(x, y)
        assert place[2] == pytest.approx(0, abs=1e-9)
        assert camera.pixels(place[None])[0] == pytest.approx((x, y))


def test_cameras_are_tilted_by_30_degrees_at_most_but_for_some_steep_ones() -> None:
    rng = np.random.default_rng(5)
    tilts = np.array([RenderCamera.random(40.0, rng).tilt for _ in range(400)])
    assert np.all((tilts <= 30) | ((tilts >= 38) & (tilts <= 47)))
    assert 0.05 < np.mean(tilts > 37) < 0.25
    assert np.allclose([np.linalg.det(RenderCamera.random(40.0, rng).axes()) for _ in range(5)], 1)


def test_a_die_in_the_middle_has_the_edge_asked_for() -> None:
    rng = np.random.default_rng(1)
    for edge in (20.0, 50.0, 90.0):
        camera = RenderCamera.random(edge, rng)
        one, two = camera.pixels(np.array([np.zeros(3), camera.axes()[0]]) + np.array([0, 0, 0.5]))
        assert np.hypot(*(two - one)) == pytest.approx(edge)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_face_named_lies_on_top_and_opposite_faces_make_seven(face: int) -> None:
    spin = die_rotation(face, 0.7)
    assert np.linalg.det(spin) == pytest.approx(1)
    assert spin @ FRAMES[face - 1][2] == pytest.approx([0, 0, 1])
    assert spin @ FRAMES[7 - face - 1][2] == pytest.approx([0, 0, -1])


def test_faces_are_not_mirrored() -> None:
    for right, up, outwards in FRAMES:
        assert np.cross(right, up) == pytest.approx(outwards)


def test_squares_that_share_ground_are_told() -> None:
    one = DieFootprint(0, 0, 1, 0)
    assert one.overlaps(DieFootprint(0.9, 0, 1, 0))
    assert not one.overlaps(DieFootprint(1.0, 0, 1, 0))
    assert not one.overlaps(DieFootprint(1.15, 1.15, 1, np.pi / 4))
    assert one.overlaps(DieFootprint(0.7, 0.7, 1, np.pi / 4))


def test_dice_beside_each_other_touch_and_do_not_overlap() -> None:
    rng = np.random.default_rng(8)
    one = DieFootprint(2, -1, 1, 0.4)
    for _ in range(50):
        other = one.beside(0.8, rng)
        assert not one.overlaps(other)
        assert abs((np.array([other.x - 2, other.y + 1]) @ die_rotation(1, one.yaw)[:2, :2]).round(9)).max() < 0.97


def test_dice_find_free_places_wholly_in_the_picture() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        camera = RenderCamera.random(45.0, rng)
        spots = random_spots(camera, [1.0] * 6, rng)
        assert spots
        for number, spot in enumerate(spots):
            assert not any(spot.overlaps(other) for other in spots[:number])
            left, top, width, height = box_of(spot, Form(), camera)
            assert left > 0
            assert top > 0
            assert left + width < SHAPE[1]
            assert top + height < SHAPE[0]


def test_a_rounded_die_keeps_its_faces_and_loses_its_corners() -> None:
    form = Form(0.1, 0.72)
    points, normals = rounded(np.array([[0, 0, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.0]]), form)
    assert points[0] == pytest.approx([0, 0, 0.5])
    assert normals[0] == pytest.approx([0, 0, 1])
    assert np.linalg.norm(points[1]) == pytest.approx(0.72)
    assert np.linalg.norm(points[2]) == pytest.approx(np.hypot(0.4, 0.4) + 0.1)
    assert np.abs(surface(form)).max() == pytest.approx(0.5)


@pytest.mark.parametrize("name", SETS)
def test_dice_of_every_kind_are_whole_meshes_with_paint(name: str) -> None:
    for kind in dice_sets.load(name).kinds:
        made = make_die(kind, (kind.bodies or ("white",))[0], np.random.default_rng(2))
        mesh = mesh_of(made)
        assert made.paint.shape == (2 * TILE, 3 * TILE, 3)
        assert 0 < made.paint.min() < made.paint.max() < 1
        assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-5)
        assert 0 < mesh.places.min() < mesh.places.max() < 1
        first, second, third = (mesh.points[mesh.corners[:, corner]] for corner in range(3))
        facing = np.cross(second - first, third - first)
        assert np.mean(np.einsum("ij,ij->i", facing, first) < 0) in (0.0, 1.0), "all triangles wind alike"


def test_pips_are_hollows() -> None:
    kind = dice_sets.load("pips").kinds[0]
    reliefs = [make_die(kind, "white", np.random.default_rng(seed)).relief for seed in range(8)]
    deepest = [float(relief.min()) for relief in reliefs]
    assert min(deepest) < -0.012
    assert max(float(relief.max()) for relief in reliefs) <= 0


def test_warm_light_is_red_and_daylight_is_even() -> None:
    warm, day = glow(2700), glow(6500)
    assert warm[0] > 1.5 > 0.5 > warm[2]
    assert day == pytest.approx([1, 1, 1], abs=0.08)


@pytest.mark.parametrize("number", range(len(_GROUNDS)))
def test_grounds_are_paint_without_a_seam(number: int) -> None:
    for seed in range(3):
        ground = _GROUNDS[number](np.random.default_rng(seed))
        assert ground.paint.shape == (TEXELS, TEXELS, 3)
        assert ground.paint.min() > 0
        assert float(np.median(ground.paint)) < 0.9


def test_rooms_are_lit_from_above() -> None:
    for seed in range(6):
        environment = random_environment(8.0, np.random.default_rng(seed))
        assert 1 <= len(environment.lamps) <= 3
        assert all(on_table(lamp).min() > 0 for lamp in environment.lamps)
        assert environment.sky.min() >= 0


def test_a_tray_stands_clear_of_the_dice() -> None:
    trays = 0
    for number in range(12):
        environment, _, dice, _ = scene_of(dice_sets.load("pips"), 1, number)
        for die in dice if environment.rim else ():
            trays += 1
            inner = environment.rim - RIM[0]
            assert np.abs(die.spot.corners()).max() < inner
    assert trays


def test_paths_are_many_about_the_dice_only() -> None:
    counts = path_counts([(100.0, 50.0, 40.0, 40.0)], 48)
    assert counts[70, 120] == 48
    assert counts[300, 500] == 8
    assert counts.sum() < 48 * 60 * 60 + 8 * SHAPE[0] * SHAPE[1]


def test_grain_is_taken_out_of_the_light_and_not_of_the_paint() -> None:
    rng = np.random.default_rng(0)
    albedo = np.full((40, 40, 3), 0.5, np.float32)
    albedo[:, 20:] = 0.05
    light = albedo * rng.normal(1, 0.1, albedo.shape).astype(np.float32)
    for lifted in (np.zeros((40, 40), np.float32), np.ones((40, 40), np.float32)):
        clean = denoise(light, albedo, lifted, np.full((40, 40), 8))
        assert np.std(clean[:, :18] / 0.5) < 0.6 * np.std(light[:, :18] / 0.5)
        assert np.median(clean[:, 20]) / np.median(clean[:, 19]) == pytest.approx(0.1, rel=0.1)


def test_a_developed_picture_is_exposed() -> None:
    light = np.full((*SHAPE, 3), 7.0, np.float32) * np.array([1.6, 1.0, 0.4], np.float32)
    picture = develop(light, np.array([1.6, 1.0, 0.4]), np.random.default_rng(4))
    assert picture.shape == (*SHAPE, 3)
    assert 60 < picture.mean() < 235
    assert np.ptp(picture.reshape(-1, 3).mean(0)) < 75


def test_a_camera_that_lets_in_less_light_is_the_same_one() -> None:
    light = np.repeat(np.linspace(0.1, 1.0, SHAPE[1], dtype=np.float32)[None, :, None], 3, 2).repeat(SHAPE[0], 0)
    light[:80, :80] = 3.0
    usual, dark = (develop(light, np.ones(3), np.random.default_rng(4), share) for share in (1.0, 0.5))
    assert (usual[10:70, 10:70].min(2) >= 250).mean() > 0.9
    assert (dark[10:70, 10:70].min(2) >= 250).mean() < 0.1
    assert np.median(dark) < 0.85 * np.median(usual)
    assert np.corrcoef(usual[..., 1].ravel(), dark[..., 1].ravel())[0, 1] > 0.95
    assert light_shares()[0] == 1.0
    assert light_shares()[-1] * DIMMING_STEP < MIN_LIGHT_SHARE <= light_shares()[-1]


def test_what_is_burnt_out_is_read_again_in_less_light(tmp_path: Path) -> None:
    light = np.full((*SHAPE, 3), (0.03, 0.08, 0.04), np.float32)
    left, top, width, height = (int(side) for side in BOX)
    light[top : top + height, left : left + width] = (2.0, 0.5, 0.1)
    names = [f"{step}.jpg" for step in range(len(light_shares()))]
    for name, share in zip(names, light_shares(), strict=True):
        encoded = np.clip(light * share, 0, 1)[..., ::-1] ** (1 / 2.2) * 255
        cv2.imwrite(str(tmp_path / name), encoded.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 97])
    read: list[int] = []

    class Notes:
        def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
            read.append(int(picture[top + height // 2, left + width // 2, 2]))
            return Roll(Status.ASK, (reading(1, BOX, Doubt.FACE),))

    first = cv2.imread(str(tmp_path / names[0]))
    darker = [tmp_path / name for name in names[1:]]
    read_as_watched(Notes(), first, darker, None)
    assert read[-1] < 250
    assert all(value >= 250 for value in read[:-1])
    assert 1 < len(read) < len(names)
    line = {"image": names[0], "source": "made", "set": "ball", "dice": [], "darker": names[1:]}
    (tmp_path / "photos.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    assert next(rows_of(tmp_path / "photos.jsonl")) == ((), darker)
    assert measure(tmp_path / "photos.jsonl", awaited=False, dims=True)["made"].pictures.total() == 1


def test_a_camera_is_not_steeper_than_allowed() -> None:
    tilts = [scene_of(dice_sets.load("ball"), 1, number, 25.0)[1].tilt for number in range(20)]
    assert max(tilts) <= 25
    assert max(scene_of(dice_sets.load("ball"), 1, number)[1].tilt for number in range(20)) > 25


def test_a_manifest_of_the_lines_says_what_lies_there(tmp_path: Path) -> None:
    for name in SETS:
        made = dice_sets.load(name)
        environment, camera, dice, _ = scene_of(made, 1, 0)
        (tmp_path / "photos.jsonl").write_text(
            json.dumps(manifest_row("a.jpg", name, environment, camera, dice)) + "\n", "utf-8"
        )
        (labelled,) = load_manifest(tmp_path / "photos.jsonl")
        assert labelled.dice_set == name
        assert labelled.source == f"rendered {name}"
        assert [die.face for die in labelled.dice] == [die.kind.faces[die.face - 1] for die in dice]
        assert {die.kind for die in labelled.dice} <= {kind.name for kind in made.kinds}
        assert all(die.box is not None for die in labelled.dice)
        assert next(rows_of(tmp_path / "photos.jsonl"))[0][0] == environment.ground.name


def test_scenes_can_be_had_again_and_differ_by_set_and_number() -> None:
    made = dice_sets.load("footclub")
    first, again, next_one = (scene_of(made, 1, number)[2] for number in (0, 0, 1))
    assert [(die.spot, die.face) for die in first] == [(die.spot, die.face) for die in again]
    assert [(die.spot, die.face) for die in first] != [(die.spot, die.face) for die in next_one]
    assert len({tuple(seeds_of(name, 1, 0)) for name in SETS}) == len(SETS)


def reading(value: int, box: tuple[float, float, float, float], doubt: Doubt | None = None) -> DieReading:
    return DieReading("pips", Face(value), box, Thresholds().sure, doubt)


def test_the_fates_of_dice_are_counted() -> None:
    boxes = [(0.0, 0.0, 20.0, 20.0), (50.0, 0.0, 20.0, 20.0), (100.0, 0.0, 20.0, 20.0), (0.0, 80.0, 20.0, 20.0)]
    truth = [TrueDie(Face(value), "pips", box) for value, box in enumerate(boxes, 1)]
    dice = (
        reading(1, boxes[0]),
        reading(2, boxes[1], Doubt.FACE),
        reading(5, boxes[2]),
        reading(6, (200.0, 200.0, 20.0, 20.0)),
    )
    fates = OutcomeCounts()
    bad = fates.add(Roll(Status.OK, dice), truth, ("felt",))
    assert fates.dice == Counter(right=1, asked=1, wrong=1, missed=1)
    assert [die.face.value for die, _ in bad] == [2, 3, 4]
    figures = fates.figures()
    assert figures["pictures"] == {"wrong": 1}
    assert figures["best_guess_right"] == 0.5
    assert (figures["false_certain"], figures["false_asked"]) == (1, 0)
    assert figures["by"]["felt"]["dice"] == 4


def test_a_game_awaits_what_lies_there() -> None:
    dice = (TrueDie(Face(1), "block"), TrueDie(Face(2), "block"), TrueDie(Face(2), "stop"))
    assert request_of(Labelled(Path("a.jpg"), "a.jpg", "", "nba", dice)).kinds == (("block", 2), ("stop", 1))


def test_a_crop_has_the_die_in_its_middle() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[40:60, 150:170] = 255
    crop = crop_of(picture, (150, 40, 20, 20))
    light = np.argwhere(crop[..., 0] > 127)
    assert light.mean(0) == pytest.approx(np.array(crop.shape[:2]) / 2, abs=4)
