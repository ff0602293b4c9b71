"""A camera that is set up from the first look on: what is found, kept, used again, and said of a camera that is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision import dice_sets
from vision.calibration.calibrated import Calibrated
from vision.calibration.record import Calibration, Unreadable, load, save
from vision.calibration.rectification import corner_distance
from vision.calibration_words import (
    Aspect,
    Calibrate,
    CalibrationKept,
    Finding,
    Fit,
    KeepCalibration,
    LeaveCalibration,
    Step,
    StepDone,
    TrayHealth,
    health_of,
)
from vision.cameras.simulated_effects import Lens, Mount
from vision.cameras.simulated_tray import RiggedTray
from vision.decision.reader import Reader
from vision.detection.fixed_camera import CameraPrior
from vision.detection.table_plane import Overhead
from vision.roll import SeenRoll
from vision.watching.worker import Observer, TrayCommand

HUNG = Mount(0.06, -0.05, 0.03, 0.8, (30, -20))
DAY = "2026-03-14T18:30:00+01:00"


def rig(seed: int = 5, mount: Mount = HUNG) -> RiggedTray:
    """A tray under a camera that hangs askew and is out of focus."""
    return RiggedTray(seed, mount=mount, lens=Lens(at=7.0))


def told(camera: Calibrated, wanted: type, frames: int = 150) -> Any:
    """The next news of that kind."""
    for _ in range(frames):
        camera.frame(0.0)
        for news in camera.take_news():
            if isinstance(news, wanted):
                return news
    raise AssertionError(f"no {wanted.__name__} in {frames} frames")


def done(camera: Calibrated, step: Step, corners: tuple[tuple[float, float], ...] = ()) -> StepDone:
    """What a step finds."""
    camera.order(Calibrate(step, corners))
    found: StepDone = told(camera, StepDone)
    assert found.step is step
    return found


def set_up(camera: Calibrated, tray: RiggedTray) -> dict[Step, StepDone]:
    """All steps, with the card, and kept."""
    camera.open()
    found = {step: done(camera, step) for step in (Step.PICTURE, Step.CORNERS, Step.LIGHT)}
    tray.lay_card()
    found[Step.CARD] = done(camera, Step.CARD)
    tray.clear(by_hand=False)
    found[Step.TRY] = done(camera, Step.TRY)
    camera.order(KeepCalibration(DAY, 5, 6, (36.0, 37.0, 35.0)))
    kept: CalibrationKept = told(camera, CalibrationKept)
    assert kept == CalibrationKept()
    return found


def test_all_steps_find_the_truth_and_are_kept(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "data" / "calibration.json"
    found = set_up(Calibrated(tray, file), tray)
    assert all(step.done for step in found.values())
    assert tray.lens.at == pytest.approx(tray.lens.best, abs=0.35)
    assert corner_distance(found[Step.CORNERS].corners, HUNG.corners()) < 1.5
    kept = load(file)
    assert kept is not None
    assert kept.camera == "simulated tray"
    assert (kept.made, kept.right, kept.trials, kept.edge) == (DAY, 5, 6, 36.0)
    assert corner_distance(kept.corners, HUNG.corners()) < 1.5
    assert kept.dioptres == pytest.approx(tray.lens.best, abs=0.35)
    ground = kept.ground()
    assert ground is not None
    assert ground.shape == (480, 640, 3)
    assert {finding.aspect for finding in kept.found()} == set(Aspect)


def test_another_start_takes_up_what_was_kept_and_says_how_the_tray_is(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(Calibrated(tray, file), tray)
    again = rig(seed=5)
    camera = Calibrated(again, file)
    camera.open()
    health: TrayHealth = told(camera, TrayHealth)
    assert again.lens.at == pytest.approx(again.lens.best, abs=0.35)
    assert (health.fit, health.mend, health.made, health.drifted) == (Fit.GOOD, None, DAY, False)
    assert health.figure > 85
    picture = camera.frame(0.0).picture
    assert picture.shape[1] < 600
    assert camera.view is not None
    again.hang(shift=(38, -26))
    moved: TrayHealth = told(camera, TrayHealth, 60)
    assert (moved.mend, moved.drifted) == (Aspect.SEEN, True)
    assert moved.figure < health.figure


def test_a_camera_that_was_moved_overnight_is_said_at_the_start(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(Calibrated(tray, file), tray)
    camera = Calibrated(rig(mount=Mount(0.06, -0.05, 0.06, 0.8, (36, -20))), file)
    camera.open()
    health: TrayHealth = told(camera, TrayHealth)
    assert (health.fit, health.mend, health.drifted) == (Fit.GOOD, Aspect.SEEN, True)


def test_a_move_is_noticed_also_where_a_hand_hides_the_tray_at_the_start(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(Calibrated(tray, file), tray)
    again = rig(mount=Mount(0.06, -0.05, 0.03, 0.8, (40, -28)))
    again.hand(stays=0.6)
    camera = Calibrated(again, file)
    camera.open()
    said = []
    for _ in range(240):
        camera.frame(0.0)
        said += [news.mend for news in camera.take_news() if isinstance(news, TrayHealth)]
    assert Aspect.SEEN in said


@pytest.mark.parametrize("change", [{"camera": "webcam camera:0"}, {"size": [1280, 720]}], ids=str)
def test_another_cameras_calibration_is_said_and_not_used(tmp_path: Path, change: dict[str, object]) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(Calibrated(tray, file), tray)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    camera = Calibrated(rig(), file)
    camera.open()
    assert told(camera, TrayHealth) == TrayHealth(Fit.FOREIGN)
    assert camera.frame(0.0).picture.shape == (480, 640, 3)
    assert camera.view is None


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text[: len(text) // 2], "calibration.json"),
        (lambda text: "", "calibration.json"),
        (lambda text: text.replace('"version": 1', '"version": 7'), "version 7"),
        (lambda text: json.dumps(json.loads(text) | {"size": "big"}), "size"),
        (lambda text: text.replace('"made"', '"mode"'), "mode"),
    ],
    ids=["cut", "empty", "newer", "size", "unknown"],
)
def test_a_damaged_file_is_said_and_not_used(tmp_path: Path, spoil: Callable[[str], str], words: str) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(Calibrated(tray, file), tray)
    file.write_text(spoil(file.read_text()))
    with pytest.raises(Unreadable, match=words):
        load(file)
    camera = Calibrated(rig(), file)
    camera.open()
    assert told(camera, TrayHealth) == TrayHealth(Fit.DAMAGED)


def test_dragged_corners_count_and_bad_ones_do_not(tmp_path: Path) -> None:
    camera = Calibrated(rig(), tmp_path / "calibration.json")
    camera.open()
    places = ((80.0, 70.0), (540.0, 90.0), (545.0, 425.0), (60.0, 420.0))
    assert done(camera, Step.CORNERS, places).corners == places
    crossed = done(camera, Step.CORNERS, ((80.0, 70.0), (90.0, 70.0), (90.0, 80.0), (80.0, 80.0)))
    assert not crossed.done


def test_leaving_keeps_nothing_and_a_disk_that_fails_is_said(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "calibration.json"
    camera = Calibrated(rig(), file)
    camera.open()
    done(camera, Step.CORNERS, ((80.0, 70.0), (540.0, 90.0), (545.0, 425.0), (60.0, 420.0)))
    (tmp_path / "folder").write_text("a file where a folder should be")
    camera.order(KeepCalibration(DAY))
    assert "folder" in told(camera, CalibrationKept).fault
    camera.order(LeaveCalibration())
    assert camera.frame(0.0).picture.shape == (480, 640, 3)
    camera.order(KeepCalibration(DAY))
    assert told(camera, CalibrationKept).fault


def test_a_file_is_the_old_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "calibration.json"
    corners = ((1.0, 1.0), (600.0, 1.0), (600.0, 400.0), (1.0, 400.0))
    save(file, Calibration("one", (640, 480), DAY, corners))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(file, Calibration("two", (640, 480), DAY, corners))
    monkeypatch.undo()
    kept = load(file)
    assert kept is not None
    assert kept.camera == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["calibration.json"]


def test_dice_are_read_in_the_trays_picture(tmp_path: Path) -> None:
    """Through the very observer that plays: boxes lie in the tray's picture, values are right, none seems cocked."""
    tray, file = rig(), tmp_path / "calibration.json"
    camera = Calibrated(tray, file)
    set_up(camera, tray)
    reader = Reader(dice_sets.load("pips"), view=Overhead(), one_tray=True)
    observer = Observer(camera, lambda name: reader, lambda: tray.t)
    observer.command(TrayCommand("throw", ([("pips", 5, "white"), ("pips", 2, "red"), ("pips", 6, "blue")],)))
    rolls = [news for _ in range(240) for news in observer.step(0.0) if isinstance(news, SeenRoll)]
    assert [sorted(die.face.value or 0 for die in roll.roll.dice) for roll in rolls] == [[2, 5, 6]]
    assert all(die.certain for die in rolls[0].roll.dice)
    assert rolls[0].size == (camera.frame(0.0).picture.shape[1], camera.frame(0.0).picture.shape[0])
    assert reader.view == camera.view


def test_what_dice_told_of_the_camera_is_kept_with_the_calibration(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    camera = Calibrated(tray, file)
    set_up(camera, tray)
    assert camera.learnt is None
    learnt = CameraPrior((0.5, 0.5), (1.5, -2.0), 2.0, 1.1, 0.1)
    camera.keep_learnt(learnt)
    written = file.read_bytes()
    camera.keep_learnt(replace(learnt, tilt=(1.6, -2.1)))
    assert file.read_bytes() == written, "hardly another one"
    again = Calibrated(tray, file)
    again.open()
    again.frame(0.0)
    assert again.learnt is not None
    assert (again.learnt.tilt, again.learnt.focal) == ((1.5, -2.0), 1.1)
    assert again.view is not None
    assert again.learnt.principal == again.view.foot


def test_a_set_up_table_learns_where_its_camera_stands_from_its_rolls(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    camera = Calibrated(tray, file)
    set_up(camera, tray)
    reader = Reader(dice_sets.load("pips"), one_tray=True)
    observer = Observer(camera, lambda name: reader, lambda: tray.t)
    for faces in ((5, 2, 6), (1, 3, 4), (2, 2, 5)):
        observer.command(TrayCommand("throw", ([("pips", face, "white") for face in faces],)))
        for _ in range(240):
            observer.step(0.0)
        observer.command(TrayCommand("clear"))
        for _ in range(60):
            observer.step(0.0)
    kept = load(file)
    assert kept is not None
    assert kept.learnt is not None
    assert np.hypot(*kept.learnt.tilt) < 4


def test_the_worst_counts_as_much_as_all_together() -> None:
    good = tuple(Finding(aspect, 1.0) for aspect in Aspect)
    assert health_of(good) == (100, None)
    assert health_of(()) == (0, None)
    figure, mend = health_of((*good, Finding(Aspect.GLARE, 0.2)))
    assert mend is Aspect.GLARE
    assert 50 < figure < 60


@pytest.mark.parametrize("step", [Step.PICTURE, Step.CORNERS, Step.LIGHT])
def test_a_camera_is_set_up_in_all_its_light(step: Step, tmp_path: Path) -> None:
    tray = rig()
    camera = Calibrated(tray, tmp_path / "kept.json")
    set_up(camera, tray)
    assert camera.limit_light(0.5)
    assert [camera.frame(0.0).dimmed for _ in range(6)][-1] == 0.5
    if step is not Step.PICTURE:
        done(camera, Step.PICTURE)
        camera.order(LeaveCalibration())
        assert camera.limit_light(0.5)
    camera.order(Calibrate(step))
    assert not camera.limit_light(0.5)
    assert [camera.frame(0.0).dimmed for _ in range(6)][-1] == 1.0
