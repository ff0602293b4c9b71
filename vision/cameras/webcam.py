"""A camera that OpenCV can open (USB webcams): read in its own thread, so that a hung driver stops nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.cameras.protocol import Camera, CameraLost, CameraStuck, Clock, Frame, SourceError, turned
from vision.pictures import Picture

HUNG, HUNG_AT_START = 2.0, 10.0
"""Seconds that the driver may take for one picture, and for the first one with all that comes before."""

RETRY = 1.0
"""Seconds between two attempts to open a camera that went away."""


class Device(Protocol):
    """The part of `cv2.VideoCapture` that is used; tests hand in another."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def present(devices: Path = Path("/dev"), shown: Path = Path("/sys/class/video4linux")) -> list[int]:
    """The numbers of the webcams that the system shows.

    A Raspberry Pi has a dozen other nodes (decoders, the raw ends of its own camera), and a webcam one more for what
    it says about its pictures: only a first node that sits on USB counts, where `shown` tells.
    """
    numbers = [path.name.removeprefix("video") for path in devices.glob("video*")]
    return sorted(int(number) for number in numbers if number.isdecimal() and _takes_pictures(shown / f"video{number}"))


def _takes_pictures(node: Path) -> bool:
    try:
        index = (node / "index").read_text().strip()
        return index == "0" and "usb" in str((node / "device").resolve())
    except OSError:
        return True


def open_device(number: int) -> Device:
    """The camera of that number, asked to keep no more than one picture waiting."""
    device = cv2.VideoCapture(number)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    device.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
    return device


class _Reading:
    """One run of the thread that reads. A run that hangs in the driver is left behind and can do no harm any more."""

    def __init__(self, connect: Callable[[], Device], clock: Clock) -> None:
        self.fresh = threading.Condition()
        self.latest: tuple[Picture, float, int] | None = None
        self._connect = connect
        self._clock = clock
        self._asked: tuple[float, float] | None = None
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="webcam", daemon=True).start()

    def stop(self) -> None:
        """Ask the thread to end; it is not waited for."""
        self._stopped.set()

    def hangs(self) -> bool:
        """Whether the driver was asked so long ago that it will not answer any more."""
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
    """A webcam by its number. Only the newest picture is kept; a camera that went away is opened again once back.

    `rotation` turns the pictures, with the clock, in degrees: 0, 90, 180 or 270.
    """

    live = True

    def __init__(
        self,
        number: int = 0,
        *,
        rotation: int = 0,
        connect: Callable[[int], Device] = open_device,
        numbers: Callable[[], list[int]] = present,
        clock: Clock = time.monotonic,
    ) -> None:
        self._number = number
        self._rotation = rotation
        self._connect = connect
        self._numbers = numbers
        self._clock = clock
        self._reading: _Reading | None = None
        self._start = 0.0
        self._given = -1

    def open(self) -> None:
        """Start reading. Raises SourceError if the system has no camera of this number."""
        there = self._numbers()
        if self._number not in there:
            others = ", ".join(f"camera:{number}" for number in there)
            fault = "vision.webcam.missing" if others else "vision.webcam.alone"
            raise SourceError(fault, name=f"camera:{self._number}", others=others)
        self.close()
        self._start = self._clock()
        self._given = -1
        self._reading = _Reading(lambda: self._connect(self._number), self._clock)

    def frame(self, timeout: float) -> Frame:
        """The newest picture that was not given before. Raises CameraStuck if the driver hangs."""
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
        return Frame(turned(picture, self._rotation), t - self._start, self._given)

    def close(self) -> None:
        """Stop reading; a driver that hangs is not waited for."""
        if self._reading is not None:
            self._reading.stop()
            self._reading = None

    def describe(self) -> str:
        return f"webcam camera:{self._number}"
