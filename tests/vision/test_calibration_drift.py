"""Drift detection during play: a moved camera or another light is noticed; hands and dice cause no alarm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools.benchmarks.camera_disturbances import ExposureHunting, Shake
from tools.benchmarks.light_disturbances import MainsFlicker, PassingShadow
from vision.calibration.calibrated import CalibratedCamera
from vision.calibration.monitor import DriftDetector
from vision.calibration.picture_quality import light_map
from vision.calibration.record import Calibration, save
from vision.calibration.rectification import Rectification
from vision.calibration_messages import Aspect, CalibrationStatus, TrayHealth
from vision.cameras.protocol import Frame
from vision.cameras.simulated_effects import Mount
from vision.cameras.simulated_tray import AdjustableTray, random_throws
from vision.dice_sets import load
from vision.drawing.rendering import Light

HUNG = Mount(0.04, -0.05, 0.02, 0.8, (10, -8))
MAX_DELAY_FRAMES = 45
"""Maximum frames (30 per second) until a move is noticed."""


def watch_over(rig: AdjustableTray) -> DriftDetector:
    """Return a drift detector with the true camera position."""
    corners = rig.mount.corners()
    return DriftDetector(rig.frame(0.0).picture, corners, Rectification.from_corners(corners, (640, 480), rig.focal))


def seen(rig: AdjustableTray, drift: DriftDetector, frames: int) -> list[tuple[int, Aspect]]:
    """Return the reports within `frames` frames, with their frame numbers."""
    reports = []
    for number in range(frames):
        frame = rig.frame(0.0)
        aspect = drift.check(frame.picture, frame.t)
        if aspect is not None:
            reports.append((number, aspect))
    return reports


@pytest.mark.parametrize(
    "how",
    [{"shift": (18.0, -8.0)}, {"shift": (10.0, 4.0)}, {"turned": 0.06}, {"across": 0.06}, {"shift": (120.0, 70.0)}],
    ids=str,
)
def test_a_moved_camera_is_noticed(how: dict[str, object]) -> None:
    rig = AdjustableTray(2, mount=HUNG)
    rig.throw([("pips", 3, "white"), ("pips", 6, "red")])
    drift = watch_over(rig)
    assert seen(rig, drift, 40) == []
    rig.hang(**how)
    far = how.get("shift") == (120.0, 70.0)
    reports = seen(rig, drift, 240 if far else MAX_DELAY_FRAMES + 60)
    assert [aspect for _, aspect in reports][:1] == [Aspect.SEEN]
    assert far or reports[0][0] <= MAX_DELAY_FRAMES


@pytest.mark.parametrize(("level", "within"), [(0.45, 150), (1.9, 150)])
def test_another_light_is_noticed(level: float, within: int) -> None:
    rig = AdjustableTray(2, mount=HUNG)
    drift = watch_over(rig)
    rig.shine(level=level)
    reports = seen(rig, drift, within + 30)
    assert [aspect for _, aspect in reports] == [Aspect.BRIGHT]
    assert reports[0][0] <= within


def calibrated(rig: AdjustableTray, file: Path) -> CalibratedCamera:
    """Return the camera calibrated at its true position."""
    corners = tuple((float(x), float(y)) for x, y in rig.mount.corners())
    save(file, Calibration(rig.identity, (640, 480), "2026-03-14T18:30:00+01:00", corners, rig.focal))
    return CalibratedCamera(rig, file)


@pytest.mark.parametrize("lamp", [0.5, 0.9, 1.2, 1.6])
def test_a_camera_that_lets_in_less_light_raises_no_alarm(lamp: float, tmp_path: Path) -> None:
    rig = AdjustableTray(2, mount=HUNG)
    rig.relight(Light(ambient=lamp, diffuse=lamp))
    rig.throw([("pips", 1, "white"), ("pips", 5, "white")])
    camera = calibrated(rig, tmp_path / "kept.json")
    frames: list[Frame] = []
    for number in range(300):
        frames.append(camera.frame(1.0))
        if number in (60, 67, 74):
            assert camera.limit_light(0.7 * frames[-1].dimmed)
    health = [news for news in camera.pop_news() if isinstance(news, TrayHealth)]
    assert [(one.status, one.drifted) for one in health] == [(CalibrationStatus.GOOD, False)]
    assert frames[-1].dimmed == pytest.approx(0.343)
    rig.hang(shift=(18.0, -8.0))
    for _ in range(MAX_DELAY_FRAMES + 60):
        camera.frame(1.0)
    assert any(isinstance(news, TrayHealth) and news.worst_aspect is Aspect.SEEN for news in camera.pop_news())


@pytest.mark.parametrize(("what", "how"), [("hang", {"shift": (40.0, 10.0)}), ("shine", {"level": 0.45})])
@pytest.mark.parametrize("after", [1, 3, 8])
def test_what_changes_while_less_light_is_let_in_is_noticed_all_the_same(
    what: str, how: dict[str, object], after: int, tmp_path: Path
) -> None:
    rig = AdjustableTray(2, mount=HUNG)
    rig.relight(Light(ambient=0.9, diffuse=0.9))
    camera = calibrated(rig, tmp_path / "kept.json")
    for number in range(300):
        frame = camera.frame(1.0)
        if number in (60, 67):
            assert camera.limit_light(0.7 * frame.dimmed)
        if number == 60 + after:
            getattr(rig, what)(**how)
    mended = [news.worst_aspect for news in camera.pop_news() if isinstance(news, TrayHealth) and news.drifted]
    assert mended == [Aspect.SEEN if what == "hang" else Aspect.BRIGHT]


def test_the_light_on_the_tray_is_judged_whatever_share_of_it_is_let_in() -> None:
    rig = AdjustableTray(2, mount=HUNG)
    level = light_map(rig.frame(0.0).picture).level
    rig.limit_light(0.25)
    frames = [rig.frame(0.0) for _ in range(5)]
    assert light_map(frames[-1].picture, frames[-1].dimmed).level == pytest.approx(level, rel=0.25)
    assert light_map(frames[-1].picture).level < 0.5 * level


def alarms(seed: int, frames: int) -> list[tuple[int, Aspect]]:
    """Return the reports for a tray with hands, throws and changing light."""
    chance = np.random.default_rng(seed)
    unrest = (
        MainsFlicker(50.0, 0.05),
        PassingShadow(6.0, (-150, 100), (260, 60), (110, 160), 0.4, 0.5, 60, 1.2, stays=2.5),
        ExposureHunting((9.0,), 1.2, 0.15, 1.4),
        Shake((4.0, 12.0), 5.0, float(chance.uniform(0, 6)), tremor=0.4),
    )
    rig = AdjustableTray(seed, mount=HUNG, programme=random_throws(seed, load("pips")), disturbances=unrest)
    drift = watch_over(rig)
    return seen(rig, drift, frames)


def test_hands_dice_shadows_and_knocks_raise_no_alarm() -> None:
    assert alarms(1, 450) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_clips_of_hands_and_dice_raise_no_alarm(seed: int) -> None:
    assert alarms(seed, 900) == []


def test_the_light_map_knows_dark_uneven_and_burnt_trays() -> None:
    rig = AdjustableTray(4)

    def scores() -> dict[Aspect, float]:
        return {one.aspect: one.score for one in light_map(rig.frame(0.0).picture).findings()}

    good = scores()
    assert min(good.values()) > 0.8
    rig.shine(level=0.35)
    assert scores()[Aspect.BRIGHT] < 0.4
    rig.shine(level=0.45, strength=0.9, middle=(0.2, 0.3), wide=0.25)
    assert scores()[Aspect.EVEN] < 0.6
    white = np.full((480, 640, 3), 120, np.uint8)
    white[150:330, 200:420] = 255
    glare = {one.aspect: one.score for one in light_map(white).findings()}
    assert glare[Aspect.GLARE] < 0.4


def test_a_covered_lens_is_no_move() -> None:
    rig = AdjustableTray(2, mount=HUNG)
    drift = watch_over(rig)
    rig.cover(8.0)
    assert seen(rig, drift, 300) == []
