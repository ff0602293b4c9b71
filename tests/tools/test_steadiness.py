"""The robustness benchmark: image transformations that keep the dice, counts of readings, comparison of answers."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.benchmarks.perturbations import PERTURBATIONS, ROTATIONS, SHIFT
from tools.benchmarks.steadiness import Count, answer, drawn, evenly_spaced, measure
from tools.training.throws import SETS
from vision.decision.labels import TrueDie
from vision.drawing.tray import DrawnDie, draw_tray
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Face, Roll, Status

TRUTH = (TrueDie(Face(1)),)


@pytest.fixture(scope="module")
def tray() -> Picture:
    return draw_tray([DrawnDie(face=4, x=300, y=200, edge=46)], np.random.default_rng(1))


def reading(value: int, doubt: Doubt | None = None) -> DieReading:
    return DieReading("pips", Face(value), (0, 0, 20, 20), 0.9, doubt)


def test_there_are_twelve_disguises() -> None:
    assert len(PERTURBATIONS) == 12
    assert set(PERTURBATIONS) > ROTATIONS


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_a_disguise_is_mild_and_repeatable_and_leaves_the_picture_alone(name: str, tray: Picture) -> None:
    before = tray.copy()
    one, other = (PERTURBATIONS[name](tray, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.array_equal(tray, before)
    assert (one.dtype, one.ndim) == (np.uint8, 3)
    assert not np.array_equal(one, tray)
    assert 0.74 * tray.mean() < one.mean() < 1.26 * tray.mean()


def test_light_and_place_change_as_said(tray: Picture) -> None:
    rng = np.random.default_rng(2)
    warm, cold = (PERTURBATIONS[name](tray, rng).astype(int) - tray for name in ("warmer", "colder"))
    assert warm[..., 2].mean() > 0 > warm[..., 0].mean()
    assert cold[..., 0].mean() > 0 > cold[..., 2].mean()
    assert np.array_equal(PERTURBATIONS["shifted"](tray, rng)[SHIFT:, SHIFT:], tray[:-SHIFT, :-SHIFT])
    assert PERTURBATIONS["halved"](tray, rng).shape[:2] == (tray.shape[0] // 2, tray.shape[1] // 2)
    assert np.array_equal(PERTURBATIONS["turned_180"](tray, rng), tray[::-1, ::-1])


def test_an_answer_is_what_is_said_with_certainty() -> None:
    asked = Roll(Status.ASK, (reading(1), reading(2, Doubt.FACE)))
    assert answer(asked) == answer(Roll(Status.ASK, (reading(5, Doubt.FACE), reading(1))))
    assert answer(asked) != answer(Roll(Status.ASK, (reading(3), reading(2, Doubt.FACE))))
    assert answer(Roll(Status.OK, (reading(1),))) != answer(Roll(Status.OK, (reading(2),)))


def test_wrong_readings_are_counted_by_what_was_said() -> None:
    untouched = Roll(Status.OK, (reading(1),))
    count = Count()
    for roll in (
        untouched,
        Roll(Status.OK, (reading(2),)),
        Roll(Status.EMPTY),
        Roll(Status.ASK, (reading(1, Doubt.FACE),)),
    ):
        count.add(roll, TRUTH, untouched)
    assert count.figures() == {
        "readings": 4,
        "ok_wrong": 1,
        "ok_wrong_of_10000": 2500.0,
        "empty_wrong_of_10000": 2500.0,
        "asked": 0.25,
        "changed": 0.75,
        "status_changed": 0.5,
    }
    assert Count().figures()["changed"] is None


def test_a_sample_is_spread_over_the_manifest() -> None:
    assert evenly_spaced(10, 3) == [0, 3, 6]
    assert evenly_spaced(3, None) == evenly_spaced(3, 9) == [0, 1, 2]


def test_throws_are_drawn_of_every_set() -> None:
    cases = list(drawn(1))
    assert [case.dice_set for case in cases] == list(SETS)
    assert all(case.truth and case.group == "drawn" for case in cases)


def test_a_small_measure(tray: Picture, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), tray)
    rows = [
        {"image": "a.png", "source": "one", "dice": [{"value": 4}], "tags": [tag]} for tag in ("topdown", "oblique")
    ]
    rows.append({"image": "lost.png", "source": "one", "dice": []})
    photos = tmp_path / "photos.jsonl"
    photos.write_text("".join(json.dumps(row) + "\n" for row in rows))
    figures = measure(photos, throws=0)
    assert figures["pictures"] == figures["groups"]["photographs"]["pictures"] == 2
    assert figures["untouched"]["ok_wrong"] == 0
    assert figures["disguised"]["readings"] == 12 + 10
    assert {name: row["readings"] for name, row in figures["by_disguise"].items() if name in ROTATIONS} == {
        "turned_90": 1,
        "turned_180": 1,
    }
    assert figures["kept"] == {"ok_wrong": True, "changed": True}
    assert json.loads(json.dumps(figures)) == figures
