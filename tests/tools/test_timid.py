"""Benchmarks of needless questions: questions whose best guess is right, and tables without dice."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.benchmarks import empty_tables, timid
from tools.benchmarks.timid import QuestionCounts, doubt_of, merge
from tools.training.evaluate import ReaderCache
from tools.training.throws import SETS
from vision.decision.labels import ManifestError, TrueDie
from vision.drawing.tray import DrawnDie, draw_tray
from vision.roll import DieReading, Doubt, Face, Note, Roll, Status


def reading(value: int, doubt: Doubt | None = None, x: float = 0) -> DieReading:
    return DieReading("pips", Face(value), (x, 0, 20, 20), 0.9, doubt)


def true(value: int, x: float = 0) -> TrueDie:
    return TrueDie(Face(value), "pips", (x, 0, 20, 20))


def test_dice_asked_about_are_told_by_doubt() -> None:
    counter = QuestionCounts()
    readings = (
        reading(1, Doubt.FACE),
        reading(5, Doubt.FACE, 50),
        reading(3, Doubt.COCKED, 100),
        reading(4, None, 150),
    )
    counter.add(Roll(Status.ASK, readings), [true(1), true(2, 50), true(3, 100), true(4, 150), true(6, 300)])
    assert counter.figures() == {
        "dice": 5,
        "asked": 0.6,
        "timid": 0.4,
        "by_doubt": {
            "cocked": {"asked": 1, "best_guess_right": 1},
            "face": {"asked": 2, "best_guess_right": 1},
        },
    }
    assert merge([counter, counter]).figures()["dice"] == 10


def test_a_roll_that_is_asked_about_with_every_die_certain_has_its_note_as_doubt() -> None:
    sure = reading(1)
    assert doubt_of(Roll(Status.ASK, (sure,), notes=(Note.POOR_LIGHT,)), sure) == "roll: poor_light"
    assert doubt_of(Roll(Status.ASK, (sure, reading(2, Doubt.FACE))), sure) is None
    assert doubt_of(Roll(Status.OK, (sure,)), sure) is None
    assert doubt_of(Roll(Status.ASK), None) is None


def rendered_folder(folder: Path) -> Path:
    (folder / "pips").mkdir()
    picture = draw_tray([DrawnDie(face=4, x=300, y=200, edge=46)], np.random.default_rng(1))
    cv2.imwrite(str(folder / "pips" / "a.png"), picture)
    row = {"image": "a.png", "source": "rendered pips", "set": "pips", "dice": [{"value": 4}], "darker": []}
    (folder / "pips" / "photos.jsonl").write_text(json.dumps(row) + "\n")
    return folder


def test_a_small_measure_of_timid_dice(tmp_path: Path) -> None:
    figures = timid.measure(1, rendered_folder(tmp_path))
    assert set(figures["drawn"]["sets"]) == set(SETS)
    assert figures["rendered"]["sets"]["pips"]["dice"] == 1
    assert figures["dice"] == figures["drawn"]["dice"] + 1
    assert figures["limits"] == {"timid": 0.03}
    assert json.loads(json.dumps(figures)) == figures


def test_a_folder_without_rendered_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="no rendered pictures"):
        timid.measure(1, tmp_path)


def test_drawn_throws_end_with_the_dice_asked_for() -> None:
    found = list(timid.drawn_readings(ReaderCache().get("pips"), 7))
    assert sum(len(truth) for _, truth in found[:-1]) < 7 <= sum(len(truth) for _, truth in found)


def test_tables_without_dice_are_read_by_every_set(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "none.png"), draw_tray([], np.random.default_rng(1)))
    rows = [
        {"image": "none.png", "source": "one", "dice": []},
        {"image": "some.png", "source": "one", "dice": [{"value": 1}]},
    ]
    photos = tmp_path / "photos.jsonl"
    photos.write_text("".join(json.dumps(row) + "\n" for row in rows))
    figures = empty_tables.measure(photos, limit=1)
    assert {group: set(figures[group]) for group in ("drawn", "photographs")} == {
        "drawn": set(SETS),
        "photographs": set(SETS),
    }
    assert all(row["pictures"] == 1 for row in figures["photographs"].values())
    assert set(figures["kept"]) == {"certain", "several"}
