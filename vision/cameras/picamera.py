"""The Raspberry Pi's own camera through picamera2: a full picture to read and a small one to watch, of one exposure."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.cameras.protocol import Camera, CameraLost, Clock, Frame, SourceError

FULL = (1640, 1232)
"""Width and height of the pictures that are read."""

SMALL = (640, 480)
"""Width and height of the pictures that the settling watches."""

RATE = 30.0


def load_picamera2() -> Any:
    """The class Picamera2 of the system's package. Raises SourceError with what to do if it is missing."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except ImportError as error:
        raise SourceError(
            "picamera needs the package python3-picamera2 (sudo apt install python3-picamera2), "
            "and an environment made with --system-site-packages"
        ) from error


class PiCamera(Camera):
    """The Pi's camera. Every call into the driver that may hang is made by a thread that nobody waits for.

    `driver` gives the class Picamera2. `lock()` fixes exposure and white balance at what they are, so that a hand
    over the tray does not change the light of the picture.
    """

    def __init__(self, driver: Callable[[], Any] = load_picamera2, clock: Clock = time.monotonic) -> None:
        self._driver = driver
        self._clock = clock
        self._device: Any = None
        self._awaited: Any = None
        self._start = 0.0
        self._count = 0

    def open(self) -> None:
        """Configure and start the camera. Raises SourceError if picamera2 or the camera is missing."""
        kind = self._driver()
        if not kind.global_camera_info():
            raise SourceError("picamera: no camera was found; check its cable, then `rpicam-hello --list-cameras`")
        device = kind()
        device.configure(
            device.create_video_configuration(
                main={"size": FULL, "format": "RGB888"},
                lores={"size": SMALL, "format": "YUV420"},
                controls={"FrameRate": RATE},
                buffer_count=4,
                queue=False,
            )
        )
        device.start()
        self._device, self._start, self._count = device, self._clock(), 0

    def frame(self, timeout: float) -> Frame:
        """The next picture with its small copy."""
        if self._device is None:
            raise CameraLost("picamera is closed")
        if self._awaited is None:
            self._awaited = self._device.capture_request(wait=False)
        try:
            request = self._awaited.get_result(timeout=timeout)
        except TimeoutError as error:
            raise CameraLost(f"picamera has given no picture for {timeout:g} s") from error
        self._awaited = None
        try:
            picture = np.asarray(request.make_array("main"), np.uint8)
            planes = np.asarray(request.make_array("lores"), np.uint8)
        finally:
            request.release()
        small = cv2.cvtColor(np.ascontiguousarray(planes[:, : SMALL[0]]), cv2.COLOR_YUV2BGR_I420)
        frame = Frame(picture, self._clock() - self._start, self._count, np.asarray(small, np.uint8))
        self._count += 1
        return frame

    def lock(self) -> None:
        """Keep exposure, gain and white balance as they are now."""
        if self._device is None:
            raise CameraLost("picamera is closed")
        now = self._device.capture_metadata()
        kept = {name: now[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in now}
        self._device.set_controls({"AeEnable": False, "AwbEnable": False, **kept})

    def close(self) -> None:
        """Stop the camera, from a thread: picamera2's `stop()` is known to block for ever at times."""
        device, self._device, self._awaited = self._device, None, None
        if device is not None:
            threading.Thread(target=_shut, args=(device,), name="picamera-close", daemon=True).start()

    def describe(self) -> str:
        return "Raspberry Pi camera"


def _shut(device: Any) -> None:
    device.stop()
    device.close()
