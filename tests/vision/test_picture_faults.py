"""Black, white, noisy and frozen pictures are reported within three seconds, and no die is read from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.doubles import TruthReader
from vision.cameras.protocol import Frame
from vision.cameras.simulated_tray import AdjustableTray, Sensor, SimulatedTray
from vision.detection.exposure import overexposed_share
from vision.drawing.rendering import Light
from vision.pictures import Picture
from vision.roll import BLINDING, CameraState, CameraTrouble, Roll, RollRequest, SeenRoll, Status
from vision.watching.picture_faults import FAULT_AFTER_S, FrameUse, PictureFaults, fault_of, temporal_noise
from vision.watching.watcher import Watcher, watch_frame
from vision.watching.worker import InlineReader, ReaderNews, ReaderSetup

FPS = 30
LIMIT_S = 3.0
DICE = [("pips", 3, "white"), ("pips", 6, "red")]
FAULTS = sorted(BLINDING)


class Watched:
    """A simulated tray with its reader in this process. `news` has the second of each message."""

    def __init__(self, seed: int = 5) -> None:
        self.tray = SimulatedTray(seed, sensor=Sensor(rate=15.0))
        self.port = InlineReader(ReaderSetup(lambda: self.tray, lambda _: TruthReader(self.tray)), clock=self._now)
        self.news: list[tuple[float, ReaderNews]] = []

    def _now(self) -> float:
        return self.tray.t

    def run(self, seconds: float) -> list[ReaderNews]:
        """Advance the tray by this time and return the news."""
        before, end = len(self.news), self.tray.t + seconds
        while self.tray.t < end:
            self.news += [(self.tray.t, news) for news in self.port.poll()]
        return [news for _, news in self.news[before:]]

    def state(self) -> CameraState:
        return next(news for _, news in reversed(self.news) if isinstance(news, CameraState))


def rolls(news: Sequence[ReaderNews]) -> list[SeenRoll]:
    return [one for one in news if isinstance(one, SeenRoll)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_reported_within_three_seconds_by_its_name_and_ends_by_itself(fault: CameraTrouble) -> None:
    table = Watched()
    table.tray.throw(DICE)
    assert len(rolls(table.run(4.0))) == 1
    table.tray.fail_picture(fault, 5.0)
    began = table.tray.t
    assert rolls(table.run(5.0)) == []
    reports = [(t, news) for t, news in table.news if isinstance(news, CameraState) and t >= began]
    assert [news.trouble for _, news in reports] == [fault]
    assert reports[0][0] - began <= LIMIT_S
    assert reports[0][1].present
    assert not reports[0][1].sees
    again = table.run(2.0)
    assert table.state().sees
    assert all(roll.roll.again for roll in rolls(again)), "dice that lay still are no new roll"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_moment_is_not_reported(fault: CameraTrouble) -> None:
    table = Watched()
    table.run(1.0)
    table.tray.fail_picture(fault, 0.8)
    table.run(3.0)
    assert [news.trouble for _, news in table.news if isinstance(news, CameraState)] == [None]


@pytest.mark.parametrize("fault", FAULTS)
def test_dice_that_tumble_when_the_fault_begins_are_read_only_after_it(fault: CameraTrouble) -> None:
    table = Watched()
    table.run(1.0)
    table.tray.throw(DICE)
    table.run(0.3)
    table.tray.fail_picture(fault, 4.0)
    assert rolls(table.run(4.0)) == []
    assert [
        [die.face.value for die in sorted(one.roll.dice, key=lambda die: die.face.value or 0)]
        for one in rolls(table.run(2.0))
    ] == [[3, 6]]


@pytest.mark.parametrize("fault", FAULTS)
def test_dice_thrown_during_the_fault_are_a_new_roll_after_it(fault: CameraTrouble) -> None:
    table = Watched()
    table.tray.throw(DICE)
    table.run(4.0)
    table.tray.fail_picture(fault, 5.0)
    table.run(1.0)
    table.tray.clear(by_hand=False)
    table.tray.throw([("pips", 1, "white"), ("pips", 2, "red")])
    assert rolls(table.run(4.0)) == []
    seen = rolls(table.run(2.0))
    assert [sorted(die.face.value or 0 for die in one.roll.dice) for one in seen] == [[1, 2]]


def test_hands_dim_light_sun_and_a_knock_are_no_fault() -> None:
    tray = AdjustableTray(3)
    faults = PictureFaults()
    tray.throw(DICE)
    used = []

    def show(seconds: float) -> None:
        used.extend(faults.on_frame(tray.frame(0.0)) for _ in range(round(seconds * FPS)))

    show(2.0)
    tray.hand(stays=4.0)
    show(5.0)
    tray.relight(Light(tint=(0.35, 0.35, 0.35)))
    show(2.0)
    tray.relight(Light())
    tray.shine(strength=0.99, wide=0.5)
    show(2.0)
    tray.hang(shift=(9.0, 5.0))
    show(2.0)
    assert set(used) == {FrameUse.READ}
    assert faults.reported is None


def test_a_dark_room_is_black() -> None:
    tray = SimulatedTray(3)
    faults = PictureFaults()
    tray.relight(Light(tint=(0.02, 0.02, 0.02)))
    for _ in range(round(LIMIT_S * FPS)):
        faults.on_frame(tray.frame(0.0))
    assert faults.reported is CameraTrouble.BLACK


def test_a_camera_that_shows_each_picture_several_times_is_not_frozen() -> None:
    tray = SimulatedTray(3)
    faults = PictureFaults()
    used = []
    for number in range(60):
        picture = tray.frame(0.0).picture
        used += [faults.on_frame(Frame(picture, number / 8 + again / FPS, 4 * number + again)) for again in range(4)]
        assert faults.reported is None
    assert used.count(FrameUse.READ) == 60
    assert used.count(FrameUse.REPEATED) == 180


def test_a_recording_may_repeat_a_picture() -> None:
    still = SimulatedTray(3).frame(0.0).picture
    recorded, live = PictureFaults(may_repeat=True), PictureFaults()
    for number in range(90):
        assert recorded.on_frame(Frame(still, number / FPS, number)) is FrameUse.READ
        live.on_frame(Frame(still, number / FPS, number))
    assert (recorded.reported, live.reported) == (None, CameraTrouble.FROZEN)


def test_a_fault_that_comes_and_goes_is_reported() -> None:
    """A loose cable: every third picture is noise."""
    tray, chance = SimulatedTray(3), np.random.default_rng(1)
    faults = PictureFaults()
    for number in range(round(LIMIT_S * FPS)):
        frame = tray.frame(0.0)
        if number % 3 == 0:
            frame = Frame(chance.integers(0, 256, frame.picture.shape, np.uint8), frame.t, frame.sequence)
        faults.on_frame(frame)
    assert faults.reported is CameraTrouble.NOISY


def test_another_fault_replaces_the_first_one() -> None:
    table = Watched()
    table.run(1.0)
    table.tray.fail_picture(CameraTrouble.BLACK, 3.0)
    table.run(3.0)
    table.tray.fail_picture(CameraTrouble.WHITE, 4.0)
    table.run(3.0)
    states = [news.trouble for _, news in table.news if isinstance(news, CameraState)]
    assert states == [None, CameraTrouble.BLACK, CameraTrouble.WHITE]


def test_noise_is_measured_whatever_moves() -> None:
    chance = np.random.default_rng(4)
    scene = cv2.GaussianBlur(chance.integers(0, 256, (240, 320, 3), np.uint8), (0, 0), 4)
    for sigma in (2.0, 10.0, 30.0):
        one, two = (np.clip(128 + chance.normal(0, sigma, scene.shape), 0, 255).astype(np.uint8) for _ in range(2))
        assert temporal_noise(one, two) == pytest.approx(sigma, rel=0.1)
    assert temporal_noise(scene, np.roll(scene, (2, 3), (0, 1))) < 2.0
    assert temporal_noise(scene, np.asarray(cv2.convertScaleAbs(scene, alpha=0.4), np.uint8)) < 2.0


def test_one_die_on_a_black_or_white_ground_is_a_picture() -> None:
    for ground, die in ((0, 235), (255, 20)):
        picture = np.full((240, 320, 3), ground, np.uint8)
        picture[100:122, 150:172] = die
        assert fault_of(picture) is None
    assert fault_of(np.full((240, 320, 3), 255, np.uint8)) is CameraTrouble.WHITE
    assert fault_of(np.zeros((240, 320, 3), np.uint8)) is CameraTrouble.BLACK


def test_the_time_until_a_report_leaves_room_for_the_way_to_the_screen() -> None:
    assert FAULT_AFTER_S <= LIMIT_S / 2


class Sun:
    """A patch of sun in which everything is white. `box`: left, top, right, bottom in pixels."""

    def __init__(self, box: tuple[int, int, int, int]) -> None:
        self.box = box
        self.shines = False

    def over(self, picture: Picture, t: float) -> Picture:
        if not self.shines:
            return picture
        left, top, right, bottom = self.box
        lit = picture.copy()
        lit[top:bottom, left:right] = 255
        return lit


@pytest.mark.parametrize("box", [(0, 0, 640, 480), (0, 0, 640, 300), (0, 100, 640, 480), (100, 60, 560, 420)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dice_under_a_patch_of_sun_are_the_same_roll_after_it(box: tuple[int, int, int, int], seed: int) -> None:
    sun = Sun(box)
    tray = SimulatedTray(seed, sensor=Sensor(rate=15.0), disturbances=[sun])
    watcher, faults = Watcher(GlareReader(tray)), PictureFaults()

    def watch(seconds: float) -> list[Roll]:
        frames = [tray.frame(0.0) for _ in range(round(seconds * 15))]
        seen = [watch_frame(watcher, faults, frame) for frame in frames]
        return [one.roll for one in seen if one is not None]

    watch(1.0)
    tray.throw([*DICE, ("pips", 1, "ivory")])
    assert [roll.again for roll in watch(4.0)] == [False]
    sun.shines = True
    assert all(roll.again for roll in watch(3.0))
    sun.shines = False
    assert all(roll.again for roll in watch(3.0))


class GlareReader(TruthReader):
    """Returns the true dice that are not overexposed."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        roll = super().read(picture, request)
        dice = tuple(die for die in roll.dice if overexposed_share(picture, die.box) < 0.5)
        return replace(roll, dice=dice, status=roll.status if dice else Status.EMPTY)
