"""The camera contract, tested on each source: recordings, the simulated tray, and a webcam if present."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.doubles import scene, write_clip
from tests.vision.slides import Slides
from vision.cameras.protocol import Camera, EndOfSource, Frame, Paced
from vision.cameras.simulated_tray import SimulatedTray
from vision.cameras.sources import Clip, Folder
from vision.cameras.webcam import Webcam, list_webcams

TIMEOUT = 5.0


def clip(folder: Path) -> Camera:
    write_clip(folder / "clip.avi", [scene([(5, 30.0 * i, 200.0)]) for i in range(1, 9)])
    return Clip(folder / "clip.avi")


def pictures(folder: Path) -> Camera:
    for number in range(8):
        cv2.imwrite(str(folder / f"{number}.png"), scene([(5, 30.0 * number + 30, 200.0)]))
    return Folder(folder)


def slides(folder: Path) -> Camera:
    return Slides([scene([(5, 200.0, 200.0)])], scene([]))


def drawn(folder: Path) -> Camera:
    return SimulatedTray(5, programme=[lambda tray: tray.throw([("pips", 3, "white")])])


def paced(folder: Path) -> Camera:
    return Paced(drawn(folder), clock=lambda: 0.0, sleep=lambda seconds: None)


def webcam(folder: Path) -> Camera:
    there = list_webcams()
    if not there:
        pytest.skip("no v4l2 camera on this machine")
    return Webcam(there[0])


@pytest.fixture(params=[clip, pictures, slides, drawn, paced, webcam], ids=lambda make: str(make.__name__))
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Camera:
    camera: Camera = request.param(tmp_path)
    return camera


def some(camera: Camera, most: int = 8) -> list[Frame]:
    frames = []
    for _ in range(most):
        try:
            frames.append(camera.frame(TIMEOUT))
        except EndOfSource:
            break
    return frames


def test_frames_are_colour_pictures_whose_time_and_number_run_on(source: Camera) -> None:
    with source:
        frames = some(source)
    assert len(frames) >= 3
    for frame in frames:
        assert frame.picture.dtype == np.uint8
        assert frame.picture.ndim == 3
        assert frame.picture.shape[2] == 3
        assert frame.small is None or frame.small.shape[2] == 3
    assert frames[0].t >= 0.0
    assert all(one.t < other.t and one.sequence < other.sequence for one, other in pairwise(frames))


def test_a_frame_that_was_given_does_not_change_any_more(source: Camera) -> None:
    with source:
        first = source.frame(TIMEOUT)
        copy = first.picture.copy()
        some(source, 5)
    assert np.array_equal(first.picture, copy)


def test_closing_twice_and_opening_again_is_allowed(source: Camera) -> None:
    with source:
        source.frame(TIMEOUT)
    source.close()
    with source:
        assert source.frame(TIMEOUT).picture.size


def test_a_source_says_what_it_is(source: Camera) -> None:
    assert source.describe().strip()
    assert "\n" not in source.describe()


@pytest.mark.parametrize("make", [clip, pictures, slides])
def test_a_recording_ends_and_stays_at_its_end(make: Callable[[Path], Camera], tmp_path: Path) -> None:
    with make(tmp_path) as source:
        assert len(some(source, 1000)) < 1000
        with pytest.raises(EndOfSource):
            source.frame(TIMEOUT)
        with pytest.raises(EndOfSource):
            source.frame(TIMEOUT)


class FakeClock:
    """A wall clock that advances with each sleep."""

    def __init__(self) -> None:
        self.now = 50.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_a_paced_source_waits_until_its_frames_are_due() -> None:
    wall = FakeClock()
    with Paced(Slides([scene([])], scene([]), fps=10), lambda: wall.now, wall.sleep) as source:
        times = [(source.frame(1.0).t, wall.now - 50.0) for _ in range(5)]
    assert [received_at for _, received_at in times] == pytest.approx([t for t, _ in times])


def test_a_paced_source_that_is_late_does_not_hurry_after_the_clock() -> None:
    wall = FakeClock()
    with Paced(Slides([scene([])], scene([]), fps=10), lambda: wall.now, wall.sleep) as source:
        source.frame(1.0)
        wall.now += 5.0
        source.frame(1.0)
        slept = len(wall.slept)
        source.frame(1.0)
    assert wall.slept[slept:] == [pytest.approx(0.1)]
