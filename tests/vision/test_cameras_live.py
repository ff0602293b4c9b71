"""Webcam and Raspberry Pi camera with fake drivers: loss, hang, recovery, absence."""

from __future__ import annotations

import concurrent.futures
import queue
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras import picamera, webcam
from vision.cameras.picamera import (
    FoundCameras,
    LightSettings,
    PiCamera,
    Setting,
    as_bgr,
    inaccessible_devices,
    list_cameras,
    load_picamera2,
)
from vision.cameras.protocol import CameraLost, CameraStuck, Frame, Paced, SourceError, rotate_clockwise
from vision.cameras.webcam import Webcam
from vision.watching.worker import make_camera

TIMEOUT_S = 10.0
"""Timeout in seconds for a thread that needs milliseconds."""


class FakeWebcam:
    """A webcam whose pictures the test inserts; None is a failed read."""

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
        self.devices: list[FakeWebcam] = []
        self.connected = threading.Semaphore(0)
        self.now = 10.0

    def connect(self, number: int) -> FakeWebcam:
        device = FakeWebcam(self.shots)
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
        frame = camera.frame(TIMEOUT_S)
    assert (frame.t, frame.sequence, int(frame.picture[0, 0, 0])) == (0.5, 0, 7)


def test_a_frame_is_given_once_and_silence_is_a_loss(bench: Bench) -> None:
    with bench.camera() as camera:
        bench.shots.put(7)
        camera.frame(TIMEOUT_S)
        with pytest.raises(CameraLost, match=r"camera:0 has given no picture for 0.01 s"):
            camera.frame(0.01)
        bench.shots.put(8)
        assert camera.frame(TIMEOUT_S).picture[0, 0, 0] == 8


def test_a_webcam_that_was_pulled_out_is_opened_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webcam, "RETRY", 0.0)
    with bench.camera() as camera:
        bench.shots.put(1)
        camera.frame(TIMEOUT_S)
        bench.shots.put(None)
        assert bench.devices[0].released.wait(TIMEOUT_S)
        bench.shots.put(2)
        assert camera.frame(TIMEOUT_S).sequence == 1
    assert len(bench.devices) == 2


def test_closing_does_not_wait_for_a_driver_that_hangs(bench: Bench) -> None:
    camera = bench.camera()
    camera.open()
    assert bench.connected.acquire(timeout=TIMEOUT_S)
    camera.close()
    assert not bench.devices[0].released.is_set()
    with pytest.raises(CameraLost, match="camera:0 is closed"):
        camera.frame(0.0)


def test_a_webcam_whose_driver_hangs_needs_a_new_process(bench: Bench) -> None:
    with bench.camera() as camera:
        bench.shots.put(1)
        camera.frame(TIMEOUT_S)
        bench.now += 1.9
        with pytest.raises(CameraLost, match="no picture"):
            camera.frame(0.01)
        bench.now += 0.2
        with pytest.raises(CameraStuck, match="camera:0 does not answer any more"):
            camera.frame(0.01)


def test_a_webcam_that_was_pulled_out_is_waited_for_in_the_same_process(bench: Bench) -> None:
    with bench.camera() as camera:
        bench.shots.put(None)
        assert bench.connected.acquire(timeout=TIMEOUT_S)
        assert bench.devices[0].released.wait(TIMEOUT_S)
        bench.now += 60.0
        with pytest.raises(CameraLost) as loss:
            camera.frame(0.01)
        assert not isinstance(loss.value, CameraStuck)


def test_live_cameras_are_not_held_back_to_keep_their_time() -> None:
    assert make_camera("camera:0", "pips").live
    assert make_camera("picamera", "pips").live
    assert isinstance(make_camera("drawn:1", "pips"), Paced)


def test_a_webcam_that_is_not_there_says_what_is() -> None:
    with pytest.raises(SourceError, match="camera:7 is not there; there is camera:0, camera:2"):
        Webcam(7, numbers=lambda: [0, 2]).open()
    with pytest.raises(SourceError, match="there is no camera at all"):
        Webcam(7, numbers=list).open()


SMALL = (640, 480)


class FakeRequest:
    """One exposure of the Pi's camera: a red picture in both streams."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self.released = False
        self.metadata = metadata

    def make_array(self, stream: str) -> Any:
        if stream == "main":
            return np.full((1232, 1640, 3), (0, 0, 200), np.uint8)
        planes = np.full((SMALL[1] * 3 // 2, SMALL[0]), 128, np.uint8)
        planes[: SMALL[1]] = 60
        planes[SMALL[1] * 5 // 4 :] = 200
        return planes

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.metadata)

    def release(self) -> None:
        self.released = True


class FakeJob:
    """A promised exposure that is late as often as the test requests."""

    def __init__(self, driver: FakePicamera2) -> None:
        self._driver = driver

    def get_result(self, timeout: float | None = None) -> FakeRequest:
        if self._driver.late:
            self._driver.late -= 1
            self._driver.now += timeout or 0.0
            raise concurrent.futures.TimeoutError
        request = FakeRequest(self._driver.expose())
        self._driver.requests.append(request)
        return request


class FakePicamera2:
    """The used part of picamera2, as in its manual, with a sensor that applies controls two frames later.

    `now` is its clock in seconds, shared with the test; a frame takes 1/30 s.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.late = 0
        self.jobs = 0
        self.requests: list[FakeRequest] = []
        self.camera_controls: dict[str, Any] = dict.fromkeys(
            ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits"), (0, 1, 0)
        )
        self.set: list[dict[str, Any]] = []
        self.deaf = False
        self.refusal: Exception | None = None
        self.closed = threading.Event()
        self.hangs: threading.Event | None = None
        self._due: list[tuple[int, dict[str, Any]]] = []
        self.says: dict[str, Any] = {
            "ExposureTime": 8000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.7),
            "Lux": 300.0,
        }

    def create_video_configuration(self, **parts: Any) -> dict[str, Any]:
        return parts

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        if self.refusal is not None:
            raise self.refusal

    def expose(self) -> dict[str, Any]:
        """Return the next frame's metadata."""
        self.now += 1 / 30
        for due in [one for one in self._due if one[0] <= len(self.requests)]:
            self._due.remove(due)
            self.says |= {name: value for name, value in due[1].items() if name in self.says}
        return self.says | {"SensorTimestamp": int(self.now * 1e9)}

    def capture_request(self, wait: bool) -> FakeJob:
        self.jobs += 1
        return FakeJob(self)

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.set.append(controls)
        if not self.deaf:
            self._due.append((len(self.requests) + 2, controls))

    def stop(self) -> None:
        if self.hangs is not None:
            self.hangs.wait()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def driver() -> FakePicamera2:
    return FakePicamera2()


def camera_with(
    driver: FakePicamera2, setting: Setting | None = None, cameras: Sequence[str] = ("imx708",)
) -> PiCamera:
    def load() -> Any:
        return lambda number: driver

    return PiCamera(setting, driver=load, cameras=lambda: FoundCameras(tuple(cameras)), clock=lambda: driver.now)


def test_the_pi_camera_gives_a_full_and_a_small_picture_of_one_exposure(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        frame = camera.frame(1.0)
        second = camera.frame(1.0)
    assert frame.picture.shape == (1232, 1640, 3)
    assert frame.small is not None
    assert frame.small.shape == (480, 640, 3)
    assert frame.small[200, 300, 2] > frame.small[200, 300, 0] + 50, "both are BGR and red"
    assert (frame.t, frame.sequence) == (0.0, 0)
    assert second.t == pytest.approx(1 / 30, abs=1e-6), "the time of the exposure, not of its arrival"
    assert all(request.released for request in driver.requests)


def test_the_pictures_are_turned_as_the_camera_is_mounted(driver: FakePicamera2) -> None:
    camera = PiCamera(
        Setting(rotation=90),
        driver=lambda: lambda number: driver,
        cameras=lambda: FoundCameras(("imx708",)),
        clock=lambda: driver.now,
    )
    with camera:
        frame = camera.frame(1.0)
    assert frame.small is not None
    assert (frame.picture.shape[:2], frame.small.shape[:2]) == ((1640, 1232), (640, 480))
    corner = np.zeros((4, 6, 3), np.uint8)
    corner[0, 0] = 255
    lit = {degrees: np.argwhere(rotate_clockwise(corner, degrees)[..., 0]).tolist() for degrees in (0, 90, 180, 270)}
    assert lit == {0: [[0, 0]], 90: [[0, 3]], 180: [[3, 5]], 270: [[5, 0]]}


def test_a_padded_buffer_of_planes_is_the_picture_without_its_padding() -> None:
    picture = np.full((4, 8, 3), (40, 90, 200), np.uint8)
    planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    light, colours = planes[:4], planes[4:].reshape(4, 4)
    wide = np.zeros((6, 16), np.uint8)
    wide[:4, :8] = light
    wide[4:].reshape(4, 8)[:, :4] = colours
    assert np.abs(as_bgr(wide, "YUV420", (8, 4)).astype(int) - picture).max() <= 3
    pairs = np.zeros((6, 16), np.uint8)
    pairs[:4, :8] = light
    pairs[4:, 0:8:2], pairs[4:, 1:8:2] = colours[:2], colours[2:]
    assert np.abs(as_bgr(pairs, "NV12", (8, 4)).astype(int) - picture).max() <= 3
    with pytest.raises(ValueError, match="'MJPEG' cannot be read; known are NV12, RGB888, YUV420"):
        as_bgr(wide, "MJPEG", (8, 4))


def test_a_late_exposure_is_a_loss_and_is_still_waited_for(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        driver.late = 2
        for _ in range(2):
            with pytest.raises(CameraLost, match=r"picamera has given no picture for 0\.5 s"):
                camera.frame(0.5)
        assert camera.frame(0.5).sequence == 0
    assert driver.jobs == 1, "asking again would leave the first exposure taken and never given back"


def test_a_driver_that_gives_nothing_for_a_second_is_stuck(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        camera.frame(0.5)
        driver.late = 5
        for _ in range(4):
            driver.now += 9.0  # spent elsewhere, not waiting
            with pytest.raises(CameraLost) as loss:
                camera.frame(0.25)
            assert not isinstance(loss.value, CameraStuck)
        with pytest.raises(CameraStuck, match=r"no picture for 1\.2 s; its driver hangs"):
            camera.frame(0.25)


def test_the_light_settles_is_locked_and_confirmed(driver: FakePicamera2) -> None:
    with camera_with(driver) as camera:
        for exposure in (2000, 4000, 6000, 7500, 8000):
            driver.says["ExposureTime"] = exposure
            camera.frame(0.5)
            assert camera.locked_light is None
        frames = 0
        while camera.locked_light is None:
            camera.frame(0.5)
            frames += 1
        assert camera.locked_light == LightSettings(8000, 2.0, (1.5, 1.7))
        assert camera.trouble is None
    assert frames < 20
    assert driver.set == [LightSettings(8000, 2.0, (1.5, 1.7)).controls()]


def test_another_light_in_the_room_is_settled_anew_and_a_hand_is_none(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(light=LightSettings(8000, 2.0, (1.5, 1.7)))) as camera:
        for lux, seconds in ((300.0, 1), (100.0, 3), (300.0, 1)):
            driver.says["Lux"] = lux
            for _ in range(30 * seconds):
                camera.frame(0.5)
        assert len(driver.set) == 1
        driver.says["Lux"] = 100.0
        for _ in range(30 * 5 + 2):
            camera.frame(0.5)
        assert driver.set[1] == {"AeEnable": True, "AwbEnable": True}
        driver.says["ExposureTime"] = 20000
        for _ in range(20):
            camera.frame(0.5)
        assert camera.locked_light == LightSettings(20000, 2.0, (1.5, 1.7))


def test_a_light_that_goes_astray_is_locked_again(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(light=LightSettings(8000, 2.0, (1.5, 1.7)))) as camera:
        for _ in range(8):
            camera.frame(0.5)
        driver.says["AnalogueGain"] = 4.0
        for _ in range(20):
            camera.frame(0.5)
        assert driver.says["AnalogueGain"] == 2.0
        assert camera.locked_light is not None


def test_what_calibration_found_is_held_from_the_first_frames_on(driver: FakePicamera2) -> None:
    light = LightSettings(12000, 1.5, (1.4, 1.9))
    with camera_with(driver, Setting(light=light)) as camera:
        for _ in range(8):
            camera.frame(0.5)
        assert camera.locked_light == light
    assert driver.set == [light.controls()]


def held_for(camera: PiCamera, frames: int) -> list[Frame]:
    return [camera.frame(0.5) for _ in range(frames)]


def test_less_light_is_less_gain_first_and_is_held(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(light=LightSettings(8000, 1.6, (1.5, 1.7)))) as camera:
        assert not camera.limit_light(0.5), "nothing is held for certain yet"
        assert [frame.dimming for frame in held_for(camera, 8)] == [False] * 8
        assert camera.limit_light(0.5)
        frames = held_for(camera, 8)
        assert [frame.dimming for frame in frames] == [True] * 4 + [False] * 4
        assert {frame.dimmed for frame in frames} == {0.5}
        assert (driver.says["ExposureTime"], driver.says["AnalogueGain"]) == (6400, 1.0)
        assert camera.locked_light == LightSettings(8000, 1.6, (1.5, 1.7)), "to be kept by whoever sets it up"
        driver.says["ExposureTime"] = 9000
        held_for(camera, 20)
        assert driver.says["ExposureTime"] == 6400
        asked = len(driver.set)
        assert not camera.limit_light(0.15), "too little would be left"
        assert camera.limit_light(0.5), "as it does already"
        assert len(driver.set) == asked
        assert camera.limit_light(0.7)
        assert camera.limit_light(1.0), "another share may be asked for before one is taken up"
        assert held_for(camera, 8)[-1].dimmed == 1.0
        assert (driver.says["ExposureTime"], driver.says["AnalogueGain"]) == (8000, 1.6)


def test_another_light_in_the_room_ends_the_dimming(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(light=LightSettings(8000, 2.0, (1.5, 1.7)))) as camera:
        held_for(camera, 8)
        assert camera.limit_light(0.5)
        held_for(camera, 8)
        driver.says["Lux"] = 50.0
        frames = held_for(camera, 30 * 6)
        assert (frames[20].dimmed, frames[-1].dimmed, frames[-1].dimming) == (0.5, 1.0, False)


def test_less_light_that_is_not_taken_up_is_not_waited_for_for_long(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(light=LightSettings(8000, 2.0, (1.5, 1.7)))) as camera:
        held_for(camera, 8)
        driver.deaf = True
        assert camera.limit_light(0.5)
        frames = held_for(camera, 90)
        assert 20 < sum(frame.dimming for frame in frames) < 40
        assert (frames[-1].dimmed, frames[-1].dimming) == (1.0, False)
        assert camera.locked_light == LightSettings(8000, 2.0, (1.5, 1.7)), "as it has been all the time"
        assert not camera.limit_light(0.5), "it would not do so this time either"


def test_a_camera_that_is_opened_again_lets_in_all_its_light(driver: FakePicamera2) -> None:
    camera = camera_with(driver, Setting(light=LightSettings(8000, 2.0, (1.5, 1.7))))
    with camera:
        held_for(camera, 8)
        assert camera.limit_light(0.5)
        assert held_for(camera, 8)[-1].dimmed == 0.5
    with camera:
        assert held_for(camera, 8)[-1].dimmed == 1.0
        assert driver.says["ExposureTime"] == 8000


def test_a_closed_camera_dims_nothing(driver: FakePicamera2) -> None:
    assert not camera_with(driver).limit_light(0.5)


def test_controls_that_are_not_taken_up_are_said_to_be_so(driver: FakePicamera2) -> None:
    driver.deaf = True
    with camera_with(driver, Setting(light=LightSettings(12000, 1.5, (1.4, 1.9)))) as camera:
        frames = 0
        while camera.trouble is None:
            camera.frame(0.5)
            frames += 1
        assert camera.trouble == "light_not_held"
        assert frames / 30 == pytest.approx(2.0, abs=0.1)
        driver.deaf = False
        camera.lock(LightSettings(12000, 1.5, (1.4, 1.9)))
        for _ in range(8):
            camera.frame(0.5)
        assert camera.trouble is None


def test_a_lens_is_turned_to_where_calibration_found_it_sharp(driver: FakePicamera2) -> None:
    driver.camera_controls["LensPosition"] = (0.0, 15.0, 1.0)
    driver.says["LensPosition"] = 1.0
    with camera_with(driver, Setting(dioptres=4.2)) as camera:
        assert camera.focus_range == (0.0, 15.0)
        assert driver.set == [{"AfMode": 0, "LensPosition": 4.2}]
        for _ in range(5):
            camera.frame(0.5)
        assert driver.says["LensPosition"] == 4.2
        driver.deaf = True
        camera.focus(5.0)
        for _ in range(25):
            camera.frame(0.5)
        assert camera.trouble == "focus_not_held"


def test_a_fixed_lens_is_left_alone(driver: FakePicamera2) -> None:
    with camera_with(driver, Setting(dioptres=4.2)) as camera:
        assert camera.focus_range is None
        camera.focus(5.0)
        for _ in range(30):
            camera.frame(0.5)
        assert camera.trouble is None
    assert not any("LensPosition" in controls for controls in driver.set)


def test_closing_does_not_wait_for_a_stop_that_blocks(driver: FakePicamera2, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera, "CLOSING", 0.01)
    driver.hangs = threading.Event()
    camera = camera_with(driver)
    camera.open()
    camera.close()
    assert not driver.closed.is_set()
    with pytest.raises(CameraStuck, match="the driver does not end"):
        camera.open()
    driver.hangs.set()
    assert driver.closed.wait(TIMEOUT_S)
    with pytest.raises(CameraLost, match="closed"):
        camera.frame(0.1)
    with pytest.raises(CameraLost, match="closed"):
        camera.lock(LightSettings(8000, 2.0, (1.5, 1.7)))


def test_a_pi_without_a_camera_says_what_to_do(driver: FakePicamera2) -> None:
    if inaccessible_devices():
        pytest.skip("this user may not use the devices that are there")
    with pytest.raises(SourceError, match="no camera was found; check its cable,"):
        camera_with(driver, cameras=()).open()


def test_devices_that_this_user_may_not_use_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "media0").touch()
    (tmp_path / "dma_heap").mkdir()
    (tmp_path / "dma_heap" / "system").touch()
    assert inaccessible_devices(tmp_path) == []
    monkeypatch.setattr(picamera.os, "access", lambda node, way: node.name != "system")
    assert inaccessible_devices(tmp_path) == [tmp_path / "dma_heap" / "system"]


def test_a_camera_in_use_is_told_from_one_that_is_broken(driver: FakePicamera2) -> None:
    def refusing(reason: str) -> PiCamera:
        def kind(number: int) -> Any:
            try:
                raise RuntimeError(reason)
            except RuntimeError as error:
                raise RuntimeError("Camera __init__ sequence did not complete.") from error

        return PiCamera(driver=lambda: kind, cameras=lambda: FoundCameras(("imx708",)))

    with pytest.raises(SourceError, match="another program uses the camera"):
        refusing("Failed to acquire camera: Device or resource busy").open()
    with pytest.raises(SourceError, match="the camera cannot be opened: I/O error"):
        refusing("I/O error").open()
    driver.refusal = RuntimeError("no memory")
    with pytest.raises(SourceError, match="imx708 cannot be set up: no memory"):
        camera_with(driver).open()
    assert driver.closed.wait(TIMEOUT_S), "let go of, or it would be in use the next time"


def test_a_missing_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(SourceError, match="apt install python3-picamera2"):
        load_picamera2()
    with pytest.raises(SourceError, match="apt install python3-libcamera"):
        list_cameras()
