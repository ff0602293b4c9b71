"""What is noticed in play: a camera that was moved, another light; and nothing while hands and dice come and go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools.benchmarks.unrest import Pumping, Shake
from tools.benchmarks.unsteady_light import Beat, Shadow
from vision.calibration.calibrated import Calibrated
from vision.calibration.monitor import DriftDetector
from vision.calibration.picture_quality import light_map
from vision.calibration.record import Calibration, save
from vision.calibration.rectification import Rectification
from vision.calibration_words import Aspect, Fit, TrayHealth
from vision.cameras.protocol import Frame
from vision.cameras.simulated_effects import Mount
from vision.cameras.simulated_tray import RiggedTray, random_throws
from vision.dice_sets import load
from vision.drawing.rendering import Light

HUNG = Mount(0.04, -0.05, 0.02, 0.8, (10, -8))
WITHIN = 45
"""Frames of thirty a second after which a move has been noticed at the latest."""


def watch_over(rig: RiggedTray) -> DriftDetector:
    """A drift with the truth about where the camera hangs."""
    corners = rig.mount.corners()
    return DriftDetector(rig.frame(0.0).picture, corners, Rectification.of(corners, (640, 480), rig.focal))


def seen(rig: RiggedTray, drift: DriftDetector, frames: int) -> list[tuple[int, Aspect]]:
    """What is said in so many frames, and at which of them."""
    said = []
    for number in range(frames):
        frame = rig.frame(0.0)
        aspect = drift.see(frame.picture, frame.t)
        if aspect is not None:
            said.append((number, aspect))
    return said


@pytest.mark.parametrize(
    "how",
    [{"shift": (18.0, -8.0)}, {"shift": (10.0, 4.0)}, {"turned": 0.06}, {"across": 0.06}, {"shift": (120.0, 70.0)}],
    ids=str,
)
def test_a_moved_camera_is_noticed(how: dict[str, object]) -> None:
    rig = RiggedTray(2, mount=HUNG)
    rig.throw([("pips", 3, "white"), ("pips", 6, "red")])
    drift = watch_over(rig)
    assert seen(rig, drift, 40) == []
    rig.hang(**how)
    far = how.get("shift") == (120.0, 70.0)
    said = seen(rig, drift, 240 if far else WITHIN + 60)
    assert [aspect for _, aspect in said][:1] == [Aspect.SEEN]
    assert far or said[0][0] <= WITHIN


@pytest.mark.parametrize(("level", "within"), [(0.45, 150), (1.9, 150)])
def test_another_light_is_noticed(level: float, within: int) -> None:
    rig = RiggedTray(2, mount=HUNG)
    drift = watch_over(rig)
    rig.shine(level=level)
    said = seen(rig, drift, within + 30)
    assert [aspect for _, aspect in said] == [Aspect.BRIGHT]
    assert said[0][0] <= within


def calibrated(rig: RiggedTray, file: Path) -> Calibrated:
    """The camera as if it had been set up as it hangs."""
    corners = tuple((float(x), float(y)) for x, y in rig.mount.corners())
    save(file, Calibration(rig.identity, (640, 480), "2026-03-14T18:30:00+01:00", corners, rig.focal))
    return Calibrated(rig, file)


@pytest.mark.parametrize("lamp", [0.5, 0.9, 1.2, 1.6])
def test_a_camera_that_lets_in_less_light_raises_no_alarm(lamp: float, tmp_path: Path) -> None:
    rig = RiggedTray(2, mount=HUNG)
    rig.relight(Light(ambient=lamp, diffuse=lamp))
    rig.throw([("pips", 1, "white"), ("pips", 5, "white")])
    camera = calibrated(rig, tmp_path / "kept.json")
    shown: list[Frame] = []
    for number in range(300):
        shown.append(camera.frame(1.0))
        if number in (60, 67, 74):
            assert camera.limit_light(0.7 * shown[-1].dimmed)
    health = [news for news in camera.take_news() if isinstance(news, TrayHealth)]
    assert [(one.fit, one.drifted) for one in health] == [(Fit.GOOD, False)]
    assert shown[-1].dimmed == pytest.approx(0.343)
    rig.hang(shift=(18.0, -8.0))
    for _ in range(WITHIN + 60):
        camera.frame(1.0)
    assert any(isinstance(news, TrayHealth) and news.mend is Aspect.SEEN for news in camera.take_news())


@pytest.mark.parametrize(("what", "how"), [("hang", {"shift": (40.0, 10.0)}), ("shine", {"level": 0.45})])
@pytest.mark.parametrize("after", [1, 3, 8])
def test_what_changes_while_less_light_is_let_in_is_noticed_all_the_same(
    what: str, how: dict[str, object], after: int, tmp_path: Path
) -> None:
    rig = RiggedTray(2, mount=HUNG)
    rig.relight(Light(ambient=0.9, diffuse=0.9))
    camera = calibrated(rig, tmp_path / "kept.json")
    for number in range(300):
        frame = camera.frame(1.0)
        if number in (60, 67):
            assert camera.limit_light(0.7 * frame.dimmed)
        if number == 60 + after:
            getattr(rig, what)(**how)
    mended = [news.mend for news in camera.take_news() if isinstance(news, TrayHealth) and news.drifted]
    assert mended == [Aspect.SEEN if what == "hang" else Aspect.BRIGHT]


def test_the_light_on_the_tray_is_judged_whatever_share_of_it_is_let_in() -> None:
    rig = RiggedTray(2, mount=HUNG)
    level = light_map(rig.frame(0.0).picture).level
    rig.limit_light(0.25)
    frames = [rig.frame(0.0) for _ in range(5)]
    assert light_map(frames[-1].picture, frames[-1].dimmed).level == pytest.approx(level, rel=0.25)
    assert light_map(frames[-1].picture).level < 0.5 * level


def alarms(seed: int, frames: int) -> list[tuple[int, Aspect]]:
    """What is said of a tray that is thrown into by hands, in light that is not at rest."""
    chance = np.random.default_rng(seed)
    unrest = (
        Beat(50.0, 0.05),
        Shadow(6.0, (-150, 100), (260, 60), (110, 160), 0.4, 0.5, 60, 1.2, stays=2.5),
        Pumping((9.0,), 1.2, 0.15, 1.4),
        Shake((4.0, 12.0), 5.0, float(chance.uniform(0, 6)), tremor=0.4),
    )
    rig = RiggedTray(seed, mount=HUNG, programme=random_throws(seed, load("pips")), disturbances=unrest)
    drift = watch_over(rig)
    return seen(rig, drift, frames)


def test_hands_dice_shadows_and_knocks_raise_no_alarm() -> None:
    assert alarms(1, 450) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_clips_of_hands_and_dice_raise_no_alarm(seed: int) -> None:
    assert alarms(seed, 900) == []


def test_the_light_map_knows_dark_uneven_and_burnt_trays() -> None:
    rig = RiggedTray(4)

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
    rig = RiggedTray(2, mount=HUNG)
    drift = watch_over(rig)
    rig.cover(8.0)
    assert seen(rig, drift, 300) == []
