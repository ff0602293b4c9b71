"""Cameras that OpenCV can open (USB webcams). A separate thread reads them, so a hung driver blocks nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.cameras.protocol import Camera, CameraLost, CameraStuck, Clock, Frame, SourceError, rotate_clockwise
from vision.pictures import Picture

HUNG, HUNG_AT_START = 2.0, 10.0
"""Timeout in seconds for one image, and for the first image including opening the device."""

RETRY = 1.0
"""Seconds between two attempts to reopen a lost camera."""


class CaptureDevice(Protocol):
    """The used part of `cv2.VideoCapture`. Tests pass a fake."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def list_webcams(devices: Path = Path("/dev"), sysfs: Path = Path("/sys/class/video4linux")) -> list[int]:
    """Return the numbers of the webcams that the system reports.

    A Raspberry Pi has a dozen other nodes (decoders, the raw nodes of its own camera), and a webcam has one more for
    metadata. Only the first node of a USB device counts, where `sysfs` gives this information.
    """
    numbers = [path.name.removeprefix("video") for path in devices.glob("video*")]
    return sorted(int(number) for number in numbers if number.isdecimal() and _takes_pictures(sysfs / f"video{number}"))


def _takes_pictures(node: Path) -> bool:
    try:
        index = (node / "index").read_text().strip()
        return index == "0" and "usb" in str((node / "device").resolve())
    except OSError:
        return True


def open_device(number: int) -> CaptureDevice:
    """Open the camera with that number, with at most one buffered image."""
    device = cv2.VideoCapture(number)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    device.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
    return device


class _CaptureThread:
    """One run of the reading thread. A run that hangs in the driver is abandoned and has no further effect."""

    def __init__(self, connect: Callable[[], CaptureDevice], clock: Clock) -> None:
        self.fresh = threading.Condition()
        self.latest: tuple[Picture, float, int] | None = None
        self._connect = connect
        self._clock = clock
        self._asked: tuple[float, float] | None = None
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="webcam", daemon=True).start()

    def stop(self) -> None:
        """Ask the thread to end, without waiting for it."""
        self._stopped.set()

    def hangs(self) -> bool:
        """Return True if the driver has exceeded its timeout."""
        asked = self._asked
        return asked is not None and self._clock() - asked[0] > asked[1]

    def _run(self) -> None:
        count = 0
        while not self._stopped.is_set():
            self._asked = (self._clock(), HUNG_AT_START)
            device = self._connect()
            while device.isOpened() and not self._stopped.is_set():
                good, picture = device.read()
                if not good:
                    break
                self._asked = (self._clock(), HUNG)
                with self.fresh:
                    self.latest = (np.asarray(picture, np.uint8), self._clock(), count)
                    self.fresh.notify_all()
                count += 1
            device.release()
            self._asked = None
            self._stopped.wait(RETRY)


class Webcam(Camera):
    """A webcam by number. Keeps only the newest image, and reopens the camera after it was lost.

    `rotation` rotates the images clockwise by 0, 90, 180 or 270 degrees.
    """

    live = True

    def __init__(
        self,
        number: int = 0,
        *,
        rotation: int = 0,
        connect: Callable[[int], CaptureDevice] = open_device,
        numbers: Callable[[], list[int]] = list_webcams,
        clock: Clock = time.monotonic,
    ) -> None:
        self._number = number
        self._rotation = rotation
        self._connect = connect
        self._numbers = numbers
        self._clock = clock
        self._reading: _CaptureThread | None = None
        self._start = 0.0
        self._given = -1

    def open(self) -> None:
        """Start reading. Raises: SourceError if the system has no camera with this number."""
        there = self._numbers()
        if self._number not in there:
            others = ", ".join(f"camera:{number}" for number in there)
            fault = "vision.webcam.missing" if others else "vision.webcam.alone"
            raise SourceError(fault, name=f"camera:{self._number}", others=others)
        self.close()
        self._start = self._clock()
        self._given = -1
        self._reading = _CaptureThread(lambda: self._connect(self._number), self._clock)

    def frame(self, timeout: float) -> Frame:
        """Return the newest image that was not returned before.

        Raises: CameraLost if none arrived in time, CameraStuck if the driver hangs.
        """
        reading = self._reading
        if reading is None:
            raise CameraLost("vision.camera.closed", name=f"camera:{self._number}")
        with reading.fresh:
            reading.fresh.wait_for(lambda: reading.latest is not None and reading.latest[2] > self._given, timeout)
            latest = reading.latest
        if latest is None or latest[2] <= self._given:
            if reading.hangs():
                raise CameraStuck("vision.camera.hangs", name=f"camera:{self._number}")
            raise CameraLost("vision.camera.silent", name=f"camera:{self._number}", seconds=timeout)
        picture, t, self._given = latest
        return Frame(rotate_clockwise(picture, self._rotation), t - self._start, self._given)

    def close(self) -> None:
        """Stop reading, without waiting for a hung driver."""
        if self._reading is not None:
            self._reading.stop()
            self._reading = None

    def describe(self) -> str:
        return f"webcam camera:{self._number}"
