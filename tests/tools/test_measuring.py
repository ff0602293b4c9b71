"""The reader's benchmarks: rendered tables with ground truth, outcome counts, curves, photographs by source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tools.benchmarks.photographs import measure_photographs, unreadable_count, view_of
from tools.benchmarks.scores import match_by_position
from tools.training.drawn_table import CameraViews, SeenDie, draw_dice, draw_empty
from tools.training.evaluate import by_source, curve_of, read_all, select_pictures, with_min_confidence
from tools.training.throws import ThrowCounts, ThrowPlan, drawn_empty, measure_empty, measure_set, pictures_in
from vision import dice_sets
from vision.decision.labels import Labelled, ManifestError, TrueDie
from vision.decision.reader import Reader
from vision.drawing.tray import DrawnDie, draw_tray
from vision.roll import DieReading, Doubt, Face, Roll, Status

FOOTCLUB = dice_sets.load("footclub")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dice_sets.load("pips"))


@pytest.mark.parametrize("seed", range(6))
def test_drawn_dice_lie_whole_in_the_picture_and_apart(seed: int) -> None:
    picture, dice = draw_dice(FOOTCLUB.kinds, 5, np.random.default_rng([9, seed]), CameraViews((20, 60), 50))
    height, width = picture.shape[:2]
    assert len(dice) == 5
    assert picture.dtype == np.uint8
    for seen in dice:
        assert seen.die.box is not None
        left, top, wide, tall = seen.die.box
        assert min(left, top) >= 0
        assert left + wide <= width
        assert top + tall <= height
        assert 0.9 * seen.edge < min(wide, tall) < 2 * seen.edge
        assert 20 <= seen.edge <= 60
        assert 0 <= seen.tilt <= 60


def test_the_same_seed_draws_the_same_picture() -> None:
    (one, truth), (other, same) = (draw_dice(FOOTCLUB.kinds, 3, np.random.default_rng(4)) for _ in range(2))
    assert (one == other).all()
    assert truth == same


def test_one_room_keeps_its_table_camera_and_light_whatever_is_thrown() -> None:
    (one, dice), (other, others) = (
        draw_dice(FOOTCLUB.kinds, 2, np.random.default_rng(thrown), CameraViews((20, 30), 20), np.random.default_rng(7))
        for thrown in (1, 2)
    )
    assert one.shape == other.shape
    assert [seen.die for seen in dice] != [seen.die for seen in others]
    assert dice[0].edge == pytest.approx(others[0].edge)
    assert np.median(np.abs(one.astype(int) - other.astype(int))) < 20


def test_throws_on_one_table_are_read_by_a_reader_that_remembers_its_light(reader: Reader) -> None:
    figures = measure_set(reader, 4, ThrowPlan((2, 2), 5, CameraViews((30, 40), 10), tray=2))
    assert figures["tray"] == 2
    assert figures["throws"] == 2
    assert figures["dice"] == 4


def test_the_truth_is_what_is_drawn(reader: Reader) -> None:
    """Large white dice from above: the reader finds most of them at the true position with the true face."""
    kinds = (dice_sets.Kind("pips", "pips", ("white",), FOOTCLUB.kinds[0].faces),)
    dice = right = 0
    for seed in range(2):
        picture, seen_dice = draw_dice(kinds, 4, np.random.default_rng([2, seed]), CameraViews((50, 60), 10))
        truth = [seen.die for seen in seen_dice]
        readings = match_by_position(truth, reader.read(picture).dice)
        dice += len(truth)
        right += sum(found is not None and found.face == die.face for die, found in zip(truth, readings, strict=True))
    assert right >= 0.7 * dice


def test_an_empty_table_is_drawn_too() -> None:
    picture = draw_empty(np.random.default_rng(1))
    assert picture.ndim == 3
    assert picture.std() > 0


def seen(value: int, x: float, tilt: float = 5, edge: float = 20) -> SeenDie:
    return SeenDie(TrueDie(Face(value), "pips", (x, 0, edge, edge)), tilt, edge, 90)


def reading(value: int, x: float, doubt: Doubt | None = None, confidence: float = 0.9) -> DieReading:
    return DieReading("pips", Face(value), (x, 0, 20, 20), confidence, doubt)


def test_every_die_of_a_throw_has_its_fate() -> None:
    dice = [seen(1, 0), seen(2, 50), seen(3, 100, tilt=50), seen(4, 150)]
    read = (reading(1, 0), reading(5, 50), reading(3, 100, Doubt.FACE), reading(6, 400))
    throws = ThrowCounts()
    assert throws.add(Roll(Status.ASK, read), dice) == "asked"
    assert throws.die_outcomes == {"right": 1, "wrong": 1, "asked": 1, "missed": 1}
    figures = throws.figures()
    assert figures["per_die"]["best_guess_right"] == 0.5
    assert (figures["per_die"]["false_certain"], figures["per_die"]["wrong_or_false"]) == (1, 0.5)
    assert figures["by"]["tilt_degrees"]["45-60"] == {
        "dice": 1, "right": 0.0, "asked": 1.0, "wrong": 0.0, "missed": 0.0,
    }  # fmt: skip
    assert figures["by"]["tilt_degrees"]["0-15"]["dice"] == 3
    assert figures["per_die"]["right_at_least"] < 0.25 < figures["per_die"]["wrong_or_false_at_most"]


def test_a_small_measure_of_a_set(reader: Reader) -> None:
    saved: list[str] = []
    plan = ThrowPlan((2, 4), views=CameraViews((40, 60), 10), awaited=True)
    figures = measure_set(reader, 6, plan, lambda name, picture: saved.append(name))
    assert figures["dice"] >= 6
    assert figures["set"] == "pips"
    assert figures["exact"] + figures["asked"] + figures["wrong"] == pytest.approx(1, abs=1e-3)
    assert len(saved) == round((1 - figures["exact"]) * figures["throws"])
    assert json.loads(json.dumps(figures)) == figures


def test_tables_without_dice_are_counted(reader: Reader) -> None:
    figures = measure_empty(reader, drawn_empty(1))
    assert figures["pictures"] == 1
    assert figures["certain"] + figures["asked"] + figures["empty"] == pytest.approx(1, abs=1e-3)
    assert figures["certain_at_most"] > 0.6
    assert figures["several"] in (0.0, 1.0)


def test_a_picture_that_cannot_be_opened_is_told_and_counted_apart(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "torn.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "whole.png"), draw_tray([], np.random.default_rng(1)))
    complaints: list[str] = []
    figures = measure_empty(reader, pictures_in(tmp_path, complaints.append))
    assert (figures["pictures"], figures["not_read"], figures["empty"]) == (1, 1, 1.0)
    assert len(complaints) == 1
    assert "torn.jpg: not a picture" in complaints[0]


def test_a_stricter_threshold_asks_and_never_answers() -> None:
    roll = Roll(Status.OK, (reading(1, 0), reading(2, 50, confidence=0.6)))
    assert with_min_confidence(roll, 0.5) == roll
    asked = with_min_confidence(roll, 0.8)
    assert (asked.status, [die.doubt for die in asked.dice]) == (Status.ASK, [None, Doubt.FACE])
    awaiting = Roll(Status.ASK, (reading(1, 0),))
    assert with_min_confidence(awaiting, 0.5).status is Status.ASK
    assert with_min_confidence(Roll(Status.EMPTY), 0.99).status is Status.EMPTY


def manifest(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "photos.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_photographs_are_told_by_source_and_as_a_mean(tmp_path: Path) -> None:
    dice = [DrawnDie(face=face, x=150 + 150 * face, y=200, edge=46) for face in (1, 2)]
    cv2.imwrite(str(tmp_path / "a.png"), draw_tray(dice, np.random.default_rng(1)))
    right, wrong = [{"value": 1}, {"value": 2}], [{"value": 1}, {"value": 6}]
    complaints: list[str] = []
    photos = manifest(
        tmp_path,
        {"image": "a.png", "source": "one", "dice": right},
        {"image": "a.png", "source": "two", "dice": wrong},
        {"image": "lost.png", "source": "two", "dice": right},
    )
    done = read_all(select_pictures(photos), True, complaints.append)
    figures = by_source(done)
    assert {source: row["exact"] for source, row in figures["sources"].items()} == {"one": 1.0, "two": 0.0}
    two = figures["sources"]["two"]
    assert (two["pictures"], two["not_read"], two["wrong"], two["value_right_when_found"]) == (1, 1, 1.0, 0.5)
    assert (two["dice_right"], two["dice_wrong"], two["dice_best_guess_right"]) == (0.5, 0.5, 0.5)
    assert figures["mean"]["exact"] == 0.5
    assert "lost.png" in complaints[0]
    asked = [point["asked"] or 0.0 for point in curve_of(done)]
    assert asked == sorted(asked)


def test_photographs_are_told_apart_by_view_with_their_number_told_and_not(tmp_path: Path) -> None:
    dice = [DrawnDie(face=face, x=150 + 150 * face, y=200, edge=46) for face in (1, 2)]
    cv2.imwrite(str(tmp_path / "two.png"), draw_tray(dice, np.random.default_rng(1)))
    cv2.imwrite(str(tmp_path / "none.png"), draw_tray([], np.random.default_rng(1)))
    labels = [{"value": 1}, {"value": 2}]
    photos = manifest(
        tmp_path,
        {"image": "two.png", "source": "one", "dice": labels, "tags": ["topdown"], "due": {"any": 2}},
        {"image": "two.png", "source": "two", "dice": [*labels, {"value": 3}], "tags": ["oblique"]},
        {"image": "none.png", "source": "one", "dice": [], "tags": ["negative"]},
        {"image": "lost.png", "source": "two", "dice": labels, "tags": ["crop"]},
    )
    complaints: list[str] = []
    figures = measure_photographs(photos, complaints.append)
    views = {mode: figures[mode]["views"] for mode in ("not_told", "told")}
    assert all(set(of) == {"above", "oblique", "no_dice", "crops"} for of in views.values())
    assert views["not_told"]["above"]["mean"]["exact"] == 1.0
    assert views["not_told"]["no_dice"]["sources"]["one"]["exact"] == 1.0
    assert (views["not_told"]["oblique"]["mean"]["wrong"], views["told"]["oblique"]["mean"]["asked"]) == (1.0, 1.0)
    assert figures["told"]["sources"]["one"]["pictures"] == 2
    assert (unreadable_count(figures), len(complaints)) == (1, 2)


@pytest.mark.parametrize(
    ("dice", "tags", "view"),
    [
        (1, ["topdown", "wood"], "above"),
        (1, ["webcam"], "above"),
        (1, ["oblique"], "oblique"),
        (1, ["steep", "lamps1"], "oblique"),
        (1, ["oblique", "clutter"], "clutter"),
        (1, ["clutter-as-die"], "clutter"),
        (1, ["crop", "oblique"], "crops"),
        (1, ["cropped-copy"], "above"),
        (0, ["negative", "clutter"], "no_dice"),
    ],
)
def test_the_view_is_told_by_tags(dice: int, tags: list[str], view: str) -> None:
    assert view_of(Labelled(Path("a"), "a", "one", "pips", (TrueDie(Face(1)),) * dice), tags) == view


def test_no_pictures_of_a_source_is_said(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="no pictures of a source with 'moon'"):
        select_pictures(manifest(tmp_path, {"image": "a", "source": "one", "dice": []}), part="moon")
