"""Webcam and Raspberry Pi camera with drivers made by the test: losing, hanging, coming back, not being there."""

from __future__ import annotations

import concurrent.futures
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from vision.cameras import webcam
from vision.cameras.picamera import SMALL, PiCamera, load_picamera2
from vision.cameras.protocol import CameraLost, SourceError
from vision.cameras.webcam import Webcam

SOON = 10.0
"""Seconds that a thread is given; it takes thousandths of one."""


class Plugged:
    """A webcam whose pictures the test puts in; None is a failing read."""

    def __init__(self, shots: queue.Queue[int | None]) -> None:
        self._shots = shots
        self.released = threading.Event()

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        level = self._shots.get()
        return level is not None, np.full((48, 64, 3), level or 0, np.uint8)

    def release(self) -> None:
        self.released.set()


class Bench:
    """The cable and the clock."""

    def __init__(self) -> None:
        self.shots: queue.Queue[int | None] = queue.Queue()
        self.devices: list[Plugged] = []
        self.connected = threading.Semaphore(0)
        self.now = 10.0

    def connect(self, number: int) -> Plugged:
        device = Plugged(self.shots)
        self.devices.append(device)
        self.connected.release()
        return device

    def camera(self) -> Webcam:
        return Webcam(0, connect=self.connect, numbers=lambda: [0, 2], clock=lambda: self.now)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.shots.put(None)


def test_frames_of_a_webcam_come_with_seconds_since_its_opening(bench: Bench) -> None:
    with bench.camera() as camera:
        bench.now = 10.5
        bench.shots.put(7)
        frame = camera.frame(SOON)
    assert (frame.t, frame.sequence, int(frame.picture[0, 0, 0])) == (0.5, 0, 7)


def test_a_frame_is_given_once_and_silence_is_a_loss(bench: Bench) -> None:
    with bench.camera() as camera:
        bench.shots.put(7)
        camera.frame(SOON)
        with pytest.raises(CameraLost, match=r"camera:0 has given no picture for 0.01 s"):
            camera.frame(0.01)
        bench.shots.put(8)
        assert camera.frame(SOON).picture[0, 0, 0] == 8


def test_a_webcam_that_was_pulled_out_is_opened_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webcam, "RETRY", 0.0)
    with bench.camera() as camera:
        bench.shots.put(1)
        camera.frame(SOON)
        bench.shots.put(None)
        assert bench.devices[0].released.wait(SOON)
        bench.shots.put(2)
        assert camera.frame(SOON).sequence == 1
    assert len(bench.devices) == 2


def test_closing_does_not_wait_for_a_driver_that_hangs(bench: Bench) -> None:
    camera = bench.camera()
    camera.open()
    assert bench.connected.acquire(timeout=SOON)
    camera.close()
    assert not bench.devices[0].released.is_set()
    with pytest.raises(CameraLost, match="camera:0 is closed"):
        camera.frame(0.0)


def test_a_webcam_that_is_not_there_says_what_is() -> None:
    with pytest.raises(SourceError, match="camera:7 is not there; there is camera:0, camera:2"):
        Webcam(7, numbers=lambda: [0, 2]).open()
    with pytest.raises(SourceError, match="there is no camera at all"):
        Webcam(7, numbers=list).open()


class FakeRequest:
    """One exposure of the Pi's camera: a red picture in both streams."""

    def __init__(self) -> None:
        self.released = False

    def make_array(self, stream: str) -> Any:
        if stream == "main":
            return np.full((1232, 1640, 3), (0, 0, 200), np.uint8)
        planes = np.full((SMALL[1] * 3 // 2, SMALL[0]), 128, np.uint8)
        planes[: SMALL[1]] = 60
        planes[SMALL[1] * 5 // 4 :] = 200
        return planes

    def release(self) -> None:
        self.released = True


class FakeJob:
    """A promised exposure that is late as often as the test says."""

    def __init__(self, driver: FakePicamera2) -> None:
        self._driver = driver

    def get_result(self, timeout: float | None = None) -> FakeRequest:
        if self._driver.late:
            self._driver.late -= 1
            raise concurrent.futures.TimeoutError
        request = FakeRequest()
        self._driver.requests.append(request)
        return request


class FakePicamera2:
    """As much of picamera2 as is used, as its manual has it."""

    cameras = [{"Model": "imx708"}]

    def __init__(self) -> None:
        self.late = 0
        self.jobs = 0
        self.requests: list[FakeRequest] = []
        self.controls: dict[str, Any] = {}
        self.closed = threading.Event()
        self.hangs: threading.Event | None = None

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return cls.cameras

    def create_video_configuration(self, **parts: Any) -> dict[str, Any]:
        return parts

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        self.started = True

    def capture_request(self, wait: bool) -> FakeJob:
        self.jobs += 1
        return FakeJob(self)

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "Lux": 300}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def stop(self) -> None:
        if self.hangs is not None:
            self.hangs.wait()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def driver() -> FakePicamera2:
    return FakePicamera2()


def camera_with(driver: FakePicamera2) -> PiCamera:
    class Given(FakePicamera2):
        def __new__(cls) -> Any:
            return driver

    ticks = iter(range(1000))
    return PiCamera(lambda: Given, lambda: float(next(ticks)))


def test_the_pi_camera_gives_a_full_and_a_small_picture_of_one_exposure(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        frame = camera.frame(1.0)
    assert frame.picture.shape == (1232, 1640, 3)
    assert frame.small is not None
    assert frame.small.shape == (480, 640, 3)
    assert frame.small[200, 300, 2] > frame.small[200, 300, 0] + 50, "both are BGR and red"
    assert (frame.t, frame.sequence) == (1.0, 0)
    assert driver.requests[0].released


def test_a_late_exposure_is_a_loss_and_is_still_waited_for(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        driver.late = 2
        for _ in range(2):
            with pytest.raises(CameraLost, match=r"picamera has given no picture for 0\.5 s"):
                camera.frame(0.5)
        assert camera.frame(0.5).sequence == 0
    assert driver.jobs == 1, "asking again would leave the first exposure taken and never given back"


def test_locking_keeps_the_exposure_of_the_moment(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        camera.lock()
    assert driver.controls == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 8000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.7),
    }


def test_closing_does_not_wait_for_a_stop_that_blocks(driver: FakePicamera2) -> None:
    driver.hangs = threading.Event()
    camera = camera_with(driver)
    camera.open()
    camera.close()
    assert not driver.closed.is_set()
    driver.hangs.set()
    assert driver.closed.wait(SOON)
    with pytest.raises(CameraLost, match="closed"):
        camera.frame(0.1)
    with pytest.raises(CameraLost, match="closed"):
        camera.lock()


def test_a_pi_without_a_camera_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "cameras", [])
    with pytest.raises(SourceError, match="no camera was found; check its cable,"):
        PiCamera(lambda: FakePicamera2).open()


def test_a_missing_picamera2_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="apt install python3-picamera2"):
        load_picamera2()
