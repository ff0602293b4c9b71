"""The Raspberry Pi's own camera through picamera2: a full picture to read and a small one to watch, of one exposure."""

from __future__ import annotations

import atexit
import importlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.cameras.hold import Hold, Light
from vision.cameras.planes import as_bgr, turned
from vision.cameras.protocol import Camera, CameraLost, CameraStuck, Clock, Frame, SourceError
from vision.roll import CameraTrouble

STUCK, STUCK_AT_START = 1.0, 3.0
"""Seconds without a picture from which the driver is taken for hung, and the same before the first picture."""

CLOSING = 2.0
"""Seconds that a camera opened again waits for the driver to let go of it."""

_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Streams:
    """Width, height and format (libcamera's name) of the pictures that are read and of those that the settling watches,
    of one exposure, and how many a second."""

    full: tuple[int, int] = (1640, 1232)
    full_format: str = "RGB888"
    small: tuple[int, int] = (640, 480)
    small_format: str = "YUV420"
    rate: float = 30.0


@dataclass(frozen=True, slots=True)
class Setting:
    """What calibration found for this camera: the light to hold and where to turn a lens that can be turned (dioptres).

    None: the camera settles its light by itself, focuses once, and stays as it is.
    """

    light: Light | None = None
    dioptres: float | None = None


def load_picamera2() -> Any:
    """The class Picamera2 of the system's package. Raises SourceError with what to do if it is missing."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except (ImportError, OSError) as error:
        raise SourceError(
            "picamera needs the package python3-picamera2 (sudo apt install python3-picamera2), "
            "and an environment made with --system-site-packages"
        ) from error


@dataclass(frozen=True, slots=True)
class Found:
    """The ids of the cameras that libcamera finds, and what keeps them found for as long as it is held."""

    ids: tuple[str, ...]
    manager: object = None


def listed() -> Found:
    """The cameras that there are now. Once nobody holds an answer any more the next one is found out anew: a manager
    that is kept goes on listing what it found first. Raises SourceError if libcamera is missing."""
    try:
        manager = importlib.import_module("libcamera").CameraManager.singleton()
    except (ImportError, OSError) as error:
        raise SourceError("picamera needs python3-libcamera (sudo apt install python3-libcamera)") from error
    return Found(tuple(str(camera.id) for camera in manager.cameras), manager)


def forbidden(devices: Path = Path("/dev")) -> list[Path]:
    """The camera devices that this user may not use."""
    nodes = [*devices.glob("media*"), *devices.glob("video*"), *(devices / "dma_heap").glob("*")]
    return sorted(node for node in nodes if not os.access(node, os.R_OK | os.W_OK))


class PiCamera(Camera):
    """The Pi's camera. Every call into the driver that may hang is made by a thread that nobody waits for for long.

    `driver` gives the class Picamera2; `rotation` turns the pictures, with the clock, in degrees. Light and focus are
    held from the first seconds on (see `Hold`), so that a hand over the tray does not change the light of the picture.
    """

    live = True

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        number: int = 0,
        rotation: int = 0,
        streams: Streams | None = None,
        driver: Callable[[], Any] = load_picamera2,
        cameras: Callable[[], Found] = listed,
        clock: Clock = time.monotonic,
    ) -> None:
        self._setting = setting or Setting()
        self._number = number
        self._rotation = rotation
        self._streams = streams or Streams()
        self._driver = driver
        self._cameras = cameras
        self._clock = clock
        self._device: Any = None
        self._awaited: Any = None
        self._closing: threading.Thread | None = None
        self._hold = Hold(frozenset())
        self.identity = ""
        """Which camera it is (libcamera's id: sensor and socket) and how it is turned, once it was opened."""
        self._start: int | None = None
        self._last = 0
        self._count = 0
        self._silent = 0.0

    @property
    def trouble(self) -> CameraTrouble | None:
        return self._hold.trouble

    @property
    def held(self) -> Light | None:
        """The light that is held, whatever share of it is let in; None until the camera has confirmed it."""
        return self._hold.usual

    @property
    def reach(self) -> tuple[float, float] | None:
        """Least and greatest dioptres of a lens that can be turned; None for a fixed one, or while closed."""
        lens = {} if self._device is None else self._device.camera_controls
        return None if "LensPosition" not in lens else (float(lens["LensPosition"][0]), float(lens["LensPosition"][1]))

    def warm_up(self) -> None:
        with suppress(SourceError):
            self._driver()

    def open(self) -> None:
        """Configure and start the camera. Raises SourceError if picamera2 or the camera is missing, in use or
        forbidden, CameraStuck if its driver has not let go of it since it was closed."""
        if self._closing is not None:
            self._closing.join(CLOSING)
            if self._closing.is_alive():
                raise CameraStuck("picamera: the driver does not end; a new process is needed")
        kind = self._driver()
        found = self._cameras()
        if len(found.ids) <= self._number:
            raise SourceError(_none_found(self._number, len(found.ids)))
        self.identity = found.ids[self._number] + (f", turned {self._rotation}" if self._rotation else "")
        try:
            device = kind(self._number)
        except (RuntimeError, OSError, IndexError) as error:
            raise SourceError(_not_opened(error)) from error
        try:
            self._begin(device)
        except (RuntimeError, OSError, ValueError) as error:
            self._closing = _shut(device)
            raise SourceError(f"picamera: {found.ids[self._number]} cannot be set up: {error}") from error
        self._device = device

    def frame(self, timeout: float) -> Frame:
        """The next picture with its small copy. Raises CameraStuck once there was none for STUCK seconds."""
        if self._device is None:
            raise CameraLost("picamera is closed")
        if self._awaited is None:
            self._awaited = self._device.capture_request(wait=False)
        asked = self._clock()
        try:
            request = self._awaited.get_result(timeout=timeout)
        except TimeoutError as error:
            # Only what was waited: a process that did not get the processor does not take its camera for hung.
            self._silent += min(timeout, self._clock() - asked)
            if self._silent > (STUCK if self._count else STUCK_AT_START):
                raise CameraStuck(
                    f"picamera has given no picture for {self._silent:.1f} s; its driver hangs"
                ) from error
            raise CameraLost(f"picamera has given no picture for {timeout:g} s") from error
        self._awaited = None
        try:
            full = np.asarray(request.make_array("main"), np.uint8)
            small = np.asarray(request.make_array("lores"), np.uint8)
            metadata = request.get_metadata()
        finally:
            request.release()
        return self._made(full, small, metadata)

    def fresh(self, timeout: float) -> Frame:
        """A picture whose exposure began after this call, for whoever has just changed something. Raises CameraLost."""
        asked, end = self._clock() * _NANOSECONDS, self._clock() + timeout
        while True:
            frame = self.frame(max(0.0, end - self._clock()))
            if self._last > asked:
                return frame

    def focus(self, dioptres: float) -> None:
        """Turn the lens and hold it there; nothing where it cannot be turned. Raises CameraLost if closed."""
        self._set(_turned_to(dioptres) if self.reach else {})
        self._hold.dioptres = dioptres if self.reach else None

    def lock(self, light: Light) -> None:
        """Hold this light from now on. Raises CameraLost if closed."""
        self._set(self._hold.lock(light, self._clock()))

    def let_in(self, share: float) -> bool:
        controls = None if self._device is None else self._hold.let_in(share, self._clock())
        if controls is None:
            return False
        self._set(controls)
        return True

    def close(self) -> None:
        """Stop the camera, from a thread: picamera2's `stop()` is known to block for ever at times."""
        device, self._device, self._awaited = self._device, None, None
        if device is not None:
            self._closing = _shut(device)

    def describe(self) -> str:
        return "Raspberry Pi camera" if not self._number else f"Raspberry Pi camera {self._number}"

    def _begin(self, device: Any) -> None:
        streams, setting = self._streams, self._setting
        device.configure(
            device.create_video_configuration(
                main={"size": streams.full, "format": streams.full_format},
                lores={"size": streams.small, "format": streams.small_format},
                controls={"FrameRate": streams.rate} if "FrameDurationLimits" in device.camera_controls else {},
                buffer_count=4,
                queue=False,
            )
        )
        can = frozenset(device.camera_controls)
        self._hold = Hold(can, setting.light, setting.dioptres)
        if "LensPosition" in can:
            once = {"AfMode": 1, "AfTrigger": 0}
            device.set_controls(once if setting.dioptres is None else _turned_to(setting.dioptres))
        device.start()
        self._start, self._last, self._count, self._silent = None, 0, 0, 0.0

    def _made(self, full: Any, small: Any, metadata: dict[str, Any]) -> Frame:
        now, self._silent = self._clock(), 0.0
        stamp = int(metadata.get("SensorTimestamp") or now * _NANOSECONDS)
        self._start = stamp if self._start is None else self._start
        self._last = stamp = max(stamp, self._last + 1)
        t = (stamp - self._start) / _NANOSECONDS
        self._set(self._hold.see(metadata, now))
        streams = self._streams
        pictures = (
            as_bgr(full, streams.full_format, streams.full),
            as_bgr(small, streams.small_format, streams.small),
        )
        picture, watched = (turned(one, self._rotation) for one in pictures)
        frame = Frame(picture, t, self._count, watched, self._hold.dimmed, self._hold.dimming)
        self._count += 1
        return frame

    def _set(self, controls: dict[str, Any]) -> None:
        if self._device is None:
            raise CameraLost("picamera is closed")
        if controls:
            self._device.set_controls(controls)


def _turned_to(dioptres: float) -> dict[str, Any]:
    """The controls that turn the lens by hand, as it were: no automatic focus."""
    return {"AfMode": 0, "LensPosition": dioptres}


def _shut(device: Any) -> threading.Thread:
    """Let go of the device in a thread of its own."""
    closing = threading.Thread(target=_end, args=(device,), name="picamera-close", daemon=True)
    closing.start()
    return closing


def _end(device: Any) -> None:
    atexit.unregister(device.close)  # it has itself closed when the process ends, which must not happen twice
    with suppress(RuntimeError, OSError):
        device.stop()
        device.close()


def _none_found(number: int, found: int) -> str:
    if found:
        return f"picamera:{number} is not there; libcamera finds {found} camera(s), counted from 0"
    closed = forbidden()
    if closed:
        return (
            f"picamera: this user may not use {closed[0]}; "
            "sudo usermod -aG video,render followed by the user's name, then log in again"
        )
    return "picamera: no camera was found; check its cable, then `rpicam-hello --list-cameras`"


def _not_opened(error: BaseException) -> str:
    reasons = []
    cause: BaseException | None = error
    while cause is not None:
        reasons.append(str(cause))
        cause = cause.__cause__ or cause.__context__
    if any("busy" in reason.lower() or "in use" in reason.lower() for reason in reasons):
        return "picamera: another program uses the camera; close it (rpicam-hello, libcamera-vid, a second companion)"
    return f"picamera: the camera cannot be opened: {reasons[-1]}"
