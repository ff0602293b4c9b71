"""A calibrated camera: the values found, saved and used again, and the messages for an uncalibrated camera."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision import dice_sets
from vision.calibration.calibrated import CalibratedCamera
from vision.calibration.record import Calibration, UnreadableCalibration, load, save
from vision.calibration.rectification import corner_distance
from vision.calibration_messages import (
    Aspect,
    CalibrateStep,
    CalibrationSaved,
    CalibrationStatus,
    CalibrationStep,
    Finding,
    RevertCalibration,
    SaveCalibration,
    StepResult,
    TrayHealth,
    overall_health,
)
from vision.cameras.simulated_effects import Lens, Mount
from vision.cameras.simulated_tray import AdjustableTray
from vision.decision.reader import Reader
from vision.detection.fixed_camera import CameraPrior
from vision.detection.table_plane import Overhead
from vision.roll import SeenRoll
from vision.watching.worker import Observer, TrayCommand

HUNG = Mount(0.06, -0.05, 0.03, 0.8, (30, -20))
DAY = "2026-03-14T18:30:00+01:00"


def rig(seed: int = 5, mount: Mount = HUNG) -> AdjustableTray:
    """Return a tray under a tilted, unfocused camera."""
    return AdjustableTray(seed, mount=mount, lens=Lens(at=7.0))


def next_news(camera: CalibratedCamera, wanted: type, frames: int = 150) -> Any:
    """Return the next news of that type."""
    for _ in range(frames):
        camera.frame(0.0)
        for news in camera.pop_news():
            if isinstance(news, wanted):
                return news
    raise AssertionError(f"no {wanted.__name__} in {frames} frames")


def done(camera: CalibratedCamera, step: CalibrationStep, corners: tuple[tuple[float, float], ...] = ()) -> StepResult:
    """Return the result of a step."""
    camera.carry_out(CalibrateStep(step, corners))
    found: StepResult = next_news(camera, StepResult)
    assert found.step is step
    return found


def set_up(camera: CalibratedCamera, tray: AdjustableTray) -> dict[CalibrationStep, StepResult]:
    """Run all steps with the card, and save."""
    camera.open()
    found = {
        step: done(camera, step) for step in (CalibrationStep.PICTURE, CalibrationStep.CORNERS, CalibrationStep.LIGHT)
    }
    tray.lay_card()
    found[CalibrationStep.CARD] = done(camera, CalibrationStep.CARD)
    tray.clear(by_hand=False)
    found[CalibrationStep.TEST] = done(camera, CalibrationStep.TEST)
    camera.carry_out(SaveCalibration(DAY, 5, 6, (36.0, 37.0, 35.0)))
    kept: CalibrationSaved = next_news(camera, CalibrationSaved)
    assert kept == CalibrationSaved()
    return found


def test_all_steps_find_the_truth_and_are_kept(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "data" / "calibration.json"
    found = set_up(CalibratedCamera(tray, file), tray)
    assert all(step.done for step in found.values())
    assert tray.lens.at == pytest.approx(tray.lens.best, abs=0.35)
    assert corner_distance(found[CalibrationStep.CORNERS].corners, HUNG.corners()) < 1.5
    kept = load(file)
    assert kept is not None
    assert kept.camera == "simulated tray"
    assert (kept.made, kept.right, kept.trials, kept.edge) == (DAY, 5, 6, 36.0)
    assert corner_distance(kept.corners, HUNG.corners()) < 1.5
    assert kept.dioptres == pytest.approx(tray.lens.best, abs=0.35)
    ground = kept.ground()
    assert ground is not None
    assert ground.shape == (480, 640, 3)
    assert {finding.aspect for finding in kept.saved_findings()} == set(Aspect)


def test_another_start_takes_up_what_was_kept_and_says_how_the_tray_is(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    again = rig(seed=5)
    camera = CalibratedCamera(again, file)
    camera.open()
    health: TrayHealth = next_news(camera, TrayHealth)
    assert again.lens.at == pytest.approx(again.lens.best, abs=0.35)
    assert (health.status, health.worst_aspect, health.made, health.drifted) == (
        CalibrationStatus.GOOD,
        None,
        DAY,
        False,
    )
    assert health.score > 85
    picture = camera.frame(0.0).picture
    assert picture.shape[1] < 600
    assert camera.view is not None
    again.hang(shift=(38, -26))
    moved: TrayHealth = next_news(camera, TrayHealth, 60)
    assert (moved.worst_aspect, moved.drifted) == (Aspect.SEEN, True)
    assert moved.score < health.score


def test_a_camera_that_was_moved_overnight_is_said_at_the_start(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    camera = CalibratedCamera(rig(mount=Mount(0.06, -0.05, 0.06, 0.8, (36, -20))), file)
    camera.open()
    health: TrayHealth = next_news(camera, TrayHealth)
    assert (health.status, health.worst_aspect, health.drifted) == (CalibrationStatus.GOOD, Aspect.SEEN, True)


def test_a_move_is_noticed_also_where_a_hand_hides_the_tray_at_the_start(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    again = rig(mount=Mount(0.06, -0.05, 0.03, 0.8, (40, -28)))
    again.hand(stays=0.6)
    camera = CalibratedCamera(again, file)
    camera.open()
    aspects = []
    for _ in range(240):
        camera.frame(0.0)
        aspects += [news.worst_aspect for news in camera.pop_news() if isinstance(news, TrayHealth)]
    assert Aspect.SEEN in aspects


@pytest.mark.parametrize("change", [{"camera": "webcam camera:0"}, {"size": [1280, 720]}], ids=str)
def test_another_cameras_calibration_is_said_and_not_used(tmp_path: Path, change: dict[str, object]) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    camera = CalibratedCamera(rig(), file)
    camera.open()
    assert next_news(camera, TrayHealth) == TrayHealth(CalibrationStatus.FOREIGN)
    assert camera.frame(0.0).picture.shape == (480, 640, 3)
    assert camera.view is None


@pytest.mark.parametrize(
    ("spoil", "pattern"),
    [
        (lambda text: text[: len(text) // 2], "calibration.json"),
        (lambda text: "", "calibration.json"),
        (lambda text: text.replace('"version": 1', '"version": 7'), "version 7"),
        (lambda text: json.dumps(json.loads(text) | {"size": "big"}), "size"),
        (lambda text: text.replace('"made"', '"mode"'), "mode"),
    ],
    ids=["cut", "empty", "newer", "size", "unknown"],
)
def test_a_damaged_file_is_said_and_not_used(tmp_path: Path, spoil: Callable[[str], str], pattern: str) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    file.write_text(spoil(file.read_text()))
    with pytest.raises(UnreadableCalibration, match=pattern):
        load(file)
    camera = CalibratedCamera(rig(), file)
    camera.open()
    assert next_news(camera, TrayHealth) == TrayHealth(CalibrationStatus.DAMAGED)


def changed(**fields: object) -> Callable[[bytes], bytes]:
    return lambda content: json.dumps(json.loads(content) | fields).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content.replace(b'"made"', b'"m\xffde"'),
        lambda content: content[: len(content) // 2],
        lambda content: b"[" * 100_000,
        lambda content: content + b" " * 5_000_000,
        changed(corners=[[0, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]]),
        changed(corners=[[5, 5]] * 4),
        changed(size=[640, 10**9]),
        changed(focal=0),
        changed(gains=[1e300, 1, 1]),
        changed(empty="no picture"),
        changed(empty="####"),
    ],
    ids=["utf8", "cut", "deep", "large", "far", "point", "size", "focal", "gains", "picture", "base64"],
)
def test_whatever_the_file_contains_the_camera_delivers(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    set_up(CalibratedCamera(tray, file), tray)
    file.write_bytes(spoil(file.read_bytes()))
    content = file.read_bytes()
    camera = CalibratedCamera(rig(), file)
    camera.open()
    for _ in range(30):
        assert camera.frame(0.0).picture.size
    statuses = [news.status for news in camera.pop_news() if isinstance(news, TrayHealth)]
    if CalibrationStatus.DAMAGED in statuses:
        assert (tmp_path / "calibration.json.damaged").read_bytes() == content
        assert not file.exists()
    else:
        assert statuses[0] is CalibrationStatus.GOOD, "only the image of the empty tray is missing"


def test_dragged_corners_count_and_bad_ones_do_not(tmp_path: Path) -> None:
    camera = CalibratedCamera(rig(), tmp_path / "calibration.json")
    camera.open()
    places = ((80.0, 70.0), (540.0, 90.0), (545.0, 425.0), (60.0, 420.0))
    assert done(camera, CalibrationStep.CORNERS, places).corners == places
    crossed = done(camera, CalibrationStep.CORNERS, ((80.0, 70.0), (90.0, 70.0), (90.0, 80.0), (80.0, 80.0)))
    assert not crossed.done


def test_leaving_keeps_nothing_and_a_disk_that_fails_is_said(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "calibration.json"
    camera = CalibratedCamera(rig(), file)
    camera.open()
    done(camera, CalibrationStep.CORNERS, ((80.0, 70.0), (540.0, 90.0), (545.0, 425.0), (60.0, 420.0)))
    (tmp_path / "folder").write_text("a file where a folder should be")
    camera.carry_out(SaveCalibration(DAY))
    assert "folder" in next_news(camera, CalibrationSaved).fault
    camera.carry_out(RevertCalibration())
    assert camera.frame(0.0).picture.shape == (480, 640, 3)
    camera.carry_out(SaveCalibration(DAY))
    assert next_news(camera, CalibrationSaved).fault


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
    """Uses the product's observer: boxes are in tray coordinates, values are right, no die is reported as cocked."""
    tray, file = rig(), tmp_path / "calibration.json"
    camera = CalibratedCamera(tray, file)
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
    camera = CalibratedCamera(tray, file)
    set_up(camera, tray)
    assert camera.learned_camera is None
    learnt = CameraPrior((0.5, 0.5), (1.5, -2.0), 2.0, 1.1, 0.1)
    camera.save_learned_camera(learnt)
    written = file.read_bytes()
    camera.save_learned_camera(replace(learnt, tilt=(1.6, -2.1)))
    assert file.read_bytes() == written, "hardly another one"
    again = CalibratedCamera(tray, file)
    again.open()
    again.frame(0.0)
    assert again.learned_camera is not None
    assert (again.learned_camera.tilt, again.learned_camera.focal) == ((1.5, -2.0), 1.1)
    assert again.view is not None
    assert again.learned_camera.principal == again.view.foot


def test_a_set_up_table_learns_where_its_camera_stands_from_its_rolls(tmp_path: Path) -> None:
    tray, file = rig(), tmp_path / "calibration.json"
    camera = CalibratedCamera(tray, file)
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
    assert overall_health(good) == (100, None)
    assert overall_health(()) == (0, None)
    figure, mend = overall_health((*good, Finding(Aspect.GLARE, 0.2)))
    assert mend is Aspect.GLARE
    assert 50 < figure < 60


@pytest.mark.parametrize("step", [CalibrationStep.PICTURE, CalibrationStep.CORNERS, CalibrationStep.LIGHT])
def test_a_camera_is_set_up_in_all_its_light(step: CalibrationStep, tmp_path: Path) -> None:
    tray = rig()
    camera = CalibratedCamera(tray, tmp_path / "kept.json")
    set_up(camera, tray)
    assert camera.limit_light(0.5)
    assert [camera.frame(0.0).dimmed for _ in range(6)][-1] == 0.5
    if step is not CalibrationStep.PICTURE:
        done(camera, CalibrationStep.PICTURE)
        camera.carry_out(RevertCalibration())
        assert camera.limit_light(0.5)
    camera.carry_out(CalibrateStep(step))
    assert not camera.limit_light(0.5)
    assert [camera.frame(0.0).dimmed for _ in range(6)][-1] == 1.0
